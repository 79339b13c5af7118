"""What was proved about sets of candidates: a table of bounded size with 128-bit keys."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare

_LOW, _HIGH, _BOUND, _GUESS, _N_FIELDS = range(5)
"""Fields of an entry: the key, the bound of the cost, the guess that attains it (or -1).

They are constants, not columns: an entry is one row of 32 bytes, so a look-up waits for one line of
memory. The two halves of the key are kept combined with the bound and the guess, so that an
entry which two threads wrote at once fits no key [Hyatt & Mann 2002].
"""

MAX_LOG_ENTRIES = 20
"""The table has at most ``2 ** MAX_LOG_ENTRIES`` entries, of 32 bytes."""


class TranspositionTable(NamedTuple):
    """The table, keyed by sets of candidates: whatever guesses led to a set, it costs the same.

    Attributes
    ----------
    weights : int64[n_candidates, 2]
        Random numbers; a set's key is those of its members, combined by exclusive or, with the
        number of guesses left mixed in [Zobrist 1970].
    entries : int64[n_entries, 4]
        Each key has one place; the last one written stays. Threads may share it.
    key : int64[2]
        The key last made.

    Notes
    -----
    Two different sets share a key of 128 bits with a probability of about 2 ** -128 for each
    pair, so of less than 10 ** -20 in a search of 10 ** 9 states.
    """

    weights: NDArray[np.int64]
    entries: NDArray[np.int64]
    key: NDArray[np.int64]


def make_table(n_candidates: int) -> TranspositionTable:
    """Return an empty table for a game's size."""
    weights = np.random.Generator(np.random.Philox(key=20)).integers(
        -(2**63), 2**63 - 1, (n_candidates, 2), dtype=np.int64
    )
    entries = np.zeros((count_entries(n_candidates), _N_FIELDS), dtype=np.int64)
    return TranspositionTable(weights, entries, np.zeros(2, dtype=np.int64))


def count_entries(n_candidates: int) -> int:
    """Return the number of entries of the table for a game's size; a power of two."""
    log_entries = min(MAX_LOG_ENTRIES, max(8, (n_candidates**2).bit_length() - 4))
    return 1 << log_entries


def describe_table(n_candidates: int) -> dict[str, int]:
    """Return the sizes of the table for a game's size."""
    n_entries = count_entries(n_candidates)
    return {"entries": n_entries, "bytes": n_entries * _N_FIELDS * 8, "key_bits": 128}


def share_table(table: TranspositionTable) -> TranspositionTable:
    """Return the same table for one more thread."""
    return table._replace(key=np.zeros(2, dtype=np.int64))


@njit_bare
def find_entry(
    table: TranspositionTable, members: NDArray[np.int32], left: int
) -> tuple[bool, int, int]:
    """Return whether a set of candidates is known, its bound and its guess; write its key."""
    weights, entries, key = table.weights, table.entries, table.key
    low = left
    high = left
    for i in range(len(members)):
        low ^= weights[members[i], 0]
        high ^= weights[members[i], 1]
    key[0] = low
    key[1] = high
    place = high & (entries.shape[0] - 1)
    bound, guess = entries[place, _BOUND], entries[place, _GUESS]
    is_known = entries[place, _LOW] == low ^ bound and entries[place, _HIGH] == high ^ guess
    return is_known, bound, guess


@njit_bare
def write_entry(table: TranspositionTable, bound: int, guess: int) -> None:
    """Store what was proved about the set whose key was computed last."""
    entries, low, high = table.entries, table.key[0], table.key[1]
    place = high & (entries.shape[0] - 1)
    entries[place, _LOW] = low ^ bound
    entries[place, _HIGH] = high ^ guess
    entries[place, _BOUND] = bound
    entries[place, _GUESS] = guess
