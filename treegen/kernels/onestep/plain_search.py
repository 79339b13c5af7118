"""The best guess of a state by computing every response: correct for any game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_part
from ..._rule_kinds import TieBreak
from ..levels import Level
from ..random_keys import mix
from ..responses import Scoring, respond
from .criteria import Rule, compare, evaluate_partition
from .eligible import EligibleLists


@njit
def choose_guesses(
    scoring: Scoring,
    rule: Rule,
    level: Level,
    chosen: NDArray[np.int64],
    lists: EligibleLists,
    n_responses: int,
    stop: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the guesses of some states, computing every response: correct for any game.

    Parameters
    ----------
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
        ordered = order_codes(rule, candidates)
        if len(candidates) <= rule.n_direct:
            guesses[state] = ordered[0]
            continue
        eligible = ordered if rule.candidates_only else rule.sequence
        if len(lists.codes) > 0:
            eligible = lists.codes[lists.starts[place] : lists.starts[place + 1]]
        key = level.keys[state]
        guesses[state] = choose_guess(scoring, rule, candidates, eligible, n_responses, key, stop)


@njit
def order_codes(rule: Rule, codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return codes in the strategy's order of codes."""
    return codes[np.argsort(rule.ranks[codes])]


@njit
def choose_guess(
    scoring: Scoring,
    rule: Rule,
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
        Secrets still possible, at least two.
    eligible : int32[m]
        Codes that may be guessed, in the order of codes.
    n_responses : int
        Number of responses of the game; the last one wins.
    key : uint64
        Of the state, for the random tie-break.
    stop : int64[1]
        Another thread sets it to 1 when the result is no longer wanted.
    """
    sizes = np.zeros(n_responses, dtype=np.int64)
    width = len(rule.kinds) + n_responses
    value = np.zeros(width, dtype=np.int64)
    best = np.full(width, np.iinfo(np.int64).max)
    tied = np.empty(len(eligible), dtype=np.int32)
    n_tied = 0
    for guess in eligible:
        if stop[0]:
            return int(eligible[0])
        sizes[:] = 0
        for secret in candidates:
            sizes[respond(scoring, guess, secret)] += 1
        if sizes.max() == len(candidates):
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
            if contains(candidates, guess):
                return int(guess)
    return int(tied[0])


@njit_part
def contains(ascending: NDArray[np.int32], value: int) -> bool:
    """Return whether a value is in an ascending array."""
    at = np.searchsorted(ascending, value)
    return bool(at < len(ascending) and ascending[at] == value)
