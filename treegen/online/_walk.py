"""Kernels that walk randomly toward consistent codes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import njit, njit_part
from ..kernels import mix


class Answers(NamedTuple):
    """What codes are compared with.

    Attributes
    ----------
    guesses : int32[n_answers, n_pegs]
        The guesses.
    blacks, totals : int64[n_answers]
        Their answers: black, black and white.
    uses : int32[n_answers, n_colors]
        How often each color occurs in each guess.
    """

    guesses: NDArray[np.int32]
    blacks: NDArray[np.int64]
    totals: NDArray[np.int64]
    uses: NDArray[np.int32]


class Walker(NamedTuple):
    """A code on its walk, and how far it is from each answer.

    Attributes
    ----------
    code : int32[n_pegs]
        The code.
    counts : int32[n_colors]
        How often each color occurs in it.
    black_gaps, total_gaps : int64[n_answers]
        Black (black and white) pegs that the guess would get, less those that it got.
    """

    code: NDArray[np.int32]
    counts: NDArray[np.int32]
    black_gaps: NDArray[np.int64]
    total_gaps: NDArray[np.int64]


@njit
def put_color(walker: Walker, answers: Answers, peg: int, color: int) -> None:
    """Put a color on a peg and update gaps and counts."""
    old = walker.code[peg]
    if old == color:
        return
    for row in range(len(answers.blacks)):
        guessed = answers.guesses[row, peg]
        if guessed == old:
            walker.black_gaps[row] -= 1
        elif guessed == color:
            walker.black_gaps[row] += 1
        if walker.counts[old] <= answers.uses[row, old]:
            walker.total_gaps[row] -= 1
        if walker.counts[color] < answers.uses[row, color]:
            walker.total_gaps[row] += 1
    walker.counts[old] -= 1
    walker.counts[color] += 1
    walker.code[peg] = color


@njit_part
def measure_gap(walker: Walker) -> int:
    """Return the sum of all gaps: 0 for a consistent code."""
    gap = 0
    for row in range(len(walker.black_gaps)):
        gap += abs(walker.black_gaps[row]) + abs(walker.total_gaps[row])
    return gap


@njit
def start_walk(walker: Walker, answers: Answers) -> None:
    """Measure the walker's code against all answers; gaps and counts in place."""
    walker.counts[:] = 0
    for color in walker.code:
        walker.counts[color] += 1
    for row in range(len(answers.blacks)):
        black, total = 0, 0
        for peg in range(len(walker.code)):
            black += walker.code[peg] == answers.guesses[row, peg]
        for color in range(len(walker.counts)):
            total += min(walker.counts[color], answers.uses[row, color])
        walker.black_gaps[row] = black - answers.blacks[row]
        walker.total_gaps[row] = total - answers.totals[row]


@njit
def walk(
    walker: Walker,
    answers: Answers,
    allowed: NDArray[np.bool_],
    colors: NDArray[np.int32],
    key: np.uint64,
    n_steps: int,
    found: NDArray[np.int32],
) -> int:
    """Walk at random, rarely uphill, and keep the consistent codes.

    Parameters
    ----------
    walker : Walker
        Started; moved in place.
    answers : Answers
        What codes are compared with.
    allowed : bool[n_colors, n_pegs]
        Only moves to these pairs are made.
    colors : int32[n]
        Colors that a peg may change to.
    key : uint64
        Of the random numbers.
    n_steps : int
        Moves to try.
    found : int32[n_found, n_pegs]
        Written in place; codes may come more than once.

    Returns
    -------
    int
        Rows of `found` that were written.
    """
    n_pegs, n_found = len(walker.code), 0
    gap = measure_gap(walker)
    # One more gap is accepted 1 time in 6, two 1 in 36, and so on.
    chances = np.array([2**16, 10923, 1820, 303, 51, 8, 1], dtype=np.int64)
    for step in range(n_steps):
        bits = np.int64(mix(key, step) >> np.uint64(1))
        peg, other = int(bits % n_pegs), int((bits >> 12) % n_pegs)
        old, change = int(walker.code[peg]), int(walker.code[other])
        is_swap = (bits >> 24) % 2 == 0
        if not is_swap:
            change = int(colors[(bits >> 25) % len(colors)])
        if change == old or not allowed[change, peg] or (is_swap and not allowed[old, other]):
            continue
        put_color(walker, answers, peg, change)
        if is_swap:
            put_color(walker, answers, other, old)
        new_gap = measure_gap(walker)
        worse = min(6, max(0, new_gap - gap))
        if (bits >> 46) % 2**16 >= chances[worse]:
            if is_swap:
                put_color(walker, answers, other, change)
            put_color(walker, answers, peg, old)
            continue
        gap = new_gap
        if gap == 0 and n_found < len(found):
            found[n_found] = walker.code
            n_found += 1
    return n_found


@njit
def rate_guess(
    guess: NDArray[np.int32],
    pool: NDArray[np.int32],
    worth: NDArray[np.int64],
    cells: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> int:
    """Return the sum of `worth` over the cells into which a guess divides a pool: less is better.

    Parameters
    ----------
    guess : int32[n_pegs]
        Colors of the guess.
    pool : int32[n, n_pegs]
        Codes.
    worth : int64[n + 1]
        Of a cell, by its size.
    cells : int64[(n_pegs + 1) ** 2]
        Scratch.
    counts : int64[n_colors]
        Scratch, zero before and after.
    """
    n_pegs = len(guess)
    cells[:] = 0
    for row in range(len(pool)):
        black, total = 0, 0
        for peg in range(n_pegs):
            counts[guess[peg]] += 1
        for peg in range(n_pegs):
            color = pool[row, peg]
            black += guess[peg] == color
            if counts[color] > 0:
                counts[color] -= 1
                total += 1
        for peg in range(n_pegs):
            counts[guess[peg]] = 0
        cells[black * (n_pegs + 1) + total] += 1
    value = 0
    for size in cells:
        value += worth[size]
    return value
