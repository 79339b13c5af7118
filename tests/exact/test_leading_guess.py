"""The first guess that is searched ahead of all, chosen inside: any leads to the same tree."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from treegen import SearchStoppedError, open_game
from treegen.exact import engine_kernel as leading_guess
from treegen.exact.engine import INFINITE
from treegen.exact.engine.plan import Found, expand_plan
from treegen.exact.engine_kernel import find_lead
from treegen.exact.openings import list_openings
from treegen.exact.request import LEADING_GUESS, Aim, SearchControl, SearchSpec
from treegen.exact.solver import OpeningSearch
from treegen.exact.solver import make_solver as make

from .searching import AT_ONCE, build_optimal, resume


def make_solver(name, *, watch=None, jobs=1, budget=AT_ONCE, **spec):
    game = open_game(name)
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    control = SearchControl(jobs=jobs, watch=watch, budget=budget)
    return make(game, candidates, SearchSpec(**spec), control)


def expand(solver, found):
    """Return the tree of a result: a plan's slots that belong to no state may hold anything."""
    return expand_plan(solver.root.game, solver.root.candidates, found.plan).digest


@pytest.mark.parametrize("name", ["p3c4r", "p4c4r", "p3c6n", "p4c3r"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_tree_does_not_depend_on_the_lead(name, jobs):
    solver = make_solver(name)
    want = expand(solver, solver.find_best(Aim()))
    for code in list_openings(open_game(name), ()).tolist():
        found = make_solver(name, jobs=jobs).find_best(Aim(), lead=(code, INFINITE))
        assert expand(solver, found) == want


@pytest.mark.parametrize("limit", [4, 5])
def test_a_lead_that_the_limit_rules_out_is_no_proof(limit):
    """No tree that begins with 1111 finds all codes of p4c4r in four guesses."""
    solver = make_solver("p4c4r")
    want = make_solver("p4c4r").find_best(Aim(limit))
    found = solver.find_best(Aim(limit), lead=(0, INFINITE))
    assert (found is None) == (want is None)
    if want is not None:
        assert expand(solver, found) == expand(solver, want)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("name", "lead", "cost"),
    [("p4c4r", "1111", 905), ("p4c5r", "1123", 2463), ("p3c6r", "112", 854)],
)
def test_bounds_and_leading_guesses_that_are_told_are_true(name, lead, cost, jobs):
    """No bound is above the least total and no best tree below it, while a plan is completed too.

    Already the number of its answers shows that 1111 costs more than the least total.
    """
    seen = []
    budget = replace(AT_ONCE, min_units=1, max_units=1)
    solver = make_solver(name, watch=lambda told: seen.append(told), jobs=jobs, budget=budget)
    code = solver.root.game.parse_code(lead)
    assert solver.find_best(Aim(), lead=(code, INFINITE)).cost == cost
    # Threads may be done with a leading guess before anyone looks.
    assert jobs > 1 or any(told.stage == LEADING_GUESS for told in seen)
    assert max(told.bound for told in seen) <= cost
    found = [told.best for told in seen if told.best is not None]
    assert found == sorted(found, reverse=True)
    assert all(cost <= best < INFINITE for best in found)


def test_the_best_that_is_told_is_never_lost(monkeypatch):
    """The main search has no tree at first, but the leading guess has one."""
    monkeypatch.setattr(leading_guess, "MIN_PAIRS", 0)
    seen = []
    budget = replace(AT_ONCE, min_units=1, max_units=1)
    tree = build_optimal(open_game("p3c6r"), watch=lambda told: seen.append(told), budget=budget)
    found = [told.best for told in seen]
    n_before = found.index(tree.total)
    assert seen[n_before].stage == LEADING_GUESS
    assert set(found[n_before:]) == {tree.total}


@pytest.mark.parametrize(
    ("name", "best"), [("p4c5r", "1123"), ("p4c6r", "1123"), ("p5c4r", "11223")]
)
def test_a_narrow_beam_finds_the_best_first_guess(name, best, monkeypatch):
    monkeypatch.setattr(leading_guess, "MIN_PAIRS", 0)
    game, solver = open_game(name), make_solver(name)
    assert game.format_code(find_lead(solver)[0]) == best
    assert build_optimal(game, first=(best,)).total == build_optimal(game).total


def test_threads_find_the_same_lead(monkeypatch):
    """Of equally good guesses the first one, even if it is the last to be done."""
    monkeypatch.setattr(leading_guess, "MIN_PAIRS", 0)
    assert find_lead(make_solver("p4c5r", jobs=3)) == find_lead(make_solver("p4c5r"))
    tried, are_done = [], threading.Event()

    def search(_, code, below):
        tried.append(code)
        if code == tried[0]:
            assert are_done.wait(60)
        elif len(tried) == leading_guess.N_COMPARED:
            are_done.set()
        return Found(1000, None) if below > 1000 else None

    monkeypatch.setattr(leading_guess, "N_COMPARED", 4)
    monkeypatch.setattr(OpeningSearch, "find", search)
    assert find_lead(make_solver("p4c5r", jobs=2)) == (tried[0], 1000)


def test_no_lead_where_it_would_not_pay(monkeypatch):
    assert find_lead(make_solver("p4c4r")) is None
    monkeypatch.setattr(leading_guess, "MIN_PAIRS", 0)
    assert find_lead(make_solver("p3c4n")) is None  # one first guess, all others are its images
    assert find_lead(make_solver("p4c4r", first=("1124", "1234"))) is None
    assert find_lead(make_solver("p4c4r", eligible="candidates")) is None


def test_a_search_for_the_lead_can_be_ended(monkeypatch):
    monkeypatch.setattr(leading_guess, "MIN_PAIRS", 0)
    ended = []
    solver = make_solver("p4c4r", watch=lambda _: bool(ended))
    ended.append("now")
    with pytest.raises(SearchStoppedError):
        find_lead(solver)


def test_a_search_is_resumed_with_its_lead(monkeypatch, tmp_path):
    monkeypatch.setattr(leading_guess, "MIN_PAIRS", 0)
    game = open_game("p4c4r")
    tree, n_ends = resume(game, lambda n_ends: 4 + n_ends, folder=tmp_path)
    assert n_ends > 0
    assert tree.digest == build_optimal(game).digest
