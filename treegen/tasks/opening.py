"""Opening workers: this thread, threads, processes, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

from .._options import check_whole
from .background import DaemonExecutor
from .workers import PATIENCE_S, SerialExecutor, Workers


@contextmanager
def open_workers(
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    processes: bool = False,
    notice: Callable[[str], None] = lambda _: None,
    patience_s: float = PATIENCE_S,
) -> Iterator[Workers]:
    """Open workers, and release them at the end; tasks that did not begin are dropped.

    Parameters
    ----------
    jobs
        Tasks at a time on this machine; 1 runs them one after the other, without threads.
    scheduler
        Address of a dask scheduler, or path of its scheduler file; `jobs` is then ignored.
    processes
        Whether they are processes instead of threads, for tasks that hold the GIL.
    notice
        Told when a scheduler is silent, after a minute, or after some seconds while connecting.
    patience_s
        How long a scheduler may be silent before the work is given up.

    Raises
    ------
    UsageError
        `jobs` is not positive.
    ClusterError
        The scheduler does not respond, has no workers, or they run other versions.
    DependencyError
        dask.distributed is not installed.

    Examples
    --------
    >>> with open_workers(jobs=2) as workers:
    ...     workers.executor.submit(sum, (1, 2)).result()
    3
    """
    check_whole(jobs=jobs)
    if scheduler is not None:
        # Imported here, not above: dask is optional.
        from .cluster import open_cluster

        with open_cluster(scheduler, notice, patience_s) as workers:
            yield workers
        return
    executor = _open_local(jobs, processes)
    try:
        yield Workers(executor, lambda: jobs)
    except BaseException:
        if isinstance(executor, DaemonExecutor):
            executor.abandon()
        raise
    finally:
        executor.shutdown(wait=not isinstance(executor, DaemonExecutor), cancel_futures=True)


def _open_local(jobs: int, processes: bool) -> Executor:
    if jobs == 1:
        return SerialExecutor()
    if not processes:
        return DaemonExecutor(jobs)
    import multiprocessing

    # A fork would copy threads' locks in whatever state they are.
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
