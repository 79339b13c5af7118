"""Pegs in the terminal: in color, without, in a pipe."""

import os
import pty
import re
import subprocess
import sys

import pytest

from treegen import Codebook, build, write_tree

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def file(tmp_path):
    write_tree(build("p3c4r", "knuth"), tmp_path / "a.tree")
    return str(tmp_path / "a.tree")


def play(file, *options, secret="421", environment=None):
    """Play in a terminal of our own; return what it shows."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "treegen", "play", str(file), "--secret", secret, *options]
    variables = {**os.environ, "TERM": "xterm-256color"}
    variables.pop("NO_COLOR", None)  # an empty one counts for some versions of rich
    variables.update(environment or {})
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


RICH = {"COLORTERM": "truecolor"}


def test_letters_take_the_colors_of_their_answer(tmp_path):
    words = Codebook(["crane", "crate", "trace"], feedback="position")
    write_tree(build(words, first="crane"), tmp_path / "w.tree")
    shown = play(tmp_path / "w.tree", secret="trace", environment=RICH)
    painted = shown.splitlines()[0]
    assert ESCAPE.sub("", painted).split()[1:6] == list("crane")
    assert painted.count("232;197;71") == 1
    assert painted.count("106;170;100") == 3


def test_symbols_are_painted_and_many_colors_are_not(file, tmp_path):
    painted = play(file, "--symbols", "abcd", secret="dba", environment=RICH).splitlines()[0]
    assert ESCAPE.sub("", painted).split()[1:4] == list("abc")
    assert ESCAPE.search(painted)
    write_tree(build("p2c20r", first="12"), tmp_path / "many.tree")
    shown = play(tmp_path / "many.tree", secret="12", environment=RICH)
    assert not ESCAPE.search(shown)
    assert shown.startswith(" 1  12 ")
