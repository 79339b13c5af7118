"""Weights and costs in files: they come back, and players pass over them."""

from __future__ import annotations

import pytest

import treegen
from treegen import Codebook, FormatError, Player, open_game, read, write_tree

from ..written import bytes_of, change_table

WORDS = Codebook(["crane", "crate", "trace"], ["slate", "stale"], feedback="position")
GAMES = {
    "weights": open_game("p2c3r").with_stakes(range(9)),
    "costs": open_game("p2c3r").with_stakes(None, range(1, 10)),
    "both": open_game("p2c3r").with_stakes(range(9), range(1, 10)),
    "words": WORDS.with_stakes([5, 1, 1], [1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize("profile", ["full", "lean", "slim"])
def test_tables_keep_weights_and_costs(game, profile):
    tree = treegen.build(game, "entropy")
    again = read(bytes_of(tree, "table", profile=profile))
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
    data = bytes_of(treegen.build(GAMES["both"], "entropy"), "table")
    with Player(data) as player:
        assert player.guess is not None


ANSWERS = treegen.Questions([[0, 0], [0, 1], [1, 0]]).with_stakes([1, 2, 3])


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        *((GAMES["weights"], wrong) for wrong in ("2,4,6", "0,2,4,6,8,10,12,14,16", "x", "", 5)),
        *((ANSWERS, wrong) for wrong in ("3-1,2", "x", "1,,2", 5)),
    ],
)
def test_wrong_weights_in_a_table_are_refused(game, wrong):
    def replace_weights(values):
        values[3][1] = wrong

    data = bytes_of(treegen.build(game, "entropy"), "table")
    with pytest.raises(FormatError):
        read(change_table(data, replace_weights))
