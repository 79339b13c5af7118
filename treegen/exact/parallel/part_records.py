"""The parts of a search that are done, recorded so that a killed search can be resumed."""

from __future__ import annotations

import time

import msgpack

from ...tasks import Checkpoint


class PartRecords:
    """What is known of the parts of one search, in one file of a checkpoint.

    Parameters
    ----------
    checkpoint
        Where it is.
    search
        The name of the search in it.
    record_s
        It is written again after so many seconds.
    """

    def __init__(self, checkpoint: Checkpoint, search: str, record_s: float) -> None:
        self._checkpoint, self._name, self._record_s = checkpoint, f"parts-{search}", record_s
        body = checkpoint.find(self._name)
        self._known = {} if body is None else msgpack.unpackb(body)
        self._is_saved, self._saved_s = True, time.monotonic()

    def find(self, part: str, upper_bound: int) -> tuple[int | None, bytes] | None:
        """Return the cost of a part (None: not below the upper bound) and its plan, if known."""
        text, plan = self._known.get(part, ("0", None))
        value = int(text)
        if plan is None:
            return (None, b"") if value >= upper_bound else None
        return (value, plan) if value < upper_bound else (None, b"")

    def add(self, part: str, upper_bound: int, cost: int | None, plan: bytes) -> None:
        """Record a result; write all of them if that was not done for long."""
        # As texts: no limit keeps a cost to 64 bits.
        self._known[part] = [str(upper_bound), None] if cost is None else [str(cost), plan]
        self._is_saved = False
        if time.monotonic() - self._saved_s >= self._record_s:
            self.save()

    def save(self) -> None:
        """Write what was not written yet."""
        if not self._is_saved:
            self._checkpoint.save(self._name, msgpack.packb(self._known))
            self._is_saved, self._saved_s = True, time.monotonic()
