"""The best guess so far, and whether another is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_bare_part, njit_inline
from .answers import count_cell
from .board import IS_STRICT, NEEDS_ALL, Board
from .choose import REMOVALS, compare, evaluate_partition
from .space import BEST, FOUND, GUESS, IS_DONE, LIMIT, N_TIED, SIZES, VALUE, Space


@njit_bare_part
def consider_guess(
    board: Board, space: Space, answers: NDArray[np.uint8], guess: int, n: int
) -> None:
    """Compare a guess with the best by all criteria; keep it if it is better."""
    found, value, best = space.notes[FOUND], space.notes[VALUE], space.notes[BEST]
    sizes = space.notes[SIZES, : board.packing.shape[1] + 1]
    for i in range(board.packing.shape[1]):
        sizes[board.packing[1, i]] = count_cell(answers, board.packing[0, i])
    largest = space.notes[SIZES, len(sizes) - 1]
    for size in sizes:
        largest = max(largest, size)
    if largest == n:
        return
    length = evaluate_partition(board.kinds, board.tables, sizes, value)
    order = compare(value, best, length)
    if order < 0 or found[GUESS] < 0:
        for i in range(length):
            best[i] = value[i]
        found[GUESS] = guess
        found[LIMIT] = best[0] - board.options[IS_STRICT]
        found[N_TIED] = 0
        found[IS_DONE] = is_unbeatable(board, largest, sizes[-1] > 0)
    if order <= 0 and board.options[NEEDS_ALL]:
        space.tied[found[N_TIED]] = guess
        found[N_TIED] += 1


@njit_inline
def is_unbeatable(board: Board, largest: int, is_consistent: bool) -> bool:
    """Return whether no later guess can be better: each candidate in a cell of its own."""
    if board.options[NEEDS_ALL]:
        return False
    if len(board.kinds) == 0:
        return True
    if largest > 1:
        return False
    for kind in board.kinds:  # noqa: SIM110 (numba knows no any)
        if kind == REMOVALS and not is_consistent:
            return False
    return True
