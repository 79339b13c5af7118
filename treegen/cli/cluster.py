"""Builds in tasks: ``--resume`` and ``--scheduler``."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .._cleanup import remember_temporary
from .output import build_progress

if TYPE_CHECKING:
    from ..games import Game
    from ..strategies import Strategy
    from ..tasks import Workers
    from ..tree import History, ShardedTree

PATIENCE = "treegen.patience"
"""Where a command keeps the value of --patience."""

F = TypeVar("F", bound=Callable[..., Any])


def scheduler_option(function: F) -> F:
    """Add --scheduler and --patience."""
    for decorate in (
        click.option(
            "--patience",
            type=click.FloatRange(0, min_open=True),
            metavar="S",
            expose_value=False,
            callback=_keep_patience,
            help="Give up a scheduler that is silent for S s (default 300).",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on a dask cluster: tcp://host:port, or its scheduler file.",
        ),
    ):
        function = decorate(function)
    return function


def read_patience(scheduler: str | None) -> float | None:
    """Return what --patience says; raise UsageError where there is no scheduler to wait for."""
    from ..errors import UsageError

    patience_s: float | None = click.get_current_context().meta.get(PATIENCE)
    if patience_s is not None and scheduler is None:
        raise UsageError("--patience is for --scheduler, which is not there")
    return patience_s


def _keep_patience(ctx: click.Context, option: click.Parameter, value: float | None) -> None:
    """Keep what --patience says until workers are opened."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds", param=option)
    ctx.meta[PATIENCE] = value


@contextmanager
def _open(jobs: int, scheduler: str | None, notice: Callable[[str], None]) -> Iterator[Workers]:
    """Open workers here or on a cluster, as patient as the options say."""
    from ..tasks import open_workers

    patience_s = read_patience(scheduler)
    options: dict[str, Any] = {} if patience_s is None else {"patience_s": patience_s}
    with open_workers(jobs=jobs, scheduler=scheduler, notice=notice, **options) as workers:
        yield workers


@contextmanager
def open_cluster(scheduler: str | None, resume: str | None = None) -> Iterator[Workers | None]:
    """Open the workers of a scheduler; None if none is requested."""
    if scheduler is None:
        read_patience(None)
        yield None
        return
    with _open(1, scheduler, _add_rest(resume)) as workers:
        yield workers


@contextmanager
def run_tasks(
    game: Game,
    strategy: Strategy,
    history: History,
    path: str,
    jobs: int | None,
    scheduler: str | None,
    resume: str | None,
    quiet: bool,
) -> Iterator[ShardedTree]:
    """Build a tree in tasks, here or on a cluster; the tree exists as long as the context."""
    from ..builder import build_sharded
    from ..errors import UsageError

    if resume == "":
        raise UsageError("--resume needs the name of a folder, not ''")
    with ExitStack() as stack:
        folder = resume or stack.enter_context(_open_folder_beside(path))
        workers = stack.enter_context(
            _open(jobs or os.cpu_count() or 1, scheduler, _add_rest(resume))
        )
        stack.enter_context(tell_what_is_kept(resume))
        with build_progress(f"{game.name}-{strategy.name}", quiet) as progress:
            tree = stack.enter_context(
                build_sharded(
                    game,
                    strategy,
                    folder,
                    history=history,
                    workers=workers,
                    progress=progress,
                    notice=tell_notice,
                )
            )
        yield tree


def tell_notice(text: str) -> None:
    """Print what a build reports to the user."""
    click.echo(f"treegen: {text}", err=True)


def _add_rest(resume: str | None) -> Callable[[str], None]:
    """Return what tells of a cluster, and what is kept of the work if there is a folder."""
    rest = "" if resume is None else f"; {_describe_rest(resume)}"
    return lambda text: tell_notice(text + rest)


@contextmanager
def tell_what_is_kept(resume: str | None) -> Iterator[None]:
    """Add what is kept of the work to the error that ends it early."""
    from ..errors import ClusterError, SearchStoppedError, UsageError

    try:
        yield
    except ClusterError as error:
        raise ClusterError(f"{error}; {_describe_rest(resume)}") from error
    except SearchStoppedError as error:
        if resume is None:
            raise
        raise SearchStoppedError(f"{error}; {_describe_rest(resume)}") from error
    except MemoryError as error:
        raise UsageError(f"memory ran out; {_describe_rest(resume)}") from error
    except KeyboardInterrupt as error:
        if resume is None:
            raise
        raise KeyboardInterrupt(_describe_rest(resume)) from error


@contextmanager
def _open_folder_beside(path: str) -> Iterator[str]:
    """Create a folder for the parts beside the tree: both fit on that disk, or neither."""
    parent = None if path == "-" else Path(path).absolute().parent
    with (
        tempfile.TemporaryDirectory(
            prefix=".treegen-", dir=parent if parent and parent.is_dir() else None
        ) as folder,
        remember_temporary(folder),
    ):
        yield folder


def _describe_rest(resume: str | None) -> str:
    if resume is None:
        return "no tree was written (with --resume DIR what is finished is kept)"
    return f"what is finished is in {resume}: the same command goes on from there"
