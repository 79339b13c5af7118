"""A strategy in the kernels' form, and its criteria's values of a partition."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from ..._rule_kinds import CriterionKind


class Rule(NamedTuple):
    """A strategy as the kernels read it.

    Attributes
    ----------
    kinds : int64[n_criteria]
        Numbers of `CriterionKind`.
    tables : int64[n_criteria, n_secrets + 1]
        Value of each cell size, for `CriterionKind.SUM`.
    tie_break : int
        The number of a `TieBreak`.
    candidates_only : bool
        Whether only candidates are eligible.
    eligible : int
        The number of an `EligibleKind`.
    n_direct : int
        With so many candidates left or fewer, the first in the order of codes is guessed.
    ranks : int32[n_codes]
        Place of each code in the order of codes.
    sequence : int32[n_codes]
        The codes in their order: the inverse of `ranks`.
    """

    kinds: NDArray[np.int64]
    tables: NDArray[np.int64]
    tie_break: int
    candidates_only: bool
    eligible: int
    n_direct: int
    ranks: NDArray[np.int32]
    sequence: NDArray[np.int32]


@njit_bare_part
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


@njit_bare_part
def write_descending(sizes: NDArray[np.int64], value: NDArray[np.int64]) -> None:
    """Write the sizes in descending order to the front of `value`."""
    for i in range(len(sizes)):
        place = i
        while place > 0 and value[place - 1] < sizes[i]:
            value[place] = value[place - 1]
            place -= 1
        value[place] = sizes[i]


@njit_bare_part
def compare(a: NDArray[np.int64], b: NDArray[np.int64], length: int) -> int:
    """Return -1, 0 or 1: the lexicographic order of the first `length` values."""
    for i in range(length):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0
