"""Scratch memory of one search: vectors, candidates' marks, cells, the best guess so far."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_inline
from .lanes import LANES
from .orbits import N_ORBIT_ROWS, Orbits, name_orbits
from .ranked_game import RankedGame
from .suffix_tables import SuffixArena, SuffixTables, make_suffix_arena

MOST = np.iinfo(np.int64).max
QUICK_CODES = 2048
"""A quick start avoids prefixes and suffixes in games of fewer codes: their kernels take
half as long to compile as all others, and save a game of 1,296 codes 2 ms."""

CHUNK = 4096
"""Guesses that are listed at once, at most."""

CHUNK_PAIRS = 2**26
"""Pairs of guess and candidate of the guesses listed at once, at most: a fraction of a second."""


class Incumbent(NamedTuple):
    """The best guess so far. All but its values are arrays of one number.

    Attributes
    ----------
    guess : int64[1]
        Its rank; -1 before there is one.
    limit : int64[1]
        The upper limit of the first criterion of a guess that is still worth comparing.
    n_tied : int64[1]
        Guesses as good as the best, where the tie-break needs all of them.
    is_final : int64[1]
        Whether no other guess need be tried.
    values : int64[n]
        Its criteria's values.
    """

    guess: NDArray[np.int64]
    limit: NDArray[np.int64]
    n_tied: NDArray[np.int64]
    is_final: NDArray[np.int64]
    values: NDArray[np.int64]


class Workspace(NamedTuple):
    """Scratch memory of an arena, by name; nothing in it outlives a state.

    Attributes
    ----------
    work : uint8[n_bytes]
        Rows of bytes, one lane for each candidate. For each peg and color: the weight of a black
        peg where the candidate has that color there. For each color and count: 1 where the
        candidate has it that often. Then the packed responses to the first 0, 1, … pegs of the
        current guess, the last row being the packed responses to the whole guess.
    marks : uint8[n_codes]
        1 at the ranks of the candidates.
    sizes : int64[n_responses]
        Candidates in each cell of the current guess.
    order : int64[n_responses - 1]
        Packed responses in the order in which their cells are counted.
    values : int64[n]
        The criteria's values of the current guess.
    incumbent : Incumbent
        The best guess so far.
    tied : int32[n_codes]
        Guesses as good as the best, where the tie-break needs all of them.
    guesses : int32[CHUNK]
        Guesses to be tried.
    orbits : Orbits
        What is known about the state's symmetry.
    maps : int16[n_permutations, n_pegs + n_colors]
        Symmetries of the history: where each peg's color comes from, and what each color becomes.
    suffixes : SuffixTables, optional
        Scratch memory of states of few candidates.
    stop : int64[1]
        Not 0 if another thread wants the search to end, whatever it has found.
    """

    work: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    order: NDArray[np.int64]
    values: NDArray[np.int64]
    incumbent: Incumbent
    tied: NDArray[np.int32]
    guesses: NDArray[np.int32]
    orbits: Orbits
    maps: NDArray[np.int16]
    suffixes: SuffixTables | None
    stop: NDArray[np.int64]


class Arena(NamedTuple):
    """The memory of a workspace, in few blocks: each costs time when Python calls a kernel.

    Attributes
    ----------
    work, marks, tied, guesses, maps, stop
        Of `Workspace`.
    values : int64[4, n]
        `Workspace.sizes`, `order` and `values`; the values of the incumbent.
    numbers : int64[4, 1]
        The other columns of `Incumbent`.
    n_responses : int
        Of the game.
    orbits : int64[N_ORBIT_ROWS, n]
        See `name_orbits`.
    suffixes : SuffixArena, optional
        Memory of states of few candidates.
    """

    work: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    values: NDArray[np.int64]
    numbers: NDArray[np.int64]
    n_responses: int
    tied: NDArray[np.int32]
    guesses: NDArray[np.int32]
    orbits: NDArray[np.int64]
    maps: NDArray[np.int16]
    suffixes: SuffixArena | None
    stop: NDArray[np.int64]


def make_arena(game: RankedGame, n_most: int, *, quick_start: bool = False) -> Arena:
    """Return memory for states of up to `n_most` candidates; see `QUICK_CODES`."""
    n_codes, n_pegs = game.digits.shape
    n_colors = game.n_colors
    n_rows = (2 * n_colors + 1) * n_pegs + 1
    n_bytes = n_rows * -(-n_most // LANES) * LANES
    work = np.empty(n_bytes + LANES, dtype=np.uint8)
    start = -work.ctypes.data % LANES
    n_responses = game.packing.shape[1] + 1
    values = np.zeros((4, (len(game.kinds) + 1) * n_responses), dtype=np.int64)
    values[1, : n_responses - 1] = game.packing[0]
    return Arena(
        work[start : start + n_bytes],
        np.zeros(n_codes, dtype=np.uint8),
        values,
        np.zeros((4, 1), dtype=np.int64),
        n_responses,
        np.empty(n_codes if game.needs_all else 0, dtype=np.int32),
        np.empty(CHUNK, dtype=np.int32),
        np.zeros((N_ORBIT_ROWS, max(n_colors, n_pegs + 1)), dtype=np.int64),
        np.zeros((len(game.permutations), n_pegs + n_colors), dtype=np.int16),
        None if quick_start and n_codes < QUICK_CODES else make_suffix_arena(game),
        np.zeros(1, dtype=np.int64),
    )


@njit_inline
def name_columns(arena: Arena, suffixes: SuffixTables | None) -> Workspace:
    """Return the columns that an arena's blocks hold."""
    values, numbers, n = arena.values, arena.numbers, arena.n_responses
    return Workspace(
        arena.work,
        arena.marks,
        values[0, :n],
        values[1, : n - 1],
        values[2],
        Incumbent(numbers[0], numbers[1], numbers[2], numbers[3], values[3]),
        arena.tied,
        arena.guesses,
        name_orbits(arena.orbits),
        arena.maps,
        suffixes,
        arena.stop,
    )


@njit_inline
def pad_lanes(n: int) -> int:
    """Return the least multiple of the vector's lanes that is not below `n`."""
    return (n + LANES - 1) // LANES * LANES


@njit_inline
def limit_chunk(n: int) -> int:
    """Return how many guesses are listed at once for a state of `n` candidates."""
    return min(CHUNK, max(1, CHUNK_PAIRS // n))
