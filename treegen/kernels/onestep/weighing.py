"""Criteria of games with weights or costs, as the kernels evaluate them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from ..._rule_kinds import Measure
from .criteria import Rule, evaluate_partition

FRACTION_BITS = 40
"""Of a gain by cost: two fractions with denominators below 2 ** 20 differ in these bits."""


class Weighing(NamedTuple):
    """Weights and costs of a game, and how the criteria of a strategy use them.

    Attributes
    ----------
    weights : int64[n_secrets]
        What finding each secret counts.
    costs : int64[n_codes]
        What each guess costs.
    measures : int64[n_criteria]
        Numbers of `Measure`.
    powers : int64[n_criteria]
        Of `Measure.POWER`.
    per_cost : int64[n_criteria]
        1 if the gain is divided by what the guess costs.
    bits : int
        Logarithms are multiples of ``2 ** -bits``.
    logs : int64[n]
        The logarithms of ``0 … n - 1``, additive over prime factors; that of a larger number is
        computed.
    """

    weights: NDArray[np.int64]
    costs: NDArray[np.int64]
    measures: NDArray[np.int64]
    powers: NDArray[np.int64]
    per_cost: NDArray[np.int64]
    bits: int
    logs: NDArray[np.int64]


@njit_bare_part
def evaluate_weighted(
    rule: Rule,
    weighing: Weighing,
    cost: int,
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
    value: NDArray[np.int64],
) -> int:
    """Write the criteria's values of a partition (less is better); return how many.

    Parameters
    ----------
    cost : int
        Of the guess.
    sizes, sums : int64[n_cells]
        Number and weight of each cell's candidates; the last cell is that of a right guess.
    value : int64[n]
        Written in place.
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


@njit_bare_part
def measure(weighing: Weighing, at: int, weight: int) -> int:
    """Return what a criterion makes of the weight of a cell."""
    if weighing.measures[at] == Measure.ENTROPY:
        return weight * log_of(weighing, weight)
    power = 1
    for _ in range(weighing.powers[at]):
        power *= weight
    return power


@njit_bare_part
def log_of(weighing: Weighing, number: int) -> int:
    """Return the binary logarithm of a number in multiples of ``2 ** -bits``; 0 for 0.

    Of a number beyond the table: it is squared again and again, and each time that it passes 2,
    the next bit is 1. Integers alone are used, so that every machine finds the same.
    """
    if number < len(weighing.logs):
        return int(weighing.logs[number])
    whole = 0
    while number >> (whole + 1):
        whole += 1
    scaled = number << (30 - whole) if whole <= 30 else number >> (whole - 30)
    log = whole
    for _ in range(weighing.bits):
        scaled = (scaled * scaled) >> 30
        log <<= 1
        if scaled >> 31:
            scaled >>= 1
            log += 1
    return log
