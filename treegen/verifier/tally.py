"""What the games played by a verification took: a histogram of weights by cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..games import Game


class Tally:
    """Counts the secrets found, by what their games cost.

    Parameters
    ----------
    game
        Its weights count; without them every secret counts 1.

    Attributes
    ----------
    n_played
        Secrets found.
    """

    def __init__(self, game: Game) -> None:
        self.n_played = 0
        self._weights = game.weights
        self._costs = game.costs if game.stakes.costs is not None else None
        self._counts = np.zeros(1, dtype=np.int64)

    def cost_of(self, guesses: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return what some guesses cost."""
        if self._costs is None:
            return np.ones(len(guesses), dtype=np.int64)
        costs: NDArray[np.int64] = self._costs[guesses]
        return costs

    def add(self, secrets: NDArray[np.integer], lengths: NDArray[np.int64]) -> None:
        """Count secrets that were found, and what their games cost."""
        if not len(secrets):
            return
        self.n_played += len(secrets)
        missing = int(lengths.max()) + 1 - len(self._counts)
        self._counts = np.pad(self._counts, (0, max(missing, 0)))
        if self._weights is None:
            self._counts += np.bincount(lengths, minlength=len(self._counts))
        else:
            np.add.at(self._counts, lengths, self._weights[secrets])

    @property
    def histogram(self) -> list[int]:
        """Weight of the secrets found at cost 1, 2, 3 … worst."""
        counted: list[int] = self._counts[1:].tolist()
        return counted

    @property
    def n_announced(self) -> int:
        """Weight of the secrets that were known without a guess."""
        return int(self._counts[0])
