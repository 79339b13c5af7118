"""The best guess of one state of a word game, counting the cells of one guess after the other.

Guesses are tried by rank, consistent ones first if that is a criterion, as in `search`. In a state
of few candidates they are counted one by one, until the first criterion can no longer be good
enough; in a state of many the count alone is quicker than to look in between.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare, njit_bare_part, njit_inline
from ..._rule_kinds import TieBreak
from ..random_keys import mix
from .bounds import Bound
from .criteria import compare, evaluate_partition
from .incumbent import is_unbeatable
from .search import States, find_direct
from .word_game import WordGame
from .word_rows import WordArena, count_words, fill_rows, write_answers
from .workspace import MOST

FEW = 320
"""Up to so many candidates, most guesses are given up before all are counted."""

GLANCE = 8
"""Candidates counted between two looks at the bound."""


@njit_bare
def choose_words(
    game: WordGame,
    arena: WordArena,
    states: States,
    chosen: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the best guesses of some states of a level.

    Parameters
    ----------
    arena : WordArena
        Scratch memory, large enough for the largest state.
    chosen : int64[n]
        The states to process.
    guesses : int32[n_states]
        Written in place at `chosen`: code indices.
    """
    for state in chosen:
        if arena.stop[0]:
            return
        candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
        rank = find_direct(game, candidates)
        if rank < 0:
            search_state(game, arena, candidates)
            rank = finish_state(game, arena, candidates, states.keys[state])
        guesses[state] = game.codes[rank]


@njit_bare_part
def search_state(game: WordGame, arena: WordArena, candidates: NDArray[np.int32]) -> None:
    """Try the eligible guesses of a state; the best becomes the incumbent."""
    start_state(game, arena, candidates)
    n = len(candidates)
    n_first = n if game.candidates_first else 0
    n_rest = 0 if game.candidates_only else len(game.codes)
    n_words = count_words(game, n)
    for k in range(n_first + n_rest):
        if arena.best.is_final[0] or arena.stop[0]:
            return
        guess = int(candidates[k]) if k < n_first else k - n_first
        if k >= n_first and n_first > 0 and arena.marks[guess]:
            continue
        write_answers(game, arena, guess, n_words)
        try_guess(game, arena, guess, n)


@njit_inline
def start_state(game: WordGame, arena: WordArena, candidates: NDArray[np.int32]) -> None:
    """Lay out a state in scratch memory and forget the best guess of the state before."""
    fill_rows(game, arena, candidates)
    for rank in candidates:
        arena.marks[rank] = 1
    best = arena.best
    best.values[:] = MOST
    best.guess[0], best.limit[0] = -1, MOST
    best.n_tied[0] = best.is_final[0] = 0
    arena.sizes[:] = 0


@njit_inline
def try_guess(game: WordGame, arena: WordArena, guess: int, n: int) -> None:
    """Count the cells of a guess whose responses are written; keep it if it is the best."""
    answers, sizes = arena.answer_lanes, arena.sizes
    if n > FEW:
        count_many(arena, n)
        if not is_ruled_out(game, arena, guess):
            consider_word(game, arena, guess, n)
        sizes[:] = 0
        return
    n_done = count_few(game, arena, guess, n)
    if n_done < 0:
        consider_word(game, arena, guess, n)
        n_done = n
    for lane in range(n_done):
        sizes[answers[lane]] = 0


@njit_inline
def count_few(game: WordGame, arena: WordArena, guess: int, n: int) -> int:
    """Count candidates by response until the guess is ruled out.

    Returns how many were counted then, -1 if the guess is not ruled out.
    """
    answers, sizes, steps = arena.answer_lanes, arena.sizes, game.steps
    kind = game.bound if arena.best.guess[0] >= 0 else 0
    limit = arena.best.limit[0]
    if kind == Bound.REMOVAL_CELL:
        limit += np.int64(arena.marks[guess])
    is_sum = kind > Bound.REMOVAL_CELL
    value = game.tables[0, 0] * len(sizes) if is_sum else np.int64(0)
    lane = 0
    while lane < n:
        end = min(n, lane + GLANCE)
        while lane < end:
            size = sizes[answers[lane]]
            sizes[answers[lane]] = size + 1
            if is_sum:
                value += steps[size]
            else:
                value = max(value, size + 1)
            lane += 1
        if kind != Bound.NONE and value + game.least_step * (n - lane) > limit:
            return lane
    return -1


@njit_inline
def count_many(arena: WordArena, n: int) -> None:
    """Count candidates by response, in four tallies so that no count waits for the one before."""
    answers, tallies, sizes = arena.answer_lanes, arena.tallies, arena.sizes
    width = len(sizes)
    tallies[:] = 0
    for lane in range(0, n - 3, 4):
        tallies[np.int64(answers[lane])] += np.uint32(1)
        tallies[width + np.int64(answers[lane + 1])] += np.uint32(1)
        tallies[2 * width + np.int64(answers[lane + 2])] += np.uint32(1)
        tallies[3 * width + np.int64(answers[lane + 3])] += np.uint32(1)
    for lane in range(n - n % 4, n):
        tallies[np.int64(answers[lane])] += np.uint32(1)
    for cell in range(width):
        sizes[cell] = (
            np.int64(tallies[cell])
            + np.int64(tallies[width + cell])
            + np.int64(tallies[2 * width + cell])
            + np.int64(tallies[3 * width + cell])
        )


@njit_inline
def is_ruled_out(game: WordGame, arena: WordArena, guess: int) -> bool:
    """Return whether the first criterion rules out the guess whose cells are counted."""
    if arena.best.guess[0] < 0 or game.bound == Bound.NONE:
        return False
    value = np.int64(0)
    if game.bound > Bound.REMOVAL_CELL:
        for size in arena.sizes:
            value += game.tables[0, size]
    else:
        for size in arena.sizes:
            value = max(value, size)
        if game.bound == Bound.REMOVAL_CELL:
            value -= np.int64(arena.marks[guess])
    return bool(value > arena.best.limit[0])


@njit_bare_part
def consider_word(game: WordGame, arena: WordArena, guess: int, n: int) -> None:
    """Compare a guess with the best by all criteria; keep it if it is better."""
    best, sizes, values = arena.best, arena.sizes, arena.values
    largest = np.int64(0)
    for size in sizes:
        largest = max(largest, size)
    if largest == n:
        return
    length = evaluate_partition(game.kinds, game.tables, sizes, values)
    order = compare(values, best.values, length)
    if order < 0 or best.guess[0] < 0:
        for i in range(length):
            best.values[i] = values[i]
        best.guess[0] = guess
        best.limit[0] = values[0] - game.is_strict
        best.n_tied[0] = 0
        best.is_final[0] = is_unbeatable(game, int(largest), bool(sizes[-1] > 0))
    if order <= 0 and game.needs_all:
        arena.tied[best.n_tied[0]] = guess
        best.n_tied[0] += 1


@njit_inline
def finish_state(
    game: WordGame, arena: WordArena, candidates: NDArray[np.int32], key: np.uint64
) -> int:
    """Apply the tie-break, clear the marks, and return the rank of the best guess."""
    rank = arena.best.guess[0]
    n_tied = arena.best.n_tied[0]
    if game.tie_break == TieBreak.RANDOM and n_tied > 0:
        rank = np.int64(arena.tied[np.int64(mix(key, 0) % np.uint64(n_tied))])
    elif game.tie_break == TieBreak.HIGHEST_CONSISTENT and n_tied > 0:
        rank = np.int64(arena.tied[0])
        for i in range(n_tied):
            if arena.marks[arena.tied[i]]:
                rank = np.int64(arena.tied[i])
    for candidate in candidates:
        arena.marks[candidate] = 0
    return int(max(rank, 0))
