"""The statistics of a tree that follow from its histogram.

With weights, every secret counts its weight; with costs, the length of a game is what its guesses
cost together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from ..games import Game

MOST_LENGTHS = 24
"""A histogram of more lengths, such as costs, is too long for a line."""


class Figures(ABC):
    """The statistics of a tree's histogram."""

    game: Game

    @abstractmethod
    def iter_column(self, name: str) -> Iterator[NDArray[Any]]:
        """Yield the pieces of a column, in level order."""

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
        """Number (or weight) of the secrets that need the longest game."""
        if self.histogram:
            return self.histogram[-1]
        only = int(next(self.iter_column("guess"))[0])  # one secret, which is announced at once
        return 1 if self.game.weights is None else int(self.game.weights[only])


def describe_figures(tree: Figures) -> list[str]:
    """Return the statistics as people read them, a part each.

    Examples
    --------
    >>> import treegen
    >>> describe_figures(treegen.build("p2c3r"))
    ['9 secrets', 'total 24', 'average 2.6667', 'worst 4 (1×)', '1/2/5/1']
    >>> describe_figures(treegen.build(treegen.Codebook(["ab", "ac"], weights={"ab": 9})))
    ['2 secrets of weight 10', 'total 11', 'average 1.1000', 'worst 2 (weight 1)', '9/1']
    """
    secrets = f"{tree.n_secrets:,} secret{'s' * (tree.n_secrets != 1)}"
    found = f"{tree.n_worst}×"
    if tree.game.stakes.weights is not None:
        secrets, found = f"{secrets} of weight {sum(tree.histogram):,}", f"weight {tree.n_worst:,}"
    figures = [secrets, f"total {tree.total:,}", f"average {tree.average:.4f}"]
    figures.append(f"worst {tree.worst} ({found})")
    if 0 < len(tree.histogram) <= MOST_LENGTHS:
        figures.append("/".join(map(str, tree.histogram)))
    return [*figures, *(["guesses count their costs"] if tree.game.stakes.costs else [])]


def count_found(left: list[int], announced: list[int] | None = None) -> list[int]:
    """Return the histogram from the candidates of each level: those not in the next one are found.

    Parameters
    ----------
    left
        The candidates of each level's states together.
    announced
        The secrets of each level that are announced without a guess: the leaves, with the goal to
        identify. They are found one guess earlier.

    Examples
    --------
    >>> count_found([6, 5, 2]), count_found([6, 5, 2], [0, 2, 2])
    ([1, 3, 2], [3, 3])
    """
    found = [here - below for here, below in zip(left, [*left[1:], 0], strict=True)]
    if announced is None:
        return found
    guessed = [here - early for here, early in zip(found, announced, strict=True)]
    found = [late + early for late, early in zip(guessed, [*announced[1:], 0], strict=True)]
    return found if found[-1] else found[:-1]
