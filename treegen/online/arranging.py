"""Playing the arrangements of known colors: along a compiled table, or by Knuth's rule."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..games import ArrangementGame
from ..player import Player
from .facts import ContradictionError

BLOCK = 2**22
"""Responses held in memory at once."""


class Arranger(Protocol):
    """Plays one game of arrangements."""

    def next_code(self) -> int:
        """Return the arrangement to guess now."""

    def answer(self, black: int) -> None:
        """Take the number of black pegs; raise ContradictionError if no arrangement answers so."""


class TableArranger:
    """Walk a compiled tree: no search at all.

    Parameters
    ----------
    game
        Which arrangements.
    path
        Of the table.

    Raises
    ------
    FormatError
        The table cannot be read, or is one for another game.
    """

    def __init__(self, game: ArrangementGame, path: Path) -> None:
        self._player = Player.open(str(path))
        if self._player.table.game != game.description:
            raise FormatError(f"{path} is not a table for {game.name}")

    def next_code(self) -> int:
        """Return the arrangement to guess now."""
        code = self._player.code
        assert code is not None
        return code

    def answer(self, black: int) -> None:
        """Take the number of black pegs."""
        try:
            self._player.answer(black)
        except KeyError as error:
            raise ContradictionError("no arrangement of the colors answers so") from error


class KnuthArranger:
    """Search: the least largest cell, then a candidate, then the lowest code.

    Parameters
    ----------
    game
        The game of arrangements; all of them are held in memory.
    """

    def __init__(self, game: ArrangementGame) -> None:
        self.game = game
        self.candidates = np.arange(game.n_codes)
        # Exchanging pegs turns any first guess into any other: all are equally good.
        self._code = 0

    def next_code(self) -> int:
        """Return the arrangement to guess now."""
        return self._code

    def answer(self, black: int) -> None:
        """Take the number of black pegs."""
        replies = self.game.respond(np.array([self._code]), self.candidates)
        left = self.candidates[replies == black]
        if len(left) == 0:
            raise ContradictionError("no arrangement of the colors answers so")
        self.candidates = left
        self._code = int(left[0]) if len(left) == 1 else self._search()

    def _search(self) -> int:
        game, n_left = self.game, len(self.candidates)
        largest = np.zeros(game.n_codes, dtype=np.int64)
        rows = max(1, BLOCK // n_left)
        for first in range(0, game.n_codes, rows):
            codes = np.arange(first, min(first + rows, game.n_codes))
            replies = game.respond(codes[:, None], self.candidates[None, :])
            largest[codes] = self._largest_cells(replies)
        is_other = np.ones(game.n_codes, dtype=np.int64)
        is_other[self.candidates] = 0
        largest[(largest == n_left) & (is_other == 1)] = n_left + 1
        return int(np.argmin(2 * largest + is_other))

    def _largest_cells(self, replies: NDArray[np.int64]) -> NDArray[np.int64]:
        largest = np.zeros(len(replies), dtype=np.int64)
        for response in range(self.game.n_responses):
            largest = np.maximum(largest, (replies == response).sum(axis=1))
        return largest
