"""The progress of a search, its observers, and the log of its settings and work."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import __version__
from ..games import Game
from ..tree import History

MAX_ROWS = 10_000
"""The course of a search is cut at so many rows; its end is always there."""

LEADING_GUESS = "leading guess"
"""The stage of a search in which one first guess is searched ahead of all others."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: int
    best: int | None
    n_states: int


Watch = Callable[[Progress], bool]
"""Called now and then; True ends the search with what it has."""


class SearchLog:
    """The settings, counts and course of one search.

    Attributes
    ----------
    settings
        What was requested, and with what it ran.
    counts
        States entered, guesses tried, lookaheads made, lookaheads that the table spared.
    course
        Rows of seconds, stage, proved bound, best total: one whenever one of them changed.
    """

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.course: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] = {}
        self._start_s = time.perf_counter()
        self._start_cpu_s = time.process_time()

    def start(self, game: Game, strategy: str, history: History, **settings: Any) -> None:
        """Begin with the settings."""
        self._start_s, self._start_cpu_s = time.perf_counter(), time.process_time()
        self.settings = {
            "game": game.name,
            "strategy": strategy,
            "history": [list(pair) for pair in history],
            **settings,
            "versions": _list_versions(),
        }

    def listen(self, watch: Watch | None) -> Watch:
        """Return a watch that keeps the course and then asks the given one."""

        def listening(progress: Progress) -> bool:
            self._add(progress.stage, progress.bound, progress.best)
            return watch is not None and watch(progress)

        return listening

    def end(self, outcome: str, bound: int | None = None, total: int | None = None) -> None:
        """Record how it ended."""
        self.outcome = {
            "outcome": outcome,
            "bound": bound,
            "total": total,
            "seconds": round(time.perf_counter() - self._start_s, 3),
            "cpu_seconds": round(time.process_time() - self._start_cpu_s, 3),
        }

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {**self.settings, **self.outcome, "counts": self.counts, "course": self.course}

    def _add(self, stage: str, bound: int, best: int | None) -> None:
        row = {"stage": stage, "bound": bound, "best": best}
        last = self.course[-1] if self.course else {}
        if len(self.course) < MAX_ROWS and any(last.get(key) != row[key] for key in row):
            seconds = round(time.perf_counter() - self._start_s, 3)
            self.course.append({"seconds": seconds, **row})


def _list_versions() -> dict[str, str]:
    import numba
    import numpy as np

    return {
        "treegen": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }
