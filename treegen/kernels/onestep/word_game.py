"""A word game in the fast kernels' form: a response as a sum over the letters of the guess.

The marks that a letter gets, wherever it stands in the guess, depend on nothing but the letter, its
places in the guess and the secret. So a *part* is a letter with its places: *speed* has the parts s
at 1, p at 2, e at 3 and 4, d at 5. Read as a number to base 3, the response is the sum of the
parts' marks, each with zeros at the other places. Many guesses share few parts: 12,972 words of
five letters have fewer than 400.

As in `ranked_game`, the tie-break prefers rank ``r`` to all ranks after it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._rule_kinds import CriterionKind, TieBreak
from ...games import Game
from ..responses import FeedbackKind, Scoring
from .bounds import Bound, find_bound
from .criteria import Rule

BYTE_PEGS = 5
"""The responses to longer words do not fit a byte."""

MAX_ROW_BYTES = 2**28
"""A game of more parts and candidates is left to the plain kernels."""

WORD_BYTES = 8
"""Rows are summed as vectors of numbers of so many bytes."""


class WordGame(NamedTuple):
    """A game of position feedback and a strategy, in rank space.

    Attributes
    ----------
    letters : uint8[n_codes, n_pegs] or uint16[n_codes, n_pegs]
        The code of each rank.
    codes : int32[n_codes]
        Index of the code of each rank.
    parts : int32[n_codes, n_pegs]
        The parts of each rank, then zeros: part 0 has no marks.
    first_parts : int64[n_colors + 1]
        The first part of each letter; its parts stand together.
    places : uint16[n_parts]
        The places of each part: bit p for peg p.
    kinds, tables, tie_break, candidates_only, n_direct
        Of `Rule`.
    steps : int64[n_secrets + 1]
        What one candidate more adds to the first criterion of a cell of each size, if that is a
        sum.
    least_step : int
        The least of these.
    bound : int
        Kind of the first criterion's bound: see the module `bounds`.
    is_strict, needs_all, candidates_first
        As in `RankedGame`.
    n_responses : int
        Of the game.
    """

    letters: NDArray[np.unsignedinteger]
    codes: NDArray[np.int32]
    parts: NDArray[np.int32]
    first_parts: NDArray[np.int64]
    places: NDArray[np.uint16]
    kinds: NDArray[np.int64]
    tables: NDArray[np.int64]
    tie_break: int
    candidates_only: bool
    n_direct: int
    steps: NDArray[np.int64]
    least_step: int
    bound: int
    is_strict: bool
    needs_all: bool
    candidates_first: bool
    n_responses: int


def make_word_game(game: Game, scoring: Scoring, rule: Rule) -> WordGame | None:
    """Return a game and a strategy in rank space; None if the responses are of another kind."""
    if scoring.rule != FeedbackKind.POSITION:
        return None
    codes = rule.sequence[::-1].copy() if rule.tie_break == TieBreak.HIGHEST else rule.sequence
    letters = np.ascontiguousarray(scoring.codes[codes])
    parts, first_parts, places = list_parts(letters, game.n_colors)
    if len(places) * game.n_secrets * lane_bytes(game.n_pegs) > MAX_ROW_BYTES:
        return None
    bound, is_strict = find_bound(rule)
    has_sum = bound in (Bound.TABLE_SUM, Bound.PARTS)
    steps = np.diff(rule.tables[0], append=0) if has_sum else np.zeros(1, dtype=np.int64)
    needs_all = rule.tie_break in (TieBreak.RANDOM, TieBreak.HIGHEST_CONSISTENT)
    prefers_consistent = CriterionKind.CONSISTENT in rule.kinds
    return WordGame(
        letters,
        codes,
        parts,
        first_parts,
        places,
        rule.kinds,
        rule.tables,
        rule.tie_break,
        rule.candidates_only,
        rule.n_direct,
        steps,
        least_step=int(steps[:-1].min()) if has_sum else 0,
        bound=bound,
        is_strict=is_strict,
        needs_all=needs_all,
        candidates_first=rule.candidates_only or (prefers_consistent and not needs_all),
        n_responses=game.n_responses,
    )


def lane_bytes(n_pegs: int) -> int:
    """Return how many bytes a response takes."""
    return 1 if n_pegs <= BYTE_PEGS else 2


def list_parts(
    letters: NDArray[np.unsignedinteger], n_colors: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint16]]:
    """Return the parts of each word, the first part of each letter, and the places of each part.

    Examples
    --------
    >>> parts, first_parts, places = list_parts(np.array([[0, 1, 1], [1, 0, 1]], dtype=np.uint8), 2)
    >>> parts.tolist(), first_parts.tolist(), places.tolist()
    ([[4, 1, 0], [3, 2, 0]], [1, 3, 5], [0, 1, 2, 5, 6])
    """
    n_codes, n_pegs = letters.shape
    keys = np.zeros((n_codes, n_pegs), dtype=np.int64)
    for peg in range(n_pegs):
        is_first = np.ones(n_codes, dtype=np.bool_)
        mask = np.zeros(n_codes, dtype=np.int64)
        for other in range(n_pegs):
            is_same = letters[:, other] == letters[:, peg]
            mask += is_same.astype(np.int64) << other
            if other < peg:
                is_first &= ~is_same
        # A letter's number is raised by 1, so that 0 remains for no part.
        letter = letters[:, peg].astype(np.int64) + 1
        keys[:, peg] = np.where(is_first, (letter << n_pegs) + mask, 0)
    keys = -np.sort(-keys, axis=1) if n_pegs > 1 else keys
    known, parts = np.unique(np.append(keys, 0), return_inverse=True)
    colors = np.arange(1, n_colors + 2)
    first_parts = np.searchsorted(known, colors << n_pegs)
    return (
        parts[:-1].reshape(n_codes, n_pegs).astype(np.int32),
        first_parts.astype(np.int64),
        (known & ((1 << n_pegs) - 1)).astype(np.uint16),
    )
