"""The progress of a build: states done, rate, time left, memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BuildState:
    """The state of a build at one moment.

    Attributes
    ----------
    level
        Guesses made before the current states: 0 at the root.
    n_done, n_states
        States of the level that have their guess; all of them.
    n_solved, n_secrets
        Secrets that were found at the levels before; all of them.
    work_done
        Share of the level's work that is done, 0 to 1, estimated from the sizes of states.
    rate
        States of the level that get their guess per second.
    elapsed_s
        Time since the build began.
    left_s
        Estimate for the rest of this level, ``None`` while nothing is known. Later levels are not
        included.
    memory_bytes
        Peak memory of the process so far; 0 if the system does not report it.
    """

    level: int
    n_done: int
    n_states: int
    n_solved: int
    n_secrets: int
    work_done: float
    rate: float
    elapsed_s: float
    left_s: float | None
    memory_bytes: int


Progress = Callable[[BuildState], None]
"""Called during a build, in the thread that started it."""


class Reporter:
    """Reports a build's progress to a callback, at most several times a second.

    Parameters
    ----------
    progress
        The callback, or ``None``.
    n_secrets
        Secrets of the whole tree.
    interval_s
        Least time between two calls within a level.
    """

    def __init__(self, progress: Progress | None, n_secrets: int, interval_s: float = 0.1) -> None:
        self.progress = progress
        self.n_secrets, self.interval_s = n_secrets, interval_s
        self.start_s = self.level_start_s = self.told_s = time.perf_counter()
        self.level, self.n_states, self.n_solved = -1, 0, 0

    def start_level(self, n_states: int, n_candidates: int) -> None:
        """Begin the next level."""
        self.level += 1
        self.n_states, self.n_solved = n_states, self.n_secrets - n_candidates
        self.level_start_s = time.perf_counter()
        self._tell(0, 0.0)

    def advance(self, n_done: int, work_done: float) -> None:
        """Report how much of the level is done, unless there was a report just now."""
        if self.progress is not None and time.perf_counter() - self.told_s >= self.interval_s:
            self._tell(n_done, work_done)

    def _tell(self, n_done: int, work_done: float) -> None:
        if self.progress is None:
            return
        self.told_s = now = time.perf_counter()
        spent = now - self.level_start_s
        left = spent * (1 - work_done) / work_done if work_done > 0 else None
        self.progress(
            BuildState(
                self.level,
                n_done,
                self.n_states,
                self.n_solved,
                self.n_secrets,
                work_done,
                n_done / spent if spent > 0 else 0.0,
                now - self.start_s,
                left,
                peak_memory_bytes(),
            )
        )


def peak_memory_bytes() -> int:
    """Return the peak memory of this process, 0 if the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
