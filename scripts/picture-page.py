"""Take the pictures of the page that README and docs show, in Chromium; draw a small tree.

Usage: python scripts/picture-page.py [FOLDER]

They are written to docs/ by default: page-play.png, a game in progress, page-explore.png, the
explorer of the tree, and tree.svg. Their bytes depend on the browser, its fonts and Graphviz. Needs
playwright and Chromium (TREEGEN_CHROMIUM names another one).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

import treegen  # noqa: E402

SIZE = {"width": 900, "height": 660}
SECRET = "crypto.getRandomValues = (numbers) => numbers.fill(1234567);"
"""Makes the page draw the same code each time."""


def main() -> int:
    """Take the pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    chromium = os.environ.get("TREEGEN_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        print("FAILED: chromium is not installed", file=sys.stderr)
        return 1
    small = treegen.build("p2c3r", "knuth")
    small.write(folder / "tree.svg", landscape=True, color="none", title="2 pegs, 3 colors")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        file = Path(scratch) / "page.html"
        treegen.build("p4c6r", "knuth").write(file)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, act in {"page-play": play, "page-explore": explore}.items():
            page = browser.new_page(viewport=SIZE)
            page.add_init_script(SECRET)
            page.goto(file.as_uri())
            take(page, act, folder / f"{name}.png")
        browser.close()
    return 0


def play(page: Any) -> None:
    """Make two guesses at a hidden code."""
    for guess in ("1122", "1344"):
        page.keyboard.type(guess)
        page.keyboard.press("Enter")
        page.locator("#breaker .note", has_text="left").first.wait_for()


def explore(page: Any) -> None:
    """Open the tree."""
    page.get_by_role("tab", name="Explore the tree").click()


def take(page: Any, act: Callable[[Any], None], path: Path) -> None:
    """Write a picture of the page after a few moves."""
    act(page)
    page.wait_for_timeout(500)  # of animations
    page.screenshot(path=path)
    print(f"PASSED: wrote {path}")


if __name__ == "__main__":
    sys.exit(main())
