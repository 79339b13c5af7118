"""Guessing a number: every guess is answered with lower, higher or right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .base import Game
from .goal import Description

MAX_NUMBERS = 10_000

ANSWERS = ("lower", "higher", "right")
"""The responses, by their numbers: how the secret compares with the guess."""


@dataclass(frozen=True, slots=True)
class OrderFeedback:
    """A guess is told whether the secret is lower, higher or the guess itself."""

    n_pegs: int = 1

    @property
    def name(self) -> str:
        """Return ``"order"``."""
        return "order"

    @property
    def n_responses(self) -> int:
        """Return 3."""
        return len(ANSWERS)

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess, by the plain definition."""
        if guess[0] == secret[0]:
            return 2
        return int(secret[0] > guess[0])

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""
        guess, secret = guesses[..., 0], secrets[..., 0]
        return np.where(guess == secret, 2, secret > guess).astype(np.int64)

    def format(self, response: int) -> str:
        """Return ``lower``, ``higher`` or ``right``."""
        return ANSWERS[response]

    def parse(self, text: str) -> int:
        """Return the response of a word or of its beginning, or of ``<``, ``>``, ``=``."""
        word = text.strip().lower()
        word = dict(zip("<>=", ANSWERS, strict=True)).get(word, word)
        found = [place for place, answer in enumerate(ANSWERS) if answer.startswith(word)]
        if not word or len(found) != 1:
            raise GameError(f"{text!r:.40} is not an answer; there are {', '.join(ANSWERS)}")
        return found[0]


class RangeGame(Game):
    """The numbers 1 to `n_numbers`, any of which may be guessed.

    Parameters
    ----------
    n_numbers
        How many numbers there are.

    Raises
    ------
    GameError
        Fewer than 1 or more than 10,000.

    Examples
    --------
    >>> game = RangeGame(100)
    >>> game.name, game.format_code(49), game.format_response(game.score(49, 70))
    ('range100', '50', 'higher')
    """

    kind = "range"

    def __init__(self, n_numbers: int) -> None:
        if not 1 <= n_numbers <= MAX_NUMBERS:
            raise GameError(f"a range has 1 to {MAX_NUMBERS:,} numbers, not {n_numbers}")
        self.n_codes = self.n_secrets = self.n_colors = n_numbers
        self.n_pegs = 1
        self.feedback = OrderFeedback()
        self.name = f"range{n_numbers}"

    @property
    def rules_description(self) -> Description:
        """Return ``["range", n_numbers]``."""
        return ["range", self.n_codes]

    @classmethod
    def from_description(cls, parameters: Sequence[int | str]) -> RangeGame:
        """Return the game of a description's parameters; raise GameError for wrong ones."""
        match parameters:
            case [int(n_numbers)]:
                return cls(n_numbers)
        raise GameError(f"a range is described by how many numbers it has, not {parameters!r:.80}")

    @classmethod
    def from_name(cls, name: str) -> RangeGame | None:
        """Return the game of a name, ``range100``; None for other names."""
        match = re.fullmatch(r"range(\d{1,9})", name, re.ASCII)
        return cls(int(match[1])) if match else None

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the numbers as they are written."""
        return tuple(map(str, range(1, self.n_codes + 1)))

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the numbers, counted from 0, as rows of one."""
        # Of as many bits as a peg game's colors, so that kernels are compiled once for both.
        dtype = np.dtype(np.uint8 if self.n_codes <= 256 else np.uint16)
        codes: NDArray[np.unsignedinteger] = np.arange(self.n_codes, dtype=dtype)[:, None]
        return codes

    def index_of(self, colors: Sequence[int]) -> int:
        """Return the code of a number: the number itself, counted from 0."""
        return colors[0]

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a guess by their responses."""
        return ANSWERS

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written number; raise GameError if it is out of range."""
        if symbols is not None:
            return super().parse_code(text, symbols)
        number = text.strip()
        if not re.fullmatch(r"\d{1,9}", number, re.ASCII) or not 1 <= int(number) <= self.n_codes:
            raise GameError(f"{text!r:.40} is not a number from 1 to {self.n_codes}")
        return int(number) - 1
