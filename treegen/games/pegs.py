"""The peg games: Mastermind (with repetition), Bulls and Cows (without), any size."""

from __future__ import annotations

from collections.abc import Sequence
from math import perm

import numpy as np
from numpy.typing import NDArray

from .._options import is_whole
from ..errors import GameError
from .base import Game, Symmetry
from .feedback import make_rule
from .goal import Description
from .symbols import default_symbols

MAX_PEGS = 1000
MAX_COLORS = 1000


class PegGame(Game):
    """`n_pegs` pegs, each of one of `n_colors` colors.

    Parameters
    ----------
    n_pegs, n_colors
        Size, 1 to 1,000 each. A tree is feasible for far smaller games only.
    repetition
        Whether a color may be on several pegs.
    rule
        ``"pegs"`` or ``"black"``.

    Raises
    ------
    GameError
        A size out of range, or too few colors for a code without repetition.

    Examples
    --------
    >>> game = PegGame(4, 6)
    >>> game.name, game.n_codes, game.format_code(7)
    ('p4c6r', 1296, '1122')
    """

    kind = "pegs"

    def __init__(
        self, n_pegs: int, n_colors: int, *, repetition: bool = True, rule: str = "pegs"
    ) -> None:
        _check_size(n_pegs, n_colors, repetition)
        if rule not in ("pegs", "black"):
            raise GameError(f"a peg game is answered by pegs or black, not by {rule!r}")
        self.n_pegs, self.n_colors, self.repetition = n_pegs, n_colors, repetition
        self.feedback = make_rule(rule, n_pegs)
        self.n_codes = n_colors**n_pegs if repetition else perm(n_colors, n_pegs)
        self.n_secrets = self.n_codes
        mode = "r" if repetition else "n"
        self.name = f"p{n_pegs}c{n_colors}{mode}{'b' if rule == 'black' else ''}"

    @property
    def rules_description(self) -> Description:
        """Return ``["pegs", n_pegs, n_colors, repetition, rule]``, repetition as 0 or 1."""
        return ["pegs", self.n_pegs, self.n_colors, int(self.repetition), self.rule]

    @classmethod
    def from_description(cls, parameters: Sequence[int | str]) -> PegGame:
        """Return the game of a description's parameters; raise GameError for wrong ones."""
        match parameters:
            case [int(n_pegs), int(n_colors), (0 | 1) as repetition, str(rule)]:
                return cls(n_pegs, n_colors, repetition=bool(repetition), rule=rule)
        raise GameError(
            f"a peg game's description holds pegs, colors, 0 or 1, rule; not {parameters!r:.80}"
        )

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return digits from 1 where colors repeat, from 0 where they do not; then letters."""
        return default_symbols(self.n_colors, first=1 if self.repetition else 0)

    @property
    def symmetry(self) -> Symmetry:
        """Return that pegs may be exchanged and colors renamed."""
        return Symmetry(pegs=True, colors=True)

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return all codes in lexicographic order, peg 0 most significant."""
        dtype = np.uint8 if self.n_colors <= 256 else np.uint16
        table = np.zeros((1, 0), dtype=dtype)
        for _ in range(self.n_pegs):
            free = np.ones((len(table), self.n_colors), dtype=bool)
            if not self.repetition:
                np.put_along_axis(free, table.astype(np.intp), False, axis=1)
            rows, colors = np.nonzero(free)
            table = np.column_stack((table[rows], colors.astype(dtype)))
        return np.ascontiguousarray(table)

    def index_of(self, colors: Sequence[int]) -> int:
        """Return the rank of a code in lexicographic order."""
        if self.repetition:
            index = 0
            for color in colors:
                index = index * self.n_colors + color
            return index
        free = list(range(self.n_colors))
        index = 0
        for peg, color in enumerate(colors):
            if color not in free:
                symbol = self.symbols[color]
                raise GameError(f"{symbol!r} occurs twice: codes of {self.name} do not repeat")
            index = index * (self.n_colors - peg) + free.index(color)
            free.remove(color)
        return index


def _check_size(n_pegs: int, n_colors: int, repetition: bool) -> None:
    if not is_whole(n_pegs, 1, MAX_PEGS):
        raise GameError(f"{n_pegs} pegs are out of range: 1 to {MAX_PEGS}")
    if not is_whole(n_colors, 1, MAX_COLORS):
        raise GameError(f"{n_colors} colors are out of range: 1 to {MAX_COLORS}")
    if not repetition and n_colors < n_pegs:
        raise GameError(
            f"{n_pegs} pegs without repetition need at least {n_pegs} colors, not {n_colors}"
        )
