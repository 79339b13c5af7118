"""Lower bounds of a partition's first criterion when only some of its cells are counted."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit
from ..._rule_kinds import CriterionKind, TieBreak
from .criteria import Rule


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

    Parameters
    ----------
    table : int64[n]
        Values of the sizes ``0 … n - 1``.
    slopes : int64[m]
        Slopes of the lines.
    starts : int64[m]
        Written in place.
    """
    for line in range(len(slopes)):
        lowest = table[0]
        for size in range(len(table)):
            lowest = min(lowest, table[size] - slopes[line] * size)
        starts[line] = lowest
