"""The Python of these pages runs, and prints what they say."""

import doctest
import re
from html import unescape

import pytest

import treegen
from treegen.tree.tree import describe_figures

from .. import readme
from ..paths import ROOT


@pytest.mark.parametrize("name", ["index.md", "reference.md", "strategies.md", "diagrams.md"])
def test_every_example_of_the_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    snippet = readme.read_python(ROOT / "docs" / name)
    test = doctest.DocTestParser().get_doctest(snippet, {}, name, name, 0)
    assert len(test.examples) >= 3
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_the_first_page_begins_with_the_page_and_a_tree(name):
    page = ROOT / name
    first = page.read_text("utf-8").partition("```")[0]
    assert "\n## " not in first
    pictures = [page.parent / path for path in re.findall(r"!\[[^\]]+\]\((\S+)\)", first)]
    assert [path.name for path in pictures] == ["page-play.png", "tree.svg"]
    assert all(path.is_file() for path in pictures)
    drawn = unescape(pictures[1].read_text("utf-8"))
    assert " · ".join(describe_figures(treegen.build("p2c3r", "knuth"))) in drawn


def test_pages_that_are_read_through_are_short():
    long = ("Reference", "Formats", "Write a reader, a player, a checker")
    for folder in (ROOT / "docs", ROOT / "docs" / "notes"):
        index = (folder / "index.md").read_text("utf-8")
        for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
            caption, _, links = section.partition("\n")
            for name in re.findall(r"\(([\w/-]+\.md)\)", links):
                lines = (folder / name).read_text("utf-8").splitlines()
                assert caption in long or len(lines) <= 250, name
    assert len((ROOT / "docs" / "questions.md").read_text("utf-8").splitlines()) <= 250
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 100 and len(text.split()) <= 700


def test_the_pages_for_users_are_few_and_short():
    docs = ROOT / "docs"
    notes = {docs / "notes", docs / "reference"}
    pages = [path for path in docs.rglob("*.md") if path.parent not in notes]
    assert len(pages) <= 32
    assert sum(len(path.read_text("utf-8").split()) for path in pages) <= 50_000


def test_generated_parts_are_up_to_date():
    import runpy
    import sys

    script = ROOT / "scripts" / "write-docs.py"
    before = sys.argv
    sys.argv = [str(script), "--check"]
    try:
        with pytest.raises(SystemExit) as stop:
            runpy.run_path(str(script), run_name="__main__")
    finally:
        sys.argv = before
    assert stop.value.code == 0
