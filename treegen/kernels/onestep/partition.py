"""Packed responses of a state's candidates to a guess, and the resulting cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit_inline, njit_leaf
from .criteria import Bound
from .game import RankedGame
from .workspace import LANES, MOST, add_lanes, count_lanes, pad_lanes


@njit_inline
def fill_columns(game: RankedGame, candidates: NDArray[np.int32], work: NDArray[np.uint8]) -> None:
    """Write the rows of a state, by rank: where its candidates have each color, and how often.

    Lanes beyond the candidates hold 255, which is not a response.
    """
    digits, repeats = game.digits, game.repeats
    n_pegs, n_colors = digits.shape[1], game.n_colors
    n_lanes = pad_lanes(len(candidates))
    white_row = n_pegs * n_colors
    start = 2 * white_row * n_lanes
    work[: start + n_lanes] = 0
    work[start + len(candidates) : start + n_lanes] = 255
    for lane in range(len(candidates)):
        rank = candidates[lane]
        for peg in range(n_pegs):
            color = np.int64(digits[rank, peg])
            work[(peg * n_colors + color) * n_lanes + lane] = game.weight
            if game.has_white:
                row = white_row + color * n_pegs + np.int64(repeats[rank, peg])
                work[row * n_lanes + lane] = 1


@njit_leaf
def count_cells(
    answers: NDArray[np.uint8], packing: NDArray[np.int64], sizes: NDArray[np.int64]
) -> int:
    """Write how many candidates have each packed response; return the largest size of all.

    `answers`, uint8[n_lanes], are the packed responses, `packing` is that of `RankedGame`. `sizes`,
    int64[n_cells + 1], are written by response, but for the last cell, that of the winning
    candidate.
    """
    n_cells = packing.shape[1]
    largest = int(sizes[n_cells])
    for i in range(n_cells):
        count = 0
        for lane in range(0, len(answers), LANES):
            count += count_lanes(answers, lane, packing[0, i])
        sizes[packing[1, i]] = count
        largest = max(largest, count)
    return largest


class Trial(NamedTuple):
    """What the guesses of a state are compared with."""

    kind: int  # of the first criterion's bound; `Bound.NONE` before there is an incumbent
    limit: int  # the upper limit of the first criterion
    n: int  # number of candidates
    n_colors: int


@njit_leaf
def find_survivor(
    digits: NDArray[np.uint8],
    repeats: NDArray[np.uint8],
    work: NDArray[np.uint8],
    marks: NDArray[np.uint8],
    order: NDArray[np.int64],
    lines: NDArray[np.int64],
    guesses: NDArray[np.int32],
    index: int,
    kind: int,
    limit: int,
    n: int,
    n_colors: int,
) -> int:
    """Return the index of the next guess that the first criterion does not rule out.

    Its responses are left in the last row of `work`. The search begins at `index` of `guesses`,
    ranks that ascend. In `order` the cells are counted; one that rules a guess out moves to the
    front. Arrays are those of `RankedGame` and `Workspace`; the last four arguments, of `Trial`.
    """
    trial = Trial(kind, limit, n, n_colors)
    n_pegs, previous = digits.shape[1], -1
    for at in range(index, len(guesses)):
        guess, peg = guesses[at], 0
        while previous >= 0 and peg < n_pegs - 1 and digits[previous, peg] == digits[guess, peg]:
            peg += 1
        previous = guess
        write_answers(digits, repeats, work, trial, guess, peg)
        if trial.kind == Bound.NONE:
            return at
        if is_through(work, order, lines, trial, int(np.int64(marks[guess])), n_pegs):
            return at
    return len(guesses)


@njit_inline
def write_answers(
    digits: NDArray[np.uint8],
    repeats: NDArray[np.uint8],
    work: NDArray[np.uint8],
    trial: Trial,
    guess: int,
    peg: int,
) -> None:
    """Write the packed responses to a guess whose first pegs, before `peg`, have been written.

    A packed response is at most 254 (`fits_ranked_game`), so no byte overflows.
    """
    n_pegs, n_colors, n_lanes = digits.shape[1], trial.n_colors, pad_lanes(trial.n)
    while peg < n_pegs:
        color = int(np.int64(digits[guess, peg]))
        black = (peg * n_colors + color) * n_lanes
        repeat = int(np.int64(repeats[guess, peg]))
        white = ((n_colors + color) * n_pegs + repeat) * n_lanes
        place = (2 * n_colors * n_pegs + peg) * n_lanes
        for lane in range(0, n_lanes, LANES):
            add_lanes(work, place + n_lanes + lane, place + lane, black + lane, white + lane)
        peg += 1


@njit_inline
def is_through(
    work: NDArray[np.uint8],
    order: NDArray[np.int64],
    lines: NDArray[np.int64],
    trial: Trial,
    n_wins: int,
    n_pegs: int,
) -> bool:
    """Count the cells of the written responses until the first criterion rules the guess out."""
    kind, n_kinds, n = trial.kind, len(order), trial.n
    n_lanes = pad_lanes(n)
    answers = (2 * trial.n_colors + 1) * n_pegs * n_lanes
    # What decides early comes first: with more candidates than cells the empty cells, else the
    # large ones.
    wants_empty = kind == Bound.PARTS and n > 2 * n_kinds
    n_left, n_cells, bound, last = n - n_wins, n_kinds, 0, MOST
    # A consistent guess has a winning cell: it is not counted below, its value is subtracted here.
    limit = trial.limit + (n_wins if kind == Bound.REMOVAL_CELL else -lines[0, n_wins])
    for cell in range(n_kinds):
        packed, size = order[cell], 0
        for lane in range(answers, answers + n_lanes, LANES):
            size += count_lanes(work, lane, packed)
            if kind == Bound.PARTS and size:
                break
        n_left, n_cells = n_left - size, n_cells - 1
        # One step of a bubble sort for each guess: the order follows the guesses just before.
        weight = size == 0 if wants_empty else size
        if weight > last:
            order[cell - 1], order[cell] = packed, order[cell - 1]
        last = weight
        if kind <= Bound.REMOVAL_CELL:
            bound = size
            if n_left <= limit:
                n_cells = 0
        else:
            limit -= lines[0, size]
            if n_left == 0:
                limit, n_cells = limit - lines[0, 0] * n_cells, 0
            # Any line bounds the rest, so a rounded mean, which is fast to compute, is good enough.
            mean = int(n_left / n_cells) if n_cells else 0
            bound = lines[1, mean] * n_left + lines[2, mean] * n_cells
        if bound > limit or n_cells == 0:
            break
    return bool(bound <= limit)
