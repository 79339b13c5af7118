"""Which legal guesses a state tries, and in what order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_part
from ..engine.cost import INFEASIBLE
from .board import Board, Search
from .bounds import bound_guess, count_cells, fill_least_costs, spend

_LIMIT = INFEASIBLE


class Ranking(NamedTuple):
    """The guesses of a state that may get below a cost, in the order in which they are tried.

    Attributes
    ----------
    guesses : int32[m]
        The least estimate first.
    bounds : int64[m]
        The least that each can cost.
    least : int64[n + 1]
        The least cost of a cell of each size.
    proved : int
        The least bound of the legal guesses that are not listed.
    """

    guesses: NDArray[np.int32]
    bounds: NDArray[np.int64]
    least: NDArray[np.int64]
    proved: int


@njit_part
def rank_guesses(
    search: Search,
    members: NDArray[np.int32],
    legal: NDArray[np.int32],
    left: int,
    beta: int,
    first: int,
    most: int,
) -> Ranking:
    """Return the legal guesses that may cost less than `beta`.

    Parameters
    ----------
    legal : int32[m]
        The legal guesses that are tried.
    first : int
        One that is tried before all others; -1 for none.
    most : int
        A guess below may have so many cells, though no guess here has: where only some of the legal
        guesses are tried. 0: all are.
    """
    board, aim, n = search.board, search.aim, len(members)
    seen = np.zeros(board.n_responses + 1, dtype=np.int64)
    is_member = np.zeros(len(board.code_of), dtype=np.bool_)
    is_member[members] = True
    n_cells = np.empty(len(legal), dtype=np.int64)
    wins = np.zeros(len(legal), dtype=np.int64)
    most = max(most, 1)
    for i in range(len(legal)):
        number = board.number_of[legal[i]]
        wins[i] = 1 if number >= 0 and is_member[number] else 0
        n_cells[i] = count_cells(board, members, legal[i], seen) - wins[i]
        most = max(most, n_cells[i])
    least = np.empty(n + 1, dtype=np.int64)
    fill_least_costs(aim, most, spend(left), least)
    guesses = np.empty(len(legal), dtype=np.int32)
    keys = np.empty(len(legal), dtype=np.int64)
    bounds = np.empty(len(legal), dtype=np.int64)
    sizes = np.zeros(board.n_responses, dtype=np.int64)
    m, proved = 0, _LIMIT
    for i in range(len(legal)):
        if n_cells[i] + 2 * wins[i] < 2:
            continue
        bound = bound_guess(aim, n, n_cells[i], wins[i], most, left)
        if bound < beta:
            bound = n * aim.scale + add_sizes(board, members, legal[i], least, sizes)
        if bound >= beta:
            proved = min(proved, bound)
            continue
        estimate = 0
        for response in range(board.n_responses - 1):
            estimate += board.estimates[sizes[response]]
        keys[m] = -1 if legal[i] == first else estimate
        guesses[m], bounds[m] = legal[i], bound
        m += 1
    order = np.argsort(keys[:m], kind="mergesort")
    if aim.beam > 0 and n > aim.n_full:
        order = order[: aim.beam]
    return Ranking(guesses[:m][order], bounds[:m][order], least, proved)


@njit_part
def add_sizes(
    board: Board,
    members: NDArray[np.int32],
    guess: int,
    least: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Return the least cost of a guess's cells, without the winning one.

    Parameters
    ----------
    least : int64[n + 1]
        The least cost of a cell of each size.
    sizes : int64[n_responses]
        Written in place: candidates per response.
    """
    sizes[:] = 0
    row = board.by_guess[guess]
    for i in range(len(members)):
        sizes[row[members[i]]] += 1
    cost = 0
    for response in range(board.n_responses - 1):
        cost += least[sizes[response]]
    return cost
