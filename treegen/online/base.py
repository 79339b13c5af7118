"""What every online strategy offers: the next guess, and the answer to it.

An *online* strategy keeps a summary of the history instead of a list of candidates, so it plays
codes far too long for a tree. Colors are ``0 … n_colors - 1``; a guess is an array of `n_pegs` of
them and may repeat colors even where the secret does not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ..errors import StrategyError, UsageError
from ..games import PegGame
from .candidates import Candidates, is_listed
from .facts import ContradictionError, Facts

Code = NDArray[np.int32]


class OnlineStrategy(ABC):
    """A player of one game: get `next_guess`, pass the answer to `observe`, and so on.

    Parameters
    ----------
    game
        Peg game with black and white feedback, of any size.
    seed
        Of the strategy's own random choices.

    Raises
    ------
    StrategyError
        The game is answered by black pegs alone.
    """

    name: str

    def __init__(self, game: PegGame, seed: int = 0) -> None:
        if game.rule != "pegs":
            raise StrategyError(f"{self.name} needs black and white answers; {game.name} has none")
        self.game, self.seed = game, seed
        self.facts = Facts(game.n_pegs, game.n_colors, game.repetition)
        self.is_over = False
        self._candidates = Candidates(game) if is_listed(game) else None
        self._guess: Code | None = None

    @property
    def n_answers(self) -> int:
        """Answers taken so far."""
        return self.facts.n_answers

    @property
    @abstractmethod
    def bound(self) -> int:
        """Most guesses that any game takes, proved."""

    @abstractmethod
    def _choose(self) -> Code:
        """Return the next guess."""

    @abstractmethod
    def _learn(self, guess: Code, black: int, total: int) -> None:
        """Learn from an answer that did not win, after the facts have."""

    def next_guess(self) -> Code:
        """Return the guess to make now: the same one until its answer is observed."""
        if self._guess is None:
            self._guess = self._choose()
        return self._guess.copy()

    def observe(self, black: int, white: int) -> None:
        """Take the answer to the guess of `next_guess`.

        Raises
        ------
        ContradictionError
            No code agrees with it and the answers before; the state is as before the answer.
            If the codes can be listed (`is_listed`), this is raised at the first such answer.
            Otherwise at the first that the rules of `Facts` detect: never wrongly, but perhaps
            later, since whether any code agrees is an NP-hard question.
        UsageError
            The game is over, or no guess was made.
        """
        if self.is_over or self._guess is None:
            raise UsageError("the game is over" if self.is_over else "nothing was guessed yet")
        self._check(self._guess, black, black + white)
        self.facts.observe(self._guess, black, white)
        if black == self.game.n_pegs:
            self.is_over = True
            return
        guess, self._guess = self._guess, None
        self._learn(guess, black, black + white)

    def _check(self, guess: Code, black: int, total: int) -> None:
        """Raise ContradictionError for a contradictory answer, before the facts learn it."""
        if self._candidates is None:
            return
        try:
            self._candidates.observe(guess, black, total)
        except ContradictionError as error:
            name = f"answer {self.n_answers + 1} ({black} black, {total - black} white)"
            raise ContradictionError(f"{name}: {error}") from None
