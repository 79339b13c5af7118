"""Run tasks and take their results as they come, a bounded number of them under way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from .workers import SerialExecutor, Workers

K = TypeVar("K")

AHEAD = 2
"""Tasks under way for each worker besides the one it does: none waits for the next to travel."""

LOOK_INTERVAL_S = 0.2
"""So often, at least, the caller may look around."""

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
    return run_growing(workers, function, lambda: next(waiting, None))


def run_growing(
    workers: Workers,
    function: Callable[..., Any],
    find_next: Callable[[], tuple[K, tuple[Any, ...]] | None],
    look: Callable[[], None] = lambda: None,
    ahead: int = AHEAD,
) -> Iterator[tuple[K, Any]]:
    """Yield the results of tasks that earlier results bring about.

    Parameters
    ----------
    workers, function
        See `run_tasks`.
    find_next
        Returns the key and the arguments of one more task, or None where there is none now. It
        is over when there is none and no result is awaited.
    look
        Is called now and then while results are awaited; it may raise.
    ahead
        Tasks that are under way for each worker besides the one it does.

    Raises
    ------
    TreegenError, MemoryError
        See `run_tasks`.
    """
    under_way: dict[Future[Any], K] = {}
    heard_s = time.monotonic()
    try:
        while True:
            _send(workers, function, find_next, under_way, ahead)
            if not under_way:
                return
            done, _ = wait(under_way, LOOK_INTERVAL_S, FIRST_COMPLETED)
            look()
            if not done and time.monotonic() - heard_s > CHECK_INTERVAL_S:
                workers.check()
                heard_s = time.monotonic()
            for future in done:
                heard_s = time.monotonic()
                yield under_way.pop(future), _result_of(future, workers)
    finally:
        for future in under_way:
            future.cancel()


def _send(
    workers: Workers,
    function: Callable[..., Any],
    find_next: Callable[[], tuple[K, tuple[Any, ...]] | None],
    under_way: dict[Future[Any], K],
    ahead: int,
) -> None:
    """Submit tasks as long as there is room."""
    while len(under_way) < _count_places(workers, ahead):
        task = find_next()
        if task is None:
            return
        key, arguments = task
        under_way[workers.executor.submit(function, *arguments)] = key


def _count_places(workers: Workers, ahead: int) -> int:
    """Return how many tasks may be under way."""
    if isinstance(workers.executor, SerialExecutor):
        return 1
    return (1 + ahead) * max(1, workers.count())


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
