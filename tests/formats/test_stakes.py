"""Weights and costs in files: they come back, and players pass over them."""

from __future__ import annotations

from zlib import crc32

import msgpack
import pytest

import treegen
from treegen import read
from treegen.errors import FormatError
from treegen.formats.load import write_tree
from treegen.formats.table import make_table, read_table
from treegen.games.codebook import CodebookGame
from treegen.games.names import parse_game
from treegen.player.tgt_player import Player

WORDS = CodebookGame(["crane", "crate", "trace"], ["slate", "stale"], rule="position")
GAMES = {
    "weights": parse_game("p2c3r").with_stakes(range(9)),
    "costs": parse_game("p2c3r").with_stakes(None, range(1, 10)),
    "both": parse_game("p2c3r").with_stakes(range(9), range(1, 10)),
    "words": WORDS.with_stakes([5, 1, 1], [1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize("profile", ["full", "lean", "slim"])
def test_tables_keep_weights_and_costs(game, profile):
    tree = treegen.build(game, "entropy")
    again = read_table(make_table(tree, profile=profile))
    assert (again.game, again.digest) == (game, tree.digest)
    assert (again.total, again.histogram) == (tree.total, tree.histogram)
    assert treegen.verify(again).is_sound


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_tree_files_keep_weights_and_costs(game, tmp_path):
    tree = treegen.build(game, "expected")
    write_tree(tree, tmp_path / "x.tree")
    again = read(tmp_path / "x.tree")
    assert (again.game, again.digest, again.histogram) == (game, tree.digest, tree.histogram)


def test_a_player_needs_no_weights():
    data = make_table(treegen.build(GAMES["both"], "entropy"))
    with Player(data) as player:
        assert player.guess is not None


def test_wrong_weights_in_a_table_are_refused():
    data = make_table(treegen.build(GAMES["weights"], "entropy"))
    for wrong in ("2,4,6", "0,2,4,6,8,10,12,14,16", "x", "", 5):
        values = msgpack.unpackb(data)
        values[3][1] = wrong
        body = msgpack.packb(values)[:-5]
        broken = body + b"\xce" + crc32(body).to_bytes(4, "big")
        with pytest.raises(FormatError):
            read_table(broken)


@pytest.mark.parametrize("wrong", ["3-1,2", "x", "1,,2", 5])
def test_wrong_weights_of_a_table_of_answers_are_refused(wrong):
    answers = treegen.Questions([[0, 0], [0, 1], [1, 0]]).with_stakes([1, 2, 3])
    values = msgpack.unpackb(make_table(treegen.build(answers, "entropy")))
    assert values[3][1] == "1,2,3"
    values[3][1] = wrong
    body = msgpack.packb(values)[:-5]
    with pytest.raises(FormatError):
        read_table(body + b"\xce" + crc32(body).to_bytes(4, "big"))
