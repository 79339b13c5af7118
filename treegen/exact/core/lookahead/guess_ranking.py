"""The order in which a survey looks at guesses: those with most cells on all candidates first.

On a part of the candidates a guess has no more cells than on all of them. So a survey that has
found a guess with many cells ends where the order has no guess of so many left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit
from .distinct import LANES


class Ranking(NamedTuple):
    """Guesses in tiles; arrays of length 0 in games of few responses, which need no order.

    Attributes
    ----------
    guess_at : int32[n_tiles * LANES]
        The code at each place; -1 behind the last one.
    place_of : int32[n_codes]
        The place of each code.
    most : int64[n_tiles]
        The largest score of a tile's guesses on all candidates. A guess scores its cells, and one
        more if it is a candidate.
    """

    guess_at: NDArray[np.int32]
    place_of: NDArray[np.int32]
    most: NDArray[np.int64]


def rank_guesses(
    by_guess: NDArray[np.unsignedinteger],
    code_of: NDArray[np.int32],
    n_responses: int,
    step: int,
    look: Callable[[], None],
) -> Ranking:
    """Return the order of all guesses; equal scores are in the order of codes.

    Parameters
    ----------
    by_guess, code_of, n_responses
        See `ResponseMatrix`.
    step
        Guesses that are counted between two calls of `look`, which may raise.
    """
    n_codes = len(by_guess)
    scores = np.zeros(n_codes, dtype=np.int64)
    for first in range(0, n_codes, step):
        look()
        part = slice(first, first + step)
        _count_cells(by_guess[part], np.zeros(n_responses, dtype=np.uint8), scores[part])
    scores[code_of] += 1
    order = np.argsort(-scores, kind="stable").astype(np.int32)
    n_places = -(-n_codes // LANES) * LANES
    guess_at = np.full(n_places, -1, dtype=np.int32)
    guess_at[:n_codes] = order
    place_of = np.empty(n_codes, dtype=np.int32)
    place_of[order] = np.arange(n_codes, dtype=np.int32)
    return Ranking(guess_at, place_of, scores[order[::LANES]])


def rank_nothing() -> Ranking:
    """Return the ranking of a game that needs none."""
    empty = np.zeros(0, dtype=np.int32)
    return Ranking(empty, empty, np.zeros(0, dtype=np.int64))


@njit
def _count_cells(
    by_guess: NDArray[np.unsignedinteger], seen: NDArray[np.uint8], counts: NDArray[np.int64]
) -> None:
    """Write the number of cells of each guess; `seen` is scratch."""
    for guess in range(by_guess.shape[0]):
        seen[:] = 0
        for i in range(by_guess.shape[1]):
            seen[by_guess[guess, i]] = 1
        for response in range(len(seen)):
            counts[guess] += seen[response]
