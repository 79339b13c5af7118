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
from .base import Game
from .feedback import PegFeedback, make_rule
from .notation import Notation, count_steps, default_symbols
from .rules import Description, Rules, Symmetry, is_weighted, smallest_type

MAX_PEGS = 1000


class ArrangementRules(Rules):
    """The ways to arrange a given number of pegs of each color in a row, answered by black pegs.

    Black and white pegs always add up to all pegs here, so black pegs alone hold all information.
    GameError unless there are 1 to 1,000 pegs, at least one of each color.

    >>> rules = ArrangementRules([2, 1, 1])
    >>> rules.name, rules.codes[[0, 11]].tolist()
    ('a211', [[0, 0, 1, 2], [2, 1, 0, 0]])
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
        n_pegs, n_codes = sum(counts), count_arrangements(counts)
        name = f"a{('' if max(counts) < 10 else '.').join(map(str, counts))}"
        if max(counts) >= 10 and len(counts) == 1:  # a12 has two colors, one and two pegs
            name += "."
        super().__init__(name, n_pegs, len(counts), n_codes, n_codes, make_rule("black", n_pegs))

    @property
    def rules_description(self) -> Description:
        """Return ``["arrangements", count, count …]``."""
        return ["arrangements", *self.counts]

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

    def index_of(self, colors: Sequence[int], symbols: Sequence[str]) -> int:
        """Return the rank of an arrangement in lexicographic order."""
        left = list(self.counts)
        index = 0
        # An arrangement's rank is the number of those that agree with it up to some peg and have
        # a smaller color there.
        for color in colors:
            if left[color] == 0:
                raise GameError(
                    f"{symbols[color]!r:.80} occurs more than {self.counts[color]} times:"
                    f" no arrangement of {self.name}"
                )
            for smaller in range(color):
                if left[smaller]:
                    left[smaller] -= 1
                    index += count_arrangements(left)
                    left[smaller] += 1
            left[color] -= 1
        return index


class _ArrangementNotation(Notation):
    """How people write arrangements."""

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        return f"The code is an arrangement of {self.rules.n_pegs} known pegs."


def make_arrangement_game(counts: Sequence[int]) -> Game:
    """Return the game of the arrangements of this many pegs of each color, written from 1.

    >>> game = make_arrangement_game([2, 1, 1])
    >>> game.name, game.n_codes, game.format_code(0), game.format_code(11)
    ('a211', 12, '1123', '3211')
    """
    rules = ArrangementRules(counts)
    return Game(_ArrangementNotation(rules, default_symbols(rules.n_colors, first=1)))


def parse_arrangement(name: str) -> Game | None:
    """Return the game of a name: ``a211``, or ``a10.2`` where a count exceeds 9; else None."""
    if re.fullmatch(r"a[1-9]{1,1000}", name, re.ASCII):
        return make_arrangement_game([int(digit) for digit in name[1:]])
    if re.fullmatch(r"a(\d{1,4}\.)+\d{0,4}", name, re.ASCII):
        return make_arrangement_game([int(part) for part in name[1:].rstrip(".").split(".")])
    return None


def read_arrangement(parameters: Sequence[int | str]) -> Game:
    """Return the game of a description's parameters; raise GameError for wrong ones."""
    counts = [count for count in parameters if isinstance(count, int)]
    if len(counts) != len(parameters):
        raise GameError(f"the description of arrangements holds counts, not {parameters!r:.80}")
    return make_arrangement_game(counts)


def count_arrangements(counts: Sequence[int]) -> int:
    """Return the number of different arrangements of this many pegs of each color."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def list_openings(game: Game) -> list[int] | None:
    """Return the least code of every class of equivalent first guesses.

    Two first guesses are equivalent if exchanging pegs and renaming colors turns one into the
    other. Without such a symmetry, which weights and costs break, the result is None: every code is
    a class.

    >>> game = make_peg_game(4, 6)
    >>> [game.format_code(code) for code in list_openings(game)]
    ['1111', '1112', '1122', '1123', '1234']
    """
    rules = game.rules
    if not isinstance(rules, PegRules) or is_weighted(rules):
        return None
    if not rules.repetition:
        return [0]  # every code has each of its colors once
    codes = []
    for counts in list_partitions(rules.n_pegs, rules.n_pegs, rules.n_colors):
        colors = [color for color, count in enumerate(counts) for _ in range(count)]
        codes.append(game.notation.index_of(colors))
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
    if game.notation.is_of_words:
        return game.notation.own_symbols
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


class PegRules(Rules):
    """`n_pegs` pegs, each of one of `n_colors` colors.

    Parameters
    ----------
    n_pegs, n_colors, repetition, rule
        See `treegen.Mastermind`, whose feedback is the rule; the errors, too.

    Examples
    --------
    >>> rules = PegRules(4, 6)
    >>> rules.name, rules.n_codes, rules.codes[7].tolist()
    ('p4c6r', 1296, [0, 0, 1, 1])
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
        self.repetition = repetition
        n_codes = n_colors**n_pegs if repetition else perm(n_colors, n_pegs)
        mode = "r" if repetition else "n"
        name = f"p{n_pegs}c{n_colors}{mode}{'b' if rule == 'black' else ''}"
        super().__init__(name, n_pegs, n_colors, n_codes, n_codes, make_rule(rule, n_pegs))

    @property
    def rules_description(self) -> Description:
        """Return ``["pegs", n_pegs, n_colors, repetition, rule]``, repetition as 0 or 1."""
        return ["pegs", self.n_pegs, self.n_colors, int(self.repetition), self.feedback.name]

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

    def index_of(self, colors: Sequence[int], symbols: Sequence[str]) -> int:
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
                raise GameError(
                    f"{symbols[color]!r:.80} occurs twice: codes of {self.name} do not repeat"
                )
            index = index * (self.n_colors - peg) + free.index(color)
            free.remove(color)
        return index


class _PegNotation(Notation):
    """How people write codes of pegs."""

    rules: PegRules

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        uses = "any of them more than once" if self.rules.repetition else "none of them twice"
        pegs, colors = self.rules.n_pegs, self.rules.n_colors
        size = f"{count_steps(pegs, 'peg')} in {count_steps(colors, 'color')}"
        return f"The code has {size}, {uses}."


def make_peg_game(
    n_pegs: int, n_colors: int, *, repetition: bool = True, rule: str = "pegs"
) -> Game:
    """Return the game of some pegs and colors; parameters and errors are those of `PegRules`.

    Colors are digits from 1 where they repeat, from 0 where they do not; then letters.

    >>> game = make_peg_game(4, 6)
    >>> game.name, game.n_codes, game.format_code(7)
    ('p4c6r', 1296, '1122')
    """
    rules = PegRules(n_pegs, n_colors, repetition=repetition, rule=rule)
    return Game(_PegNotation(rules, default_symbols(n_colors, first=1 if repetition else 0)))


def parse_pegs(name: str) -> Game | None:
    """Return the game of a name: ``p4c6r``, ``p4c10n``, with b at the end black; else None."""
    match = re.fullmatch(r"p(\d{1,9})c(\d{1,9})([rn])(b?)", name, re.ASCII)
    if match is None:
        return None
    pegs, colors, mode, black = match.groups()
    rule = "black" if black else "pegs"
    return make_peg_game(int(pegs), int(colors), repetition=mode == "r", rule=rule)


def read_pegs(parameters: Sequence[int | str]) -> Game:
    """Return the game of a description's parameters; raise GameError for wrong ones."""
    match parameters:
        case [int(n_pegs), int(n_colors), (0 | 1) as repetition, str(rule)]:
            return make_peg_game(n_pegs, n_colors, repetition=bool(repetition), rule=rule)
    raise GameError(
        f"a peg game's description holds pegs, colors, 0 or 1, rule; not {parameters!r:.80}"
    )
