"""Levels and columns as readers of files replay them, against the plain definition."""

import numpy as np
import pytest

from treegen import open_game
from treegen.builder.grow import build_tree
from treegen.games.base import select_candidates
from treegen.strategies.strategy import parse_chain
from treegen.tree.tree import Provenance, join_levels
from treegen.tree.walk import list_level, split_states, start_states

from .. import naive


def all_secrets(game):
    return start_states(np.arange(game.n_secrets, dtype=np.int32))


def listed(states):
    return [
        (parent, response, part.tolist())
        for parent, response, part in zip(
            states.parents.tolist(),
            states.responses.tolist(),
            np.split(states.candidates, states.starts[1:-1]),
            strict=True,
        )
    ]


@pytest.mark.parametrize("name", ["p2c3r", "p3c4n", "p3c2rb"])
def test_split_is_the_partition_of_each_state(name):
    game, rules = open_game(name), naive.peg_rules(name)
    for guess in range(game.n_codes):
        states = all_secrets(game)
        for _ in range(2):
            guesses = np.full(len(states.sizes), guess)
            expected = [
                (parent, response, cell)
                for parent, (_, _, candidates) in enumerate(listed(states))
                for response, cell in sorted(naive.partition(rules, guess, candidates).items())
            ]
            split = split_states(game, states, guesses)
            going_on = [row for row in expected if row[1] != game.win]
            assert listed(split.below) == going_on
            winners = {parent for parent, response, _ in expected if response == game.win}
            assert np.flatnonzero(split.may_win).tolist() == sorted(winners)
            sizes = states.sizes
            assert split.stalled.tolist() == [
                at for at, (parent, _, cell) in enumerate(going_on) if len(cell) == sizes[parent]
            ]
            states = split.below


@pytest.mark.parametrize("history", [(), ((8, 1),)], ids=["whole", "mid-game"])
def test_columns_are_those_of_the_replayed_tree(history):
    game = open_game("p3c4r")
    tree = build_tree(game, parse_chain("max,consistent"), history=history)
    levels, states = [], start_states(select_candidates(game, history))
    for begin, end in zip(tree.level_starts, tree.level_starts[1:], strict=False):
        split = split_states(game, states, tree.guess[begin:end])
        levels.append(list_level(states, tree.guess[begin:end], split.below))
        assert split.may_win.tolist() == tree.is_winning[begin:end].tolist()
        assert split.stalled.tolist() == []
        states = split.below
    assert len(states.sizes) == 0
    replayed = join_levels(game, Provenance("knuth", history=history), levels)
    replayed.check()
    assert replayed.digest == tree.digest
    for name in ("guess", "response", "first_child", "n_candidates"):
        column = getattr(replayed, name)
        assert column.dtype == getattr(tree, name).dtype
        assert column.tolist() == getattr(tree, name).tolist()
