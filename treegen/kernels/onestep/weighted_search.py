"""The best guess of a state of a game with weights or costs, computing every response."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_part
from ..levels import Level
from ..responses import Scoring, respond
from .criteria import Rule, compare
from .eligible import EligibleLists
from .plain_search import break_tie, order_codes
from .weighing import Weighing, evaluate_weighted


@njit
def choose_weighted_guesses(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing,
    level: Level,
    chosen: NDArray[np.int64],
    lists: EligibleLists,
    n_responses: int,
    stop: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the guesses of some states of a game with weights or costs.

    Parameters
    ----------
    weighing : Weighing
        Weights, costs, and how the criteria use them.
    scoring, rule, level, chosen, lists, n_responses, stop, guesses
        See `choose_guesses`.
    """
    for place, state in enumerate(chosen):
        candidates = level.candidates[level.starts[state] : level.starts[state + 1]]
        if len(candidates) == 1:
            guesses[state] = candidates[0]
            continue
        ordered = order_codes(rule, candidates)
        if len(candidates) <= rule.n_direct:
            guesses[state] = ordered[0]
            continue
        eligible = ordered if rule.candidates_only else rule.sequence
        if len(lists.codes) > 0:
            eligible = lists.codes[lists.starts[place] : lists.starts[place + 1]]
        key = level.keys[state]
        guesses[state] = choose_weighted_guess(
            scoring, rule, weighing, candidates, eligible, n_responses, key, stop
        )


@njit
def choose_weighted_guess(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing,
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    n_responses: int,
    key: np.uint64,
    stop: NDArray[np.int64],
) -> int:
    """Return the best of the eligible guesses; the arguments are those of `choose_guess`.

    Where all candidates weigh 0, each of them counts 1.
    """
    n = len(candidates)
    n_cells = min(n, n_responses) + 1
    counts = np.zeros(n_responses, dtype=np.int64)
    seen = np.zeros(n_cells, dtype=np.int64)
    sizes = np.zeros(n_cells, dtype=np.int64)
    sums = np.zeros(n_cells, dtype=np.int64)
    weights = weighing.weights[candidates]
    if weights.sum() == 0:
        weights[:] = 1
    value = np.zeros(len(rule.kinds) * (n_cells + 2) + 1, dtype=np.int64)
    best = np.full(len(value), np.iinfo(np.int64).max)
    tied = np.empty(len(eligible), dtype=np.int32)
    n_tied = 0
    for guess in eligible:
        if stop[0]:
            return int(eligible[0])
        if divide(scoring, guess, candidates, weights, counts, seen, sizes, sums) < 2:
            continue
        cost = int(weighing.costs[guess])
        length = evaluate_weighted(rule, weighing, cost, sizes, sums, value)
        order = compare(value, best, length)
        if order < 0:
            best[:length] = value[:length]
            n_tied = 0
        if order <= 0:
            tied[n_tied] = guess
            n_tied += 1
    return break_tie(rule, tied[:n_tied], candidates, key)


@njit_part
def divide(
    scoring: Scoring,
    guess: int,
    candidates: NDArray[np.int32],
    weights: NDArray[np.int64],
    counts: NDArray[np.int64],
    seen: NDArray[np.int64],
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> int:
    """Write number and weight of the candidates in each cell; return how many cells there are.

    Parameters
    ----------
    weights : int64[n]
        Of the candidates.
    counts : int64[n_responses]
        Zeros, and zeros again on return.
    seen : int64[n_cells]
        Scratch.
    sizes, sums : int64[n_cells]
        Written in place: the cells by their first candidates, zeros after them; the last one is
        that of a right guess.
    """
    sizes[:] = 0
    sums[:] = 0
    n_found, n_all, win = 0, 0, len(counts) - 1
    for at in range(len(candidates)):
        reply = respond(scoring, guess, candidates[at])
        # `counts` has the cell's place plus 1.
        cell = counts[reply] - 1
        if cell < 0:
            n_all += 1
            cell = len(sizes) - 1
            if reply != win:
                cell = n_found
                n_found += 1
            seen[n_all - 1] = reply
            counts[reply] = cell + 1
        sizes[cell] += 1
        sums[cell] += weights[at]
    for at in range(n_all):
        counts[seen[at]] = 0
    return n_all
