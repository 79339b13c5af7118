"""Inseparable sets: a few candidates that no guess tells apart.

With two guesses left a state is won if and only if some guess gives each of its candidates a
response of its own. A state that holds an inseparable set is lost then, and so is, with three
guesses left, every guess to which all of the set respond alike. That is kept with the set, a bit
for each guess, so it serves every state that holds it. See `core.three_guesses`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit_bare, njit_bare_part, njit_inline
from .distinct import LANES
from .response_matrix import ResponseMatrix
from .scratch import Scratch
from .survey import is_separable

MAX_SIZE = 24
"""Larger sets are not kept; most have five to ten candidates."""

MAX_POOL = 40
"""A set is chosen from so many candidates of a cell."""

MAX_KEPT = 1 << 14
MAX_BYTES = 1 << 26
"""So many sets are kept at most, in so much memory. The oldest make room for new ones."""

N_SAMPLED = 64
"""By the guesses of so many tiles it is estimated which candidates are alike."""

U64 = np.uint64


class InseparableSets(NamedTuple):
    """The sets found so far by one thread, and scratch; arrays of length 0 where they are not used.

    Attributes
    ----------
    members : int32[n_kept, MAX_SIZE]
        The candidates of each set.
    sizes : int64[n_kept]
        How many they are.
    whole : uint64[n_kept, n_tiles]
        Guesses to which a set responds alike: bit x of a tile is its guess x.
    n_found : int64[1]
        How many sets were found; set number i stands at i modulo `n_kept`.
    open : uint64[n_tiles]
        Guesses of a state that are not refuted yet, as in `whole`.
    is_member : uint8[n_candidates]
        Whether a candidate belongs to the state; all 0 between calls.
    pool : int32[MAX_POOL]
        The candidates from which a set is chosen; in the end it stands at the beginning.
    alike : uint8[n_tiles, LANES]
        Guesses to which the candidates chosen so far respond alike.
    """

    members: NDArray[np.int32]
    sizes: NDArray[np.int64]
    whole: NDArray[np.uint64]
    n_found: NDArray[np.int64]
    open: NDArray[np.uint64]
    is_member: NDArray[np.uint8]
    pool: NDArray[np.int32]
    alike: NDArray[np.uint8]


def make_inseparable_sets(n_tiles: int, n_candidates: int, *, is_used: bool) -> InseparableSets:
    """Return an empty store; pages never written take no memory.

    Parameters
    ----------
    n_tiles
        Tiles of guesses of the game's ranking.
    n_candidates
        Of the search.
    is_used
        Whether the search has a limit, and the game a ranking.
    """
    n = int(is_used)
    n_kept = n * max(1, min(MAX_KEPT, MAX_BYTES // (8 * max(1, n_tiles))))
    return InseparableSets(
        np.zeros((n_kept, MAX_SIZE), dtype=np.int32),
        np.zeros(n_kept, dtype=np.int64),
        np.zeros((n_kept, n_tiles), dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        np.zeros(n * n_tiles, dtype=np.uint64),
        np.zeros(n * n_candidates, dtype=np.uint8),
        np.zeros(MAX_POOL, dtype=np.int32),
        np.zeros((n * n_tiles, LANES), dtype=np.uint8),
    )


@njit_bare
def learn_set(
    matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, members: NDArray[np.int32]
) -> int:
    """Find an inseparable set among candidates that are one, and keep it.

    Parameters
    ----------
    matrix, scratch
        The search.
    sets : InseparableSets
        Written in place.
    members : int32[n]
        The candidates; at least 3.

    Returns
    -------
    at : int
        Where the set stands; -1 if none is found that is small enough.

    Notes
    -----
    The smaller a set and the more alike its candidates, the more guesses it refutes and the more
    states hold it. So candidates are added by likeness until no guess tells them apart, and then
    all are dropped that are not needed for that: a minimal set is left.
    """
    pool, n = sets.pool, min(len(members), MAX_POOL)
    for i in range(n):
        pool[i] = members[i]
    n = _choose_alike(matrix, scratch, sets, n)
    n = _drop_needless(matrix, scratch, pool, n)
    if n < 3 or n > MAX_SIZE:
        return -1
    at = sets.n_found[0] % len(sets.sizes)
    sets.n_found[0] += 1
    sets.sizes[at] = n
    for i in range(n):
        sets.members[at, i] = pool[i]
    for tile in range(sets.whole.shape[1]):
        sets.whole[at, tile] = _pack_alike(matrix, pool, n, tile)
    return int(at)


@njit_bare_part
def _choose_alike(matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, n: int) -> int:
    """Order the pool by likeness until its beginning is inseparable; return its length, or 0."""
    pool, alike = sets.pool, sets.alike
    _bring_closest(matrix, sets, n)
    for tile in range(alike.shape[0]):
        for x in range(LANES):
            alike[tile, x] = 1
    for size in range(2, n):
        _narrow_alike(matrix, pool[0], pool[size - 1], alike)
        best, best_at = -1, size
        for at in range(size, n):
            count = _count_alike(matrix, pool[0], pool[at], alike)
            if count > best:
                best, best_at = count, at
        pool[size], pool[best_at] = pool[best_at], pool[size]
        if not is_separable(matrix, scratch, pool[: size + 1]):
            return size + 1
    return 0


@njit_bare_part
def _bring_closest(matrix: ResponseMatrix, sets: InseparableSets, n: int) -> None:
    """Bring the two most alike candidates of the pool to its beginning."""
    pool, alike = sets.pool, sets.alike
    for tile in range(alike.shape[0]):
        for x in range(LANES):
            alike[tile, x] = 1
    best, first, second = -1, 0, 1
    for j in range(n):
        for i in range(j):
            count = _count_alike(matrix, pool[i], pool[j], alike)
            if count > best:
                best, first, second = count, i, j
    pool[0], pool[first] = pool[first], pool[0]
    pool[1], pool[second] = pool[second], pool[1]


@njit_inline
def _count_alike(matrix: ResponseMatrix, a: int, b: int, alike: NDArray[np.uint8]) -> int:
    """Return to how many of the sampled marked guesses two candidates respond alike."""
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    step = 1 + alike.shape[0] // N_SAMPLED
    count = np.int64(0)
    for tile in range(0, alike.shape[0], step):
        block, part = tile // per_block, tile % per_block
        for x in range(LANES):
            is_equal = tiles[block, a, part, x] == tiles[block, b, part, x]
            count += alike[tile, x] & np.uint8(is_equal)
    return int(count)


@njit_bare_part
def _narrow_alike(matrix: ResponseMatrix, a: int, b: int, alike: NDArray[np.uint8]) -> None:
    """Clear the marks of guesses that tell two candidates apart."""
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    for tile in range(alike.shape[0]):
        block, part = tile // per_block, tile % per_block
        for x in range(LANES):
            alike[tile, x] &= np.uint8(tiles[block, a, part, x] == tiles[block, b, part, x])


@njit_bare_part
def _drop_needless(
    matrix: ResponseMatrix, scratch: Scratch, pool: NDArray[np.int32], n: int
) -> int:
    """Drop candidates without which the first `n` are inseparable, too; return how many stay."""
    at = n - 1
    while at >= 0 and n > 3:
        # The last one takes its place for the test: it was tested itself, or it is this one.
        pool[at], pool[n - 1] = pool[n - 1], pool[at]
        if not is_separable(matrix, scratch, pool[: n - 1]):
            n -= 1
        else:
            pool[at], pool[n - 1] = pool[n - 1], pool[at]
        at -= 1
    return n


@njit_bare_part
def _pack_alike(matrix: ResponseMatrix, pool: NDArray[np.int32], n: int, tile: int) -> np.uint64:
    """Return the guesses of a tile to which the first `n` of the pool respond alike, a bit each."""
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    block, part = tile // per_block, tile % per_block
    bits = U64(0)
    for x in range(LANES):
        is_alike = True
        for i in range(1, n):
            is_alike &= tiles[block, pool[0], part, x] == tiles[block, pool[i], part, x]
        bits |= U64(is_alike) << U64(x)
    return bits
