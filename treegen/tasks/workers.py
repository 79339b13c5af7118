"""Workers: an executor as `concurrent.futures` has them, and what is known of those behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the tasks.

    Attributes
    ----------
    executor
        Takes the tasks.
    count
        Gives the number of tasks that are done at a time now; it may change.
    check
        Called while nothing is finished for a while; raises where nothing can be any more.
    explain
        Turns what a task failed with into the error that the user sees.
    """

    executor: Executor
    count: Callable[[], int]
    check: Callable[[], None] = lambda: None
    explain: Callable[[BaseException], BaseException] = lambda error: error


class SerialExecutor(Executor):
    """Does each task when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do a task and return its result as a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def open_workers(
    *, jobs: int = 1, scheduler: str | None = None, processes: bool = False
) -> Iterator[Workers]:
    """Open workers, and let them go at the end; tasks that did not begin are dropped.

    Parameters
    ----------
    jobs
        Tasks at a time on this machine; 1 does them one after the other, without threads.
    scheduler
        Address of a dask scheduler, or path of its scheduler file; `jobs` means nothing then.
    processes
        Whether they are processes, for tasks that hold Python's lock, instead of threads.

    Raises
    ------
    UsageError
        `jobs` is not positive.
    ClusterError
        The scheduler does not answer, has no workers, or they run other versions.
    DependencyError
        dask.distributed is not installed.

    Examples
    --------
    >>> with open_workers(jobs=2) as workers:
    ...     workers.executor.submit(sum, (1, 2)).result()
    3
    """
    if jobs < 1:
        raise UsageError(f"jobs is {jobs}; at least 1 is needed")
    if scheduler is not None:
        from .cluster import open_cluster

        with open_cluster(scheduler) as workers:
            yield workers
        return
    executor = _open_local(jobs, processes)
    try:
        yield Workers(executor, lambda: jobs)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _open_local(jobs: int, processes: bool) -> Executor:
    if jobs == 1:
        return SerialExecutor()
    if not processes:
        return ThreadPoolExecutor(jobs)
    import multiprocessing

    # A fork would copy threads' locks in whatever state they are.
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
