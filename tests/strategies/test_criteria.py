"""Criteria, by the tables that kernels read: exact integers, true ties, refusals before a build."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import StrategyError
from treegen.kernels.rule_kinds import CriterionKind
from treegen.strategies.strategy import ENTROPY_BITS, _scale_powers, parse_criterion

from .. import naive

N = 300
NAMES = ["max", "expected", "entropy", "parts", "next-largest", "consistent", "removals"]


def total(name, sizes):
    table = parse_criterion(name).table(sum(sizes))
    return sum(int(table[size]) for size in sizes)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_read_back_and_have_a_table(name):
    criterion = parse_criterion(name)
    assert criterion.name == name
    assert criterion.meaning
    table = criterion.table(N)
    assert (table.dtype, table.shape) == (np.int64, (N + 1,))
    assert table[0] == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([4, 1, 1, 1, 1], [2, 2, 2, 2]),
        ([6] + [1] * 6, [3, 3, 2, 2, 2]),
        ([12] + [1] * 24, [2] * 12 + [3] * 4),
        ([9] + [1] * 9, [3] * 6),
    ],
)
def test_partitions_of_equal_entropy_tie(left, right):
    assert sum(left) == sum(right)
    assert naive.entropy_value(left) == naive.entropy_value(right)
    assert total("entropy", left) == total("entropy", right)


@given(st.integers(1, 40), st.integers(1, 40))
def test_entropy_is_additive_over_factors(a, b):
    table = parse_criterion("entropy").table(1600)
    assert table[a * b] == b * table[a] + a * table[b]


def test_logarithms_of_primes_are_rounded_exactly():
    table = parse_criterion("entropy").table(5000)
    primes = [p for p in range(2, 5001) if all(p % q for q in range(2, int(p**0.5) + 1))]
    with localcontext(prec=60):
        for prime in primes:
            log = Decimal(prime).ln() / Decimal(2).ln() * 2**ENTROPY_BITS
            assert table[prime] == prime * int(log.to_integral_value())


def test_entropy_table_is_pinned():
    assert parse_criterion("entropy").table(7).tolist() == [
        0, 0, 8589934592, 20422086318, 34359738368, 49863026155, 66613976412, 84402483053,
    ]  # fmt: skip


@given(st.lists(st.integers(1, 30), min_size=1), st.lists(st.integers(1, 30), min_size=1))
def test_entropy_orders_partitions_as_the_exact_product_does(left, right):
    table = parse_criterion("entropy").table(1000)
    values = [sum(int(table[size]) for size in sizes) for sizes in (left, right)]
    exact = [naive.entropy_value(sizes) for sizes in (left, right)]
    assert (values[0] < values[1]) == (exact[0] < exact[1])
    assert (values[0] == values[1]) == (exact[0] == exact[1])


@pytest.mark.parametrize("exponent", [1, 2, 3, 5])
def test_whole_powers_are_exact(exponent):
    table = parse_criterion(f"power:{exponent}").table(N)
    assert table.tolist() == [size ** (exponent + 1) for size in range(N + 1)]
    assert exponent > 1 or (table == parse_criterion("expected").table(N)).all()


def test_power_minus_one_counts_the_cells():
    assert parse_criterion("power:-1").table(5).tolist() == [0, -1, -1, -1, -1, -1]
    assert parse_criterion("parts").table(5).tolist() == [0, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("exponent", ["0.5", "-0.5", "1.5", "0.1", "-0.99", "2.25"])
def test_other_powers_are_rounded_at_32_bits(exponent):
    table = parse_criterion(f"power:{exponent}").table(N)
    sign = 1 if Decimal(exponent) > 0 else -1
    with localcontext(prec=60):
        for size in range(1, N + 1, 13):
            exact = sign * Decimal(size) ** (Decimal(exponent) + 1) * 2**32
            assert abs(int(table[size]) - exact) <= Decimal("0.5")


def test_a_large_power_keeps_fewer_bits():
    table = parse_criterion("power:3.5").table(1296)
    bits = 62 - int(1296**4.5).bit_length()
    assert 8 <= bits < 32
    assert int(table[1296]) < 2**62
    assert abs(Fraction(int(table[4]), 2**bits) - 2**9) < Fraction(1, 2**bits)
    assert table[4] == 2 ** (9 + bits)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("power:1.0", "power:1"),
        ("power:+2", "power:2"),
        ("power:60", "power:60"),
        ("power:5e-1", "power:0.5"),
        ("power:-1.000", "power:-1"),
    ],
)
def test_equal_powers_have_one_name(text, name):
    assert parse_criterion(text).name == name
    assert parse_criterion(text).kind == CriterionKind.SUM


@pytest.mark.parametrize(
    "text",
    [
        *("power:0", "power:-0.0", "power:-1.01", "power:61", "power:nan", "power:-inf"),
        *("power:", "power:x", "power:1/2", "power:1e-999999", "power:1e999999", "power"),
        *("", "max ", "MAX", "maximum", "lowest"),
    ],
)  # fmt: skip
def test_criteria_that_are_none_are_refused_shortly(text):
    with pytest.raises(StrategyError) as caught:
        parse_criterion(text)
    assert len(str(caught.value)) < 200


def test_eight_bits_of_fraction_are_enough():
    assert parse_criterion("power:52.5").table(2)[:2].tolist() == [0, 1 << 8]
    with pytest.raises(StrategyError, match="8 bits"):
        parse_criterion("power:53.5").table(2)


@pytest.mark.parametrize(
    ("name", "n_secrets"),
    [
        ("power:5", 1296),
        ("power:60", 3),
        ("power:4.9", 1296),
        ("expected", 2**31 + 1),
        ("entropy", 2**26),
    ],
)
def test_sums_beyond_64_bits_are_refused(name, n_secrets):
    with pytest.raises(StrategyError, match=r"64 bits|8 bits"):
        parse_criterion(name).table(n_secrets)


@pytest.mark.parametrize("name", ["power:4", "power:3.5", "power:-0.5", "entropy", "expected"])
def test_no_sum_of_cells_passes_64_bits(name):
    n_secrets = 1296
    table = [abs(int(value)) for value in parse_criterion(name).table(n_secrets)]
    most = max(value / size for size, value in enumerate(table) if size)
    assert most * n_secrets < 2**63


def test_the_callers_decimals_change_no_value():
    wanted = parse_criterion("power:0.5").table(300).tolist()
    for digits in (5, 60):
        _scale_powers.cache_clear()
        with localcontext(prec=digits):
            assert parse_criterion("power:0.5").table(300).tolist() == wanted
