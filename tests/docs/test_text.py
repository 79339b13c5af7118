"""The commands on the pages about text and foreign formats print what the pages show."""

import pytest

from ..command import run
from ..paths import ROOT
from ..readme import read_commands

DOCS = ROOT / "docs"


@pytest.mark.parametrize("page", ["text-formats.md", "foreign-formats.md"])
def test_commands_print_what_the_page_shows(page, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    commands = read_commands(DOCS / page)
    assert len(commands) > 4
    for command in commands:
        assert run(*command.words) in (0, 1), command
        assert capfd.readouterr().out == command.output, command
