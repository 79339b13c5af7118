"""One step ahead: how many cells every guess has, and what that proves about a state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit import has_feature, njit_bare, njit_bare_part, njit_inline
from ..cost_model import CostModel, bound_guess
from .byte_sets import count_by_look_up
from .response_matrix import BLOCK, ResponseMatrix, has_ranking
from .scratch import Scratch
from .survey import bound_by_score, survey_best

U = np.uint32
LOOKS_UP = has_feature("avx512vbmi")
"""Whether the machine looks up 64 bytes at once: see `byte_sets`."""

ONE, TOP = U(1), U(31)


class MaxCells(NamedTuple):
    """The most cells that a guess has, the winning one not counted.

    Attributes
    ----------
    outside
        Of the guesses outside the candidates, -1 if none is eligible. It may count candidates too
        if one of them has the most.
    inside
        Of the candidates.
    """

    outside: int
    inside: int


@njit_bare
def look_ahead(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
) -> tuple[int, MaxCells]:
    """Count the cells of every guess and return the least cost that they allow.

    Parameters
    ----------
    matrix, model, scratch
        The search; `scratch.n_cells` is written.
    members : int32[n]
        The candidates.
    left : int
        Guesses left.

    Returns
    -------
    bound, max_cells : int, MaxCells
        The least cost; the most cells that any guess has.

    Notes
    -----
    A guess with k cells costs at least ``n`` and what k cells filled level by level cost; below
    the state no guess has more cells than the best has here, since cells only shrink.
    """
    if model.candidates_only:
        _count_cells_of_members(matrix, scratch, members)
    elif has_ranking(matrix):
        most = survey_best(matrix, scratch, members, 0, len(members) + 1).most
        bound = bound_by_score(model, len(members), left, most)
        return bound, MaxCells(min(most, matrix.n_responses - 1), 0)
    else:
        count_until_perfect(matrix, scratch, members, len(members) + 1)
    return bound_by_cells(matrix, model, scratch, members, left)


@njit_bare_part
def count_until_perfect(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32], n_wanted: int
) -> int:
    """Count the cells of all guesses, the winning one too; stop at the first with `n_wanted`.

    Return that guess, -1 if there is none. It is the first of its block, blocks in order.
    """
    for block in range(matrix.blocks.shape[0]):
        most = count_block(matrix, scratch, members, block)
        if most == n_wanted:
            code = block * BLOCK
            while scratch.n_cells[code] != n_wanted:
                code += 1
            return code
    return -1


@njit_inline
def count_block(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32], block: int
) -> int:
    """Write the cells of a block's guesses, the winning one counted; return the most."""
    if LOOKS_UP:
        return count_by_look_up(matrix, block, members, scratch.n_cells)
    return count_by_shifts(matrix, scratch, members, block)


@njit_inline
def count_by_shifts(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32], block: int
) -> int:
    """Do what `count_by_look_up` does, on any machine."""
    _collect_responses(matrix.blocks, block, members, scratch.masks)
    return _count_bits(scratch.masks, block, scratch.block_cells)


@njit_bare_part
def bound_by_cells(
    matrix: ResponseMatrix,
    model: CostModel,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
) -> tuple[int, MaxCells]:
    """Return what `look_ahead` does, for counted guesses; subtract the winning cells."""
    n_cells = scratch.n_cells
    outside, inside = -1, 0
    for i in range(len(members)):
        code = matrix.code_of[members[i]]
        n_cells[code] -= 1
        inside = max(inside, n_cells[code])
    # Where a candidate has the most, the bound of a guess outside stays above its own.
    if not model.candidates_only:
        outside = find_largest(n_cells)
    max_cells = MaxCells(outside, int(inside))  # uncompiled it would stay a byte
    return bound_state(model, len(members), left, max_cells), max_cells


@njit_bare_part
def find_largest(counts: NDArray[np.unsignedinteger]) -> int:
    """Return the largest of the counts."""
    most = counts.dtype.type(0)
    for i in range(len(counts)):
        most = max(most, counts[i])
    return int(np.int64(most))


@njit_bare_part
def bound_state(model: CostModel, n: int, left: int, max_cells: MaxCells) -> int:
    """Return the least cost of a state of `n` candidates whose guesses have so many cells."""
    most = max(max_cells.outside, max_cells.inside)
    bound = bound_guess(model, n, left, max_cells.inside, True, most)
    if max_cells.outside < 0:
        return bound
    return min(bound, bound_guess(model, n, left, max_cells.outside, False, most))


@njit_bare_part
def _collect_responses(
    blocks: NDArray[np.unsignedinteger],
    block: int,
    members: NDArray[np.int32],
    masks: NDArray[np.unsignedinteger],
) -> None:
    """Write the set of responses that the candidates give to each guess of a block.

    Four candidates at a time: a quarter of the traffic. No views of rows are taken, whose
    counted references cost more than the row. Responses are below 32 here, so masking the shifts
    with 31 changes nothing, but it lets the compiler keep to lanes as narrow as `masks`.
    """
    masks[:] = 0
    n = len(members)
    for i in range(0, n - 3, 4):
        a, b, c, d = members[i], members[i + 1], members[i + 2], members[i + 3]
        for x in range(BLOCK):
            masks[x] |= (
                U(ONE << U(blocks[block, a, x] & TOP))
                | U(ONE << U(blocks[block, b, x] & TOP))
                | U(ONE << U(blocks[block, c, x] & TOP))
                | U(ONE << U(blocks[block, d, x] & TOP))
            )
    for i in range(n - n % 4, n):
        a = members[i]
        for x in range(BLOCK):
            masks[x] |= U(ONE << U(blocks[block, a, x] & TOP))


@njit_bare_part
def _count_bits(masks: NDArray[np.uint32], block: int, counts: NDArray[np.unsignedinteger]) -> int:
    """Write the number of bits of each mask into a row of `counts`; return the largest.

    Sums of neighbours: of bits in fields of 2 (at most 2), of 4 (at most 4), of 8 (at most 8: no
    field overflows). Two shifts then add the four bytes into the lowest one, 32 at most, which
    the last mask of 6 bits leaves.
    """
    for i in range(BLOCK):
        x = masks[i]
        x = U(x - ((x >> U(1)) & U(0x55555555)))
        x = U((x & U(0x33333333)) + ((x >> U(2)) & U(0x33333333)))
        x = U((x + (x >> U(4))) & U(0x0F0F0F0F))
        x = U(x + (x >> U(8)))
        counts[block, i] = U(x + (x >> U(16))) & U(63)
    most = counts.dtype.type(0)
    for i in range(BLOCK):
        most = max(most, counts[block, i])
    return int(most)


@njit_bare_part
def _count_cells_of_members(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32]
) -> None:
    """Write the number of cells of the candidates' own guesses, the winning one counted."""
    for i in range(len(members)):
        code = matrix.code_of[members[i]]
        scratch.n_cells[code] = _count_cells(matrix.by_guess, members, code, scratch.marks)


@njit_bare_part
def _count_cells(
    by_guess: NDArray[np.unsignedinteger],
    members: NDArray[np.int32],
    code: int,
    marks: NDArray[np.int64],
) -> int:
    """Return the number of cells of one guess, the winning one counted."""
    marks[-1] += 1
    now = marks[-1]
    count = 0
    for i in range(len(members)):
        response = by_guess[code, members[i]]
        if marks[response] != now:
            marks[response] = now
            count += 1
    return count
