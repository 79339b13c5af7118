"""Pegs in the terminal: in color, without, in a pipe; what is known of a terminal is forgotten."""

import os
import pty
import re
import sys
from contextlib import suppress

import pytest

from treegen import Codebook, build, write_tree
from treegen.cli import play as playing

from ..command import run

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def file(tmp_path):
    write_tree(build("p3c4r", "knuth"), tmp_path / "a.tree")
    return str(tmp_path / "a.tree")


@pytest.fixture
def play(monkeypatch):
    """Return a function that plays in a terminal of our own, and returns what it shows."""
    for name in ("NO_COLOR", "COLORTERM"):  # an empty one counts for some versions of rich
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    def play_in_terminal(file, *options, secret="421"):
        playing._make_console.cache_clear()
        ours, theirs = pty.openpty()
        with os.fdopen(theirs, "w", encoding="utf-8") as terminal, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", terminal)
            assert run("play", file, "--secret", secret, *options) == 0
        shown = b""
        with suppress(OSError):  # the other end is closed
            while block := os.read(ours, 4096):
                shown += block
        os.close(ours)
        return shown.decode()

    yield play_in_terminal
    playing._make_console.cache_clear()


def test_a_terminal_shows_colored_pegs_with_their_digits(play, file):
    shown = play(file)
    assert ESCAPE.search(shown)
    bare = ESCAPE.sub("", shown)
    assert re.search(r"^ 1 +1  +2  +3 ", bare)
    assert "left" in bare


def test_no_color_and_a_pipe_get_plain_codes(play, file, monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
    shown = play(file)
    monkeypatch.delenv("NO_COLOR")
    assert run("play", file, "--secret", "421") == 0
    for text in (shown, capsys.readouterr().out):
        assert not ESCAPE.search(text)
        assert text.startswith(" 1  123  ")


def test_letters_take_the_colors_of_their_answer(play, tmp_path, monkeypatch):
    monkeypatch.setenv("COLORTERM", "truecolor")
    words = Codebook(["crane", "crate", "trace"], feedback="position")
    write_tree(build(words, first="crane"), tmp_path / "w.tree")
    painted = play(tmp_path / "w.tree", secret="trace").splitlines()[0]
    assert ESCAPE.sub("", painted).split()[1:6] == list("crane")
    assert painted.count("232;197;71") == 1
    assert painted.count("106;170;100") == 3


def test_symbols_are_painted_and_many_colors_are_not(play, file, tmp_path):
    painted = play(file, "--symbols", "abcd", secret="dba").splitlines()[0]
    assert ESCAPE.sub("", painted).split()[1:4] == list("abc")
    assert ESCAPE.search(painted)
    write_tree(build("p2c20r", first="12"), tmp_path / "many.tree")
    shown = play(tmp_path / "many.tree", secret="12")
    assert not ESCAPE.search(shown)
    assert shown.startswith(" 1  12 ")
