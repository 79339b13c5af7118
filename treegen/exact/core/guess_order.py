"""Which guesses a state tries, and in what order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from .cost_model import INFEASIBLE, Terms
from .counts import count_cost
from .lookahead import Scratch, floor_of_guess, survey
from .response_matrix import Board
from .stack import BEST, LEFT, N_GUESSES, START, WIDTH, N, Stack

MIN_ESTIMATED = 300
ESTIMATED_PER_BEAM = 40
"""A beam estimates so many guesses at least, and so many for each that it keeps."""

N_SYMMETRIC = 3
"""Guesses, from the root on, that are tried up to symmetry; later it gains nothing."""


@njit_bare_part
def list_guesses(board: Board, terms: Terms, scratch: Scratch, stack: Stack, depth: int) -> None:
    """List the guesses of the state on top that may cost less than its `BEST`, least floor first.

    Guesses of one floor stand in the order of codes; in states of `terms.n_sorted` candidates
    or more all are sorted by their estimate instead.
    """
    frame = stack.frames[depth]
    members = stack.members[depth - 1, frame[START] : frame[START] + frame[N]]
    limits = scratch.limits
    frame[N_GUESSES] = 0
    bound = survey(board, terms, scratch, members, frame[LEFT], limits)
    frame[WIDTH] = max(limits[0], limits[1])
    if bound >= frame[BEST]:
        return
    floors = scratch.floors
    floors[:] = INFEASIBLE
    for wins in range(2):
        for n_cells in range(2 - wins, limits[wins] + 1):
            floors[wins, n_cells] = floor_of_guess(
                terms, frame[N], frame[LEFT], n_cells, wins == 1, limits
            )
    for i in range(len(members)):
        scratch.is_candidate[board.code_of[members[i]]] = 1
    marks = stack.marks[0]
    if depth <= N_SYMMETRIC:
        marks = stack.marks[depth]
    _rank_floors(floors, frame[BEST], scratch.ranks, scratch.starts)
    _place_guesses(terms, scratch, stack, depth, marks)
    if len(members) >= terms.n_sorted:
        _sort_by_estimate(board, terms, scratch, stack, depth)
    for i in range(len(members)):
        scratch.is_candidate[board.code_of[members[i]]] = 0


@njit_bare_part
def _sort_by_estimate(
    board: Board, terms: Terms, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """Order the listed guesses by the estimated cost of their cells; a beam keeps the first.

    With a beam only the guesses with the least floors are estimated at all.
    """
    frame = stack.frames[depth]
    members = stack.members[depth - 1, frame[START] : frame[START] + frame[N]]
    guesses, listed = stack.guesses[depth], stack.floors[depth]
    keys = scratch.keys
    n_codes = board.by_guess.shape[0]
    n_listed = frame[N_GUESSES]
    if terms.beam > 0:
        n_listed = min(n_listed, max(MIN_ESTIMATED, terms.beam * ESTIMATED_PER_BEAM))
    for i in range(n_listed):
        estimate = count_cost(board.by_guess, members, guesses[i], terms.estimates, scratch.sizes)
        keys[i] = estimate * n_codes + guesses[i]
    _sort(keys, n_listed)
    if terms.beam > 0:
        n_listed = min(n_listed, terms.beam)
    frame[N_GUESSES] = n_listed
    for i in range(n_listed):
        code = keys[i] % n_codes
        guesses[i] = code
        listed[i] = scratch.floors[scratch.is_candidate[code], scratch.n_parts[code]]


@njit_bare_part
def _sort(keys: NDArray[np.int64], n: int) -> None:
    """Sort the first `n` keys in place (Shell's sort)."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            key = keys[i]
            at = i
            while at >= gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        gap //= 3


@njit_bare_part
def _place_guesses(
    terms: Terms, scratch: Scratch, stack: Stack, depth: int, marks: NDArray[np.uint8]
) -> None:
    """Write the marked guesses whose floor has a rank, by rank (a counting sort)."""
    is_candidate, n_parts = scratch.is_candidate, scratch.n_parts
    floors, ranks, starts = scratch.floors, scratch.ranks, scratch.starts
    guesses, listed = stack.guesses[depth], stack.floors[depth]
    for code in range(len(marks)):
        if marks[code] == 1 and (is_candidate[code] == 1 or not terms.candidates_only):
            starts[ranks[is_candidate[code], n_parts[code]] + 1] += 1
    starts[0] = 0
    for rank in range(1, len(starts)):
        starts[rank] += starts[rank - 1]
    stack.frames[depth, N_GUESSES] = starts[-1]
    for code in range(len(marks)):
        if marks[code] == 1 and (is_candidate[code] == 1 or not terms.candidates_only):
            rank = ranks[is_candidate[code], n_parts[code]]
            if rank >= 0:
                guesses[starts[rank]] = code
                listed[starts[rank]] = floors[is_candidate[code], n_parts[code]]
                starts[rank] += 1


@njit_bare_part
def _rank_floors(
    floors: NDArray[np.int64], best: int, ranks: NDArray[np.int64], starts: NDArray[np.int64]
) -> None:
    """Write the rank of each floor among those below `best`, ascending, and -1 for the others."""
    ranks[:] = -1
    starts[:] = 0
    rank = -1
    last = -1
    while True:
        least = best
        for wins in range(2):
            for n_cells in range(floors.shape[1]):
                if last < floors[wins, n_cells] < least:
                    least = floors[wins, n_cells]
        if least >= best:
            return
        rank += 1
        last = least
        for wins in range(2):
            for n_cells in range(floors.shape[1]):
                if floors[wins, n_cells] == least:
                    ranks[wins, n_cells] = rank
