"""Responses of a state's candidates to a guess: rows of the guess's parts, summed up.

A row has one lane for each candidate, and lanes are summed eight (or four) at once as numbers of 64
bits: no sum of parts exceeds the lane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part, njit_inline
from .word_game import BYTE_PEGS, WORD_BYTES, WordGame, lane_bytes
from .workspace import Incumbent


class WordArena(NamedTuple):
    """Scratch memory for states of some size; nothing in it outlives a state.

    Attributes
    ----------
    rows : uint64[n_parts * n_words]
        The marks of each part, its candidates' lanes together.
    lanes : uint8[n] or uint16[n]
        The same memory, a number for each lane.
    answers, answer_lanes
        The responses to the current guess, in the same two ways.
    sizes : int64[n_responses]
        Candidates in each cell of the current guess.
    tallies : uint32[4 * n_responses]
        The same, counted in four parts.
    marks : uint8[n_codes]
        1 at the ranks of the candidates.
    values : int64[n]
        The criteria's values of the current guess.
    best : Incumbent
        The best guess so far.
    tied : int32[n_codes]
        Guesses as good as the best, where the tie-break needs all of them.
    stop : int64[1]
        Not 0 if another thread wants the search to end, whatever it has found.
    """

    rows: NDArray[np.uint64]
    lanes: NDArray[np.unsignedinteger]
    answers: NDArray[np.uint64]
    answer_lanes: NDArray[np.unsignedinteger]
    sizes: NDArray[np.int64]
    tallies: NDArray[np.uint32]
    marks: NDArray[np.uint8]
    values: NDArray[np.int64]
    best: Incumbent
    tied: NDArray[np.int32]
    stop: NDArray[np.int64]


def make_word_arena(game: WordGame, n_most: int) -> WordArena:
    """Return memory for states of up to `n_most` candidates."""
    n_codes, n_pegs = game.letters.shape
    n_bytes = lane_bytes(n_pegs)
    kind = np.uint8 if n_bytes == 1 else np.uint16
    n_words = -(-n_most * n_bytes // WORD_BYTES)
    rows = np.zeros(len(game.places) * n_words, dtype=np.uint64)
    answers = np.zeros(n_words, dtype=np.uint64)
    width = len(game.kinds) + game.n_responses
    single = np.zeros((4, 1), dtype=np.int64)
    return WordArena(
        rows,
        rows.view(kind),
        answers,
        answers.view(kind),
        np.zeros(game.n_responses, dtype=np.int64),
        np.zeros(4 * game.n_responses, dtype=np.uint32),
        np.zeros(n_codes, dtype=np.uint8),
        np.zeros(width, dtype=np.int64),
        Incumbent(single[0], single[1], single[2], single[3], np.zeros(width, dtype=np.int64)),
        np.empty(n_codes if game.needs_all else 0, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


@njit_inline
def count_words(game: WordGame, n: int) -> int:
    """Return how many numbers of 64 bits hold the lanes of `n` candidates."""
    per_word = WORD_BYTES if game.letters.shape[1] <= BYTE_PEGS else WORD_BYTES // 2
    return (n + per_word - 1) // per_word


@njit_bare_part
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


@njit_inline
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


@njit_inline
def write_answers(game: WordGame, arena: WordArena, guess: int, n_words: int) -> None:
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
