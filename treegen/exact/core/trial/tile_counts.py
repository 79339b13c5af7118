"""Sizes of the cells of many guesses at once: most guesses that are tried die of them.

A *tile* is 64 guesses that stand next to each other in a block of the response matrix. Counting
a response in all of them takes one comparison and one addition of vectors for each candidate, so
a tile costs little more than a few guesses counted one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit_bare_part, njit_inline
from ..lookahead import TILE, ResponseMatrix, Scratch
from ..stack import Stack

MIN_TILE = 3
"""So many guesses of a tile in a row are worth counting it."""

U8 = np.uint8


@njit_bare_part
def is_worth_a_tile(scratch: Scratch, stack: Stack, depth: int, at: int) -> bool:
    """Whether many of the guesses from a place in the list on are in one tile."""
    last = at + MIN_TILE - 1
    if last >= stack.frames.n_guesses[depth] or len(scratch.masks) == 0:
        return False
    code, end = stack.guesses[depth, at], stack.guesses[depth, last]
    return bool(code < end and code // TILE == end // TILE)


@njit_bare_part
def count_tile(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32], tile: int
) -> None:
    """Write the sizes of the cells of a tile's guesses, without the winning one."""
    per_block = matrix.tiles.shape[2]
    block, part = tile // per_block, tile % per_block
    counts = scratch.small_counts
    counts[:] = 0
    # A byte holds the sum over so many candidates.
    for begin in range(0, len(members), 248):
        some = members[begin : min(begin + 248, len(members))]
        _add_counts(matrix.tiles, block, part, some, scratch.bytes)
        for response in range(counts.shape[0]):
            for x in range(TILE):
                counts[response, x] += scratch.bytes[response, x]


@njit_bare_part
def _add_counts(
    tiles: NDArray[np.unsignedinteger],
    block: int,
    part: int,
    members: NDArray[np.int32],
    counts: NDArray[np.uint8],
) -> None:
    """Count each response to a tile's guesses; four candidates at a time."""
    n = len(members)
    counts[:] = 0
    for i in range(0, n - 3, 4):
        a, b, c, d = members[i], members[i + 1], members[i + 2], members[i + 3]
        for response in range(counts.shape[0]):
            own = U8(response)
            for x in range(TILE):
                counts[response, x] += U8(
                    U8(tiles[block, a, part, x] == own)
                    + U8(tiles[block, b, part, x] == own)
                    + U8(tiles[block, c, part, x] == own)
                    + U8(tiles[block, d, part, x] == own)
                )
    for i in range(n - n % 4, n):
        a = members[i]
        for response in range(counts.shape[0]):
            own = U8(response)
            for x in range(TILE):
                counts[response, x] += U8(tiles[block, a, part, x] == own)


@njit_bare_part
def count_tile_costs(
    matrix: ResponseMatrix,
    scratch: Scratch,
    members: NDArray[np.int32],
    tile: int,
    bounds: NDArray[np.int64],
) -> None:
    """Write the least costs of the cells of a tile's guesses, by their sizes."""
    count_tile(matrix, scratch, members, tile)
    counts, costs, first = scratch.small_counts, scratch.tile_costs, tile * TILE
    for x in range(TILE):
        cost = 0
        for response in range(counts.shape[0]):
            cost += bounds[counts[response, x]]
        costs[first + x] = cost
    scratch.tiles_counted[tile] = scratch.tiles_counted[-1]


@njit_inline
def forget_tiles(scratch: Scratch) -> None:
    """Count all tiles anew from here on: for another state."""
    scratch.tiles_counted[-1] += 1


@njit_inline
def is_tile_counted(scratch: Scratch, tile: int) -> bool:
    """Whether the costs of a tile's guesses are those of the state under search."""
    return bool(scratch.tiles_counted[tile] == scratch.tiles_counted[-1])
