"""The compiled second phase of `permutation`: one table for each pattern of colors."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from .._files import probe_folder, refuse_file_name, write_atomically
from .._options import describe_parameters, is_whole
from ..builder.grow import build_tree
from ..errors import UsageError
from ..formats.table import make_table
from ..games.base import Game
from ..games.pegs import list_partitions, make_arrangement_game
from ..strategies.named import parse_strategy
from ..tasks.work import (
    PROCESS,
    ProgressOption,
    Stop,
    count_jobs,
    end_in_time,
    open_progress,
    report_count,
)
from .options import PATTERNS

MOST_PEGS = 8
"""Longest code by default: 40,320 arrangements."""


def list_patterns(n_pegs: int) -> list[Game]:
    """Return the games of all ways in which colors can share the pegs, the largest shares first.

    >>> [game.name for game in list_patterns(4)]
    ['a4', 'a31', 'a22', 'a211', 'a1111']
    """
    return [make_arrangement_game(parts) for parts in list_partitions(n_pegs, n_pegs, n_pegs)]


@contextmanager
def _tell_what_is_written(
    place: Path, games: Sequence[Game], rows: Sequence[str]
) -> Iterator[None]:
    """Add the tables already written to the error that ends the work early: they stay."""
    try:
        yield
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt(_describe_written(place, games, rows)) from stop
    except MemoryError as error:
        message = f"memory ran out; {_describe_written(place, games, rows)}"
        raise UsageError(message) from error
    except UsageError as error:
        raise UsageError(f"{error}; {_describe_written(place, games, rows)}") from error


def _describe_written(place: Path, games: Sequence[Game], rows: Sequence[str]) -> str:
    if not rows:
        return "nothing was written"
    names = ", ".join(f"{game.name}.tgt" for game in games[: len(rows)])
    return (
        f"{len(rows)} of {len(games)} tables are written to {place}, without the index: {names};"
        " the same command writes them all"
    )


def _write_table(place: Path, game: Game, strategy: str, jobs: int) -> str:
    """Build and write the table of a pattern; return its line of the index."""
    tree = build_tree(game, parse_strategy(strategy, game), jobs=jobs)
    data = make_table(tree)
    place.mkdir(parents=True, exist_ok=True)  # not before: a build that is ended leaves no trace
    write_atomically(place / f"{game.name}.tgt", data)
    histogram = "/".join(map(str, tree.histogram))
    return (
        f"| {game.name} | {game.n_codes} | {tree.total} | {tree.average:.4f} | {tree.worst}"
        f" | {histogram} | {len(data)} | {hashlib.sha256(data).hexdigest()} |"
    )


@partial(describe_parameters, declared=PATTERNS)
def patterns(
    length: int,
    output: str | os.PathLike[str],
    *,
    strategy: str = "knuth",
    time_limit: float | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
) -> Path:
    """Compile a table for each pattern of colors into a folder; return its index.

    `simulate` and `start_online` take the folder as `tables`, for the strategy ``"permutation"``.

    Parameters
    ----------
    length
        Of the codes: 1 to 8 pegs.
    output
        The folder; created if missing.
    {options}
    jobs, progress
        See `build`.

    Raises
    ------
    UsageError
        The codes are too long, or a table cannot be written.
    TimeLimitError, KeyboardInterrupt
        The message says which tables are written.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     treegen.patterns(2, folder).name
    'INDEX-2.md'
    """
    if not is_whole(length, 1, MOST_PEGS):
        raise UsageError(
            f"patterns are compiled for 1 to {MOST_PEGS} pegs, not {length!r:.80}; beyond, the"
            " permutation strategy continues with adaptive"
        )
    refuse_file_name(output)
    place, n_threads = Path(output), count_jobs(jobs)
    title = f"patterns of {length} pegs"
    rows: list[str] = []
    with end_in_time(Stop(time_limit)), open_progress(progress, title) as on_progress:
        games = list_patterns(length)
        parse_strategy(strategy, games[0])  # before there is a folder
        probe_folder(place)
        with _tell_what_is_written(place, games, rows):
            for number, game in enumerate(games):
                PROCESS.check_stop()
                rows.append(_write_table(place, game, strategy, n_threads))
                report_count(on_progress, "tables", number + 1, len(games))
            index = place / f"INDEX-{length}.md"
            lines = [
                f"# Arrangements of {length} pegs, `{strategy}`",
                "",
                f"Made by `treegen patterns {length} -s {strategy} -o DIR`; `treegen simulate` and"
                " `treegen play` take the folder as `--tables DIR`.",
                "",
                "| pattern | codes | total | average | worst | histogram | bytes | sha256 |",
                "|---|---|---|---|---|---|---|---|",
                *rows,
            ]
            write_atomically(index, "".join(f"{line}\n" for line in lines).encode())
    return index
