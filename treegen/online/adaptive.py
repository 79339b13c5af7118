"""The adaptive strategy: count and place at once, guess from beliefs, fall back on proof."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..games import PegGame
from ._keys import derive_key
from .base import Code, OnlineStrategy
from .beliefs import Beliefs
from .certifying import Certifier
from .counting import Counting
from .facts import Facts
from .one_by_one import OneByOne
from .pool import Pool

CONFIDENT = 0.5
"""The likeliest code is guessed once the product of its beliefs is above this."""
DRAWS = 20
SHORT = 16
CAP = 0.5


class Adaptive(OnlineStrategy):
    """Learn counts within guesses that also test places, and draw the guesses from beliefs.

    Parameters
    ----------
    game, seed
        As in `OnlineStrategy`.
    facts
        What another strategy's answers have proved already; that strategy keeps updating them.

    Notes
    -----
    After `switch` answers `OneByOne` takes over, using the facts alone: never more than ``switch +
    n_colors * (n_pegs + 1)`` guesses.
    """

    name = "adaptive"

    def __init__(self, game: PegGame, seed: int = 0, *, facts: Facts | None = None) -> None:
        super().__init__(game, seed)
        if facts is not None:
            self.facts = facts
        self.switch = self.facts.n_answers + 20 + 6 * (game.n_pegs + game.n_colors)
        self._key = derive_key(seed, 0)
        self.beliefs = Beliefs(self.facts, self._key)
        self._counting = Counting(self.facts)
        self._certifier = Certifier(self.facts, self.beliefs, self._key)
        self._is_test = False
        self._asked: list[int] = []
        self._fallback: OneByOne | None = None
        self._pool = Pool(self.facts, int(self._key)) if game.n_pegs <= SHORT else None

    @property
    def bound(self) -> int:
        """Most guesses that any game takes."""
        return self.switch + self.game.n_colors * (self.game.n_pegs + 1)

    def _choose(self) -> Code:
        if self.facts.n_answers >= self.switch:
            return self._fall_back()
        if self.facts.is_decided:
            only: Code = self.facts.allowed.argmax(axis=0).astype(np.int32)
            return only
        if self._pool is not None and (guess := self._pool.choose()) is not None:
            return guess
        self._asked, uses = self._counting.next_colors()
        if self._asked:
            return self._count(uses)
        best, certainty = self.beliefs.best_code()
        if certainty > CONFIDENT and not self.facts.was_guessed(best):
            return best
        if certainty > CONFIDENT or self.beliefs.are_doubted:
            test = self._certifier.next_guess()
            if test is not None and not self.facts.was_guessed(test):
                self._is_test = True
                return test
        return self._draw_new(self.facts.high > 0)

    def _learn(self, guess: Code, black: int, total: int) -> None:
        if self._asked:
            uses = np.bincount(guess, minlength=self.game.n_colors)
            counted = np.minimum(uses, np.maximum(self.beliefs.counts, 0))
            others = np.ones(len(uses), dtype=bool)
            others[self._asked] = False
            self._counting.learn(int(uses[self._asked].min()), total - int(counted[others].sum()))
            self._asked = []
        if self._is_test:
            self._is_test = False
            self._certifier.learn(black)
            self.beliefs.learn_facts()
        else:
            self.beliefs.learn(guess, black)

    def _count(self, uses: int) -> Code:
        """Return a guess that tests colors on some pegs and places on the others."""
        guess = self.beliefs.draw(self.beliefs.counts > 0, 0)
        p = np.where(guess < 0, 0.0, self.beliefs.weights[guess, np.arange(len(guess))])
        self._cap(guess, p)
        order = np.argsort(np.where(guess < 0, -1.0, p), kind="stable")
        n_asked = max(uses * len(self._asked), int((guess < 0).sum()))
        guess[order[:n_asked]] = np.resize(np.array(self._asked, dtype=np.int32), n_asked)
        return guess

    def _cap(self, guess: Code, p: NDArray[np.float64]) -> None:
        """Remove a color (-1) where it would be right half of the time if present at all."""
        order = np.argsort(guess, kind="stable")
        mass = np.cumsum(p[order])
        starts = np.searchsorted(guess[order], guess[order])
        mass -= mass[starts] - p[order][starts]
        counts = self.beliefs.counts
        guess[order[mass > CAP * counts[guess[order]]]] = -1

    def _fall_back(self) -> Code:
        """Let one-by-one take over from the facts."""
        if self._fallback is None:
            self._fallback = OneByOne(self.game, duplicates=False)
            self._fallback.facts = self.facts
        return self._fallback._choose()

    def _draw_new(self, usable: NDArray[np.bool_]) -> Code:
        for attempt in range(DRAWS):
            guess = self.beliefs.draw(usable, attempt)
            guess = np.where(guess < 0, self.facts.allowed.argmax(axis=0), guess).astype(np.int32)
            if not self.facts.was_guessed(guess):
                break
        return guess
