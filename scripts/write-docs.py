"""Write the generated parts of docs/: the table of the named strategies.

Usage: python scripts/write-docs.py [--check]

--check writes nothing and exits 1 where a part is out of date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.strategies import list_strategies  # noqa: E402

STRATEGIES = ROOT / "docs" / "strategies.md"
BEGIN = "<!-- strategies: written by scripts/write-docs.py -->"
END = "<!-- end -->"


def main() -> int:
    """Write or check the table."""
    text = STRATEGIES.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    part = "\n".join([BEGIN, *generate_table(), END])
    new = pattern.sub(lambda _: part, text)
    if "--check" in sys.argv[1:]:
        print("docs/strategies.md:", "PASSED" if new == text else "FAILED: run write-docs.py")
        return int(new != text)
    STRATEGIES.write_text(new, encoding="utf-8")
    print(f"wrote {STRATEGIES.relative_to(ROOT)}")
    return 0


def generate_table() -> list[str]:
    """Return the lines of the table."""
    lines = ["| name | exact rule | idea | source |", "|---|---|---|---|"]
    for named in list_strategies():
        only = f" ({named.only} only)" if named.only else ""
        rule = named.strategy.rule.replace("|", "\\|")
        lines.append(f"| `{named.name}`{only} | `{rule}` | {named.summary} | {named.source} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
