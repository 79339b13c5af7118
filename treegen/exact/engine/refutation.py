"""Guesses that counting does not refute: what is left to show of the cost of candidates.

A guess costs at least the sum over its cells of what their sizes prove, and of what is proved by
looking one guess ahead in them. Both take the most cells that any guess has on the *whole* set for
the guesses below a cell: weaker than the bounds of the search itself, but stated in a sentence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit, njit_part
from ...kernels.onestep.eligible import filter_codes
from ...kernels.rule_kinds import EligibleKind
from . import INFINITE, Int32s, Int64s, UInt8s, UInt64s, UInts
from .cost import CostModel, fill_levels, has_list, spend_guess
from .play_rule import PlayRule
from .responses import ResponseMatrix

MAX_IN_SET = 64
"""The most responses that are counted as the bits of an integer."""

WORD = 64
"""Bits of a word, in which the sets of several guesses lie side by side: kernels that took arrays
of each width would be compiled for each."""


@by_reference
class Refuter(NamedTuple):
    """Responses in the forms that counting needs, and scratch.

    The winning cell is counted nowhere. `members`, `starts`, `sizes` and `bounds` are written for
    the guess at hand.
    """

    by_guess: UInts  # [n_codes, n_candidates]
    code_of: Int32s  # [n_candidates]: the code of each candidate
    sets: UInt64s  # [n_candidates, n_words]: each as a set of one; no rows: too many responses
    width: int  # bits of a set: 16, 32 or 64
    order: Int32s  # [n_codes]: guesses; with many responses those with most cells on all first
    cells_of_all: Int64s  # [n_codes]: cells of each guess on all candidates
    by_candidate: UInts  # [n_candidates, n_codes]: responses in this order; no rows: few responses
    win: int  # the winning response
    union: UInt64s  # [n_words], scratch: the responses of some candidates, then how many they are
    union_bytes: UInt8s  # [8 * n_words]: the same memory
    n_cells: Int64s  # [n_codes]: cells on the candidates at hand: see `count_all`
    seen: Int64s  # [n_responses + 1], scratch: when a response was seen; at the end, the time
    members: Int32s  # [n_candidates]: the candidates by their response
    starts: Int64s  # [n_responses]: where each cell begins there
    sizes: Int64s  # [n_responses]: its candidates
    bounds: Int64s  # [n_responses]: the least that it costs


def make_refuter(matrix: ResponseMatrix) -> Refuter:
    """Return the refuter of guesses in a game."""
    by_guess, win = matrix.by_guess, matrix.n_responses - 1
    n_codes, n_candidates = by_guess.shape
    width = next((width for width in (16, 32) if win < width), WORD)
    n_words = -(-n_codes * width // WORD)
    sets = np.zeros((n_candidates if win < MAX_IN_SET else 0, n_words), dtype=np.uint64)
    if len(sets):
        for field in range(WORD // width):
            responses = by_guess[field :: WORD // width].T.astype(np.uint64)
            bits = np.where(responses == win, 0, np.uint64(1) << (responses + field * width))
            sets[:, : responses.shape[1]] |= bits
    union = np.zeros(n_words, dtype=np.uint64)
    refuter = Refuter(
        by_guess,
        matrix.code_of,
        sets,
        width,
        np.arange(n_codes, dtype=np.int32),
        np.zeros(n_codes, dtype=np.int64),
        np.zeros((0, n_codes), dtype=by_guess.dtype),
        win,
        union,
        union.view(np.uint8),
        np.zeros(n_codes, dtype=np.int64),
        np.zeros(win + 2, dtype=np.int64),
        np.zeros(n_candidates, dtype=np.int32),
        *(np.zeros(win + 1, dtype=np.int64) for _ in range(3)),
    )
    if len(sets) == 0:
        count_all(refuter, np.arange(n_candidates, dtype=np.int32), refuter.cells_of_all)
        order = np.argsort(-refuter.cells_of_all, kind="stable").astype(np.int32)
        refuter = refuter._replace(order=order, by_candidate=by_guess[order].T.copy())
    return refuter


@njit_part(inline=True)
def _count_guess(refuter: Refuter, responses: UInts, members: Int32s, least: int) -> int:
    """Return a guess's cells but the winning one, by its responses; up to `least`, any number."""
    seen, n = refuter.seen, len(members)
    now = seen[len(seen) - 1] + 1
    seen[len(seen) - 1] = now
    seen[refuter.win] = now
    found = 0
    for i in range(n):
        if found + n - i <= least:
            break
        response = responses[members[i]]
        found += seen[response] != now
        seen[response] = now
    return found


@njit
def count_all(refuter: Refuter, members: Int32s, n_cells: Int64s) -> int:
    """Write the cells of all guesses, the winning one not counted; return the most of any."""
    most = 0
    if refuter.sets.shape[0] == 0:
        for guess in range(len(n_cells)):
            n_cells[guess] = _count_guess(refuter, refuter.by_guess[guess], members, 0)
            most = max(most, n_cells[guess])
        return most
    _count_sets(refuter, members)
    n_fields = WORD // refuter.width
    for guess in range(len(n_cells)):
        place = (guess % n_fields + 1) * refuter.width - 8
        n_cells[guess] = (refuter.union[guess // n_fields] >> np.uint64(place)) & np.uint64(0xFF)
        most = max(most, n_cells[guess])
    return most


@njit
def count_listed(refuter: Refuter, members: Int32s, codes: Int32s, n_cells: Int64s) -> int:
    """Write the cells of some guesses, the winning one not counted; return the most of any."""
    most = 0
    for guess in codes:
        n_cells[guess] = _count_guess(refuter, refuter.by_guess[guess], members, 0)
        most = max(most, n_cells[guess])
    return most


@njit_part(inline=True)
def _count_sets(refuter: Refuter, members: Int32s) -> None:
    """Write the cells of all guesses into the highest byte of each field of `union`."""
    union, is_wide, is_widest = refuter.union, refuter.width > 16, refuter.width > 32
    union[:] = 0
    for i in range(len(members)):
        row = refuter.sets[members[i]]
        for word in range(len(union)):
            union[word] |= row[word]
    pairs = np.uint64(0x3333333333333333)
    for word in range(len(union)):  # bits are added up in ever wider fields
        x = union[word]
        x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
        x = (x & pairs) + ((x >> np.uint64(2)) & pairs)
        x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        x += x << np.uint64(8)
        highest = np.uint64(0xFF00FF00FF00FF00)
        if is_wide:
            x += x << np.uint64(16)
            highest = np.uint64(0xFF000000FF000000)
        if is_widest:
            x += x << np.uint64(32)
            highest = np.uint64(0xFF00000000000000)
        union[word] = x & highest


@njit_part(inline=True)
def _count_most(refuter: Refuter, members: Int32s, most: int) -> int:
    """Return the most cells of any guess, the winning one not counted; it is at least `most`."""
    n = len(members)
    if refuter.sets.shape[0] > 0:
        _count_sets(refuter, members)
        found = np.uint8(most)
        for count in refuter.union_bytes:
            found = max(found, count)
        return int(found)
    for i in range(len(refuter.order)):
        # No guess has more cells on a part of the candidates than on all of them.
        if most >= min(n, refuter.cells_of_all[refuter.order[i]]):
            break
        # Its responses lie beside the last guess's, so the processor has just read them.
        most = max(most, _count_guess(refuter, refuter.by_candidate[:, i], members, most))
    return most


@njit_part(inline=True)
def _look_ahead(
    refuter: Refuter,
    model: CostModel,
    rule: PlayRule,
    path: tuple[int, int],
    members: Int32s,
    legal: Int32s,
    below: int,
    left: int,
    known: int,
) -> int:
    """Return the larger of `known` and the bound of a cell that a guess ahead proves.

    Below it no guess has more than `below` cells. `path`: the guess and the response that lead to
    the cell; `legal`: what the rule of play allowed before.
    """
    scale, last = model.scale, model.last
    n, left, own = len(members), spend_guess(left), 0
    for i in range(n):
        # A candidate's number is its code only where all may be candidates.
        own = max(
            own, _count_guess(refuter, refuter.by_guess[refuter.code_of[members[i]]], members, own)
        )
    bound = n * scale + fill_levels(n - 1, own, below, left, scale, last)
    if bound <= known or model.eligible == EligibleKind.CANDIDATES:
        return max(known, min(bound, INFINITE))
    # To count all guesses takes long, and is not needed where the most cells make no difference.
    if n * scale + fill_levels(n, below, below, left, scale, last) < bound:
        if has_list(model):
            n_kept = filter_codes(
                rule.scoring, rule.eligible, path[0], path[1], legal, rule.kept, rule.hints
            )
            most = _count_most_listed(refuter, members, rule.kept[:n_kept], own)
        else:
            most = _count_most(refuter, members, own)
        bound = min(bound, n * scale + fill_levels(n, most, below, left, scale, last))
    return max(known, min(bound, INFINITE))


@njit_part(inline=True)
def _count_most_listed(refuter: Refuter, members: Int32s, codes: Int32s, most: int) -> int:
    """Return the result of `_count_most` for some guesses."""
    for guess in codes:
        if most >= len(members):
            break
        most = max(most, _count_guess(refuter, refuter.by_guess[guess], members, most))
    return most


@njit_part(inline=True)
def _sum_bounds(refuter: Refuter, own: int) -> int:
    """Return the bound of a guess that itself costs `own`."""
    total = own
    for response in range(refuter.win):
        total = min(total + refuter.bounds[response], INFINITE)
    return total


@njit_part(inline=True)
def _scatter(refuter: Refuter, guess: int, members: Int32s) -> None:
    """Write the members by their response to a guess; the sizes of the cells are known."""
    start = 0
    for response in range(refuter.win + 1):
        refuter.starts[response] = start
        start += refuter.sizes[response]
    for i in range(len(members)):
        response = refuter.by_guess[guess, members[i]]
        refuter.members[refuter.starts[response]] = members[i]
        refuter.starts[response] += 1
    for response in range(refuter.win + 1):
        refuter.starts[response] -= refuter.sizes[response]


@njit
def find_open_guess(
    refuter: Refuter,
    model: CostModel,
    rule: PlayRule,
    members: Int32s,
    legal: Int32s,
    guesses: Int32s,
    at: int,
    by_size: Int64s,
    below: int,
    wanted: int,
    left: int,
    n_units: int,
) -> tuple[int, int, bool]:
    """Go on to the next guess that does not show a cost; write its cells and their bounds.

    Return its place among the guesses, what it shows, and whether there is one: it also returns
    after about `n_units` responses have been looked at. `legal` is what a rule of play that depends
    on answers allows. `by_size`, int64[n_candidates + 1], has the least that a cell of each size
    costs; `below` is the most cells of any guess on the candidates, the winning one not counted;
    `left`, the guesses left in the cells.
    """
    n, n_codes = len(members), len(refuter.order)
    work, scale, last = 0, model.scale, model.last
    sizes, bounds, by_guess = refuter.sizes, refuter.bounds, refuter.by_guess
    while at < len(guesses) and work < n_units:
        guess = guesses[at]
        work += 1
        # However the candidates are spread over its cells, they cost at least this; the guess
        # may be one of the candidates.
        least = fill_levels(n - 1, refuter.n_cells[guess], below, left, scale, last)
        if n * scale + least >= wanted:
            at += 1
            continue
        work += n
        sizes[:] = 0
        for i in range(n):
            sizes[by_guess[guess, members[i]]] += 1
        if sizes[by_guess[guess, members[0]]] == n:
            at += 1
            continue
        for response in range(refuter.win):
            bounds[response] = by_size[sizes[response]]
        own = n * scale + (last if left == 0 and sizes[refuter.win] > 0 else 0)
        if _sum_bounds(refuter, own) >= wanted:
            at += 1
            continue
        _scatter(refuter, guess, members)
        total = _sum_bounds(refuter, own)
        # A cell of `below` + 2 candidates gains most, and others the less the farther they are.
        farthest = 0
        for response in range(refuter.win):
            farthest = max(farthest, abs(sizes[response] - below - 2))
        for distance in range(farthest + 1):
            for response in range(refuter.win):
                size = sizes[response]
                if size < 3 or abs(size - below - 2) != distance or total >= wanted:
                    continue
                start = refuter.starts[response]
                cell = refuter.members[start : start + size]
                path = guess, response
                bounds[response] = _look_ahead(
                    refuter, model, rule, path, cell, legal, below, left, bounds[response]
                )
                total = _sum_bounds(refuter, own)
                work += size * n_codes
            if total >= wanted:
                break
        if total < wanted:
            return at, total, True
        at += 1
    return at, 0, False
