"""Output for people fits the terminal; in a pipe it is whole."""

from __future__ import annotations

import re

import pytest

from treegen import build, write_tree

from ..command import run

COMMANDS = (
    ["strategies"],
    ["games"],
    ["games", "p4c6r", "p5c8r"],
    ["simulate", "p9c9r", "-s", "one-by-one", "-n", "3", "-q"],
    ["diff", "a.tree", "b.tree"],
    ["diff", "a.tree", "a.tree", "--symmetric"],
    ["explain", "a.tree", "--exact"],
    ["explain", "a.tree"],
)


@pytest.fixture(autouse=True)
def trees(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tree(build("p3c4r", "knuth"), "a.tree")
    write_tree(build("p3c4r", "entropy"), "b.tree")


def show(monkeypatch, capsys, words, width):
    monkeypatch.setattr("treegen.cli.output.find_width", lambda: width)
    run(*words)
    return re.sub(r"\ntime\b[\s\S]*", "", capsys.readouterr().out)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_the_terminal(monkeypatch, capsys, words):
    whole = show(monkeypatch, capsys, words, None)
    for width in (20, 40, 60, 80, 120):
        shown = show(monkeypatch, capsys, words, width)
        assert max(map(len, shown.splitlines())) <= width
        if "rank  guess" not in whole:  # a table leaves columns out, and says so
            assert "".join(shown.split()) == "".join(whole.split())


def test_a_wide_terminal_has_the_lines_of_a_pipe(monkeypatch, capsys):
    for words in COMMANDS:
        whole = show(monkeypatch, capsys, words, None)
        assert show(monkeypatch, capsys, words, 500) == whole


def test_further_lines_stand_below_the_first(monkeypatch, capsys):
    lines = show(monkeypatch, capsys, ["games", "p4c6r"], 40).splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("responses"))
    assert lines[place] == "responses     14 (pegs): 00 01 02 03 04"
    assert lines[place + 1] == " " * 14 + "10 11 12 13 20 21 22 30 40"
