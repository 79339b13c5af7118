"""When a game is over."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from ..errors import GameError

Description = list[int | str]

_MARK = "goal "
"""A text that begins so ends a description. No other text of a description has a space there."""


class Goal(StrEnum):
    """When a game is over."""

    WIN = "win"
    """When the secret is guessed."""
    IDENTIFY = "identify"
    """Also when one candidate is left: it is announced, and no guess is counted for that."""

    def describe(self) -> Description:
        """Return the last entries of a game's description; none for the usual goal."""
        return [] if self == Goal.WIN else [f"{_MARK}{self.value}"]

    @property
    def digest_suffix(self) -> str:
        """Return what follows the rules' name in a digest; empty for the usual goal."""
        return "".join(f" {entry}" for entry in self.describe())


def parse_goal(text: str) -> Goal:
    """Return the goal of a name; raise GameError if there is none.

    Examples
    --------
    >>> parse_goal("identify").value
    'identify'
    """
    if text not in tuple(Goal):
        raise GameError(f"unknown goal {text!r:.80}: there are {', '.join(Goal)}")
    return Goal(text)


def split_goal(description: Sequence[int | str]) -> tuple[Sequence[int | str], Goal]:
    """Return a description without the goal at its end, and the goal.

    Raises
    ------
    GameError
        There is no such goal, or it is the usual one, which is not written.

    Examples
    --------
    >>> split_goal(["pegs", 4, 6, 1, "pegs", "goal identify"])[0]
    ['pegs', 4, 6, 1, 'pegs']
    """
    last = description[-1] if description else ""
    if not isinstance(last, str) or not last.startswith(_MARK):
        return description, Goal.WIN
    goal = parse_goal(last.removeprefix(_MARK))
    if goal == Goal.WIN:
        raise GameError("the usual goal is not part of a game's description")
    return description[:-1], goal
