"""One level of a tree at a time: a guess for each state, then the states of the next level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import njit
from .choose import Rule, choose_guess, mix
from .responses import Scoring, respond_all


class Level(NamedTuple):
    """The states of one level.

    Attributes
    ----------
    candidates : int32[n_candidates]
        The candidates of the states, ascending within each, one state after the other.
    starts : int64[n_states + 1]
        Where each state's candidates begin.
    keys : uint64[n_states]
        Of the random tie-break: a hash of seed and history.
    parents : int32[n_states]
        The state of the level before, as an index into it.
    responses : int16[n_states]
        The response that led here.
    """

    candidates: NDArray[np.int32]
    starts: NDArray[np.int64]
    keys: NDArray[np.uint64]
    parents: NDArray[np.int32]
    responses: NDArray[np.int16]


@njit
def choose_guesses(
    scoring: Scoring,
    rule: Rule,
    level: Level,
    first: int,
    n_direct: int,
    n_responses: int,
    guesses: NDArray[np.int32],
) -> None:
    """Write the guess of the states from `first` on.

    Parameters
    ----------
    n_direct : int
        With so few candidates left the first of them, in the order of codes, is guessed.
    guesses : int32[n]
        Written in place: guesses of the states ``first … first + n - 1``.
    """
    for i in range(len(guesses)):
        candidates = level.candidates[level.starts[first + i] : level.starts[first + i + 1]]
        if len(candidates) == 1:
            guesses[i] = candidates[0]
            continue
        ordered = order_codes(rule, candidates)
        if len(candidates) <= n_direct:
            guesses[i] = ordered[0]
            continue
        eligible = ordered if rule.candidates_only else rule.sequence
        key = level.keys[first + i]
        guesses[i] = choose_guess(scoring, rule, candidates, eligible, n_responses, key)


@njit
def order_codes(rule: Rule, codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return codes in the strategy's order of codes."""
    return codes[np.argsort(rule.ranks[codes])]


@njit
def split_level(
    scoring: Scoring, level: Level, guesses: NDArray[np.int32], n_responses: int
) -> Level:
    """Return the next level: each state's candidates by response, those that win left out."""
    n_states = len(guesses)
    n_candidates = len(level.candidates)
    replies = np.empty(n_candidates, dtype=np.int16)
    sizes = np.zeros((n_states, n_responses), dtype=np.int32)
    for state in range(n_states):
        begin, end = level.starts[state], level.starts[state + 1]
        respond_all(scoring, guesses[state], level.candidates[begin:end], replies[begin:end])
        for i in range(begin, end):
            sizes[state, replies[i]] += 1
    n_next = np.count_nonzero(sizes[:, :-1])
    starts = np.zeros(n_next + 1, dtype=np.int64)
    keys = np.empty(n_next, dtype=np.uint64)
    parents = np.empty(n_next, dtype=np.int32)
    responses = np.empty(n_next, dtype=np.int16)
    places = np.empty(n_responses, dtype=np.int64)
    candidates = np.empty(sizes[:, :-1].sum(), dtype=np.int32)
    child = 0
    for state in range(n_states):
        key = mix(level.keys[state], guesses[state])
        for response in range(n_responses - 1):
            if sizes[state, response]:
                places[response] = starts[child]
                starts[child + 1] = starts[child] + sizes[state, response]
                keys[child] = mix(key, response)
                parents[child], responses[child] = state, response
                child += 1
        for i in range(level.starts[state], level.starts[state + 1]):
            if replies[i] < n_responses - 1:
                candidates[places[replies[i]]] = level.candidates[i]
                places[replies[i]] += 1
    return Level(candidates, starts, keys, parents, responses)
