"""What is known about each opening while many are searched, and the ranking at the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgpack

from ..errors import TreeError
from ..tasks import Checkpoint
from .engine.cost import INFEASIBLE

TASK = "openings"
"""The name of the results in a checkpoint."""


@dataclass(frozen=True, slots=True)
class OpeningTotal:
    """A first guess and a tree that begins with it: the best one, or that of a rule.

    Attributes
    ----------
    code
        The first guess; of those that symmetry maps to each other, the least.
    total
        The tree's total.
    histogram
        Secrets found at guess 1, 2, 3 … in it.

    Raises
    ------
    TreeError
        The histogram has another total: that is a fault of the search.
    """

    code: int
    total: int
    histogram: tuple[int, ...]

    def __post_init__(self) -> None:
        own = sum(length * n for length, n in enumerate(self.histogram, start=1))
        if own != self.total:
            raise TreeError(
                f"internal error: a search claims the total {self.total} after a first guess, and"
                f" its tree has {own}; please report the command"
            )

    @property
    def average(self) -> float:
        """Mean length of the games; 0 where the only candidate is announced at once."""
        return self.total / max(1, sum(self.histogram))

    @property
    def n_worst(self) -> int:
        """How many secrets need the longest game; 0 where no guess is needed."""
        return self.histogram[-1] if self.histogram else 0

    @property
    def worst(self) -> int:
        """Length of the longest game."""
        return len(self.histogram)


@dataclass(frozen=True, slots=True)
class OpeningRanking:
    """The best first guesses.

    Attributes
    ----------
    rows
        The best first; equal ones in the order of codes.
    n_openings
        How many first guesses there are.
    n_tied
        How many more have the total of the last row.
    proved
        Whether every other first guess was shown to have no smaller total than the last row.
    n_open
        How many were not; 0 if it is proved.
    """

    rows: tuple[OpeningTotal, ...]
    n_openings: int
    n_tied: int
    proved: bool
    n_open: int


class Board:
    """The openings of a ranking; threads take them in order and put up what they found.

    Parameters
    ----------
    top
        How many are wanted.
    most
        No total is larger.
    """

    def __init__(self, top: int, most: int = INFEASIBLE - 1) -> None:
        self.top, self._most = top, most
        self.rows: dict[int, OpeningTotal] = {}
        self.bounds: dict[int, int] = {}
        self._limits: dict[int, int] = {}
        self._openings: list[int] = []
        self._next = 0
        self._lock = threading.Lock()
        self._saved_s = time.monotonic()
        self._checkpoint: Checkpoint | None = None

    def open(self, openings: Sequence[int]) -> None:
        """Begin with these openings, in this order."""
        self._openings = list(openings)

    @property
    def threshold(self) -> int:
        """The total that the last opening of the list has at most, by what is known so far."""
        limits = self._limits | {code: row.total for code, row in self.rows.items()}
        known = sorted(limits.values())
        return known[self.top - 1] if len(known) >= self.top else self._most

    @property
    def best(self) -> int | None:
        """The least total so far; None before there is one."""
        return min((row.total for row in self.rows.copy().values()), default=None)

    def limit(self, code: int, total: int) -> None:
        """Note a tree that begins with an opening."""
        with self._lock:
            self._limits[code] = min(total, self._limits.get(code, total))

    def take(self) -> tuple[int, int] | None:
        """Return the next opening and the total to get below; None if there are no more.

        A total that ties with the last of the list is wanted, too: which openings are listed must
        not depend on the order in which threads end.
        """
        with self._lock:
            below = self.threshold + 1
            while self._next < len(self._openings):
                code = self._openings[self._next]
                self._next += 1
                if code not in self.rows and self.bounds.get(code, 0) < below:
                    return code, below
            return None

    def add(self, code: int, total: int, histogram: Sequence[int]) -> None:
        """Put up the least total of an opening."""
        with self._lock:
            self.rows[code] = OpeningTotal(code, total, tuple(histogram))

    def exclude(self, code: int, bound: int) -> None:
        """Put up that no tree that begins with an opening has a total below a bound."""
        with self._lock:
            self.bounds[code] = max(bound, self.bounds.get(code, 0))

    def count(self) -> tuple[int, int]:
        """Return how many openings were taken, and how many there are."""
        return self._next, len(self._openings)

    def keep_in(self, checkpoint: Checkpoint) -> None:
        """Put up what an earlier run left in a folder, and keep what is found there."""
        self._checkpoint = checkpoint
        body = checkpoint.find(TASK)
        if body is None:
            return
        rows, bounds = msgpack.unpackb(body)
        for code, total, histogram in rows:
            self.add(code, total, histogram)
        for code, bound in bounds:
            self.exclude(code, bound)

    def save_if_due(self, seconds: float) -> None:
        """Write what is known into the folder, if that was not done for so many seconds."""
        with self._lock:
            is_due = time.monotonic() - self._saved_s > seconds
            self._saved_s = time.monotonic() if is_due else self._saved_s
        if is_due:
            self.save()

    def save(self) -> None:
        """Write what is known into the folder, if there is one."""
        if self._checkpoint is None:
            return
        with self._lock:
            rows = [[row.code, row.total, list(row.histogram)] for row in self.rows.values()]
            body = msgpack.packb([rows, list(self.bounds.items())])
        self._checkpoint.save(TASK, body)

    def rank(self, *, is_complete: bool) -> OpeningRanking:
        """Return the best openings."""
        ranked = sorted(self.rows.values(), key=lambda row: (row.total, row.code))
        rows = ranked[: self.top]
        last = rows[-1].total if rows else 0
        n_tied = sum(row.total == last for row in ranked[self.top :])
        n_open = sum(
            code not in self.rows and self.bounds.get(code, 0) <= last for code in self._openings
        )
        n_openings = max(len(self._openings), len(ranked))
        return OpeningRanking(tuple(rows), n_openings, n_tied, is_complete, n_open)
