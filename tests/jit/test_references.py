"""Named tuples that kernels pass by reference: they read what Python put there."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from treegen.jit.compiler import by_reference, njit, njit_part

POINT = np.dtype([("x", np.int64), ("y", np.float64)])


@by_reference
class Inner(NamedTuple):
    numbers: NDArray[np.int64]
    is_odd: bool
    point: Any


@by_reference
class Outer(NamedTuple):
    factor: int
    inner: Inner
    rows: NDArray[np.uint8]


def make_outer(rows: NDArray[np.uint8]) -> Outer:
    point = np.zeros(1, dtype=POINT).view(np.recarray)[0]
    point.x = 5
    return Outer(3, Inner(np.arange(4), True, point), rows)


@njit_part(allocates=True)
def sum_up(inner: Inner, rows: NDArray[np.uint8]) -> int:
    inner.numbers[0] = 7
    inner.point.y += 0.5
    return int(inner.numbers.sum() + inner.point.x + inner.is_odd) + int(rows.sum())


@njit(allocates=True)
def read(outer: Outer) -> int:
    return outer.factor * sum_up(outer.inner, outer.rows)


@njit
def read_last(outer: Outer) -> int:
    inner = outer.inner
    inner.numbers[0] = outer.rows[-1, -1]
    return int(inner.numbers[-1] + inner.point.x)


@pytest.mark.parametrize("rows", [np.ones((2, 3), np.uint8), np.ones((3, 4), np.uint8)[:2, ::2]])
def test_fields_are_read_through_references(rows):
    """Of arrays of any layout, of a number, and of a tuple and a record within."""
    outer = make_outer(rows)
    assert read(outer) == 3 * (7 + 1 + 2 + 3 + 5 + 1 + rows.sum())
    assert outer.inner.numbers[0] == 7
    assert outer.inner.point.y == 0.5
    assert read_last(outer) == 3 + 5
    assert outer.inner.numbers[0] == 1


@pytest.mark.parametrize("kernel", [read, read_last])
def test_a_kernel_keeps_no_reference(kernel):
    outer = make_outer(np.ones((2, 3), np.uint8))
    kernel(outer)
    before = [sys.getrefcount(item) for item in (*outer, *outer.inner)]
    for _ in range(10):
        kernel(outer)
    assert [sys.getrefcount(item) for item in (*outer, *outer.inner)] == before


def test_other_values_are_refused():
    outer = make_outer(np.ones((2, 3), np.uint8))
    with pytest.raises(Exception, match=r"Reference|attribute"):
        read(outer.inner)
