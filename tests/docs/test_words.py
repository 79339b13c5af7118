"""The commands on the page about words print what it shows, with the lists that it shows."""

import re

import pytest

from ..command import run
from ..paths import ROOT
from ..readme import read_commands

PAGE = ROOT / "docs" / "words.md"


@pytest.fixture
def lists(tmp_path, monkeypatch):
    """The lists of the page, in files."""
    monkeypatch.chdir(tmp_path)
    lists = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for name, words in zip(("hidden.txt", "allowed.txt"), lists, strict=True):
        (tmp_path / name).write_text(words, "utf-8")


@pytest.mark.usefixtures("lists")
def test_commands_on_other_pages_run_with_the_lists(capfd):
    found = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = " ".join(page.read_text("utf-8").split())
        found += re.findall(r"`treegen (play [^`]*--history [^`]*(?:⬛|🟩)[^`]*)`", text)
    assert found
    for line in found:
        code = run(*line.split())
        reading = "treegen: hidden.txt: a codebook of 14 words of 5 letters, answered by position\n"
        assert (code, capfd.readouterr().err) == (0, reading), line


@pytest.mark.usefixtures("lists")
def test_commands_print_what_the_page_shows(capfd):
    commands = read_commands(PAGE)
    assert len(commands) > 4
    for command in commands:
        assert run(*command.words) == 0, command
        assert capfd.readouterr().out == command.output, command
