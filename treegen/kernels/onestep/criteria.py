"""A strategy in the kernels' form, and its criteria's values of a partition."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from ..rule_kinds import CriterionKind, EligibleKind, Measure, TieBreak


class Rule(NamedTuple):
    """A strategy as the kernels read it."""

    kinds: NDArray[np.int64]  # [n_criteria]: numbers of `CriterionKind`
    # [n_criteria, n_secrets + 1]: value of each cell size, for `CriterionKind.SUM`.
    tables: NDArray[np.int64]
    tie_break: int  # the number of a `TieBreak`
    candidates_only: bool  # whether only candidates are eligible
    eligible: int  # the number of an `EligibleKind`
    n_direct: int  # with this many candidates or fewer, the first in the order of codes is guessed
    ranks: NDArray[np.int32]  # [n_codes]: place of each code in the order of codes
    sequence: NDArray[np.int32]  # [n_codes]: the codes in their order: the inverse of `ranks`


def depends_on_history(rule: Rule) -> bool:
    """Whether the eligible guesses of a state depend on the answers before it."""
    return rule.eligible in (EligibleKind.HINTS, EligibleKind.CONSISTENT)


@njit(is_leaf=True)
def evaluate_partition(
    kinds: NDArray[np.int64],
    tables: NDArray[np.int64],
    sizes: NDArray[np.int64],
    value: NDArray[np.int64],
) -> int:
    """Write the criteria's values of a partition (less is better); return how many."""
    length = 0
    is_consistent = sizes[-1] > 0
    for i in range(len(kinds)):
        kind = kinds[i]
        if kind == CriterionKind.DESCENDING:
            write_descending(sizes, value[length:])
            length += len(sizes)
            continue
        if kind == CriterionKind.SUM:
            value[length] = 0
            for size in sizes:
                value[length] += tables[i, size]
        elif kind == CriterionKind.CONSISTENT:
            value[length] = 0 if is_consistent else 1
        else:
            value[length] = 0
            for size in sizes:
                value[length] = max(value[length], size)
            if kind == CriterionKind.REMOVALS and is_consistent:
                value[length] -= 1
        length += 1
    return length


@njit_part
def write_descending(sizes: NDArray[np.int64], value: NDArray[np.int64]) -> None:
    """Write the sizes in descending order to the front of `value`."""
    for i in range(len(sizes)):
        place = i
        while place > 0 and value[place - 1] < sizes[i]:
            value[place] = value[place - 1]
            place -= 1
        value[place] = sizes[i]


@njit_part
def compare(a: NDArray[np.int64], b: NDArray[np.int64], length: int) -> int:
    """Return -1, 0 or 1: the lexicographic order of the first `length` values."""
    for i in range(length):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


class Bound(IntEnum):
    """The kinds of bounds of a first criterion."""

    NONE = 0
    LARGEST_CELL = 1
    REMOVAL_CELL = 2
    """The largest cell, less one for a consistent guess."""
    TABLE_SUM = 3
    """A sum of a table over the cells."""
    PARTS = 4
    """The same, with a table that distinguishes empty cells."""


_MAX_RISE = 2**60


def find_bound(rule: Rule) -> tuple[int, bool]:
    """Return the kind of the first criterion's bound and whether the bound is strict.

    It is strict if, with guesses tried by rank (consistent ones first if that counts), a later
    guess can only win by a better first criterion.
    """
    kinds = [CriterionKind(kind) for kind in rule.kinds.tolist()]
    first = kinds[0] if kinds else CriterionKind.CONSISTENT
    needs_all = rule.tie_break in (TieBreak.RANDOM, TieBreak.HIGHEST_CONSISTENT)
    is_simple = len(kinds) == 1 or kinds[1:] == [CriterionKind.CONSISTENT]
    has_value = first not in (CriterionKind.CONSISTENT, CriterionKind.DESCENDING)
    return int(_choose_bound(first, rule.tables)), is_simple and has_value and not needs_all


def _choose_bound(first: CriterionKind, tables: NDArray[np.int64]) -> Bound:
    match first:
        case CriterionKind.REMOVALS:
            return Bound.REMOVAL_CELL
        case CriterionKind.LARGEST | CriterionKind.DESCENDING:
            return Bound.LARGEST_CELL
        case CriterionKind.SUM:
            return _choose_table_bound(tables[0])
    return Bound.NONE


def _choose_table_bound(table: NDArray[np.int64]) -> Bound:
    if table[0] == 0 and np.all(table[1:] == -1):
        return Bound.PARTS
    steepest = float(np.abs(np.diff(table.astype(np.float64))).max())
    return Bound.TABLE_SUM if steepest * len(table) < _MAX_RISE else Bound.NONE


def make_lines(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a table with lines that are nowhere above it, see `RankedGame.lines`.

    There is a line for each size below 64, then eight for each doubling; a line touches the table
    at the size for which it was drawn, or is below it where the table is not convex.
    """
    n = len(table) - 1
    sizes = [*range(min(n, 64)), *(int(2 ** (k / 8)) for k in range(48, 8 * 31))]
    places = np.array(sorted({size for size in sizes if size < n}), dtype=np.int64)
    slopes = table[places + 1] - table[places]
    starts = np.empty_like(slopes)
    lower_lines(table, slopes, starts)
    line_of = np.searchsorted(places, np.arange(n + 1), side="right") - 1
    return np.stack((table, slopes[line_of], starts[line_of]))


@njit
def lower_lines(
    table: NDArray[np.int64], slopes: NDArray[np.int64], starts: NDArray[np.int64]
) -> None:
    """Write the height at 0 of the highest line of each slope that is nowhere above the table.

    The table has the values of the sizes ``0 … n - 1``.
    """
    for line in range(len(slopes)):
        lowest = table[0]
        for size in range(len(table)):
            lowest = min(lowest, table[size] - slopes[line] * size)
        starts[line] = lowest


FRACTION_BITS = 40
"""Of a gain by cost: two fractions with denominators below 2 ** 20 differ in these bits."""


class Weighing(NamedTuple):
    """Weights and costs of a game, and how the criteria of a strategy use them."""

    weights: NDArray[np.int64]  # [n_secrets]: what finding each secret counts
    costs: NDArray[np.int64]  # [n_codes]: what each guess costs
    measures: NDArray[np.int64]  # [n_criteria]: numbers of `Measure`
    powers: NDArray[np.int64]  # [n_criteria]: of `Measure.POWER`
    per_cost: NDArray[np.int64]  # [n_criteria]: 1 if the gain is divided by what the guess costs
    bits: int  # logarithms are multiples of ``2 ** -bits``
    # [n]: the logarithms of ``0 … n - 1``, additive over prime factors; that of a larger number is
    # computed.
    logs: NDArray[np.int64]


@njit_part
def evaluate_weighted(
    rule: Rule,
    weighing: Weighing,
    cost: int,
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
    value: NDArray[np.int64],
) -> int:
    """Write the criteria's values of a partition (less is better); return how many.

    `cost` is that of the guess. `sizes` and `sums` are number and weight of each cell's candidates;
    the last cell is that of a right guess.
    """
    length = 0
    for at in range(len(rule.kinds)):
        if weighing.measures[at] == Measure.NUMBER:
            kinds, tables = rule.kinds[at : at + 1], rule.tables[at : at + 1]
            length += evaluate_partition(kinds, tables, sizes, value[length:])
            continue
        whole, parts = 0, 0
        for cell in range(len(sums)):
            whole += sums[cell]
            parts += measure(weighing, at, int(sums[cell]))
        if not weighing.per_cost[at]:
            value[length] = parts
            length += 1
            continue
        gain = measure(weighing, at, whole) - parts
        # The fraction's whole part, then enough of the rest to tell any two apart.
        value[length] = -(gain // cost)
        value[length + 1] = -(((gain % cost) << FRACTION_BITS) // cost)
        length += 2
    return length


@njit_part
def measure(weighing: Weighing, at: int, weight: int) -> int:
    """Return the value of a criterion for a cell of some weight."""
    if weighing.measures[at] == Measure.ENTROPY:
        return weight * log_of(weighing, weight)
    power = 1
    for _ in range(weighing.powers[at]):
        power *= weight
    return power


@njit_part
def log_of(weighing: Weighing, number: int) -> int:
    """Return the binary logarithm of a number in multiples of ``2 ** -bits``; 0 for 0."""
    if number < len(weighing.logs):
        return int(weighing.logs[number])
    return log2_of(number, weighing.bits)


@njit_part
def log2_of(number: int, bits: int) -> int:
    """Return the binary logarithm of a number in multiples of ``2 ** -bits``; 0 for 0.

    The number is squared again and again: each time that it passes 2, the next bit is 1. Integers
    alone are used, so that every machine finds the same.
    """
    whole = 0
    while number >> (whole + 1):
        whole += 1
    # The number as a fraction from 1 to 2, with 30 bits behind the point.
    scaled = number << (30 - whole) if whole <= 30 else number >> (whole - 30)
    log = whole
    for _ in range(bits):
        scaled = (scaled * scaled) >> 30
        log <<= 1
        if scaled >> 31:
            scaled >>= 1
            log += 1
    return log
