"""Surveys of games of many responses: kernels against counting by definition, and the search."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from treegen import Codebook, build, open_game, verify
from treegen.exact.engine import INFINITE
from treegen.exact.engine.cost import make_cost_model
from treegen.exact.engine.lookahead import (
    MAX_PAIRED,
    bound_by_score,
    copy_block,
    count_distinct,
    find_threshold,
    survey_all,
    survey_best,
)
from treegen.exact.engine.responses import LANES, make_response_matrix, make_scratch
from treegen.exact.engine.small_states import solve_by_survey
from treegen.jit.compiler import njit

from .. import naive, naive_exact
from ..pseudo_words import make_word_game, make_words
from .searching import AT_ONCE, build_optimal

SIZES = [3, 5, 8, 9, 17, MAX_PAIRED - 1, MAX_PAIRED, MAX_PAIRED + 1, 90]


@njit(allocates=True)
def call_best(matrix, scratch, members, threshold, n_wanted):
    return survey_best(matrix, scratch, members, threshold, n_wanted)


@njit(allocates=True)
def call_all(matrix, scratch, members, threshold):
    return survey_all(matrix, scratch, members, threshold)


@njit(allocates=True)
def call_threshold(model, n, left, limit, upper_bound, most):
    return find_threshold(model, n, left, limit, upper_bound, most)


@njit(allocates=True)
def call_bound(model, n, left, score, most):
    return bound_by_score(model, n, left, score, most)


@njit(allocates=True)
def call_count(tiles, tile, members, threshold, scratch):
    copy_block(tiles, 0, members, threshold, scratch)
    return count_distinct(tiles, tile, members, threshold, scratch)


@njit(allocates=True)
def call_solve(matrix, model, scratch, members, left, upper_bound):
    return solve_by_survey(matrix, model, scratch, members, left, upper_bound)


def make_case(n_secrets, n_guesses):
    game = make_word_game(n_secrets, n_guesses)
    matrix = make_response_matrix(game.rules, np.arange(n_secrets, dtype=np.int32))
    words = make_words(n_guesses)
    rules = naive.codebook_rules(words[:n_secrets], words[n_secrets:], "position")
    return game, matrix, make_scratch(game.n_codes, game.n_responses, n_secrets), rules


def score_slowly(rules, code, members):
    """Return a guess's cells, the winning one too, and one more if it is a candidate."""
    cells = naive.partition(rules, code, members)
    return len(cells) + (rules.win in cells)


def draw_members(n_secrets, sizes, seed):
    source = random.Random(seed)
    for size in sizes:
        yield np.array(sorted(source.sample(range(n_secrets), size)), dtype=np.int32)


def test_responses_of_positions_with_repeated_letters():
    words = ["".join(word) for word in itertools.product("abc", repeat=4)]
    game = Codebook(words, feedback="position")
    matrix = make_response_matrix(game.rules, np.arange(0, game.n_secrets, 3, dtype=np.int32))
    for guess in range(game.n_codes):
        scores = [game.score(guess, secret) for secret in range(0, game.n_secrets, 3)]
        assert matrix.by_guess[guess].tolist() == scores


def test_the_ranking_puts_the_best_scores_first():
    _, matrix, _, rules = make_case(60, 200)
    everything = list(range(60))
    scores = [score_slowly(rules, code, everything) for code in range(200)]
    order = sorted(range(200), key=lambda code: (-scores[code], code))
    assert matrix.guess_at[:200].tolist() == order
    assert set(matrix.guess_at[200:].tolist()) == {-1}
    assert matrix.place_of[matrix.guess_at[:200]].tolist() == list(range(200))
    assert matrix.top_scores.tolist() == [scores[order[first]] for first in range(0, 200, LANES)]
    for place, code in enumerate(order):
        tile, lane = divmod(place, LANES)
        assert matrix.tiles[0, :, tile, lane].tolist() == matrix.by_guess[code].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_best_score_above_a_threshold(seed):
    _, matrix, scratch, rules = make_case(100, 300)
    for members in draw_members(100, SIZES, seed):
        scores = [score_slowly(rules, code, members.tolist()) for code in range(300)]
        best = max(scores)
        for threshold in (0, best - 2, best - 1, best, best + 3, len(members) - 1):
            most, tile = call_best(matrix, scratch, members, threshold, len(members) + 1)
            assert most == max(best, threshold)
            assert (tile < 0) == (best <= threshold)
            if tile >= 0:
                places = range(tile * LANES, min(300, (tile + 1) * LANES))
                written = [int(scratch.n_cells[place]) for place in places]
                assert written == [scores[matrix.guess_at[place]] for place in places]
        assert not scratch.is_candidate.any()


@pytest.mark.parametrize("n_responses", [254, 255, 256, 400])
def test_counts_of_as_many_responses_as_there_are(n_responses):
    """A sum of flags, and of the one for a candidate, may exceed a byte."""
    dtype = np.uint8 if n_responses <= 256 else np.uint16
    tiles = np.zeros((1, 500, 8, LANES), dtype=dtype)
    tiles[0, :, 3, :5] = (np.arange(500) % n_responses)[:, None]
    members = np.arange(500, dtype=np.int32)
    scratch = make_scratch(8 * LANES, n_responses, 500)
    scratch.block_cells[:] = 1
    assert call_count(tiles, 3, members, 0, scratch) == n_responses + 1
    assert scratch.block_cells[3].tolist() == [n_responses + 1] * 5 + [2] * (LANES - 5)


@pytest.mark.parametrize("seed", range(3))
def test_all_scores_above_a_threshold(seed):
    _, matrix, scratch, rules = make_case(100, 300)
    for members in draw_members(100, SIZES, seed):
        scores = [score_slowly(rules, code, members.tolist()) for code in range(300)]
        for threshold in (0, max(scores) - 3, max(scores), len(members) - 1):
            most, n_tiles = call_all(matrix, scratch, members, threshold)
            assert most == max(*scores, threshold)
            for code, score in enumerate(scores):
                place = int(matrix.place_of[code])
                is_reached = place < n_tiles * LANES
                if score > threshold:
                    assert is_reached
                    assert scratch.n_cells[place] == score
                elif is_reached:
                    assert scratch.n_cells[place] <= threshold


@pytest.mark.parametrize(("scale", "last"), [(1, 0), (1, 100), (50, 1)])
@pytest.mark.parametrize("left", [INFINITE, 2, 3, 5])
def test_a_threshold_is_the_best_score_that_proves_enough(scale, last, left):
    model = make_cost_model(40, 81, scale, last, left)
    for n, least in itertools.product((3, 7, 20, 40), (0, 5, 41)):
        bounds = [call_bound(model, n, left, most, max(most, least)) for most in range(n + 2)]
        assert bounds == sorted(bounds, reverse=True)
        for upper_bound in {1, *bounds, *(bound + 1 for bound in bounds), INFINITE}:
            threshold = call_threshold(model, n, left, n + 1, upper_bound, least)
            assert threshold == 0 or bounds[threshold] >= upper_bound
            assert threshold == n + 1 or bounds[threshold + 1] < upper_bound


@pytest.mark.parametrize("left", [None, 2, 3, 4])
def test_what_a_survey_proves_is_true(left):
    game, matrix, scratch, rules = make_case(40, 120)
    twin = naive_exact.Search(rules)
    model = make_cost_model(40, game.n_responses, left=left or INFINITE)
    spare = left or INFINITE
    for members in draw_members(40, [3, 4, 5, 6, 7] * 3, 5):
        least = naive_exact.cost_of(twin, members.tolist(), left)
        complete, _ = call_solve(matrix, model, scratch, members, spare, INFINITE)
        for upper_bound in (complete - 1, complete, complete + 1, INFINITE):
            bound, guess = call_solve(matrix, model, scratch, members, spare, upper_bound)
            # Perfect candidates are not looked for: they are tested before.
            if least == (2 * len(members) - 1):
                continue
            assert bound <= least
            assert bound == complete or bound >= upper_bound
            if guess >= 0:
                cost = naive_exact.cost_of_guess(twin, guess, members.tolist(), left)
                assert cost == bound == least


def make_nested_words():
    """Return words in four groups of six and one more, and guesses outside.

    `xywqq` alone tells the groups apart, by four responses; the first word of each group tells its
    six apart, but not the other groups.
    """
    words = []
    for first, letters in zip("xywv", ("abcd", "efgh", "ijkl", "mnop"), strict=True):
        words.append(first + letters)
        for a, b in list(itertools.combinations(range(4), 2))[:5]:
            swapped = list(letters)
            swapped[a], swapped[b] = letters[b], letters[a]
            words.append(first + "".join(swapped))
    return Codebook([*words, "zzzzz"], feedback="wordle", guesses=["xywqq", "zqqqq"])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_guess_of_few_cells_is_tried_where_others_have_many(jobs):
    game = make_nested_words()
    alone = [build(game, strategy="optimal", first=first).total for first in ("zqqqq", "zzzzz")]
    tree = build(game, strategy="optimal", first=["zqqqq", "zzzzz"], jobs=jobs)
    assert tree.total == min(alone) < alone[0]
    assert verify(tree).problems == ()


def test_peg_games_of_many_responses_keep_their_symmetry():
    game = open_game("p7c2r")
    assert game.n_responses > 32
    tree = build_optimal(game)
    assert (tree.total, tree.provenance.bound) == (tree.total, tree.total)
    assert build_optimal(game, jobs=2, budget=AT_ONCE).digest == tree.digest
