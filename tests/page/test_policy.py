"""Every page that is written runs, shows and loads only what stands in it, by hash."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

import treegen
from treegen.page.html import add_policy

from ..paths import ROOT, load_script

KINDS = ["page", "page that is served", "key", "gallery", "booklet", "lesson", "lesson-sheet"]
NAMES = ["<script>x()</script>", "<style>*{}</style>", "a' onload='x()"]


def make_table():
    """Return a game whose names would like to be markup."""
    rows = [["yes", "1"], ["no", "1"], ["no", "<b>"]]
    return treegen.Questions(rows, names=NAMES, questions=["<script>?", "<style>"])


def write(kind, folder, tree):
    path = folder / "page.html"
    if kind.startswith("lesson"):
        return ROOT / "trees" / f"{kind}.html"
    if kind == "gallery":
        tree.write(folder / "one.tree")
        load_script("build-gallery").write_gallery(folder, title="<script>alert(1)</script>")
        return folder / "index.html"
    if kind == "booklet":
        treegen.write_booklet(tree, path)
    elif kind == "key":
        treegen.write_page(treegen.build(make_table(), "optimal"), path, title="<style>")
    else:
        url = "https://example.org/play/" if "served" in kind else None
        treegen.write_page(tree, path, title="<script>alert(1)</script>", url=url)
    return path


class Parts(HTMLParser):
    """What a page holds: its policy, its scripts and styles, what stands in attributes."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.policy, self.texts, self.attributes, self.tag = {}, [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tag = "" if given.get("type") == "application/json" else tag
        self.attributes += attrs
        if given.get("http-equiv") == "Content-Security-Policy":
            assert self.texts == []
            for rule in given["content"].split("; "):
                name, *sources = rule.split()
                assert name not in self.policy
                self.policy[name] = sources

    def handle_data(self, data):
        if self.tag in ("script", "style"):
            self.texts.append((self.tag, data))
        self.tag = ""


@pytest.mark.parametrize("kind", KINDS)
def test_scripts_and_styles_are_those_of_the_page(kind, knuth, tmp_path):
    parts = Parts(write(kind, tmp_path, knuth).read_text("utf-8"))
    assert parts.policy["default-src"] == ["'none'"]
    assert not [name for name, _ in parts.attributes if name.startswith("on") or name == "style"]
    for tag in ("script", "style"):
        sources = [source for source in parts.policy.get(f"{tag}-src", []) if source != "blob:"]
        digests = [
            base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            for found, text in parts.texts
            if found == tag
        ]
        assert sources == [f"'sha256-{digest}'" for digest in digests]
    assert parts.policy["base-uri"] == parts.policy["form-action"] == ["'none'"]


def test_data_is_no_script():
    page = '<title>x</title><style>a</style><script type="application/json">1</script>'
    assert "script-src" not in add_policy(page)
    assert re.search("style-src 'sha256-[^']{44}';", add_policy(page))


WATCH = """
window.broken = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.broken.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS[:1] + KINDS[2:])
def test_browsers_find_nothing_to_complain_of(kind, knuth, tmp_path, open_file):
    page = open_file(write(kind, tmp_path, knuth), script=WATCH)
    page.wait_for_load_state("networkidle")
    for element in page.locator("summary").all():
        element.evaluate("summary => { summary.parentElement.open = true; }")
    assert page.evaluate("broken") == []
    assert page.evaluate("getComputedStyle(document.body).fontFamily") != "serif"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["page", "key", "gallery", "booklet"])
def test_what_gets_into_a_page_does_not_run(kind, knuth, tmp_path, chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(write(kind, tmp_path, knuth).as_uri())
    page.evaluate("""() => {
      window.ran = 0;
      document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='ran += 1'>");
      const script = document.createElement("script");
      script.textContent = "ran += 1";
      document.body.append(script);
    }""")
    page.wait_for_function("broken.length >= 2")
    assert page.evaluate("ran") == 0
    context.close()
