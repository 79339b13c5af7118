"""Bytes by the vector: 64 lanes at once, a few instructions where the machine has them.

numba's own loops over bytes widen every lane to 64 bits; these two operations do not. Each has a
plain twin that runs where compiling is switched off (``NUMBA_DISABLE_JIT=1``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

LANES = 64

_BYTE = ir.IntType(8)
_VECTOR = ir.VectorType(_BYTE, LANES)
_Bytes = NDArray[np.uint8]


def add_lanes(work: _Bytes, out: int, a: int, b: int, c: int) -> None:
    """Add three vectors of `work`, modulo 256; arguments after it are offsets of bytes."""
    n = LANES
    work[out : out + n] = work[a : a + n] + work[b : b + n] + work[c : c + n]


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
def _count_lanes(_context: Any, work: Any, at: Any, value: Any) -> Any:
    signature = types.int64(work, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        one = builder.insert_element(
            ir.Constant(_VECTOR, ir.Undefined),
            builder.trunc(values[2], _BYTE),
            ir.Constant(ir.IntType(32), 0),
        )
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        wanted = builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), zeros)
        equal = builder.icmp_unsigned("==", _load(builder, data, values[1]), wanted)
        return builder.ctpop(builder.bitcast(equal, ir.IntType(LANES)))

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
