"""The best guess of one state of a word game, counting the cells of one guess after the other.

Guesses are tried by rank, consistent ones first if that is a criterion, as in `search`. In a state
of few candidates they are counted one by one, until the first criterion can no longer be good
enough; in a state of many the count alone is quicker than to look in between.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from .criteria import Bound
from .game import BYTE_PEGS, WORD_BYTES, WordGame
from .guesses import States, find_direct, finish_search, forget_best, keep_better
from .workspace import WordArena

FEW = 320
"""With at most this many candidates, most guesses are given up before all are counted."""

GLANCE = 8
"""Candidates counted between two looks at the bound."""


@njit
def choose_words(
    game: WordGame,
    arena: WordArena,
    states: States,
    chosen: NDArray[np.int64],
    guesses: NDArray[np.int32],
) -> None:
    """Write the best guesses of the chosen states of a level into `guesses`, as code indices.

    The arena is large enough for the largest state.
    """
    for state in chosen:
        if arena.stop[0]:
            return
        candidates = states.candidates[states.starts[state] : states.starts[state + 1]]
        rank = find_direct(game, candidates)
        if rank < 0:
            search_state(game, arena, candidates)
            rank = finish_search(game, arena, candidates, states.keys[state])
        guesses[state] = game.codes[rank]


@njit_part
def search_state(game: WordGame, arena: WordArena, candidates: NDArray[np.int32]) -> None:
    """Try the eligible guesses of a state; the best becomes the incumbent."""
    start_state(game, arena, candidates)
    n = len(candidates)
    n_first = n if game.candidates_first else 0
    n_rest = 0 if game.candidates_only else len(game.codes)
    n_words = count_words(game, n)
    for k in range(n_first + n_rest):
        if arena.incumbent.is_final[0] or arena.stop[0]:
            return
        guess = int(candidates[k]) if k < n_first else k - n_first
        if k >= n_first and n_first > 0 and arena.marks[guess]:
            continue
        write_word_answers(game, arena, guess, n_words)
        try_guess(game, arena, guess, n)


@njit_part(inline=True)
def start_state(game: WordGame, arena: WordArena, candidates: NDArray[np.int32]) -> None:
    """Lay out a state in scratch memory and forget the best guess of the state before."""
    fill_rows(game, arena, candidates)
    for rank in candidates:
        arena.marks[rank] = 1
    forget_best(arena.incumbent)
    arena.sizes[:] = 0


@njit_part(inline=True)
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


@njit_part(inline=True)
def count_few(game: WordGame, arena: WordArena, guess: int, n: int) -> int:
    """Count candidates by response until the guess is ruled out.

    Returns how many were counted then, -1 if the guess is not ruled out.
    """
    answers, sizes, steps = arena.answer_lanes, arena.sizes, game.steps
    kind = game.bound if arena.incumbent.guess[0] >= 0 else 0
    limit = arena.incumbent.limit[0]
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


@njit_part(inline=True)
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


@njit_part(inline=True)
def is_ruled_out(game: WordGame, arena: WordArena, guess: int) -> bool:
    """Return whether the first criterion rules out the guess whose cells are counted."""
    if arena.incumbent.guess[0] < 0 or game.bound == Bound.NONE:
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
    return bool(value > arena.incumbent.limit[0])


@njit_part
def consider_word(game: WordGame, arena: WordArena, guess: int, n: int) -> None:
    """Keep a guess whose cells are counted if it is the best."""
    largest = np.int64(0)
    for size in arena.sizes:
        largest = max(largest, size)
    if largest < n:
        keep_better(game, arena, arena.sizes, guess, int(largest))


# Responses of a state's candidates to a guess: rows of the guess's parts, summed up.
#
# A row has one lane for each candidate, and lanes are summed eight (or four) at once as numbers of
# 64 bits: no sum of parts exceeds the lane.


@njit_part(inline=True)
def count_words(game: WordGame, n: int) -> int:
    """Return the number of 64-bit words that hold the lanes of `n` candidates."""
    per_word = WORD_BYTES if game.letters.shape[1] <= BYTE_PEGS else WORD_BYTES // 2
    return (n + per_word - 1) // per_word


@njit_part
def fill_rows(game: WordGame, arena: WordArena, candidates: NDArray[np.int32]) -> None:
    """Write the marks that every part gets from every candidate."""
    n_pegs, n_words = game.letters.shape[1], count_words(game, len(candidates))
    arena.rows[: len(game.places) * n_words] = 0
    n_lanes = n_words * (len(arena.answer_lanes) // len(arena.answers))
    for lane in range(len(candidates)):
        secret = game.letters[candidates[lane]]
        for peg in range(n_pegs):
            letter = secret[peg]
            has_before, n_there = False, 0
            for other in range(n_pegs):
                if secret[other] == letter:
                    has_before = has_before or other < peg
                    n_there += 1
            if has_before:
                continue
            for part in range(game.first_parts[letter], game.first_parts[letter + 1]):
                marks = mark_part(secret, letter, n_there, int(game.places[part]))
                arena.lanes[part * n_lanes + lane] = marks


@njit_part(inline=True)
def mark_part(secret: NDArray[np.unsignedinteger], letter: int, n_there: int, places: int) -> int:
    """Return the marks of a letter that a guess has at some places, and a secret `n_there` times.

    Where the secret has it too it is green; elsewhere yellow, from the left, while any are left.
    """
    left, marks = n_there, 0
    for peg in range(len(secret)):
        if (places >> peg) & 1 and secret[peg] == letter:
            left -= 1
    for peg in range(len(secret)):
        marks *= 3
        if (places >> peg) & 1:
            if secret[peg] == letter:
                marks += 2
            elif left > 0:
                left -= 1
                marks += 1
    return marks


@njit_part(inline=True)
def write_word_answers(game: WordGame, arena: WordArena, guess: int, n_words: int) -> None:
    """Write the responses to a guess: the sum of its parts' rows."""
    rows, answers = arena.rows, arena.answers
    first = game.parts[guess, 0] * n_words
    second = game.parts[guess, 1] * n_words if game.parts.shape[1] > 1 else 0
    for word in range(n_words):
        answers[word] = rows[first + word] + rows[second + word]
    for at in range(2, game.parts.shape[1]):
        part = game.parts[guess, at]
        if part == 0:
            break
        for word in range(n_words):
            answers[word] += rows[part * n_words + word]
