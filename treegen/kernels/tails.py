"""Scratch memory of the search in a state of few candidates: a lane for each ending of a guess.

A guess is a *head*, its first pegs, and a *tail*. The packed responses of one candidate to all
guesses with the same head stand in a row of bytes, one lane for each tail. Longer heads' rows
come from shorter ones': a peg more adds its own part, and takes away what the tails with the same
color had for a candidate that has this color less often than the guess.

The colors that may be guessed are numbered without gaps; how tails of so many colors look is
written once, as a *pattern*: rows of lanes that do not depend on the state.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .board import BOUND, CANDIDATES_ONLY, DISTINCT, FAMILY, N_COLORS, PLAIN, WEIGHT, Board
from .bounds import NO_BOUND, TABLE_SUM
from .lanes import LANES

FEWEST, MANY = 3, 64
"""So many candidates at least, and at most, has a state that is searched so."""

MAX_COLORS = 16
MAX_TAILS = 1024

N_TAIL_PEGS, N_LANES, AT, DIGITS, IS_MADE, N_SHAPE = range(6)
"""Of a pattern: pegs of a tail; lanes; offsets of it and of its last rows, the tails' colors;
whether there is one."""

N_STEPS, MOST, IS_NEW, N_NUMBERS, N_PEGS, DEPTH, PLACE, ANSWERS, N_STATE = range(9)
"""Entries of `Tails.state`: the last two arguments of `tally_lanes`, and whether they changed since
it was called; numbers of colors; pegs of a guess; of the list of guesses the length of the head and
the next lane; offset of the answers to the guess that was listed last, one in each row."""

NUMBERS, NAMES, HEAD, PATH = range(4)
"""Rows of `Tails.colors`."""

VALUES, RATINGS, STEPS, PATTERNS = 0, 4 * LANES, 5 * LANES, 6 * LANES
"""Offsets in `Tails.work`: rows of the four values that a peg may have; of `tally_lanes`."""


class Tails(NamedTuple):
    """Scratch memory, empty where a game or a strategy does not fit.

    Attributes
    ----------
    work : uint8[n_bytes]
        See the offsets above; patterns; for each length of a head the candidates' rows, those of
        the same 64 lanes together, the last row telling which lanes are no guess.
    shapes : int64[n_colors + 1, N_SHAPE]
        Of the patterns, by the number of colors. Row 0 holds where the heads' rows begin, and
        `IS_MADE` where game and strategy fit.
    state : int64[N_STATE]
        See `N_STEPS` and the other names above.
    colors : int64[4, n]
        The number of each color; the color of each number; the head at hand, as numbers of
        colors; the guess at hand, as colors.
    looks : int64[n_pegs + n_colors, MANY]
        For each peg the number of each candidate's color; for each number of a color, how often
        a candidate has it.
    """

    work: NDArray[np.uint8]
    shapes: NDArray[np.int64]
    state: NDArray[np.int64]
    colors: NDArray[np.int64]
    looks: NDArray[np.int64]


def make_tails(board: Board) -> Tails:
    """Return scratch memory for states of few candidates."""
    n_pegs, n_colors = board.digits.shape[1], int(board.options[N_COLORS])
    patterns = np.zeros(0, dtype=np.uint8)
    shapes = np.zeros((n_colors + 1, N_SHAPE), dtype=np.int64)
    n_rows = 0
    if fits_tails(board):
        is_distinct = bool(board.options[FAMILY] == DISTINCT)
        patterns, shapes = make_patterns(n_colors, n_pegs, int(board.options[WEIGHT]), is_distinct)
        n_rows = int(((n_pegs - shapes[:, N_TAIL_PEGS] + 1) * shapes[:, N_LANES]).max())
    work = np.zeros(len(patterns) + n_rows * (MANY + 1) + LANES, dtype=np.uint8)
    work = work[-work.ctypes.data % LANES :]
    work[: len(patterns)] = patterns
    return Tails(
        work,
        shapes,
        np.zeros(N_STATE, dtype=np.int64),
        np.zeros((4, max(n_colors, n_pegs)), dtype=np.int64),
        np.zeros((n_pegs + n_colors, MANY), dtype=np.int64),
    )


def fits_tails(board: Board) -> bool:
    """Return whether all codes may be guessed and the first criterion can be bounded by lane."""
    options = board.options
    if options[FAMILY] == PLAIN or options[CANDIDATES_ONLY] or options[N_COLORS] > MAX_COLORS:
        return False
    table = board.lines[0, : MANY + 1]
    is_convex = bool(table[0] == 0 and np.all(np.diff(table, 2) >= 0))
    return bool(options[BOUND] != NO_BOUND and (options[BOUND] != TABLE_SUM or is_convex))


@lru_cache(maxsize=4)
def make_patterns(
    n_colors: int, n_pegs: int, weight: int, is_distinct: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the first bytes of `Tails.work`, up to the heads' rows, and `Tails.shapes`."""
    values = np.repeat(np.array([0, 1, weight, weight + 1], dtype=np.uint8), LANES)
    parts = [values, np.zeros(PATTERNS - len(values), dtype=np.uint8)]
    shapes = np.zeros((n_colors + 1, N_SHAPE), dtype=np.int64)
    end = PATTERNS
    for count in range(n_colors if is_distinct else 1, n_colors + 1):
        pattern = make_pattern(count, n_pegs, weight, is_distinct)
        n_tail_pegs = (len(pattern) - count - 2) // (2 * count + 1)
        n_lanes = pattern.shape[1]
        shapes[count] = n_tail_pegs, n_lanes, end, end + pattern.size - n_tail_pegs * n_lanes, 1
        end += pattern.size
        parts.append(pattern.ravel())
    shapes[0, AT], shapes[0, IS_MADE] = end, 1
    return np.concatenate(parts), shapes


def make_pattern(n_colors: int, n_pegs: int, weight: int, is_distinct: bool) -> NDArray[np.uint8]:
    """Return the pattern of so many colors.

    Its rows are: for each peg and color, the weight of a black peg where the tail has it; for
    each color and count, 1 where the tail has it at least so often; for each color, 255 where the
    tail has it, which no tail of a head with that color may if codes are without repetition;
    zeros; 255 where there is no tail; for each peg the tail's color.
    """
    n_tail_pegs = 1
    while n_tail_pegs < n_pegs and n_colors ** (n_tail_pegs + 1) <= MAX_TAILS:
        n_tail_pegs += 1
    digits = np.indices((n_colors,) * n_tail_pegs, dtype=np.uint8).reshape(n_tail_pegs, -1)
    colors = np.arange(n_colors, dtype=np.uint8)
    is_at = digits[:, None, :] == colors[:, None]
    counts = is_at.sum(axis=0, dtype=np.uint8)
    if is_distinct:
        is_tail = (counts <= 1).all(axis=0)
        digits, is_at, counts = digits[:, is_tail], is_at[:, :, is_tail], counts[:, is_tail]
    n_tails = digits.shape[1]
    pattern = np.zeros(
        ((2 * n_tail_pegs + 1) * n_colors + 2 + n_tail_pegs, -(-n_tails // LANES) * LANES),
        dtype=np.uint8,
    )
    rows = iter(np.split(pattern, np.cumsum([n_tail_pegs * n_colors] * 2 + [n_colors, 1, 1])))
    next(rows)[:, :n_tails] = weight * is_at.reshape(-1, n_tails)
    least = np.arange(1, n_tail_pegs + 1, dtype=np.uint8)[:, None]
    next(rows)[:, :n_tails] = (counts[:, None, :] >= least).reshape(-1, n_tails)
    next(rows)[:, :n_tails] = 255 * (counts > 0) * is_distinct
    next(rows)
    next(rows)[:, n_tails:] = 255
    next(rows)[:, :n_tails] = digits
    return pattern
