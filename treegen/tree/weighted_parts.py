"""The histogram of a game with weights or costs from a tree's parts, one at a time in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from ..games import Game, Goal
from .part import Part
from .weighted import tally


def count_weights_of_parts(game: Game, top: Part, parts: Sequence[Part]) -> list[int]:
    """Return the weight of the secrets found at cost 1, 2, 3 … worst.

    Parameters
    ----------
    game
        The game.
    top
        All levels above the parts, from the root; it may have none.
    parts
        The parts; accessing one reads it.
    """
    first = [part.level("n_candidates", 0) for part in parts]
    counts = _Counts(game)
    spent = counts.add(top, np.zeros(1, dtype=np.int64), np.concatenate([[], *first]))
    begin = 0
    for part in parts:
        end = begin + part.sizes[0]
        counts.add(part, spent[begin:end])
        begin = end
    return counts.histogram


class _Counts:
    """The histogram of the parts that were added."""

    def __init__(self, game: Game) -> None:
        self.is_announced = game.goal == Goal.IDENTIFY
        self.costs, self.weights = game.costs, game.weights
        self.histogram: list[int] = []

    def add(
        self,
        part: Part,
        spent: NDArray[np.int64],
        behind: NDArray[np.integer] | Sequence[int] = (),
    ) -> NDArray[np.int64]:
        """Count what a part finds; return what was spent before each state behind it.

        Parameters
        ----------
        spent : int64[n]
            What the guesses before each state of the first level cost together.
        behind : int[m]
            The candidates of each state behind the last level.
        """
        for depth in range(len(part.sizes)):
            is_last = depth + 1 == len(part.sizes)
            below = behind if is_last else part.level("n_candidates", depth + 1)
            spent = self._add_level(part, depth, spent, np.asarray(below))
        return spent

    def _add_level(
        self, part: Part, depth: int, spent: NDArray[np.int64], below: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        guesses, n_children = part.level("guess", depth), part.level("n_children", depth)
        lengths = spent + self.costs[guesses]
        if self.is_announced:
            lengths[n_children == 0] = spent[n_children == 0]
        # A candidate that is in no child is the guess itself.
        ends = np.cumsum(n_children, dtype=np.int64)
        sums = np.concatenate(([0], np.cumsum(below, dtype=np.int64)))
        n_below = sums[ends] - sums[ends - n_children]
        found = n_below < part.level("n_candidates", depth)
        self._count(lengths[found], guesses[found])
        return np.repeat(lengths, n_children)

    def _count(self, lengths: NDArray[np.int64], secrets: NDArray[np.int32]) -> None:
        ones = np.ones(len(secrets), dtype=np.int64)
        counts = tally(lengths, ones if self.weights is None else self.weights[secrets])
        pairs = zip_longest(self.histogram, counts, fillvalue=0)
        self.histogram = [have + more for have, more in pairs]
