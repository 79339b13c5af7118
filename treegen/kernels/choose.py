"""The best guess for a set of candidates, by a chain of criteria."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import njit, njit_bare, njit_bare_part, njit_part
from .responses import Scoring, respond

LARGEST, SUM, DESCENDING, CONSISTENT, REMOVALS = range(5)
LOWEST, HIGHEST, HIGHEST_CONSISTENT, RANDOM = range(4)


class Rule(NamedTuple):
    """A strategy as the kernels read it.

    Attributes
    ----------
    kinds : int64[n_criteria]
        `LARGEST`, `SUM`, `DESCENDING`, `CONSISTENT`, `REMOVALS`.
    tables : int64[n_criteria, n_secrets + 1]
        Value of each cell size, for `SUM`.
    tie_break : int
        `LOWEST`, `HIGHEST`, `HIGHEST_CONSISTENT`, `RANDOM`.
    candidates_only : bool
        Whether only candidates are eligible.
    n_direct : int
        With so few candidates left the first of them, in the order of codes, is guessed.
    ranks : int32[n_codes]
        Place of each code in the order of codes.
    sequence : int32[n_codes]
        The codes in their order: the inverse of `ranks`.
    """

    kinds: NDArray[np.int64]
    tables: NDArray[np.int64]
    tie_break: int
    candidates_only: bool
    n_direct: int
    ranks: NDArray[np.int32]
    sequence: NDArray[np.int32]


@njit_bare
def mix(key: np.uint64, value: int) -> np.uint64:
    """Return the next key of the counter-based generator: splitmix64 of the key and a value."""
    z = key + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(value) + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


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
    """Return the best of the eligible guesses; any of the game's where it is told to stop.

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
        Another thread sets it to 1 when the result is not wanted any more.
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


@njit_bare_part
def evaluate_partition(
    kinds: NDArray[np.int64],
    tables: NDArray[np.int64],
    sizes: NDArray[np.int64],
    value: NDArray[np.int64],
) -> int:
    """Write the criteria's values of a partition, the less the better; return how many."""
    length = 0
    is_consistent = sizes[-1] > 0
    for i in range(len(kinds)):
        kind = kinds[i]
        if kind == DESCENDING:
            write_descending(sizes, value[length:])
            length += len(sizes)
            continue
        if kind == SUM:
            value[length] = 0
            for size in sizes:
                value[length] += tables[i, size]
        elif kind == CONSISTENT:
            value[length] = 0 if is_consistent else 1
        else:
            value[length] = 0
            for size in sizes:
                value[length] = max(value[length], size)
            if kind == REMOVALS and is_consistent:
                value[length] -= 1
        length += 1
    return length


@njit_bare_part
def write_descending(sizes: NDArray[np.int64], value: NDArray[np.int64]) -> None:
    """Write the sizes in descending order to the front of `value`."""
    for i in range(len(sizes)):
        place = i
        while place > 0 and value[place - 1] < sizes[i]:
            value[place] = value[place - 1]
            place -= 1
        value[place] = sizes[i]


@njit_bare_part
def compare(a: NDArray[np.int64], b: NDArray[np.int64], length: int) -> int:
    """Return -1, 0 or 1: the lexicographic order of the first `length` values."""
    for i in range(length):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


@njit
def break_tie(
    rule: Rule, tied: NDArray[np.int32], candidates: NDArray[np.int32], key: np.uint64
) -> int:
    """Return one of the tied guesses, which stand in the order of codes."""
    if rule.tie_break == RANDOM:
        return int(tied[np.int64(mix(key, 0) % np.uint64(len(tied)))])
    if rule.tie_break == HIGHEST:
        return int(tied[-1])
    if rule.tie_break == HIGHEST_CONSISTENT:
        for guess in tied[::-1]:
            if contains(candidates, guess):
                return int(guess)
    return int(tied[0])


@njit_part
def contains(ascending: NDArray[np.int32], value: int) -> bool:
    """Return whether a value stands in an ascending array."""
    at = np.searchsorted(ascending, value)
    return bool(at < len(ascending) and ascending[at] == value)
