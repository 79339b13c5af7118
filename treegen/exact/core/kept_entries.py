"""The entries of a table of proofs that are worth a file, and the way back into a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .transposition_table import N_PLACES, Entries, list_keys, list_sizes

CHUNK = 1 << 20
"""So many entries are looked at in one go: a table of many GiB is not copied."""


def list_largest(entries: Entries, n_most: int) -> Entries:
    """Return the entries of the largest states of a table: they took the most work to prove.

    Parameters
    ----------
    entries : uint64[n_entries, 4]
        Others may write to them meanwhile: an entry that was half written fits no state.
    n_most
        So many at most; of states of one size all are kept, or none.

    Returns
    -------
    uint64[n, 4]
        Those of the smallest states first.
    """
    counts = np.zeros(1, dtype=np.int64)
    for chunk in _cut(entries):
        found = np.bincount(list_sizes(chunk))
        longer, shorter = (found, counts) if len(found) > len(counts) else (counts, found)
        counts = longer.astype(np.int64)
        counts[: len(shorter)] += shorter
    counts[0] = 0  # places never written
    n_as_large = counts[::-1].cumsum()[::-1]
    least = max(1, int(np.count_nonzero(n_as_large > n_most)))
    kept = [chunk[list_sizes(chunk) >= least] for chunk in _cut(entries)]
    rows = np.concatenate(kept)
    result: Entries = rows[np.argsort(list_sizes(rows), kind="stable")]
    return result


def put_entries(entries: Entries, rows: Entries) -> None:
    """Write what `list_largest` returned to an empty table of any size.

    Of the states that share a place the largest one stays, and the next beside it, as where the
    search writes them.
    """
    places = (list_keys(rows) & np.uint64(len(entries) - N_PLACES)).astype(np.int64)
    # Where an index is repeated numpy keeps the last value: that of the largest state.
    last = np.full(len(entries) // N_PLACES, -1, dtype=np.int64)
    last[places // N_PLACES] = np.arange(len(rows))
    is_largest = last[places // N_PLACES] == np.arange(len(rows))
    entries[places[is_largest]] = rows[is_largest]
    entries[places[~is_largest] + 1] = rows[~is_largest]


def _cut(entries: Entries) -> Iterator[NDArray[np.uint64]]:
    for first in range(0, len(entries), CHUNK):
        yield entries[first : first + CHUNK]
