"""Work done once: tables of arrangements, compiled kernels."""

from __future__ import annotations

import os
from pathlib import Path

from ..analysis import write_patterns
from .progress import ProgressOption, count_games, open_progress
from .workers import count_jobs, end_in_time


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
    strategy
        A name or a chain.
    time_limit
        Stop after so many seconds; the tables written by then stay.
    jobs
        Threads; None: all cores.
    progress
        Called with a `Progress` now and then; True shows a bar.

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
    title = f"patterns of {length} pegs"
    with end_in_time(time_limit), open_progress(progress, title) as tell:
        return write_patterns(
            length,
            output,
            strategy=strategy,
            jobs=count_jobs(jobs),
            progress=count_games(tell, "tables"),
        )
