"""Everything that the README shows is run, and its output compared."""

from __future__ import annotations

import doctest
import re
import tomllib

import pytest

from .. import readme
from ..command import list_commands, run

COMMANDS = {words[0] for words, _ in list_commands() if words}


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def show(words, capsys):
    assert run(*words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_every_command_and_snippet_of_the_readme(empty_folder, capsys):
    commands = readme.read_commands()
    assert len(commands) >= 4
    for command in commands:
        assert show(command.words, capsys) == command.output
    snippet = readme.read_python()
    test = doctest.DocTestParser().get_doctest(snippet, {}, "README.md", "README.md", 0)
    assert len(test.examples) >= 4
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_readme_is_short_and_begins_with_a_tree():
    text = readme.README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 85
    assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()) <= 550
    assert text.splitlines().index("```console") < text.splitlines().index("## I want to …")
    assert "(docs/tree.svg)" in "".join(text.splitlines()[:15])


def test_commands_in_the_running_text_exist():
    text = readme.README.read_text(encoding="utf-8")
    names = set(re.findall(r"`treegen ([a-z]+)", text))
    assert names <= COMMANDS
    assert len(names) >= 3


def test_every_command_is_documented():
    pages = [readme.README, *sorted((readme.ROOT / "docs").glob("*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    missing = [name for name in sorted(COMMANDS) if f"treegen {name}" not in text]
    assert missing == []


def test_who_installs_nothing_finds_the_pages():
    for page in (readme.README, readme.ROOT / "docs" / "install.md"):
        names = re.findall(r"`(trees/\S+)`", page.read_text(encoding="utf-8"))
        assert names == ["trees/play.html", "trees/p4c6r-knuth.html"]
        for name in names:
            html = (readme.ROOT / name).read_text(encoding="utf-8")
            assert html.startswith("<!doctype html>") and "https://" not in html


def test_the_page_on_installing_has_every_extra():
    text = (readme.ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    project = tomllib.loads((readme.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.M)) == project["optional-dependencies"].keys()
    least = project["requires-python"].removeprefix(">=")
    for page in (readme.README, readme.ROOT / "docs" / "install.md"):
        assert f"Python {least} or later" in page.read_text(encoding="utf-8")


def test_nothing_is_promised_that_is_not_there():
    """No index has the package, and no host its repository: nobody is sent there."""
    root = readme.ROOT
    folders = [path for name in ("docs", "treegen", "trees") for path in (root / name).rglob("*")]
    pages = [readme.README, root / "pyproject.toml", *folders]
    for page in pages:
        if page.suffix in (".md", ".toml", ".py", ".html", ".mjs", ".ipynb"):
            text = page.read_text(encoding="utf-8")
            assert "github.com/treegen" not in text, page
            assert not re.search(r"pip install \S*mastermind-treegen", text), page
