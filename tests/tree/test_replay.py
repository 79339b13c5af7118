"""Levels and columns as readers of files replay them, against the plain definition."""

import numpy as np
import pytest

from treegen import open_game
from treegen.tree.walk import split_states, start_states

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
