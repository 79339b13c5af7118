"""The cells of 256 guesses at once, where the machine can look up 64 bytes in one instruction.

The set of responses to a guess takes a byte for each eight responses. A candidate's responses to 64
guesses are one vector; looking it up in a table of single bits gives eight bits of each guess's
set, or-ed over the candidates in a register. That takes a third of the instructions, or less, of
shifting a bit of 32 for each guess (`count_by_shifts`), which other machines do.

Where the responses are far, waiting for memory takes more time than counting. Then those of the
next block are asked for while those of this one are counted.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...jit.compiler import njit_part
from . import Int32s
from .responses import BLOCK, LANES, ResponseMatrix, Scratch

TILES = 4
"""Vectors that are collected together: their sets and the tables fit the 32 registers."""

FAR_BYTES = 1 << 18
"""Responses of the candidates to all guesses that take this many bytes likely miss the cache."""

_BYTE, _INT = ir.IntType(8), ir.IntType(64)
_VECTOR = ir.VectorType(_BYTE, LANES)


@njit_part(inline=True)
def count_by_look_up(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, block: int) -> int:
    """Write the cells of a block's guesses to `n_cells`, the winning one counted; return the most.

    The matrix has at most 32 responses.
    """
    n_cells = scratch.n_cells
    blocks, n_responses, most = matrix.blocks, matrix.n_responses, 0
    is_far = len(members) * blocks.shape[0] * BLOCK >= FAR_BYTES
    for first in range(block * BLOCK, (block + 1) * BLOCK, TILES * LANES):
        begin = block * BLOCK * (blocks.shape[1] - 1) + first
        if n_responses <= 16:
            found = _count_2(blocks, begin, members, n_cells, first)
        elif n_responses <= 24 and is_far:
            found = _count_far_3(blocks, begin, members, n_cells, first)
        elif n_responses <= 24:
            found = _count_3(blocks, begin, members, n_cells, first)
        elif is_far:
            found = _count_far_4(blocks, begin, members, n_cells, first)
        else:
            found = _count_4(blocks, begin, members, n_cells, first)
        most = max(most, found)
    return most


def _make_count(n_planes: int, *, is_far: bool = False) -> Any:
    """Return the intrinsic for sets of `n_planes` bytes.

    Its arguments: blocks, the offset of the first guess's response to candidate 0; members; counts
    and the offset of the first guess there.
    """

    @intrinsic
    def count(
        _context: Any, blocks: Any, begin: Any, members: Any, n_cells: Any, first: Any
    ) -> Any:
        signature = types.int64(blocks, types.int64, members, n_cells, types.int64)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            arrays = [
                context.make_array(signature.args[at])(context, builder, values[at])
                for at in (0, 2, 3)
            ]
            to_next = None
            if is_far:
                n_candidates = builder.extract_value(arrays[0].shape, 1)
                to_next = builder.mul(n_candidates, _INT(BLOCK))
            sets = _collect(builder, arrays[0].data, values[1], arrays[1], n_planes, to_next)
            counts = [_count_bits(builder, planes) for planes in sets]
            for tile, count in enumerate(counts):
                at = builder.add(values[4], _INT(tile * LANES))
                builder.store(count, _place(builder, arrays[2].data, at), align=1)
            return builder.zext(_find_largest(builder, counts), _INT)

        return signature, generate

    return count


def _collect(
    builder: Any, data: Any, begin: Any, members: Any, n_planes: int, to_next: Any | None
) -> list[list[Any]]:
    """Return for each tile the sets of responses, eight responses a vector.

    If the offset of the next block's responses is given, they are fetched. Behind the last block
    nothing is there to be fetched: that does no harm.
    """
    sets = [[_make_variable(builder) for _ in range(n_planes)] for _ in range(TILES)]
    look_up = _declare(builder, "llvm.x86.avx512.permvar.qi.512", _VECTOR, _VECTOR, _VECTOR)
    size = builder.extract_value(members.shape, 0)
    with cgutils.for_range(builder, size) as loop:
        candidate = builder.sext(builder.load(builder.gep(members.data, [loop.index])), _INT)
        row = builder.add(begin, builder.mul(candidate, _INT(BLOCK)))
        for tile, planes in enumerate(sets):
            at = builder.add(row, _INT(tile * LANES))
            if to_next is not None:
                _fetch(builder, data, builder.add(at, to_next))
            responses = builder.load(_place(builder, data, at), align=1)
            for plane, variable in enumerate(planes):
                bits = builder.call(look_up, [_make_table(plane), responses])
                builder.store(builder.or_(builder.load(variable), bits), variable)
    return [[builder.load(variable) for variable in planes] for planes in sets]


def _make_table(plane: int) -> Any:
    """Return the bit of each response in one byte of the set; of others none."""
    bits = [1 << (at - 8 * plane) if at // 8 == plane else 0 for at in range(LANES)]
    return ir.Constant(_VECTOR, bits)


def _make_variable(builder: Any) -> Any:
    variable = cgutils.alloca_once(builder, _VECTOR)  # type: ignore[no-untyped-call]
    builder.store(ir.Constant(_VECTOR, None), variable)
    return variable


def _count_bits(builder: Any, planes: list[Any]) -> Any:
    """Return the sizes of the sets that are kept in several vectors."""
    population = _declare(builder, "llvm.ctpop.v64i8", _VECTOR, _VECTOR)
    total = builder.call(population, [planes[0]])
    for plane in planes[1:]:
        total = builder.add(total, builder.call(population, [plane]))
    return total


def _find_largest(builder: Any, vectors: list[Any]) -> Any:
    """Return the largest byte of some vectors."""
    largest = vectors[0]
    for vector in vectors[1:]:
        is_larger = builder.icmp_unsigned(">", vector, largest)
        largest = builder.select(is_larger, vector, largest)
    reduce = _declare(builder, "llvm.vector.reduce.umax.v64i8", _BYTE, _VECTOR)
    return builder.call(reduce, [largest])


def _declare(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = ir.FunctionType(result, arguments)
    return cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]


def _fetch(builder: Any, data: Any, offset: Any) -> None:
    """Ask for a line of memory, which shall come to the second cache."""
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), number, number, number])
    fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
    place = builder.gep(builder.bitcast(data, _BYTE.as_pointer()), [offset])
    is_read, locality, is_data = number(0), number(2), number(1)
    builder.call(fetch, [place, is_read, locality, is_data])


def _place(builder: Any, data: Any, offset: Any) -> Any:
    return builder.bitcast(
        builder.gep(builder.bitcast(data, _BYTE.as_pointer()), [offset]), _VECTOR.as_pointer()
    )


_count_2, _count_3, _count_4 = _make_count(2), _make_count(3), _make_count(4)
_count_far_3, _count_far_4 = _make_count(3, is_far=True), _make_count(4, is_far=True)
