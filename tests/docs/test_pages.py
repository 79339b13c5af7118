"""The Python of these pages runs, and prints what they say."""

import doctest

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
