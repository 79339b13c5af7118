"""Answers that are uncertain: how the weight of a candidate is divided among those it may give.

A candidate may give any answer of a set. Its weight is divided evenly among them: a candidate at
several leaves has a *share* of its weight at each. Shares are integers, so that sums and ties are
the same on every machine.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..jit.memory import read_available_bytes

SHARE_BITS = 32
"""Where no exact unit fits, one of weight has about 2 ** 32 shares: nine digits are right."""

FEWEST_BITS = 8
"""With fewer bits, shares would be rounded too coarsely."""

LIMIT_BITS = 62
"""What rules and searches add up, shares times pairs of candidates or costs, is below 2 ** 62."""

TOTAL_BITS = 44
"""All shares together keep below 2 ** 44: times logarithms, or costs of paths, they fit 64 bits."""

_ROWS = 512
"""Rows of the matrix of separable pairs that are made at a time."""


class AnswerSets(NamedTuple):
    """Which answers each candidate may give to each question.

    The sets of all questions are numbered one after the other; an answer alone is a set of one.
    """

    numbers: NDArray[np.int32]  # [n_questions, n_secrets]: the set of each candidate
    starts: NDArray[np.int64]  # [n_sets + 1]: where the answers of each set begin
    answers: NDArray[np.int64]  # ascending in each set
    n_answers: NDArray[np.int64]  # [n_questions]


class Division:
    """The shares of candidates that come to the answers which they may give.

    Two candidates are *separable* if a question has no answer that both may give and, where there
    are classes, theirs differ; any two are where candidates may be guessed.

    Parameters
    ----------
    sets
        The answers that may be given.
    classes
        The class of each candidate, where a class is to be found; else none.
    name
        The game's name, for messages.
    weights
        What each candidate weighs, int64[n_secrets].
    most
        What the sum of all shares is multiplied with, at most: costs of paths, pairs of candidates.
    are_guessed
        Whether candidates may be guessed.

    Examples
    --------
    >>> sets = AnswerSets(
    ...     np.array([[2, 1], [3, 4]], dtype=np.int32), np.array([0, 1, 2, 4, 5, 6]),
    ...     np.array([0, 1, 0, 1, 0, 1]), np.array([2, 2]),
    ... )
    >>> division = Division(sets, (), "ant or bee", np.array([1, 3]), 1, are_guessed=False)
    >>> division.unit, division.shares.tolist(), division.separable.tolist()
    (2, [2, 6], [[2], [1]])
    """

    def __init__(
        self,
        sets: AnswerSets,
        classes: Sequence[str],
        name: str,
        weights: NDArray[np.int64],
        most: int,
        *,
        are_guessed: bool,
    ) -> None:
        self.sets, self.classes, self.name = sets, classes, name
        self.weights, self.most, self.are_guessed = weights, most, are_guessed

    @cached_property
    def _unit(self) -> tuple[int, bool]:
        return choose_unit(np.diff(self.sets.starts)[self.sets.numbers], self.weights, self.most)

    @property
    def unit(self) -> int:
        """How many shares a unit of weight has; 1 where every answer is certain."""
        return self._unit[0]

    @property
    def is_rounded(self) -> bool:
        """Whether dividing shares may leave a remainder, on long paths; sums are then rounded."""
        return self._unit[1]

    @property
    def shares(self) -> NDArray[np.int64]:
        """The shares of each candidate before the first question, int64[n_secrets]."""
        return self.weights * self.unit

    def may_answer(self, question: int, secret: int) -> tuple[int, ...]:
        """Return the answers that a candidate may give to a question, both by number, ascending."""
        _, starts, answers, _ = self.sets
        number = self.sets.numbers[question, secret]
        return tuple(answers[starts[number] : starts[number + 1]].tolist())

    @cached_property
    def separable(self) -> NDArray[np.uint64]:
        """Which two candidates are separable: bit j of row i, uint64[n_secrets, n_words].

        GameError if there are too many candidates for memory.
        """
        numbers, starts, answers, n_answers = self.sets
        n = numbers.shape[1]
        n_words = -(-n // 64)
        if 8 * n * n_words > read_available_bytes() // 2:
            raise GameError(
                f"{self.name} has {n:,} candidates: which of them can be told apart takes"
                f" {8 * n * n_words / 1e9:.1f} GB, and does not fit memory"
            )
        # Each question's sets, numbered from 0, and which two of them have an answer in common.
        columns, overlaps = numbers - numbers.min(axis=1, keepdims=True), []
        for row, width in zip(numbers, n_answers.tolist(), strict=True):
            first, end = int(row.min()), int(row.max()) + 1
            has = np.zeros((end - first, width), dtype=np.float32)
            for number in range(first, end):
                has[number - first, answers[starts[number] : starts[number + 1]]] = 1
            overlaps.append(has @ has.T > 0)
        classes = np.unique(self.classes, return_inverse=True)[1] if self.classes else np.arange(n)
        bits = np.zeros((n, 8 * n_words), dtype=np.uint8)
        for begin in range(0, n, _ROWS):
            rows = slice(begin, begin + _ROWS)
            found = np.full((len(classes[rows]), n), self.are_guessed)
            for column, overlap in zip(columns, overlaps, strict=True):
                found |= ~overlap[column[rows]][:, column]
            found &= classes[rows, None] != classes[None, :]
            packed = np.packbits(found, axis=1, bitorder="little")
            bits[rows, : packed.shape[1]] = packed
        separable = bits.view("<u8").astype(np.uint64, copy=False)
        separable.setflags(write=False)
        return separable


def choose_unit(
    sizes: NDArray[np.int64], weights: NDArray[np.int64], most: int
) -> tuple[int, bool]:
    """Return the number of shares in a unit of weight, and whether dividing may leave a remainder.

    It is the least unit with which no share is ever rounded, if that fits 64 bits with all that is
    computed of shares. Else it is one with which no share is rounded on paths of few uncertain
    questions, as many as fit, times a power of 2.

    Parameters
    ----------
    sizes
        How many answers each candidate may give to each question, int64[n_questions, n_secrets].
    weights
        What each candidate weighs, int64[n_secrets].
    most
        What the sum of all shares is multiplied with.

    Examples
    --------
    >>> choose_unit(np.array([[2, 1], [3, 1]]), np.array([1, 1]), 1)
    (6, False)
    """
    factors, total = np.unique(sizes).tolist(), int(weights.sum())
    counts = [np.count_nonzero(sizes == factor, axis=0) for factor in factors]
    # A candidate of weight 0 counts 1 where all that are left weigh 0.
    columns = np.unique([*counts, np.maximum(weights, 1)], axis=1).T.tolist()

    def find_unit(longest: int) -> int:
        """Return the least unit with which paths of that many questions round no share."""
        unit = 1
        # A question is asked once on a path, though not each of its answers excludes a candidate.
        for *own, weight in columns:
            divisor = find_divisor(dict(zip(factors, own, strict=True)), longest)
            unit = math.lcm(unit, divisor // math.gcd(divisor, weight))
            if unit >> TOTAL_BITS:  # any number that does not fit
                break
        return unit

    def fits(unit: int) -> bool:
        return not (total * unit >> TOTAL_BITS or total * unit * most >> LIMIT_BITS)

    whole = find_unit(len(sizes))
    if fits(whole):
        return whole, False
    longest = bisect_left(range(len(sizes)), True, key=lambda n: not fits(find_unit(n)))
    unit = find_unit(longest - 1) if longest else 1
    while 2 * unit <= 1 << SHARE_BITS and fits(2 * unit):
        unit *= 2
    return unit, unit % whole > 0


def find_divisor(counts: Mapping[int, int], longest: int) -> int:
    """Return the least number that each product of at most `longest` numbers divides.

    `counts` has each number with how often it may be taken.

    >>> find_divisor({2: 3, 6: 1}, 2), find_divisor({4: 1, 2: 5}, 3), find_divisor({1: 9}, 3)
    (12, 16, 1)
    """
    divisor = 1
    for prime in range(2, max(counts, default=1) + 1):
        if any(prime % smaller == 0 for smaller in range(2, math.isqrt(prime) + 1)):
            continue
        powers = list[int]()
        for number, count in counts.items():
            power = 0
            while number % prime ** (power + 1) == 0:
                power += 1
            powers += [power] * count
        divisor *= prime ** sum(sorted(powers, reverse=True)[:longest])
    return divisor
