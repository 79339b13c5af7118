"""Retry lists: where a cell that showed its share goes on when it is asked for more.

A cell that is asked in steps (`shares`) would list and count all its guesses again at each step.
Instead it keeps them, each with the lower bound it reached: the next step tries those whose bound
is below the new upper bound, and no others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from .cost_model import SHARED_DEPTH, CostModel
from .stack import Stack


class RetryLists(NamedTuple):
    """The guesses of the cells that were asked, by depth of the guess under trial and by cell.

    Attributes
    ----------
    n_guesses : int64[n_depths, n_responses]
        How many there are; -1: the cell was not asked yet.
    max_cells, listed_below : int64[n_depths, n_responses]
        As in `Frames`.
    guesses : int32[n_depths, n_responses, n_codes]
        The guesses, in their order.
    lower_bounds : int64[n_depths, n_responses, n_codes]
        The least that each can cost by what is known.
    """

    n_guesses: NDArray[np.int64]
    max_cells: NDArray[np.int64]
    listed_below: NDArray[np.int64]
    guesses: NDArray[np.int32]
    lower_bounds: NDArray[np.int64]


def make_retry_lists(n_codes: int, n_responses: int) -> RetryLists:
    """Return empty lists; untouched pages cost no memory."""
    cells = SHARED_DEPTH + 1, n_responses
    return RetryLists(
        np.full(cells, -1, dtype=np.int64),
        np.zeros(cells, dtype=np.int64),
        np.zeros(cells, dtype=np.int64),
        np.empty((*cells, n_codes), dtype=np.int32),
        np.empty((*cells, n_codes), dtype=np.int64),
    )


@njit_bare_part
def is_shared(model: CostModel, stack: Stack, depth: int) -> bool:
    """Whether the state on top is a cell that may be asked in steps."""
    return bool(stack.control.base_depth < depth <= model.shared_depth + 1)


@njit_bare_part
def clear_retry_lists(lists: RetryLists, depth: int) -> None:
    """Forget the cells of the last guess that was under trial."""
    if depth <= SHARED_DEPTH:
        lists.n_guesses[depth, :] = -1


@njit_bare_part
def save_retry_list(lists: RetryLists, stack: Stack, depth: int) -> None:
    """Keep the guesses of a state that is left without a tree."""
    frames, above = stack.frames, depth - 1
    cell, n = frames.cell[above], frames.n_guesses[depth]
    lists.n_guesses[above, cell] = n
    lists.max_cells[above, cell] = frames.max_cells[depth]
    lists.listed_below[above, cell] = frames.listed_below[depth]
    for at in range(n):
        lists.guesses[above, cell, at] = stack.guesses[depth, at]
        lists.lower_bounds[above, cell, at] = stack.lower_bounds[depth, at]


@njit_bare_part
def load_retry_list(lists: RetryLists, stack: Stack, depth: int) -> bool:
    """List the guesses of a state as they were left; False if it was not asked before."""
    frames, above = stack.frames, depth - 1
    cell = frames.cell[above]
    n = lists.n_guesses[above, cell]
    if n < 0:
        return False
    frames.n_guesses[depth], frames.max_cells[depth] = n, lists.max_cells[above, cell]
    frames.listed_below[depth] = lists.listed_below[above, cell]
    for at in range(n):
        stack.guesses[depth, at] = lists.guesses[above, cell, at]
        stack.lower_bounds[depth, at] = lists.lower_bounds[above, cell, at]
    return True
