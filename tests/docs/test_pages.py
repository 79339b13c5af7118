"""The Python of these pages runs, and prints what they say."""

import doctest
import re

import pytest

from .. import readme
from ..paths import ROOT


@pytest.mark.parametrize("name", ["index.md", "library.md", "json.md", "strategies.md"])
def test_every_example_of_the_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    snippet = readme.read_python(ROOT / "docs" / name)
    test = doctest.DocTestParser().get_doctest(snippet, {}, name, name, 0)
    assert len(test.examples) >= 3
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_pages_that_are_read_through_are_short():
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        caption, _, links = section.partition("\n")
        if caption not in ("Reference", "Formats"):
            for name in re.findall(r"\(([\w/-]+\.md)\)", links):
                lines = (ROOT / "docs" / name).read_text("utf-8").splitlines()
                assert len(lines) <= 250, name
    assert len((ROOT / "docs" / "questions.md").read_text("utf-8").splitlines()) <= 250
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 100 and len(text.split()) <= 700


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
