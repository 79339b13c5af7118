"""Pieces of a search for any process: some guesses of one node, for a while."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...games import Game, from_description
from ...tasks import keep_in_process
from ..core import (
    UNLIMITED,
    CostModel,
    ItemTime,
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
from .nodes import Guesses
from .shared_table import share_entries
from .worker import SearchWorker


@dataclass(frozen=True, slots=True)
class Problem:
    """A search as plain values: what is derived from them is made once in each process and kept.

    Attributes
    ----------
    description
        The game's description as JSON.
    history
        Guesses made before the root.
    candidates
        The root's candidates as 32-bit integers; None: all secrets.
    left, scale, last, candidates_only
        See `CostModel`.
    table_size, table_seed
        See `SearchControl`.
    token
        Of `make_token`: the processes of a machine share their table, the threads of one process
        the response matrix, too. Empty: they do not.
    """

    description: str
    history: tuple[int, ...] = ()
    candidates: bytes | None = None
    left: int = UNLIMITED
    scale: int = 1
    last: int = 0
    candidates_only: bool = False
    table_size: int | None = None
    table_seed: int = 20
    token: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class WorkItem:
    """Work for one process.

    Attributes
    ----------
    members : int32[n]
        Candidates of the node, as indices into the root's.
    history
        Guesses made since the root.
    upper_bound
        The cost to get below.
    guesses
        The guesses to try, in order; None: list them first.
    listed_below
        The upper bound to list them for, `upper_bound` or more.
    first
        How many of the guesses that are to be listed were tried before.
    is_search
        Whether the guesses are tried, or only listed.
    """

    members: NDArray[np.int32]
    history: tuple[int, ...]
    upper_bound: int
    guesses: Guesses | None = None
    listed_below: int = 0
    first: int = 0
    is_search: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class WorkResult:
    """The result of a work item.

    Attributes
    ----------
    next_guess
        The index of the first guess still to be tried.
    is_hard
        Whether that one was begun, and took too long.
    found
        The best cost below the upper bound, the index of its guess, and the plan; None: none.
    listed
        The guesses, if they had to be listed.
    seconds, counts
        Its time; its work, see `count_done`.
    least
        The least that the guesses cost that were tried and dropped.
    """

    next_guess: int
    is_hard: bool
    found: tuple[int, int, NDArray[np.int32]] | None
    listed: Guesses | None
    seconds: float
    counts: dict[str, int]
    least: int = 0


def make_problem(
    game: Game, candidates: NDArray[np.int32], history: tuple[int, ...], left: int, model: CostModel
) -> Problem:
    """Return a search in the form that tasks carry."""
    are_all = len(candidates) == game.n_secrets
    some = None if are_all else candidates.astype("<i4").tobytes()
    description, only = json.dumps(game.description), model.candidates_only
    return Problem(description, history, some, left, model.scale, model.last, only)


def run_work_item(problem: Problem, item: WorkItem, budget: TimeBudget) -> WorkResult:
    """Do a work item in this process, with what it keeps of the problem.

    The result of a guess does not depend on the time; how many guesses are tried does.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> game = parse_game("p3c4r")
    >>> everything = np.arange(game.n_secrets, dtype=np.int32)
    >>> problem = make_problem(game, everything, (), 0, make_cost_model(64, 14))
    >>> result = run_work_item(problem, WorkItem(everything, (), 1000), TimeBudget())
    >>> cost, place, _ = result.found
    >>> cost, game.format_code(result.listed.codes[place])
    (206, '112')
    """
    with _find_cache(problem).lend_worker(budget) as worker:
        return do_work_item(worker, item, budget.remote)


def do_work_item(worker: SearchWorker, item: WorkItem, time_limit: ItemTime) -> WorkResult:
    """Do a work item with one worker."""
    start_s, before = time.perf_counter(), worker.count()
    depth = worker.load(item.members, item.history)
    listed_below = max(item.listed_below, item.upper_bound)
    listed = None if item.guesses else worker.list_guesses(depth, listed_below)
    guesses = item.guesses or listed
    assert guesses is not None
    first = min(item.first, len(guesses.codes))
    end = len(guesses.codes) if item.is_search else first
    worker.push(depth, guesses, first, end, item.upper_bound)
    is_over, is_late = first == end, False
    while not (is_over or is_late):
        is_over = worker.run()
        elapsed_s = time.perf_counter() - start_s
        is_late = elapsed_s > time_limit.end_s
        if elapsed_s > time_limit.last_guess_s:
            worker.drop_guesses(depth)
    frames = worker.search.stack.frames
    is_hard = not is_over and worker.is_trying(depth)
    next_guess = int(frames.n_guesses[depth] if is_over else frames.next_guess[depth] - is_hard)
    least = worker.least(depth)
    found = worker.take_incumbent(depth, first)
    if found is not None:
        # The table here knows best what the plan leaves open.
        worker.complete(item.members, item.history, found[2])
    return WorkResult(
        next_guess,
        is_hard,
        found,
        listed,
        time.perf_counter() - start_s,
        {name: count - before[name] for name, count in worker.count().items()},
        least,
    )


class WorkerCache:
    """The workers of one problem in this process, with one transposition table for all."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.game = from_description(json.loads(problem.description))
        candidates = np.arange(self.game.n_secrets, dtype=np.int32)
        if problem.candidates is not None:
            candidates = np.frombuffer(problem.candidates, "<i4").astype(np.int32)
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
        return make_response_matrix(self.game, candidates), table

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


_find_cache = keep_in_process(1)(WorkerCache)
