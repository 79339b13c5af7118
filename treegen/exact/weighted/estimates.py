"""Which guesses are worth a try: information by cost, in whole numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit, njit_part

FRACTION_BITS = 16
"""Logarithms are multiples of 2 ** -16: the same on every machine."""


@njit
def estimate_guesses(
    answers: NDArray[np.int16],
    weights: NDArray[np.int64],
    n_cells: int,
    items: NDArray[np.int32],
    gains: NDArray[np.int64],
) -> None:
    """Write what each guess tells of a state: weight times bits.

    Parameters
    ----------
    answers : int16[n_guesses, n]
        Each item's answer to each guess; -1 where the guess wins.
    weights : int64[n]
        Of the items; their sum is below 2 ** 41.
    n_cells : int
        Answers are below it.
    items : int32[m]
        The state.
    gains : int64[n_guesses]
        Written in place, in multiples of 2 ** -16.
    """
    sums = np.zeros(n_cells + 1, dtype=np.int64)
    whole = 0
    for item in items:
        whole += int(weights[item])
    for guess in range(len(answers)):
        for item in items:
            sums[answers[guess, item]] += weights[item]
        gain = whole * log2_of(whole)
        for item in items:
            answer = answers[guess, item]
            gain -= sums[answer] * log2_of(int(sums[answer]))
            sums[answer] = 0
        gains[guess] = gain


@njit_part
def log2_of(number: int) -> int:
    """Return the binary logarithm of a number in multiples of 2 ** -16; 0 for 0.

    The number is squared again and again: each time that it passes 2, the next bit is 1.
    """
    if number < 2:
        return 0
    whole = 0
    while number >> (whole + 1):
        whole += 1
    # The number as a fraction from 1 to 2, with 30 bits behind the point.
    scaled = number << (30 - whole) if whole <= 30 else number >> (whole - 30)
    bits = whole
    for _ in range(FRACTION_BITS):
        scaled = (scaled * scaled) >> 30
        bits <<= 1
        if scaled >> 31:
            scaled >>= 1
            bits += 1
    return bits
