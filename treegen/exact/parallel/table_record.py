"""The table of proofs, recorded so that a resumed search knows what was proved before.

The records of nodes (`checkpoint`) say which guesses of the large states were tried; this one holds
what was proved below the guesses that were not tried to their end.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from ..._cleanup import owe_saving
from ...tasks import Checkpoint
from ..core import Entries, list_largest, put_entries

FORMAT = 1
"""To be raised when the keys of states, or what an entry says, change: old ones are not found."""

MOST_ENTRIES = 1 << 22
"""Of larger tables the entries of the largest states are kept: 128 MiB at most."""


class TableRecord:
    """A table in a checkpoint.

    Parameters
    ----------
    checkpoint
        Where it is.
    search
        The name of the search in it, with everything that the entries depend on.
    entries : uint64[n_entries, 4]
        The table's.
    record_s
        It is written again after so many seconds; when the search is ended, after a tenth of that.
    """

    def __init__(
        self, checkpoint: Checkpoint, search: str, entries: Entries, record_s: float
    ) -> None:
        self._checkpoint, self._entries, self._record_s = checkpoint, entries, record_s
        name = hashlib.sha256(f"{FORMAT}; {search}".encode("ascii")).hexdigest()
        self._name = f"table-{name[:32]}"
        self._written_s = time.monotonic()

    def restore(self) -> None:
        """Fill the empty table with what was recorded, if there is a record."""
        body = self._checkpoint.find(self._name)
        if body is not None:
            rows = np.frombuffer(body, "<u8").reshape(-1, self._entries.shape[1])
            put_entries(self._entries, rows)

    def write_if_due(self, *, is_end: bool = False) -> None:
        """Write it if that was not done for long; other threads may fill the table meanwhile."""
        wait_s = self._record_s / 10 if is_end else self._record_s
        if time.monotonic() - self._written_s >= wait_s:
            self.write()

    def write(self) -> None:
        """Write it."""
        rows = list_largest(self._entries, MOST_ENTRIES)
        self._checkpoint.save(self._name, rows.astype("<u8", copy=False).tobytes())
        self._written_s = time.monotonic()

    def drop(self) -> None:
        """Forget it: the search is complete, which the records of its nodes say."""
        self._checkpoint.drop(self._name)


@contextmanager
def keep_table(
    checkpoint: Checkpoint | None,
    search: str,
    entries: Entries,
    record_s: float,
    *,
    is_kept: bool = False,
) -> Iterator[Callable[[], None]]:
    """Restore an empty table, and record it until the search is complete.

    See `TableRecord`; without a checkpoint nothing is recorded.

    Parameters
    ----------
    is_kept
        Whether the record stays then, with what was proved last.

    Yields
    ------
    Callable[[], None]
        To be called now and then while the search goes on.
    """
    if checkpoint is None:
        yield lambda: None
        return
    record = TableRecord(checkpoint, search, entries, record_s)
    record.restore()
    with owe_saving("the table of proofs"):
        try:
            yield record.write_if_due
        except BaseException:
            record.write_if_due(is_end=True)
            raise
        if is_kept:
            record.write()
    if not is_kept:
        record.drop()
