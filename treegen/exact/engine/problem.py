"""What the kernels of one thread work with: the parts of a search, and all of them in one value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .canonical_state import SymmetryGroup
from .cost import CostModel
from .distinct import LANES
from .play_rule import PlayRule
from .responses import ResponseMatrix, Scratch
from .stack import RetryLists, Stack
from .table import TranspositionTable


class Search(NamedTuple):
    """A search and how far it is.

    Attributes
    ----------
    matrix, group, model
        The game and what is minimised; not changed.
    scratch
        Written by the kernels; holds nothing between two calls.
    stack
        The progress of the search.
    retry_lists
        Guesses of cells that are asked in steps.
    slots
        Guesses that are sieved.
    table
        What was proved so far; threads of one search share its entries.
    inseparable
        Sets of candidates that no guess tells apart; a thread has its own.
    rule
        What may be guessed; a thread has its own scratch.
    """

    matrix: ResponseMatrix
    group: SymmetryGroup
    model: CostModel
    scratch: Scratch
    stack: Stack
    retry_lists: RetryLists
    slots: Slots
    table: TranspositionTable
    inseparable: InseparableSets
    rule: PlayRule


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


MAX_SIZE = 24
"""Larger sets are not kept; most have five to ten candidates."""

MAX_POOL = 40
"""A set is chosen from so many candidates of a cell."""

MAX_KEPT = 1 << 14
MAX_BYTES = 1 << 26
"""So many sets are kept at most, in so much memory. The oldest make room for new ones."""


class InseparableSets(NamedTuple):
    """The sets found so far by one thread, and scratch; arrays of length 0 where they are not used.

    Attributes
    ----------
    members : int32[n_kept, MAX_SIZE]
        The candidates of each set.
    sizes : int64[n_kept]
        How many they are.
    whole : uint64[n_kept, n_tiles]
        Guesses to which a set responds alike: bit x of a tile is its guess x.
    n_found : int64[1]
        How many sets were found; set number i stands at i modulo `n_kept`.
    open : uint64[n_tiles]
        Guesses of a state that are not refuted yet, as in `whole`.
    is_member : uint8[n_candidates]
        Whether a candidate belongs to the state; all 0 between calls.
    pool : int32[MAX_POOL]
        The candidates from which a set is chosen; in the end it stands at the beginning.
    alike : uint8[n_tiles, LANES]
        Guesses to which the candidates chosen so far respond alike.
    """

    members: NDArray[np.int32]
    sizes: NDArray[np.int64]
    whole: NDArray[np.uint64]
    n_found: NDArray[np.int64]
    open: NDArray[np.uint64]
    is_member: NDArray[np.uint8]
    pool: NDArray[np.int32]
    alike: NDArray[np.uint8]


def make_inseparable_sets(n_tiles: int, n_candidates: int, *, is_used: bool) -> InseparableSets:
    """Return an empty store; pages never written take no memory.

    Parameters
    ----------
    n_tiles
        Tiles of guesses of the game's ranking.
    n_candidates
        Of the search.
    is_used
        Whether the search has a limit, and the game a ranking.
    """
    n = int(is_used)
    n_kept = n * max(1, min(MAX_KEPT, MAX_BYTES // (8 * max(1, n_tiles))))
    return InseparableSets(
        np.zeros((n_kept, MAX_SIZE), dtype=np.int32),
        np.zeros(n_kept, dtype=np.int64),
        np.zeros((n_kept, n_tiles), dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        np.zeros(n * n_tiles, dtype=np.uint64),
        np.zeros(n * n_candidates, dtype=np.uint8),
        np.zeros(MAX_POOL, dtype=np.int32),
        np.zeros((n * n_tiles, LANES), dtype=np.uint8),
    )
