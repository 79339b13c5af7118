"""Arrays that the kernels of one thread write and nothing keeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .distinct import LANES, Lanes, make_lanes
from .response_matrix import BLOCK, FEW_RESPONSES, TILE

MAX_LOCAL = 256
"""States of so many candidates have a local matrix."""


class Scratch(NamedTuple):
    """Arrays that the kernels write and nothing keeps.

    Attributes
    ----------
    masks : uint32[BLOCK]
        Responses seen, a bit each; of length 0 where they are too many for 32 bits.
    n_cells : uint8[n_codes, rounded up to whole blocks]
        Cells of each guess, the winning one not counted; in a survey the score at each place.
    block_cells : uint8[n_blocks or n_tiles, BLOCK or LANES]
        The same memory, a row a block; in a survey a row a tile.
    is_candidate : uint8[n_codes, rounded up to whole blocks]
        Whether the code (in a survey the guess at the place) is a candidate; all 0 between calls.
    sizes : int64[n_responses]
        Candidates in each cell.
    marks : int64[n_responses + 1]
        When each response was last seen; the last entry counts.
    guess_bounds, ranks : int64[2, n_responses]
        Of a guess by whether it may win and its cells: its lower bound, that bound's rank.
    starts : int64[2 * n_responses + 2]
        Where the guesses of each rank begin.
    keys : int64[n_codes]
        Guesses with their estimates.
    lanes : Lanes
        Of a survey.
    row : uint64[n_codes]
        Responses of a state's candidates to the guess under trial.
    small_counts, bytes : int32[n_responses - 1, TILE], uint8[n_responses - 1, TILE]
        Sizes of the cells of a tile's guesses; see `tile_counts`.
    tile_costs, tiles_counted : int64[n_codes, rounded up], int64[n_tiles + 1]
        What the cells of each guess cost by their sizes; when each tile was counted, the last entry
        counts.
    order : int64[n_responses]
        In which order the cells of the guess under trial are looked ahead.
    places : uint64[n_codes]
        For the candidates of the guess under trial, grouped by response, their places in the state.
    local : int64[1]
        How many candidates the state has whose responses stand in `sets`; 0: of no state.
    sets : uint32[n_local ** 2]
        Responses among a state's candidates; see `local_matrix`.
    """

    masks: NDArray[np.unsignedinteger]
    n_cells: NDArray[np.unsignedinteger]
    block_cells: NDArray[np.unsignedinteger]
    is_candidate: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    marks: NDArray[np.int64]
    guess_bounds: NDArray[np.int64]
    ranks: NDArray[np.int64]
    starts: NDArray[np.int64]
    keys: NDArray[np.int64]
    lanes: Lanes
    row: NDArray[np.uint64]
    small_counts: NDArray[np.int32]
    bytes: NDArray[np.uint8]
    tile_costs: NDArray[np.int64]
    tiles_counted: NDArray[np.int64]
    order: NDArray[np.int64]
    places: NDArray[np.uint64]
    local: NDArray[np.int64]
    sets: NDArray[np.uint32]


def make_scratch(n_codes: int, n_responses: int, n_candidates: int) -> Scratch:
    """Return the arrays for a game's sizes."""
    is_small = n_responses <= FEW_RESPONSES
    width = BLOCK if is_small else LANES
    n_blocks, n_tiles = -(-n_codes // width), -(-n_codes // TILE)
    n_local = min(n_codes, MAX_LOCAL) if is_small else 0
    n_cells: NDArray[np.unsignedinteger] = np.zeros(n_blocks * width, dtype=np.uint8)
    if n_responses >= 255:  # a score is up to one more than the responses
        n_cells = n_cells.astype(np.uint16)
    return Scratch(
        np.zeros(BLOCK if is_small else 0, dtype=np.uint32),
        n_cells,
        n_cells.reshape(n_blocks, width),
        np.zeros(n_blocks * width, dtype=np.uint8),
        np.zeros(n_responses, dtype=np.int64),
        np.zeros(n_responses + 1, dtype=np.int64),
        np.zeros((2, n_responses), dtype=np.int64),
        np.zeros((2, n_responses), dtype=np.int64),
        np.zeros(2 * n_responses + 2, dtype=np.int64),
        np.zeros(n_codes, dtype=np.int64),
        make_lanes(n_responses, n_candidates, BLOCK // LANES, is_used=not is_small),
        np.zeros(n_codes, dtype=np.uint64),
        np.zeros((n_responses - 1, TILE), dtype=np.int32),
        np.zeros((n_responses - 1, TILE), dtype=np.uint8),
        np.zeros(n_tiles * TILE, dtype=np.int64),
        np.zeros(n_tiles + 1, dtype=np.int64),
        np.zeros(n_responses, dtype=np.int64),
        np.zeros(n_codes, dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        np.zeros(n_local**2, dtype=np.uint32),
    )
