"""Permutation: count every color, then find the arrangement of those present."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ..errors import UsageError
from ..games.pegs import ArrangementGame, PegGame
from .adaptive import Adaptive, Arranger, KnuthArranger, TableArranger
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
        self, game: PegGame, seed: int = 0, *, tables: str | os.PathLike[str] | None = None
    ) -> None:
        super().__init__(game, seed)
        self._tables = None if tables is None else Path(tables)
        if self._tables is not None and not self._tables.is_dir():
            raise UsageError(f"{str(self._tables)!r} is not a folder of compiled arrangements")
        self._arranger: Arranger | None = None
        self._arrangements: ArrangementGame | None = None
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
        unknown = np.flatnonzero(self.facts.low < self.facts.high)
        if len(unknown):
            return np.full(self.game.n_pegs, unknown[0], dtype=np.int32)
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
        name = f"answer {self.n_answers + 1} ({black} black, {total - black} white)"
        if total != self.game.n_pegs:
            raise ContradictionError(f"{name}: the guess has exactly the colors of the code")
        try:
            self._arranger.answer(black)
        except ContradictionError as error:
            raise ContradictionError(f"{name}: {error}") from None

    def _learn(self, guess: Code, black: int, total: int) -> None:
        if self._adaptive is not None:
            self._adaptive._learn(guess, black, total)

    def _start_second_phase(self) -> None:
        """Rename the colors, the most frequent first, and choose a player of their arrangements."""
        counts = self.facts.low
        order = np.argsort(-counts, kind="stable")
        self._colors = order[counts[order] > 0].astype(np.int32)
        game = ArrangementGame(counts[self._colors].tolist())
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
