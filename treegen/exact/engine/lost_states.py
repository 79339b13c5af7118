"""Step 2 (c): whether a cell is lost with three guesses left, by what every guess leaves whole.

With two guesses left a state is won if and only if some guess gives each of its candidates a
response of its own. An *inseparable set* is a few candidates that no guess tells apart so: a state
that holds one is lost then, and so is, with three guesses left, every guess to which all of the set
respond alike. That is kept with the set, a bit for each guess, so it serves every state that holds
it.

With three guesses left, a guess is refuted by any such set of the state that it leaves whole, and
the state is lost if every guess is refuted. The sets that are known already refute nearly all
guesses at a stroke; each one that is left is tried, and fails by a cell from which one more set is
learned, or wins.
"""

from __future__ import annotations

import numpy as np

from ...jit.compiler import njit, njit_part
from . import INFINITE, Int32s, Int64s, UInt8s
from .cost import spend_guess
from .guess_order import read_row
from .lookahead import is_separable
from .problem import MAX_POOL, MAX_SIZE, InseparableSets, Search
from .responses import LANES, ResponseMatrix, Scratch

N_CELLS = 4
"""At most this many cells of a guess are tested, the largest first: if these are not lost, smaller
ones hardly are."""

MAX_LEARNED = 300
"""Tests that learn more sets are given up, so that they take less than a second."""

U64 = np.uint64


@njit_part
def has_lost_cell(search: Search, depth: int) -> bool:
    """Step 2 (c): whether the guess under trial leaves a cell that is lost with three guesses left.

    False may mean that it is not known. Once a tree is known, costs rule a guess out sooner.
    """
    stack, sets = search.stack, search.inseparable
    frames, cells = stack.frames, stack.cells
    is_limit_alone = frames.upper_bound[depth] - frames.cost[depth] >= INFINITE // 2
    # What a lower bound counts with does not depend on the limit alone.
    if len(sets.sizes) == 0 or not is_limit_alone or stack.control.deepest > 0:
        return False
    if spend_guess(frames.left[depth]) != 3:
        return False
    last = frames.n_cells[depth] - 1
    for at in range(last, max(-1, last - N_CELLS), -1):
        first = cells.first[depth, at]
        members = stack.members[depth, first : first + cells.size[depth, at]]
        n_found = sets.n_found[0]
        is_lost = is_lost_in_three(search.matrix, search.scratch, sets, members)
        stack.control.n_lookaheads += 1 + sets.n_found[0] - n_found
        if is_lost:
            return True
    return False


@njit
def is_lost_in_three(
    matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, members: Int32s
) -> bool:
    """Whether no tree finds all candidates of a state within three guesses.

    True is proved; False: a tree exists, or too many sets would have to be learned. The game has a
    ranking, and every code may be guessed. New sets are kept.
    """
    if _refute_by_known(matrix, sets, members):
        return True
    n_learned = 0
    for tile in range(len(sets.open)):
        while sets.open[tile] != 0:
            at = _fail(matrix, scratch, sets, members, tile * LANES + _find_lowest(sets.open[tile]))
            if at < 0 or n_learned == MAX_LEARNED:
                return False
            n_learned += 1
            _close(sets, at)
    return True


@njit_part
def _refute_by_known(matrix: ResponseMatrix, sets: InseparableSets, members: Int32s) -> bool:
    """Open all guesses, close those that known sets refute; return whether all are closed."""
    n_places = len(matrix.place_of)
    for tile in range(len(sets.open)):
        n_guesses = min(LANES, n_places - tile * LANES)
        sets.open[tile] = ~U64(0) >> U64(LANES - n_guesses)
    for i in range(len(members)):
        sets.is_member[members[i]] = 1
    is_refuted = False
    for at in range(min(sets.n_found[0], len(sets.sizes))):
        if _is_held(sets, at) and _close(sets, at):
            is_refuted = True
            break
    for i in range(len(members)):
        sets.is_member[members[i]] = 0
    return is_refuted


@njit_part
def _is_held(sets: InseparableSets, at: int) -> bool:
    """Whether the marked candidates hold a set."""
    i = 0
    while i < sets.sizes[at] and sets.is_member[sets.members[at, i]] == 1:
        i += 1
    return bool(i == sets.sizes[at])


@njit_part(inline=True)
def _close(sets: InseparableSets, at: int) -> bool:
    """Close the guesses that a set refutes; return whether all are closed."""
    left, whole, rest = sets.open, sets.whole, U64(0)
    for tile in range(len(left)):
        left[tile] &= ~whole[at, tile]
        rest |= left[tile]
    return bool(rest == 0)


@njit_part
def _find_lowest(bits: np.uint64) -> int:
    """Return the place of the lowest bit; there is one."""
    place = 0
    while (bits >> U64(place)) & U64(1) == 0:
        place += 1
    return place


@njit_part
def _fail(
    matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, members: Int32s, place: int
) -> int:
    """Learn a set that refutes the guess at a place; return where it stands, or -1."""
    read_row(matrix, scratch, members, matrix.guess_at[place])
    row, sizes = scratch.row, scratch.sizes
    while True:
        # The winning cell holds one candidate.
        largest = _find_largest(sizes)
        if sizes[largest] < 3:
            return -1
        sizes[largest] = 0
        n = 0
        for i in range(len(members)):
            if row[i] == largest and n < MAX_POOL:
                sets.pool[n] = members[i]
                n += 1
        if not is_separable(matrix, scratch, sets.pool[:n]):
            return learn_set(matrix, scratch, sets, sets.pool[:n])


@njit_part
def _find_largest(sizes: Int64s) -> int:
    """Return the first response that most candidates give."""
    largest = 0
    for response in range(1, len(sizes)):
        if sizes[response] > sizes[largest]:
            largest = response
    return largest


N_SAMPLED = 64
"""The guesses of this many tiles are sampled to estimate which candidates are alike."""


@njit
def learn_set(
    matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, members: Int32s
) -> int:
    """Find an inseparable set among candidates that are one, three at least, and keep it.

    Return its place; -1 if no set found is small enough. The smaller a set and the more
    alike its candidates, the more guesses it refutes and the more states hold it. So candidates are
    added by likeness until no guess tells them apart, and then all are dropped that are not needed
    for that: a minimal set is left.
    """
    pool, n = sets.pool, min(len(members), MAX_POOL)
    for i in range(n):
        pool[i] = members[i]
    n = _choose_alike(matrix, scratch, sets, n)
    n = _drop_needless(matrix, scratch, pool, n)
    if n < 3 or n > MAX_SIZE:
        return -1
    at = sets.n_found[0] % len(sets.sizes)
    sets.n_found[0] += 1
    sets.sizes[at] = n
    for i in range(n):
        sets.members[at, i] = pool[i]
    for tile in range(sets.whole.shape[1]):
        sets.whole[at, tile] = _pack_alike(matrix, pool, n, tile)
    return int(at)


@njit_part
def _choose_alike(matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, n: int) -> int:
    """Order the pool by likeness until its beginning is inseparable; return its length, or 0."""
    pool, alike = sets.pool, sets.alike
    _bring_closest(matrix, sets, n)
    alike[:, :] = 1
    for size in range(2, n):
        _narrow_alike(matrix, pool[0], pool[size - 1], alike)
        best, best_at = -1, size
        for at in range(size, n):
            count = _count_alike(matrix, pool[0], pool[at], alike)
            if count > best:
                best, best_at = count, at
        pool[size], pool[best_at] = pool[best_at], pool[size]
        if not is_separable(matrix, scratch, pool[: size + 1]):
            return size + 1
    return 0


@njit_part
def _bring_closest(matrix: ResponseMatrix, sets: InseparableSets, n: int) -> None:
    """Bring the two most alike candidates of the pool to its beginning."""
    pool, alike = sets.pool, sets.alike
    alike[:, :] = 1
    best, first, second = -1, 0, 1
    for j in range(n):
        for i in range(j):
            count = _count_alike(matrix, pool[i], pool[j], alike)
            if count > best:
                best, first, second = count, i, j
    pool[0], pool[first] = pool[first], pool[0]
    pool[1], pool[second] = pool[second], pool[1]


@njit_part(inline=True)
def _count_alike(matrix: ResponseMatrix, a: int, b: int, alike: UInt8s) -> int:
    """Return to how many of the sampled marked guesses two candidates respond alike."""
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    step = 1 + alike.shape[0] // N_SAMPLED
    count = np.int64(0)
    for tile in range(0, alike.shape[0], step):
        block, part = tile // per_block, tile % per_block
        for x in range(LANES):
            is_equal = tiles[block, a, part, x] == tiles[block, b, part, x]
            count += alike[tile, x] & np.uint8(is_equal)
    return int(count)


@njit_part
def _narrow_alike(matrix: ResponseMatrix, a: int, b: int, alike: UInt8s) -> None:
    """Clear the marks of guesses that tell two candidates apart."""
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    for tile in range(alike.shape[0]):
        block, part = tile // per_block, tile % per_block
        for x in range(LANES):
            alike[tile, x] &= np.uint8(tiles[block, a, part, x] == tiles[block, b, part, x])


@njit_part
def _drop_needless(matrix: ResponseMatrix, scratch: Scratch, pool: Int32s, n: int) -> int:
    """Drop candidates without which the first `n` are inseparable, too; return how many stay."""
    at = n - 1
    while at >= 0 and n > 3:
        # The last one takes its place for the test: it was tested itself, or it is this one.
        pool[at], pool[n - 1] = pool[n - 1], pool[at]
        if not is_separable(matrix, scratch, pool[: n - 1]):
            n -= 1
        else:
            pool[at], pool[n - 1] = pool[n - 1], pool[at]
        at -= 1
    return n


@njit_part
def _pack_alike(matrix: ResponseMatrix, pool: Int32s, n: int, tile: int) -> np.uint64:
    """Return the guesses of a tile to which the first `n` of the pool respond alike, a bit each."""
    tiles, per_block = matrix.tiles, matrix.tiles.shape[2]
    block, part = tile // per_block, tile % per_block
    bits = U64(0)
    for x in range(LANES):
        is_alike = True
        for i in range(1, n):
            is_alike &= tiles[block, pool[0], part, x] == tiles[block, pool[i], part, x]
        bits |= U64(is_alike) << U64(x)
    return bits
