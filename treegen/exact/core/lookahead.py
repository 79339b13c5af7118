"""One step ahead: how many cells every guess has, and what that proves of a state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare, njit_bare_part
from .cost_model import INFEASIBLE, Terms, fill_levels
from .response_matrix import BLOCK, Board

U = np.uint32
ONE, TOP = U(1), U(31)


class Scratch(NamedTuple):
    """Arrays that the kernels write and nobody keeps.

    Attributes
    ----------
    masks : uint32[BLOCK]
        Responses seen, a bit each; of length 0 where they are too many for 32 bits.
    n_parts : uint8[n_codes, rounded up to whole blocks]
        Cells of each guess, the winning one not counted.
    block_parts : uint8[n_blocks, BLOCK]
        The same memory, a row a block.
    is_candidate : uint8[n_codes]
        Whether the code is a candidate of the state; all 0 between calls.
    sizes : int64[n_responses]
        Candidates in each cell.
    marks : int64[n_responses + 1]
        When each response was last seen; the last entry counts.
    limits : int64[2]
        See `survey`.
    verdict : int64[3]
        See `settle`.
    floors, ranks : int64[2, n_responses]
        Of a guess by whether it may win and its cells: the least cost, its rank.
    starts : int64[2 * n_responses + 2]
        Where the guesses of each rank begin.
    keys : int64[n_codes]
        Guesses with their estimates.
    """

    masks: NDArray[np.unsignedinteger]
    n_parts: NDArray[np.unsignedinteger]
    block_parts: NDArray[np.unsignedinteger]
    is_candidate: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    marks: NDArray[np.int64]
    limits: NDArray[np.int64]
    verdict: NDArray[np.int64]
    floors: NDArray[np.int64]
    ranks: NDArray[np.int64]
    starts: NDArray[np.int64]
    keys: NDArray[np.int64]


def make_scratch(n_codes: int, n_responses: int) -> Scratch:
    """Return the arrays for a game's sizes."""
    n_blocks = -(-n_codes // BLOCK)
    n_parts: NDArray[np.unsignedinteger] = np.zeros(n_blocks * BLOCK, dtype=np.uint8)
    if n_responses > 256:
        n_parts = n_parts.astype(np.uint16)
    return Scratch(
        np.zeros(BLOCK if n_responses <= 32 else 0, dtype=np.uint32),
        n_parts,
        n_parts.reshape(n_blocks, BLOCK),
        np.zeros(n_codes, dtype=np.uint8),
        np.zeros(n_responses, dtype=np.int64),
        np.zeros(n_responses + 1, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros((2, n_responses), dtype=np.int64),
        np.zeros((2, n_responses), dtype=np.int64),
        np.zeros(2 * n_responses + 2, dtype=np.int64),
        np.zeros(n_codes, dtype=np.int64),
    )


@njit_bare
def survey(
    board: Board,
    terms: Terms,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
    limits: NDArray[np.int64],
) -> int:
    """Count the cells of every guess and return the least cost that they allow.

    Parameters
    ----------
    board, terms, scratch
        The search; `scratch.n_parts` is written.
    members : int32[n]
        The candidates.
    left : int
        Guesses left.
    limits : int64[2]
        Written in place: the most cells that a guess outside the candidates and one of them
        has, the winning cell not counted; -1 where no such guess is eligible.

    Notes
    -----
    A guess with k cells costs at least ``n`` and what k cells filled level by level cost; below
    the state no guess has more cells than the best has here, since cells only shrink.
    """
    if terms.candidates_only:
        _count_parts_of_members(board, scratch, members)
    else:
        count_until_perfect(board, scratch, members, len(members) + 1)
    return bound_by_parts(board, terms, scratch, members, left, limits)


@njit_bare_part
def count_until_perfect(
    board: Board, scratch: Scratch, members: NDArray[np.int32], n_wanted: int
) -> int:
    """Count the cells of all guesses, the winning one too; stop at the first with `n_wanted`.

    Return that guess, -1 if there is none. It is the first of its block, blocks in order.
    """
    if len(scratch.masks) == 0:
        for code in range(board.by_guess.shape[0]):
            scratch.n_parts[code] = _count_cells(board.by_guess, members, code, scratch.marks)
            if scratch.n_parts[code] == n_wanted:
                return code
        return -1
    for block in range(board.blocks.shape[0]):
        _collect_responses(board.blocks, block, members, scratch.masks)
        most = _count_bits(scratch.masks, block, scratch.block_parts)
        if most == n_wanted:
            code = block * BLOCK
            while scratch.n_parts[code] != n_wanted:
                code += 1
            return code
    return -1


@njit_bare_part
def bound_by_parts(
    board: Board,
    terms: Terms,
    scratch: Scratch,
    members: NDArray[np.int32],
    left: int,
    limits: NDArray[np.int64],
) -> int:
    """Return what `survey` does, of guesses that are counted; take off the winning cells."""
    n_parts = scratch.n_parts
    limits[0] = -1
    limits[1] = 0
    for i in range(len(members)):
        code = board.code_of[members[i]]
        n_parts[code] -= 1
        limits[1] = max(limits[1], n_parts[code])
    # Where a candidate has the most, the bound of a guess outside stays above its own.
    if not terms.candidates_only:
        limits[0] = _largest(n_parts)
    return least_cost(terms, len(members), left, limits)


@njit_bare_part
def _largest(counts: NDArray[np.unsignedinteger]) -> int:
    """Return the largest of the counts."""
    most = counts.dtype.type(0)
    for i in range(len(counts)):
        most = max(most, counts[i])
    return int(most)


@njit_bare_part
def least_cost(terms: Terms, n: int, left: int, limits: NDArray[np.int64]) -> int:
    """Return the least cost of a state of `n` candidates whose guesses have so many cells."""
    inside = floor_of_guess(terms, n, left, limits[1], True, limits)
    if limits[0] < 0:
        return inside
    return min(inside, floor_of_guess(terms, n, left, limits[0], False, limits))


@njit_bare_part
def floor_of_guess(
    terms: Terms, n: int, left: int, n_cells: int, wins: bool, limits: NDArray[np.int64]
) -> int:
    """Return the least cost of a guess with `n_cells` cells, the winning one not counted."""
    width = max(limits[0], limits[1])
    rest = n - 1 if wins else n
    below = left - 1 if left > 0 else 0
    if left == 1 and rest > 0:
        return INFEASIBLE
    won = terms.last if wins and left == 1 else 0
    return n * terms.scale + won + fill_levels(rest, n_cells, width, below, terms.scale, terms.last)


@njit_bare_part
def _collect_responses(
    blocks: NDArray[np.unsignedinteger],
    block: int,
    members: NDArray[np.int32],
    masks: NDArray[np.unsignedinteger],
) -> None:
    """Write the set of responses that the candidates give to each guess of a block.

    Four candidates at a time: a quarter of the traffic. No views of rows are taken, whose
    counted references cost more than the row; the shifts are masked to let the compiler keep to
    lanes as narrow as `masks`.
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
    """Write the number of bits of each mask into a row of `counts`; return the largest."""
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
def _count_parts_of_members(board: Board, scratch: Scratch, members: NDArray[np.int32]) -> None:
    """Write the number of cells of the candidates' own guesses, the winning one counted."""
    for i in range(len(members)):
        code = board.code_of[members[i]]
        scratch.n_parts[code] = _count_cells(board.by_guess, members, code, scratch.marks)


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
