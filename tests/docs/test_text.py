"""The commands on the pages about text and foreign formats print what the pages show."""

import re

import pytest

from ..command import run
from ..paths import ROOT
from ..readme import read_commands

DOCS = ROOT / "docs"
TABLES = {"text-formats.md": [], "foreign-formats.md": ["animals.md", "parity.txt"]}
"""The files that a page shows, in their order."""


@pytest.mark.parametrize("page", TABLES)
def test_commands_print_what_the_page_shows(page, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    if names := TABLES[page]:
        tables = re.findall(r"```text\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
        for name, table in zip(names, tables, strict=True):
            (tmp_path / name).write_text(table, "utf-8")
    commands = read_commands(DOCS / page)
    assert len(commands) > 4
    for command in commands:
        assert run(*command.words) in (0, 1), command
        assert capfd.readouterr().out == command.output, command
