"""What was proved about states: sets of candidates with their legal guesses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part
from .board import Board, Table

_LOW, _HIGH, _BOUND, _GUESS, _N_FIELDS = range(5)
"""Fields of an entry: the key, the least cost proved, the guess to try first (or -1).

The key is kept combined with both, so that an entry which two threads wrote at once fits no key.
"""

N_ENTRIES = 1 << 20
"""Entries of a large search, of 32 bytes."""


def make_table(n_candidates: int) -> Table:
    """Return an empty table for a number of candidates."""
    n_entries = min(N_ENTRIES, 1 << max(8, (n_candidates**2).bit_length() - 2))
    return Table(np.zeros((n_entries, _N_FIELDS), dtype=np.int64))


@njit_bare_part
def hash_state(
    board: Board, members: NDArray[np.int32], legal: NDArray[np.int32], left: int
) -> tuple[int, int]:
    """Return the key of a state: the random numbers of its codes, by exclusive or [Zobrist 1970].

    Two states share a key of 128 bits with a probability of about 2 ** -128.
    """
    low, high = left, 0
    for i in range(len(members)):
        code = board.code_of[members[i]]
        low ^= board.keys[code, 0, 0]
        high ^= board.keys[code, 0, 1]
    for code in legal:
        low ^= board.keys[code, 1, 0]
        high ^= board.keys[code, 1, 1]
    return low, high


@njit_bare_part
def find_entry(table: Table, low: int, high: int) -> tuple[int, int]:
    """Return what was proved of a state, 0 if nothing, and the guess to try first, or -1."""
    entry = table.entries[high & (table.entries.shape[0] - 1)]
    bound, guess = entry[_BOUND], entry[_GUESS]
    seal = _make_seal(bound, guess)
    if entry[_LOW] == low ^ seal and entry[_HIGH] == high ^ seal:
        return bound, guess
    return 0, -1


@njit_bare_part
def write_entry(table: Table, low: int, high: int, bound: int, guess: int) -> None:
    """Store the least cost that was proved of a state."""
    entry = table.entries[high & (table.entries.shape[0] - 1)]
    seal = _make_seal(bound, guess)
    entry[_LOW], entry[_HIGH] = low ^ seal, high ^ seal
    entry[_BOUND], entry[_GUESS] = bound, guess


@njit_bare_part
def _make_seal(bound: int, guess: int) -> int:
    """Return what the key is combined with: another for each pair that occurs."""
    return bound ^ (guess + 1) << 40
