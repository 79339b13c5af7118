"""What a process derives from a search's plain values, and keeps from one work item to the next."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ...games import Game, from_description
from ...tasks import keep_in_process
from ..core import (
    ResponseMatrix,
    Search,
    TimeBudget,
    make_canonizer,
    make_cost_model,
    make_group,
    make_response_matrix,
    make_search,
    make_table,
)
from .problem import Problem, RootState
from .worker import SearchWorker


class WorkerCache:
    """The workers of one search in this process, which share its transposition table."""

    def __init__(self, make_search: Callable[[], Search]) -> None:
        self.make_search = make_search
        self.workers: list[SearchWorker] = []

    @contextmanager
    def lend_worker(self, budget: TimeBudget) -> Iterator[SearchWorker]:
        """Give a worker to one thread, for a while."""
        try:
            worker = self.workers.pop()
        except IndexError:
            worker = SearchWorker(self.make_search(), budget.make_pace())
        try:
            yield worker
        finally:
            self.workers.append(worker)


@keep_in_process(1)
def find_cache(problem: Problem) -> WorkerCache:
    """Return what this process keeps of a problem."""
    game, candidates = read_root_state(problem.root)
    matrix = find_matrix(problem.root)
    model = make_cost_model(
        len(candidates),
        matrix.n_responses,
        problem.scale,
        problem.last,
        problem.left,
        candidates_only=problem.candidates_only,
    )
    canonizer = make_canonizer(game, candidates, seed=problem.table_seed)
    table = make_table(canonizer, problem.table_size)
    group = make_group(game)
    return WorkerCache(
        lambda: make_search(matrix, group, model, table, problem.history, problem.left)
    )


def read_root_state(root: RootState) -> tuple[Game, NDArray[np.int32]]:
    """Return the game and the candidates, ascending."""
    game = from_description(json.loads(root.description))
    if root.candidates is None:
        return game, np.arange(game.n_secrets, dtype=np.int32)
    return game, np.frombuffer(root.candidates, "<i4").astype(np.int32)


@keep_in_process(1)
def find_matrix(root: RootState) -> ResponseMatrix:
    """Return the responses of a search; searches with other limits have the same ones."""
    return make_response_matrix(*read_root_state(root))
