"""The site of docs/: it is read from disk, on a phone too, page by page or by its search."""

from __future__ import annotations

import runpy
import subprocess
import sys

import pytest

from ..page.driving import CHROMIUM
from ..paths import ROOT

CHECK = runpy.run_path(str(ROOT / "scripts" / "check-site.py"))

HEAD = '<a class="next-page" href="{}"></a><a class="prev-page" href="{}"></a>'
PAGES = {
    "index.html": '<a class="next-page" href="a.html"></a><table></table>',
    "a.html": HEAD.format("b.html", "index.html")
    + '<div class="table-wrapper"><table></table></div>',
    "b.html": '<a class="prev-page" href="a.html"></a><a href="a.html#place">a</a>',
    "search.html": '<script src="searchindex.js"></script>',
    "searchindex.js": 'Search.setIndex({"docnames":["index","a","b","c"]})',
    "c.html": "alone",
}


def test_faults_of_a_site_are_found(tmp_path):
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert list(CHECK["find_faults"](tmp_path)) == ["b.html: a.html#place: no such place in it"]
    assert list(CHECK["find_page_faults"](tmp_path)) == [
        "index.html: a table that does not scroll",
        "c.html: no next page leads to it",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "b.html",
            'prev-page" href="a',
            'prev-page" href="c',
            "b.html: the previous page is not a.html",
        ),
        ("search.html", "src=", "data-later=", "search.html: it loads no index"),
        ("searchindex.js", "Search.setIndex(", "fetch(", "search.html: it loads no index"),
    ],
)
def test_order_and_search_are_checked(tmp_path, name, old, new, fault):
    for each, text in PAGES.items():
        (tmp_path / each).write_text(text.replace(old, new) if each == name else text, "utf-8")
    assert any(each.startswith(fault) for each in CHECK["find_page_faults"](tmp_path))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for module in ("sphinx", "furo", "myst_parser", "numpydoc", "sphinx_copybutton"):
        pytest.importorskip(module, reason="make docs has not been run")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    subprocess.run([*build, "-d", folder / "cache", ROOT / "docs", folder / "site"], check=True)
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site):
    skipped = (site / "_static", site / "trees")  # the page has tests of its own
    found = [path for path in site.rglob("*.html") if not {*skipped} & {*path.parents}]
    assert len(found) >= 140
    return sorted(found)


@pytest.fixture(scope="module")  # other tests of the folder run an event loop of their own
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no browser: chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_site(chromium):
    """Return a page of a width and a scheme of colors, from disk; nothing may fail in it."""
    contexts, faults = [], []

    def open_it(width, height, scheme="light"):
        size = {"width": width, "height": height}
        contexts.append(chromium.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("requestfailed", lambda request: faults.append(request.url))
        page.on(
            "request", lambda request: faults.extend([request.url] * ("http" in request.url[:4]))
        )
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.slow
def test_the_site_is_whole(site):
    assert [*CHECK["find_faults"](site), *CHECK["find_page_faults"](site)] == []


@pytest.mark.slow
def test_no_page_scrolls_sideways_on_a_phone(pages, site, open_site):
    page = open_site(320, 640)
    wide = []
    for path in pages:
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(str(path.relative_to(site)))
    assert wide == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen_has_a_tree(site, open_site, width, height, scheme):
    page = open_site(width, height, scheme)
    page.goto((site / "index.html").as_uri())
    box = page.locator('img[src$="tree.svg"]').bounding_box()
    assert box["y"] + box["height"] <= height and box["width"] >= 290
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, color[4:-1].split(","))) / 3
    assert light > 200 if scheme == "light" else light < 55


SEARCHES = {
    "--certificate": ("reference/commands.html", "proofs.html"),
    "knuth": ("strategies.html", "how-to/literature.html"),
    "lookup table": ("reference/write_table.html",),
    "hard mode": ("words.html#hard-mode", "optimal.html#hard-mode"),
    "MicroPython": ("how-to/microcontroller.html",),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", SEARCHES)
def test_the_search_works_from_disk(site, open_site, text):
    page = open_site(1280, 800)
    page.goto((site / "index.html").as_uri())
    page.fill("input[name=q]", text)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html*")
    page.wait_for_selector("text=Search finished")
    links = page.locator("#search-results li a").evaluate_all(
        "all => all.map(a => a.getAttribute('href'))"
    )
    for wanted in SEARCHES[text]:
        assert any(link.startswith(wanted) for link in links), wanted
    first = page.locator("#search-results li a").first
    first.click()  # the terms are marked there, also where icons have names
    page.wait_for_load_state()
    assert page.locator(".highlighted").count()
