"""Permutation: count every color, then find the arrangement of those present."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError, UsageError
from ..games.base import Game
from ..games.pegs import make_arrangement_game
from ..player import Player
from .adaptive import Adaptive
from .player import Code, ContradictionError, OnlineStrategy

MOST_SEARCHED = 5040
"""Arrangements that are searched without a table: those of 7 pegs."""


class Permutation(OnlineStrategy):
    """The permutation algorithm: value counts, then Knuth's rule on the arrangements.

    First each color alone is guessed on all pegs, in order, until all pegs are counted. Then comes
    the game of arrangements with these counts, renamed: played along its compiled table if the
    folder `tables` (of ``treegen patterns``) has one, without search; by search up to 5,040
    arrangements; and beyond that by `adaptive` from the known counts, as `note` says.
    """

    name = "permutation"

    def __init__(
        self, game: Game, seed: int = 0, *, tables: str | os.PathLike[str] | None = None
    ) -> None:
        super().__init__(game, seed)
        self._tables = None if tables is None else Path(tables)
        if self._tables is not None and not self._tables.is_dir():
            raise UsageError(f"{str(self._tables)!r} is not a folder of compiled arrangements")
        self._arranger: Arranger | None = None
        self._arrangements: Game | None = None
        self._colors = np.zeros(0, dtype=np.int32)
        self._adaptive: Adaptive | None = None
        self.note = ""

    @property
    def bound(self) -> int:
        """Most guesses: one per color, then one per arrangement (or the bound of `adaptive`)."""
        game = self.game
        most = game.n_colors * (game.n_pegs + 1) + 20 + 6 * (game.n_pegs + game.n_colors)
        return game.n_colors + most

    def _choose(self) -> Code:
        if (count := self._count_next()) is not None:
            return count
        if self._arranger is None and self._adaptive is None:
            self._start_second_phase()
        if self._arranger is None:
            assert self._adaptive is not None
            return self._adaptive._choose()
        assert self._arrangements is not None
        places = self._arrangements.codes[self._arranger.next_code()]
        guess: Code = self._colors[places.astype(np.int64)]
        return guess

    def _check(self, guess: Code, black: int, total: int) -> None:
        super()._check(guess, black, total)
        if self._arranger is None:
            return
        if total != self.game.n_pegs:
            raise ContradictionError("the guess has exactly the colors of the code")
        self._arranger.answer(black)

    def _learn(self, guess: Code, black: int, total: int) -> None:
        if self._adaptive is not None:
            self._adaptive._learn(guess, black, total)

    def _start_second_phase(self) -> None:
        """Rename the colors, the most frequent first, and choose a player of their arrangements."""
        counts = self.facts.low
        order = np.argsort(-counts, kind="stable")
        self._colors = order[counts[order] > 0].astype(np.int32)
        game = make_arrangement_game(counts[self._colors].tolist())
        path = None if self._tables is None else self._tables / f"{game.name}.tgt"
        if path is not None and path.exists():
            self._arranger = TableArranger(game, path)
        elif game.n_codes <= MOST_SEARCHED:
            self._arranger = KnuthArranger(game)
        else:
            self.note = f"{game.n_codes:,} arrangements and no table: adaptive takes over"
            self._adaptive = Adaptive(self.game, self.seed, facts=self.facts)
            return
        self._arrangements = game


BLOCK = 2**22
"""Responses held in memory at once."""


class Arranger(Protocol):
    """Plays one game of arrangements."""

    def next_code(self) -> int:
        """Return the arrangement to guess now."""

    def answer(self, black: int) -> None:
        """Take the number of black pegs; ContradictionError if no arrangement fits the answer."""


class TableArranger:
    """Walk a compiled tree: no search at all.

    FormatError: the table cannot be read, or is one for another game.
    """

    def __init__(self, game: Game, path: Path) -> None:
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
            raise ContradictionError("no arrangement of the colors fits that answer") from error


class KnuthArranger:
    """Search: the least largest cell, then a candidate, then the lowest code.

    All arrangements are held in memory.
    """

    def __init__(self, game: Game) -> None:
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
            raise ContradictionError("no arrangement of the colors fits that answer")
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
