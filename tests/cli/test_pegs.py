"""Pegs in the terminal: in color, without, in a pipe."""

import os
import pty
import re
import subprocess
import sys

import pytest

from treegen import build
from treegen.cli.play import paint_guess
from treegen.formats.load import write_tree
from treegen.games.codebook import CodebookGame
from treegen.games.names import parse_game

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def file(tmp_path):
    write_tree(build("p3c4r", "knuth"), tmp_path / "a.tree")
    return str(tmp_path / "a.tree")


def play(file, *options, environment=None):
    """Play in a terminal of our own; return what it shows."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "treegen", "play", file, "--secret", "421", *options]
    variables = {**os.environ, "TERM": "xterm-256color", **(environment or {})}
    if environment is None:
        variables.pop("NO_COLOR", None)
    process = subprocess.Popen(command, stdout=theirs, stdin=subprocess.DEVNULL, env=variables)
    os.close(theirs)
    shown = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        shown += block
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


def test_a_terminal_shows_colored_pegs_with_their_digits(file):
    shown = play(file)
    assert ESCAPE.search(shown)
    bare = ESCAPE.sub("", shown)
    assert re.search(r"^ 1 +1  +2  +3 ", bare)
    assert "left" in bare


def test_no_color_is_respected(file):
    shown = play(file, environment={"NO_COLOR": "1"})
    assert not ESCAPE.search(shown)
    assert shown.startswith(" 1  123  ")


def test_a_pipe_gets_plain_codes(file):
    command = [sys.executable, "-m", "treegen", "play", file, "--secret", "421"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "\x1b" not in result.stdout
    assert result.stdout.startswith(" 1  123  ")


@pytest.fixture
def terminal(monkeypatch):
    from rich.console import Console

    console = Console(force_terminal=True, color_system="truecolor", no_color=False)
    monkeypatch.setattr("treegen.cli.play._console", lambda: console)


def test_letters_take_the_colors_of_their_answer(terminal):
    game = CodebookGame(["crane", "crate", "trace"], rule="position")
    assert paint_guess(game, 0) == "crane"
    painted = paint_guess(game, 0, response=game.score(0, 2))
    assert ESCAPE.sub("", painted).split() == list("crane")
    assert painted.count("232;197;71") == 1
    assert painted.count("106;170;100") == 3


def test_symbols_and_many_colors(terminal):
    painted = paint_guess(parse_game("p4c6r").with_symbols("abcdef"), 7)
    assert ESCAPE.sub("", painted).split() == list("aabb")
    many = parse_game("p2c20r")
    assert paint_guess(many, 1) == many.format_code(1)
