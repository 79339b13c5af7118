"""Write the short forms of the page's scripts: treegen/page/assets/*.min.js.

Usage: python scripts/minify-page.py

Needs npx. The result depends on the modules and terser's version alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.page.html import (  # noqa: E402
    ENGINE,
    KEY,
    PAGE,
    QR,
    WORD_GAMES,
    bundle,
    digest_of,
    read_asset,
    short_path,
)

TERSER = ("npx", "--yes", "terser@5.51.2", "--ecma", "2022")
PRIVATE = ("-c", "passes=3", "-m", "--module", "--toplevel")
"""Nobody else uses the names of the pages' scripts."""


def keep_shared() -> tuple[str, ...]:
    """Return the options that keep those names of the engine that the page uses."""
    exported = re.findall(r"^export const (\w+)", "".join(map(read_asset, ENGINE.modules)), re.M)
    page = "".join(map(read_asset, PAGE.modules + WORD_GAMES.modules))
    shared = ",".join(name for name in exported if re.search(rf"\b{name}\b", page))
    return ("-c", f"passes=3,toplevel,top_retain=[{shared}]", "-m", f"toplevel,reserved=[{shared}]")


def main() -> int:
    """Shorten each bundle, say how far."""
    for script, options in (
        (ENGINE, keep_shared()),
        (PAGE, PRIVATE),
        (KEY, PRIVATE),
        (QR, PRIVATE),
        (WORD_GAMES, PRIVATE),
    ):
        text = bundle(script.modules)
        run = subprocess.run(
            [*TERSER, *options], input=text, capture_output=True, text=True, check=False
        )
        if run.returncode:
            print(f"FAILED: terser: {run.stderr.strip()}", file=sys.stderr)
            return 1
        path = short_path(script)
        path.write_text(f"// {digest_of(text)}\n{run.stdout.strip()}\n", encoding="utf-8")
        print(f"{path.name}: {len(text):,} -> {len(run.stdout):,} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
