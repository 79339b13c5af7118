"""The local matrix: the responses among a state's own candidates, next to each other.

In the response matrix they are spread over as many rows as there are candidates, each of a line of
memory for one or two of them. Thousands of guesses of a state are tried, and for each its cells'
candidates are tested against each other: so the responses are copied once, each as a set of one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit_bare_part, njit_inline
from .response_matrix import TILE, ResponseMatrix
from .scratch import Scratch

U, U64 = np.uint32, np.uint64


@njit_inline
def forget_local_matrix(scratch: Scratch) -> None:
    """Begin with another state, whose local matrix is not made yet."""
    scratch.local[0] = 0


@njit_inline
def has_local_matrix(scratch: Scratch) -> bool:
    """Whether the local matrix is made."""
    return bool(scratch.local[0] > 0)


@njit_bare_part
def need_local_matrix(matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32]) -> None:
    """Make the local matrix of a state, unless it is made or the state is too large."""
    sets, n = scratch.sets, len(members)
    if has_local_matrix(scratch) or n * n > len(sets):
        return
    scratch.local[0] = n
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    for i in range(n):
        # The candidates' own rows of the matrix are far; what they answer in a tile is near.
        code = matrix.code_of[members[i]]
        tile, x = code // TILE, code % TILE
        block, part = tile // per_block, tile % per_block
        for j in range(n):
            sets[i * n + j] = U(1) << U(tiles[block, members[j], part, x])


@njit_inline
def count_local_doubles(scratch: Scratch, first: int, n: int, at: int) -> int:
    """Return how many candidates of a cell share a response to one of them with an earlier one.

    The cell's places in the state stand in `scratch.places` from `first` on.
    """
    sets, places = scratch.sets, scratch.places
    row = places[first + at] * U64(scratch.local[0])
    seen = U(0)
    for j in range(first, first + n):
        seen |= sets[row + places[j]]
    return n - _count_bits(seen)


@njit_inline
def _count_bits(x: np.uint32) -> int:
    """Return the number of bits of 32."""
    x = U(x - ((x >> U(1)) & U(0x55555555)))
    x = U((x & U(0x33333333)) + ((x >> U(2)) & U(0x33333333)))
    x = U((x + (x >> U(4))) & U(0x0F0F0F0F))
    return int(U(x * U(0x01010101)) >> U(24))
