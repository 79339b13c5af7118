"""The commands on the page about forms of tables print what it shows, with its tables."""

import re

from ..command import run
from ..paths import ROOT
from ..readme import read_commands

PAGE = ROOT / "docs" / "tables.md"


def test_commands_print_what_the_page_shows(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    tables = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for name, table in zip(["animals.md", "parity.txt"], tables, strict=True):
        (tmp_path / name).write_text(table, "utf-8")
    commands = read_commands(PAGE)
    assert len(commands) == 4
    for command in commands:
        assert run(*command.words) == 0, command
        assert capfd.readouterr().out == command.output, command
