"""Finding a PIN by decimalization tables: the attack on the modules that check PINs for banks.

Such a module turns the hexadecimal digits of an encrypted account number into decimal ones, by a
table that whoever calls it may give, and says whether the result is the PIN that was entered. A
table that makes some digits 1 and all others 0, with a PIN of zeros and ones, asks a question: is
this where the PIN has those digits?

A ready game of questions, as `coins`.

References
----------
M. Bond and P. Zieliński, Decimalisation table attacks for PIN cracking, technical report
UCAM-CL-TR-560, University of Cambridge (2003). R. Focardi and F. L. Luccio, Guessing bank PINs by
winning a Mastermind game, Theory of Computing Systems 50 (2012).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from ..errors import GameError
from .answer_table import AnswerTable
from .questions import Questions

MOST_PLACES = 4
"""Longer PINs have too many answers: 5 digits 1.6 billion."""

DIGITS = range(10)
ANSWERS = ("no", "yes")


def make_pins(n_places: int) -> Questions:
    """Return the game of finding a PIN of so many digits.

    The question ``037 as 1010`` makes 0, 3 and 7 the digit 1 and all others 0: does the PIN read
    1010 then?

    Parameters
    ----------
    n_places
        How many digits the PIN has.

    Raises
    ------
    GameError
        Fewer than 1 or more than 4.

    Examples
    --------
    >>> game = make_pins(2)
    >>> game.n_secrets, game.table.questions[:2], game.table.questions[-1]
    (100, ('0 as 00', '0 as 01'), '06789 as 11')
    >>> game.score(game.parse_code("37 as 01"), game.parse_secret("03"))
    1
    """
    if not 1 <= n_places <= MOST_PLACES:
        raise GameError(f"a PIN has 1 to {MOST_PLACES} digits here, not {n_places}")
    pins = np.array(list(product(DIGITS, repeat=n_places)))
    readings = list(product("01", repeat=n_places))
    tables = list(list_tables())
    # Each table reads a PIN in one way: there the answer is yes.
    matrix = np.zeros((len(pins), len(tables) * len(readings)), dtype=np.uint8)
    places = 1 << np.arange(n_places)[::-1]
    for number, ones in enumerate(tables):
        read = np.isin(pins, ones) @ places
        matrix[np.arange(len(pins)), number * len(readings) + read] = 1
    texts = [f"{_join(ones)} as {_join(reading)}" for ones, reading in product(tables, readings)]
    table = AnswerTable(
        tuple(map(_join, pins.tolist())),
        tuple(texts),
        (ANSWERS,) * len(texts),
        matrix,
        tuple((row,) for row in range(len(pins))),
    )
    return Questions(table, label=f"pin{n_places}")


def parse_pins(name: str) -> Questions | None:
    """Return the game of a name, ``pin4``; None for other names."""
    match = re.fullmatch(r"pin(\d{1,9})", name, re.ASCII)
    return make_pins(int(match[1])) if match else None


def list_tables() -> Iterator[tuple[int, ...]]:
    """Yield the digits that a table makes 1, fewest first.

    Ones and zeros may change places, in the table and in what is entered: of two such tables one
    is enough.

    Examples
    --------
    >>> len(list(list_tables()))
    511
    """
    for size in range(1, len(DIGITS) // 2 + 1):
        for ones in combinations(DIGITS, size):
            if 2 * size < len(DIGITS) or 0 in ones:
                yield ones


def _join(values: tuple[object, ...]) -> str:
    return "".join(map(str, values))
