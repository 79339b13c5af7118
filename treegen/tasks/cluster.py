"""Workers of a dask cluster, behind the interface of `concurrent.futures`."""

from __future__ import annotations

import json
import logging
import os
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .. import __version__
from .._files import read_text
from .._options import check_whole
from ..errors import ClusterError, DependencyError, TreegenError
from .background import DaemonExecutor, run_in_background
from .checkpoint import Notice
from .run import PATIENCE_S, SerialExecutor, Workers
from .work import Look, add_rest, check_patience

PACKAGES = ("numpy", "numba", "msgpack")


@cache
def read_versions() -> dict[str, str]:
    """Return the versions of treegen, Python and the packages that compute."""
    found = {"treegen": __version__, "python": platform.python_version()}
    return found | {name: _find_version(name) for name in PACKAGES}


def describe_difference(here: dict[str, str], there: dict[str, str]) -> str:
    """Return the difference, ``numpy 2.1.0 here, 2.0.2 there``; empty if there is none."""
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    return "; ".join(
        f"{name} {here.get(name, 'none')} here, {there.get(name, 'none')} there" for name in names
    )


def _find_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


CONNECT_S = 20.0
"""How long the scheduler may take to respond, and workers to appear."""

SLOW_S = 3.0
"""After this long without a connection, treegen says what it waits for."""

WORKERLESS_S = 60.0
"""How long the cluster may be without workers before the work is given up."""

SILENT_S = 60.0
"""How long a scheduler may be silent before the user is warned."""

COUNT_INTERVAL_S = 0.5
"""Time between two counts of the workers."""

RETRIES = 2
"""How often a failed task, say for lack of memory, is retried."""


@contextmanager
def open_dask(
    scheduler: str, notice: Callable[[str], object], patience_s: float
) -> Iterator[Workers]:
    """Open the workers of a scheduler's address or scheduler file.

    `notice` is called if the scheduler is silent: for a minute, or while connecting for some
    seconds. After `patience_s` of silence the work is given up. DependencyError without
    dask.distributed; ClusterError if the scheduler does not answer, has no workers, or they run
    other versions.
    """
    client = _connect(scheduler, notice)
    try:
        watch = _Watch(client, scheduler, notice, patience_s)
        try:
            client.wait_for_workers(1, timeout=CONNECT_S)
        except (TimeoutError, OSError) as error:
            raise ClusterError(f"the scheduler at {scheduler!r:.200} has no workers") from error
        _refuse_other_versions(client)
        executor = _CheckedExecutor(client.get_executor(retries=RETRIES, pure=False))
        yield Workers(executor, watch.count, watch.check, watch.explain)
    finally:
        with suppress(Exception):  # errors no longer matter here
            client.close(timeout=2)


def run_checked(versions: dict[str, str], function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task on a worker, unless its versions differ from the client's.

    Any other error leaves the worker as text: one that cannot be unpickled, or whose traceback is
    too deep, would never arrive, and the client would wait for it.
    """
    difference = describe_difference(versions, read_versions())
    if difference:
        raise ClusterError(f"a worker runs other versions: {difference}")
    try:
        return function(*arguments)
    except TreegenError:
        raise
    except MemoryError as error:
        failure: Exception = MemoryError(str(error))
    except Exception as error:
        failure = ClusterError(f"a worker failed: {type(error).__name__}: {error}")
    raise failure  # here, where the original error and its traceback are not attached


class _CheckedExecutor(Executor):
    """Sends every task with the versions of this process: workers may join at any time."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._executor.submit(run_checked, read_versions(), fn, *args, **kwargs)


class _Watch:
    """Checks whether results can still come, and explains why not."""

    def __init__(
        self,
        client: Any,
        scheduler: str,
        notice: Callable[[str], object],
        patience_s: float,
    ) -> None:
        self._client, self._scheduler = client, scheduler
        self._notice, self._patience_s = notice, patience_s
        self._seen = time.monotonic()
        self._counted_s, self._n_threads = -COUNT_INTERVAL_S, 0

    def count(self) -> int:
        """Return the number of threads of all workers, asking the scheduler only now and then."""
        if time.monotonic() - self._counted_s >= COUNT_INTERVAL_S:
            self._n_threads = sum(worker["nthreads"] for worker in self._list_workers())
            self._counted_s = time.monotonic()
        return self._n_threads

    def _list_workers(self) -> list[dict[str, Any]]:
        """Return the scheduler's workers; raise ClusterError if it does not respond."""
        info = {}
        if self._client.status == "running":  # otherwise the request would wait for half a minute
            info = self._ask(lambda: self._client.scheduler_info(n_workers=-1))
        if "workers" not in info:
            raise ClusterError(f"the scheduler at {self._scheduler} is gone")
        return list(info["workers"].values())

    def _ask(self, question: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the scheduler's answer; warn if it is silent, raise ClusterError if for too long.

        A stopped scheduler keeps its connection and never answers.
        """
        who, patience_s = f"the scheduler at {self._scheduler}", self._patience_s
        look = _make_deadline(
            patience_s,
            ClusterError(f"{who} did not answer for {patience_s:g} s"),
            SILENT_S,
            lambda: self._notice(
                f"{who} has not answered for {SILENT_S:.0f} s;"
                f" the work is given up after {patience_s:g} s"
            ),
        )
        return run_in_background(question, look, grace_s=0)

    def check(self) -> None:
        """Raise ClusterError if the scheduler is gone, or all workers are for too long."""
        if self.count():
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > WORKERLESS_S:
            raise ClusterError(
                f"the scheduler at {self._scheduler} has had no worker for {WORKERLESS_S:.0f} s"
            )

    def explain(self, error: BaseException) -> BaseException:
        """Return the error shown to the user for a task's failure."""
        from distributed import KilledWorker

        if isinstance(error, (TreegenError, MemoryError, KeyboardInterrupt)):
            return error
        if isinstance(error, KilledWorker):
            return ClusterError(
                f"a task was given up: {error.allowed_failures + 1} workers died with it,"
                " perhaps for lack of memory"
            )
        if isinstance(error, CancelledError) or "ancelled" in type(error).__name__:
            return ClusterError(
                f"the connection to the scheduler at {self._scheduler} was lost, or it restarted"
            )
        return ClusterError(f"a worker failed: {type(error).__name__}: {error}")


def _connect(scheduler: str, notice: Callable[[str], object] = lambda _: None) -> Any:
    os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")  # errors are reported by us
    try:
        from distributed import Client
    except ImportError as error:
        raise DependencyError(
            "a scheduler needs dask.distributed: pip install distributed (the extra cluster of"
            " treegen)"
        ) from error
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    where = _locate(scheduler)
    try:
        # The timeout does not cover a stopped scheduler: its machine accepts the connection.
        return run_in_background(
            lambda: _make_client(Client, address=where, timeout=CONNECT_S, set_as_default=False),
            _make_deadline(
                2 * CONNECT_S,
                TimeoutError(),
                SLOW_S,
                lambda: notice(f"waiting for the scheduler at {where} …"),
            ),
            grace_s=0,
        )
    except Exception as error:  # a malformed address may raise anything
        raise ClusterError(
            f"the scheduler at {scheduler!r:.200} does not answer (within {CONNECT_S:g} s)"
        ) from error


def _make_deadline(
    seconds: float, error: Exception, notify_s: float, notify: Callable[[], object]
) -> Look:
    """Return a function that raises an error when called too late; once, earlier, it notifies."""
    start_s, is_notified = time.monotonic(), False

    def look() -> None:
        nonlocal is_notified
        spent_s = time.monotonic() - start_s
        if spent_s > seconds:
            raise error
        if spent_s > notify_s and not is_notified:
            is_notified = True
            notify()

    return look


def _locate(scheduler: str) -> str:
    """Return the address of a scheduler given by its address or its file."""
    if "://" in scheduler or scheduler.rpartition(":")[2].isdigit():
        return scheduler
    if not Path(scheduler).is_file():
        raise ClusterError(
            f"there is no scheduler file {scheduler!r:.200}, and an address is tcp://host:port"
        )
    try:
        address = json.loads(read_text(scheduler))["address"]
    except (ValueError, KeyError, TypeError, RecursionError):
        address = None
    if not isinstance(address, str):
        raise ClusterError(f"{scheduler!r:.200} is not a scheduler file: it contains no address")
    return address


def _make_client(kind: Any, **options: Any) -> Any:
    """Return a client; close one that fails to start.

    The garbage collector would close it at any point, even while another client holds the lock that
    closing needs, and both would wait forever.
    """
    client = kind.__new__(kind)
    try:
        client.__init__(**options)
    except BaseException:
        with suppress(Exception):
            client.close(timeout=2)
        raise
    return client


def _refuse_other_versions(client: Any) -> None:
    """Raise ClusterError if a worker runs other versions, or has no treegen."""
    try:
        found = client.run(read_versions, on_error="return")
    except Exception as error:
        raise ClusterError(f"the workers cannot run treegen: {error}") from error
    for address, there in found.items():
        if isinstance(there, BaseException):
            raise ClusterError(f"the worker at {address} cannot run treegen: {there}")
        difference = describe_difference(read_versions(), there)
        if difference:
            raise ClusterError(f"the worker at {address} runs other versions: {difference}")


@contextmanager
def open_workers(
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    processes: bool = False,
    notice: Callable[[str], object] = lambda _: None,
    patience_s: float | None = None,
) -> Iterator[Workers]:
    """Open workers, and release them at the end; tasks that did not begin are dropped.

    `jobs` tasks run at a time on this machine, in threads, or in processes for tasks that hold the
    GIL; one job runs its tasks one after the other, without threads. With `scheduler`, the address
    of a dask scheduler or the path of its scheduler file, `jobs` is ignored; see `open_dask`,
    also for the errors; None for `patience_s` is 300. UsageError if `jobs` is not positive.

    >>> with open_workers(jobs=2) as workers:
    ...     workers.executor.submit(sum, (1, 2)).result()
    3
    """
    check_whole(jobs=jobs)
    if scheduler is not None:
        patience_s = PATIENCE_S if patience_s is None else patience_s
        with open_dask(scheduler, notice, patience_s) as workers:
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


@contextmanager
def open_cluster(
    scheduler: str | None,
    patience: float | None = None,
    notice: Notice | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Iterator[Workers | None]:
    """Open the workers of a scheduler, given by address or file; None if there is no scheduler.

    A scheduler that is silent for `patience` seconds (None: 300) is given up; `notice` gets a line,
    and what `folder` keeps of the work.
    """
    check_patience(scheduler, patience)
    if scheduler is None:
        yield None
        return
    warn = add_rest(notice, folder)
    with open_workers(scheduler=scheduler, notice=warn, patience_s=patience) as workers:
        yield workers
