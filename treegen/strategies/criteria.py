"""Criteria: what makes one guess better than another, as exact integers.

Each criterion gives a guess one integer (`next-largest`: several); less is better. All but `max`,
`next-largest`, `consistent` and `removals` are sums over the cells of a function of the cell's
size, which is kept as a table of 64-bit integers; equal partitions therefore have equal values on
every machine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal, InvalidOperation
from functools import lru_cache, partial
from itertools import chain
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._rule_kinds import CriterionKind, Measure
from ..errors import StrategyError

Table = NDArray[np.int64]

CellFunction = Callable[[tuple[int, ...]], Any]
"""A criterion as a function: of the sizes of a guess's cells, the largest first, to a number."""

OWN = "own:"
"""How the names of such criteria begin: no file and no other process knows the function."""

ENTROPY_BITS = 32
"""The entropy's logarithms are multiples of 2 ** -32."""

PER_COST = "/cost"
"""How the names of criteria end that divide the gain by the cost."""

_LIMIT = 2**62
_DECIMAL = Context(prec=40)
_LEAST_STEP = Decimal("1e-12")
"""Exponents are multiples of it."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of a chain.

    Attributes
    ----------
    name
        Its name in a chain, such as ``power:1``.
    kind
        How its value is found.
    meaning
        The rule in words.
    make_table
        For `CriterionKind.SUM`: gives the value of each cell size ``0 … n``, for a game of ``n``
        secrets.
    measure
        What it sees of a cell where candidates have weights.
    power
        For `Measure.POWER`: the exponent.
    is_per_cost
        Whether what a guess gains is divided by what it costs.
    function
        Gives the value instead, of the sizes of the non-empty cells, the largest first.
    """

    name: str
    kind: CriterionKind
    meaning: str
    make_table: Callable[[int], Table] | None = field(default=None, compare=False)
    measure: Measure = Measure.NUMBER
    power: int = 0
    is_per_cost: bool = False
    function: CellFunction | None = None

    def table(self, n_secrets: int) -> Table:
        """Return the value of each cell size 0 … `n_secrets`; raise StrategyError if too large."""
        if self.make_table is None:
            return np.zeros(n_secrets + 1, dtype=np.int64)
        return self.make_table(n_secrets)


def make_own_criterion(function: CellFunction) -> Criterion:
    """Return the criterion that prefers the least value of a function of the cells' sizes.

    Examples
    --------
    >>> make_own_criterion(max).name
    'own:max'
    """
    name = re.sub(r"[^\w.-]", "", getattr(function, "__name__", type(function).__name__))
    meaning = f"the least value of the function {name}"
    return Criterion(f"{OWN}{name}", CriterionKind.SUM, meaning, function=function)


def apply_function(criterion: Criterion, sizes: tuple[int, ...]) -> Real:
    """Return the value of an own criterion; raise StrategyError if it is no number."""
    assert criterion.function is not None
    value = criterion.function(sizes)
    if not isinstance(value, Real) or value != value:  # NaN
        raise StrategyError(
            f"{criterion.name} gives {value!r:.80} for the cells {sizes}: a number is needed"
        )
    return value


def list_criteria() -> list[str]:
    """Return the names of the criteria, without ``power:L``."""
    return list(_CRITERIA)


def count_bits(value: int, n_candidates: int) -> float:
    """Return the information of a partition in bits, given the value of `entropy`."""
    left: float = value / n_candidates / 2.0**ENTROPY_BITS
    return math.log2(n_candidates) - left


def parse_criterion(text: str) -> Criterion:
    """Return the criterion of a name.

    Raises
    ------
    StrategyError
        There is no such criterion, or the exponent of ``power:L`` is out of range.

    Examples
    --------
    >>> parse_criterion("power:1").table(4).tolist()
    [0, 1, 4, 9, 16]
    """
    if text in _CRITERIA:
        return _CRITERIA[text]
    if text.endswith(PER_COST):
        return _divide_by_cost(text)
    if text.startswith(OWN):
        raise StrategyError(
            f"{text!r:.80} is a function in Python, which no file and no other process knows: give"
            " treegen the strategy itself"
        )
    if text.startswith("power:"):
        return _power(text.removeprefix("power:"))
    raise StrategyError(
        f"unknown criterion {text!r:.80}: there are {', '.join(_CRITERIA)} and power:L"
    )


def _divide_by_cost(text: str) -> Criterion:
    base = parse_criterion(text.removesuffix(PER_COST))
    if base.measure == Measure.NUMBER or base.is_per_cost or base.name.startswith("power:-"):
        raise StrategyError(
            f"{text!r:.80} is no criterion: expected, entropy and power:L of a whole L > 0 are"
            " divided by the cost"
        )
    meaning = f"greatest gain for its cost: {base.meaning}"
    return replace(base, name=f"{base.name}{PER_COST}", meaning=meaning, is_per_cost=True)


def _power(text: str) -> Criterion:
    try:
        exponent = Decimal(text)
    except InvalidOperation:
        raise StrategyError(f"power:{text:.40} needs a number, such as power:0.5") from None
    if not exponent.is_finite() or not -1 <= exponent <= 60 or exponent == 0:
        raise StrategyError(f"power:{text:.40} is out of range: L > 0 (to 60), or -1 <= L < 0")
    exponent = exponent.normalize(_DECIMAL)
    if abs(exponent) < _LEAST_STEP or exponent % _LEAST_STEP:
        raise StrategyError(f"power:{text:.40} has too many digits: 12 decimals are read")
    verb = "least" if exponent > 0 else "greatest"
    name = f"power:{exponent:f}"
    meaning = f"{verb} sum over the cells of size ** {exponent + 1:f}"
    make_table = partial(_power_table, exponent)
    if exponent != exponent.to_integral_value() or exponent < 0:
        return Criterion(name, CriterionKind.SUM, meaning, make_table)
    power = int(exponent) + 1
    return Criterion(name, CriterionKind.SUM, meaning, make_table, Measure.POWER, power)


def _power_table(exponent: Decimal, n_secrets: int) -> Table:
    """Return size ** (L + 1), exactly for integer L, else as a multiple of 2 ** -bits."""
    sign = 1 if exponent > 0 else -1
    power = exponent + 1
    if power == power.to_integral_value():
        whole = int(power)
        if n_secrets**whole > _LIMIT:
            raise StrategyError(
                f"power:{exponent:f} of {n_secrets} secrets passes 64 bits:"
                f" {n_secrets} ** {whole} is more than 2 ** 62"
            )
        return sign * np.array([size**whole if size else 0 for size in range(n_secrets + 1)])
    largest = _DECIMAL.power(Decimal(n_secrets), power)
    # A partition's values sum at most to that of one cell with all secrets (power >= 1) or to
    # n_secrets cells of one (power < 1): with these bits of fraction no sum passes 64 bits.
    bits = min(32, (_LIMIT // (int(largest) + 1)).bit_length() - 1)
    if bits < 8:
        raise StrategyError(
            f"power:{exponent:f} of {n_secrets} secrets leaves less than 8 bits of fraction"
        )
    return sign * _scale_powers(power, bits, n_secrets)


@lru_cache(maxsize=2)
def _scale_powers(power: Decimal, bits: int, n_secrets: int) -> Table:
    """Return size ** power for each size 0 … `n_secrets`, rounded to a multiple of 2 ** -bits."""
    scale = Decimal(2**bits)
    values = (_DECIMAL.power(Decimal(size), power) * scale for size in range(1, n_secrets + 1))
    whole = (int(value.to_integral_value()) for value in values)
    table = np.fromiter(chain((0,), whole), dtype=np.int64, count=n_secrets + 1)
    table.setflags(write=False)
    return table


def _entropy_table(n_secrets: int) -> Table:
    """Return n * log2 n as n * (sum over n's prime factors of round(2 ** 32 * log2 p)).

    Additive over prime factors, so that partitions which tie mathematically tie here too.
    """
    if n_secrets * (n_secrets.bit_length() << ENTROPY_BITS) > _LIMIT:
        raise StrategyError(f"entropy of {n_secrets} secrets passes 64 bits")
    return make_logs(n_secrets) * np.arange(n_secrets + 1, dtype=np.int64)


@lru_cache(maxsize=4)
def make_logs(largest: int, bits: int = ENTROPY_BITS) -> Table:
    """Return the logarithms of 0 … `largest` in multiples of 2 ** -bits, 0 for 0 (read-only).

    Examples
    --------
    >>> make_logs(8, bits=4).tolist()
    [0, 0, 16, 25, 32, 37, 41, 45, 48]
    """
    logs = np.zeros(largest + 1, dtype=np.int64)
    is_prime = np.ones(largest + 1, dtype=bool)
    for prime in range(2, largest + 1):
        if not is_prime[prime]:
            continue
        is_prime[2 * prime :: prime] = False
        log = _fixed_log2(prime, bits)
        power = prime
        while power <= largest:
            logs[power::power] += log
            power *= prime
    logs.setflags(write=False)
    return logs


def _fixed_log2(number: int, bits: int) -> int:
    """Return round(2 ** bits * log2(number)), the same on every machine."""
    scaled = math.log2(number) * 2.0**bits
    if abs(scaled % 1.0 - 0.5) > 2.0**-8:  # far beyond the last bits in which machines differ
        return round(scaled)
    ratio = _DECIMAL.divide(_DECIMAL.ln(Decimal(number)), _DECIMAL.ln(Decimal(2)))
    return int((ratio * 2**bits).to_integral_value())


def _parts_table(n_secrets: int) -> Table:
    table = np.full(n_secrets + 1, -1, dtype=np.int64)
    table[0] = 0
    return table


_CRITERIA = {
    criterion.name: criterion
    for criterion in (
        Criterion("max", CriterionKind.LARGEST, "least largest cell"),
        Criterion(
            "expected", CriterionKind.SUM, "least expected size: the sum of squares of the cells",
            partial(_power_table, Decimal(1)), Measure.POWER, 2,
        ),
        Criterion(
            "entropy", CriterionKind.SUM, "greatest entropy of the partition", _entropy_table,
            Measure.ENTROPY,
        ),
        Criterion("parts", CriterionKind.SUM, "most non-empty cells", _parts_table),
        Criterion(
            "next-largest", CriterionKind.DESCENDING,
            "least largest cell, then least second largest, and so on through all cells",
        ),
        Criterion("consistent", CriterionKind.CONSISTENT, "guesses that may win before others"),
        Criterion(
            "removals", CriterionKind.REMOVALS,
            "most candidates surely removed, one more if the guess may win",
        ),
    )
}  # fmt: skip
