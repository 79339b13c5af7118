"""Arrangements of a multiset: the colors are known, their positions are not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .base import Game, Symmetry
from .feedback import make_rule
from .goal import Description
from .symbols import default_symbols

MAX_PEGS = 1000


class ArrangementGame(Game):
    """The ways to arrange a given number of pegs of each color in a row, answered by black pegs.

    Black and white pegs always add up to all pegs here, so black pegs alone hold all information.

    Parameters
    ----------
    counts
        Pegs of each color, at least one of each.

    Raises
    ------
    GameError
        No counts, one below 1, or more pegs than 1,000.

    Examples
    --------
    >>> game = ArrangementGame([2, 1, 1])
    >>> game.name, game.n_codes, game.format_code(0), game.format_code(11)
    ('a211', 12, '1123', '3211')
    """

    kind = "arrangements"

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts = tuple(counts)
        if not counts or min(counts) < 1 or sum(counts) > MAX_PEGS:
            raise GameError(
                f"arrangements need 1 to {MAX_PEGS} pegs, at least one of each color, not"
                f" {self.counts!r:.80}"
            )
        self.n_pegs, self.n_colors = sum(counts), len(counts)
        self.feedback = make_rule("black", self.n_pegs)
        self.n_codes = self.n_secrets = count_arrangements(counts)
        self.name = f"a{('' if max(counts) < 10 else '.').join(map(str, counts))}"
        if max(counts) >= 10 and len(counts) == 1:
            self.name += "."

    @property
    def rules_description(self) -> Description:
        """Return ``["arrangements", count, count …]``."""
        return ["arrangements", *self.counts]

    @classmethod
    def from_description(cls, parameters: Sequence[int | str]) -> ArrangementGame:
        """Return the game of a description's parameters; raise GameError for wrong ones."""
        counts = [count for count in parameters if isinstance(count, int)]
        if len(counts) != len(parameters):
            raise GameError(f"the description of arrangements holds counts, not {parameters!r:.80}")
        return cls(counts)

    @classmethod
    def from_name(cls, name: str) -> ArrangementGame | None:
        """Return the game of a name: ``a211``, or ``a10.2`` where a count exceeds 9; else None."""
        if re.fullmatch(r"a[1-9]{1,1000}", name, re.ASCII):
            return cls([int(digit) for digit in name[1:]])
        if re.fullmatch(r"a(\d{1,4}\.)+\d{0,4}", name, re.ASCII):
            return cls([int(part) for part in name[1:].rstrip(".").split(".")])
        return None

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the digits from 1, then letters."""
        return default_symbols(self.n_colors, first=1)

    @property
    def symmetry(self) -> Symmetry:
        """Return that pegs may be exchanged; colors of unequal counts may not be renamed."""
        return Symmetry(pegs=True, colors=False)

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return all arrangements in lexicographic order, peg 0 most significant."""
        dtype = np.uint8 if self.n_colors <= 256 else np.uint16
        table = np.zeros((1, 0), dtype=dtype)
        left = np.array([self.counts])
        for _ in range(self.n_pegs):
            rows, colors = np.nonzero(left)
            table = np.column_stack((table[rows], colors.astype(dtype)))
            left = left[rows]
            left[np.arange(len(rows)), colors] -= 1
        return np.ascontiguousarray(table)

    def index_of(self, colors: Sequence[int]) -> int:
        """Return the rank of an arrangement in lexicographic order."""
        left = list(self.counts)
        index = 0
        # An arrangement's rank is the number of those that agree with it up to some peg and have
        # a smaller color there.
        for color in colors:
            if left[color] == 0:
                raise GameError(
                    f"{self.symbols[color]!r} occurs more than {self.counts[color]} times:"
                    f" no arrangement of {self.name}"
                )
            for smaller in range(color):
                if left[smaller]:
                    left[smaller] -= 1
                    index += count_arrangements(left)
                    left[smaller] += 1
            left[color] -= 1
        return index


def count_arrangements(counts: Sequence[int]) -> int:
    """Return the number of different arrangements of so many pegs of each color.

    Examples
    --------
    >>> count_arrangements([2, 1, 1])
    12
    """
    return factorial(sum(counts)) // prod(map(factorial, counts))
