"""The players in trees/players, as they are shipped, against every code."""

import json
import shutil
import subprocess
import zipfile

import pytest

from treegen import read

from ..formats.test_players import play_by_tree, split_lines
from ..paths import ROOT
from ..players import compiler, run_in_micropython
from .test_arduino import board as board
from .test_arduino import compile_here, compile_sketch, play
from .test_arduino import serial as serial

PLAYERS = ROOT / "trees" / "players"


@pytest.fixture(scope="module")
def games():
    """Return what is typed in a game against each code, and what a player says then."""
    tree = read(ROOT / "trees" / "p4c6r-knuth.tree")
    assert tree.n_secrets == 1296
    return [play_by_tree(tree, secret, dense=False) for secret in range(tree.n_secrets)]


def check_all(command, games):
    """Play all games in one run of a program that begins the next one by itself."""
    typed = "".join(f"{line}\n" for lines, _ in games for line in lines)
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    expected = [line for _, said in games for line in said]
    assert split_lines(done.stdout.replace("\r", "")) == [*expected, expected[0]]


AGAIN = """
#define main play
#include "example.c"
#undef main
int main(void) {
    while (!feof(stdin))
        if (play()) return 1;
    return 0;
}
"""


@pytest.mark.slow
def test_the_shipped_player_in_c_plays(games, tmp_path):
    (tmp_path / "again.c").write_text(AGAIN)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-I", PLAYERS / "c"]
    command = [compiler(), *flags, tmp_path / "again.c", "-o", tmp_path / "again"]
    subprocess.run(command, check=True)
    check_all([tmp_path / "again"], games)


@pytest.mark.slow
def test_the_shipped_player_for_arduino_plays(games, tmp_path):
    with zipfile.ZipFile(PLAYERS / "arduino" / "TreegenPlayer.zip") as archive:
        archive.extractall(tmp_path)
    check_all([compile_here(tmp_path / "TreegenPlayer")], games)


@pytest.mark.slow
def test_arduino_on_an_uno(games, board, serial, tmp_path):
    """Against the first code and the last: simavr is slow."""
    with zipfile.ZipFile(PLAYERS / "arduino" / "TreegenPlayer.zip") as archive:
        archive.extractall(tmp_path)
    program = compile_sketch(tmp_path / "TreegenPlayer")
    played = [games[0], games[-1]]
    typed = "".join(f"{line}\n" for lines, _ in played for line in lines)
    expected = [line for _, said in played for line in said]
    said = play(serial, program, typed, len(expected))
    assert [line.removesuffix(" ? ") for line in said] == expected


def test_the_zip_is_one_library_without_a_clock():
    """The Arduino IDE refuses a ZIP that has more than one folder at its top, or files there."""
    with zipfile.ZipFile(PLAYERS / "arduino" / "TreegenPlayer.zip") as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    assert {name.partition("/")[0] for name in names} == {"TreegenPlayer"}
    assert {"TreegenPlayer/library.properties", "TreegenPlayer/src/TreegenPlayer.h"} <= {*names}
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}


IN_NODE = """
import { Player } from "PLAYERS/js/tgt_game.mjs";
import { table } from "PLAYERS/js/table.mjs";
const player = new Player(table);
const games = JSON.parse((await process.stdin.toArray()).join(""));
const guesses = games.map((answers) => {
  player.restart();
  return answers.map((answer) => {
    const asked = player.guess;
    player.answer(answer);
    return asked;
  });
});
console.log(JSON.stringify(guesses));
"""


def test_the_shipped_player_in_javascript_plays(games):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = IN_NODE.replace("PLAYERS", PLAYERS.as_uri())
    typed = json.dumps([lines[1:] for lines, _ in games])
    command = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    expected = [[line.replace(" ", "") for line in said[2:-1]] for _, said in games]
    assert json.loads(done.stdout) == expected


@pytest.mark.slow
def test_the_shipped_player_for_micropython_plays(games):
    """The example itself plays the first and the last code, its walker all."""
    folder = PLAYERS / "micropython"
    names = ("tgt_player.py", "example.py")
    player, example = ((folder / name).read_text("utf-8") for name in names)
    example = example.replace("from tgt_player import open_table\n", "")
    assert "import" not in example
    typed = ["\n".join(lines) for lines, _ in games]
    code = f"""
import io
exec({player!r})
def input(prompt): return next(answers)
def open(*_): return io.BytesIO({(folder / "table.tgt").read_bytes()!r})
for lines in {typed[:: len(typed) - 1]!r}:
    answers = iter(lines.split("\\n"))
    exec({example!r})
for lines in {";".join(typed)!r}.split(";"):
    answers = iter(lines.split("\\n"))
    while guess() is None or format_code(guess()) != {games[0][1][0]!r}: undo()
    play()
"""
    played = [*games[:: len(games) - 1], *games]
    assert split_lines(run_in_micropython(code)) == [line for _, said in played for line in said]
