"""States that need no search: an exact cost and a guess at sight, or a better bound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from .cost_model import INFEASIBLE, Terms
from .lookahead import Scratch, bound_by_parts, count_until_perfect, floor_of_guess, survey
from .response_matrix import Board

MAX_TRIALS = 24
"""Guesses outside the candidates that `_find_exact` tries before it gives up."""

BOUND, GUESS, WIDTH = range(3)
"""Places in a verdict: cost or bound, guess that attains it (-1: bound only), most cells."""


@njit_bare_part
def settle_by_candidates(
    board: Board,
    terms: Terms,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
    verdict: NDArray[np.int64],
) -> None:
    """Look for a candidate that tells all the others apart, or all but two.

    Parameters
    ----------
    board, terms, scratch
        The search.
    members : int32[n]
        The candidates; at least 3, at most the number of responses.
    left : int
        Guesses left; at least 2, or 0 for no limit.
    verdict : int64[3]
        Written in place, `BOUND` and `GUESS`: the cost and the guess if they are exact, else
        a bound and -1.

    Notes
    -----
    A candidate that splits perfectly costs 2n - 1, the floor. If none does, a candidate costs
    2n at least (one pair), and so does any other guess (n cells).
    """
    n = len(members)
    single = terms.scale + (terms.last if left == 2 else 0)
    verdict[GUESS] = -1
    best_pair = INFEASIBLE
    for i in range(n):
        code = board.code_of[members[i]]
        n_doubles = _count_doubles(board.by_guess, members, code, scratch.marks)
        if n_doubles == 0:
            verdict[BOUND] = n * terms.scale + (n - 1) * single
            verdict[GUESS] = code
            return
        if n_doubles == 1 and best_pair == INFEASIBLE and left != 2:
            below = left - 1 if left > 0 else 0
            pair = terms.bounds[below, 1, 2]
            best_pair = n * terms.scale + (n - 3) * single + pair
            verdict[GUESS] = code
    if terms.candidates_only:
        others = INFEASIBLE if left == 2 else (2 * n + 1) * terms.scale
    else:
        others = n * terms.scale + n * single
    verdict[BOUND] = min(best_pair, others)
    if best_pair > others or best_pair == INFEASIBLE:
        verdict[GUESS] = -1


@njit_bare_part
def _count_doubles(
    by_guess: NDArray[np.unsignedinteger],
    members: NDArray[np.int32],
    code: int,
    marks: NDArray[np.int64],
) -> int:
    """Return how many candidates share a response with an earlier one; stops at 2."""
    marks[-1] += 1
    now = marks[-1]
    n_doubles = 0
    for i in range(len(members)):
        response = by_guess[code, members[i]]
        if marks[response] == now:
            n_doubles += 1
            if n_doubles == 2:
                break
        marks[response] = now
    return n_doubles


@njit_bare_part
def settle_by_survey(
    board: Board,
    terms: Terms,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
    verdict: NDArray[np.int64],
) -> None:
    """Bound a state by the cells of all guesses; settle it if small cells attain the bound.

    Parameters
    ----------
    board, terms, scratch
        The search.
    members : int32[n]
        The candidates; at least 3.
    left : int
        Guesses left; at least 2, or 0 for no limit.
    verdict : int64[3]
        Written in place.
    """
    limits = scratch.limits
    n = len(members)
    if terms.candidates_only or n >= board.n_responses:
        bound = survey(board, terms, scratch, members, left, limits)
    else:
        # No candidate splits them perfectly, or `settle_by_candidates` would have said so.
        verdict[GUESS] = count_until_perfect(board, scratch, members, n)
        if verdict[GUESS] >= 0:
            verdict[BOUND] = n * (2 * terms.scale + (terms.last if left == 2 else 0))
            return
        bound = bound_by_parts(board, terms, scratch, members, left, limits)
    verdict[BOUND] = bound
    verdict[GUESS] = -1
    verdict[WIDTH] = max(limits[0], limits[1])
    if bound < INFEASIBLE and n <= 2 * verdict[WIDTH] + 1:
        verdict[GUESS] = _find_exact(board, terms, scratch, members, left, bound)


@njit_bare_part
def _find_exact(
    board: Board,
    terms: Terms,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
    bound: int,
) -> int:
    """Return a guess without a cell of three that costs what the survey's bound says, or -1."""
    n = len(members)
    limits = scratch.limits
    if floor_of_guess(terms, n, left, limits[1], True, limits) == bound:
        for i in range(n):
            code = board.code_of[members[i]]
            most = scratch.n_parts[code] == limits[1]
            if most and _has_no_triple(board, scratch, members, code):
                return int(code)
    if floor_of_guess(terms, n, left, limits[0], False, limits) != bound:
        return -1
    n_trials = 0
    for code in range(board.by_guess.shape[0]):
        if scratch.n_parts[code] == limits[0] and n_trials < MAX_TRIALS:
            n_trials += 1
            if _has_no_triple(board, scratch, members, code):
                return code
    return -1


@njit_bare_part
def _has_no_triple(board: Board, scratch: Scratch, members: NDArray[np.int32], code: int) -> bool:
    """Whether no cell of a guess holds more than two candidates."""
    sizes = scratch.sizes
    sizes[:] = 0
    responses = board.by_guess[code]
    for i in range(len(members)):
        response = responses[members[i]]
        sizes[response] += 1
        if sizes[response] == 3:
            return False
    return True
