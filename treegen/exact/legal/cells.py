"""The cells of a guess under trial, and lower bounds of their costs that need no search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_part
from ...kernels.onestep import filter_codes
from .board import Search
from .bounds import bound_by_candidates, bound_by_survey
from .ranking import add_sizes
from .table import find_entry, hash_state, write_entry


class Cells(NamedTuple):
    """The cells of three or more candidates of a guess, the smallest first.

    Attributes
    ----------
    members : int32[n]
        The state's candidates by response, ascending in each cell.
    responses, first, size, slot : int64[n_cells]
        Each cell's response, its part of `members`, where its plan begins in the state's.
    bounds : int64[n_cells]
        The least that each can cost.
    is_exact : bool[n_cells]
        Whether that is its cost, and its plan is written.
    least : int
        The least cost of the guess by the sizes of all its cells.
    """

    members: NDArray[np.int32]
    responses: NDArray[np.int64]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    slot: NDArray[np.int64]
    bounds: NDArray[np.int64]
    is_exact: NDArray[np.bool_]
    least: int


@njit_part
def split_cells(
    search: Search,
    members: NDArray[np.int32],
    guess: int,
    least: NDArray[np.int64],
) -> Cells:
    """Return the cells of a guess."""
    board = search.board
    sizes = np.zeros(board.n_responses, dtype=np.int64)
    cost = len(members) * search.aim.scale + add_sizes(board, members, guess, least, sizes)
    starts = np.empty(board.n_responses, dtype=np.int64)
    slots = np.empty(board.n_responses, dtype=np.int64)
    start, slot = 0, 1
    for response in range(board.n_responses):
        starts[response], slots[response] = start, slot
        start += sizes[response]
        slot += max(sizes[response] - 1, 0)
    responses = np.flatnonzero(sizes[:-1] > 2)
    responses = responses[np.argsort(sizes[responses], kind="mergesort")]
    size, first, slot_of = sizes[responses], starts[responses], slots[responses]
    grouped = np.empty_like(members)
    row = board.by_guess[guess]
    for i in range(len(members)):
        response = row[members[i]]
        grouped[starts[response]] = members[i]
        starts[response] += 1
    is_exact = np.zeros(len(size), dtype=np.bool_)
    return Cells(grouped, responses, first, size, slot_of, least[size], is_exact, cost)


@njit_part
def refine_cells(
    search: Search,
    cells: Cells,
    legal: NDArray[np.int32],
    guess: int,
    left: int,
    beta: int,
    plan: NDArray[np.int32],
) -> int:
    """Raise the bounds of a guess's cells until it costs `beta`; return its cost so far."""
    search.board.control.n_tried += 1
    plan[0] = guess
    cost = refine_by_candidates(search, cells, left, cells.least, beta, plan)
    if cost >= beta:
        return cost
    return refine_by_surveys(search, cells, legal, guess, left, cost, beta)


@njit_part
def refine_by_candidates(
    search: Search, cells: Cells, left: int, cost: int, beta: int, plan: NDArray[np.int32]
) -> int:
    """Raise the bounds of the cells by their candidates; return the guess's cost so far."""
    seen = np.zeros(search.board.n_responses + 1, dtype=np.int64)
    for at in range(len(cells.size)):
        first, size = cells.first[at], cells.size[at]
        members = cells.members[first : first + size]
        bound, guess = bound_by_candidates(search.board, search.aim, members, left, seen)
        if guess >= 0:
            cells.is_exact[at] = True
            plan[cells.slot[at]] = guess
        if bound > cells.bounds[at]:
            cost += bound - cells.bounds[at]
            cells.bounds[at] = bound
            if cost >= beta:
                return cost
    return cost


@njit_part
def refine_by_surveys(
    search: Search,
    cells: Cells,
    legal: NDArray[np.int32],
    guess: int,
    left: int,
    cost: int,
    beta: int,
) -> int:
    """Raise the bounds of the cells by all legal guesses; return the guess's cost so far."""
    board = search.board
    seen = np.zeros(board.n_responses + 1, dtype=np.int64)
    kept = np.empty(len(legal), dtype=np.int32)
    for at in range(len(cells.size)):
        if cells.is_exact[at]:
            continue
        n_kept = filter_codes(
            board.scoring, board.eligible, guess, cells.responses[at], legal, kept
        )
        first = cells.first[at]
        members = cells.members[first : first + cells.size[at]]
        low, high = hash_state(board, members, kept[:n_kept], left)
        bound, code = find_entry(search.table, low, high)
        if bound == 0:
            known = cells.bounds[at]
            bound = bound_by_survey(board, search.aim, members, kept[:n_kept], left, known, seen)
            write_entry(search.table, low, high, bound, code)
        if bound > cells.bounds[at]:
            cost += bound - cells.bounds[at]
            cells.bounds[at] = bound
            if cost >= beta:
                return cost
    return cost
