"""Optimal trees against a slow solver without kernels, bounds or symmetry, and known totals."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import treegen
from treegen import Game, SearchStoppedError, StrategyError, UsageError, open_game, verify

from ..small_games import make_pair
from .searching import build_optimal

NEVER = (1 << 60,)

SMALL = [
    "p1c4r",
    "p2c3r",
    "p2c4r",
    "p2c5r",
    "p3c3r",
    "p2c4n",
    "p3c4n",
    "p2c4rb",
    "p3c3rb",
    "p2c4nb",
]
SMALL += ["words-pegs", "words-position", "a211", "a22", "a31"]


def make_game(name: str) -> Game:
    return make_pair(name)[0] if name.startswith("words") else open_game(name)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b, strict=True))


def solve_slowly(game: Game, *, key, cap: int | None = None, only_candidates=False):
    """Return the best value over all trees; `key` makes one of a game's length (a tuple)."""
    scores = [[game.score(g, s) for s in range(game.n_secrets)] for g in range(game.n_codes)]
    win = game.win

    @cache
    def value(candidates: frozenset[int], depth: int):
        if cap is not None and depth > cap:
            return NEVER
        best = NEVER
        for guess in candidates if only_candidates else range(game.n_codes):
            cells: dict[int, set[int]] = {}
            for secret in candidates:
                cells.setdefault(scores[guess][secret], set()).add(secret)
            if len(cells) == 1 and win not in cells:
                continue
            cost = None
            for response, cell in cells.items():
                part = key(depth) if response == win else value(frozenset(cell), depth + 1)
                if part == NEVER:
                    cost = NEVER
                    break
                cost = part if cost is None else add(cost, part)
            if cost < best:
                best = cost
        return best

    return value(frozenset(range(game.n_secrets)), 1)


@cache
def find_least(name: str, cap: int | None = None):
    """Return the least total, which several tests need; `NEVER` if no tree keeps the cap."""
    return solve_slowly(make_game(name), key=lambda d: (d,), cap=cap)


@pytest.mark.parametrize("name", SMALL)
def test_optimal_total_equals_recursion(name):
    game = make_game(name)
    tree = build_optimal(game)
    assert tree.total == tree.provenance.bound == find_least(name)[0]
    tree.check()
    assert not verify(tree).problems


@pytest.mark.parametrize("name", ["p2c4r", "p3c3r", "p3c4n", "p3c3rb"])
def test_total_of_candidates_only(name):
    game = open_game(name)
    tree = build_optimal(game, eligible="candidates")
    assert tree.total == solve_slowly(game, key=lambda d: (d,), only_candidates=True)[0]


@pytest.mark.parametrize("name", ["p2c4r", "p2c5r", "p3c3r", "p3c4n", "p2c4rb"])
@pytest.mark.parametrize("cap", [1, 2, 3, 4, 5])
def test_optimal_total_under_a_cap_equals_recursion(name, cap):
    game = open_game(name)
    expected = find_least(name, cap)
    if expected == NEVER:
        with pytest.raises(UsageError, match="proved"):
            build_optimal(game, max_length=cap)
        return
    tree = build_optimal(game, max_length=cap)
    assert (tree.total, tree.worst <= cap) == (expected[0], True)


@pytest.mark.parametrize("name", ["p2c4r", "p2c5r", "p3c3r", "p3c4n", "p2c4rb", "p2c4n"])
def test_objectives_are_minimised_one_after_another(name):
    game = open_game(name)
    tree = build_optimal(game, objective="total,worst,n_worst")
    total = find_least(name)[0]
    worst = next(cap for cap in range(1, 20) if find_least(name, cap) == (total,))
    by_count = solve_slowly(game, key=lambda d: (d, int(d == worst)), cap=worst)
    assert (tree.total, tree.worst, tree.n_worst) == (total, worst, by_count[1])


@pytest.mark.parametrize("name", ["p2c4r", "p2c5r", "p3c3r", "p3c4n", "p2c4rb"])
def test_worst_before_total_has_the_least_worst(name):
    game = open_game(name)
    tree = build_optimal(game, objective="worst,total")
    caps = (find_least(name, cap) for cap in range(1, 20))
    assert (tree.total,) == next(value for value in caps if value != NEVER)


@pytest.mark.parametrize("name", ["p2c4r", "p2c5r", "p3c3r", "p3c4n", "p2c4rb", "p2c4n", "a22"])
def test_the_fewest_of_the_longest_games_are_found(name):
    game = open_game(name)
    tree = build_optimal(game, objective="worst,n_worst,total")
    worst = next(cap for cap in range(1, 20) if find_least(name, cap) != NEVER)
    by_count = solve_slowly(game, key=lambda d: (int(d == worst), d), cap=worst)
    assert (tree.worst, tree.n_worst, tree.total) == (worst, *by_count)
    assert tree.provenance.bound == tree.total


def test_fewest_longest_games_of_mastermind():
    game = open_game("p3c5r")
    by_total = build_optimal(game, objective="worst,total")
    fewest = build_optimal(game, objective="worst,n_worst,total")
    assert fewest.worst == by_total.worst
    assert fewest.n_worst <= by_total.n_worst
    assert fewest.total >= by_total.total
    assert build_optimal(game, objective="worst,n_worst,total", jobs=2).digest == fewest.digest


@pytest.mark.parametrize(
    ("name", "total", "worst"),
    [
        ("p3c4r", 206, None),
        ("p3c5r", 451, None),
        ("p4c4r", 905, None),
        ("p4c6r", 5625, 6),
        ("p4c6n", None, None),
        ("p4c9n", 14914, None),
        ("p5c5r", 13496, None),
    ],
)
def test_known_totals_are_found(name, total, worst):
    tree = build_optimal(open_game(name))
    tree.check()
    assert tree.total == (total or tree.provenance.bound)
    assert worst in (None, tree.worst)
    assert not verify(tree).problems


def test_mastermind_objectives():
    game = open_game("p4c6r")
    tree = build_optimal(game, objective="total,worst,n_worst")
    assert (tree.total, tree.worst, tree.n_worst) == (5625, 6, 1)
    assert build_optimal(game, max_length=5).total == 5626
    assert build_optimal(game, objective="worst,total").histogram[-1] == 559
    assert build_optimal(game, eligible="candidates").total == 5660
    with pytest.raises(UsageError):
        build_optimal(game, max_length=4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "total"), [("p4c7r", 11228), ("p4c8r", 20471), ("p4c10n", 26274), ("p6c4r", 17281)]
)
def test_known_totals_of_larger_games(name, total):
    assert build_optimal(open_game(name)).total == total


def test_history_is_the_subtree():
    game = open_game("p3c5r")
    whole = build_optimal(game)
    first = int(whole.guess[0])
    parts = [
        build_optimal(game, history=((first, int(whole.response[child])),)).total
        for child in whole.children(0)
    ]
    assert game.n_secrets + sum(parts) == whole.total


def test_known_opening_need_not_be_unique_but_the_tree_is():
    game = open_game("p4c5r")
    assert build_optimal(game).digest == build_optimal(game).digest


def test_a_search_that_is_stopped_raises():
    game = open_game("p4c7r")
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.best is not None

    with pytest.raises(SearchStoppedError):
        build_optimal(game, watch=lambda _: True)
    tree = build_optimal(game, watch=watch, keep_best=True)
    tree.check()
    assert tree.provenance.bound <= 11228 <= tree.total == seen[-1].best
    assert tree.provenance.strategy == "optimal-unproved"


def test_stopped_before_any_tree_gives_a_greedy_one():
    game = open_game("p4c7r")
    tree = build_optimal(game, watch=lambda _: True, keep_best=True)
    tree.check()
    assert not verify(tree).problems
    assert tree.provenance.strategy == "optimal-unproved"
    assert 0 < tree.provenance.bound <= 11228 < tree.total
    capped = build_optimal(game, watch=lambda _: True, keep_best=True, max_length=7)
    assert capped.worst <= 7
    with pytest.raises(SearchStoppedError):
        build_optimal(game, watch=lambda _: True, keep_best=True, max_length=5)


def test_interrupt_is_not_swallowed():
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_optimal(open_game("p4c7r"), watch=interrupt)


def test_log_tells_what_was_done():
    game = open_game("p3c9r")
    log = {}
    tree = build_optimal(game, objective="total,worst,n_worst", max_length=8, log=log)
    written = json.loads(json.dumps(log))
    assert written["objective"] == "total,worst,n_worst"
    assert (written["max_length"], written["eligible"]) == (8, "all")
    assert (written["outcome"], written["bound"]) == ("proved", tree.total)
    assert written["table"]["key_bits"] == 128
    assert written["counts"]["states"] > 1000
    assert written["counts"]["table_hits"] > 0
    stages = [row["stage"] for row in written["course"]]
    assert stages[0] == "total"
    assert stages[-1] == "n_worst"
    bounds = [row["bound"] for row in written["course"]]
    assert bounds == sorted(bounds)
    assert build_optimal(game, max_length=8).total == tree.total


def test_a_matrix_that_does_not_fit_memory_is_refused(monkeypatch):
    monkeypatch.setattr("treegen.exact.engine.responses.read_available_bytes", lambda: 1_000_000)
    with pytest.raises(StrategyError, match=r"p4c6r needs 0.0 GiB of responses"):
        build_optimal(open_game("p4c6r"))


def test_bounds_that_do_not_fit_memory_are_refused(monkeypatch):
    # 11 lengths (0: no limit), 9 responses, 0 to 512 candidates: 406,296 bytes.
    monkeypatch.setattr("treegen.exact.engine.cost.read_available_bytes", lambda: 400_000)
    game = open_game("p3c8r")
    with pytest.raises(StrategyError, match=r"512 candidates with up to 10\D*guesses .*max-length"):
        build_optimal(game, max_length=10)


def test_bad_objectives_caps_and_histories_are_refused():
    game = open_game("p2c3r")
    with pytest.raises(StrategyError):
        build_optimal(game, objective="fewest")
    with pytest.raises(UsageError):
        build_optimal(game, max_length=0)
    with pytest.raises(UsageError):
        build_optimal(game, history=((0, 3), (0, 0)))


@pytest.mark.parametrize("name", ["optimal", "best"])
def test_searches_are_no_rules(name):
    with pytest.raises(UsageError, match=f"ranks by a rule, such as entropy; {name} has none"):
        treegen.advice("p2c3r", name)


def test_optimal_names_the_search():
    assert treegen.build("p3c4r", "optimal").total == 206


@pytest.mark.parametrize("seed", range(6))
def test_questions_that_end_with_a_right_guess(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 2 + seed % 3, (int(rng.integers(2, 9)), 4))
    game = treegen.Questions(matrix, goal="win")
    tree = build_optimal(game)
    assert (tree.total,) == solve_slowly(game, key=lambda length: (length,))
    assert verify(tree).is_sound
    # To identify takes no last guess: a tree that wins has one more at the end of each game.
    identified = treegen.build(game.with_goal("identify"), "optimal")
    assert verify(identified).is_sound
    assert identified.total <= tree.total
