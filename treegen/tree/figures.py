"""The statistics of a tree that follow from its histogram.

With weights, every secret counts its weight; with costs, the length of a game is what its guesses
cost together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod


class Figures(ABC):
    """The statistics of a tree's histogram."""

    @property
    @abstractmethod
    def n_secrets(self) -> int:
        """Number of secrets that the tree finds: the candidates at its root."""

    @property
    @abstractmethod
    def histogram(self) -> list[int]:
        """Number (or weight) of the secrets found at guess (or cost) 1, 2, 3 … worst."""

    @property
    def total(self) -> int:
        """Sum of the game lengths over all secrets."""
        return sum(length * count for length, count in enumerate(self.histogram, start=1))

    @property
    def average(self) -> float:
        """Mean game length; 0.0 if no secret counts."""
        return self.total / max(sum(self.histogram), 1)

    @property
    def worst(self) -> int:
        """Length of the longest game."""
        return len(self.histogram)

    @property
    def n_worst(self) -> int:
        """Number of secrets that need the longest game."""
        return self.histogram[-1]


def count_found(left: list[int]) -> list[int]:
    """Return the histogram from the candidates of each level: those not in the next one are found.

    Examples
    --------
    >>> count_found([6, 5, 2])
    [1, 3, 2]
    """
    return [here - below for here, below in zip(left, [*left[1:], 0], strict=True)]
