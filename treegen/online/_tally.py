"""Kernels of the facts: counting what is still allowed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._jit import njit


@njit
def tally_allowed(
    allowed: NDArray[np.bool_],
    n_left: NDArray[np.int64],
    places: NDArray[np.int64],
    placed: NDArray[np.int64],
) -> None:
    """Count the colors that each peg may have, and the pegs of each color.

    Parameters
    ----------
    allowed : bool[n_colors, n_pegs]
        Whether a peg may have a color.
    n_left : int64[n_pegs]
        Written in place: colors allowed on each peg.
    places : int64[n_colors]
        Written in place: pegs that allow each color.
    placed : int64[n_colors]
        Written in place: pegs that allow this color alone.
    """
    n_colors, n_pegs = allowed.shape
    n_left[:] = 0
    for color in range(n_colors):
        for peg in range(n_pegs):
            n_left[peg] += allowed[color, peg]
    for color in range(n_colors):
        n_places, n_placed = 0, 0
        for peg in range(n_pegs):
            n_places += allowed[color, peg]
            n_placed += allowed[color, peg] & (n_left[peg] == 1)
        places[color] = n_places
        placed[color] = n_placed
