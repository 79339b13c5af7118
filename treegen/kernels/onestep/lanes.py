"""Vectors of bytes: 64 lanes at once, in a few instructions if the machine has them.

numba's own loops over bytes widen every lane to 64 bits; these operations do not. Each has a plain
twin that runs if compiling is switched off (``NUMBA_DISABLE_JIT=1``).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

LANES = 64

_BYTE = ir.IntType(8)
_INT = ir.IntType(64)
_VECTOR = ir.VectorType(_BYTE, LANES)
_Bytes = NDArray[np.uint8]


def add_lanes(work: _Bytes, out: int, a: int, b: int, c: int) -> None:
    """Add three vectors of `work`, modulo 256; the other arguments are byte offsets."""
    n = LANES
    work[out : out + n] = work[a : a + n] + work[b : b + n] + work[c : c + n]


def move_lanes(work: _Bytes, out: int, a: int, b: int, c: int) -> None:
    """Write ``a - b + c``, like `add_lanes`."""
    n = LANES
    work[out : out + n] = work[a : a + n] - work[b : b + n] + work[c : c + n]


def merge_lanes(work: _Bytes, out: int, a: int, b: int) -> None:
    """Write the larger byte of two, in each lane."""
    n = LANES
    work[out : out + n] = np.maximum(work[a : a + n], work[b : b + n])


def tally_lanes(work: _Bytes, rows: int, n: int, out: int, n_steps: int, most: int) -> int:
    """Rate the partition in each lane; return how many lanes have no more than `most`.

    Parameters
    ----------
    work
        Of Space or Tails.
    rows
        Offset of `n` vectors, a response in each lane, and of one more: each lane's initial value.
    n
        Number of candidates, at most 64.
    out
        Where the ratings are written. They are meaningless if no lane has `most` or less.
    n_steps
        A response that occurred e times before adds e if this is 0, or the sum of the first e of so
        many bytes after `out`, up to 255 in all. If this is negative, the rating is the maximum of
        e.
    most
        From 0 to 254.
    """
    lanes = work[rows : rows + (n + 1) * LANES].reshape(n + 1, LANES).astype(np.int64)
    sums = np.cumsum([0, *work[out + LANES : out + LANES + max(n_steps, 0)].tolist()])
    ratings = lanes[n].copy()
    for i in range(1, n):
        before = (lanes[:i] == lanes[i]).sum(axis=0)
        if n_steps < 0:
            ratings = np.maximum(ratings, before)
        else:
            ratings += sums[np.minimum(before, n_steps)] if n_steps else before
    work[out : out + LANES] = np.minimum(ratings, 255)
    return int(np.count_nonzero(work[out : out + LANES] <= most))


def count_lanes(work: _Bytes, at: int, value: int) -> int:
    """Return how many of the 64 bytes at an offset equal a value."""
    return int(np.count_nonzero(work[at : at + LANES] == value))


@intrinsic
def _add_lanes(_context: Any, work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    signature = types.void(work, types.int64, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        total = _load(builder, data, values[2])
        total = builder.add(total, _load(builder, data, values[3]))
        total = builder.add(total, _load(builder, data, values[4]))
        builder.store(total, _place(builder, data, values[1]), align=1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _move_lanes(_context: Any, work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    signature = types.void(work, types.int64, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        total = _load(builder, data, values[2])
        total = builder.sub(total, _load(builder, data, values[3]))
        total = builder.add(total, _load(builder, data, values[4]))
        builder.store(total, _place(builder, data, values[1]), align=1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _merge_lanes(_context: Any, work: Any, out: Any, a: Any, b: Any) -> Any:
    signature = types.void(work, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        larger = _larger(builder, *(_load(builder, data, place) for place in values[2:]))
        builder.store(larger, _place(builder, data, values[1]), align=1)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def _tally_lanes(
    _context: Any, work: Any, rows: Any, n: Any, out: Any, n_steps: Any, most: Any
) -> Any:
    signature = types.int64(work, *(types.int64,) * 5)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        rows, n, out, n_steps, most = values[1:]
        ratings, before = _make_variable(builder, _VECTOR), _make_variable(builder, _VECTOR)
        n_good = _make_variable(builder, _INT)
        builder.store(_INT(0), n_good)
        highest = _splat(builder, builder.trunc(most, _BYTE))
        row = partial(_load_row, builder, data, rows)
        builder.store(row(n), ratings)
        with cgutils.for_range(builder, n, start=_INT(1)) as outer:
            answers = row(outer.index)
            builder.store(ir.Constant(_VECTOR, None), before)
            with cgutils.for_range(builder, outer.index) as inner:
                equal = builder.icmp_unsigned("==", row(inner.index), answers)
                # A true comparison widens to a byte of ones, which is -1: subtracting it counts.
                # `before` is at most n - 1, 63.
                ones = builder.sext(equal, _VECTOR)
                builder.store(builder.sub(builder.load(before), ones), before)
            _rate(builder, data, out, n_steps, builder.load(before), ratings)
            is_good = builder.icmp_unsigned("<=", builder.load(ratings), highest)
            # 64 truth values of one bit each are one integer of 64 bits.
            mask = builder.bitcast(is_good, _INT)
            builder.store(builder.ctpop(mask), n_good)
            # Ratings only rise: if no lane is good any more, none will be.
            with builder.if_then(builder.icmp_unsigned("==", mask, _INT(0)), likely=False):
                outer.do_break()
        builder.store(builder.load(ratings), _place(builder, data, out), align=1)
        return builder.load(n_good)

    return signature, generate


def _rate(builder: Any, data: Any, out: Any, n_steps: Any, before: Any, ratings: Any) -> None:
    """Update the ratings by one candidate's responses, which occurred `before` times."""
    is_largest = builder.icmp_signed("<", n_steps, _INT(0))
    with builder.if_else(is_largest) as (largest, total):
        with largest:
            builder.store(_larger(builder, builder.load(ratings), before), ratings)
        with total:
            is_linear = builder.icmp_signed("==", n_steps, _INT(0))
            with builder.if_then(is_linear):
                _add(builder, ratings, before)
            with cgutils.for_range(builder, n_steps) as steps:
                place = builder.add(builder.add(out, _INT(LANES)), steps.index)
                step = _splat(builder, builder.load(builder.gep(data, [place])))
                number = _splat(builder, builder.trunc(steps.index, _BYTE))
                has_step = builder.icmp_unsigned(">", before, number)
                _add(builder, ratings, builder.and_(builder.sext(has_step, _VECTOR), step))


def _add(builder: Any, ratings: Any, more: Any) -> None:
    """Add to the ratings, to at most 255."""
    # Modulo 256 a sum that exceeded 255 is less than either addend; then all its bits are set.
    total = builder.add(builder.load(ratings), more)
    has_passed = builder.sext(builder.icmp_unsigned("<", total, more), _VECTOR)
    builder.store(builder.or_(total, has_passed), ratings)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_unsigned(">", a, b), a, b)


def _make_variable(builder: Any, kind: Any) -> Any:
    return cgutils.alloca_once(builder, kind)  # type: ignore[no-untyped-call]


def _splat(builder: Any, byte: Any) -> Any:
    """Return a vector with a byte in every lane."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, byte, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, nothing, zeros)


def _load_row(builder: Any, data: Any, rows: Any, index: Any) -> Any:
    """Return the vector with an index, of those that begin at an offset."""
    return _load(builder, data, builder.add(rows, builder.mul(index, _INT(LANES))))


@intrinsic
def _count_lanes(_context: Any, work: Any, at: Any, value: Any) -> Any:
    signature = types.int64(work, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        wanted = _splat(builder, builder.trunc(values[2], _BYTE))
        equal = builder.icmp_unsigned("==", _load(builder, data, values[1]), wanted)
        return builder.ctpop(builder.bitcast(equal, _INT))

    return signature, generate


def _place(builder: Any, data: Any, offset: Any) -> Any:
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


def _load(builder: Any, data: Any, offset: Any) -> Any:
    return builder.load(_place(builder, data, offset), align=1)


@overload(add_lanes)
def _overload_add_lanes(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    def add(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
        return _add_lanes(work, out, a, b, c)  # type: ignore[call-arg]

    return add


@overload(count_lanes)
def _overload_count_lanes(work: Any, at: Any, value: Any) -> Any:
    def count(work: Any, at: Any, value: Any) -> Any:
        return _count_lanes(work, at, value)  # type: ignore[call-arg]

    return count


@overload(move_lanes)
def _overload_move_lanes(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
    def move(work: Any, out: Any, a: Any, b: Any, c: Any) -> Any:
        return _move_lanes(work, out, a, b, c)  # type: ignore[call-arg]

    return move


@overload(merge_lanes)
def _overload_merge_lanes(work: Any, out: Any, a: Any, b: Any) -> Any:
    def merge(work: Any, out: Any, a: Any, b: Any) -> Any:
        return _merge_lanes(work, out, a, b)  # type: ignore[call-arg]

    return merge


@overload(tally_lanes)
def _overload_tally_lanes(work: Any, rows: Any, n: Any, out: Any, n_steps: Any, most: Any) -> Any:
    def tally(work: Any, rows: Any, n: Any, out: Any, n_steps: Any, most: Any) -> Any:
        return _tally_lanes(work, rows, n, out, n_steps, most)  # type: ignore[call-arg]

    return tally
