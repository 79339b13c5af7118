"""The best guess of a state by trying all that are eligible: correct for any game.

Each guess divides the candidates into cells, whose sizes, and weights where there are any, give the
criteria's values. With `weighing` None, numba leaves out what has to do with weights and costs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_part
from ..._rule_kinds import TieBreak
from ..levels import Level
from ..random_keys import mix
from ..responses import FeedbackKind, Scoring, respond
from .criteria import Rule, compare, evaluate_partition
from .eligible import EligibleLists
from .weighing import Weighing, evaluate_weighted


@njit
def choose_guesses(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    level: Level,
    chosen: NDArray[np.int64],
    lists: EligibleLists,
    n_responses: int,
    stop: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the guesses of some states.

    Parameters
    ----------
    weighing : Weighing, optional
        Weights, costs, and how the criteria use them.
    chosen : int64[n]
        The states to process.
    lists : EligibleLists
        Their eligible guesses, if these depend on the history.
    stop : int64[1]
        See `choose_guess`.
    guesses : int32[n_states]
        Written in place at `chosen`: code indices.
    """
    for place, state in enumerate(chosen):
        candidates = level.candidates[level.starts[state] : level.starts[state + 1]]
        if len(candidates) == 1:
            guesses[state] = candidates[0]
            continue
        ordered = candidates[np.argsort(rule.ranks[candidates])]
        if len(candidates) <= rule.n_direct:
            guesses[state] = ordered[0]
            continue
        eligible = ordered if rule.candidates_only else rule.sequence
        if len(lists.codes) > 0:
            eligible = lists.codes[lists.starts[place] : lists.starts[place + 1]]
        key = level.keys[state]
        guesses[state] = choose_guess(
            scoring, rule, weighing, candidates, eligible, n_responses, key, stop
        )


@njit
def choose_guess(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    n_responses: int,
    key: np.uint64,
    stop: NDArray[np.int64],
) -> int:
    """Return the best of the eligible guesses; any code of the game if told to stop.

    Parameters
    ----------
    candidates : int32[n]
        Secrets still possible, at least two, ascending.
    eligible : int32[m]
        Codes that may be guessed, in the order of codes.
    n_responses : int
        Number of responses of the game; the last one wins.
    key : uint64
        Of the state, for the random tie-break.
    stop : int64[1]
        Another thread sets it to 1 when the result is no longer wanted.
    """
    n_cells = min(len(candidates), n_responses) + 1
    counts = np.zeros(n_responses, dtype=np.int64)
    seen = np.zeros(n_cells, dtype=np.int64)
    sizes = np.zeros(n_cells, dtype=np.int64)
    sums = np.zeros(n_cells, dtype=np.int64)
    weights = weigh(weighing, candidates)
    value = np.zeros(len(rule.kinds) * (n_cells + 2) + 1, dtype=np.int64)
    best = np.full(len(value), np.iinfo(np.int64).max)
    tied = np.empty(len(eligible), dtype=np.int32)
    n_tied = 0
    for guess in eligible:
        if stop[0]:
            return int(eligible[0])
        n_found = divide(scoring, guess, candidates, counts, seen, sizes, weights, sums)
        if n_found < 2:
            continue
        length = evaluate(rule, weighing, guess, sizes, sums, value)
        order = compare(value, best, length)
        if order < 0:
            best[:length] = value[:length]
            n_tied = 0
        if order <= 0:
            tied[n_tied] = guess
            n_tied += 1
    return break_tie(rule, tied[:n_tied], candidates, key)


@njit_part
def weigh(weighing: Weighing | None, candidates: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the weights of some candidates, empty if there are none.

    Where all candidates weigh 0, each counts 1.
    """
    if weighing is None:
        return np.zeros(0, dtype=np.int64)
    weights = weighing.weights[candidates]
    if weights.sum() == 0:
        weights[:] = 1
    return weights


@njit_part
def divide(
    scoring: Scoring,
    guess: int,
    candidates: NDArray[np.int32],
    counts: NDArray[np.int64],
    seen: NDArray[np.int64],
    sizes: NDArray[np.int64],
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> int:
    """Write number and weight of the candidates in each cell; return how many cells there are.

    Parameters
    ----------
    counts : int64[n_responses]
        Zeros, and zeros again on return.
    seen : int64[n_cells]
        Scratch.
    sizes, sums : int64[n_cells]
        Written in place: the cells by their first candidates, zeros after them; the last one is
        that of a right guess. There are no sums without weights.
    weights : int64[n]
        Of the candidates, or none.
    """
    sizes[:] = 0
    sums[:] = 0
    is_table, n_secrets = scoring.rule == FeedbackKind.ANSWERS, scoring.answers.shape[1]
    if is_table and guess < n_secrets:
        # Who names a secret in a table of answers learns no more than whether it is the one.
        own = np.searchsorted(candidates, guess)
        if own == len(candidates) or candidates[own] != guess:
            return 1
        sizes[0], sizes[-1] = len(candidates) - 1, 1
        if len(weights) > 0:
            sums[0], sums[-1] = weights.sum() - weights[own], weights[own]
        return 2
    n_found, n_all, win = 0, 0, len(counts) - 1
    # The row of a question is at hand: to ask `respond` for each answer takes a quarter longer.
    row = scoring.answers[guess - n_secrets if is_table else 0 :]
    for at in range(len(candidates)):
        secret = candidates[at]
        reply = int(row[0, secret]) if is_table else respond(scoring, guess, secret)
        # `counts` has the cell's place plus 1.
        cell = counts[reply] - 1
        if cell < 0:
            cell = len(sizes) - 1
            if reply != win:
                cell = n_found
                n_found += 1
            seen[n_all] = reply
            n_all += 1
            counts[reply] = cell + 1
        sizes[cell] += 1
        if len(weights) > 0:
            sums[cell] += weights[at]
    for at in range(n_all):
        counts[seen[at]] = 0
    return n_all


@njit_part
def evaluate(
    rule: Rule,
    weighing: Weighing | None,
    guess: int,
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
    value: NDArray[np.int64],
) -> int:
    """Write the criteria's values of a guess's cells (less is better); return how many."""
    if weighing is None:
        return evaluate_partition(rule.kinds, rule.tables, sizes, value)
    return evaluate_weighted(rule, weighing, int(weighing.costs[guess]), sizes, sums, value)


@njit
def break_tie(
    rule: Rule, tied: NDArray[np.int32], candidates: NDArray[np.int32], key: np.uint64
) -> int:
    """Return one of the tied guesses, which are in the order of codes."""
    if rule.tie_break == TieBreak.RANDOM:
        return int(tied[np.int64(mix(key, 0) % np.uint64(len(tied)))])
    if rule.tie_break == TieBreak.HIGHEST:
        return int(tied[-1])
    if rule.tie_break == TieBreak.HIGHEST_CONSISTENT:
        for guess in tied[::-1]:
            at = np.searchsorted(candidates, guess)
            if at < len(candidates) and candidates[at] == guess:
                return int(guess)
    return int(tied[0])


@njit
def evaluate_guesses(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing | None,
    candidates: NDArray[np.int32],
    guesses: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> None:
    """Write the criteria and cells of each guess, for those who ask why one is chosen.

    Parameters
    ----------
    weighing : Weighing, optional
        See `choose_guesses`.
    candidates : int32[n]
        Secrets still possible.
    guesses : int32[m]
        Codes to be evaluated.
    values : int64[m, n_criteria + n_responses]
        Written in place: the criteria's values; less is better. A criterion per cost takes two
        columns.
    sizes : int64[m, n_responses]
        Written in place: candidates in each cell, by response.
    """
    weights = weigh(weighing, candidates)
    sums = np.zeros(sizes.shape[1], dtype=np.int64)
    for row in range(len(guesses)):
        sizes[row] = 0
        sums[:] = 0
        for at in range(len(candidates)):
            reply = respond(scoring, guesses[row], candidates[at])
            sizes[row, reply] += 1
            if len(weights) > 0:
                sums[reply] += weights[at]
        evaluate(rule, weighing, guesses[row], sizes[row], sums, values[row])
