"""The guide and the page on long codes: every snippet runs and prints what the page shows."""

import doctest

import pytest

from treegen.cli.main import main
from treegen.strategies.named import WITHOUT_TREE

from ..paths import ROOT
from ..readme import read_commands, read_python

DOCS = ROOT / "docs"


@pytest.mark.parametrize("page", ["guide.md", "long-codes.md"])
def test_python_of_the_page(page):
    test = doctest.DocTestParser().get_doctest(read_python(DOCS / page), {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_commands_of_the_guide(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    commands = read_commands(DOCS / "guide.md")
    assert len(commands) >= 2
    for command in commands:
        with pytest.raises(SystemExit) as stop:
            main(command.words)
        assert stop.value.code == 0, command
        assert capfd.readouterr().out == command.output, command


@pytest.mark.parametrize("page", ["guide.md", "long-codes.md", "results.md"])
def test_links_and_pictures_exist(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    for part in text.split("](")[1:]:
        target = part.partition(")")[0]
        assert "://" in target or (DOCS / target).exists(), target


def test_every_online_strategy_is_on_the_page():
    text = (DOCS / "long-codes.md").read_text(encoding="utf-8")
    for name in WITHOUT_TREE:
        assert f"| `{name}` |" in text
