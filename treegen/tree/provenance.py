"""Where a tree comes from: its strategy, the exact rule, what was proved about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import TreeError
from ..games import Game, is_written

Pairs = tuple[tuple[str, str], ...]
"""Guesses and the answers to them, as people write them."""

History = tuple[tuple[int, int], ...]
"""Guesses made and the responses to them, as (code, response) pairs, the first guess first."""

Steps = str | Sequence[str] | Sequence[tuple[str, str]]
"""The way to a state: ``"02/11"``, ``"1122:02/1344:11"``, or a list of answers or of pairs."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What made a tree; stored in its files, it never names a version, a time or a host.

    Attributes
    ----------
    strategy
        Name or chain as the user gave it, such as ``knuth``.
    rule
        The exact rule with its tie-break, or ``""`` if it is unknown (an imported tree).
    history
        The guesses made before the root; lengths count from the root.
    objective
        What an exact search minimised: ``total``, ``total,worst,n_worst``, ``worst,total``,
        ``worst,n_worst,total``; ``""`` for other trees.
    bound
        Proved lower bound of the total over all trees; equal to the total of an optimal one.
    """

    strategy: str
    rule: str = ""
    history: History = ()
    objective: str = ""
    bound: int | None = None

    @property
    def eligible(self) -> str:
        """The rule by which guesses are made, as the exact rule or, in a table, the name has it.

        Examples
        --------
        >>> Provenance("knuth eligible=hints").eligible, Provenance("knuth").eligible
        ('hints', 'all')
        """
        words = [*self.rule.split("; "), *self.strategy.split(" ")]
        stated = (word.removeprefix("eligible=") for word in words if word.startswith("eligible="))
        return next(stated, "all")

    @property
    def max_length(self) -> int | None:
        """The longest game that a search was allowed, as its rule has it; None: any.

        Examples
        --------
        >>> Provenance("optimal", "eligible=all; objective=total; max-length=5").max_length
        5
        """
        words = (word.partition("=") for word in self.rule.split("; "))
        stated = (text for name, _, text in words if name == "max-length" and text.isdecimal())
        return next(map(int, stated), None)

    def __post_init__(self) -> None:
        for name in ("strategy", "rule", "objective"):
            text = getattr(self, name)
            if not is_written(text):
                raise TreeError(f"the {name} {text!r:.80} holds a control character")


def write_pairs(game: Game, history: History) -> Pairs:
    """Return a history as people write it.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> write_pairs(parse_game("p4c6r"), ((7, 2),))
    (('1122', '02'),)
    """
    return tuple(
        (game.name_guess(guess), game.format_response(response, guess))
        for guess, response in history
    )
