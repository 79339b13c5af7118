"""The response matrix of a search, in two orders, and the arrays that its kernels write.

In a game of many responses the guesses stand in an order of their own, those with most cells on all
candidates first. On a part of the candidates a guess has no more cells than on all of them: so a
survey that has found a guess with many cells ends where the order has no guess of as many left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError
from ...games.rules import Rules
from ...jit.compiler import by_reference, njit, njit_part
from ...jit.memory import read_available_bytes
from ...kernels.responses import FeedbackKind, Scoring, make_scoring, respond
from ...tasks.background import run_each
from ...tasks.work import Look
from . import Int32s, Int64s, UInt8s, UInt64s, UInts

BLOCK = 512
"""Guesses whose responses are stored together: their sets of responses fit the L1 cache, and a
candidate's responses to them are read from memory in one go."""

FEW_RESPONSES = 32
"""A set of at most this many responses fits an integer; more are counted in tiles of `LANES`."""

TILE = LANES = 64
"""Guesses whose cells are counted together: see `cells`, and with many responses `lookahead`."""

MAX_ROWS = 256
"""The responses of at most this many candidates to a tile of guesses are compared in pairs."""

MAX_BYTES = 8 * 2**30
"""A matrix is refused beyond this size."""


@by_reference
class Weights(NamedTuple):
    """What candidates weigh; arrays of length 0 where all weigh 1."""

    full: Int64s  # [n_candidates], descending
    # The same over ``2 ** shift``, rounded down: sums of them fit lanes of 32 bits.
    lanes: Int32s
    shift: int


@by_reference
class ResponseMatrix(NamedTuple):
    """What a search knows about its game; candidates are numbered ``0 … n_candidates - 1``.

    With weights the heaviest candidate is number 0, and each state lists its candidates in this
    order: the first of a cell is its heaviest. Equal ones are in the order of their codes.

    Responses are uint8, or uint16 where there are more than 256. `blocks` has them with the guesses
    of a block next to each other; guesses that fill up the last block have response 0 to all.

    In games of more than `FEW_RESPONSES` the guesses of blocks have the order of a *ranking*, by
    score: the cells of a guess, and one more if it is a candidate. In others the last three arrays
    are empty.
    """

    by_guess: UInts  # [n_codes, n_candidates]
    blocks: UInts  # [n_blocks, n_candidates, BLOCK]
    tiles: UInts  # the memory of `blocks`: […, BLOCK / TILE, TILE]
    code_of: Int32s  # [n_candidates]: their codes; increasing where all weigh 1
    n_responses: int  # the last one wins
    guess_at: Int32s  # [n_tiles * LANES]: the code at each place of the ranking; -1 behind the last
    place_of: Int32s  # [n_codes]: the place of each code
    top_scores: Int64s  # [n_tiles]: the largest score of a tile's guesses on all candidates
    weights: Weights


SLICE_PAIRS = 4_000_000
"""Responses that are written between two calls of `look`."""


def make_response_matrix(
    rules: Rules, candidates: Int32s, look: Look = lambda: None, jobs: int = 1
) -> ResponseMatrix:
    """Return the response matrix of a game for the given candidates, in `order_by_weight`.

    `look` is called now and then, by `jobs` threads; it may raise. StrategyError: the matrix would
    not fit into memory.
    """
    dtype = choose_dtype(rules.n_responses)
    size = 2 * rules.n_codes * len(candidates) * np.dtype(dtype).itemsize
    allowed = min(MAX_BYTES, read_available_bytes())
    if size > allowed:
        raise StrategyError(
            f"exact search of {rules.name} needs {size / 2**30:.1f} GiB of responses;"
            f" {allowed / 2**30:.1f} GiB are free or allowed"
        )
    by_guess = np.empty((rules.n_codes, len(candidates)), dtype=dtype)
    write_rows = respond_all(rules, candidates)
    step = max(1, SLICE_PAIRS // max(1, len(candidates)))

    def fill(first: int) -> None:
        look()
        end = min(first + step, rules.n_codes)
        write_rows(np.arange(first, end, dtype=np.int32), by_guess[first:end])

    run_each([fill] * jobs, range(0, rules.n_codes, step))
    code_of, nothing = candidates.astype(np.int32), np.zeros(0, dtype=np.int32)
    ranking = nothing, nothing, np.zeros(0, dtype=np.int64)
    if rules.n_responses > FEW_RESPONSES:
        ranking = rank_guesses(by_guess, code_of, rules.n_responses, step, look)
    blocks = _make_blocks(by_guess, ranking[0], look, jobs)
    tiles = blocks.reshape(*blocks.shape[:2], -1, TILE)
    weights = make_weights(rules, code_of)
    return ResponseMatrix(by_guess, blocks, tiles, code_of, rules.n_responses, *ranking, weights)


def choose_dtype(n_responses: int) -> type[np.uint8 | np.uint16]:
    """Return the type of a game's responses in the kernels."""
    return np.uint8 if n_responses <= 256 else np.uint16


def order_by_weight(rules: Rules, candidates: Int32s) -> Int32s:
    """Return candidates by descending weight; equal ones keep their order."""
    if rules.weights is None:
        return candidates
    return candidates[np.argsort(-rules.weights[candidates], kind="stable")]


LANE_BITS = 30
"""Sums of the weights in lanes stay below 2 ** 30."""

KEY_BITS = 50
"""So do these times the number of codes, below 2 ** 50: guesses are sorted by both at once."""


def make_weights(rules: Rules, code_of: Int32s) -> Weights:
    """Return the weights of some candidates."""
    if rules.weights is None:
        nothing = np.zeros(0, dtype=np.int64)
        return Weights(nothing, nothing.astype(np.int32), 0)
    full = rules.weights[code_of].astype(np.int64)
    n_bits = min(LANE_BITS, KEY_BITS - rules.n_codes.bit_length())
    shift = max(0, int(full.sum()).bit_length() - n_bits)
    return Weights(full, (full >> shift).astype(np.int32), shift)


@njit_part(inline=True)
def has_weights(matrix: ResponseMatrix) -> bool:
    """Whether candidates have weights of their own."""
    return len(matrix.weights.full) > 0


@njit_part
def weigh(matrix: ResponseMatrix, members: Int32s) -> int:
    """Return the weight of a state, the number of its candidates where all weigh 1."""
    full, n = matrix.weights.full, len(members)
    if len(full) == 0:
        return n
    weight = np.int64(0)
    for i in range(n):
        weight += full[members[i]]
    return int(weight)


@njit_part(inline=True)
def has_ranking(matrix: ResponseMatrix) -> bool:
    """Whether guesses are surveyed in the order of a ranking: with many responses."""
    return len(matrix.top_scores) > 0


def _make_blocks(by_guess: UInts, guess_at: Int32s, look: Look, jobs: int) -> UInts:
    """Return the responses in blocks of guesses."""
    n_codes, n_candidates = by_guess.shape
    blocks = np.zeros((-(-n_codes // BLOCK), n_candidates, BLOCK), dtype=by_guess.dtype)

    def fill(block: int) -> None:
        look()
        places = slice(block * BLOCK, min((block + 1) * BLOCK, n_codes))
        codes = guess_at[places] if len(guess_at) else places
        part = by_guess[codes]
        blocks[block, :, : len(part)] = part.T

    run_each([fill] * jobs, range(len(blocks)))
    return blocks


def respond_all(rules: Rules, candidates: Int32s) -> Callable[[Int32s, UInts], None]:
    """Return a function that writes candidates' responses to guesses, a row for each guess."""
    scoring = make_scoring(rules)
    if rules.feedback.name not in ("pegs", "black") or rules.n_pegs > 60 or rules.n_responses > 256:
        return partial(_fill_plainly, scoring, candidates)
    pegs = np.ascontiguousarray(rules.codes[candidates].T)
    counts = np.ascontiguousarray(scoring.counts[candidates].T)
    return partial(_fill_by_columns, scoring, pegs, counts)


@njit
def _fill_plainly(scoring: Scoring, candidates: Int32s, guesses: Int32s, rows: UInts) -> None:
    """Write the response of each pair, one by one."""
    for at in range(len(guesses)):
        for i in range(len(candidates)):
            rows[at, i] = respond(scoring, guesses[at], candidates[i])


@njit(allocates=True)
def _fill_by_columns(
    scoring: Scoring, pegs: UInts, counts: UInt8s, guesses: Int32s, rows: UInts
) -> None:
    """Write the responses of peg and black-only games, a peg or color of all candidates at once.

    `pegs`, [n_pegs, n_candidates], has the candidates' colors; `counts`, [n_colors, n_candidates],
    how often each candidate has each color.
    """
    assert scoring.rule != FeedbackKind.POSITION
    black = np.empty(pegs.shape[1], dtype=np.uint8)
    common = np.empty(pegs.shape[1], dtype=np.uint8)
    for at in range(len(guesses)):
        _count_black(pegs, scoring.codes[guesses[at]], black)
        if scoring.rule == FeedbackKind.BLACK:
            rows[at] = black
        else:
            _count_common(counts, scoring.counts[guesses[at]], common)
            _look_up(scoring.response_of, black, common, rows[at])


@njit(is_leaf=True)
def _count_black(pegs: UInts, code: UInts, black: UInt8s) -> None:
    """Write how many pegs of each candidate are those of a guess."""
    black[:] = 0
    for peg in range(pegs.shape[0]):
        color = code[peg]
        for i in range(len(black)):
            black[i] += np.uint8(pegs[peg, i] == color)


@njit(is_leaf=True)
def _count_common(counts: UInt8s, wanted: UInt8s, common: UInt8s) -> None:
    """Write how many colors each candidate shares with a guess, which has each so often."""
    common[:] = 0
    for color in range(counts.shape[0]):
        count = wanted[color]
        if count > 0:
            for i in range(len(common)):
                common[i] += min(counts[color, i], count)


@njit(is_leaf=True)
def _look_up(response_of: Int64s, black: UInt8s, common: UInt8s, row: UInts) -> None:
    """Write the response of each candidate by its numbers of pegs and of common colors."""
    for i in range(len(row)):
        row[i] = response_of[black[i], common[i]]


def rank_guesses(
    by_guess: UInts, code_of: Int32s, n_responses: int, step: int, look: Look
) -> tuple[Int32s, Int32s, Int64s]:
    """Return the ranking of all guesses; equal scores are in the order of codes.

    `step` guesses are counted between two calls of `look`, which may raise.
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
    return guess_at, place_of, scores[order[::LANES]]


@njit(is_leaf=True)
def _count_cells(by_guess: UInts, seen: UInt8s, counts: Int64s) -> None:
    """Write the number of cells of each guess; `seen` is scratch."""
    for guess in range(by_guess.shape[0]):
        seen[:] = 0
        for i in range(by_guess.shape[1]):
            seen[by_guess[guess, i]] = 1
        for response in range(len(seen)):
            counts[guess] += seen[response]


HOPELESS = 1 << 30
"""The penalty of guesses that are of no use; more than any weight in lanes."""

MAX_LOCAL = 256
"""States of at most this many candidates have a local matrix."""


@by_reference
class Scratch(NamedTuple):
    """Arrays that the kernels write and nothing keeps.

    Codes are rounded up to whole blocks in `n_cells`, `block_cells` and `is_candidate`; in a survey
    these are by place in the ranking, and rows are tiles.
    """

    masks: UInts  # [BLOCK]: responses seen, a bit each; length 0: too many
    n_cells: UInts  # cells of each guess without the winning one; scores
    block_cells: UInts  # the same memory, a row a block or tile
    is_candidate: UInt8s  # whether a code (a place) is a candidate; all 0 between calls
    sizes: Int64s  # [n_responses]: candidates in each cell
    marks: Int64s  # [n_responses + 1]: when each was last seen; the last entry counts
    guess_bounds: Int64s  # [2, n_responses]: lower bound by whether it may win, and cells
    ranks: Int64s  # the same: that bound's rank
    starts: Int64s  # [2 * n_responses + 2]: where the guesses of each rank begin
    keys: Int64s  # [n_codes]: guesses with their estimates
    # Of surveys, no rows in games of few responses; uint16 where the numbers need it.
    rows: UInts  # [MAX_ROWS, LANES]: the responses of the candidates so far
    nearest: UInts  # [LANES]: least exclusive or of the newest response and the earlier
    seen: UInt8s  # [n_responses, LANES]: whether the response occurred
    total: UInts  # [LANES]: the sum of the flags, and of what it is added to
    copied: UInts  # [n_candidates, tiles of a block, LANES]: responses
    row: UInt64s  # [n_codes]: responses of a state's candidates to the guess under trial
    small_counts: Int32s  # [n_responses - 1, TILE]: cell sizes of a tile's guesses; see `cells`
    bytes: UInt8s  # the same, of some candidates
    tile_costs: Int64s  # [n_codes, rounded up]: cost of a guess's cells by their sizes
    tiles_counted: Int64s  # [n_tiles + 1]: when each was counted; the last entry counts
    order: Int64s  # [n_responses]: in which order the guess's cells are looked ahead
    places: UInt64s  # [n_codes]: places in the state of its candidates, by response
    # Of `penalties`, no columns where all weigh 1; by place in blocks.
    penalties: Int32s  # [n_tiles, LANES]: of each guess
    own: Int32s  # the same: what it begins with; that of no candidate between calls
    levels: Int64s  # [n_candidates]: how much deeper than the first of a cell its others are found
    local: Int64s  # [1]: candidates of the state that stands in `sets`; 0: none
    sets: NDArray[np.uint32]  # [n_local ** 2]: responses among them; see `need_local_matrix`


def make_scratch(
    n_codes: int, n_responses: int, n_candidates: int, *, is_weighted: bool = False
) -> Scratch:
    """Return the arrays for a game's sizes."""
    is_small = n_responses <= FEW_RESPONSES
    width = BLOCK if is_small else LANES
    n_blocks, n_tiles = -(-n_codes // width), -(-n_codes // TILE)
    n_local, n_many = min(n_codes, MAX_LOCAL) * is_small, int(not is_small)
    narrow = choose_dtype(n_responses)
    n_places = -(-n_codes // BLOCK) * BLOCK * is_weighted
    own = np.zeros((n_places // LANES, LANES), dtype=np.int32)
    own.reshape(-1)[n_codes:] = HOPELESS
    n_cells: UInts = np.zeros(n_blocks * width, dtype=np.uint8)
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
        np.zeros((n_many * MAX_ROWS, LANES), dtype=narrow),
        np.zeros(n_many * LANES, dtype=narrow),
        np.zeros((n_many * n_responses, LANES), dtype=np.uint8),
        np.zeros(n_many * LANES, dtype=np.uint8 if n_responses < 255 else np.uint16),
        np.empty((n_many * n_candidates, BLOCK // LANES, LANES), dtype=narrow),
        np.zeros(n_codes, dtype=np.uint64),
        np.zeros((n_responses - 1, TILE), dtype=np.int32),
        np.zeros((n_responses - 1, TILE), dtype=np.uint8),
        np.zeros(n_tiles * TILE, dtype=np.int64),
        np.zeros(n_tiles + 1, dtype=np.int64),
        np.zeros(n_responses, dtype=np.int64),
        np.zeros(n_codes, dtype=np.uint64),
        np.zeros_like(own),
        own,
        np.zeros(n_candidates, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(n_local**2, dtype=np.uint32),
    )
