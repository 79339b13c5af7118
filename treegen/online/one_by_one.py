"""One-by-one: count every color, then try the colors of the code peg by peg."""

from __future__ import annotations

import numpy as np

from ..games.base import Game
from .player import Code, OnlineStrategy


class OneByOne(OnlineStrategy):
    """The one-by-one algorithm, in two readings.

    First each color alone is guessed on all pegs, in order, until all pegs are counted. The counts
    make a list, one item for each occurrence of a color. Then peg by peg, the items of the list are
    tried in order: the pegs before are known, the pegs after hold a filler (an absent color, or the
    first in the list if no item is absent). One more black peg, and the peg is known and the item
    leaves the list.

    With `duplicates` every item of the list is tried, equal ones again and the last one too: the
    reading that matches the published averages, and the only case in which a guess is repeated.
    Otherwise (and always with fewer colors than pegs) only distinct colors are tried that are not
    excluded, and what is certain is placed without trying. Nothing is random here.

    It takes never more than ``n_colors * (n_pegs + 1)`` guesses: one for each color, and for each
    peg one for each item left: at most ``n_pegs`` items, ``n_colors`` distinct ones.
    """

    def __init__(self, game: Game, seed: int = 0, *, duplicates: bool = True) -> None:
        self.name = "one-by-one" if duplicates else "one-by-one-distinct"
        super().__init__(game, seed)
        self.duplicates = duplicates and game.n_colors >= game.n_pegs
        self._entries: list[int] = []
        self._placed: list[int] = []
        self._next = 0

    @property
    def bound(self) -> int:
        """Most guesses that any game takes: ``n_colors * (n_pegs + 1)``."""
        return self.game.n_colors * (self.game.n_pegs + 1)

    def _choose(self) -> Code:
        if (count := self._count_next()) is not None:
            return count
        if not self._entries and not self._placed:
            self._entries = np.repeat(np.arange(self.game.n_colors), self.facts.low).tolist()
        while len(self._placed) < self.game.n_pegs:
            color = self._settled_color()
            if color is None:
                return self._trial()
            self._placed.append(color)
            self._entries.remove(color)
            self._next = 0
        return np.array(self._placed, dtype=np.int32)

    def _learn(self, guess: Code, black: int, total: int) -> None:
        """Do nothing: the facts are enough."""

    def _settled_color(self) -> int | None:
        """Return the color of the current peg once the rules of this reading settle it."""
        peg = len(self._placed)
        if self.facts.n_left[peg] > 1:
            return None
        color = int(self.facts.allowed[:, peg].argmax())
        if self.duplicates and color not in self._entries[: self._next]:
            return None
        return color

    def _trial(self) -> Code:
        """Return the known pegs, the item to try, and the filler after it."""
        peg = len(self._placed)
        absent = np.flatnonzero(self.facts.high == 0)
        guess = np.full(
            self.game.n_pegs, absent[0] if len(absent) else self._entries[0], dtype=np.int32
        )
        guess[:peg] = self._placed
        for color in self._entries[self._next :]:
            self._next += 1
            guess[peg] = color
            is_new = not self.facts.was_guessed(guess)
            if self.duplicates and (is_new or color in self._entries[: self._next - 1]):
                break
            if is_new and self.facts.allowed[color, peg]:
                break
        return guess
