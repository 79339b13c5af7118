"""Weights, costs, questions and the goal to identify: exact search against plain recursion."""

from __future__ import annotations

import random
from dataclasses import astuple, replace

import numpy as np
import pytest

import treegen
from treegen.errors import SearchStoppedError, TreeError, UsageError
from treegen.exact.opening_totals import rank_openings
from treegen.exact.request import SearchControl, SearchLog, SearchSpec, TimeBudget
from treegen.exact.run import run_search
from treegen.exact.tables.kernel import TableKernel
from treegen.formats.tree_file import make_bytes
from treegen.games.codebook import make_word_game
from treegen.games.names import parse_game
from treegen.games.questions import Questions
from treegen.games.rules import Goal
from treegen.strategies.named import list_objectives

from .. import naive_exact
from .searching import OBJECTIVES


def make_twin(game):
    """Return a game's matrix by its plain scores."""
    guesses = range(game.rules.first_guess, game.n_codes)
    secrets = np.arange(game.n_secrets)
    answers = [
        [None if reply == game.win else reply for reply in game.respond(guess, secrets).tolist()]
        for guess in guesses
    ]
    costs = game.costs.tolist()
    weights = [1] * game.n_secrets if game.weights is None else game.weights.tolist()
    is_announced = game.goal == Goal.IDENTIFY
    ends = [0] * game.n_secrets if is_announced else costs[: game.n_secrets]
    return naive_exact.Weighted(answers, weights, [costs[guess] for guess in guesses], ends)


@pytest.mark.parametrize(("cap", "history"), [(None, ()), (5, ((3, 1),)), (4, ()), (2, ((3, 1),))])
def test_openings_within_a_cap_are_those_of_single_searches(cap, history):
    game = parse_game("p2c3r").with_goal("identify").with_stakes(range(9), [1, 2, 1] * 3)
    spec, totals = SearchSpec(max_length=cap, history=history), {}
    for code in range(game.n_codes):
        try:
            tree = run_search(game, "optimal", replace(spec, first=(game.format_code(code),)))
        except UsageError:  # it tells nothing, or no tree costs so little
            continue
        totals[code] = tree.total
    one, two = (rank_openings(game, spec, SearchControl(jobs=jobs), top=20) for jobs in (1, 2))
    assert {row.code: row.total for row in one.rows} == totals
    assert one == two
    for row in one.rows:
        assert row.total == sum(n * length for length, n in enumerate(row.histogram, 1))
    least = sorted(totals.values())
    few = rank_openings(game, spec, top=3)
    assert few.rows == one.rows[:3]
    assert few.n_tied == sum(total == least[2] for total in least[3:]) if least[3:] else True


def test_openings_of_one_candidate():
    game = Questions([["yes"]], names=["ant"])
    assert [row.total for row in rank_openings(game).rows] == [0]
    game = make_word_game(["ab", "cd"], rule="position").with_stakes([5, 2], [1, 3])
    spec = SearchSpec(history=((0, game.score(0, 1)),))
    assert [row[1:] for row in map(astuple, rank_openings(game, spec).rows)] == [(6, (0, 0, 2))]
    assert rank_openings(game, replace(spec, max_length=2)).rows == ()


def test_of_given_guesses_that_divide_alike_the_cheapest_counts():
    game = Questions([["a", "a"], ["b", "b"]], questions=["dear", "cheap"])
    game = game.with_stakes(None, [0, 0, 2, 1])
    for first in (["dear", "cheap"], ["cheap", "dear"]):
        for objective in OBJECTIVES:
            tree = treegen.build(game, "optimal", first=first, objective=objective)
            assert (tree.total, tree.provenance.bound) == (2, 2)
        best = treegen.build(game, "best", first=first)
        assert (best.total, best.provenance.bound) == (2, 2)


def test_a_given_guess_need_not_be_a_candidate():
    game = Questions([["x"], ["y"], ["z"], ["w"]], names=list("abcd"), questions=["q"], goal="win")
    for first in (["a", "q"], ["q"]):
        assert treegen.build(game, "optimal", eligible="candidates", first=first).total == 8


def test_consistent_means_candidates_where_every_code_may_be_secret():
    words = make_word_game(["ad", "ed", "eb", "cb"]).with_goal("identify")
    game = words.with_stakes(None, [4, 1, 3, 2])
    for eligible in ("consistent", "candidates"):
        tree = treegen.build(game, "optimal", eligible=eligible)
        assert tree.total == 10
        assert treegen.verify(tree, prove=True).is_proved
        openings = treegen.openings(game, "optimal", eligible=eligible)
        assert openings.list_rows()[0]["total"] == 10


@pytest.mark.parametrize("objective", list_objectives())
def test_a_game_that_is_over_costs_nothing(objective):
    for game in (treegen.open_game("range1", goal="identify"), Questions([["a"]])):
        tree = treegen.build(game, "optimal", objective=objective, first=None)
        assert (tree.total, tree.worst) == (0, 0)
    words = make_word_game(["ab", "ac"]).with_goal("identify")
    tree = treegen.build(words, "optimal", first=["ab"], history=[("ab", "10")])
    assert tree.total == 0
    assert treegen.verify(tree, prove=True).is_proved


def test_a_search_that_contradicts_itself_is_not_believed(monkeypatch):
    game = parse_game("p2c3r").with_goal("identify")
    monkeypatch.setattr(TableKernel, "bound", 1000)
    with pytest.raises(TreeError, match="internal error: the search proved the bound 1000"):
        treegen.build(game, "best")


def make_large():
    rng = random.Random(7)
    rows = [[str(rng.randrange(3)) for _ in range(40)] for _ in range(60)]
    return Questions(rows).with_stakes([rng.randint(1, 50) for _ in range(60)])


@pytest.fixture
def looking_often(monkeypatch):
    """A kernel is called for a moment only, and the watch after each call."""
    for name in ("FEW_UNITS", "MOST_UNITS"):
        monkeypatch.setattr(f"treegen.exact.tables.solver.{name}", 100)
    monkeypatch.setattr("treegen.exact.tables.kernel.LOOK_S", 0)


@pytest.mark.parametrize("name", ["optimal", "best"])
@pytest.mark.usefixtures("looking_often")
def test_a_search_that_is_ended_keeps_its_best_tree(name):
    game, seen = make_large(), []

    def watch(progress):
        seen.append(progress)
        return progress.best is not None and progress.stage not in ("rules", "beam 1")

    log = SearchLog()
    tree = run_search(game, name, control=SearchControl(watch=watch, keep_best=True, log=log))
    assert treegen.verify(tree).is_sound
    assert tree.provenance.strategy == ("best" if name == "best" else "optimal-unproved")
    assert tree.provenance.bound <= tree.total
    assert log.outcome["outcome"] == "stopped"
    assert log.counts["states"] >= 0


@pytest.mark.parametrize("terms", [("identify", True), ("win", False)])
@pytest.mark.usefixtures("looking_often")
def test_best_ends_with_the_same_bytes_however_often_it_was_ended(tmp_path, monkeypatch, terms):
    rng = random.Random(5)
    rows = [[str(int(rng.random() < place / 40)) for place in range(1, 20)] for _ in range(26)]
    game = Questions(rows, goal=terms[0])
    if terms[1]:
        game = game.with_stakes([rng.randint(0, 50) for _ in range(game.n_secrets)])
    spec = SearchSpec(beam=5)
    control = SearchControl(folder=tmp_path, budget=TimeBudget(record_s=0))
    whole = make_bytes(run_search(game, "best", spec))
    monkeypatch.setattr("treegen.exact.tables.kernel.PAUSE_FACTOR", 0)
    check, n_left, found = TableKernel.check, -1, []

    def end_soon(search):
        nonlocal n_left
        n_left -= 1
        if n_left < 0:
            raise SearchStoppedError("ended")
        check(search)

    monkeypatch.setattr(TableKernel, "check", end_soon)
    while n_left < 0:
        n_left = 2 ** len(found)
        found.append(make_bytes(run_search(game, "best", spec, control)))
    assert len(found) > 3
    assert found[0] != found[-1] == whole


@pytest.mark.parametrize(
    ("goal", "eligible"), [("win", "all"), ("win", "candidates"), ("identify", "all")]
)
def test_an_ended_search_does_not_choose_for_long(monkeypatch, goal, eligible):
    monkeypatch.setattr("treegen.exact.tables.kernel.SOON_S", -1)
    control = SearchControl(watch=lambda _: True, keep_best=True)
    game, spec = make_large().with_goal(goal), SearchSpec(eligible=eligible)
    tree = run_search(game, "optimal", spec, control)
    assert treegen.verify(tree).is_sound


def test_it_ends_while_the_answers_are_computed(monkeypatch):
    monkeypatch.setattr("treegen.exact.tables.problem.PAIRS_PER_BLOCK", 100)
    control = SearchControl(watch=lambda _: True, keep_best=True)
    with pytest.raises(SearchStoppedError, match="ended before anything was proved"):
        run_search(make_large(), "optimal", control=control)


def test_looking_further_ahead_raises_the_bound():
    game = make_large()
    found = [run_search(game, "best", SearchSpec(beam=1, look_ahead=n)) for n in range(3)]
    bounds = [tree.provenance.bound for tree in found]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= min(tree.total for tree in found)


def test_beams_end_at_the_default_width_where_no_watch_ends_them():
    """They went on to a million guesses, or to the proof."""
    for game in (parse_game("p3c4r"), parse_game("p3c4r").with_goal("identify")):
        assert run_search(game, "best").provenance.rule.endswith("beam=8")
