"""Check a built site: its links, the order of its pages, its search, its tables.

Usage: python scripts/check-site.py [FOLDER]

FOLDER is build/site by default. The site must be readable offline: what a page loads (styles,
scripts, pictures, frames) lies in it, and the search needs no server. Links that a reader follows
may lead outside. *Next* leads from the first page to every other, *previous* back. Tables scroll
by themselves, so that no page is wider than a phone.
"""

from __future__ import annotations

import json
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

INDEX = "Search.setIndex("
SCROLLING = {"table-wrapper", "output"}
"""Classes of what a table is in: it scrolls sideways."""


class Links(HTMLParser):
    """Collects what a page links to and loads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.targets: list[tuple[str, str]] = []
        self.beside: dict[str, str] = {}  # the next and the previous page
        self.n_loose = 0  # tables that do not scroll
        self._divs: list[bool] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the attributes of a tag."""
        values = dict(attrs)
        classes = (values.get("class") or "").split()
        if tag == "div":
            self._divs.append(bool(SCROLLING & {*classes}))
        self.n_loose += tag == "table" and not any(self._divs)
        for name in {"next-page", "prev-page"} & {*classes}:
            self.beside[name] = values.get("href") or ""
        self.places |= {values.get("id") or "", values.get("name") or ""}
        target = values.get("src") or values.get("href") or values.get("data")
        if target and values.get("rel") != "canonical":
            self.targets.append((tag, target))

    def handle_endtag(self, tag: str) -> None:
        """Leave a part of the page."""
        if tag == "div" and self._divs:
            self._divs.pop()


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


def find_page_faults(site: Path) -> Iterator[str]:
    """Yield a line for each fault of search, order and tables."""
    path, page = site / "searchindex.js", site / "search.html"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not text.startswith(INDEX) or ("script", "searchindex.js") not in read_links(page).targets:
        yield "search.html: it loads no index as a script, which alone works from disk"
        return
    names = json.loads(text.removeprefix(INDEX).removesuffix(")"))["docnames"]
    pages = {(site / f"{name}.html").resolve() for name in names}
    for each in sorted(pages):
        if read_links(each).n_loose:
            yield f"{each.relative_to(site.resolve())}: a table that does not scroll"
    yield from find_order_faults(site.resolve(), pages)


def find_order_faults(site: Path, pages: set[Path]) -> Iterator[str]:
    """Yield a line for each page that is not between the one before it and the one after it."""
    here, rest = site / "index.html", set(pages)
    while here in rest:
        rest.remove(here)
        after = read_links(here).beside.get("next-page")
        if after is None:
            break
        there = (here.parent / after).resolve()
        back = read_links(there).beside.get("prev-page", "")
        if (there.parent / back).resolve() != here:
            yield f"{there.relative_to(site)}: the previous page is not {here.relative_to(site)}"
        here = there
    for page in sorted(rest):
        yield f"{page.relative_to(site)}: no next page leads to it"


def main() -> int:
    """Print the faults, and how many pages there are."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    faults = [*find_faults(site), *find_page_faults(site)]
    for fault in faults:
        print(fault, file=sys.stderr)
    n_pages = len(list(site.rglob("*.html")))
    is_wrong = bool(faults) or not n_pages
    print(f"{'FAILED' if is_wrong else 'PASSED'}: links, order, search, tables of {n_pages} pages")
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
