"""A survey: the best score of any guess in a state, for games of any number of responses.

A guess scores its cells (the winning one counts) and one more if it is a candidate. A cell of n
candidates costs at least 2n - 1, so a guess of score K costs at least 3n - K: one number bounds the
state. It is wanted only above a threshold that the state's upper bound sets, so that most tiles of
guesses are dropped after a few candidates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit_bare_part
from ..cost_model import CostModel, bound_guess
from .distinct import LANES, copy_block, count_distinct
from .response_matrix import ResponseMatrix
from .scratch import Scratch


class Surveyed(NamedTuple):
    """What a survey found.

    Attributes
    ----------
    most
        The best score; the threshold if none is above.
    tile
        The first tile that has it; -1 if none is above the threshold.
    n_tiles
        The tiles behind these have no guess above the threshold.
    """

    most: int
    tile: int
    n_tiles: int


@njit_bare_part
def survey_best(
    matrix: ResponseMatrix,
    scratch: Scratch,
    members: NDArray[np.int32],
    threshold: int,
    n_wanted: int,
) -> Surveyed:
    """Find the best score above a threshold, or the first tile with one of `n_wanted`."""
    tops = matrix.ranking.most
    mark_members(matrix, scratch, members, 1)
    most, best_tile, tile = threshold, -1, 0
    while tile < len(tops) and tops[tile] > most and most < n_wanted:
        found = _count_tile(matrix, scratch, members, tile, most)
        if found > most:
            most, best_tile = found, tile
        tile += 1
    mark_members(matrix, scratch, members, 0)
    return Surveyed(most, best_tile, tile)


@njit_bare_part
def survey_all(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32], threshold: int
) -> Surveyed:
    """Write the scores of all guesses above a threshold into `scratch.n_cells`, by place.

    Among the tiles that are counted, scores up to the threshold may be written as 0.
    """
    mark_members(matrix, scratch, members, 1)
    most, best_tile, tile = threshold, -1, 0
    while tile < len(matrix.ranking.most) and matrix.ranking.most[tile] > threshold:
        found = _count_tile(matrix, scratch, members, tile, threshold)
        if found == 0:
            for x in range(LANES):
                scratch.block_cells[tile, x] = 0
        elif found > most:
            most, best_tile = found, tile
        tile += 1
    mark_members(matrix, scratch, members, 0)
    return Surveyed(most, best_tile, tile)


@njit_bare_part
def _count_tile(
    matrix: ResponseMatrix,
    scratch: Scratch,
    members: NDArray[np.int32],
    tile: int,
    threshold: int,
) -> int:
    """Write the scores of a tile's guesses, and return the best; 0 if none is above."""
    counts, per_block = scratch.block_cells, matrix.tiles.shape[2]
    # Tiles are counted from the first one on, so this copies each block once.
    if tile % per_block == 0:
        copy_block(matrix.tiles, tile // per_block, members, threshold, scratch.lanes)
    for x in range(LANES):
        counts[tile, x] = scratch.is_candidate[tile * LANES + x]
    return count_distinct(matrix.tiles, tile, members, threshold, scratch.lanes, counts)


@njit_bare_part
def mark_members(
    matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32], mark: int
) -> None:
    """Write whether the guess at a place is a candidate, or that none is."""
    for i in range(len(members)):
        scratch.is_candidate[matrix.ranking.place_of[matrix.code_of[members[i]]]] = mark


@njit_bare_part
def bound_by_score(model: CostModel, n: int, left: int, most: int) -> int:
    """Return the least cost of `n` candidates, three at least, if no guess scores more.

    A candidate of that score has two cells less besides the winning one, a guess outside as many.
    Candidates that are told apart by one guess score as many as they are, and three at least.
    """
    most = max(most, 3)
    outside = bound_guess(model, n, left, most, False, most)
    return min(outside, bound_guess(model, n, left, most - 2, True, most))


@njit_bare_part
def find_threshold(model: CostModel, n: int, left: int, limit: int, upper_bound: int) -> int:
    """Return the best score with which a state does not get below its upper bound.

    Parameters
    ----------
    model, n, left
        What is minimised, the candidates, the guesses left.
    limit : int
        No guess scores more.
    upper_bound : int
        The cost to get below.
    """
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if bound_by_score(model, n, left, middle) >= upper_bound:
            low = middle
        else:
            high = middle - 1
    return low


@njit_bare_part
def is_separable(matrix: ResponseMatrix, scratch: Scratch, members: NDArray[np.int32]) -> bool:
    """Whether some guess gives each candidate a response of its own.

    Parameters
    ----------
    matrix, scratch
        The search; the game has a ranking. `scratch.n_cells` is written.
    members : int32[n]
        The candidates; 2 to 40.
    """
    n, counts = len(members), scratch.block_cells
    for tile in range(len(matrix.ranking.most)):
        if matrix.ranking.most[tile] < n:
            return False
        for x in range(LANES):
            counts[tile, x] = 0
        if count_distinct(matrix.tiles, tile, members, n - 1, scratch.lanes, counts) == n:
            return True
    return False
