"""The response matrix of a search, in two orders, and the arrays that its kernels write.

In a game of many responses the guesses stand in an order of their own, those with most cells on all
candidates first. On a part of the candidates a guess has no more cells than on all of them: so a
survey that has found a guess with many cells ends where the order has no guess of so many left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_inline, njit_leaf
from ..._memory import read_available_bytes
from ...errors import StrategyError
from ...games import Game
from ...kernels import FeedbackKind, Scoring, make_scoring, respond
from .distinct import LANES, Lanes, make_lanes

BLOCK = 512
"""Guesses whose responses are stored together: their sets of responses fit the L1 cache, and a
candidate's responses to them are read from memory in one go."""

FEW_RESPONSES = 32
"""Sets of so many responses fit an integer; more are counted in tiles of `LANES` guesses."""

TILE = 64
"""Guesses whose cells are counted together."""

MAX_BYTES = 8 * 2**30
"""A matrix is refused beyond this size."""


class ResponseMatrix(NamedTuple):
    """What a search knows about its game; candidates are numbered ``0 … n_candidates - 1``.

    Attributes
    ----------
    by_guess : uint8[n_codes, n_candidates]
        Response of each (guess, candidate).
    blocks : uint8[n_blocks, n_candidates, BLOCK]
        The same, the guesses of a block next to each other, in the order of `ranking` if there is
        one; guesses that fill up the last block have response 0 to all.
    tiles : uint8[n_blocks, n_candidates, BLOCK / TILE, TILE]
        The memory of `blocks`, its rows in tiles of 64 guesses.
    code_of : int32[n_candidates]
        Code of each candidate, increasing.
    n_responses : int
        Number of responses; the last one wins.
    ranking : Ranking
        The order of guesses in games of more than `FEW_RESPONSES`.
    """

    by_guess: NDArray[np.unsignedinteger]
    blocks: NDArray[np.unsignedinteger]
    tiles: NDArray[np.unsignedinteger]
    code_of: NDArray[np.int32]
    n_responses: int
    ranking: Ranking


SLICE_PAIRS = 4_000_000
"""Responses that are written between two calls of `look`."""


def make_response_matrix(
    game: Game, candidates: NDArray[np.int32], look: Callable[[], None] = lambda: None
) -> ResponseMatrix:
    """Return the response matrix of a game for the given candidates.

    Parameters
    ----------
    game, candidates
        The game, and the codes that are possible, ascending.
    look
        Called now and then; it may raise.

    Raises
    ------
    StrategyError
        It would not fit into memory.
    """
    dtype = np.uint8 if game.n_responses <= 256 else np.uint16
    size = 2 * game.n_codes * len(candidates) * np.dtype(dtype).itemsize
    allowed = min(MAX_BYTES, read_available_bytes())
    if size > allowed:
        raise StrategyError(
            f"exact search of {game.name} needs {size / 2**30:.1f} GiB of responses;"
            f" {allowed / 2**30:.1f} GiB are there or allowed"
        )
    scoring = make_scoring(game)
    by_guess = np.empty((game.n_codes, len(candidates)), dtype=dtype)
    is_plain = game.rule not in ("pegs", "black") or game.n_pegs > 60 or game.n_responses > 256
    if not is_plain:
        pegs = np.ascontiguousarray(game.codes[candidates].T)
        counts = np.ascontiguousarray(scoring.counts[candidates].T)
    step = max(1, SLICE_PAIRS // max(1, len(candidates)))
    for first in range(0, game.n_codes, step):
        look()
        end = min(first + step, game.n_codes)
        if is_plain:
            _fill_plainly(scoring, candidates, first, end, by_guess)
        else:
            _fill_by_columns(scoring, pegs, counts, first, end, by_guess)
    code_of, ranking = candidates.astype(np.int32), rank_nothing()
    if game.n_responses > FEW_RESPONSES:
        ranking = rank_guesses(by_guess, code_of, game.n_responses, step, look)
    blocks = _make_blocks(by_guess, ranking, look)
    tiles = blocks.reshape(*blocks.shape[:2], -1, TILE)
    return ResponseMatrix(by_guess, blocks, tiles, code_of, game.n_responses, ranking)


@njit_inline
def has_ranking(matrix: ResponseMatrix) -> bool:
    """Whether guesses are surveyed in the order of a ranking: with many responses."""
    return len(matrix.ranking.most) > 0


def _make_blocks(
    by_guess: NDArray[np.unsignedinteger], ranking: Ranking, look: Callable[[], None]
) -> NDArray[np.unsignedinteger]:
    """Return the responses in blocks of guesses."""
    n_codes, n_candidates = by_guess.shape
    blocks = np.zeros((-(-n_codes // BLOCK), n_candidates, BLOCK), dtype=by_guess.dtype)
    for block, target in enumerate(blocks):
        look()
        places = slice(block * BLOCK, min((block + 1) * BLOCK, n_codes))
        codes = ranking.guess_at[places] if len(ranking.most) else places
        part = by_guess[codes]
        target[:, : len(part)] = part.T
    return blocks


@njit
def _fill_plainly(
    scoring: Scoring,
    candidates: NDArray[np.int32],
    first: int,
    end: int,
    by_guess: NDArray[np.unsignedinteger],
) -> None:
    """Write the response of each pair, one by one, of the guesses ``first … end - 1``."""
    for guess in range(first, end):
        for i in range(len(candidates)):
            by_guess[guess, i] = respond(scoring, guess, candidates[i])


@njit
def _fill_by_columns(
    scoring: Scoring,
    pegs: NDArray[np.unsignedinteger],
    counts: NDArray[np.uint8],
    first: int,
    end: int,
    by_guess: NDArray[np.unsignedinteger],
) -> None:
    """Write the responses of peg and black-only games, a peg or color of all candidates at once.

    Parameters
    ----------
    scoring : Scoring
        The game's rule; not `FeedbackKind.POSITION`.
    pegs : uint8 or uint16[n_pegs, n_candidates]
        Color on each peg of the candidates.
    counts : uint8[n_colors, n_candidates]
        How often each candidate has each color.
    first, end : int
        The guesses to do, ``first … end - 1``.
    by_guess : uint8[n_codes, n_candidates]
        Written in place.
    """
    assert scoring.rule != FeedbackKind.POSITION
    black = np.empty(pegs.shape[1], dtype=np.uint8)
    common = np.empty(pegs.shape[1], dtype=np.uint8)
    for guess in range(first, end):
        _count_black(pegs, scoring.codes[guess], black)
        if scoring.rule == FeedbackKind.BLACK:
            by_guess[guess] = black
        else:
            _count_common(counts, scoring.counts[guess], common)
            _look_up(scoring.response_of, black, common, by_guess[guess])


@njit_leaf
def _count_black(
    pegs: NDArray[np.unsignedinteger], code: NDArray[np.unsignedinteger], black: NDArray[np.uint8]
) -> None:
    """Write how many pegs of each candidate are those of a guess."""
    black[:] = 0
    for peg in range(pegs.shape[0]):
        color = code[peg]
        for i in range(len(black)):
            black[i] += np.uint8(pegs[peg, i] == color)


@njit_leaf
def _count_common(
    counts: NDArray[np.uint8], wanted: NDArray[np.uint8], common: NDArray[np.uint8]
) -> None:
    """Write how many colors each candidate shares with a guess, which has each so often."""
    common[:] = 0
    for color in range(counts.shape[0]):
        count = wanted[color]
        if count > 0:
            for i in range(len(common)):
                common[i] += min(counts[color, i], count)


@njit_leaf
def _look_up(
    response_of: NDArray[np.int64],
    black: NDArray[np.uint8],
    common: NDArray[np.uint8],
    row: NDArray[np.unsignedinteger],
) -> None:
    """Write the response of each candidate by its numbers of pegs and of common colors."""
    for i in range(len(row)):
        row[i] = response_of[black[i], common[i]]


class Ranking(NamedTuple):
    """Guesses in tiles; arrays of length 0 in games of few responses, which need no order.

    Attributes
    ----------
    guess_at : int32[n_tiles * LANES]
        The code at each place; -1 behind the last one.
    place_of : int32[n_codes]
        The place of each code.
    most : int64[n_tiles]
        The largest score of a tile's guesses on all candidates. A guess scores its cells, and one
        more if it is a candidate.
    """

    guess_at: NDArray[np.int32]
    place_of: NDArray[np.int32]
    most: NDArray[np.int64]


def rank_guesses(
    by_guess: NDArray[np.unsignedinteger],
    code_of: NDArray[np.int32],
    n_responses: int,
    step: int,
    look: Callable[[], None],
) -> Ranking:
    """Return the order of all guesses; equal scores are in the order of codes.

    Parameters
    ----------
    by_guess, code_of, n_responses
        See `ResponseMatrix`.
    step
        Guesses that are counted between two calls of `look`, which may raise.
    """
    n_codes = len(by_guess)
    scores = np.zeros(n_codes, dtype=np.int64)
    for first in range(0, n_codes, step):
        look()
        part = slice(first, first + step)
        _count_cells(by_guess[part], np.zeros(n_responses, dtype=np.uint8), scores[part])
    scores[code_of] += 1
    order = np.argsort(-scores, kind="stable").astype(np.int32)
    n_places = -(-n_codes // LANES) * LANES
    guess_at = np.full(n_places, -1, dtype=np.int32)
    guess_at[:n_codes] = order
    place_of = np.empty(n_codes, dtype=np.int32)
    place_of[order] = np.arange(n_codes, dtype=np.int32)
    return Ranking(guess_at, place_of, scores[order[::LANES]])


def rank_nothing() -> Ranking:
    """Return the ranking of a game that needs none."""
    empty = np.zeros(0, dtype=np.int32)
    return Ranking(empty, empty, np.zeros(0, dtype=np.int64))


@njit_leaf
def _count_cells(
    by_guess: NDArray[np.unsignedinteger], seen: NDArray[np.uint8], counts: NDArray[np.int64]
) -> None:
    """Write the number of cells of each guess; `seen` is scratch."""
    for guess in range(by_guess.shape[0]):
        seen[:] = 0
        for i in range(by_guess.shape[1]):
            seen[by_guess[guess, i]] = 1
        for response in range(len(seen)):
            counts[guess] += seen[response]


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
        Sizes of the cells of a tile's guesses; see `cells`.
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
        Responses among a state's candidates; see `need_local_matrix`.
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
