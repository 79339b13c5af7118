"""Who does the work, how its progress is reported, and what is kept if it ends early."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .._options import POSITIVE, check_range, check_whole
from ..errors import ClusterError, SearchStoppedError, UsageError
from .checkpoint import Notice
from .cluster import open_workers
from .run import Workers
from .stopping import Stop


@dataclass(frozen=True, slots=True)
class Progress:
    """How far some work is.

    Attributes
    ----------
    stage
        What is being done.
    done, total
        How much of it is done, of how much; both in the same unit. `total` is None while it is
        not known.
    note
        The same for people, with what else is known: rate, memory, the best result so far.

    Examples
    --------
    >>> print(Progress("games", 3, 10, "3 of 10"))
    games: 3 of 10
    """

    stage: str
    done: float
    total: float | None
    note: str

    def __str__(self) -> str:
        return f"{self.stage}: {self.note}"


ProgressOption = bool | Callable[[Progress], object] | None
"""A callable, True for a bar, None or False for nothing."""

Tell = Callable[[Progress], object]


@contextmanager
def open_progress(progress: ProgressOption, title: str) -> Iterator[Tell | None]:
    """Yield the function that takes progress; a bar lasts as long as the context."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        console = Console()
        if not console.is_jupyter:  # the standard output is for results
            console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(20),  # with the notes it fits 80 columns
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
        )
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task(title, total=None, note="")
            yield lambda state: bar.update(
                task, completed=state.done, total=state.total, note=state.note
            )
    else:
        yield progress


def count_games(tell: Tell | None, stage: str) -> Callable[[int, int], None] | None:
    """Return a callback for work that is counted: done, and of how many."""
    if tell is None:
        return None

    def count(done: int, total: int) -> None:
        tell(Progress(stage, done, total, f"{done:,} of {total:,}"))

    return count


def count_jobs(jobs: int | None) -> int:
    """Return how many threads work: no more than there are cores, which is the default."""
    check_whole(jobs=jobs)
    return count_cores() if jobs is None else min(jobs, count_cores())


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def open_cluster(
    scheduler: str | None,
    patience: float | None = None,
    notice: Notice | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Iterator[Workers | None]:
    """Open the workers of a scheduler, given by address or file; None if there is no scheduler.

    A scheduler that is silent for `patience` seconds (None: 300) is given up; `notice` is told, and
    what `folder` keeps of the work.
    """
    check_patience(scheduler, patience)
    if scheduler is None:
        yield None
        return
    told = add_rest(notice, folder)
    with open_workers(scheduler=scheduler, notice=told, patience_s=patience) as workers:
        yield workers


def check_patience(scheduler: str | None, patience: float | None) -> None:
    """Raise UsageError for patience without a scheduler, or patience that is not positive."""
    check_range(POSITIVE, patience=patience)
    if patience is not None and scheduler is None:
        raise UsageError("`patience` needs `scheduler`")


def add_rest(notice: Notice | None, folder: str | os.PathLike[str] | None) -> Notice:
    """Return a notice that adds what a folder keeps of the work."""
    if notice is None:
        return lambda _: None
    rest = "" if folder is None else f"; {describe_rest(folder)}"
    return lambda text: notice(text + rest)


def describe_rest(folder: str | os.PathLike[str] | None) -> str:
    """Return a sentence on what a folder keeps of work that ended early."""
    if folder is None:
        return "no tree was written (with --resume DIR what is finished is kept)"
    return f"what is finished is in {os.fspath(folder)}: the same command goes on from there"


@contextmanager
def tell_what_is_kept(folder: str | os.PathLike[str] | None) -> Iterator[None]:
    """Add what is kept of the work to the error that ends it early."""
    try:
        yield
    except ClusterError as error:
        raise ClusterError(f"{error}; {describe_rest(folder)}") from error
    except SearchStoppedError as error:
        if folder is None:
            raise
        raise SearchStoppedError(f"{error}; {describe_rest(folder)}") from error
    except MemoryError as error:
        raise UsageError(f"memory ran out; {describe_rest(folder)}") from error
    except KeyboardInterrupt as error:
        if folder is None:
            raise
        raise KeyboardInterrupt(describe_rest(folder)) from error


@contextmanager
def end_in_time(limit: Stop, least_s: float = 0.0) -> Iterator[None]:
    """Raise TimeLimitError when the time of the work inside is over."""
    if limit.time_limit is None:
        yield
        return
    try:
        with limit.interrupt(least_s):
            yield
    except KeyboardInterrupt as interrupt:
        limit.explain(interrupt)
        raise
