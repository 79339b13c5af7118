"""The commands on the page about words print what it shows, with the lists that it shows."""

import re

import pytest

from treegen.cli.main import main

from ..paths import ROOT
from ..readme import read_commands

PAGE = ROOT / "docs" / "words.md"


def test_commands_print_what_the_page_shows(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    lists = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for name, words in zip(("hidden.txt", "allowed.txt"), lists, strict=True):
        (tmp_path / name).write_text(words, "utf-8")
    commands = read_commands(PAGE)
    assert len(commands) > 4
    for command in commands:
        with pytest.raises(SystemExit) as stop:
            main(list(command.words))
        assert stop.value.code == 0, command
        assert capfd.readouterr().out == command.output, command
