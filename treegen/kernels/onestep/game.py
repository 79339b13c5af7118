"""A game in the fast kernels' form: codes by rank, their colors as digits, packed responses.

The kernels work in *rank space*: the tie-break prefers code ``r`` to all codes after it, so the
first of equal guesses always wins. Digits are the code's colors in the order in which ranks are
lexicographic (pegs reversed where the first varies fastest, colors counted from the last where the
highest wins), which is the same game under other names.

A *packed* response is ``weight * black + (black + white)``; it is a sum over the pegs of a guess,
and fits a byte.
"""

from __future__ import annotations

from itertools import permutations
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.rules import Rules
from ..responses import FeedbackKind, Scoring
from ..rule_kinds import CriterionKind, TieBreak
from .criteria import Bound, Rule, find_bound, make_lines

MAX_PERMUTED_PEGS = 7
"""Longer codes have too many permutations of pegs to be worth trying."""

PLAIN, REPEATED, DISTINCT = range(3)
"""Families of codes: any list; all codes; all codes without repetition."""


class RankedGame(NamedTuple):
    """A game and a strategy in rank space; the last columns are those of `Rule`."""

    digits: NDArray[np.uint8]  # [n_codes, n_pegs]: the code of each rank
    # [n_codes, n_pegs]: on how many earlier pegs each peg's color occurs.
    repeats: NDArray[np.uint8]
    codes: NDArray[np.int32]  # [n_codes]: index of the code of each rank
    # [n_permutations, n_pegs]: permutations of pegs that keep the responses, the identity first.
    permutations: NDArray[np.uint8]
    # [2, n_responses - 1]: the packed responses that do not win, and their responses.
    packing: NDArray[np.int64]
    kinds: NDArray[np.int64]
    tables: NDArray[np.int64]
    # [3, n]: for each cell size the first criterion's value, and slope and start of a line that is
    # nowhere above the values and touches them there; all 0 if it is not a sum.
    lines: NDArray[np.int64]
    n_colors: int
    weight: int  # of a black peg in a packed response
    has_white: bool  # whether the feedback has white pegs
    has_symmetry: bool  # whether pegs and colors may be exchanged
    is_distinct: bool  # whether the codes are all those without repetition, with that symmetry
    bound: int  # kind of the first criterion's bound, see `Bound`
    # Whether, guesses being tried in order, a later one must be better in the first criterion.
    is_strict: bool
    tie_break: int
    needs_all: bool  # whether the tie-break needs all tied guesses
    candidates_only: bool
    candidates_first: bool  # whether candidates are tried before other codes
    n_direct: int


def fits_ranked_game(rules: Rules, scoring: Scoring) -> bool:
    """Return whether a game's responses are sums over pegs that fit a byte."""
    if scoring.rule not in (FeedbackKind.PEGS, FeedbackKind.BLACK) or rules.n_colors > 256:
        return False
    return _pack(rules.n_pegs, rules.n_pegs, scoring) < 255


def make_ranked_game(
    rules: Rules, scoring: Scoring, rule: Rule, *, symmetry: bool = True
) -> RankedGame:
    """Return a game and a strategy in rank space; `symmetry` affects only the time."""
    codes = rule.sequence[::-1].copy() if rule.tie_break == TieBreak.HIGHEST else rule.sequence
    digits = np.ascontiguousarray(_turn_digits(rules.codes[codes], rules.n_colors))
    needs_all = rule.tie_break in (TieBreak.RANDOM, TieBreak.HIGHEST_CONSISTENT)
    prefers_consistent = CriterionKind.CONSISTENT in rule.kinds
    family = _find_family(rules, digits) if symmetry and not needs_all else PLAIN
    bound, is_strict = find_bound(rule)
    return RankedGame(
        digits,
        _count_repeats(digits),
        codes,
        _list_permutations(rules.n_pegs if family != PLAIN else 1),
        _list_packed(rules, scoring),
        rule.kinds,
        rule.tables,
        make_lines(rule.tables[0])
        if bound in (Bound.TABLE_SUM, Bound.PARTS)
        else np.zeros((3, 2), dtype=np.int64),
        n_colors=rules.n_colors,
        weight=_pack(1, 0, scoring),
        has_white=scoring.rule != FeedbackKind.BLACK,
        has_symmetry=family != PLAIN,
        is_distinct=family == DISTINCT,
        bound=bound,
        is_strict=is_strict,
        tie_break=rule.tie_break,
        needs_all=needs_all,
        candidates_only=rule.candidates_only,
        candidates_first=rule.candidates_only or (prefers_consistent and not needs_all),
        n_direct=rule.n_direct,
    )


def _count_repeats(digits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return on how many earlier pegs each peg's color occurs."""
    repeats = np.zeros_like(digits)
    for peg in range(digits.shape[1]):
        for other in range(peg):
            repeats[:, peg] += digits[:, other] == digits[:, peg]
    return repeats


def _list_packed(rules: Rules, scoring: Scoring) -> NDArray[np.int64]:
    """Return the packed responses that do not win, with their responses."""
    pairs = {}
    for black in range(rules.n_pegs):
        for common in range(black, rules.n_pegs + 1):
            has_white = scoring.rule != FeedbackKind.BLACK
            response = scoring.response_of[black, common] if has_white else black
            pairs[_pack(black, common, scoring)] = int(response)
    if scoring.rule != FeedbackKind.BLACK:
        del pairs[_pack(rules.n_pegs - 1, rules.n_pegs, scoring)]
    return np.array(list(pairs.items()), dtype=np.int64).T.copy()


def _pack(black: int, common: int, scoring: Scoring) -> int:
    """Return a packed response.

    With P pegs black and white together are at most P, so a black peg that counts P + 1 more
    separates the two. The maximum is P² + 2P: it fits a byte up to 14 pegs, and 255 remains for
    lanes without a candidate.
    """
    if scoring.rule == FeedbackKind.BLACK:
        return black
    return (int(scoring.codes.shape[1]) + 1) * black + common


def _turn_digits(codes: NDArray[np.unsignedinteger], n_colors: int) -> NDArray[np.uint8]:
    """Return codes with pegs or colors reversed so that they ascend, if one of these does it."""
    digits = codes.astype(np.uint8)
    if n_colors ** digits.shape[1] >= 2**62:
        return digits
    weights = n_colors ** np.arange(digits.shape[1] - 1, -1, -1, dtype=np.int64)
    for turned in (digits, digits[:, ::-1]):
        for candidate in (turned, n_colors - 1 - turned):
            if np.all(np.diff(candidate @ weights) > 0):
                return candidate
    return digits


def _find_family(rules: Rules, digits: NDArray[np.uint8]) -> int:
    """Return the family of the codes; `PLAIN` if pegs or colors may not be exchanged."""
    if not (rules.symmetry.pegs and rules.symmetry.colors) or rules.n_secrets != rules.n_codes:
        return PLAIN
    first, last = digits[0], digits[-1]
    if rules.n_codes == rules.n_colors**rules.n_pegs:
        is_ascending = not first.any() and bool(np.all(last == rules.n_colors - 1))
        return REPEATED if is_ascending else PLAIN
    if rules.n_codes == perm(rules.n_colors, rules.n_pegs):
        is_ascending = bool(np.all(first == np.arange(rules.n_pegs)))
        return DISTINCT if is_ascending else PLAIN
    return PLAIN


def _list_permutations(n_pegs: int) -> NDArray[np.uint8]:
    """Return all permutations of few pegs, in lexicographic order; for many, the identity."""
    if n_pegs > MAX_PERMUTED_PEGS:
        return np.arange(n_pegs, dtype=np.uint8)[None, :]
    return np.array(list(permutations(range(n_pegs))), dtype=np.uint8)


# A word game in the fast kernels' form: a response as a sum over the letters of the guess.
#
# The marks that a letter gets, wherever it stands in the guess, depend on nothing but the letter,
# its places in the guess and the secret. So a *part* is a letter with its places: *speed* has the
# parts s at 1, p at 2, e at 3 and 4, d at 5. Read as a number to base 3, the response is the sum of
# the parts' marks, each with zeros at the other places. Many guesses share few parts: 12,972 words
# of five letters have fewer than 400.
#
# As in `ranked_game`, the tie-break prefers rank ``r`` to all ranks after it.


BYTE_PEGS = 5
"""The responses to longer words do not fit a byte."""

MAX_ROW_BYTES = 2**28
"""A game of more parts and candidates is left to the plain kernels."""

WORD_BYTES = 8
"""Rows are summed as vectors of numbers of this many bytes."""


class WordGame(NamedTuple):
    """A game of position feedback and a strategy, in rank space; see `RankedGame` and `Rule`."""

    letters: NDArray[np.unsignedinteger]  # [n_codes, n_pegs]: the code of each rank
    codes: NDArray[np.int32]  # [n_codes]: index of the code of each rank
    # [n_codes, n_pegs]: the parts of each rank, then zeros: part 0 has no marks.
    parts: NDArray[np.int32]
    # [n_colors + 1]: the first part of each letter; its parts stand together.
    first_parts: NDArray[np.int64]
    places: NDArray[np.uint16]  # [n_parts]: the places of each part: bit p for peg p
    kinds: NDArray[np.int64]
    tables: NDArray[np.int64]
    tie_break: int
    candidates_only: bool
    n_direct: int
    # [n_secrets + 1]: what one candidate more adds to the first criterion of a cell of each size,
    # if that is a sum.
    steps: NDArray[np.int64]
    least_step: int  # the least of these
    bound: int
    is_strict: bool
    needs_all: bool
    candidates_first: bool
    n_responses: int


def make_word_game(rules: Rules, scoring: Scoring, rule: Rule) -> WordGame | None:
    """Return a game and a strategy in rank space; None if the responses are of another kind."""
    if scoring.rule != FeedbackKind.POSITION:
        return None
    codes = rule.sequence[::-1].copy() if rule.tie_break == TieBreak.HIGHEST else rule.sequence
    letters = np.ascontiguousarray(scoring.codes[codes])
    parts, first_parts, places = list_parts(letters, rules.n_colors)
    if len(places) * rules.n_secrets * lane_bytes(rules.n_pegs) > MAX_ROW_BYTES:
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
        n_responses=rules.n_responses,
    )


def lane_bytes(n_pegs: int) -> int:
    """Return the number of bytes of a response."""
    return 1 if n_pegs <= BYTE_PEGS else 2


def list_parts(
    letters: NDArray[np.unsignedinteger], n_colors: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint16]]:
    """Return the parts of each word, the first part of each letter, and the places of each part.

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
