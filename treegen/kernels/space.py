"""Scratch memory of one search: vectors, candidates' marks, cells, the best guess so far."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_inline
from .board import N_COLORS, NEEDS_ALL, Board
from .lanes import LANES
from .orbits import N_ROWS
from .tails import Tails, make_tails

FOUND, SIZES, ORDER, VALUE, BEST = range(5)
"""Rows of `Space.notes`."""

GUESS, LIMIT, N_TIED, IS_DONE, N_LEFT, KIND, CELLS, COLORS, N_FOUND = range(9)
"""Entries of the row `FOUND`: the best guess (``NULL`` at first), the most that the first
criterion may be, guesses as good as the best, whether no other guess need be tried; number of
candidates; kind of the bound; responses that do not win; number of colors."""

MOST = np.iinfo(np.int64).max
QUICK_CODES = 2048
"""A quick start goes without heads and tails in games of fewer codes: the kernels for them take as
long to compile as half of the others, and spare a game of 1,296 codes 2 ms."""

CHUNK = 4096
"""Guesses that are listed at once, at most."""

CHUNK_PAIRS = 2**26
"""Pairs of guess and candidate of the guesses that are listed at once, at most: a moment."""


class Space(NamedTuple):
    """Scratch memory, allocated once for many states; nothing in it outlives a state.

    Attributes
    ----------
    work : uint8[n_bytes]
        Rows of bytes, one lane for each candidate. For each peg and color: the weight of a black
        peg where the candidate has that color there. For each color and count: 1 where the
        candidate has it that often. Then the packed responses to the first 0, 1, … pegs of the
        guess at hand, the last row being the packed responses to the whole guess.
    marks : uint8[n_codes]
        1 at the ranks of the candidates.
    notes : int64[5, n]
        `FOUND`; cells of the guess at hand; packed responses in the order in which they are
        counted; the criteria's values of the guess at hand; those of the best guess.
    tied : int32[n_codes]
        Guesses as good as the best, where the tie-break needs all of them.
    guesses : int32[CHUNK]
        Guesses to be tried.
    orbits : int64[n_rows, n]
        See the module orbits.
    maps : int16[n_permutations, n_pegs + n_colors]
        Symmetries of the history: where each peg's color comes from, and what colors turn to.
    tails : Tails, optional
        Scratch memory of states of few candidates.
    stop : int64[1]
        Not 0 where another thread wants the search to end, whatever it has found.
    """

    work: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    notes: NDArray[np.int64]
    tied: NDArray[np.int32]
    guesses: NDArray[np.int32]
    orbits: NDArray[np.int64]
    maps: NDArray[np.int16]
    tails: Tails | None
    stop: NDArray[np.int64]


def make_space(board: Board, n_most: int, *, quick_start: bool = False) -> Space:
    """Return scratch memory for states of up to `n_most` candidates; see `QUICK_CODES`."""
    n_codes, n_pegs = board.digits.shape
    n_colors = int(board.options[N_COLORS])
    n_rows = (2 * n_colors + 1) * n_pegs + 1
    n_bytes = n_rows * -(-n_most // LANES) * LANES
    work = np.empty(n_bytes + LANES, dtype=np.uint8)
    start = -work.ctypes.data % LANES
    n_cells = board.packing.shape[1] + 1
    notes = np.zeros((5, (len(board.kinds) + 1) * n_cells + N_FOUND), dtype=np.int64)
    notes[ORDER, : n_cells - 1] = board.packing[0]
    return Space(
        work[start : start + n_bytes],
        np.zeros(n_codes, dtype=np.uint8),
        notes,
        np.empty(n_codes if board.options[NEEDS_ALL] else 0, dtype=np.int32),
        np.empty(CHUNK, dtype=np.int32),
        np.zeros((N_ROWS, max(n_colors, n_pegs + 1)), dtype=np.int64),
        np.zeros((len(board.permutations), n_pegs + n_colors), dtype=np.int16),
        None if quick_start and n_codes < QUICK_CODES else make_tails(board),
        np.zeros(1, dtype=np.int64),
    )


@njit_inline
def pad_lanes(n: int) -> int:
    """Return the least multiple of the vector's lanes that is not below `n`."""
    return (n + LANES - 1) // LANES * LANES
