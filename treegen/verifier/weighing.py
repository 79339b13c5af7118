"""Criteria of games with weights or costs by their definitions: no kernel, whole numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .._rule_kinds import Measure
from ..games import Game
from ..strategies import ENTROPY_BITS, Criterion, make_logs

MOST_LOGS = 1 << 20
"""Logarithms up to it are additive over prime factors; those of larger numbers are not."""


class Weigher:
    """Evaluates criteria of the cells of guesses, by what their candidates weigh.

    Parameters
    ----------
    game
        With weights, with costs, or with neither.
    """

    def __init__(self, game: Game) -> None:
        weights = game.weights
        self.weights = np.ones(game.n_secrets, dtype=np.int64) if weights is None else weights
        self.costs = game.costs
        self.whole = max(int(self.weights.sum()), game.n_secrets)
        self.bits = min(ENTROPY_BITS, 62 - (self.whole * self.whole.bit_length()).bit_length())

    def find_best(
        self, criterion: Criterion, guesses: NDArray[np.int32], cells: list[dict[int, int]]
    ) -> NDArray[np.bool_]:
        """Return which guesses are best by a criterion that weighs.

        Parameters
        ----------
        criterion
            Not one that counts candidates alone.
        guesses : int32[n]
            The guesses.
        cells
            For each of them the weight of each cell.
        """
        values = [
            self._evaluate(criterion, int(guess), list(cell.values()))
            for guess, cell in zip(guesses, cells, strict=True)
        ]
        return np.array([value == min(values) for value in values])

    def weigh_cells(
        self, game: Game, guesses: NDArray[np.int32], candidates: NDArray[np.int32]
    ) -> list[dict[int, int]]:
        """Return the weight of each cell of each guess; candidates that all weigh 0 count 1."""
        weights = self.weights[candidates].tolist()
        if not any(weights):
            weights = [1] * len(candidates)
        found = []
        for guess in guesses:
            cells: dict[int, int] = {}
            replies = game.respond(np.array([guess]), candidates).tolist()
            for reply, weight in zip(replies, weights, strict=True):
                cells[reply] = cells.get(reply, 0) + weight
            found.append(cells)
        return found

    def _evaluate(self, criterion: Criterion, guess: int, weights: list[int]) -> Fraction:
        parts = sum(self._measure(criterion, weight) for weight in weights)
        if not criterion.is_per_cost:
            return Fraction(parts)
        gain = self._measure(criterion, sum(weights)) - parts
        return Fraction(-gain, max(int(self.costs[guess]), 1))

    def _measure(self, criterion: Criterion, weight: int) -> int:
        if criterion.measure == Measure.POWER:
            return weight**criterion.power if weight else 0
        return weight * find_log(weight, min(self.whole, MOST_LOGS), self.bits)


def find_log(number: int, largest: int, bits: int) -> int:
    """Return the logarithm of a number in multiples of 2 ** -bits, as docs/strategies.md says.

    Examples
    --------
    >>> find_log(8, 10, 4), find_log(11, 10, 4), 11 - 2 ** (55 / 16) < 1
    (48, 55, True)
    """
    if number <= largest:
        return int(make_logs(largest, bits)[number])
    whole = number.bit_length() - 1
    scaled, log = (number << 30) >> whole, whole
    for _ in range(bits):
        scaled = (scaled * scaled) >> 30
        log = 2 * log + (scaled >> 31)
        scaled >>= scaled >> 31
    return log
