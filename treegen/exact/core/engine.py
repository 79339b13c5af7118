"""One thread of the exact search: the kernels' arrays, and a pace."""

from __future__ import annotations

import time

from .branch_and_bound import advance, push_root
from .cost_model import INFEASIBLE, CostModel
from .lookahead import ResponseMatrix, make_inseparable_sets, make_scratch, make_slots
from .retry_list import make_retry_lists
from .search import Search
from .stack import make_room, make_stack
from .symmetry import Group, share_group
from .transposition_table import TranspositionTable, share_table

N_FRAMES = 120
"""The most frames of a new stack: few trees are deeper."""


def make_search(
    matrix: ResponseMatrix,
    group: Group,
    model: CostModel,
    table: TranspositionTable,
    history: tuple[int, ...],
    left: int,
    upper_bound: int = INFEASIBLE,
) -> Search:
    """Return the arrays of a thread, the root in the first frame.

    Parameters
    ----------
    matrix, group, model, table
        See `Search`. Other threads may have the same ones: what is written of them is copied, but
        for the table's entries.
    history
        Guesses made before the root.
    left, upper_bound
        Guesses allowed; the cost to get below.
    """
    n_codes, n = matrix.by_guess.shape
    n_frames = min(n, left or N_FRAMES, N_FRAMES) + 2
    stack = make_stack(n, n_codes, matrix.n_responses, n_frames, list(history))
    push_root(stack, n, left, upper_bound)
    scratch = make_scratch(n_codes, matrix.n_responses, n)
    lists = make_retry_lists(n_codes, matrix.n_responses)
    n_tiles = len(matrix.ranking.most)
    # After the first of three guesses two are left. A beam, and a search where only candidates may
    # be guessed, leave out guesses that might win.
    is_used = n_tiles > 0 and left > 3 and not model.candidates_only and model.beam == 0
    inseparable = make_inseparable_sets(n_tiles, n, is_used=is_used)
    is_sieved = n_tiles == 0 and not model.candidates_only
    slots = make_slots(n_codes, n, matrix.n_responses, is_used=is_sieved)
    own = share_group(group), share_table(table)
    return Search(matrix, own[0], model, scratch, stack, lists, slots, own[1], inseparable)


def run_slice(search: Search, pace: Pace) -> bool:
    """Search for a slice; whether the search is over."""
    control = search.stack.control
    if control.depth >= control.base_depth:
        make_room(search.stack, int(control.depth))
    with pace:
        advance(search, pace.units)
    return bool(control.depth < control.base_depth)


class Pace:
    """Adapts the work of a slice to its time: a guess of a large game takes long.

    Parameters
    ----------
    slice_s
        Approximate time between two exchanges with the other threads.
    min_units, max_units
        Least and most work of a slice; see `advance`.
    """

    def __init__(
        self, slice_s: float = 0.02, min_units: int = 100, max_units: int = 20_000
    ) -> None:
        self.slice_s, self.min_units, self.max_units = slice_s, min_units, max_units
        self.units = min_units
        self.start_s = 0.0

    def __enter__(self) -> None:
        self.start_s = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        elapsed_s = time.perf_counter() - self.start_s
        if elapsed_s < self.slice_s / 2:
            self.units = min(self.max_units, 2 * self.units)
        elif elapsed_s > 2 * self.slice_s:
            self.units = max(self.min_units, self.units // 2)
