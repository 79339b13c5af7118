"""What a near-optimal search keeps in a folder, so that a later one goes on from there."""

from __future__ import annotations

import time
from typing import NamedTuple

import msgpack

from ...tasks import Checkpoint
from .beam import Best, WeightedBeam
from .problem import UNLIMITED
from .solver import StateProof

TASK = "best"
"""The name of the record in its folder."""

PAUSE_FACTOR = 20
"""Between two records there is so many times the time that one takes."""


class Proved(NamedTuple):
    """A lower bound of the total, and how many guesses the search for it looked ahead.

    Attributes
    ----------
    bound
        No total is below it.
    n_ahead
        -1: it is not searched for yet.
    """

    bound: int = 0
    n_ahead: int = -1


class BeamRecord:
    """The record of a search: the best trees of its states, and what is proved of the total.

    Parameters
    ----------
    beam
        The search.
    checkpoint
        The folder; None: nothing is kept.
    pause_s
        The least time between two records.

    Notes
    -----
    The trees of a beam depend on its width alone, not on what was known before. The bound depends
    on the solver's table; so the table is kept, too, until the bound is proved, and a record of
    that time is written between two states, never in the middle of one. So a search that goes on
    ends with the tree and the bound of one that was never ended.
    """

    def __init__(
        self, beam: WeightedBeam, checkpoint: Checkpoint | None = None, pause_s: float = 0.0
    ) -> None:
        self.beam, self._checkpoint, self._pause_s = beam, checkpoint, pause_s
        self._next_s = time.monotonic() + pause_s

    def load(self) -> tuple[Proved, bool]:
        """Put what the folder has into the beam; return what is proved, and whether it has any."""
        body = None if self._checkpoint is None else self._checkpoint.find(TASK)
        if body is None:
            return Proved(), False
        proved, states, table = msgpack.unpackb(body)
        self.beam.known.update((key, Best(*best)) for key, *best in states)
        self.beam.solver.table.update(
            ((key, UNLIMITED), StateProof(lower, value, guess))
            for key, lower, value, guess in table
        )
        return Proved(*proved), True

    def save_if_due(self, proved: Proved) -> None:
        """Write what is known, if that was not done for some time."""
        if self._checkpoint is not None and time.monotonic() >= self._next_s:
            self.save(proved)

    def save(self, proved: Proved) -> None:
        """Write what is known."""
        if self._checkpoint is None:
            return
        start_s = time.monotonic()
        # A list at once: the search may be going on in its thread.
        known = list(self.beam.known.items())
        states = [(key, best.value, best.guess, best.width) for key, best in known]
        table = [] if proved.n_ahead >= 0 else list(self.beam.solver.table.items())
        entries = [(key, entry.lower, entry.value, entry.guess) for (key, _), entry in table]
        self._checkpoint.save(TASK, msgpack.packb((proved, states, entries)))
        end_s = time.monotonic()
        self._next_s = end_s + max(self._pause_s, PAUSE_FACTOR * (end_s - start_s))
