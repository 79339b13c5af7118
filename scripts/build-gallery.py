"""Write the gallery of the shipped trees: trees/index.html and the page that plays them.

Usage: python scripts/build-gallery.py [FOLDER]

FOLDER is trees/ unless told. Equal trees and files give equal pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from treegen.errors import TreegenError  # noqa: E402
from treegen.page.gallery import write_gallery  # noqa: E402

LINKS = {
    "How machines break codes": "../docs/guide.md",
    "All the documentation": "../docs/index.md",
}


def main() -> int:
    """Write both pages, say which."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "trees"
    try:
        write_gallery(folder, links=LINKS)
    except TreegenError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    print(f"PASSED: wrote {folder / 'index.html'} and {folder / 'play.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
