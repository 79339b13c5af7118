"""What a worker keeps from one search to the next, and gets before there is work."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from dataclasses import replace

import numpy as np
import pytest

from treegen.exact import build_optimal
from treegen.exact.core.cost_model import make_cost_model
from treegen.exact.core.time_budget import ItemTime, TimeBudget
from treegen.exact.parallel import warm_up
from treegen.exact.parallel.distributed import DistributedSearch
from treegen.exact.parallel.nodes import Claim
from treegen.exact.parallel.problem import make_problem, make_root_state
from treegen.exact.parallel.warm_up import get_ready, warm_workers
from treegen.exact.parallel.worker_cache import find_cache, find_matrix, read_root_state
from treegen.games import parse_game
from treegen.tasks import Workers, open_workers

GAME = parse_game("p3c5r")
EVERYTHING = np.arange(GAME.n_secrets, dtype=np.int32)
OBJECTIVE = "total,worst,n_worst"


class Recorder(Executor):
    """Keeps what it is sent, and does none of it."""

    def __init__(self):
        self.sent = []

    def submit(self, fn, /, *args, **kwargs):
        self.sent.append((fn, args))
        return Future()


@pytest.mark.parametrize(("min_pairs", "n_sent"), [(0, 3), (125 * 125 + 1, 0)])
def test_each_worker_gets_ready_for_a_game_that_is_large_enough(monkeypatch, min_pairs, n_sent):
    monkeypatch.setattr(warm_up, "MIN_PAIRS", min_pairs)
    recorder = Recorder()
    warm_workers(Workers(recorder, lambda: 3), GAME, EVERYTHING)
    assert recorder.sent == n_sent * [(get_ready, (make_root_state(GAME, EVERYTHING),))]


def test_threads_have_everything(monkeypatch):
    monkeypatch.setattr(warm_up, "MIN_PAIRS", 0)
    with open_workers(jobs=2) as workers:
        kept = replace(workers, count=lambda: pytest.fail("a thread was sent what it has"))
        warm_workers(kept, GAME, EVERYTHING)


@pytest.mark.parametrize("candidates", [EVERYTHING, EVERYTHING[3:40:2], EVERYTHING[:3]])
def test_what_was_made_ready_serves_all_searches_of_the_state(candidates):
    root = make_root_state(GAME, candidates)
    assert read_root_state(root)[1].tolist() == candidates.tolist()
    get_ready(root)
    ready = find_matrix(root)
    assert ready.by_guess.shape == (GAME.n_codes, len(candidates))
    for left in (0, 5):
        problem = make_problem(GAME, candidates, (), left, make_cost_model(len(candidates), 10))
        assert find_cache(problem).matrix is ready


@pytest.mark.slow
def test_processes_that_are_warmed_up_build_the_same_tree(monkeypatch):
    monkeypatch.setattr(warm_up, "MIN_PAIRS", 0)
    budget = TimeBudget(alone_s=-1.0, local=ItemTime(0, 0), remote=ItemTime(0, 0))
    game = parse_game("p4c5r")
    with open_workers(jobs=2, processes=True) as workers:
        tree = build_optimal(game, objective=OBJECTIVE, workers=workers, budget=budget)
    assert tree.digest == build_optimal(game, objective=OBJECTIVE).digest


class Node:
    """As much of a node as decides where its guesses are tried."""

    def __init__(self, guess_s):
        self.guess_s, self.members = guess_s, EVERYTHING


@pytest.mark.parametrize(
    ("guess_s", "is_idle", "n_pairs", "is_long"),
    [
        (0.02, False, 1, True),  # ten guesses of a node that took that long each
        (0.001, False, 10**9, False),
        (None, False, 10**9, False),  # nothing is known, and nobody waits
        (None, True, 10**9, True),
        (None, True, 1, False),
    ],
)
def test_guesses_that_take_long_are_sent_untried(monkeypatch, guess_s, is_idle, n_pairs, is_long):
    search = DistributedSearch(None, None, None, None, None, TimeBudget())
    monkeypatch.setattr(search, "_count_pairs", lambda node: n_pairs)
    assert search._is_long(Claim(Node(guess_s), 20, 30), is_idle) == is_long
