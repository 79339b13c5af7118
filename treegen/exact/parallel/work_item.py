"""Pieces of a search for any process: some guesses of one node, for a while."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core import ItemTime, TimeBudget
from .nodes import Guesses
from .problem import Problem
from .worker import SearchWorker
from .worker_cache import WorkerCache, find_cache


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


def run_work_item(problem: Problem, item: WorkItem, budget: TimeBudget) -> WorkResult:
    """Do a work item in this process, with what it keeps of the problem.

    The result of a guess does not depend on the time; how many guesses are tried does.

    Examples
    --------
    >>> from treegen.exact.core import make_cost_model
    >>> from treegen.exact.parallel import make_problem
    >>> from treegen.games import parse_game
    >>> game = parse_game("p3c4r")
    >>> everything = np.arange(game.n_secrets, dtype=np.int32)
    >>> problem = make_problem(game, everything, (), 0, make_cost_model(64, 14))
    >>> result = run_work_item(problem, WorkItem(everything, (), 1000), TimeBudget())
    >>> cost, place, _ = result.found
    >>> cost, game.format_code(result.listed.codes[place])
    (206, '112')
    """
    return run_cached_item(find_cache(problem), item, budget)


def run_cached_item(cache: WorkerCache, item: WorkItem, budget: TimeBudget) -> WorkResult:
    """Do a work item with one of a search's workers in this process."""
    with cache.lend_worker(budget) as worker:
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
