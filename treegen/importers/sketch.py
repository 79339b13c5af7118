"""What a reader of a foreign format collects: states in reading order, and the place of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar

from ..errors import FormatError
from ..games import Game
from ..tree import History

Place = int | str
"""The place of something: an offset in the text, or words."""


class Below(IntEnum):
    """What a text says about the states below one; the number is the largest cell left out."""

    LISTED = 0
    """They are written; none may be missing."""
    SINGLES = 1
    """They are left out: after the guess no cell has more than one candidate."""
    PAIRS = 2
    """They are left out: no cell has more than two, and of two the first is guessed first."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """States whose short form may claim too much: about the win, or the cells left out."""

    wins: set[int] = field(default_factory=set)
    cells: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text claims about its tree, and where: compared once the tree is grown."""

    value: Any
    place: Place


@dataclass(slots=True)
class Sketch:
    """The states that a text describes, in any order, but the root first.

    Attributes
    ----------
    game
        The game that is played.
    locate
        Turns a place into words, ``line 3, column 14``.
    history
        Guesses made before the root.
    parent, response
        For each state its parent and the response that leads to it; `NULL` at the root.
    guess
        Code index, or `NULL` where the text leaves it to the rule for one or two candidates.
    count
        The number of candidates claimed, `NULL` if none is.
    below
        A member of `Below`.
    place
        The state's place in the text.
    strategy, rule
        What the text says about the tree's origin.
    wins
        For states whose text says whether the guess itself may win: whether it may.
    claims
        Other claims about the tree: ``total``, ``worst``, ``histogram``, ….
    claims_of
        Claims about single states, lengths counted from there.
    doubtful
        States whose claim about wins, or about cells left out (`Below.SINGLES`), is not trusted:
        if it is wrong, a remark says so.
    remarks
        Where the tree deviates from the text, a sentence each.
    """

    NULL: ClassVar[int] = -1
    """No parent, no response, no guess, no count."""

    game: Game
    locate: Callable[[Place], str]
    history: History = ()
    parent: list[int] = field(default_factory=list)
    response: list[int] = field(default_factory=list)
    guess: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    place: list[Place] = field(default_factory=list)
    strategy: str = ""
    rule: str = ""
    wins: dict[int, bool] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    claims_of: dict[int, dict[str, Claim]] = field(default_factory=dict)
    doubtful: Doubtful = field(default_factory=Doubtful)
    remarks: list[str] = field(default_factory=list)

    def add(
        self,
        parent: int,
        response: int,
        guess: int,
        place: Place,
        *,
        count: int = NULL,
        below: int = Below.LISTED,
    ) -> int:
        """Add a state and return its number."""
        self.parent.append(parent)
        self.response.append(response)
        self.guess.append(guess)
        self.count.append(count)
        self.below.append(below)
        self.place.append(place)
        return len(self.parent) - 1

    def list_short(self) -> list[int]:
        """Return the states written as plain ``n (g)``: g may win, no cell has two."""
        return [
            state
            for state, below in enumerate(self.below)
            if below == Below.SINGLES and self.wins.get(state)
        ]

    def error(self, state: int, message: str) -> FormatError:
        """Return an error that says where the state is."""
        return FormatError(f"{self.locate(self.place[state])}: {message}")


def locate_in(text: str) -> Callable[[Place], str]:
    """Return a function that turns an offset in `text` into line and column, from 1."""

    def locate(place: Place) -> str:
        if isinstance(place, str):
            return place
        line = text.count("\n", 0, place) + 1
        column = place - (text.rfind("\n", 0, place) + 1) + 1
        return f"line {line}, column {column}"

    return locate
