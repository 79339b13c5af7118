"""Thresholds: a column of measurements becomes yes-no questions such as ``Length (cm) < 2.45``.

A cell is a number, or a range ``3-5`` of what may be measured: whether it is less than a threshold
within is uncertain, and so is an unknown number. Thresholds stand midway between neighbouring
numbers; they are computed and written as exact decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError

V = TypeVar("V")

ALL = "all"
"""What stands for all columns of numbers."""

MOST = 32
"""At most this many thresholds of a column are asked unless a user says otherwise."""

LESS, NOT_LESS = "yes", "no"

_NUMBER = r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2})?"
_MEASURED = re.compile(rf"({_NUMBER})(?: ?[-–] ?({_NUMBER}))?", re.ASCII)
_DIGITS = 400
"""More than any sum of two numbers has."""
_SEPARATED = re.compile(r"[+-]?\d+(?:[,'’_ . ]\d+)+", re.ASCII)
# A number midway has more digits, and a smaller exponent, than those beside it.
_MIDWAY = rf"[+-]?\d{{1,{_DIGITS}}}(?:\.\d{{1,{_DIGITS}}})?(?:[eE][+-]?\d{{1,3}})?"
_THRESHOLD = re.compile(rf"(.*\S) < ({_MIDWAY}|{_NUMBER})", re.ASCII)
_BRACKETED = re.compile(r"(.*\S)\s*(?:\(([^()]+)\)|\[([^][]+)\])")
_UNIT = re.compile(
    r"(?:[%‰°$€£K]|°[CF]|(?:[nµμmcdkMG]?(?:m|g|s|l|L|A|V|W|J|N|Pa|Hz|mol|bar|eV|cal)|[kMG]?B|t|ha"
    r"|in|inch(?:es)?|ft|feet|yd|mi(?:les?)?|lbs?|oz|min|h|hours?|d|days?|weeks?|months?|years?|yrs?"
    r"|px|pp[mb]|dB|bpm|mmHg|IU)[²³23]?(?:/(?=\S)|\Z))+"
)


class Threshold(NamedTuple):
    """A question whether the number in a column is less than a value."""

    column: str
    value: Decimal

    def list_answers(self, cell: str) -> tuple[str, ...]:
        """Return the answers that a number or a range may give; GameError if a cell is neither.

        >>> parse_threshold("Length < 2.45").list_answers("2-3")
        ('no', 'yes')
        """
        low, high = read_measured(cell)
        return (NOT_LESS,) * (high >= self.value) + (LESS,) * (low < self.value)


def parse_threshold(question: str) -> Threshold | None:
    """Return the threshold for which a question asks; None if it asks for something else."""
    match = _THRESHOLD.fullmatch(question)
    return Threshold(match[1], Decimal(match[2])) if match else None


def write_threshold(column: str, value: Decimal) -> str:
    """Return the question for a threshold.

    >>> write_threshold("Length (cm)", Decimal("2.450"))
    'Length (cm) < 2.45'
    """
    with localcontext(prec=_DIGITS):
        number = value.normalize()
        text = format(number, "f")
    return f"{column} < {text if len(text) <= 24 else number}"


def word_threshold(question: str) -> str:
    """Return a question in the words of a key, if it asks for a threshold; else as it is.

    >>> word_threshold("Petal length (cm) < 2.45"), word_threshold("Legs")
    ('Petal length less than 2.45 cm?', 'Legs')
    """
    match = _THRESHOLD.fullmatch(question)
    if match is None:
        return question
    column, number = match.groups()
    named = _BRACKETED.fullmatch(column)
    if named and (named[3] or _UNIT.fullmatch(named[2])):
        return f"{named[1]} less than {number} {named[2] or named[3]}?"
    return f"{column} less than {number}?"


def spread_columns(questions: Iterable[str], numbers: Mapping[str, V]) -> dict[str, V]:
    """Return numbers by question, where that of a column is for each threshold without its own."""
    asked = {question: parse_threshold(question) for question in questions}
    columns = {each.column for each in asked.values() if each} - asked.keys()
    own = {name: number for name, number in numbers.items() if name not in columns}
    return own | {
        question: numbers[each.column]
        for question, each in asked.items()
        if each and question not in own and each.column in columns & numbers.keys()
    }


def read_measured(text: str) -> tuple[Decimal, Decimal]:
    """Return the least and the greatest number that a cell means; raise GameError if it has none.

    >>> read_measured("-3--1"), read_measured("1e3")
    ((Decimal('-3'), Decimal('-1')), (Decimal('1E+3'), Decimal('1E+3')))
    """
    match = _MEASURED.fullmatch(text.replace("−", "-"))
    if match is None and _SEPARATED.fullmatch(text):
        raise GameError(f"{text!r:.80} is no number: decimals have a point, thousands no separator")
    if match is None:
        raise GameError(f"{text!r:.80} is neither a number (12, -0.5, 1e3) nor a range (3-5)")
    low, high = (Decimal(part) for part in (match[1], match[2] or match[1]))
    if low > high:
        raise GameError(f"{text!r:.80} is no range: its first number is the greater one")
    return low, high


def is_measured(text: str) -> bool:
    """Return whether a cell is a number or a range."""
    match = _MEASURED.fullmatch(text.replace("−", "-"))
    return match is not None and (not match[2] or Decimal(match[1]) <= Decimal(match[2]))


class Measurements(NamedTuple):
    """The numbers in a column, ascending, and which of them each cell may mean, by place.

    What is not known may be any number.
    """

    values: list[Decimal]
    low: NDArray[np.int64]
    high: NDArray[np.int64]

    @classmethod
    def read(cls, cells: Sequence[Sequence[str | None]]) -> Measurements:
        """Return the measurements of cells: lists of numbers and ranges; any number for None."""
        spans = [
            [read_measured(part) for part in cell if part is not None] if None not in cell else []
            for cell in cells
        ]
        values = sorted({end for cell in spans for span in cell for end in span})
        place_of = {value: place for place, value in enumerate(values)}
        low = [min((place_of[span[0]] for span in cell), default=0) for cell in spans]
        high = [
            max((place_of[span[1]] for span in cell), default=len(values) - 1) for cell in spans
        ]
        return cls(values, np.array(low, dtype=np.int64), np.array(high, dtype=np.int64))

    def choose(
        self, found: NDArray[np.integer], classes: Sequence[str], most: int
    ) -> tuple[list[int], int]:
        """Return thresholds, each by the place of the number before it, and how many there are.

        They part some rows for certain. Those stay that part most pairs of rows, of different
        classes where there are any; of equally good ones the lower.

        Parameters
        ----------
        found : int[n_rows]
            The cell of each row.
        classes
            Of each row, or none.
        most
            How many to choose, at least 1.
        """
        n = len(self.values)
        if n < 2:
            return [], 0
        parted = self._count_pairs(found, n)
        useful = np.flatnonzero(parted)
        if len(useful) > most:
            numbers = np.unique(classes, return_inverse=True)[1] if classes else ()
            for number in range(int(max(numbers, default=-1)) + 1):
                parted -= self._count_pairs(found[numbers == number], n)
            order = np.argsort(-parted[useful], kind="stable")
            return sorted(useful[order[:most]].tolist()), len(useful)
        return useful.tolist(), len(useful)

    def _count_pairs(self, found: NDArray[np.integer], n: int) -> NDArray[np.int64]:
        """Return the number of pairs of rows that each threshold separates for certain."""
        less = np.bincount(self.high[found], minlength=n).cumsum()[:-1]
        not_less = np.bincount(self.low[found], minlength=n)[::-1].cumsum()[::-1][1:]
        return np.asarray(less * not_less)

    def answer(self, place: int) -> NDArray[np.int64]:
        """Return the answer of each cell to the threshold after a number: 0, 1, or 2 for either."""
        return np.where(self.high <= place, 1, np.where(self.low > place, 0, 2))

    def find_midway(self, place: int) -> Decimal:
        """Return the threshold between a number and the next."""
        with localcontext(prec=_DIGITS):
            return (self.values[place] + self.values[place + 1]) / 2
