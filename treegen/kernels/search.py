"""The best guess of one state, without looking at every cell of every guess.

Guesses are tried by rank, the consistent ones first where that is a criterion, so that a later
guess only wins by a better value. The cells of a guess are counted one after the other, those
that were large for the guesses before it first, until the first criterion can no longer be as
good as it must.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_bare, njit_bare_part, njit_inline
from .answers import fill_columns, find_survivor
from .board import (
    BOUND,
    CANDIDATES_FIRST,
    CANDIDATES_ONLY,
    FAMILY,
    N_COLORS,
    N_DIRECT,
    NEEDS_ALL,
    PLAIN,
    TIE_BREAK,
    Board,
)
from .choose import HIGHEST, HIGHEST_CONSISTENT, RANDOM, mix
from .consider import consider_guess
from .heads import find_good, find_limits, start_heads
from .lanes import LANES
from .orbits import N_MAPS, NUMBERS, find_maps, keep_first, list_guesses, start_orbits
from .space import (
    BEST,
    CELLS,
    CHUNK,
    CHUNK_PAIRS,
    COLORS,
    FOUND,
    GUESS,
    IS_DONE,
    KIND,
    LIMIT,
    MOST,
    N_LEFT,
    N_TIED,
    SIZES,
    Space,
    pad_lanes,
)
from .tails import ANSWERS, FEWEST, IS_MADE, MANY, Tails

PAIRS_PER_MAP = 500
"""Pairs of guess and candidate that pay for a look at one permutation of the pegs."""

FEW = 256
"""Up to so many candidates, all are tried; of more, the first of each orbit."""


class States(NamedTuple):
    """The states of a level in rank space.

    Attributes
    ----------
    candidates : int32[n_candidates]
        Ranks of the candidates, ascending in each state.
    starts : int64[n_states + 1]
        Where each state's candidates begin.
    history : int32[n_states, n_guesses]
        Ranks of the guesses that led to each state.
    keys : uint64[n_states]
        Of the random tie-break.
    """

    candidates: NDArray[np.int32]
    starts: NDArray[np.int64]
    history: NDArray[np.int32]
    keys: NDArray[np.uint64]


@njit_bare
def choose_states(
    board: Board,
    space: Space,
    states: States,
    chosen: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the best guesses of some states of a level.

    Parameters
    ----------
    space : Space
        Scratch memory, large enough for the largest state.
    chosen : int64[n]
        The states to do.
    guesses : int32[n_states]
        Written in place at `chosen`: code indices.
    """
    options = board.options
    for state in chosen:
        if space.stop[0]:
            return
        candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
        rank = find_direct(options, len(board.kinds), candidates)
        if rank < 0:
            start_search(board, space, candidates)
            has_classes, is_few = False, has_few(space.tails, len(candidates))
            if options[FAMILY] != PLAIN:
                history = states.history[state]
                has_classes = start_orbits(board.digits, options, candidates, history, space.orbits)
                n_pairs = len(candidates) * len(board.codes)
                if not is_few and n_pairs > PAIRS_PER_MAP * len(board.permutations):
                    find_maps(board.digits, board.permutations, history, space.orbits, space.maps)
            try_eligible(board, space, candidates, has_classes, is_few)
            if is_few:
                try_heads(board, space, space.tails, candidates)
            rank = finish_search(options, space, candidates, states.keys[state])
        guesses[state] = board.codes[rank]


@njit_inline
def find_direct(options: NDArray[np.int64], n_kinds: int, candidates: NDArray[np.int32]) -> int:
    """Return the rank of the guess of a state that needs no search, ``NULL`` of others."""
    n = len(candidates)
    if n <= options[N_DIRECT]:
        return int(candidates[n - 1] if options[TIE_BREAK] == HIGHEST else candidates[0])
    if options[NEEDS_ALL] or not options[CANDIDATES_FIRST]:
        return -1
    if n == 2 or (options[CANDIDATES_ONLY] and n_kinds == 0):
        return int(candidates[0])
    return -1


@njit_inline
def start_search(board: Board, space: Space, candidates: NDArray[np.int32]) -> None:
    """Lay out a state in scratch memory and forget the best guess of the state before."""
    fill_columns(board, candidates, space.work)
    for rank in candidates:
        space.marks[rank] = 1
    for i in range(space.notes.shape[1]):
        space.notes[BEST, i] = MOST
    space.notes[FOUND, GUESS] = -1
    space.notes[FOUND, LIMIT] = MOST
    space.notes[FOUND, N_TIED] = 0
    space.notes[FOUND, IS_DONE] = 0
    space.notes[FOUND, N_LEFT] = len(candidates)
    space.notes[FOUND, KIND] = board.options[BOUND]
    space.notes[FOUND, CELLS] = board.packing.shape[1]
    space.notes[FOUND, COLORS] = board.options[N_COLORS]


@njit_bare_part
def try_eligible(
    board: Board, space: Space, candidates: NDArray[np.int32], has_classes: bool, is_few: bool
) -> None:
    """Try the guesses of a state, the candidates first where that is the rule.

    Of a state of few candidates, only these.
    """
    options, orbits, n = board.options, space.orbits, len(candidates)
    n_first = n if options[CANDIDATES_FIRST] else 0
    n_tried = 0
    n_most = min(CHUNK, max(1, CHUNK_PAIRS // n))
    while not space.notes[FOUND, IS_DONE] and not space.stop[0]:
        is_first = n_tried < n_first
        if is_first:
            count = min(n_most, n - n_tried)
            for i in range(count):
                space.guesses[i] = candidates[n_tried + i]
        elif options[CANDIDATES_ONLY] or is_few:
            return
        elif not has_classes:
            count = min(n_most, n_first + len(board.codes) - n_tried)
            for i in range(count):
                space.guesses[i] = n_tried - n_first + i
        else:
            listed = space.guesses[:n_most]
            count = list_guesses(options, orbits, listed, board.digits.shape[1])
        if count == 0:
            return
        n_tried += count
        guesses = space.guesses[:count]
        if orbits[NUMBERS, N_MAPS] > 0 or (is_first and n > FEW and has_classes):
            guesses = guesses[: keep_first(board.digits, orbits, space.maps, guesses)]
        if n_first > 0 and not is_first:
            guesses = guesses[: drop_marked(space.marks, guesses)]
        try_guesses(board, space, guesses, n)


@njit_bare_part
def try_heads(
    board: Board, space: Space, tails: Tails | None, candidates: NDArray[np.int32]
) -> None:
    """Try all guesses of a state of few candidates; the best of all is noted."""
    if tails is None:  # then numba leaves out all that follows
        return
    notes, n = space.notes, len(candidates)
    start = (2 * notes[FOUND, COLORS] + 1) * board.digits.shape[1] * LANES
    answers = space.work[start : start + LANES]
    start_heads(board, space, tails, candidates)
    while not notes[FOUND, IS_DONE]:
        rank = find_good(board.options, space.orbits, tails, n)
        if rank < 0:
            return
        for i in range(LANES):
            answers[i] = tails.work[tails.state[ANSWERS] + i * LANES] if i < n else 255
        notes[SIZES, notes[FOUND, CELLS]] = space.marks[rank]
        consider_guess(board, space, answers, rank, n)
        if notes[FOUND, GUESS] == rank:
            find_limits(board.lines, notes, tails, n)


@njit_inline
def has_few(tails: Tails | None, n: int) -> bool:
    """Return whether a state's guesses are tried by head and tail."""
    if tails is None:
        return False
    return bool(tails.shapes[0, IS_MADE] and FEWEST <= n <= MANY)


@njit_inline
def drop_marked(marks: NDArray[np.uint8], guesses: NDArray[np.int32]) -> int:
    """Move the guesses that are no candidates to the front; return how many."""
    count = 0
    for guess in guesses:
        if not marks[guess]:
            guesses[count] = guess
            count += 1
    return count


@njit_bare_part
def try_guesses(board: Board, space: Space, guesses: NDArray[np.int32], n: int) -> None:
    """Try guesses by rank; the best of all is noted.

    Parameters
    ----------
    guesses : int32[m]
        Ranks, ascending.
    n : int
        Number of candidates.
    """
    digits, repeats, lines = board.digits, board.repeats, board.lines
    work, marks, notes = space.work, space.marks, space.notes
    n_lanes = pad_lanes(n)
    start = (2 * notes[FOUND, COLORS] + 1) * digits.shape[1] * n_lanes
    answers = work[start : start + n_lanes]
    index = int(np.int64(0))
    while not notes[FOUND, IS_DONE]:
        index = find_survivor(digits, repeats, work, marks, notes, lines, guesses, index)
        if index == len(guesses):
            return
        guess = int(np.int64(guesses[index]))
        notes[SIZES, notes[FOUND, CELLS]] = marks[guess]
        consider_guess(board, space, answers, guess, n)
        index += 1


@njit_inline
def finish_search(
    options: NDArray[np.int64], space: Space, candidates: NDArray[np.int32], key: np.uint64
) -> int:
    """Return the rank of the best guess, the tie-break having its say, and clear the marks."""
    rank = space.notes[FOUND, GUESS]
    n_tied = space.notes[FOUND, N_TIED]
    if options[TIE_BREAK] == RANDOM:
        rank = np.int64(space.tied[np.int64(mix(key, 0) % np.uint64(n_tied))])
    elif options[TIE_BREAK] == HIGHEST_CONSISTENT:
        rank = np.int64(space.tied[0])
        for i in range(n_tied):
            if space.marks[space.tied[i]]:
                rank = np.int64(space.tied[i])
    for candidate in candidates:
        space.marks[candidate] = 0
    return int(rank)
