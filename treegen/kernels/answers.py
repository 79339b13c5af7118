"""Packed responses of a state's candidates to a guess, and the cells they fall into."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_inline
from .board import HAS_WHITE, N_COLORS, WEIGHT
from .lanes import LANES, add_lanes, count_lanes
from .space import pad_lanes


@njit_inline
def fill_columns(
    digits: NDArray[np.uint8],
    options: NDArray[np.int64],
    candidates: NDArray[np.int32],
    work: NDArray[np.uint8],
) -> None:
    """Write the rows of a state: where its candidates have each color, and how often.

    Parameters
    ----------
    digits, options
        Of `Board`.
    candidates : int32[n]
        Ranks.
    work : uint8[n_bytes]
        Written in place; lanes beyond the candidates answer 255, which is no response.
    """
    n_pegs, n_colors = digits.shape[1], options[N_COLORS]
    n_lanes = pad_lanes(len(candidates))
    white_row = n_pegs * n_colors
    start = 2 * white_row * n_lanes
    for place in range(start + n_lanes):
        work[place] = 0
    for lane in range(len(candidates), n_lanes):
        work[start + lane] = 255
    for lane in range(len(candidates)):
        rank = candidates[lane]
        for peg in range(n_pegs):
            color = np.int64(digits[rank, peg])
            work[(peg * n_colors + color) * n_lanes + lane] = options[WEIGHT]
            if options[HAS_WHITE]:
                row = white_row + color * n_pegs + count_earlier(digits, rank, peg)
                work[row * n_lanes + lane] = 1


@njit_inline
def count_earlier(digits: NDArray[np.uint8], rank: int, peg: int) -> int:
    """Return on how many pegs before `peg` its color stands in a code."""
    count = 0
    for other in range(peg):
        count += digits[rank, other] == digits[rank, peg]
    return count


@njit_inline
def count_shared(digits: NDArray[np.uint8], a: int, b: int) -> int:
    """Return on how many first pegs two codes agree, at most all but one."""
    shared = 0
    while shared < digits.shape[1] - 1 and digits[a, shared] == digits[b, shared]:
        shared += 1
    return shared


@njit_inline
def respond_from(
    digits: NDArray[np.uint8],
    n_colors: int,
    guess: int,
    first: int,
    n_lanes: int,
    work: NDArray[np.uint8],
) -> None:
    """Write the packed responses to a guess, those to its first `first` pegs being there."""
    n_pegs = digits.shape[1]
    white_row = n_pegs * n_colors
    for peg in range(first, n_pegs):
        color = int(np.int64(digits[guess, peg]))
        before = (2 * white_row + peg) * n_lanes
        black = (peg * n_colors + color) * n_lanes
        white = (white_row + color * n_pegs + count_earlier(digits, guess, peg)) * n_lanes
        for lane in range(0, n_lanes, LANES):
            add_lanes(work, before + n_lanes + lane, before + lane, black + lane, white + lane)


@njit_inline
def count_cell(answers: NDArray[np.uint8], packed: int) -> int:
    """Return how many answers equal a packed response."""
    count = 0
    for lane in range(0, len(answers), LANES):
        count += count_lanes(answers, lane, packed)
    return count


@njit_inline
def has_cell(answers: NDArray[np.uint8], packed: int) -> bool:
    """Return whether any answer equals a packed response."""
    for lane in range(0, len(answers), LANES):  # noqa: SIM110 (numba knows no any)
        if count_lanes(answers, lane, packed):
            return True
    return False


@njit_inline
def exceeds_largest(
    answers: NDArray[np.uint8], order: NDArray[np.int64], n_left: int, limit: int
) -> bool:
    """Return whether a cell that does not win is larger than a limit.

    Parameters
    ----------
    answers : uint8[n_lanes]
        Packed responses.
    order : int64[n_responses - 1]
        Packed responses as they are counted; one that decides moves to the front.
    n_left : int
        Candidates that do not answer with the win.
    limit : int
        The most that is allowed.
    """
    for i in range(len(order)):
        size = count_cell(answers, order[i])
        if size > limit:
            if i > 0:
                order[i - 1], order[i] = order[i], order[i - 1]
            return True
        n_left -= size
        if n_left <= limit:
            return False
    return False


@njit_inline
def lacks_parts(
    answers: NDArray[np.uint8], order: NDArray[np.int64], n_left: int, needed: int
) -> bool:
    """Return whether fewer than `needed` cells that do not win are not empty."""
    n_cells = len(order)
    is_large = n_left > 4 * n_cells
    for i in range(len(order)):
        size = int(has_cell(answers, order[i])) if is_large else count_cell(answers, order[i])
        n_left -= size
        n_cells -= 1
        needed -= size > 0
        if min(n_left, n_cells) < needed:
            if i > 0:
                order[i - 1], order[i] = order[i], order[i - 1]
            return True
    return False


@njit_inline
def exceeds_sum(
    answers: NDArray[np.uint8],
    order: NDArray[np.int64],
    lines: NDArray[np.int64],
    n_left: int,
    limit: int,
) -> bool:
    """Return whether the sum of a table over the cells that do not win exceeds a limit.

    Parameters
    ----------
    lines : int64[3, n]
        Of `Board`.
    """
    n_cells = len(order)
    previous = n_left
    for i in range(len(order)):
        size = count_cell(answers, order[i])
        limit -= lines[0, size]
        n_left -= size
        n_cells -= 1
        if size > previous:
            order[i - 1], order[i] = order[i], order[i - 1]
        else:
            previous = size
        if n_cells > 0:
            mean = n_left // n_cells
            if lines[1, mean] * n_left + lines[2, mean] * n_cells > limit:
                return True
    return limit < 0
