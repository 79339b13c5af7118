"""One step ahead: how many cells every guess has, and what that proves about a state.

With few responses the cells of every guess are counted (`look_ahead`). With many, a *survey* finds
the best score of any guess: a guess scores its cells (the winning one counts) and one more if it is
a candidate. A cell of n candidates costs at least 2n - 1, so a guess of score K costs at least 3n -
K: one number bounds the state. It is wanted only above a threshold that the state's upper bound
sets, so that most tiles of guesses are dropped after a few candidates.

A tile's responses to one candidate stand next to each other, a lane for each guess. Few candidates
are compared in pairs: a response is new where no earlier one is equal, that is, where the least
exclusive or with the earlier ones is not zero. That takes n² / 2 vector operations and needs no
table, and a tile is dropped as soon as none of its guesses can still get above a threshold. For
many candidates each guess has a flag for each response. What takes the time of the latter is
memory: the responses of all guesses do not fit any cache. So the tiles of a block, which stand next
to each other too, are copied together.

The *local matrix* has the responses among a state's own candidates next to each other. In the
response matrix they are spread over as many rows as there are candidates. Thousands of guesses of a
state are tried, and for each its cells' candidates are tested against each other: so the responses
are copied once, each as a set of one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import choose_kernel, njit, njit_part
from ...kernels.rule_kinds import EligibleKind
from . import Int32s, Int64s, UInts
from .byte_sets import count_by_look_up
from .cost import CostModel, bound_guess
from .responses import BLOCK, LANES, MAX_ROWS, TILE, ResponseMatrix, Scratch, has_ranking

U = np.uint32
ONE, TOP = U(1), U(31)

ANY_SCORE: Any = np.int64(0)
"""As a threshold. For a plain 0 numba would compile what takes it once more."""


class MaxCells(NamedTuple):
    """The most cells that a guess has, the winning one not counted."""

    # Of the guesses outside the candidates, -1 without an eligible one. It may count candidates
    # too if one of them has the most.
    outside: int
    inside: int  # of the candidates


@njit
def look_ahead(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, members: Int32s, left: int
) -> tuple[int, MaxCells]:
    """Count the cells of every guess; return the least cost that they allow, and the most cells.

    A guess with k cells costs at least ``n`` and what k cells filled level by level cost; below the
    state no guess has more cells than the best has here, since cells only shrink. `scratch.n_cells`
    is written.
    """
    if model.eligible == EligibleKind.CANDIDATES:
        for i in range(len(members)):
            code = matrix.code_of[members[i]]
            scratch.n_cells[code] = count_cells(matrix.by_guess, members, code, scratch.marks)
    elif has_ranking(matrix):
        most, _ = survey_best(matrix, scratch, members, ANY_SCORE, len(members) + 1)
        bound = bound_by_score(model, len(members), left, most, most)
        return bound, MaxCells(min(most, matrix.n_responses - 1), 0)
    else:
        count_until_perfect(matrix, scratch, members, len(members) + 1)
    return bound_by_cells(matrix, model, scratch, members, left)


@njit_part
def count_until_perfect(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, n_wanted: int
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


@njit_part(inline=True)
def count_by_shifts(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, block: int) -> int:
    """Do what `count_by_look_up` does, on any machine."""
    _collect_responses(matrix.blocks, block, members, scratch.masks)
    return _count_bits(scratch.masks, block, scratch.block_cells)


count_block = choose_kernel("avx512vbmi", count_by_look_up, count_by_shifts)
"""Writes the cells of a block's guesses, the winning one counted; returns the most."""


@njit_part
def bound_by_cells(
    matrix: ResponseMatrix, model: CostModel, scratch: Scratch, members: Int32s, left: int
) -> tuple[int, MaxCells]:
    """Return the result of `look_ahead` for counted guesses; subtract the winning cells."""
    n_cells, code_of = scratch.n_cells, matrix.code_of
    outside, inside = -1, 0
    for i in range(len(members)):
        code = code_of[members[i]]
        n_cells[code] -= 1
        inside = max(inside, n_cells[code])
    # Where a candidate has the most, the bound of a guess outside stays above its own.
    if model.eligible != EligibleKind.CANDIDATES:
        outside = find_largest(n_cells)
    max_cells = MaxCells(outside, int(inside))  # uncompiled it would stay a byte
    return bound_state(model, len(members), left, max_cells), max_cells


@njit(is_leaf=True)
def find_largest(counts: UInts) -> int:
    """Return the largest of the counts."""
    most = counts.dtype.type(0)
    for i in range(len(counts)):
        most = max(most, counts[i])
    return int(np.int64(most))


@njit_part
def bound_state(model: CostModel, n: int, left: int, max_cells: MaxCells) -> int:
    """Return the least cost of a state of `n` candidates whose guesses have these most cells."""
    most = max(max_cells.outside, max_cells.inside)
    bound = bound_guess(model, n, left, max_cells.inside, True, most)
    if max_cells.outside < 0:
        return bound
    return min(bound, bound_guess(model, n, left, max_cells.outside, False, most))


@njit(is_leaf=True)
def _collect_responses(blocks: UInts, block: int, members: Int32s, masks: UInts) -> None:
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


@njit(is_leaf=True)
def _count_bits(masks: NDArray[np.uint32], block: int, counts: UInts) -> int:
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


@njit_part(inline=True)
def count_legal(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, legal: Int32s
) -> MaxCells:
    """Write the number of cells of legal guesses, the winning one not counted; return the most."""
    mark_codes(matrix, scratch, members, 1)
    outside, inside = -1, 0
    for at in range(len(legal)):
        code = legal[at]
        wins = int(scratch.is_candidate[code])
        n_cells = count_cells(matrix.by_guess, members, code, scratch.marks) - wins
        scratch.n_cells[code] = n_cells
        if wins == 1:
            inside = max(inside, n_cells)
        else:
            outside = max(outside, n_cells)
    mark_codes(matrix, scratch, members, 0)
    return MaxCells(outside, inside)


@njit_part(inline=True)
def mark_codes(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, mark: int) -> None:
    """Write whether a code is a candidate, or that there is no guess."""
    is_candidate, code_of = scratch.is_candidate, matrix.code_of
    for i in range(len(members)):
        is_candidate[code_of[members[i]]] = mark


@njit_part(inline=True)
def count_cells(by_guess: UInts, members: Int32s, code: int, marks: Int64s, wanted: int = 0) -> int:
    """Return the number of cells of one guess, the winning one counted.

    It is enough to know that there are fewer than `wanted`.
    """
    marks[-1] += 1
    now, n = marks[-1], len(members)
    count = 0
    for i in range(n):
        response = by_guess[code, members[i]]
        if marks[response] != now:
            marks[response] = now
            count += 1
        elif count + n - i <= wanted:
            break
    return count


@njit_part
def survey_best(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int, n_wanted: int
) -> tuple[int, int]:
    """Return the best score above a threshold, or one of `n_wanted`, and the first tile with it.

    Without a score above, that is the threshold itself, and the tile is -1.
    """
    tops = matrix.top_scores
    mark_members(matrix, scratch, members, 1)
    most, best_tile, tile = threshold, -1, 0
    while tile < len(tops) and tops[tile] > most and most < n_wanted:
        found = _count_tile(matrix, scratch, members, tile, most)
        if found > most:
            most, best_tile = found, tile
        tile += 1
    mark_members(matrix, scratch, members, 0)
    return most, best_tile


@njit_part(inline=True)
def survey_all(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, threshold: int
) -> tuple[int, int]:
    """Write the scores of all guesses above a threshold into `scratch.n_cells`, by place.

    Among the tiles that are counted, scores up to the threshold may be written as 0. Return the
    best score, or the threshold if that is higher, and the number of tiles counted.
    """
    mark_members(matrix, scratch, members, 1)
    most, tile = threshold, 0
    while tile < len(matrix.top_scores) and matrix.top_scores[tile] > threshold:
        found = _count_tile(matrix, scratch, members, tile, threshold)
        if found == 0:
            for x in range(LANES):
                scratch.block_cells[tile, x] = 0
        most = max(most, found)
        tile += 1
    mark_members(matrix, scratch, members, 0)
    return most, tile


@njit_part
def _count_tile(
    matrix: ResponseMatrix, scratch: Scratch, members: Int32s, tile: int, threshold: int
) -> int:
    """Write the scores of a tile's guesses, and return the best; 0 without one above."""
    counts, is_candidate = scratch.block_cells, scratch.is_candidate
    per_block = matrix.tiles.shape[2]
    # Tiles are counted from the first one on, so this copies each block once.
    if tile % per_block == 0:
        copy_block(matrix.tiles, tile // per_block, members, threshold, scratch)
    for x in range(LANES):
        counts[tile, x] = is_candidate[tile * LANES + x]
    return count_distinct(matrix.tiles, tile, members, threshold, scratch)


@njit_part
def mark_members(matrix: ResponseMatrix, scratch: Scratch, members: Int32s, mark: int) -> None:
    """Write whether the guess at a place is a candidate, or that there is no guess."""
    is_candidate, code_of, place_of = scratch.is_candidate, matrix.code_of, matrix.place_of
    for i in range(len(members)):
        is_candidate[place_of[code_of[members[i]]]] = mark


@njit_part
def bound_by_score(model: CostModel, n: int, left: int, score: int, most: int) -> int:
    """Return the least cost of a guess of some score for `n` candidates, three at least.

    Below it no guess scores more than `most`. A candidate of that score has two cells less besides
    the winning one, a guess outside as many. Candidates that are told apart by one guess score as
    many as they are, and three at least.
    """
    score, most = max(score, 3), max(most, 3)
    outside = bound_guess(model, n, left, score, False, most)
    return min(outside, bound_guess(model, n, left, score - 2, True, most))


@njit_part
def find_threshold(
    model: CostModel, n: int, left: int, limit: int, upper_bound: int, most: int
) -> int:
    """Return the best score up to a limit that does not get a state below its upper bound.

    Below a guess of that score none scores more than `most`, or than itself if that is more.
    """
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if bound_by_score(model, n, left, middle, max(middle, most)) >= upper_bound:
            low = middle
        else:
            high = middle - 1
    return low


@njit_part
def is_separable(matrix: ResponseMatrix, scratch: Scratch, members: Int32s) -> bool:
    """Whether some guess gives each candidate, 2 to 40 of them, a response of its own.

    The game has a ranking. `scratch.n_cells` is written.
    """
    n, counts = len(members), scratch.block_cells
    for tile in range(len(matrix.top_scores)):
        if matrix.top_scores[tile] < n:
            return False
        for x in range(LANES):
            counts[tile, x] = 0
        if count_distinct(matrix.tiles, tile, members, n - 1, scratch) == n:
            return True
    return False


MAX_PAIRED = 40
"""With more candidates flags are quicker (measured), unless few may respond alike."""

STEP = 8
"""Earlier candidates that a new one is compared with at a time."""

CHECK = 4
"""After each of these many candidates a tile is dropped if it is hopeless."""

FLAGS_CHECK = 64
"""The same where flags are counted."""


@njit_part(inline=True)
def _is_paired(n: int, threshold: int) -> bool:
    """Whether `n` candidates are compared in pairs; also with any higher threshold.

    Where nearly all responses must differ, a tile is dropped after a few candidates.
    """
    return n <= MAX_PAIRED or (n <= MAX_ROWS and 4 * (n - threshold) <= n)


@njit(is_leaf=True)
def copy_block(tiles: UInts, block: int, members: Int32s, threshold: int, scratch: Scratch) -> None:
    """Copy the responses to a block of guesses, unless candidates are compared in pairs."""
    if not _is_paired(len(members), threshold):
        copy_responses(tiles, block, members, scratch)


@njit_part(inline=True)
def copy_responses(tiles: UInts, block: int, members: Int32s, scratch: Scratch) -> None:
    """Copy the responses of a state's candidates to a block of guesses."""
    copied = scratch.copied
    for i in range(len(members)):
        member = members[i]
        for part in range(copied.shape[1]):
            for x in range(LANES):
                copied[i, part, x] = tiles[block, member, part, x]


@njit(is_leaf=True)
def count_distinct(
    tiles: UInts, tile: int, members: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Add the number of distinct responses to each guess of a tile; return the largest sum.

    Sums up to the threshold do not matter: 0 is returned if there is no larger one, and then the
    tile's row of `block_cells`, which is added to, means nothing. `tiles` is [n_blocks,
    n_candidates, tiles of a block, LANES]; `copy_block` was called for the tile's block, with no
    higher threshold.
    """
    if _is_paired(len(members), threshold):
        most = _count_by_pairs(tiles, tile, members, threshold, scratch)
    else:
        most = _count_by_flags(len(members), tile, threshold, scratch)
    return most if most > threshold else 0


@njit_part
def _count_by_pairs(
    tiles: UInts, tile: int, members: Int32s, threshold: int, scratch: Scratch
) -> int:
    """Compare each response with the earlier ones; stop if all remaining ones would not do."""
    nearest, counts = scratch.nearest, scratch.block_cells
    one, n, most = counts.dtype.type, len(members), 0
    for j in range(n):
        compare_earlier(tiles, tile, members[j], j, scratch)
        for x in range(LANES):
            counts[tile, x] += one(nearest[x] != 0)
        if (j + 1) % CHECK == 0 or j == n - 1:
            most = _largest_in(counts, tile)
            if most + n - j - 1 <= threshold:
                return 0
    return most


@njit_part(inline=True)
def compare_earlier(tiles: UInts, tile: int, member: int, j: int, scratch: Scratch) -> None:
    """Write a candidate's responses as row `j`; `nearest` is 0 where an earlier one is equal."""
    rows, nearest = scratch.rows, scratch.nearest
    block, part, narrow = tile // tiles.shape[2], tile % tiles.shape[2], rows.dtype.type
    for x in range(LANES):
        rows[j, x] = tiles[block, member, part, x]
        nearest[x] = 255
    i = 0
    while i + STEP <= j:
        _compare_rows(rows, i, j, nearest)
        i += STEP
    while i < j:
        for x in range(LANES):
            nearest[x] = min(nearest[x], narrow(rows[i, x] ^ rows[j, x]))
        i += 1


@njit_part(inline=True)
def _compare_rows(rows: UInts, i: int, j: int, nearest: UInts) -> None:
    """Compare row `j` with rows ``i … i + 7``: one after another would store eight times."""
    narrow = rows.dtype.type  # sums and exclusive ors are wide otherwise
    for x in range(LANES):
        r = rows[j, x]
        a = min(narrow(rows[i, x] ^ r), narrow(rows[i + 1, x] ^ r))
        b = min(narrow(rows[i + 2, x] ^ r), narrow(rows[i + 3, x] ^ r))
        c = min(narrow(rows[i + 4, x] ^ r), narrow(rows[i + 5, x] ^ r))
        d = min(narrow(rows[i + 6, x] ^ r), narrow(rows[i + 7, x] ^ r))
        nearest[x] = min(nearest[x], min(min(a, b), min(c, d)))


@njit_part
def _count_by_flags(n: int, tile: int, threshold: int, scratch: Scratch) -> int:
    """Set a flag for each response to each guess, and count them now and then."""
    copied, seen, total = scratch.copied, scratch.seen, scratch.total
    counts = scratch.block_cells
    narrow = total.dtype.type
    part = tile % copied.shape[1]
    seen[:] = 0
    most = 0
    for first in range(0, n, FLAGS_CHECK):
        end = min(first + FLAGS_CHECK, n)
        for i in range(first, end):
            for x in range(LANES):
                seen[copied[i, part, x], x] = 1
        for x in range(LANES):
            total[x] = counts[tile, x]
        for response in range(seen.shape[0]):
            for x in range(LANES):
                total[x] = narrow(total[x] + seen[response, x])
        largest = narrow(0)
        for x in range(LANES):
            largest = max(largest, total[x])
        most = int(np.int64(largest))
        if most + n - end <= threshold:
            return 0
    for x in range(LANES):
        counts[tile, x] = total[x]
    return most


@njit_part
def _largest_in(counts: UInts, tile: int) -> int:
    """Return the largest number of a row."""
    most = counts.dtype.type(0)
    for x in range(LANES):
        most = max(most, counts[tile, x])
    return int(np.int64(most))


U, U64 = np.uint32, np.uint64


@njit_part(inline=True)
def forget_local_matrix(scratch: Scratch) -> None:
    """Begin with another state, whose local matrix is not made yet."""
    scratch.local[0] = 0


@njit_part(inline=True)
def has_local_matrix(scratch: Scratch) -> bool:
    """Whether the local matrix is made."""
    return bool(scratch.local[0] > 0)


@njit_part(inline=True)
def need_local_matrix(matrix: ResponseMatrix, scratch: Scratch, members: Int32s) -> None:
    """Make the local matrix of a state, unless it is made or the state is too large."""
    sets, n = scratch.sets, len(members)
    if has_local_matrix(scratch) or n * n > len(sets):
        return
    scratch.local[0] = n
    _copy_responses(matrix.tiles, matrix.code_of, members, sets)


@njit(is_leaf=True)
def _copy_responses(
    tiles: UInts, code_of: Int32s, members: Int32s, sets: NDArray[np.uint32]
) -> None:
    """Write the responses of a state's candidates to each other, each as a set of one."""
    n, per_block = len(members), tiles.shape[2]
    for i in range(n):
        # The candidates' own rows of the matrix are far; what they answer in a tile is near.
        code = code_of[members[i]]
        tile, x = code // TILE, code % TILE
        block, part = tile // per_block, tile % per_block
        for j in range(n):
            sets[i * n + j] = U(1) << U(tiles[block, members[j], part, x])


@njit_part(inline=True)
def count_local_doubles(scratch: Scratch, first: int, n: int, at: int) -> int:
    """Return the number of candidates of a cell whose response to one of them an earlier one has.

    The cell's places in the state stand in `scratch.places` from `first` on.
    """
    sets, places = scratch.sets, scratch.places
    row = places[first + at] * U64(scratch.local[0])
    seen = U(0)
    for j in range(first, first + n):
        seen |= sets[row + places[j]]
    return n - _count_bits_of_word(seen)


@njit_part(inline=True)
def _count_bits_of_word(x: np.uint32) -> int:
    """Return the number of bits of 32."""
    x = U(x - ((x >> U(1)) & U(0x55555555)))
    x = U((x & U(0x33333333)) + ((x >> U(2)) & U(0x33333333)))
    x = U((x + (x >> U(4))) & U(0x0F0F0F0F))
    return int(U(x * U(0x01010101)) >> U(24))
