"""The peg games: Mastermind (with repetition), Bulls and Cows (without), any size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import factorial, perm, prod
from numbers import Integral
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from .._options import is_whole
from ..errors import GameError
from .base import Description, Game, Symmetry, default_symbols, smallest_type
from .feedback import PegFeedback, make_rule

MAX_PEGS = 1000


class ArrangementGame(Game):
    """The ways to arrange a given number of pegs of each color in a row, answered by black pegs.

    Black and white pegs always add up to all pegs here, so black pegs alone hold all information.
    GameError unless there are 1 to 1,000 pegs, at least one of each color.

    >>> game = ArrangementGame([2, 1, 1])
    >>> game.name, game.n_codes, game.format_code(0), game.format_code(11)
    ('a211', 12, '1123', '3211')
    """

    kind = "arrangements"
    symmetry = Symmetry(pegs=True, colors=False)  # colors of unequal counts may not be renamed

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
        if max(counts) >= 10 and len(counts) == 1:  # a12 has two colors, one and two pegs
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
    def aim(self) -> str:
        """Return what is to be found, in a sentence for people who play."""
        return f"The code is an arrangement of {self.n_pegs} known pegs."

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the digits from 1, then letters."""
        return default_symbols(self.n_colors, first=1)

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return all arrangements in lexicographic order, peg 0 most significant."""
        dtype = smallest_type(self.n_colors)
        table = np.zeros((1, 0), dtype=dtype)
        left = np.array([self.counts])
        for _ in range(self.n_pegs):
            rows, colors = np.nonzero(left)  # row by row, colors ascending: this keeps the order
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
                    f"{self.notation[color]!r:.80} occurs more than {self.counts[color]} times:"
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
    """Return the number of different arrangements of this many pegs of each color."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def list_openings(game: Game) -> list[int] | None:
    """Return the least code of every class of equivalent first guesses.

    Two first guesses are equivalent if exchanging pegs and renaming colors turns one into the
    other. Without such a symmetry, which weights and costs break, the result is None: every code is
    a class.

    >>> game = PegGame(4, 6)
    >>> [game.format_code(code) for code in list_openings(game)]
    ['1111', '1112', '1122', '1123', '1234']
    """
    if not isinstance(game, PegGame) or game.stakes:
        return None
    if not game.repetition:
        return [0]  # every code has each of its colors once
    codes = []
    for counts in list_partitions(game.n_pegs, game.n_pegs, game.n_colors):
        colors = [color for color, count in enumerate(counts) for _ in range(count)]
        codes.append(game.index_of(colors))
    return sorted(codes)


def list_partitions(number: int, largest: int, n_parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of at most `n_parts` parts, the largest first."""
    if number == 0:
        yield ()
        return
    # A smaller part would leave more than the other parts can hold. Without this bound, all
    # partitions of 80 pegs would be tried to find the only one of a single color.
    least = -(-number // n_parts) if n_parts else number + 1
    for part in range(min(number, largest), least - 1, -1):
        for rest in list_partitions(number - part, part, n_parts - 1):
            yield (part, *rest)


def default_letters(game: Game, alphabet: str = ascii_lowercase) -> tuple[str, ...]:
    """Return letters for a peg game's colors, or numbers from 1 if there are too few letters.

    A codebook keeps its own characters.
    """
    if game.kind == "codebook":
        return game.symbols
    if game.n_colors <= len(alphabet):
        return tuple(alphabet[: game.n_colors])
    return tuple(str(number) for number in range(1, game.n_colors + 1))


def order_cells(game: Game) -> list[list[int]]:
    """Return the responses in the order of Irving's cells, one list a row.

    A row has equal black, and white descends; other feedback than black and white has one row.

    >>> from treegen.games import parse_game
    >>> order_cells(parse_game("p2c3r"))
    [[2, 1, 0], [3], [4]]
    """
    rule = game.feedback
    if not isinstance(rule, PegFeedback):
        return [list(range(game.n_responses))]
    rows = groupby(range(game.n_responses), lambda response: rule.feedback_of(response)[0])
    return [list(row)[::-1] for _, row in rows]


MAX_COLORS = 1000


class PegGame(Game):
    """`n_pegs` pegs, each of one of `n_colors` colors.

    Parameters
    ----------
    n_pegs, n_colors, repetition, rule
        As of `treegen.Mastermind`, whose feedback is the rule; the errors, too.

    Examples
    --------
    >>> game = PegGame(4, 6)
    >>> game.name, game.n_codes, game.format_code(7)
    ('p4c6r', 1296, '1122')
    """

    kind = "pegs"
    symmetry = Symmetry(pegs=True, colors=True)

    def __init__(
        self, n_pegs: int, n_colors: int, *, repetition: bool = True, rule: str = "pegs"
    ) -> None:
        for what, number in (("pegs", n_pegs), ("colors", n_colors)):
            if isinstance(number, bool) or not isinstance(number, Integral):
                raise GameError(f"the number of {what} is an int, not {number!r:.60}")
        if not is_whole(n_pegs, 1, MAX_PEGS):
            raise GameError(f"{n_pegs} pegs are out of range: 1 to {MAX_PEGS}")
        if not is_whole(n_colors, 1, MAX_COLORS):
            raise GameError(f"{n_colors} colors are out of range: 1 to {MAX_COLORS}")
        if not repetition and n_colors < n_pegs:
            raise GameError(
                f"{n_pegs} pegs without repetition need at least {n_pegs} colors, not {n_colors}"
            )
        if rule not in ("pegs", "black"):
            raise GameError(f"a peg game is answered by pegs or black, not by {rule!r:.80}")
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

    @classmethod
    def from_name(cls, name: str) -> PegGame | None:
        """Return the game of a name: ``p4c6r``, ``p4c10n``, with b at the end black; else None."""
        match = re.fullmatch(r"p(\d{1,9})c(\d{1,9})([rn])(b?)", name, re.ASCII)
        if match is None:
            return None
        pegs, colors, mode, black = match.groups()
        rule = "black" if black else "pegs"
        return cls(int(pegs), int(colors), repetition=mode == "r", rule=rule)

    @property
    def aim(self) -> str:
        """Return what is to be found, in a sentence for people who play."""
        uses = "any of them more than once" if self.repetition else "none of them twice"
        return f"The code has {self.n_pegs} pegs in {self.n_colors} colors, {uses}."

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return digits from 1 where colors repeat, from 0 where they do not; then letters."""
        return default_symbols(self.n_colors, first=1 if self.repetition else 0)

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return all codes in lexicographic order, peg 0 most significant."""
        dtype = smallest_type(self.n_colors)
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
        index = 0
        if self.repetition:
            for color in colors:
                index = index * self.n_colors + color
            return index
        free = list(range(self.n_colors))
        # A number of mixed base: each digit is a color's rank among those that are left.
        for peg, color in enumerate(colors):
            if color not in free:
                symbol = self.notation[color]
                raise GameError(f"{symbol!r:.80} occurs twice: codes of {self.name} do not repeat")
            index = index * (self.n_colors - peg) + free.index(color)
            free.remove(color)
        return index
