"""Work in threads that the caller can abandon: a kernel ignores Ctrl-C, but a wait does not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from .work import PROCESS, Look

T = TypeVar("T")

LOOK_S = 0.05
"""Time between two checks of the waiting thread."""

GRACE_S = 0.4
"""How long the work may take to end when it is no longer wanted."""

MOST_SAVING_S = 60.0
"""How long stopped work may take to save its files: enough for a large one on a slow disk."""

_at_work: set[threading.Thread] = set()
"""Those that call a function now."""


def list_busy_threads() -> list[threading.Thread]:
    """Return the threads of this module that have work, abandoned or not."""
    return list(_at_work)


def run_in_background(
    function: Callable[[], T],
    look: Look = lambda: None,
    stop: Callable[[], None] = lambda: None,
    grace_s: float = GRACE_S,
) -> T:
    """Run a function in another thread and return its result, calling `look` meanwhile.

    `look` is called several times a second in the calling thread, and may raise to end the wait. If
    it does, or on Ctrl-C, `stop` is called, which should end the work. After `grace_s`
    seconds more the thread is abandoned, unless it still saves something (`Process.owe_saving`); it
    does not keep the process alive. The function's exception is raised, or the one that ended the
    wait if the function did not end within the grace. Ctrl-C is always raised.
    """
    future: Future[T] = Future()
    run = copy_context().run
    thread = threading.Thread(target=run, args=(_fill, future, function), daemon=True)
    try:
        thread.start()
        while not wait([future], LOOK_S).done:
            PROCESS.check_stop()
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
    """Wait until the stopped work has saved what it has to; a second Ctrl-C ends the wait."""
    end_s = time.monotonic() + MOST_SAVING_S
    while PROCESS.is_saving_owed and time.monotonic() < end_s:
        if wait([future], LOOK_S).done:
            return


class DaemonExecutor(Executor):
    """Threads that do not keep the process alive, unlike those of `ThreadPoolExecutor`.

    As a context it abandons them if it ends with an exception.
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
        for thread in self._list_started() if wait else ():
            thread.join()

    def abandon(self) -> None:
        """Drop what has not begun, and abandon the threads that still run after a grace.

        Stop their work first; a compilation cannot be stopped.
        """
        self.shutdown(wait=False, cancel_futures=True)
        end_s = time.monotonic() + GRACE_S
        for thread in self._list_started():
            thread.join(max(0.0, end_s - time.monotonic()))
        PROCESS.left_behind.extend(self._threads)

    def _list_started(self) -> list[threading.Thread]:
        """Return the threads that can be waited for: Ctrl-C may end the start of the last one."""
        return [thread for thread in self._threads if thread.is_alive()]

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            _fill(*task)


def run_together(functions: Sequence[Callable[[], Any]]) -> None:
    """Call functions at once, each in a thread; a single one in the calling thread.

    The first exception of one is raised; the others have to find out themselves that they should
    end.
    """
    if len(functions) == 1:
        functions[0]()
        return
    with DaemonExecutor(len(functions)) as pool:
        for future in yield_ended(pool.submit(function) for function in functions):
            future.result()


def run_each(functions: Sequence[Callable[[T], object]], items: Iterable[T]) -> None:
    """Call functions at once, each in a thread, with one item after another until all are done."""
    todo = SimpleQueue[T]()
    for item in items:
        todo.put(item)
    run_together([partial(work_off, todo, function) for function in functions])


def work_off(todo: SimpleQueue[T], function: Callable[[T], object]) -> None:
    """Call a function with what a queue holds until it is empty; others may take from it, too."""
    while True:
        try:
            item = todo.get_nowait()
        except Empty:
            return
        function(item)


def yield_ended(futures: Iterable[Future[T]], look: Look = lambda: None) -> Iterator[Future[T]]:
    """Yield futures as they end; the waiting thread wakes several times a second to call `look`.

    A signal that arrives just before a thread begins to wait does not wake it: a wait without an
    end, as in `concurrent.futures.as_completed`, may sleep through Ctrl-C.
    """
    running = set(futures)
    while running:
        ended, running = wait(running, LOOK_S, FIRST_COMPLETED)
        PROCESS.check_stop()
        look()
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
