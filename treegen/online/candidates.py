"""The consistent codes, for games small enough to list them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..games import PegGame
from .facts import Code, ContradictionError

MOST_CODES = 50_000
"""Games with more codes are not listed,"""
MOST_COUNTS = 5_000_000
"""nor those with more codes times colors."""

Answer = tuple[Code, int, int]
"""A guess, its black pegs, its black and white pegs together."""


def is_listed(game: PegGame) -> bool:
    """Return whether a game is small enough."""
    return game.n_codes <= MOST_CODES and game.n_codes * game.n_colors <= MOST_COUNTS


class Candidates:
    """Filter the codes of a game by each answer, to find the first contradiction.

    Parameters
    ----------
    game
        One that `is_listed`.
    """

    def __init__(self, game: PegGame) -> None:
        self._codes = game.codes
        self._left = np.arange(game.n_codes)
        self._uses = np.zeros((game.n_codes, game.n_colors), dtype=np.int64)
        for colors in self._codes.T:
            self._uses[self._left, colors] += 1
        self._answers: list[Answer] = []

    def observe(self, guess: Code, black: int, total: int) -> None:
        """Take in an answer.

        Raises
        ------
        ContradictionError
            No code agrees with it and all before; it says which of them cannot all be true.
        """
        answer = guess, black, total
        left = self._left[self._agree(answer, self._left)]
        if len(left) == 0:
            raise ContradictionError(self._explain(answer))
        self._left = left
        self._answers.append(answer)

    def _agree(self, answer: Answer, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of some codes give an answer."""
        guess, black, total = answer
        uses = np.bincount(guess, minlength=self._uses.shape[1])
        blacks = (self._codes[rows] == guess).sum(axis=1)
        totals = np.minimum(self._uses[rows], uses).sum(axis=1)
        agree: NDArray[np.bool_] = (blacks == black) & (totals == total)
        return agree

    def _explain(self, answer: Answer) -> str:
        """Name a minimal set of answers that cannot all be true."""
        everything = np.arange(len(self._codes))
        agree = np.array([self._agree(one, everything) for one in [*self._answers, answer]])
        kept = np.ones(len(agree), dtype=bool)
        for row in range(len(agree)):
            kept[row] = False
            kept[row] = bool(agree[kept].all(axis=0).any())
        numbers = [str(row + 1) for row in np.flatnonzero(kept)]
        if len(numbers) == 1:
            return "no code answers so"
        return f"answers {', '.join(numbers[:-1])} and {numbers[-1]} cannot all be true"
