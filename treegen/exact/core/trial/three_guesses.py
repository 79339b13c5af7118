"""Whether a state is lost with three guesses left, by what every guess leaves whole.

After a guess each cell has two guesses left, so it is lost if it holds an inseparable set. A guess
is refuted by any such set of the state that it leaves whole, and the state is lost if every guess
is refuted. The sets that are known already refute nearly all guesses at a stroke; each one that is
left is tried, and fails by a cell from which one more set is learned, or wins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit_bare, njit_bare_part, njit_inline
from ..cost_model import INFEASIBLE, spend_guess
from ..guess_order import read_row
from ..lookahead import (
    LANES,
    MAX_POOL,
    InseparableSets,
    ResponseMatrix,
    Scratch,
    is_separable,
    learn_set,
)
from ..search import Search

N_CELLS = 4
"""So many cells of a guess are tested, the largest first: if one of them is not lost, none that is
smaller is likely to be."""

MAX_LEARNED = 300
"""Tests that learn more sets are given up, so that they take less than a second."""

U64 = np.uint64


@njit_bare_part
def has_lost_cell(search: Search, depth: int) -> bool:
    """Whether the guess under trial leaves a cell that is lost with three guesses left.

    False may mean that it is not known. Once a tree is known, costs rule a guess out sooner.
    """
    stack, sets = search.stack, search.inseparable
    frames, cells = stack.frames, stack.cells
    is_limit_alone = frames.upper_bound[depth] - frames.cost[depth] >= INFEASIBLE // 2
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


@njit_bare
def is_lost_in_three(
    matrix: ResponseMatrix, scratch: Scratch, sets: InseparableSets, members: NDArray[np.int32]
) -> bool:
    """Whether no tree finds all candidates of a state within three guesses.

    Parameters
    ----------
    matrix, scratch
        The search; the game has a ranking, and every code may be guessed.
    sets : InseparableSets
        The sets known so far; new ones are kept.
    members : int32[n]
        The candidates.

    Returns
    -------
    is_lost : bool
        If True, that is proved; otherwise a tree exists, or too many sets would have to be learned.
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


@njit_bare_part
def _refute_by_known(
    matrix: ResponseMatrix, sets: InseparableSets, members: NDArray[np.int32]
) -> bool:
    """Open all guesses, close those that known sets refute; whether none is left."""
    n_places = len(matrix.ranking.place_of)
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


@njit_inline
def _is_held(sets: InseparableSets, at: int) -> bool:
    """Whether the marked candidates hold a set."""
    i = 0
    while i < sets.sizes[at] and sets.is_member[sets.members[at, i]] == 1:
        i += 1
    return bool(i == sets.sizes[at])


@njit_inline
def _close(sets: InseparableSets, at: int) -> bool:
    """Close the guesses that a set refutes; whether none is open."""
    rest = U64(0)
    for tile in range(len(sets.open)):
        sets.open[tile] &= ~sets.whole[at, tile]
        rest |= sets.open[tile]
    return bool(rest == 0)


@njit_bare_part
def _find_lowest(bits: np.uint64) -> int:
    """Return the place of the lowest bit; there is one."""
    place = 0
    while (bits >> U64(place)) & U64(1) == 0:
        place += 1
    return place


@njit_bare_part
def _fail(
    matrix: ResponseMatrix,
    scratch: Scratch,
    sets: InseparableSets,
    members: NDArray[np.int32],
    place: int,
) -> int:
    """Learn a set that refutes the guess at a place; return where it stands, or -1."""
    read_row(matrix, scratch, members, matrix.ranking.guess_at[place])
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


@njit_inline
def _find_largest(sizes: NDArray[np.int64]) -> int:
    """Return the first response that most candidates give."""
    largest = 0
    for response in range(1, len(sizes)):
        if sizes[response] > sizes[largest]:
            largest = response
    return largest
