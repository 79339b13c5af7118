"""The times of a search: of a slice, of a work item, between two looks around."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass


class Pace:
    """Adapts the work of a slice to its time: a guess of a large game takes long.

    About `slice_s` pass between two exchanges with the other threads. `min_units` and `max_units`
    are the least and the most work of a slice; see `advance`.
    """

    def __init__(
        self, slice_s: float = 0.02, min_units: int = 100, max_units: int = 20_000
    ) -> None:
        self.slice_s, self.min_units, self.max_units = slice_s, min_units, max_units
        self.units = min_units
        self.start_s = 0.0

    def __enter__(self) -> None:
        self.start_s = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        elapsed_s = time.perf_counter() - self.start_s
        if elapsed_s < self.slice_s / 2:
            self.units = min(self.max_units, 2 * self.units)
        elif elapsed_s > 2 * self.slice_s:
            self.units = max(self.min_units, self.units // 2)


ItemTime = tuple[float, float]
"""Seconds for a work item: after the first no guess is begun, at the second all ends."""

UNTIL_DONE = (math.inf, math.inf)
"""Time without end."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """The times of a search; the tree does not depend on them."""

    alone_s: float = 0.04  # how long one thread searches alone: small games need no help
    slice_s: float = 0.02  # with the next two: see `Pace`
    min_units: int = 100
    max_units: int = 20_000
    look_s: float = 0.1  # between two calls of the watch while threads search
    # A thread divides its work after so many slices, if others wait: it never falls apart into
    # pieces that take less time than to hand them over.
    n_slices: int = 2
    piece_s: float = 0.06  # of guesses whose pace is known, a thread takes as many at once
    # Work that takes no longer is not worth sending to another process.
    local: ItemTime = (0.02, 0.03)
    # A work item's time elsewhere: the upper bounds that it carries are not much older, and little
    # is sent.
    remote: ItemTime = (1.0, 3.0)
    record_s: float = 10.0  # a node is recorded again after this much work in it, or below
    table_s: float = 300.0  # the table of proofs is recorded again after this time

    def make_pace(self) -> Pace:
        """Return the pace of a new thread."""
        return Pace(self.slice_s, self.min_units, self.max_units)
