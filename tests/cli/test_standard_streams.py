"""``-`` is the standard input or output wherever a command says so, and never a file's name."""

import io
import os
import subprocess
import sys

import pytest

import treegen
from treegen import read

from ..command import give_input, refuse, run, show_json

WORDS = "crane\ncrate\ntrace\nabide\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_text(WORDS)
    (tmp_path / "extra.txt").write_text("speed\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_codebook_from_the_standard_input(folder, monkeypatch):
    give_input(monkeypatch, WORDS)
    assert run("build", "-", "--guesses", "extra.txt", "-o", "x.tree", "-q") == 0
    assert run("build", "words.txt", "--guesses", "extra.txt", "-o", "y.tree", "-q") == 0
    # The second tree alone knows the name of its codebook's file.
    assert read("x.tree").digest == read("y.tree").digest
    assert (read("x.tree").game.rules.label, read("y.tree").game.rules.label) == ("", "words.txt")


def test_a_tree_of_the_standard_input_gets_a_name(folder, monkeypatch):
    give_input(monkeypatch, WORDS)
    assert run("build", "-", "-q") == 0
    assert read(folder / "stdin-knuth.tree").n_secrets == 4


def test_further_guesses_from_the_standard_input(folder, monkeypatch, capsys):
    give_input(monkeypatch, "speed\nzzzzz\n")
    figures = show_json(capsys, "games", "words.txt", "--guesses", "-")
    assert (figures["secrets"], figures["guesses"]) == (4, 6)


@pytest.mark.parametrize(
    ("text", "args", "message"),
    [
        ("", ["build", "-"], "the standard input has no words"),
        ("crane\ncrates\n", ["build", "-"], "the standard input line 2: 'crates' has 6 characters"),
        (b"crane\n\xff\n", ["games", "-"], "the standard input is not UTF-8 text: byte 0xff"),
        ("ab\n", ["games", "words.txt", "--guesses", "-"], "the standard input has words of 2"),
        (WORDS, ["build", "-", "--guesses", "-"], "cannot both be read from the standard input"),
    ],
)
def test_bad_words_from_the_standard_input_are_refused(
    folder, monkeypatch, capsys, text, args, message
):
    give_input(monkeypatch, text)
    assert message in refuse(capsys, *args)
    assert sorted(path.name for path in folder.iterdir()) == ["extra.txt", "words.txt"]


def test_open_files_are_codebooks():
    assert treegen.open_game(io.StringIO(WORDS), guesses=io.BytesIO(b"speed\n")).n_codes == 5


@pytest.mark.parametrize(
    "args",
    [
        ["simulate", "p4c4r", "-s", "permutation", "--tables", "-"],
        ["play", "p4c4r", "-s", "permutation", "--tables", "-"],
    ],
    ids=" ".join,
)
def test_a_folder_is_no_stream(folder, capsys, args):
    before = sorted(folder.iterdir())
    assert "a folder is needed" in refuse(capsys, *args)
    assert sorted(folder.iterdir()) == before


PLAY = ["play", "words.txt", "--feedback", "position", "--secret", "žlutá"]


@pytest.mark.parametrize(
    ("encoding", "args"),
    [("ascii", [*PLAY, "--json"]), ("cp1252", ["export", "text", "words.tree"])],
)
def test_a_pipe_is_utf8_whatever_the_console_is(folder, encoding, args):
    (folder / "words.txt").write_text("crâne\nžlutá\nстрок\nδέκατ\n", encoding="utf-8")
    treegen.build(treegen.open_game("words.txt", feedback="position")).write("words.tree")
    command = [sys.executable, "-m", "treegen", *args]
    env = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, env=env, check=True)
    assert "žlutá" in done.stdout.decode("utf-8")
    done.stderr.decode("utf-8")


@pytest.mark.parametrize("module", [["treegen", "play"], ["treegen.player"]])
def test_a_piped_answer_is_utf8_too(folder, module):
    table = treegen.Questions([["žlutá"], ["строк"]], names=["dům", "дом"], questions=["barva?"])
    treegen.build(table, "optimal").write("table.tgt")
    command = [sys.executable, "-m", *module, "table.tgt"]
    env = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, input="строк\n".encode(), capture_output=True, env=env)
    assert done.returncode == 0
    assert "дом" in done.stdout.decode("utf-8")
