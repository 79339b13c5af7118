"""Scratch memory of the search in a state of few candidates: a lane for each ending of a guess.

A guess is a *prefix*, its first pegs, and a *suffix*. The packed responses of one candidate to all
guesses with the same prefix are in a row of bytes, one lane for each suffix. The rows of longer
prefixes come from those of shorter ones: one more peg adds its own part, and subtracts what
suffixes with the same color had for a candidate that has this color less often than the guess. The
colors that may be guessed are numbered without gaps; the suffixes of so many colors are written
once, as a *pattern*: rows of lanes that do not depend on the state.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_inline
from .bounds import Bound
from .lanes import LANES
from .ranked_game import RankedGame

FEWEST_CANDIDATES, MOST_CANDIDATES = 3, 64
"""The least and the most candidates of a state that is searched this way."""

MAX_COLORS = 16
MAX_SUFFIXES = 1024


class Offset(IntEnum):
    """Where something begins in `SuffixTables.work`; kernels index by the values."""

    VALUES = 0
    """Rows of the four values that a peg may have."""
    RATINGS = 4 * LANES
    """What `tally_lanes` writes."""
    STEPS = 5 * LANES
    """What `tally_lanes` adds for each time an answer was given before."""
    PATTERNS = 6 * LANES


class Shapes(NamedTuple):
    """The patterns, by the number of colors.

    Attributes
    ----------
    n_pegs : int64[n_colors + 1]
        Pegs of a suffix.
    n_lanes : int64[n_colors + 1]
        Suffixes, and unused lanes.
    starts : int64[n_colors + 1]
        Offset of the pattern.
    colors : int64[n_colors + 1]
        Offset of its last rows, the suffixes' colors.
    """

    n_pegs: NDArray[np.int64]
    n_lanes: NDArray[np.int64]
    starts: NDArray[np.int64]
    colors: NDArray[np.int64]


class SuffixTables(NamedTuple):
    """Scratch memory, empty if a game or a strategy does not fit.

    Attributes
    ----------
    work : uint8[n_bytes]
        See the offsets above; patterns; for each length of a prefix the candidates' rows, those of
        the same 64 lanes together, the last row marking lanes without a guess.
    shapes : Shapes
        Of the patterns.
    rows : int
        Offset of the prefixes' rows, 0 if game or strategy does not fit.
    n_steps, most, is_new : int64[1]
        The last two arguments of `tally_lanes`, and whether they changed since it was called.
    n_numbers : int64[1]
        How many colors are numbered.
    depth, lane : int64[1]
        In the list of guesses, the length of the prefix and the next lane.
    answers : int64[1]
        Offset of the responses to the guess listed last, one in each row.
    numbers, names : int64[n]
        The number of each color; the color of each number.
    prefix : int64[n]
        The current prefix, as numbers of colors.
    path : int64[n]
        The current guess, as colors.
    looks : int64[n_pegs + n_colors, MOST_CANDIDATES]
        For each peg the number of each candidate's color; for each number of a color, how often
        a candidate has it.
    """

    work: NDArray[np.uint8]
    shapes: Shapes
    rows: int
    n_steps: NDArray[np.int64]
    most: NDArray[np.int64]
    is_new: NDArray[np.int64]
    n_numbers: NDArray[np.int64]
    depth: NDArray[np.int64]
    lane: NDArray[np.int64]
    answers: NDArray[np.int64]
    numbers: NDArray[np.int64]
    names: NDArray[np.int64]
    prefix: NDArray[np.int64]
    path: NDArray[np.int64]
    looks: NDArray[np.int64]


class SuffixArena(NamedTuple):
    """The memory of `SuffixTables`, in few blocks: each costs time when Python calls a kernel.

    Attributes
    ----------
    work : uint8[n_bytes]
        Of `SuffixTables`.
    rows : int
        Of `SuffixTables`.
    shapes : int64[4, n_colors + 1]
        The columns of `Shapes`.
    numbers : int64[11, n]
        The columns from `n_steps` to `path`; single numbers use the first place.
    looks : int64[n_pegs + n_colors, MOST_CANDIDATES]
        Of `SuffixTables`.
    """

    work: NDArray[np.uint8]
    rows: int
    shapes: NDArray[np.int64]
    numbers: NDArray[np.int64]
    looks: NDArray[np.int64]


def make_suffix_arena(game: RankedGame) -> SuffixArena:
    """Return memory for states of few candidates."""
    n_pegs, n_colors = game.digits.shape[1], game.n_colors
    patterns = np.zeros(0, dtype=np.uint8)
    shapes = np.zeros((4, n_colors + 1), dtype=np.int64)
    n_rows = 0
    if fits_suffix_tables(game):
        patterns, shapes = make_patterns(n_colors, n_pegs, game.weight, game.is_distinct)
        n_rows = int(((n_pegs - shapes[0] + 1) * shapes[1]).max())
    work = np.zeros(len(patterns) + n_rows * (MOST_CANDIDATES + 1) + LANES, dtype=np.uint8)
    work = work[-work.ctypes.data % LANES :]
    work[: len(patterns)] = patterns
    return SuffixArena(
        work,
        len(patterns),
        shapes,
        np.zeros((11, max(n_colors, n_pegs)), dtype=np.int64),
        np.zeros((n_pegs + n_colors, MOST_CANDIDATES), dtype=np.int64),
    )


@njit_inline
def name_suffixes(arena: SuffixArena | None) -> SuffixTables | None:
    """Return the columns that blocks of memory hold."""
    if arena is None:  # then numba leaves out all that follows
        return None
    numbers = arena.numbers
    return SuffixTables(
        arena.work,
        Shapes(arena.shapes[0], arena.shapes[1], arena.shapes[2], arena.shapes[3]),
        arena.rows,
        numbers[0, :1],
        numbers[1, :1],
        numbers[2, :1],
        numbers[3, :1],
        numbers[4, :1],
        numbers[5, :1],
        numbers[6, :1],
        numbers[7],
        numbers[8],
        numbers[9],
        numbers[10],
        arena.looks,
    )


def fits_suffix_tables(game: RankedGame) -> bool:
    """Return whether all codes may be guessed and the first criterion can be bounded by lane."""
    if not game.has_symmetry or game.candidates_only or game.n_colors > MAX_COLORS:
        return False
    table = game.lines[0, : MOST_CANDIDATES + 1]
    is_convex = bool(table[0] == 0 and np.all(np.diff(table, 2) >= 0))
    return game.bound != Bound.NONE and (game.bound != Bound.TABLE_SUM or is_convex)


@lru_cache(maxsize=4)
def make_patterns(
    n_colors: int, n_pegs: int, weight: int, is_distinct: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the first bytes of `work`, up to the prefixes' rows, and `shapes`."""
    values = np.repeat(np.array([0, 1, weight, weight + 1], dtype=np.uint8), LANES)
    parts = [values, np.zeros(Offset.PATTERNS - len(values), dtype=np.uint8)]
    block = np.zeros((4, n_colors + 1), dtype=np.int64)
    shapes = Shapes(block[0], block[1], block[2], block[3])
    end = int(Offset.PATTERNS)
    for count in range(n_colors if is_distinct else 1, n_colors + 1):
        pattern = make_pattern(count, n_pegs, weight, is_distinct)
        n_suffix_pegs = (len(pattern) - count - 2) // (2 * count + 1)
        shapes.n_pegs[count], shapes.n_lanes[count] = n_suffix_pegs, pattern.shape[1]
        shapes.starts[count] = end
        end += pattern.size
        shapes.colors[count] = end - n_suffix_pegs * pattern.shape[1]
        parts.append(pattern.ravel())
    return np.concatenate(parts), block


def make_pattern(n_colors: int, n_pegs: int, weight: int, is_distinct: bool) -> NDArray[np.uint8]:
    """Return the pattern of so many colors.

    Its rows are: for each peg and color, the weight of a black peg where the suffix has it; for
    each color and count, 1 where the suffix has it at least so often; for each color, 255 where the
    suffix has it (not allowed after a prefix with that color if codes are without repetition);
    zeros; 255 where there is no suffix; for each peg the suffix's color.
    """
    n_suffix_pegs = 1
    while n_suffix_pegs < n_pegs and n_colors ** (n_suffix_pegs + 1) <= MAX_SUFFIXES:
        n_suffix_pegs += 1
    digits = np.indices((n_colors,) * n_suffix_pegs, dtype=np.uint8).reshape(n_suffix_pegs, -1)
    colors = np.arange(n_colors, dtype=np.uint8)
    is_at = digits[:, None, :] == colors[:, None]
    counts = is_at.sum(axis=0, dtype=np.uint8)
    if is_distinct:
        is_suffix = (counts <= 1).all(axis=0)
        digits, is_at, counts = digits[:, is_suffix], is_at[:, :, is_suffix], counts[:, is_suffix]
    n_suffixes = digits.shape[1]
    pattern = np.zeros(
        ((2 * n_suffix_pegs + 1) * n_colors + 2 + n_suffix_pegs, -(-n_suffixes // LANES) * LANES),
        dtype=np.uint8,
    )
    rows = iter(np.split(pattern, np.cumsum([n_suffix_pegs * n_colors] * 2 + [n_colors, 1, 1])))
    next(rows)[:, :n_suffixes] = weight * is_at.reshape(-1, n_suffixes)
    least = np.arange(1, n_suffix_pegs + 1, dtype=np.uint8)[:, None]
    next(rows)[:, :n_suffixes] = (counts[:, None, :] >= least).reshape(-1, n_suffixes)
    next(rows)[:, :n_suffixes] = 255 * (counts > 0) * is_distinct
    next(rows)
    next(rows)[:, n_suffixes:] = 255
    next(rows)[:, :n_suffixes] = digits
    return pattern


def are_few(sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which states have so few candidates that vectors of guesses are tried."""
    return sizes <= MOST_CANDIDATES


@njit_inline
def has_few(suffixes: SuffixTables | None, n: int) -> bool:
    """Return whether a state's guesses are tried by prefix and suffix."""
    if suffixes is None:
        return False
    return suffixes.rows > 0 and FEWEST_CANDIDATES <= n <= MOST_CANDIDATES
