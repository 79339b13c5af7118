"""Run tasks and take their results as they come, a bounded number of them under way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any, TypeVar

from .workers import SerialExecutor, Workers

K = TypeVar("K")

TASKS_PER_WORKER = 3
"""Tasks under way for each worker: enough that none waits for the next one to travel."""

CHECK_INTERVAL_S = 2.0
"""So long after the last result it is looked whether any can still come."""


def run_tasks(
    workers: Workers, function: Callable[..., Any], tasks: Iterable[tuple[K, tuple[Any, ...]]]
) -> Iterator[tuple[K, Any]]:
    """Yield the key and the result of each task when it is done, in whatever order.

    Parameters
    ----------
    workers
        Who does them.
    function
        Is called with each task's arguments; it stands in a module, so that others find it.
    tasks
        Keys and arguments. They are taken as there is room: not all are in memory.

    Raises
    ------
    TreegenError, MemoryError
        What a task failed with, or why no result can come any more. The other tasks are dropped.
    """
    waiting = iter(tasks)
    under_way: dict[Future[Any], K] = {}
    try:
        while True:
            for key, arguments in islice(waiting, _count_room(workers, len(under_way))):
                under_way[workers.executor.submit(function, *arguments)] = key
            if not under_way:
                return
            done, _ = wait(under_way, CHECK_INTERVAL_S, FIRST_COMPLETED)
            if not done:
                workers.check()
            for future in done:
                yield under_way.pop(future), _result_of(future, workers)
    finally:
        for future in under_way:
            future.cancel()


def _count_room(workers: Workers, n_under_way: int) -> int:
    """Return how many tasks may be added; islice takes at least what is told to it."""
    if isinstance(workers.executor, SerialExecutor):
        return 1 - n_under_way
    return max(0, TASKS_PER_WORKER * max(1, workers.count()) - n_under_way)


def _result_of(future: Future[Any], workers: Workers) -> Any:
    error = None if future.cancelled() else future.exception()
    if error is None and not future.cancelled():
        return future.result()
    try:
        future.result()
    except BaseException as failure:
        explained = workers.explain(failure)
        if explained is failure:
            raise
        raise explained from failure
