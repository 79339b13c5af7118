"""Words and pegs with weights: the search in the engine and its kernels, and plain recursion."""

from __future__ import annotations

import itertools
import random
import sys

import numpy as np
import pytest

import treegen
from treegen.errors import StrategyError, UsageError
from treegen.exact.engine import INFINITE
from treegen.exact.engine.cost import make_cost_model
from treegen.exact.engine.penalties import survey_all_penalties, survey_penalties
from treegen.exact.engine.responses import (
    HOPELESS,
    LANES,
    make_response_matrix,
    make_scratch,
    order_by_weight,
)
from treegen.exact.engine.small_states import solve_by_penalties
from treegen.exact.request import TimeBudget
from treegen.jit.compiler import njit

from .. import naive_exact
from ..pseudo_words import make_word_game
from .searching import build_optimal, resume, search_best
from .test_differential import draw_options, search_case
from .test_weighted import make_twin

N_QUICK, PER_TEST = 75, 25

LETTERS = [("ab", 3), ("abc", 2), ("abcd", 3), ("abc", 4), ("abcde", 4)]
"""Words of 2 to 4 letters: by position these have 9 to 81 answers."""


def draw_weights(rng, n):
    """Return weights: equal but for one, uniform, steep, with zeros, too large for 32 bits."""
    kind = rng.choice(["one", "few", "uniform", "steep", "zeros", "large"])
    if kind == "one":
        return [2, *[1] * (n - 1)]
    if kind == "few":
        return [rng.randint(1, 3) for _ in range(n)]
    if kind == "uniform":
        return [rng.randint(1, 100) for _ in range(n)]
    if kind == "zeros":
        return [1, *(rng.randrange(3) for _ in range(n - 1))]
    numbers = [(10**11 if kind == "large" else 10**6) // rank + 1 for rank in range(1, n + 1)]
    rng.shuffle(numbers)
    return numbers


def draw_game(rng, most):
    """Return a game of few candidates with weights."""
    if rng.random() < 0.25:
        names = ["p2c3r", "p2c3n", "p3c2r", "p2c2r", "p2c3rb", "a211"]
        game = treegen.open_game(rng.choice(names))
    else:
        letters, size = rng.choice(LETTERS)
        n_words = rng.randint(3, 40)
        words = list({"".join(rng.choices(letters, k=size)): None for _ in range(n_words)})
        n_secrets = rng.randint(min(3, len(words)), min(most, len(words)))
        feedback = rng.choice(["position", "position", "pegs", "black"])
        game = treegen.Codebook(words[:n_secrets], words[n_secrets:], feedback=feedback)
    return game.with_stakes(draw_weights(rng, game.n_secrets))


def check_case(seed, most=8):
    """Search a random game; return whether there is a tree, the right one for any jobs."""
    rng = random.Random(seed)
    game = draw_game(rng, most)
    history, first, options = draw_options(rng, game)
    try:
        tree = search_case(seed, game, history, first, options)
    except StrategyError as error:  # products of such weights do not fit 64 bits
        assert "64 bits" in str(error)
        assert "n_worst" in options["objective"]
        assert game.weights.sum() > 10**7
        return False
    if tree is None:
        return False
    units = rng.choice([1, 5, 20])
    budget = TimeBudget(alone_s=-1.0, min_units=units, max_units=units, n_slices=rng.randint(0, 2))
    options |= {"history": tuple(history), "first": tuple(options["first"] or ())}
    assert build_optimal(game, jobs=2, budget=budget, **options).digest == tree.digest, seed
    return True


@pytest.mark.parametrize("begin", range(0, N_QUICK, PER_TEST))
def test_random_games_have_the_trees_of_plain_recursion(begin):
    assert sum(check_case(seed) for seed in range(begin, begin + PER_TEST)) > PER_TEST // 3


@njit(allocates=True)
def call_least(matrix, scratch, members, threshold):
    return survey_penalties(matrix, scratch, members, threshold)


@njit(allocates=True)
def call_all(matrix, scratch, members, threshold):
    return survey_all_penalties(matrix, scratch, members, threshold)


@njit(allocates=True)
def call_solve(matrix, model, scratch, members, left, upper_bound):
    return solve_by_penalties(matrix, model, scratch, members, left, upper_bound)


def make_state(game, size, seed):
    """Return a game's matrix, scratch, and a state: numbers in the matrix, and as secrets."""
    candidates = order_by_weight(game.rules, np.arange(game.n_secrets, dtype=np.int32))
    matrix = make_response_matrix(game.rules, candidates)
    shape = game.n_codes, game.n_responses, game.n_secrets
    members = sorted(random.Random(seed).sample(range(game.n_secrets), size))
    secrets = [int(matrix.code_of[member]) for member in members]
    scratch = make_scratch(*shape, is_weighted=True)
    return matrix, scratch, np.array(members, dtype=np.int32), secrets


def weigh_steeply(game, seed):
    """Return a game with weights of all sizes."""
    rng = random.Random(seed)
    return game.with_stakes([rng.choice([0, 1, 2, 50, 1000]) for _ in range(game.n_secrets)])


FEW, MANY = treegen.open_game("p3c4r"), make_word_game(80, 150)
STATES = [(FEW, size) for size in (3, 7, 8, 9, 20, 64)] + [(MANY, size) for size in (4, 70)]


@pytest.mark.parametrize(("plain", "size"), STATES, ids=str)
def test_penalties_are_those_of_their_definition(plain, size):
    game = weigh_steeply(plain, size)
    matrix, scratch, members, secrets = make_state(game, size, 1)
    twin, codes = make_twin(game), range(game.n_codes)
    n_tiles, most = call_all(matrix, scratch, members, HOPELESS)
    is_few = plain is FEW
    cells = [len(twin.divide(code, secrets)[1]) for code in codes if twin.divide(code, secrets)]
    assert most == (max(cells) if is_few else 0)
    penalties = [naive_exact.penalty_of(twin, code, secrets) for code in codes]
    places = codes if is_few else matrix.place_of.tolist()
    assert n_tiles * LANES > max(places)
    assert [int(scratch.penalties.flat[place]) for place in places] == penalties
    deep = most if is_few and size > max(8, most + 1) else None
    least = min(naive_exact.penalty_of(twin, code, secrets, deep) for code in codes)
    for threshold in (least + 1000, least + 1, least, least - 1):
        found, tile = call_least(matrix, scratch, members, threshold)
        assert found == min(least, threshold)
        assert (tile < 0) == (least >= threshold)
    assert call_all(matrix, scratch, members, least + 50)[0] <= n_tiles
    for place, penalty in zip(places, penalties, strict=True):
        if penalty < least + 50:
            assert scratch.penalties.flat[place] == penalty


@pytest.mark.parametrize("seed", range(16))
def test_a_lookahead_bounds_a_state_or_solves_it(seed):
    game = weigh_steeply((treegen.open_game("p2c4r"), make_word_game(20, 40))[seed % 2], seed)
    matrix, scratch, members, secrets = make_state(game, 3 + seed % 4, seed)
    model = make_cost_model(game.n_secrets, game.n_responses)
    least = naive_exact.least_total(make_twin(game), secrets, {})
    bound, guess = call_solve(matrix, model, scratch, members, INFINITE, INFINITE)
    assert bound <= least
    if guess >= 0:
        assert bound == least
    for upper_bound in (bound - 1, bound, bound + 1):
        found, _ = call_solve(matrix, model, scratch, members, INFINITE, upper_bound)
        assert found <= max(bound, least)


def test_no_bound_of_light_candidates_beside_a_heavy_one_is_negative():
    """Weights are counted in large units then, and a guess seems to win a whole one."""
    game = treegen.open_game("p2c3r").with_stakes([10**12 - 8, *[1] * 8])
    matrix, scratch, _, _ = make_state(game, 4, 0)
    model = make_cost_model(game.n_secrets, game.n_responses, left=3)
    for members in itertools.combinations(range(1, 9), 4):
        members = np.array(members, dtype=np.int32)
        assert call_solve(matrix, model, scratch, members, 2, INFINITE)[0] >= 0
    assert treegen.build(game, "optimal", max_length=3).worst == 3


def make_words(n_secrets=30, seed=1):
    """Return words with weights."""
    game, rng = make_word_game(n_secrets, 2 * n_secrets), random.Random(seed)
    return game.with_stakes([rng.randint(1, 40) for _ in range(n_secrets)])


PEGS = treegen.open_game("p3c3r").with_stakes([code * code % 11 for code in range(27)])


@pytest.mark.parametrize("game", [make_words(), PEGS], ids=str)
def test_openings_are_those_of_single_searches(game):
    spare = {"first": None, "max_length": 5}
    found = treegen.openings(game, "optimal", top=4, max_length=5)
    for row in found.list_rows():
        tree = treegen.build(game, "optimal", **{**spare, "first": [row["guess"]]})
        assert (tree.total, tree.histogram) == (row["total"], row["histogram"])
    assert found.list_rows()[0]["total"] == treegen.build(game, "optimal", max_length=5).total


@pytest.mark.parametrize("game", [make_words(), PEGS], ids=str)
def test_near_optimal_trees_and_their_bound_enclose_the_least_total(game):
    least = treegen.build(game, "optimal").total
    for beam in (1, 4):
        tree = search_best(game, beam=beam)
        assert tree.provenance.bound <= least <= tree.total
        assert treegen.verify(tree).is_sound
    for jobs in (1, 2):
        proved = search_best(game, beam=1, gap=0, jobs=jobs)
        assert (proved.total, proved.provenance.bound) == (least, least)


def test_a_search_that_is_ended_has_a_tree_and_a_bound():
    def watch(progress):
        return progress.stage == "total" and progress.n_states > 3

    game, budget = weigh_steeply(FEW, 1), TimeBudget(min_units=1, max_units=1)
    tree = build_optimal(game, watch=watch, keep_best=True, budget=budget)
    assert tree.provenance.strategy == "optimal-unproved"
    assert 0 < tree.provenance.bound <= treegen.build(game, "optimal").total <= tree.total


@pytest.mark.parametrize("objective", ["total,worst,n_worst", "worst,n_worst,total"])
def test_products_of_large_weights_are_refused(objective):
    game = treegen.open_game("p2c4r").with_stakes([10**9 + code for code in range(16)])
    assert treegen.build(game, "optimal").worst <= 4
    with pytest.raises(StrategyError, match=r"16,000,000,120, and objective=.* give smaller"):
        treegen.build(game, "optimal", objective=objective)


def test_of_two_candidates_the_heavier_is_guessed():
    words = treegen.Codebook(["ab", "cd"], ["ad"], feedback="position")
    game = words.with_stakes([2, 5])
    assert treegen.build(game, "optimal").histogram == [5, 2]
    assert treegen.build(game, "optimal", first=["ab", "cd"]).histogram == [5, 2]
    assert treegen.build(game, "optimal", first=["ad", "ab"]).histogram == [2, 5]
    ranking = treegen.openings(game, "optimal")
    assert [row["histogram"] for row in ranking.list_rows()] == [[5, 2], [2, 5], [0, 7]]


def test_certificates_of_weights_in_hard_mode_are_refused(tmp_path):
    with pytest.raises(UsageError, match="do not cover weights together with eligible="):
        treegen.build(make_words(), "optimal", eligible="hints", certificate=tmp_path / "x.proof")


@pytest.fixture
def switch_often():
    """Let the threads take turns after every few instructions."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.usefixtures("switch_often")
def test_a_search_ends_in_the_same_tree_however_often_it_is_ended(seed, tmp_path):
    """With weights and without, with times that cut the work anywhere."""
    rng = random.Random(seed)
    game = draw_game(rng, 9)
    game = game.with_stakes(None) if seed % 2 else game
    objective = rng.choice(["total", "worst,total"])
    options = {"objective": objective, "eligible": rng.choice(["all", "candidates"])}
    alone = build_optimal(game, **options)

    def draw_budget():
        units, item = rng.choice([1, 2, 5, 20]), (0, rng.choice([0, 0.001]))
        return TimeBudget(
            -1.0, min_units=units, max_units=units, local=item, remote=item, record_s=0
        )

    options["jobs"] = 2
    assert build_optimal(game, budget=draw_budget(), **options).digest == alone.digest
    again, _ = resume(
        game, lambda n_ends: rng.randint(20, 80) + n_ends, draw_budget, folder=tmp_path, **options
    )
    assert (again.digest, again.provenance) == (alone.digest, alone.provenance)
