"""Count the distinct responses to a block of guesses at once: for games of any number of them.

A block's responses to one candidate stand next to each other, a lane for each guess. Few candidates
are compared in pairs: a response is new where no earlier one is equal, that is, where the least
exclusive or with the earlier ones is not zero. That takes n² / 2 vector operations and needs no
table, and a block is dropped as soon as none of its guesses can still get above a threshold. For
many candidates each guess has a flag for each response.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit_bare_part, njit_inline

LANES = 64
"""Guesses of a block."""

MAX_PAIRED = 40
"""With more candidates flags are quicker than pairs (measured)."""

STEP = 8
"""Earlier candidates that a new one is compared with at a time."""

CHECK = 4
"""After so many candidates a block is dropped if it is hopeless."""


class Lanes(NamedTuple):
    """Scratch of the counts, of length 0 where a game has few responses.

    Attributes
    ----------
    rows : uint8[MAX_PAIRED, LANES]
        The responses of the candidates so far.
    nearest : uint8[LANES]
        Least exclusive or of the newest response and the earlier ones.
    seen : uint8[LANES, n_responses]
        Whether the response occurred.
    """

    rows: NDArray[np.unsignedinteger]
    nearest: NDArray[np.unsignedinteger]
    seen: NDArray[np.uint8]


def make_lanes(n_responses: int, *, is_used: bool) -> Lanes:
    """Return the scratch for a game of so many responses; arrays of length 0 if it is not used."""
    dtype = np.uint8 if n_responses <= 256 else np.uint16
    n = int(is_used)
    return Lanes(
        np.zeros((n * MAX_PAIRED, LANES), dtype=dtype),
        np.zeros(n * LANES, dtype=dtype),
        np.zeros((n * LANES, n_responses), dtype=np.uint8),
    )


@njit_bare_part
def count_distinct(
    blocks: NDArray[np.unsignedinteger],
    block: int,
    members: NDArray[np.int32],
    threshold: int,
    lanes: Lanes,
    counts: NDArray[np.unsignedinteger],
) -> int:
    """Add the number of distinct responses to each guess of a block; return the largest sum.

    Parameters
    ----------
    blocks : uint8[n_blocks, n_candidates, LANES]
        Responses.
    block : int
        Which of them.
    members : int32[n]
        The candidates.
    threshold : int
        Sums up to here do not matter: 0 is returned if there is no larger one.
    lanes : Lanes
        Scratch.
    counts : uint8[n_blocks, LANES]
        The block's row is what is added to; written in place. It means nothing if 0 is returned.
    """
    if len(members) > MAX_PAIRED:
        most = _count_by_flags(blocks, block, members, lanes.seen, counts)
    else:
        most = _count_by_pairs(blocks, block, members, threshold, lanes, counts)
    return most if most > threshold else 0


@njit_bare_part
def _count_by_pairs(
    blocks: NDArray[np.unsignedinteger],
    block: int,
    members: NDArray[np.int32],
    threshold: int,
    lanes: Lanes,
    counts: NDArray[np.unsignedinteger],
) -> int:
    """Compare each response with the earlier ones; stop if all remaining ones would not do."""
    rows, nearest = lanes.rows, lanes.nearest
    narrow, one = rows.dtype.type, counts.dtype.type
    n = len(members)
    most = 0
    for j in range(n):
        member = members[j]
        for x in range(LANES):
            rows[j, x] = blocks[block, member, x]
            nearest[x] = 255
        i = 0
        while i + STEP <= j:
            _compare(rows, i, j, nearest)
            i += STEP
        while i < j:
            for x in range(LANES):
                nearest[x] = min(nearest[x], narrow(rows[i, x] ^ rows[j, x]))
            i += 1
        for x in range(LANES):
            counts[block, x] += one(nearest[x] != 0)
        if (j + 1) % CHECK == 0 or j == n - 1:
            most = _largest_in(counts, block)
            if most + n - j - 1 <= threshold:
                return 0
    return most


@njit_inline
def _compare(
    rows: NDArray[np.unsignedinteger], i: int, j: int, nearest: NDArray[np.unsignedinteger]
) -> None:
    """Compare row `j` with rows ``i … i + 7``: one after another would store eight times."""
    narrow = rows.dtype.type  # sums and exclusive ors are wide otherwise
    for x in range(LANES):
        r = rows[j, x]
        a = min(narrow(rows[i, x] ^ r), narrow(rows[i + 1, x] ^ r))
        b = min(narrow(rows[i + 2, x] ^ r), narrow(rows[i + 3, x] ^ r))
        c = min(narrow(rows[i + 4, x] ^ r), narrow(rows[i + 5, x] ^ r))
        d = min(narrow(rows[i + 6, x] ^ r), narrow(rows[i + 7, x] ^ r))
        nearest[x] = min(nearest[x], min(min(a, b), min(c, d)))


@njit_bare_part
def _count_by_flags(
    blocks: NDArray[np.unsignedinteger],
    block: int,
    members: NDArray[np.int32],
    seen: NDArray[np.uint8],
    counts: NDArray[np.unsignedinteger],
) -> int:
    """Set a flag for each response to each guess, and count them."""
    seen[:] = 0
    for i in range(len(members)):
        member = members[i]
        for x in range(LANES):
            seen[x, blocks[block, member, x]] = 1
    for x in range(LANES):
        count = 0
        for response in range(seen.shape[1]):
            count += seen[x, response]
        counts[block, x] += count
    return _largest_in(counts, block)


@njit_bare_part
def _largest_in(counts: NDArray[np.unsignedinteger], block: int) -> int:
    """Return the largest number of a row."""
    most = counts.dtype.type(0)
    for x in range(LANES):
        most = max(most, counts[block, x])
    return int(np.int64(most))
