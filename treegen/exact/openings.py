"""The first guesses of a game: which there are, and what their cells cost by size alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_bare
from ..games import Game
from ..kernels import Scoring, make_scoring, respond
from .core.symmetry import make_group, mark_representatives

SLICE_PAIRS = 3_000_000
"""Pairs of guess and candidate between two looks around: some hundredths of a second."""

Look = Callable[[], None]
"""Called now and then; it may raise."""


def list_openings(game: Game, past: tuple[int, ...]) -> NDArray[np.int32]:
    """Return the first guesses up to symmetry."""
    marks = np.zeros(game.n_codes, dtype=np.uint8)
    mark_representatives(make_group(game), np.array(past, dtype=np.int64), marks)
    return np.flatnonzero(marks).astype(np.int32)


def measure_openings(
    game: Game,
    candidates: NDArray[np.int32],
    openings: NDArray[np.int32],
    values: NDArray[np.int64],
    look: Look = lambda: None,
) -> NDArray[np.int64]:
    """Return the sum of the values of each guess's cells; -1 where it leaves one cell.

    Parameters
    ----------
    game, candidates
        The game and the candidates.
    openings : int32[n_openings]
        The guesses.
    values : int64[n_candidates + 1]
        Value of a cell of each size; the winning cell does not count.
    look
        Called between slices.
    """
    scoring = make_scoring(game)
    sums = np.empty(len(openings), dtype=np.int64)
    sizes = np.zeros(game.n_responses, dtype=np.int64)
    step = max(1, SLICE_PAIRS // max(1, len(candidates)))
    for first in range(0, len(openings), step):
        look()
        part = slice(first, first + step)
        _measure(scoring, candidates, openings[part], values, sizes, sums[part])
    return sums


@njit_bare
def _measure(
    scoring: Scoring,
    candidates: NDArray[np.int32],
    guesses: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Write the sums that `measure_openings` returns; `sizes` is scratch, a number a response."""
    n = len(candidates)
    for i in range(len(guesses)):
        sizes[:] = 0
        for j in range(n):
            sizes[respond(scoring, guesses[i], candidates[j])] += 1
        sums[i] = 0
        for response in range(len(sizes) - 1):
            if sizes[response] == n:
                sums[i] = -1
                break
            sums[i] += values[sizes[response]]
