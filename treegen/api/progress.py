"""What ``progress=`` takes: a callable, or True for a bar on the terminal or in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..builder import BuildState
    from ..exact import Progress as SearchState


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
    """Return whom to tell of progress; the bar is there as long as the context."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with _open_bar(title) as tell:
            yield tell
    else:
        yield progress


@contextmanager
def _open_bar(title: str) -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console()
    if not console.is_jupyter:  # the standard output is for results
        console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, note="")
        yield lambda state: bar.update(
            task, completed=state.done, total=state.total, note=state.note
        )


def count_games(tell: Tell | None, stage: str) -> Callable[[int, int], None] | None:
    """Return a callback for work that is counted: done, and of how many."""
    if tell is None:
        return None
    return lambda done, total: _ignore(tell(Progress(stage, done, total, f"{done:,} of {total:,}")))


def follow_build(tell: Tell | None) -> Callable[[BuildState], None] | None:
    """Return a callback for a build."""
    if tell is None:
        return None
    return lambda state: _ignore(
        tell(Progress("build", state.work_done, 1.0, describe_build(state)))
    )


def describe_search(state: SearchState) -> Progress:
    """Return the progress of a search, whose end is not known."""
    return Progress(state.stage, state.n_states, None, describe_gap(state))


def describe_gap(state: SearchState) -> str:
    """Return what is proved, the best total known, and how much lies between."""
    bound, best = state.bound, state.best
    if best is None:
        return f"bound {bound}, best none yet"
    # "n_worst" counts secrets, whose bound may be 0.
    gap = f", gap {100 * (best - bound) / bound:.1f} %" if 0 < bound <= best else ""
    return f"bound {bound}, best {best}{gap}"


def describe_build(state: BuildState) -> str:
    """Return states done, rate, time left for the level, memory."""
    left = "" if state.left_s is None else f", {state.left_s:,.0f} s left"
    return (
        f"guess {state.level + 1}: {state.n_done:,} of {state.n_states:,} states"
        f" ({state.rate:,.0f}/s{left}), {state.n_solved:,} of {state.n_secrets:,} secrets found,"
        f" {state.memory_bytes / 1e6:,.0f} MB"
    )


def _ignore(_: object) -> None:
    """Take what a callback returns."""
