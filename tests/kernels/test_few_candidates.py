"""States of about as many candidates as a vector has lanes: fast and plain kernels agree."""

import numpy as np
import pytest

from treegen import open_game
from treegen.builder.choose import number_rule
from treegen.kernels.onestep.game import fits_ranked_game, make_ranked_game
from treegen.kernels.onestep.guesses import States, choose_guess, choose_states
from treegen.kernels.onestep.workspace import FEWEST_CANDIDATES, LANES, MOST_CANDIDATES, make_arena
from treegen.kernels.responses import make_scoring
from treegen.strategies.named import parse_strategy

GAME = open_game("p4c6r")


def choose_both_ways(chain, sizes, seed):
    """Return the guesses of some states, by the fast kernels and by the plain ones.

    The candidates are any codes. No symmetry applies: the history uses every color and is kept
    by no exchange of pegs.
    """
    rng = np.random.default_rng(seed)
    strategy = parse_strategy(chain, GAME)
    scoring, rule = make_scoring(GAME.rules), number_rule(GAME, strategy)
    assert fits_ranked_game(GAME.rules, scoring)
    ranked = make_ranked_game(GAME.rules, scoring, rule)
    parts = [np.sort(rng.choice(GAME.n_codes, size, replace=False)) for size in sizes]
    candidates = [part.astype(np.int32) for part in parts]
    keys = np.zeros(len(sizes), dtype=np.uint64)
    history = np.tile(rng.choice(GAME.n_codes, 12, replace=False), (len(sizes), 1))
    states = States(
        np.concatenate(candidates),
        np.cumsum([0, *sizes], dtype=np.int64),
        history.astype(np.int32),
        keys,
    )
    fast = np.full(len(sizes), -1, dtype=np.int32)
    arena = make_arena(ranked, max(sizes))
    choose_states(ranked, arena, states, np.arange(len(sizes)), fast)
    never = np.zeros(1, dtype=np.int64)
    plain = [
        choose_guess(scoring, rule, None, part, rule.sequence, GAME.n_responses, keys[0], never)
        for part in candidates
    ]
    return fast.tolist(), plain


@pytest.mark.compiled
@pytest.mark.parametrize("chain", ["knuth", "expected-size", "entropy", "most-parts"])
def test_as_many_candidates_as_lanes(chain):
    near = [LANES - 1, LANES, LANES + 1, LANES + 2, 2 * LANES, 2 * LANES + 1]
    sizes = [FEWEST_CANDIDATES - 1, FEWEST_CANDIDATES, FEWEST_CANDIDATES + 1, *near] * 4
    for seed in range(2):
        fast, plain = choose_both_ways(chain, sizes, seed)
        assert fast == plain


def test_a_state_searched_by_lanes_fits_them():
    # A row of answers is one vector, and `looks` has a column for each of its lanes.
    assert MOST_CANDIDATES <= LANES
