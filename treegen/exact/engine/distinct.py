"""Count the distinct responses to a tile of guesses at once: for games of any number of them.

A tile's responses to one candidate stand next to each other, a lane for each guess. Few candidates
are compared in pairs: a response is new where no earlier one is equal, that is, where the least
exclusive or with the earlier ones is not zero. That takes n² / 2 vector operations and needs no
table, and a tile is dropped as soon as none of its guesses can still get above a threshold. For
many candidates each guess has a flag for each response.

What takes the time of the latter is memory: the responses of all guesses do not fit any cache. So
the tiles of a block, which stand next to each other too, are copied together.
"""

from __future__ import annotations

import numpy as np

from ...jit.compiler import njit, njit_part
from . import Int32s, UInts
from .responses import LANES, MAX_ROWS, Scratch

MAX_PAIRED = 40
"""With more candidates flags are quicker (measured), unless few may respond alike."""

STEP = 8
"""Earlier candidates that a new one is compared with at a time."""

CHECK = 4
"""After each of these many candidates a tile is dropped if it is hopeless."""

FLAGS_CHECK = 64
"""The same where flags are counted."""


@njit_part(inline=True)
def _is_paired(n: int, threshold: int) -> bool:
    """Whether `n` candidates are compared in pairs; also with any higher threshold.

    Where nearly all responses must differ, a tile is dropped after a few candidates.
    """
    return n <= MAX_PAIRED or (n <= MAX_ROWS and 4 * (n - threshold) <= n)


@njit(is_leaf=True)
def copy_block(tiles: UInts, block: int, members: Int32s, threshold: int, scratch: Scratch) -> None:
    """Copy the responses to a block of guesses, unless candidates are compared in pairs."""
    if not _is_paired(len(members), threshold):
        copy_responses(tiles, block, members, scratch)


@njit_part(inline=True)
def copy_responses(tiles: UInts, block: int, members: Int32s, scratch: Scratch) -> None:
    """Copy the responses of a state's candidates to a block of guesses."""
    copied = scratch.copied
    for i in range(len(members)):
        member = members[i]
        for part in range(copied.shape[1]):
            for x in range(LANES):
                copied[i, part, x] = tiles[block, member, part, x]


@njit(is_leaf=True)
def count_distinct(
    tiles: UInts, tile: int, members: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Add the number of distinct responses to each guess of a tile; return the largest sum.

    Sums up to the threshold do not matter: 0 is returned if there is no larger one, and then the
    tile's row of `block_cells`, which is added to, means nothing. `tiles` is [n_blocks,
    n_candidates, tiles of a block, LANES]; `copy_block` was called for the tile's block, with no
    higher threshold.
    """
    if _is_paired(len(members), threshold):
        most = _count_by_pairs(tiles, tile, members, threshold, scratch)
    else:
        most = _count_by_flags(len(members), tile, threshold, scratch)
    return most if most > threshold else 0


@njit_part
def _count_by_pairs(
    tiles: UInts, tile: int, members: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Compare each response with the earlier ones; stop if all remaining ones would not do."""
    rows, nearest, counts = scratch.rows, scratch.nearest, scratch.block_cells
    block, part = tile // tiles.shape[2], tile % tiles.shape[2]
    narrow, one = rows.dtype.type, counts.dtype.type
    n = len(members)
    most = 0
    for j in range(n):
        member = members[j]
        for x in range(LANES):
            rows[j, x] = tiles[block, member, part, x]
            nearest[x] = 255
        i = 0
        while i + STEP <= j:
            compare_rows(rows, i, j, nearest)
            i += STEP
        while i < j:
            for x in range(LANES):
                nearest[x] = min(nearest[x], narrow(rows[i, x] ^ rows[j, x]))
            i += 1
        for x in range(LANES):
            counts[tile, x] += one(nearest[x] != 0)
        if (j + 1) % CHECK == 0 or j == n - 1:
            most = _largest_in(counts, tile)
            if most + n - j - 1 <= threshold:
                return 0
    return most


@njit_part(inline=True)
def compare_rows(rows: UInts, i: int, j: int, nearest: UInts) -> None:
    """Compare row `j` with rows ``i … i + 7``: one after another would store eight times."""
    narrow = rows.dtype.type  # sums and exclusive ors are wide otherwise
    for x in range(LANES):
        r = rows[j, x]
        a = min(narrow(rows[i, x] ^ r), narrow(rows[i + 1, x] ^ r))
        b = min(narrow(rows[i + 2, x] ^ r), narrow(rows[i + 3, x] ^ r))
        c = min(narrow(rows[i + 4, x] ^ r), narrow(rows[i + 5, x] ^ r))
        d = min(narrow(rows[i + 6, x] ^ r), narrow(rows[i + 7, x] ^ r))
        nearest[x] = min(nearest[x], min(min(a, b), min(c, d)))


@njit_part
def _count_by_flags(n: int, tile: int, threshold: int, scratch: Scratch) -> int:
    """Set a flag for each response to each guess, and count them now and then."""
    copied, seen, total = scratch.copied, scratch.seen, scratch.total
    counts = scratch.block_cells
    narrow = total.dtype.type
    part = tile % copied.shape[1]
    seen[:] = 0
    most = 0
    for first in range(0, n, FLAGS_CHECK):
        end = min(first + FLAGS_CHECK, n)
        for i in range(first, end):
            for x in range(LANES):
                seen[copied[i, part, x], x] = 1
        for x in range(LANES):
            total[x] = counts[tile, x]
        for response in range(seen.shape[0]):
            for x in range(LANES):
                total[x] = narrow(total[x] + seen[response, x])
        largest = narrow(0)
        for x in range(LANES):
            largest = max(largest, total[x])
        most = int(np.int64(largest))
        if most + n - end <= threshold:
            return 0
    for x in range(LANES):
        counts[tile, x] = total[x]
    return most


@njit_part
def _largest_in(counts: UInts, tile: int) -> int:
    """Return the largest number of a row."""
    most = counts.dtype.type(0)
    for x in range(LANES):
        most = max(most, counts[tile, x])
    return int(np.int64(most))
