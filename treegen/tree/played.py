"""A game that a tree has played against a secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .._printing import Block, Paragraph, Printable
from ..games import Game


@dataclass(frozen=True, slots=True)
class Turn:
    """One guess of a game.

    Attributes
    ----------
    guess, answer
        What was guessed, and how it was answered.
    n_left
        Candidates left after the answer; the secret itself counts, so 1 at the end.
    code, response
        The indices of guess and answer.
    """

    guess: str
    answer: str
    n_left: int
    code: int
    response: int


@dataclass(frozen=True, slots=True)
class PlayedGame(Printable):
    """A game against a secret, as far as it was played.

    Attributes
    ----------
    game, strategy
        What was played, and by whom.
    secret
        The secret as it was given.
    turns
        The guesses with their answers.
    is_found
        Whether the secret is known at the end.
    symbols
        How colors are written.
    found
        The secret, written with the symbols.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.build("p2c3r").play("13")
    >>> print(game)
     1  11  10  4 left
     2  12  10  1 left
     3  13  20  1 left
    """

    game: Game
    strategy: str
    secret: str
    turns: tuple[Turn, ...]
    is_found: bool
    symbols: tuple[str, ...]
    found: str

    def __len__(self) -> int:
        """Return how many guesses were made."""
        return len(self.turns)

    def to_dict(self) -> dict[str, Any]:
        """Return the game for JSON."""
        return {
            "game": self.game.name,
            "strategy": self.strategy,
            "secret": self.secret,
            "turns": [
                {
                    "guess": self.game.format_code(turn.code, self.symbols),
                    "feedback": turn.answer,
                    "left": turn.n_left,
                }
                for turn in self.turns
            ],
            "found": self.is_found,
        }

    def describe(self) -> Iterator[Block]:
        """Yield a line for each guess."""
        for number, turn in enumerate(self.turns, start=1):
            guess = self.game.format_code(turn.code, self.symbols)
            yield Paragraph(f"{number:2}  {guess}  {turn.answer}  {turn.n_left} left")
        if not self.is_found:
            count = len(self.turns)
            guesses = "1 guess" if count == 1 else f"{count} guesses"
            yield Paragraph(f"stopped at the limit of {guesses}: not found")
        elif not self.turns or self.turns[-1].response != self.game.win:
            yield Paragraph(f"it is {self.found}")
