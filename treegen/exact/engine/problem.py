"""What the kernels of one thread work with: the parts of a search, and all of them in one value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference
from . import Int32s, Int64s, UInt8s, UInt64s
from .canonical_state import SymmetryGroup
from .cost import CostModel
from .play_rule import PlayRule
from .responses import LANES, ResponseMatrix, Scratch
from .stack import Stack
from .table import TranspositionTable


@by_reference
class Search(NamedTuple):
    """A search and how far it is."""

    matrix: ResponseMatrix  # with `group` and `model`: the game and what is minimised; not changed
    group: SymmetryGroup
    model: CostModel
    scratch: Scratch  # written by the kernels; holds nothing between two calls
    stack: Stack  # the progress of the search
    slots: Slots  # guesses that are sieved
    table: TranspositionTable  # what was proved so far; threads of one search share its entries
    # Sets of candidates that no guess tells apart; a thread has its own.
    inseparable: InseparableSets
    rule: PlayRule  # what may be guessed; a thread has its own scratch


N_SLOTS = 256

MIN_BYTES = 1 << 19
"""If a state's candidates have fewer responses to all guesses, these stay in the cache anyway."""

MAX_SIEVED = 1024
"""States of more candidates are not sieved: there are few of them."""

FIRST_SIEVED = 16
"""The first guesses of a state go through their trial at once: one of them may be the best."""

FEWEST_SIEVED = 32
"""At least this many guesses must be left."""


@by_reference
class Slots(NamedTuple):
    """Guesses whose cells wait for a lookahead; arrays of `N_SLOTS` rows."""

    least: int  # states of fewer candidates are not sieved, nor those too many for `members`
    first_at: int  # where in the list the sieve may begin
    fewest: int  # how many guesses must be left
    at: Int64s  # where the guess stands in its state's list; -1: the slot is free
    cost: Int64s  # the least that it can cost by what is known of its cells
    n_cells: Int64s  # how many cells were open
    cell: Int64s  # which of them is in question
    first: Int64s  # [n_slots, n_responses]: where a cell's candidates begin
    size: Int64s  # how many they are
    lower_bound: Int64s  # the least that it costs by its size
    members: Int32s  # [n_slots, n_candidates]: of the open cells, one after another
    keys: UInt64s  # [n_slots, 3]: the table's key of the cell in question
    most: Int64s  # the most cells that a guess has there, with the winning one
    outside: Int64s  # the same without it
    inside: Int64s  # the most that a candidate has without it
    n_passed: Int64s  # candidates of the cell that are guesses of the blocks counted so far


def make_slots(n_codes: int, n_candidates: int, n_responses: int, *, is_used: bool) -> Slots:
    """Return free slots, with room for no candidates where they are not used."""
    n = min(n_candidates, MAX_SIEVED) if is_used else 0
    numbers = ("cost", "n_cells", "cell", "most", "outside", "inside", "n_passed")
    tables = ("first", "size", "lower_bound")
    return Slots(
        least=-(-MIN_BYTES // n_codes),
        first_at=FIRST_SIEVED,
        fewest=FEWEST_SIEVED,
        at=np.full(N_SLOTS, -1, dtype=np.int64),
        members=np.zeros((N_SLOTS, n), dtype=np.int32),
        keys=np.zeros((N_SLOTS, 3), dtype=np.uint64),
        **{name: np.zeros(N_SLOTS, dtype=np.int64) for name in numbers},
        **{name: np.zeros((N_SLOTS, n_responses), dtype=np.int64) for name in tables},
    )


MAX_SIZE = 24
"""Larger sets are not kept; most have five to ten candidates."""

MAX_POOL = 40
"""A set is chosen from at most this many candidates of a cell."""

MAX_KEPT = 1 << 14
MAX_BYTES = 1 << 26
"""At most this many sets are kept, in at most this memory. The oldest make room for new ones."""


@by_reference
class InseparableSets(NamedTuple):
    """The sets found so far by one thread, and scratch; empty arrays where they are not used."""

    members: Int32s  # [n_kept, MAX_SIZE]: the candidates of each set
    sizes: Int64s  # [n_kept]: how many they are
    whole: UInt64s  # [n_kept, n_tiles]: guesses that it answers alike: bit x is a tile's guess x
    n_found: Int64s  # [1]: how many were found; set number i stands at i modulo `n_kept`
    open: UInt64s  # [n_tiles]: guesses of a state that are not refuted yet, as in `whole`
    is_member: UInt8s  # [n_candidates]: whether it belongs to the state; all 0 between calls
    pool: Int32s  # [MAX_POOL]: candidates to choose a set from; in the end it stands first
    alike: UInt8s  # [n_tiles, LANES]: guesses that those chosen so far answer alike


def make_inseparable_sets(n_tiles: int, n_candidates: int, *, is_used: bool) -> InseparableSets:
    """Return an empty store for the tiles of a ranking; pages never written take no memory.

    It is used where the search has a limit, and the game a ranking.
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
