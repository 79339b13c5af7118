"""The best question of a state: cells are counted along a question's row of answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_bare_part
from ..levels import Level
from ..responses import Scoring
from .criteria import Rule, compare, evaluate_partition
from .eligible import EligibleLists
from .plain_search import break_tie, contains, order_codes


@njit
def choose_questions(
    scoring: Scoring,
    rule: Rule,
    level: Level,
    chosen: NDArray[np.int64],
    lists: EligibleLists,
    n_responses: int,
    stop: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the guesses of some states of a game of questions; else as `choose_guesses`.

    Parameters
    ----------
    chosen : int64[n]
        The states to process.
    lists : EligibleLists
        Empty: no question is forbidden by the answers before it.
    stop : int64[1]
        See `choose_question`.
    guesses : int32[n_states]
        Written in place at `chosen`: code indices.
    """
    counts = np.zeros(n_responses, dtype=np.int64)
    for state in chosen:
        candidates = level.candidates[level.starts[state] : level.starts[state + 1]]
        if len(candidates) == 1:
            guesses[state] = candidates[0]
            continue
        ordered = order_codes(rule, candidates)
        if len(candidates) <= rule.n_direct:
            guesses[state] = ordered[0]
            continue
        eligible = ordered if rule.candidates_only else rule.sequence
        key = level.keys[state]
        guesses[state] = choose_question(scoring, rule, candidates, eligible, counts, key, stop)


@njit
def choose_question(
    scoring: Scoring,
    rule: Rule,
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    counts: NDArray[np.int64],
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
    counts : int64[n_responses]
        Zeros, and zeros again on return.
    key : uint64
        Of the state, for the random tie-break.
    stop : int64[1]
        Another thread sets it to 1 when the result is no longer wanted.
    """
    n = len(candidates)
    n_cells = min(n, len(counts)) + 1
    sizes = np.zeros(n_cells, dtype=np.int64)
    seen = np.zeros(n_cells, dtype=np.int64)
    value = np.zeros(len(rule.kinds) * n_cells + 1, dtype=np.int64)
    best = np.full(len(value), np.iinfo(np.int64).max)
    tied = np.empty(len(eligible), dtype=np.int32)
    n_tied = 0
    for guess in eligible:
        if stop[0]:
            return int(eligible[0])
        n_found = list_cells(scoring, candidates, guess, counts, seen, sizes)
        if n_found < 2:
            continue
        length = evaluate_partition(rule.kinds, rule.tables, sizes, value)
        order = compare(value, best, length)
        if order < 0:
            best[:length] = value[:length]
            n_tied = 0
        if order <= 0:
            tied[n_tied] = guess
            n_tied += 1
    return break_tie(rule, tied[:n_tied], candidates, key)


@njit_bare_part
def list_cells(
    scoring: Scoring,
    candidates: NDArray[np.int32],
    guess: int,
    counts: NDArray[np.int64],
    seen: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Write the sizes of a guess's cells, and return how many there are.

    Parameters
    ----------
    counts : int64[n_responses]
        Zeros, and zeros again on return.
    seen : int64[n_cells]
        Scratch.
    sizes : int64[n_cells]
        Written in place: the cells in any order, zeros after them. The last one is that of a right
        guess, as `evaluate_partition` wants it.
    """
    n, n_secrets = len(candidates), scoring.answers.shape[1]
    sizes[:] = 0
    if guess < n_secrets:
        if not contains(candidates, guess):
            return 1
        sizes[0] = n - 1
        sizes[-1] = 1
        return 2
    row = scoring.answers[guess - n_secrets]
    n_found = 0
    for secret in candidates:
        answer = row[secret]
        if counts[answer] == 0:
            seen[n_found] = answer
            n_found += 1
        counts[answer] += 1
    for cell in range(n_found):
        sizes[cell] = counts[seen[cell]]
        counts[seen[cell]] = 0
    return n_found
