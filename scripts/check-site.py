"""Check the links of a built site: every target exists, and nothing is loaded from elsewhere.

Usage: python scripts/check-site.py [FOLDER]

FOLDER is build/site unless told. The site must be readable offline: what a page loads (styles,
scripts, pictures, frames) lies in it. Links that a reader follows may lead outside.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent

LOADING = {"link", "script", "img", "iframe", "source", "object"}
SHIPPED = {"play.html"}
"""Its places are names of trees, which its script reads."""


class Links(HTMLParser):
    """Collects what a page links to and loads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.targets: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the attributes of a tag."""
        values = dict(attrs)
        self.places |= {values.get("id") or "", values.get("name") or ""}
        target = values.get("src") or values.get("href") or values.get("data")
        if target and values.get("rel") != "canonical":
            self.targets.append((tag, target))


@cache
def read_links(page: Path) -> Links:
    """Return the links of a page."""
    return Links(page.read_text(encoding="utf-8"))


def find_faults(site: Path) -> Iterator[str]:
    """Yield a line for each target that is missing, or loaded from elsewhere."""
    for page in sorted(site.rglob("*.html")):
        for tag, target in read_links(page).targets:
            fault = find_fault(page, tag, target)
            if fault:
                yield f"{page.relative_to(site)}: {target}: {fault}"


def find_fault(page: Path, tag: str, target: str) -> str:
    """Return what is wrong with a target, or nothing."""
    parts = urlsplit(target)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "is loaded from elsewhere" if tag in LOADING else ""
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not path.exists():
        return "no such file"
    place = unquote(parts.fragment)
    if not place or path.suffix != ".html" or path.name in SHIPPED:
        return ""
    return "" if place in read_links(path).places else "no such place in it"


def main() -> int:
    """Print the faults, and how many pages there are."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    faults = list(find_faults(site))
    for fault in faults:
        print(fault, file=sys.stderr)
    n_pages = len(list(site.rglob("*.html")))
    print(f"{'FAILED' if faults or not n_pages else 'PASSED'}: the links of {n_pages} pages")
    return int(bool(faults) or not n_pages)


if __name__ == "__main__":
    sys.exit(main())
