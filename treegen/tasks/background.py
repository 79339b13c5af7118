"""Work in threads that the caller can abandon: a kernel ignores Ctrl-C, but a wait does not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from .._process import PROCESS

T = TypeVar("T")

LOOK_S = 0.05
"""Time between two checks of the waiting thread."""

GRACE_S = 0.4
"""How long the work may take to end when it is no longer wanted."""

MOST_SAVING_S = 60.0
"""How long it may take to save what it owes: a large file on a slow disk, not what hangs."""

_at_work: set[threading.Thread] = set()
"""Those that call a function now."""


def list_busy_threads() -> list[threading.Thread]:
    """Return the threads of this module that have work, left behind or not."""
    return list(_at_work)


def run_in_background(
    function: Callable[[], T],
    look: Callable[[], None] = lambda: None,
    stop: Callable[[], None] = lambda: None,
    grace_s: float = GRACE_S,
) -> T:
    """Run a function in another thread and return its result, calling `look` meanwhile.

    Parameters
    ----------
    function
        The work. Its thread does not keep the process alive.
    look
        Called several times a second in the calling thread; it may raise to end the wait.
    stop
        Called if the wait ends early, by `look` or by Ctrl-C: tells the work to end.
    grace_s
        How long the work may then take to end; after that its thread is abandoned, unless it still
        saves something (`Process.owe_saving`).

    Raises
    ------
    BaseException
        The function's exception, or that which ended the wait if the function does not end within
        the grace. Ctrl-C is always raised.

    Examples
    --------
    >>> run_in_background(lambda: sum(range(5)))
    10
    """
    future: Future[T] = Future()
    run = copy_context().run
    thread = threading.Thread(target=run, args=(_fill, future, function), daemon=True)
    thread.start()
    try:
        while not wait([future], LOOK_S).done:
            look()
    except BaseException as error:
        stop()
        wait([future], grace_s)
        _wait_for_saving(future)
        if isinstance(error, Exception) and future.done():
            return future.result()  # it ended by itself, and its exception is more precise
        PROCESS.left_behind.append(thread)
        raise
    return future.result()


def _wait_for_saving(future: Future[Any]) -> None:
    """Wait until what was asked to end has saved what it owes; a second Ctrl-C ends the wait."""
    end_s = time.monotonic() + MOST_SAVING_S
    while PROCESS.is_saving_owed and time.monotonic() < end_s:
        if wait([future], LOOK_S).done:
            return


class DaemonExecutor(Executor):
    """Threads that do not keep the process alive, unlike those of `ThreadPoolExecutor`.

    As a context it abandons them if it ends with an exception.

    Parameters
    ----------
    n_threads
        How many.

    Examples
    --------
    >>> with DaemonExecutor(2) as pool:
    ...     list(pool.map(abs, (-1, 2)))
    [1, 2]
    """

    def __init__(self, n_threads: int) -> None:
        self._n_threads = n_threads
        self._threads: list[threading.Thread] = []
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.abandon()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a thread call a function."""
        future: Future[Any] = Future()
        context = copy_context()
        self._tasks.put((future, lambda: context.run(fn, *args, **kwargs)))
        if len(self._threads) < self._n_threads:
            thread = threading.Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end when their tasks are done, or when the running ones are."""
        while cancel_futures:
            try:
                task = self._tasks.get_nowait()
            except Empty:
                break
            if task is not None:
                task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def abandon(self, grace_s: float = GRACE_S) -> None:
        """Drop what has not begun, and abandon the threads that still run after a grace.

        Their work should have been told to end; a compilation cannot be told.
        """
        self.shutdown(wait=False, cancel_futures=True)
        end_s = time.monotonic() + grace_s
        for thread in self._threads:
            thread.join(max(0.0, end_s - time.monotonic()))
        PROCESS.left_behind.extend(self._threads)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            _fill(*task)


def run_together(functions: Sequence[Callable[[], Any]]) -> None:
    """Call functions at once, in a thread each; a single one in the calling thread.

    The first exception of one is raised; the others should see by themselves that they are to end.

    Examples
    --------
    >>> seen = []
    >>> run_together([lambda: seen.append(1), lambda: seen.append(2)])
    >>> sorted(seen)
    [1, 2]
    """
    if len(functions) == 1:
        functions[0]()
        return
    with DaemonExecutor(len(functions)) as pool:
        for future in yield_ended(pool.submit(function) for function in functions):
            future.result()


def yield_ended(futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
    """Yield futures as they end, the waiting thread awake several times a second.

    A signal that arrives just before a thread begins to wait does not wake it: a wait without an
    end, as in `concurrent.futures.as_completed`, may sleep through Ctrl-C.

    Examples
    --------
    >>> with DaemonExecutor(2) as pool:
    ...     sorted(done.result() for done in yield_ended([pool.submit(abs, -1), pool.submit(int)]))
    [0, 1]
    """
    running = set(futures)
    while running:
        ended, running = wait(running, LOOK_S, FIRST_COMPLETED)
        yield from ended


def _fill(future: Future[Any], function: Callable[[], Any]) -> None:
    """Store the result or exception of a function in a future."""
    if not future.set_running_or_notify_cancel():
        return
    _at_work.add(threading.current_thread())
    try:
        result = function()
    except BaseException as error:  # handed to the thread that waits
        future.set_exception(error)
    else:
        future.set_result(result)
    finally:
        _at_work.discard(threading.current_thread())
