"""The guesses that are in the sieve, a slot each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

N_SLOTS = 256

MIN_BYTES = 1 << 19
"""If a state's candidates have fewer responses to all guesses, these stay in the cache anyway."""

MAX_SIEVED = 1024
"""States of more candidates are not sieved: there are few of them."""

FIRST_SIEVED = 16
"""The first guesses of a state go through their trial at once: one of them may be the best."""

FEWEST_SIEVED = 32
"""So many guesses must be left."""


class Slots(NamedTuple):
    """Guesses whose cells wait for a lookahead.

    Attributes
    ----------
    least : int
        States of fewer candidates are not sieved, nor those that do not fit into `members`.
    first_at, fewest : int
        Where in the list the sieve may begin; how many guesses must be left.
    at : int64[n_slots]
        Where the guess stands in its state's list; -1: the slot is free.
    cost : int64[n_slots]
        The least that it can cost by what is known of its cells.
    n_cells, cell : int64[n_slots]
        How many cells were open; which of them is in question.
    first, size, lower_bound : int64[n_slots, n_responses]
        Where a cell's candidates begin, how many they are, the least that it costs by its size.
    members : int32[n_slots, n_candidates]
        Candidates of the open cells, one cell after another.
    keys : uint64[n_slots, 3]
        The table's key of the cell in question.
    most, outside, inside : int64[n_slots]
        The most cells that a guess has there: with the winning one; without it; the most that a
        candidate has without it.
    n_passed : int64[n_slots]
        How many candidates of the cell are guesses of the blocks that were counted.
    """

    least: int
    first_at: int
    fewest: int
    at: NDArray[np.int64]
    cost: NDArray[np.int64]
    n_cells: NDArray[np.int64]
    cell: NDArray[np.int64]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    lower_bound: NDArray[np.int64]
    members: NDArray[np.int32]
    keys: NDArray[np.uint64]
    most: NDArray[np.int64]
    outside: NDArray[np.int64]
    inside: NDArray[np.int64]
    n_passed: NDArray[np.int64]


def make_slots(n_codes: int, n_candidates: int, n_responses: int, *, is_used: bool) -> Slots:
    """Return free slots, with room for no candidates where they are not used."""
    n = min(n_candidates, MAX_SIEVED) if is_used else 0
    return Slots(
        least=-(-MIN_BYTES // n_codes),
        first_at=FIRST_SIEVED,
        fewest=FEWEST_SIEVED,
        at=np.full(N_SLOTS, -1, dtype=np.int64),
        cost=_make_numbers(),
        n_cells=_make_numbers(),
        cell=_make_numbers(),
        first=_make_numbers(n_responses),
        size=_make_numbers(n_responses),
        lower_bound=_make_numbers(n_responses),
        members=np.zeros((N_SLOTS, n), dtype=np.int32),
        keys=np.zeros((N_SLOTS, 3), dtype=np.uint64),
        most=_make_numbers(),
        outside=_make_numbers(),
        inside=_make_numbers(),
        n_passed=_make_numbers(),
    )


def _make_numbers(*shape: int) -> NDArray[np.int64]:
    return np.zeros((N_SLOTS, *shape), dtype=np.int64)
