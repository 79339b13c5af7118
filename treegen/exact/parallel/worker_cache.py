"""What a process derives from a search's plain values, and keeps from one work item to the next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ...games import Game, from_description
from ...tasks import keep_in_process
from ..core import (
    ResponseMatrix,
    TimeBudget,
    TranspositionTable,
    make_canonizer,
    make_cost_model,
    make_group,
    make_response_matrix,
    make_search,
    make_table,
)
from .client_arrays import find_arrays
from .problem import Problem, RootState
from .shared_table import share_entries
from .worker import SearchWorker


class WorkerCache:
    """The workers of one problem in this process, with one transposition table for all."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.game, candidates = read_root_state(problem.root)
        self.matrix, self.table = self._find_arrays(candidates)
        self.model = make_cost_model(
            len(candidates),
            self.matrix.n_responses,
            problem.scale,
            problem.last,
            problem.left,
            candidates_only=problem.candidates_only,
        )
        self.workers: list[SearchWorker] = []

    def _find_arrays(
        self, candidates: NDArray[np.int32]
    ) -> tuple[ResponseMatrix, TranspositionTable]:
        """Return the client's arrays, if it is in this process, else new ones."""
        problem = self.problem
        found = find_arrays(problem.token)
        if found is not None:
            return found.matrix, found.table
        canonizer = make_canonizer(self.game, candidates, seed=problem.table_seed)
        table = share_entries(make_table(canonizer, problem.table_size), problem.token)
        return find_matrix(problem.root), table

    @contextmanager
    def lend_worker(self, budget: TimeBudget) -> Iterator[SearchWorker]:
        """Give a worker to one thread, for a while."""
        try:
            worker = self.workers.pop()
        except IndexError:
            worker = self._make_worker(budget)
        try:
            yield worker
        finally:
            self.workers.append(worker)

    def _make_worker(self, budget: TimeBudget) -> SearchWorker:
        group, problem = make_group(self.game), self.problem
        search = make_search(
            self.matrix, group, self.model, self.table, problem.history, problem.left
        )
        return SearchWorker(search, budget.make_pace())


find_cache = keep_in_process(1)(WorkerCache)


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
