"""Output for people fits the terminal; in a pipe it is whole. Tables lose columns, no figures."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

import pytest

from treegen import build, write_tree
from treegen._printing import Column, generate_table, wrap
from treegen.cli.output import find_width

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
    ["compare", "a.tree", "-s", "max,power:1,parts,consistent,lowest", "-s", "entropy"],
)


@pytest.fixture
def trees(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tree(build("p3c4r", "knuth"), "a.tree")
    write_tree(build("p3c4r", "entropy"), "b.tree")


def show(monkeypatch, capsys, words, width):
    monkeypatch.setattr("treegen.cli.output.find_width", lambda: width)
    run(*words)
    return re.sub(r"\ntime\b[\s\S]*", "", capsys.readouterr().out)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_the_terminal(trees, monkeypatch, capsys, words):
    whole = show(monkeypatch, capsys, words, None)
    for width in (20, 40, 60, 80, 120):
        shown = show(monkeypatch, capsys, words, width)
        assert max(map(len, shown.splitlines())) <= width
        if not re.search("rank  guess|build s", whole):  # a table leaves columns out, and says so
            assert "".join(shown.split()) == "".join(whole.split())


def test_a_wide_terminal_has_the_lines_of_a_pipe(trees, monkeypatch, capsys):
    for words in COMMANDS[:-1]:  # the last shows seconds
        whole = show(monkeypatch, capsys, words, None)
        assert show(monkeypatch, capsys, words, 500) == whole


def test_further_lines_stand_below_the_first(trees, monkeypatch, capsys):
    lines = show(monkeypatch, capsys, ["games", "p4c6r"], 40).splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("responses"))
    assert lines[place] == "responses     14 (pegs): 00 01 02 03 04"
    assert lines[place + 1] == " " * 14 + "10 11 12 13 20 21 22 30 40"


COLUMNS = [
    Column("strategy", is_text=True),
    Column("games", 3),
    Column("total"),
    Column("average"),
    Column("histogram", 1, is_text=True),
    Column("build s", 4),
]
ROWS = [
    ["knuth", "1296 (all)", "5801", "4.4761", "1/6/62/533/694", "0.003"],
    ["max,power:1,parts,consistent,lowest", "1296 (all)", "5778", "4.4583", "1/6/55/570/664", "1"],
    ["random-consistent", "100", "457", "4.57 ± 0.18", "0/2/7/37/42/10/2", "0.152"],
]


def test_no_line_is_wider_and_no_figure_is_cut():
    for width in range(24, 140):
        lines = list(generate_table(COLUMNS, ROWS, width))
        assert max(map(len, lines)) <= width
        text = "\n".join(lines)
        for row in ROWS:
            assert row[2] in text.split(), width
            assert row[3] in text, width
            assert row[0] in text.replace("\n", ""), width
        is_stacked = lines[0] == "knuth"
        for place, column in enumerate(COLUMNS):
            is_shown = is_stacked or column.name in lines[0]
            assert is_shown or f"{column.name}" in text[text.index("(not shown:") :], width
            if is_shown and not is_stacked:
                assert all(row[place] in text for row in ROWS), width


def test_columns_of_a_narrow_table_go_by_rank():
    heads = [next(generate_table(COLUMNS, ROWS, width)).split("  ") for width in range(60, 120)]
    shown = [tuple(name.strip() for name in head if name) for head in heads]
    assert list(dict.fromkeys(shown)) == [
        ("strategy", "total", "average"),
        ("strategy", "total", "average", "histogram"),
        ("strategy", "games", "total", "average", "histogram"),
        ("strategy", "games", "total", "average", "histogram", "build s"),
    ]


def test_a_column_is_left_out_if_one_place_is_missing():
    whole = len(next(generate_table(COLUMNS, ROWS)))
    assert len(next(generate_table(COLUMNS, ROWS, whole))) == whole
    assert list(generate_table(COLUMNS, ROWS, whole - 1))[-1] == "(not shown: build s)"


def test_nothing_is_left_out_without_a_width():
    lines = list(generate_table(COLUMNS, ROWS))
    assert len(lines) == 4
    for row, line in zip(ROWS, lines[1:], strict=True):
        assert all(cell in line for cell in row)


def test_letters_that_take_two_places():
    rows = [["棋譜.tree", "1"], ["a.tree", "2"]]
    lines = list(generate_table([Column("file", is_text=True), Column("total")], rows))
    assert lines == ["file       total", "棋譜.tree      1", "a.tree         2"]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, []),
        ("1/6/62", 80, ["1/6/62"]),
        ("1/6/62/533", 6, ["1/6/", "62/533"]),
        ("max,parts,lowest", 10, ["max,parts,", "lowest"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("not shown: games", 10, ["not shown:", "games"]),
    ],
)
def test_lines_are_cut_where_words_end(text, width, lines):
    assert wrap(text, width) == lines


def test_the_width_is_that_of_the_terminal(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 57, 0, 0))
    with os.fdopen(side, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "__stdout__", stream)
        assert find_width() == 57
    os.close(main)


def test_tables_in_a_pipe_have_no_width(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert find_width() is None
