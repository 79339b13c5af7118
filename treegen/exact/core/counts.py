"""The sizes of a guess's cells, and sums over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part


@njit_bare_part
def count_cost(
    by_guess: NDArray[np.unsignedinteger],
    members: NDArray[np.int32],
    code: int,
    bounds: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Return the least cost of a guess's cells, the winning one apart.

    Parameters
    ----------
    by_guess : uint8[n_codes, n_candidates]
        Responses.
    members : int32[n]
        The state's candidates.
    code : int
        The guess.
    bounds : int64[n_candidates + 1]
        Least cost of a cell of each size.
    sizes : int64[n_responses]
        Written in place: candidates per response.
    """
    sizes[:] = 0
    for i in range(len(members)):
        sizes[by_guess[code, members[i]]] += 1
    cost = 0
    for response in range(len(sizes) - 1):
        cost += bounds[sizes[response]]
    return cost
