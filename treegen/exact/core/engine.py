"""What one thread of the exact search works with: the kernels' arrays, and a pace."""

from __future__ import annotations

import time
from typing import NamedTuple

from .branch_and_bound import advance, push_root
from .cost_model import INFEASIBLE, Terms
from .lookahead import Scratch, make_scratch
from .response_matrix import Board
from .stack import BASE, DEPTH, Stack, make_stack
from .symmetry import Group
from .transposition_table import Memory, share_memory

SLICE_S = 0.02
"""About the time between two looks at what the others have found."""

MIN_UNITS, MAX_UNITS = 100, 20_000
"""Least and most work of a slice."""

MAX_FRAMES = 120
"""Trees deeper than this are not looked for."""


class Engine(NamedTuple):
    """What the kernels of one thread need."""

    board: Board
    group: Group
    terms: Terms
    scratch: Scratch
    stack: Stack
    memory: Memory

    def run(self, pace: Pace) -> bool:
        """Search for a slice; whether it is over."""
        with pace:
            advance(*self, pace.units)
        return bool(self.stack.control[DEPTH] < self.stack.control[BASE])


def make_engine(
    board: Board,
    group: Group,
    terms: Terms,
    memory: Memory,
    past: tuple[int, ...],
    left: int,
    best: int = INFEASIBLE,
) -> Engine:
    """Return the arrays of a thread, the root in the first frame.

    Parameters
    ----------
    board, group, terms
        The search.
    memory
        Is shared with the other threads.
    past
        Guesses made before the root.
    left, best
        Guesses allowed; the cost to get below.
    """
    n_codes, n = board.by_guess.shape
    n_frames = min(n, left or MAX_FRAMES) + 2
    stack = make_stack(n, n_codes, board.n_responses, n_frames, list(past))
    push_root(stack, n, left, best)
    scratch = make_scratch(n_codes, board.n_responses)
    return Engine(board, group, terms, scratch, stack, share_memory(memory))


class Pace:
    """Finds how much work fits a slice: a guess of a large game takes long."""

    def __init__(self) -> None:
        self.units = MIN_UNITS
        self.start_s = 0.0

    def __enter__(self) -> None:
        self.start_s = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        elapsed_s = time.perf_counter() - self.start_s
        if elapsed_s < SLICE_S / 2:
            self.units = min(MAX_UNITS, 2 * self.units)
        elif elapsed_s > 2 * SLICE_S:
            self.units = max(MIN_UNITS, self.units // 2)
