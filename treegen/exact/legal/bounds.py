"""Lower bounds that need no search: from sizes, from candidates, from a survey of legal guesses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_bare_part
from ..engine.cost import INFEASIBLE
from .board import Aim, Board

_LIMIT = INFEASIBLE


@njit_bare_part
def spend(left: int) -> int:
    """Return the guesses left after one more; 0 means no limit, and at least two are left."""
    return left - 1 if left > 0 else 0


@njit_bare_part
def fill_least_costs(aim: Aim, max_cells: int, left: int, row: NDArray[np.int64]) -> None:
    """Write the least cost of 0, 1, 2 … candidates whose guesses have at most so many cells.

    One game ends with the first guess, `max_cells` with the second, ``max_cells ** 2`` with the
    third, and so on.

    Parameters
    ----------
    left : int
        Guesses left; 0: no limit.
    row : int64[n + 1]
        Written in place.
    """
    row[0] = 0
    level, capacity, room = 1, 1, 1
    for n in range(1, len(row)):
        if room == 0:
            level += 1
            capacity = min(capacity * max_cells, len(row))
            room = capacity
        if room == 0 or (left > 0 and level > left):
            row[n] = _LIMIT
            continue
        room -= 1
        row[n] = row[n - 1] + level * aim.scale + (aim.last if level == left else 0)


@njit_bare_part
def bound_guess(aim: Aim, n: int, n_cells: int, wins: int, max_cells: int, left: int) -> int:
    """Return the least cost of a guess in a state of `n` candidates by the number of its cells.

    Parameters
    ----------
    n_cells : int
        Without the winning one.
    wins : int
        Whether the guess is a candidate, 0 or 1.
    max_cells : int
        The most cells that any guess has here, and so below.
    left : int
        Guesses left, 0 or at least 2.
    """
    rest, cost = n - wins, n * aim.scale
    level, capacity, left = 1, n_cells, spend(left)
    while rest > 0:
        if capacity <= 0 or (left > 0 and level > left):
            return _LIMIT
        taken = min(rest, capacity)
        cost += taken * (level * aim.scale + (aim.last if level == left else 0))
        rest -= taken
        capacity = min(capacity * max_cells, rest)
        level += 1
    return cost


@njit_bare_part
def count_cells(
    board: Board, members: NDArray[np.int32], code: int, seen: NDArray[np.int64]
) -> int:
    """Return the number of a guess's cells, the winning one too.

    Parameters
    ----------
    seen : int64[n_responses + 1]
        Written in place: when each response was last seen; the last entry counts.
    """
    seen[-1] += 1
    now, n_cells = seen[-1], 0
    row = board.by_guess[code]
    for i in range(len(members)):
        response = row[members[i]]
        if seen[response] != now:
            seen[response] = now
            n_cells += 1
    return n_cells


@njit_bare_part
def bound_by_candidates(
    board: Board, aim: Aim, members: NDArray[np.int32], left: int, seen: NDArray[np.int64]
) -> tuple[int, int]:
    """Bound a small state by its candidates, which are always legal.

    Returns
    -------
    bound, guess : int
        The least cost; the guess that attains it, -1 if none is known.

    Notes
    -----
    A candidate that tells all others apart is best: one game ends with it, the others with the
    next guess. Failing that, a guess outside costs at least one guess more, and so does a
    candidate that leaves a pair.
    """
    n, best = len(members), -1
    if n <= board.n_responses:
        for i in range(n):
            n_cells = count_cells(board, members, board.code_of[members[i]], seen)
            if n_cells == n:
                cost = n * aim.scale + (n - 1) * (aim.scale + (aim.last if left == 2 else 0))
                return cost, board.code_of[members[i]]
            if n_cells == n - 1 and best < 0:
                best = board.code_of[members[i]]
    outside = 2 * n * aim.scale + (n * aim.last if left == 2 else 0)
    if best < 0 or left == 2:
        return outside, -1
    # The pair takes one game of length 3: as much as a guess outside that tells all apart.
    with_pair = 2 * n * aim.scale + (aim.last if left == 3 else 0)
    return min(with_pair, outside), best if with_pair <= outside else -1


@njit_bare_part
def bound_by_survey(
    board: Board,
    aim: Aim,
    members: NDArray[np.int32],
    legal: NDArray[np.int32],
    left: int,
    known: int,
    seen: NDArray[np.int64],
) -> int:
    """Bound a state by the cells of all legal guesses; stop where nothing above `known` is left.

    Parameters
    ----------
    legal : int32[m]
        The legal guesses, those first that have many cells in the whole game.
    known : int
        A lower bound of the state.
    seen : int64[n_responses + 1]
        See `count_cells`.
    """
    board.control.n_surveys += 1
    n, outside, inside = len(members), 1, 0
    bound = _LIMIT
    for code in legal:
        n_cells = count_cells(board, members, code, seen)
        wins = 1 if _is_among(board, members, code) else 0
        n_cells -= wins
        if (wins == 1 and n_cells > inside) or (wins == 0 and n_cells > outside):
            outside = max(outside, n_cells) if wins == 0 else outside
            inside = max(inside, n_cells) if wins == 1 else inside
            most = max(outside, inside)
            bound = bound_guess(aim, n, inside, 1, most, left)
            if outside > 1:
                bound = min(bound, bound_guess(aim, n, outside, 0, most, left))
            if bound <= known:
                return known
    return max(bound, known)


@njit_bare_part
def _is_among(board: Board, members: NDArray[np.int32], code: int) -> bool:
    """Whether a code is one of the candidates, which are ascending."""
    number = board.number_of[code]
    if number < 0:
        return False
    at = np.searchsorted(members, number)
    return bool(at < len(members) and members[at] == number)


@njit
def count_all_cells(board: Board, members: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    """Write the number of cells of every code, of all codes of the game.

    Parameters
    ----------
    counts : int64[n_codes]
        Written in place.
    """
    seen = np.zeros(board.n_responses + 1, dtype=np.int64)
    for code in range(len(counts)):
        counts[code] = count_cells(board, members, code, seen)
