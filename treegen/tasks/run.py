"""Run tasks and collect their results as they come, with a bounded number in flight."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from .background import DaemonExecutor
from .work import PROCESS, Look

PATIENCE_S = 300.0
"""How long a scheduler may be silent before the work is given up."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers that run the tasks.

    `count` returns how many tasks can run at a time now, which may change. `check` is called if
    nothing finishes for a while, and raises if nothing can finish any more. `explain` turns a
    task's failure into the error that the user sees.
    """

    executor: Executor
    count: Callable[[], int]
    check: Look = lambda: None
    explain: Callable[[BaseException], BaseException] = lambda error: error

    @property
    def share_memory(self) -> bool:
        """Whether they are threads of this process."""
        return isinstance(self.executor, SerialExecutor | DaemonExecutor)


class SerialExecutor(Executor):
    """Runs each task when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a task and return its result as a finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


Key = TypeVar("Key", bound=Hashable)
V = TypeVar("V")


def keep_in_process(max_size: int) -> Callable[[Callable[[Key], V]], Callable[[Key], V]]:
    """Return a decorator that keeps the last results of a function of one plain value.

    Simultaneous threads wait for the first: a result is computed once, not once for each.
    """

    def decorate(make: Callable[[Key], V]) -> Callable[[Key], V]:
        lock, cached = threading.Lock(), lru_cache(max_size)(make)

        def find(key: Key) -> V:
            with lock:
                return cached(key)

        return find

    return decorate


class Pool(Generic[V]):
    """Things of which every thread needs one of its own for a while: as many as work at a time."""

    def __init__(self, make: Callable[[], V], *made: V) -> None:
        self.made, self._make, self._idle = list(made), make, list(made)

    @contextmanager
    def lend(self) -> Iterator[V]:
        """Lend one that nobody has."""
        try:
            one = self._idle.pop()
        except IndexError:
            one = self._make()
            self.made.append(one)
        try:
            yield one
        finally:
            self._idle.append(one)


K = TypeVar("K")

AHEAD = 2
"""Tasks in flight for each worker besides its current one, so that none waits for transport."""

LOOK_INTERVAL_S = 0.2
"""The longest time between two calls of `look`."""

CHECK_INTERVAL_S = 2.0
"""How long after the last result to check whether any can still come."""


class Worked:
    """What `find_next` returns instead of a task if it has done some work itself."""


WORKED = Worked()

Task = tuple[K, tuple[Any, ...]]
"""The key and the arguments of a task."""


def run_tasks(
    workers: Workers, function: Callable[..., Any], tasks: Iterable[Task[K]]
) -> Iterator[tuple[K, Any]]:
    """Yield the key and the result of each task when it is done, in any order.

    `function` is called with each task's arguments; it is defined in a module, so that other
    processes find it. `tasks` are consumed only as there is room: not all are in memory. A task's
    failure, a TreegenError or MemoryError, is raised, or the reason why no more results can come;
    the other tasks are dropped.
    """
    waiting = iter(tasks)
    return run_growing(workers, function, lambda: next(waiting, None))


def run_growing(
    workers: Workers,
    function: Callable[..., Any],
    find_next: Callable[[], Task[K] | Worked | None],
    look: Look = lambda: None,
    ahead: int = AHEAD,
) -> Iterator[tuple[K, Any]]:
    """Yield the results of tasks that depend on earlier results, as `run_tasks` does.

    `find_next` returns one more task, or None if there is none now; the run ends when there is none
    and no result is awaited. `WORKED` says that there was work, but it is done already: the next
    call comes at once, or after the results that have come meanwhile. `look` is called now and then
    while results are awaited, and may raise. `ahead` tasks are in flight for each worker besides
    its current one.
    """
    under_way: dict[Future[Any], K] = {}
    heard_s = time.monotonic()
    try:
        while True:
            _send(workers, function, find_next, under_way, ahead)
            if not under_way:
                return
            done, _ = wait(under_way, LOOK_INTERVAL_S, FIRST_COMPLETED)
            PROCESS.check_stop()
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
    find_next: Callable[[], Task[K] | Worked | None],
    under_way: dict[Future[Any], K],
    ahead: int,
) -> None:
    """Submit tasks as long as there is room."""
    is_serial = isinstance(workers.executor, SerialExecutor)
    while len(under_way) < (1 if is_serial else (1 + ahead) * max(1, workers.count())):
        task = find_next()
        if isinstance(task, Worked):
            if any(future.done() for future in under_way):
                return
            continue
        if task is None:
            return
        key, arguments = task
        under_way[workers.executor.submit(function, *arguments)] = key


def _result_of(future: Future[Any], workers: Workers) -> Any:
    try:
        return future.result()
    except BaseException as failure:
        explained = workers.explain(failure)
        if explained is failure:
            raise
        raise explained from failure
