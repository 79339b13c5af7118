"""Threads that share a search: the same tree as one thread, whatever each of them finds first."""

from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest

from treegen.errors import UsageError
from treegen.exact import SearchStoppedError, build_optimal, solver
from treegen.exact.core import engine
from treegen.exact.core.cost_model import INFEASIBLE
from treegen.exact.core.transposition_table import (
    find_entry,
    make_memory,
    share_memory,
    write_entry,
)
from treegen.exact.parallel import threads, worker
from treegen.exact.parallel.nodes import Branch, Guesses, State
from treegen.games import parse_game

from ..small_games import make_pair


@pytest.fixture
def at_once(monkeypatch):
    """Let the team begin at once, and look around after every few steps."""
    monkeypatch.setattr(solver, "ALONE_S", -1.0)
    monkeypatch.setattr(engine, "MIN_UNITS", 40)
    monkeypatch.setattr(engine, "MAX_UNITS", 40)


GAMES = ["p3c4r", "p3c5r", "p4c4r", "p3c5n", "p3c4rb", "p4c5r", "words-pegs", "words-position"]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("jobs", [2, 5])
def test_team_builds_the_tree_of_one_thread(name, jobs):
    game = make_pair(name)[0] if name.startswith("words") else parse_game(name)
    alone = build_optimal(game)
    for _ in range(3):
        assert build_optimal(game, jobs=jobs).digest == alone.digest


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "options",
    [
        {"objective": "total,worst,n_worst"},
        {"objective": "worst,total"},
        {"max_length": 5},
        {"eligible": "candidates"},
        {"history": ((7, 1),)},
    ],
)
def test_team_under_every_objective(options):
    game = parse_game("p4c5r")
    alone = build_optimal(game, **options)
    assert build_optimal(game, jobs=3, **options).digest == alone.digest


@pytest.mark.usefixtures("at_once")
def test_team_proves_that_nothing_fits():
    with pytest.raises(UsageError, match="proved"):
        build_optimal(parse_game("p4c4r"), max_length=3, jobs=3)


def test_team_of_a_game_that_needs_one(monkeypatch):
    game = parse_game("p4c6r")
    alone = build_optimal(game, objective="total,worst,n_worst")
    # How soon the team begins, if at all, depends on the machine; the tree does not.
    monkeypatch.setattr(solver, "ALONE_S", 0.001)
    assert build_optimal(game, objective="total,worst,n_worst", jobs=2).digest == alone.digest


def test_bound_of_a_team_is_honest(monkeypatch):
    monkeypatch.setattr(solver, "ALONE_S", -1.0)
    monkeypatch.setattr(threads, "LOOK_S", 0.001)
    seen = []
    build_optimal(parse_game("p5c4r"), jobs=2, watch=lambda progress: seen.append(progress))
    total = build_optimal(parse_game("p5c4r")).total
    assert seen
    assert all(progress.bound <= total for progress in seen)
    assert all(progress.best is None or progress.best >= total for progress in seen)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("error", [KeyboardInterrupt, None])
def test_interrupted_team_leaves_no_thread(error):
    def watch(_):
        if error is not None:
            raise error
        return True

    before = threading.active_count()
    with pytest.raises(error or SearchStoppedError):
        build_optimal(parse_game("p5c5r"), jobs=3, watch=watch)
    while threading.active_count() > before:  # a thread may be about to end its slice
        time.sleep(0.01)


@pytest.mark.usefixtures("at_once")
def test_failing_thread_ends_the_search(monkeypatch):
    def fail(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(worker, "_make_branch", fail)
    with pytest.raises(MemoryError, match="no room"):
        build_optimal(parse_game("p4c4r"), jobs=2)


def make_state(floors, window=INFEASIBLE):
    state = State(np.arange(50, dtype=np.int32), n_root=50, limit=window)
    codes = np.arange(len(floors), dtype=np.int32)
    state.guesses = Guesses(codes, np.array(floors, dtype=np.int64), 9)
    return state


def test_first_of_equal_guesses_is_kept_in_any_order():
    costs = [9, 7, 8, 7, 7, 12]
    for seed in range(20):
        order = list(enumerate(costs))
        random.Random(seed).shuffle(order)
        state = make_state([5] * len(costs))
        for at, cost in order:
            if cost < state.below(at):
                state.keep(cost, at, np.array([at], dtype=np.int32))
        assert (state.best, state.at, state.plan.tolist()) == (7, 1, [1])


def test_branch_adds_the_costs_of_its_cells():
    state = make_state([5, 6])
    branch = Branch(state, 0, 20, np.zeros(6, dtype=np.int32))
    parts = [
        State(np.arange(3), (0,), 50, parent=branch, slot=s, floor=f) for s, f in [(1, 5), (3, 9)]
    ]
    branch.parts = parts
    for part, cost in zip(parts, (6, 11), strict=True):
        part.guesses = Guesses(np.array([4], dtype=np.int32), np.array([cost]), 3)
        part.next = 1
        part.keep(cost, 0, np.array([cost, cost], dtype=np.int32))
    state.branches.append(branch)
    assert not state.tidy()
    assert (state.best, state.at, state.plan.tolist()) == (23, 0, [0, 6, 6, 11, 11, 0])


def test_branch_that_costs_too_much_is_dropped():
    state = make_state([5, 6], window=22)
    branch = Branch(state, 0, 20, np.zeros(6, dtype=np.int32))
    part = State(np.arange(3), (0,), 50, parent=branch, slot=1, floor=5)
    branch.parts = [part]
    assert part.window == 7
    part.guesses = Guesses(np.array([4], dtype=np.int32), np.array([7]), 3)
    state.branches.append(branch)
    state.tidy()
    assert branch.is_closed
    assert part.is_dead
    assert state.best == INFEASIBLE


def test_memory_refuses_what_two_threads_wrote_at_once():
    memory = make_memory(50)
    other = share_memory(memory)
    members = np.array([3, 5, 8], dtype=np.int32)
    assert not find_entry(memory, members, 0)
    write_entry(memory, 77, 12)
    assert find_entry(other, members, 0)
    assert other.known.tolist() == [77, 12]
    assert not find_entry(other, members, 4)
    row = int(np.flatnonzero(memory.entries.any(axis=1))[0])
    for column in range(4):
        torn = memory.entries.copy()
        torn[row, column] += 1
        assert not find_entry(memory._replace(entries=torn), members, 0)
