"""Pieces of a tree's columns: computing piece by piece takes little memory, whatever the tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

NODES_PER_PIECE = 1 << 16
"""Columns are processed in pieces of so many nodes."""


def iter_pieces(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of at most `NODES_PER_PIECE` nodes, from `begin` to `end - 1`."""
    for first in range(begin, end, NODES_PER_PIECE):
        yield first, min(first + NODES_PER_PIECE, end)


def iter_families(
    first_child: NDArray[np.int32], begin: int = 0, end: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield ranges of nodes such that neither they nor their children are too many at once."""
    end = len(first_child) - 1 if end is None else end
    while begin < end:
        last = min(begin + NODES_PER_PIECE, end)
        ends = first_child[begin + 1 : last + 1]
        # The most children, in the column's own type: another type would copy the column.
        most = np.int32(min(int(first_child[begin]) + NODES_PER_PIECE, 2**31 - 1))
        last = begin + max(1, int(np.searchsorted(ends, most, side="right")))
        yield begin, last
        begin = last


def sum_candidates(n_candidates: NDArray[np.int32], begin: int, end: int) -> int:
    """Return the sum of the candidates of some nodes."""
    return int(n_candidates[begin:end].sum(dtype=np.int64))


def sum_below(
    n_candidates: NDArray[np.int32], first_child: NDArray[np.int32], begin: int, end: int
) -> NDArray[np.int64]:
    """Return for each of some nodes the sum of its children's candidates."""
    places = first_child[begin : end + 1].astype(np.int64) - int(first_child[begin])
    counts = n_candidates[int(first_child[begin]) : int(first_child[end])]
    cumulated = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    return np.asarray(np.diff(cumulated[places]))
