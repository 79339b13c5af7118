"""The commands on the page about questions print what it shows, with the tables that it shows."""

import doctest
import re

from ..command import run
from ..paths import ROOT
from ..readme import read_commands

PAGE = ROOT / "docs" / "questions.md"


def test_commands_print_what_the_page_shows(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    tables = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for name, table in zip(["animals.csv", "visits.csv", "farm.csv"], tables, strict=False):
        (tmp_path / name).write_text(table, "utf-8")
    commands = read_commands(PAGE)
    assert len(commands) > 4
    for command in commands:
        assert run(*command.words) == 0, command
        assert capfd.readouterr().out == command.output, command


def test_the_examples_in_python():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted == 7
    assert results.failed == 0
