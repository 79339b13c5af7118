"""Weights and costs: what finding each secret counts, and what each guess costs.

Both are integers without a common factor. Equal numbers have no effect and are dropped, so that
a game has one description, however its weights were written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError

Number = int | str | Decimal | Fraction
"""A number that is read exactly."""

KIND = "weighted"
"""The kind with which the description of a game with weights or costs begins."""

MAX_TOTAL_WEIGHT = 10**12
"""The most that weights may sum up to: with it, totals of long games keep within 64 bits."""

MAX_COST = 10_000
"""The most that a guess may cost: histograms have an entry for each cost of a game."""

_DECIMAL = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,2})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stakes:
    """Weights of secrets and costs of codes; None where each is 1.

    Attributes
    ----------
    weights
        For each secret a non-negative integer.
    costs
        For each code a positive integer; 0 for codes that are announced and not asked.
    """

    weights: tuple[int, ...] | None = None
    costs: tuple[int, ...] | None = None

    def __bool__(self) -> bool:
        return self.weights is not None or self.costs is not None

    def describe(self) -> list[str]:
        """Return the first entries of the game's description; none without weights and costs."""
        return [KIND, _join(self.weights), _join(self.costs)] if self else []

    @property
    def digest_suffix(self) -> str:
        """Return what follows the rules' name in a digest; empty without weights and costs."""
        if not self:
            return ""
        text = f"{_join(self.weights)} {_join(self.costs)}"
        return " weighted:" + hashlib.sha256(text.encode()).hexdigest()


def parse_stakes(weights: object, costs: object) -> tuple[list[int] | None, list[int] | None]:
    """Return weights and costs of the texts in a description; raise GameError for wrong ones."""
    return _split(weights), _split(costs)


def read_number(number: Number) -> Fraction:
    """Return a number exactly; raise GameError for anything else, such as a rounded float."""
    if isinstance(number, str):
        if re.fullmatch(r"[+-]?\d{1,40},\d{1,40}", number.strip(), re.ASCII):
            raise GameError(
                f"{number.strip()!r:.60} has a comma: write decimals with a point,"
                f" {number.strip().replace(',', '.'):.60}, and thousands without a sign"
            )
        if not _DECIMAL.fullmatch(number.strip()):
            raise GameError(f"{number.strip()!r:.60} is not a number: 3, 0.125 or 1.5e-3 are")
        return Fraction(number.strip())
    if isinstance(number, Decimal) and not number.is_finite():
        raise GameError(f"{number} is not a number that can be counted")
    if isinstance(number, (float, np.floating)):
        if number != number:
            raise GameError(f"{number} is not a number")
        if float(number).is_integer() and abs(number) < 2**53:  # which floats hold exactly
            return Fraction(int(number))
        raise GameError(f"{number} is a binary float, which is rounded; give the text or Decimal")
    if isinstance(number, bool) or not isinstance(number, (int, np.integer, Decimal, Fraction)):
        raise GameError(f"{number!r:.60} is not a number")
    return Fraction(int(number) if isinstance(number, np.integer) else number)


def list_numbers(numbers: Iterable[Number], what: str) -> list[Number]:
    """Return the numbers of a list, an array or another iterable; GameError if it is not one."""
    is_ordered = not isinstance(numbers, (str, bytes, Mapping, Set)) and hasattr(
        numbers, "__iter__"
    )
    if not is_ordered or getattr(numbers, "ndim", 1) != 1:
        raise GameError(
            f"{what} are numbers in order, not {numbers!r:.60}; open_game takes them by name and"
            " from files, too"
        )
    return list(numbers)


def read_weight(number: Number) -> Fraction:
    """Return a weight exactly; raise GameError if it is negative or no number."""
    weight = read_number(number)
    if weight < 0:
        raise GameError(f"the weight {number} is negative; weights are 0 or more")
    return weight


def read_cost(number: Number) -> Fraction:
    """Return a cost; raise GameError if it is not a positive integer."""
    cost = read_number(number)
    if cost.denominator != 1 or cost < 1:
        raise GameError(f"the cost {number} is not a positive integer")
    return cost


def scale_weights(weights: Sequence[Number], n_secrets: int) -> tuple[int, ...] | None:
    """Return weights as integers without a common factor, None if all are equal."""
    if len(weights) != n_secrets:
        raise GameError(f"{len(weights):,} weights are given; there are {n_secrets:,} secrets")
    numbers = [read_weight(weight) for weight in weights]
    if not any(numbers):
        raise GameError("all weights are 0: at least one secret must count")
    whole = _drop_factor(numbers)
    if sum(whole) > MAX_TOTAL_WEIGHT:
        raise GameError(
            f"without their common factor the weights sum up to {sum(whole):.3g}; at most"
            f" {MAX_TOTAL_WEIGHT:.0e} is allowed: round them to fewer digits"
        )
    return None if set(whole) == {1} else whole


def scale_costs(costs: Sequence[Number], plain: NDArray[np.int64]) -> tuple[int, ...] | None:
    """Return costs as integers without a common factor, None if they are the `plain` ones.

    `plain`, int64[n_codes], has 1, or 0 for codes that are only announced, whatever their cost.
    """
    asked = plain.tolist()  # 0 is false: a cost of what is only announced is not even read
    pairs = zip(costs, asked, strict=True)
    whole = _drop_factor([read_cost(cost) if is_asked else Fraction() for cost, is_asked in pairs])
    if max(whole) > MAX_COST:
        raise GameError(
            f"without their common factor the largest cost is {max(whole):,}; at most"
            f" {MAX_COST:,} is allowed"
        )
    return None if whole == tuple(asked) else whole


def _drop_factor(numbers: Iterable[Fraction]) -> tuple[int, ...]:
    """Return the smallest integers in the same proportions."""
    numbers = list(numbers)
    scale = lcm(*(number.denominator for number in numbers))
    whole = [int(number * scale) for number in numbers]
    factor = gcd(*whole) or 1  # 0 where a table has no question that could cost anything
    return tuple(number // factor for number in whole)


def _join(numbers: tuple[int, ...] | None) -> str:
    return "" if numbers is None else ",".join(map(str, numbers))


def _split(text: object) -> list[int] | None:
    if text == "":
        return None
    # 13 digits, as MAX_TOTAL_WEIGHT has.
    if not isinstance(text, str) or not re.fullmatch(r"\d{1,13}(,\d{1,13})*", text, re.ASCII):
        raise GameError(f"weights or costs are numbers joined by commas, not {text!r:.60}")
    return [int(number) for number in text.split(",")]
