"""One first guess after the other: what each costs, in searches that share matrix and table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare
from .branch_and_bound import push_root
from .lookahead import look_ahead
from .search import Search
from .stack import Stage


@njit_bare
def find_most_cells(search: Search, n: int, left: int) -> int:
    """Return the most cells that any eligible guess has at the root, without the winning one.

    Parameters
    ----------
    search : Search
        Its stack is written.
    n, left : int
        Candidates, and guesses left.
    """
    push_root(search.stack, n, left, 0)
    members = search.stack.members[0, :n]
    _, max_cells = look_ahead(search.matrix, search.model, search.scratch, members, left)
    return max(max_cells.outside, max_cells.inside)


@njit_bare
def give_opening(search: Search, code: int, n: int, left: int, upper_bound: int, most: int) -> None:
    """Start a search anew whose root has one guess.

    Parameters
    ----------
    search : Search
        Its stack is written in place; matrix, model and table stay, and what the table knows.
    code : int
        The guess; it leaves at least two cells.
    n, left, upper_bound : int
        Candidates, guesses left, the cost to get below.
    most : int
        Of `find_most_cells`: below the root no guess has more cells than that.
    """
    stack = search.stack
    push_root(stack, n, left, upper_bound)
    frames = stack.frames
    stack.guesses[1, 0], stack.lower_bounds[1, 0] = code, 0
    frames.max_cells[1] = most
    frames.n_guesses[1], frames.next_guess[1], frames.sieved[1] = 1, 0, 0
    frames.stage[1] = Stage.TRY
    stack.control.n_states += 1


@njit_bare
def measure_guesses(
    by_guess: NDArray[np.unsignedinteger],
    codes: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Write the sum of the values of each guess's cells; -1 if all candidates are in one.

    Parameters
    ----------
    by_guess : uint8[n_codes, n_candidates] or uint16[n_codes, n_candidates]
        Responses.
    codes : int32[m]
        The guesses.
    values : int64[n_candidates + 1]
        Value of a cell of each size; the winning cell does not count.
    sizes : int64[n_responses]
        Scratch.
    sums : int64[m]
        Written in place.
    """
    n = by_guess.shape[1]
    for i in range(len(codes)):
        sizes[:] = 0
        for member in range(n):
            sizes[by_guess[codes[i], member]] += 1
        sums[i] = 0
        is_useful = sizes[len(sizes) - 1] < n
        for response in range(len(sizes) - 1):
            sums[i] += values[sizes[response]]
            is_useful = is_useful and sizes[response] < n
        if not is_useful and n > 1:
            sums[i] = -1
