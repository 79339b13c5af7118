"""Browsers, trees and pages that the tests of the page share.

A browser is started once for this folder, and so not where other tests run an event loop of their
own. Chromium is the default; tests marked `BOTH` run in Firefox too.
"""

import json
import os
import shutil
import subprocess
from base64 import b64encode
from functools import cache

import pytest

import treegen
from treegen import write_page
from treegen.formats.table import make_table
from treegen.games.names import parse_game
from treegen.tree.walk import cut_at, find_node

from ..paths import ROOT
from .driving import CHROMIUM, HANG_MS, WORDS, make_words, open_tab

build_once = cache(treegen.build)


@pytest.fixture(scope="package")
def ask():
    """Return a function that puts a question about a tree to the modules of the page."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    runner = ROOT / "tests" / "js" / "page_answers.mjs"
    # One process answers all: to start node takes longer than any answer.
    with subprocess.Popen(
        ["node", runner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:

        def ask_node(tree, question, **data):
            packed = {"table": b64encode(make_table(tree, to_page=True)).decode()} | data
            node.stdin.write(json.dumps({"ask": question, **packed}) + "\n")
            node.stdin.flush()
            answer = node.stdout.readline()
            assert answer, f"node ended at {question!r}: its error stands on stderr"
            return json.loads(answer)

        yield ask_node
        node.stdin.close()


@pytest.fixture(scope="package")
def playwright():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def chromium(playwright):
    if CHROMIUM is None:
        pytest.skip("no browser: chromium is not installed")
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def firefox(playwright):
    """Firefox as the system has it, driven by WebDriver BiDi."""
    names = ("firefox-esr", "firefox")
    path = os.environ.get("TREEGEN_FIREFOX") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("no browser: firefox-esr is not installed")
    calm = {"ui.prefersReducedMotion": 1}
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=path, firefox_user_prefs=calm
    )
    try:
        browser.new_context().close()
    except Exception as error:
        browser.close()
        if "unknown command" not in str(error):
            raise
        pytest.skip("this playwright asks for what this Firefox does not have (make setup)")
    yield browser
    browser.close()


@pytest.fixture
def browser(request):
    """Chromium, or the browser that a test is parametrized by."""
    return request.getfixturevalue(getattr(request, "param", "chromium"))


@pytest.fixture(scope="package")
def knuth():
    return build_once("p4c6r", "knuth")


@pytest.fixture(scope="package")
def trees(knuth):
    return [
        knuth,
        build_once("p4c6r", "entropy"),
        build_once("p3c4rb", "knuth"),
        build_once("p3c5n", "knuth"),
        make_words(WORDS),
        cut_at(knuth, find_node(knuth, [knuth.game.parse_response("02")])),
        treegen.build(parse_game("p3c5n").with_goal("identify"), "knuth"),
    ]


@pytest.fixture(scope="package")
def file(trees, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_page(trees, path)
    return path


@pytest.fixture
def open_file(browser):
    """Return a function that opens a file; it must leave no error and ask nothing of a network."""
    complaints, contexts = [], []

    def note_request(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            complaints.append(request.url)

    def open_it(path, size=(900, 900), script="", **options):
        options = {"reduced_motion": "reduce", **options}
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(HANG_MS)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", note_request)
        if script:
            page.add_init_script(script)
        page.goto(path.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def open_page(open_file, tmp_path):
    """Return a function that opens the page of some trees."""

    def open_it(trees, size=(900, 900), script="", **options):
        write_page(trees, tmp_path / "page.html", force=True)
        return open_file(tmp_path / "page.html", size, script, **options)

    return open_it


@pytest.fixture
def page(open_file, file):
    """The page of all trees, where one hides a code."""
    page = open_file(file)
    open_tab(page, "You hide a code")
    return page
