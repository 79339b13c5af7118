"""Depth-first branch and bound over states whose legal guesses depend on the way there.

The cost of a state is the minimum over its legal guesses, the cost of a guess a sum over its cells.
Everywhere there is a cost to get below: what is found below it is the exact cost, with the guesses
in a plan; anything else is a lower bound that was proved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_part
from ...kernels.onestep import filter_codes
from ..engine.cost import INFEASIBLE
from .board import Board, Search
from .bounds import spend
from .cells import Cells, refine_cells, split_cells
from .ranking import Ranking, rank_guesses
from .table import find_entry, hash_state, write_entry

_LIMIT = INFEASIBLE


class State(NamedTuple):
    """A state that is searched: a cell of the guess above.

    Attributes
    ----------
    members : int32[n]
        The candidates, ascending.
    legal : int32[m]
        The legal guesses, in the order of the root's.
    low, high : int
        Its key in the table.
    known : int
        What was proved about its cost.
    beta : int
        The cost to get below.
    ranking : Ranking
        The guesses to try; none if what is known is enough.
    """

    members: NDArray[np.int32]
    legal: NDArray[np.int32]
    low: int
    high: int
    known: int
    beta: int
    ranking: Ranking


@njit
def search_root(
    search: Search,
    members: NDArray[np.int32],
    legal: NDArray[np.int32],
    first: NDArray[np.int32],
    most: int,
    left: int,
    beta: int,
    plan: NDArray[np.int32],
    progress: NDArray[np.int64],
) -> None:
    """Search a whole game of three candidates or more for a cost below `beta`.

    Parameters
    ----------
    members : int32[n]
        The candidates: ``0 … n - 1``.
    legal : int32[m]
        The legal guesses, those first that have many cells.
    first : int32[k]
        The first guesses allowed, tried in their order; none: all that are legal, the most
        promising first.
    most : int
        The most cells of a legal guess.
    left : int
        Guesses left, at least two; 0: no limit.
    plan : int32[n - 1]
        Written in place, see `try_guess`.
    progress : int64[2]
        Written in place: what is proved so far, and the cost of the best tree, `beta` if none.
    """
    openings = first if len(first) > 0 else legal
    ranking = rank_openings(search, members, openings, most, left, beta)
    order = np.arange(len(ranking.guesses))
    if len(first) > 0:
        order = np.argsort(_find_places(first, ranking.guesses), kind="mergesort")
    # The least bound of the openings from each place on.
    rest = np.full(len(order) + 1, _LIMIT, dtype=np.int64)
    for at in range(len(order) - 1, -1, -1):
        rest[at] = min(rest[at + 1], ranking.bounds[order[at]])
    trial = np.empty_like(plan)
    best, proved = beta, ranking.proved
    for at in range(len(order)):
        progress[0], progress[1] = min(proved, rest[at], best), best
        cost = ranking.bounds[order[at]]
        if cost < best:
            code = ranking.guesses[order[at]]
            cost = try_guess(search, members, legal, code, ranking.least, left, best, trial)
            if search.board.control.stop:
                return
            if cost < best:
                best = cost
                plan[:] = trial
        proved = min(proved, cost)
    progress[0], progress[1] = min(proved, best), best


@njit_part
def _find_places(ordered: NDArray[np.int32], codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the place of each code in a list."""
    places = np.zeros(len(codes), dtype=np.int64)
    for i in range(len(codes)):
        for place in range(len(ordered)):
            if ordered[place] == codes[i]:
                places[i] = place
    return places


@njit
def rank_openings(
    search: Search,
    members: NDArray[np.int32],
    openings: NDArray[np.int32],
    most: int,
    left: int,
    beta: int,
) -> Ranking:
    """Return the openings that may cost less than `beta`; see `search_root`."""
    return rank_guesses(search, members, openings, left, beta, -1, most)


@njit
def open_cells(
    search: Search,
    members: NDArray[np.int32],
    legal: NDArray[np.int32],
    guess: int,
    least: NDArray[np.int64],
    left: int,
    plan: NDArray[np.int32],
) -> Cells:
    """Return the cells of an opening with their bounds; see `try_guess`."""
    cells = split_cells(search, members, guess, least)
    refine_cells(search, cells, legal, guess, spend(left), _LIMIT, plan)
    return cells


@njit
def try_guess(
    search: Search,
    members: NDArray[np.int32],
    legal: NDArray[np.int32],
    guess: int,
    least: NDArray[np.int64],
    left: int,
    beta: int,
    plan: NDArray[np.int32],
) -> int:
    """Return the cost of a guess if it is below `beta`, else a lower bound that is not.

    Parameters
    ----------
    members, legal, left
        The state; see `State`. Or one of the guess's cells alone: then the cost is that of the
        cell and of the guess for each of its candidates.
    least : int64[n + 1]
        The least cost of a cell of each size.
    plan : int32[n - 1]
        Written in place: the guess, then the plans of the cells in the order of responses, of one
        slot less than they have candidates; int32[n] for one cell alone. It holds if the cost is
        below `beta`.
    """
    control, below = search.board.control, spend(left)
    cells = split_cells(search, members, guess, least)
    cost = refine_cells(search, cells, legal, guess, below, beta, plan)
    for at in range(len(cells.size)):
        if cost >= beta or control.stop:
            break
        if cells.is_exact[at]:
            continue
        state = enter_state(search, cells, at, guess, legal, below, beta - cost)
        part = plan[cells.slot[at] : cells.slot[at] + cells.size[at] - 1]
        trial = np.empty_like(part)
        ranking, best, proved, chosen = state.ranking, state.beta, state.ranking.proved, -1
        for place in range(len(ranking.guesses)):
            if best <= state.known or control.stop:
                break
            found = ranking.bounds[place]
            if found < best:
                code = ranking.guesses[place]
                # Recursion without a function between: numba links no other kind.
                found = try_guess(
                    search, state.members, state.legal, code, ranking.least, below, best, trial
                )
                if found < best:
                    best, chosen = found, code
                    part[:] = trial
            proved = min(proved, found)
        cost += leave_state(search, state, best, proved, chosen) - cells.bounds[at]
    return beta if control.stop else cost


@njit_part
def enter_state(
    search: Search,
    cells: Cells,
    at: int,
    guess: int,
    legal: NDArray[np.int32],
    left: int,
    room: int,
) -> State:
    """Return a cell of a guess as a state; `room` is what it may cost above its bound."""
    board = search.board
    board.control.n_states += 1
    members = cells.members[cells.first[at] : cells.first[at] + cells.size[at]]
    allowed = list_legal(board, guess, cells.responses[at], legal)
    low, high = hash_state(board, members, allowed, left)
    known, first = find_entry(search.table, low, high)
    known, beta = max(known, cells.bounds[at]), cells.bounds[at] + room
    listed = allowed if known < beta else allowed[:0]
    ranking = rank_guesses(search, members, listed, left, beta, first, 0)
    return State(members, allowed, low, high, known, beta, ranking)


@njit_part
def leave_state(search: Search, state: State, best: int, proved: int, chosen: int) -> int:
    """Return what was found or proved about a state's cost, and keep it in the table."""
    if search.board.control.stop:
        return state.beta
    if chosen < 0:
        best = max(state.known, min(proved, _LIMIT) if len(state.ranking.guesses) else state.known)
        best = max(best, state.beta)
    if search.aim.beam == 0:
        write_entry(search.table, state.low, state.high, best, chosen)
    return best


@njit_part
def list_legal(
    board: Board, guess: int, response: int, legal: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return those of some legal guesses that are legal after one more guess."""
    kept = np.empty(len(legal), dtype=np.int32)
    n_kept = filter_codes(board.scoring, board.eligible, guess, response, legal, kept)
    return kept[:n_kept].copy()
