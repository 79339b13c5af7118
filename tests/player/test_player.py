"""The Python player, with its limits made small: games, undo, probes, tables read in pieces."""

import io
import subprocess
import sys
from array import array
from pathlib import Path

import msgpack
import numpy as np
import pytest

import treegen
from treegen import (
    Codebook,
    FormatError,
    Player,
    UnreachableError,
    open_game,
    write_table,
)
from treegen.formats.table import generate_shape, pack_fields, width_of
from treegen.player import tgt_player, tgt_rules
from treegen.player.__main__ import main as play_program

from ..formats.test_table import PROFILES, build
from ..written import bytes_of, change_table, seal_table


def play(player, game, secret):
    """Return the number of guesses against a secret, answering by the plain definition."""
    player.restart()
    for length in range(1, 99):
        code = player.code
        assert player.guess == game.format_code(code)
        if player.respond(game.score(code, secret)) is None:
            return length
    raise AssertionError("no end")


WORDS = ["crane", "crate", "trace", "react", "eagle", "geese", "llama"]
GAMES = [open_game(name) for name in ("p3c5r", "p3c5n", "p3c4rb", "a2211", "p1c1r", "p1c40r")]
GAMES += [Codebook(WORDS[:5], WORDS[5:], feedback=rule) for rule in ("pegs", "black", "position")]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_secret_is_found(game, profile):
    tree = build(game)
    player = Player(bytes_of(tree, "table", profile=profile))
    lengths = [play(player, game, secret) for secret in range(game.n_secrets)]
    assert (sum(lengths), max(lengths)) == (tree.total, tree.worst)


@pytest.fixture
def path(tmp_path):
    write_table(treegen.build("p4c6r", "knuth"), tmp_path / "knuth.tgt")
    return tmp_path / "knuth.tgt"


def test_undo_takes_answers_back(path):
    with Player.open(path) as player:
        assert player.guess == "1122"
        assert player.answer(0, 2) == player.guess == "2344"
        assert player.answer(2, 0) != "2344"
        player.undo()
        assert player.guess == "2344"
        player.undo()
        player.undo()
        assert player.guess == "1122"
        assert player.answer(4, 0) is None
        assert player.guess is player.code is None
        with pytest.raises(UnreachableError, match="won"):
            player.answer(0, 0)


def test_impossible_answers_change_nothing(path):
    with Player.open(path) as player:
        for answer in [(3, 1), (5, 0), (-1, 0), (0, 5), (1,), ("x", 1), (4, 1)]:
            with pytest.raises(UnreachableError):
                player.answer(*answer)
            assert player.guess == "1122"
        player.answer(0, 0)
        with pytest.raises(KeyError):
            player.answer(0, 0), player.answer(0, 0), player.answer(0, 0), player.answer(0, 0)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_table_is_probed_by_a_history(profile):
    game = open_game("p4c6r")
    player = Player(bytes_of(build(game), "table", profile=profile))
    assert player.probe("") == player.probe([]) == "1122"
    assert player.probe("02") == player.probe("0.2") == player.probe([(0, 2)]) == "2344"
    assert player.probe([2]) == "2344"
    assert player.probe("40") is None
    with pytest.raises(UnreachableError):
        player.probe("02/02/02/02/02/02")
    assert player.get("02/02/02/02/02/02") is None
    assert player.get("31", "nothing") == "nothing"
    assert player.guess == "1122"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("game", "history", "before"),
    [
        ("p3c4r", "112:01/123:10", [("112", "01"), ("123", "10")]),
        ("p3c3rb", "123:1", [("123", "1")]),
        ("a2211", "112234:1", [("112234", "1")]),
        (Codebook(WORDS[:2], feedback="position"), "crane:22202", [("crane", "22202")]),
        ("p10c2r", "1111111111:5.0", [("1111111111", "5.0")]),
        ("p4c6r", "", []),
    ],
)
def test_the_guesses_made_before(game, history, before, profile):
    tree = treegen.build(game, "knuth", history=history)
    assert Player(bytes_of(tree, "table", profile=profile)).before == before


def test_the_program_tells_the_guesses_made_before(tmp_path, monkeypatch, capsys):
    write_table(build("p3c4r", history=((1, 1), (6, 4))), tmp_path / "x.tgt")
    monkeypatch.setattr("sys.stdin", io.StringIO("9 9\n"))
    assert play_program([str(tmp_path / "x.tgt")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["guessed before: 112, answered 01", "guessed before: 123, answered 10"]


@pytest.mark.parametrize("name", ["p4c6r", "p1c1r", "p10c2r", "p3c3rb", "p12c1rb", "a2211"])
def test_answers_are_numbered_as_the_game_does(name):
    game = open_game(name)
    rules = tgt_rules.Rules(game.description)
    for response in range(game.n_responses):
        text = game.format_response(response)
        assert list(rules.answers)[response] == text
        assert rules.response_of(text) == response
        assert rules.response_of(text.split(".") if "." in text else [text]) == response
    if name == "p10c2r":
        assert rules.response_of("02") == rules.response_of((0, 2)) == 2


@pytest.mark.parametrize(
    ("answers", "code", "last"),
    [
        ("9 9\n0 2\n\n2 0\n4 0\n", 0, "found in 3 guesses"),
        ("4 0\n", 0, "found in 1 guess"),
        ("0 2\n", 1, "no more answers: the code is not found"),
        ("", 1, "no more answers: the code is not found"),
    ],
)
def test_the_program_plays_on_the_terminal(path, monkeypatch, capsys, answers, code, last):
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert play_program([str(path)]) == code
    out = capsys.readouterr().out
    assert out.startswith("1122? ") and out.splitlines()[-1].endswith(last)
    assert ("9 9 is no feedback of 4 pegs" in out) == answers.startswith("9")


def test_the_terminal_says_which_answer_no_secret_gives(path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("0 4\n0 2\n"))
    assert play_program([str(path)]) == 1
    assert "2211? no secret answers 2211 with 02\n" in capsys.readouterr().out
    with (
        Player.open(str(path)) as player,
        pytest.raises(UnreachableError, match="with response 99"),
    ):
        player.respond(99)


def test_a_player_of_a_path_says_how_a_file_is_opened(path):
    for given in (path, str(path), None):
        with pytest.raises(
            TypeError, match=r"given as bytes, not .*: Player\.open\(path\) opens a"
        ):
            Player(given)
    data = path.read_bytes()
    for held in (bytearray(data), memoryview(data), array("B", data)):
        assert Player(held).guess == "1122"


def test_a_damaged_table_that_is_opened_is_named(tmp_path):
    (tmp_path / "a.tgt").write_bytes(b"no table")
    with pytest.raises(FormatError, match=r"a\.tgt': damaged table: offset 0: this is no table"):
        Player.open(tmp_path / "a.tgt")
    treegen.build(treegen.Questions([[1], [2]])).write(tmp_path / "a.tgt")
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(FormatError, match=r"a\.tgt', '.*a\.json': the labels are not JSON"):
        Player.open(tmp_path / "a.tgt", tmp_path / "a.json")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "usage: python -m treegen.player FILE"),
        (["a.tgt", "b.tgt"], "usage: python -m treegen.player FILE"),
        (["missing.tgt"], "treegen.player: cannot read 'missing.tgt': No such file or directory"),
        (["."], "treegen.player: cannot read '.': Is a directory"),
        (["empty.tgt"], "treegen.player: 'empty.tgt': damaged table: offset 0: this is no table"),
        (
            ["cut.tgt"],
            "treegen.player: 'cut.tgt': damaged table: offset 3045: the CRC-32 does not fit:"
            " bytes were changed or lost; copy or export it again",
        ),
        (["a\0b"], "treegen.player: 'a\\x00b': embedded null"),
    ],
)
def test_the_program_tells_mistakes_in_a_line(path, monkeypatch, capsys, words, problem):
    monkeypatch.chdir(path.parent)
    (path.parent / "empty.tgt").touch()
    (path.parent / "cut.tgt").write_bytes(path.read_bytes()[:-1])
    assert play_program(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(problem)


def test_the_program_as_a_module(path):
    """It had no usage, and never said that the code is found (#19)."""
    words = [sys.executable, "-m", "treegen.player"]
    result = subprocess.run([*words, path], input="4 0\n", capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    result = subprocess.run([*words, "--help"], capture_output=True, text=True)
    assert (result.returncode, result.stdout.splitlines()[0]) == (
        0, "usage: python -m treegen.player FILE"
    )  # fmt: skip


MAPPED = """
import resource, sys
from treegen.player import Player, tgt_player
grows = 4 << 20
kilobytes = next(int(x.split()[1]) for x in open("/proc/self/status") if x.startswith("VmData"))
resource.setrlimit(resource.RLIMIT_DATA, ((kilobytes << 10) + grows,) * 2)
with Player.open("big.tgt") as player:
    for node in (0, 1, 12345, player.table.n_nodes - 1):
        assert player.table.guess_of(node) == node, node
    player.respond(2), player.respond(0), player.respond(1)
    print(player.code)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_a_table_larger_than_the_memory_is_mapped(tmp_path):
    size = write_synthetic(tmp_path / "big.tgt", 1_400_000)
    assert size > 6 << 20
    result = subprocess.run(
        [sys.executable, "-c", MAPPED], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(Path(treegen.__file__).parents[1])},
    )  # fmt: skip
    assert result.stderr == ""
    # Three children a node: the children of node v are 3v + 1 to 3v + 3.
    assert int(result.stdout) == 3 * (3 * 3 + 1) + 2


def write_synthetic(path, n_nodes):
    """Write a table of a tree that no strategy made: three children a node, node v guesses v."""
    game = open_game("p9c10r")
    n_inner = n_nodes // 3
    n_nodes = 3 * n_inner + 1
    sections = [
        pack_fields(np.arange(n_nodes), width_of(game.n_codes)),
        pack_fields(np.arange(n_nodes - 1) % 3, width_of(game.n_responses - 1)),
        b"".join(generate_shape([np.repeat([3, 0], [n_inner, n_nodes - n_inner])])),
    ]
    meta = {"digest": bytes(32), "strategy": "synthetic", "total": 1, "worst": 1}
    counts = [game.n_codes, game.n_responses, n_nodes, 0]
    values = ["TGT1", 0, "full", game.description, [], meta, *counts, *sections]
    packer = msgpack.Packer()
    body = packer.pack_array_header(14) + b"".join(packer.pack(value) for value in values)
    path.write_bytes(seal_table(body))
    return path.stat().st_size


@pytest.mark.parametrize(
    ("small", "large", "stride"), [(1 << 30, 1 << 30, 1), (1, 1 << 30, 16), (1, 1, 1024)]
)
def test_nodes_are_found_from_samples_of_the_shape(monkeypatch, small, large, stride):
    """Large tables note the place of every 16th or 1,024th node alone."""
    monkeypatch.setattr(tgt_player, "SMALL", small)
    monkeypatch.setattr(tgt_player, "LARGE", large)
    monkeypatch.setattr(tgt_player, "NODES_PER_BLOCK", 136)  # blocks end between two samples
    tree = build("p4c6r", "knuth")
    player = Player(bytes_of(tree, "table"))
    table = player.table
    assert table._stride == stride
    assert len(table._samples) == -(-tree.n_nodes // stride) + 1
    for node in range(0, tree.n_nodes, 1 if stride == 1 else 5):  # each counts bits from afar
        children = {int(tree.response[child]): child for child in tree.children(node)}
        found = {r: table.child_of(node, r) for r in range(tree.game.n_responses - 1)}
        assert {r: child for r, child in found.items() if child is not None} == children


def test_a_guess_that_tells_nothing_is_refused():
    """The states of such a table need not be those that its guesses lead to."""
    game = Codebook(["ab", "ba", "bb"], ["zz"], feedback="pegs")
    tree = treegen.build(game, "first-consistent")

    def change(values):
        assert (values[8], values[10]) == (1, bytes([0b00_000000]))  # the first candidate
        values[8], values[10] = 2, bytes([0b11_00_0000])  # before it the code 3, which is "zz"
        values[11:13] = bytes([0]), bytes([0b100_00000])

    data = change_table(bytes_of(tree, "table", profile="lean"), change)
    with pytest.raises(FormatError, match="a guess gains no information"):
        treegen.read(data)
