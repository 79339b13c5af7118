"""First guesses that are given instead of searched for: they are listed at the root."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._jit import njit_bare
from .cost_model import INFEASIBLE, bound_guess
from .lookahead import look_ahead
from .search import Search
from .stack import Stage


def give_guesses(search: Search, codes: Sequence[int]) -> None:
    """List the given guesses at the root of a search, in their order, instead of all.

    Parameters
    ----------
    search
        Its stack holds the root in the first frame.
    codes
        The guesses; each leaves at least two cells.
    """
    stack = search.stack
    frames = stack.frames
    n_given = len(codes)
    stack.guesses[1, :n_given] = codes
    # The root is bounded for all guesses: below it, too, no guess has more cells than that.
    most = _bound_given(search, n_given)
    # A search gives up at the first bound that is too high: none may be above a later one.
    bounds = stack.lower_bounds[1, :n_given]
    bounds[:] = np.minimum.accumulate(bounds[::-1])[::-1]
    frames.max_cells[1] = most
    frames.n_guesses[1], frames.next_guess[1], frames.sieved[1] = n_given, 0, 0
    frames.stage[1] = Stage.TRY
    stack.control.n_states += 1


@njit_bare
def _bound_given(search: Search, n_given: int) -> int:
    """Write the lower bounds of the guesses listed at the root; return the most cells of any."""
    matrix, model, stack = search.matrix, search.model, search.stack
    left = stack.frames.left[1]
    members = stack.members[0, : stack.frames.n[1]]
    _, max_cells = look_ahead(matrix, model, search.scratch, members, left)
    most = max(max_cells.outside, max_cells.inside)
    for at in range(n_given):
        sizes = search.scratch.sizes
        sizes[:] = 0
        for i in range(len(members)):
            sizes[matrix.by_guess[stack.guesses[1, at], members[i]]] += 1
        n_cells = 0
        for response in range(len(sizes) - 1):
            n_cells += sizes[response] > 0
        # A given guess may lie outside the eligible ones, and have more cells than these.
        bound = bound_guess(model, len(members), left, n_cells, sizes[-1] > 0, most)
        stack.lower_bounds[1, at] = min(bound, INFEASIBLE)
    return most
