"""The response matrix of a search, in two orders, and which code each candidate is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._jit import njit, njit_inline
from ...._memory import read_available_bytes
from ....errors import StrategyError
from ....games import Game
from ....kernels import FeedbackKind, Scoring, make_scoring, respond
from .guess_ranking import Ranking, rank_guesses, rank_nothing

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
    n_pegs, n = pegs.shape
    black = np.empty(n, dtype=np.uint8)
    common = np.empty(n, dtype=np.uint8)
    for guess in range(first, end):
        black[:] = 0
        for peg in range(n_pegs):
            color = scoring.codes[guess, peg]
            for i in range(n):
                black[i] += np.uint8(pegs[peg, i] == color)
        if scoring.rule == FeedbackKind.BLACK:
            by_guess[guess] = black
            continue
        common[:] = 0
        for color in range(counts.shape[0]):
            count = scoring.counts[guess, color]
            if count > 0:
                for i in range(n):
                    common[i] += min(counts[color, i], count)
        for i in range(n):
            by_guess[guess, i] = scoring.response_of[black[i], common[i]]
