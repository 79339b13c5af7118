"""States that are lost with three guesses left: kernels against the plain recursion."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from treegen import Codebook, UsageError
from treegen.exact.engine.lost_states import is_lost_in_three, learn_set
from treegen.exact.engine.problem import make_inseparable_sets
from treegen.exact.engine.responses import LANES, make_response_matrix, make_scratch
from treegen.exact.request import TimeBudget

from .. import naive, naive_exact
from .searching import build_optimal

AT_ONCE = TimeBudget(alone_s=-1.0, min_units=5, max_units=5)


def make_rhymes(rng, n_secrets, n_words, initials="bcdfgh"):
    """Return words that differ in their first letter alone, or in all others, and naive rules."""
    words = [first + rest for first in initials for rest in ("onk", "ilt", "ack", "imp")]
    rng.shuffle(words)
    secrets, extra = words[:n_secrets], words[n_secrets:n_words]
    game = Codebook(secrets, extra, feedback="position")
    return game, naive_exact.Search(naive.codebook_rules(secrets, extra, "position"))


def make_kernel_case(rng, n_secrets=14, n_words=17):
    """Return what the kernels work with, and the naive twin."""
    game, twin = make_rhymes(rng, n_secrets, n_words)
    matrix = make_response_matrix(game.rules, np.arange(n_secrets, dtype=np.int32))
    scratch = make_scratch(game.n_codes, game.n_responses, n_secrets)
    sets = make_inseparable_sets(len(matrix.top_scores), n_secrets, is_used=True)
    return matrix, scratch, sets, twin


def draw_members(rng, n_secrets, sizes):
    for size in sizes:
        yield np.array(sorted(rng.sample(range(n_secrets), size)), dtype=np.int32)


def read_set(sets, at):
    return sets.members[at, : sets.sizes[at]].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_inseparable_sets_are_minimal_and_know_who_leaves_them_whole(seed):
    rng = random.Random(seed)
    matrix, scratch, sets, twin = make_kernel_case(rng)
    for members in draw_members(rng, 14, [3, 4, 5, 7, 14] * 5):
        if naive_exact.is_separable(twin, members.tolist()):
            continue
        at = learn_set(matrix, scratch, sets, members)
        found = read_set(sets, at)
        assert set(found) <= set(members.tolist())
        assert not naive_exact.is_separable(twin, found)
        for left_out in found:
            assert naive_exact.is_separable(twin, [code for code in found if code != left_out])
        places = matrix.place_of[naive_exact.list_whole(twin, found)].tolist()
        bits = {place for place in range(LANES) if int(sets.whole[at, 0]) >> place & 1}
        assert {place for place in bits if matrix.guess_at[place] >= 0} == set(places)
    assert sets.n_found[0] > 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_kept", [1, 100])
def test_lost_with_three_guesses_left(seed, n_kept):
    rng = random.Random(seed)
    matrix, scratch, sets, twin = make_kernel_case(rng)
    fields = ("members", "sizes", "whole")
    sets = sets._replace(**{name: getattr(sets, name)[:n_kept] for name in fields})
    verdicts = []
    for members in draw_members(rng, 14, [5, 7, 9, 11, 13] * 5):
        is_lost = is_lost_in_three(matrix, scratch, sets, members)
        assert is_lost == (naive_exact.cost_of(twin, members.tolist(), 3) == math.inf)
        verdicts.append(is_lost)
        assert not sets.is_member.any()
    assert True in verdicts
    assert False in verdicts


@pytest.mark.parametrize("seed", [0, 3, 4, 9])  # two have no tree, the others lost cells
def test_no_more_than_four_guesses(seed):
    rng = random.Random(seed)
    game, twin = make_rhymes(rng, rng.randint(13, 16), rng.randint(17, 24))
    least = naive_exact.cost_of(twin, list(range(game.n_secrets)), 4)
    if least == math.inf:
        for jobs in (1, 2):
            with pytest.raises(UsageError, match=r"no tree finds all .* \(proved\)"):
                build_optimal(game, max_length=4, jobs=jobs, budget=AT_ONCE)
        return
    tree = build_optimal(game, max_length=4)
    assert (tree.total, tree.worst) == (least, 4)
    assert build_optimal(game, max_length=4, jobs=2, budget=AT_ONCE).digest == tree.digest


@pytest.mark.parametrize("objective", ["worst,total", "worst,n_worst,total"])
def test_the_least_worst_case_of_rhymes_is_that_of_plain_recursion(objective):
    rng = random.Random(9)
    game, twin = make_rhymes(rng, rng.randint(13, 16), rng.randint(17, 24))
    everything = list(range(game.n_secrets))
    tree = build_optimal(game, objective=objective)
    assert tree.worst == 5
    assert naive_exact.cost_of(twin, everything, 4) == math.inf
    if objective == "worst,total":
        assert tree.total == naive_exact.cost_of(twin, everything, 5)
    else:
        cost = naive_exact.cost_of(naive_exact.Search(twin.rules, last=1000), everything, 5)
        assert cost == 1000 * tree.histogram[-1] + tree.total
