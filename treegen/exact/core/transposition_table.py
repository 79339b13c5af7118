"""What was proved of sets of candidates: a table of bounded size with 128-bit keys."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare

LOW, HIGH, KNOWN_BOUND, KNOWN_GUESS, N_ENTRY_FIELDS = range(5)
"""Fields of an entry: the key, the bound of the cost, the guess that attains it (or -1).

The two halves of the key are kept combined with the bound and the guess, so that an entry which
two threads wrote at once fits no key [Hyatt & Mann 2002].
"""

MAX_LOG_ENTRIES = 20
"""The table has at most ``2 ** MAX_LOG_ENTRIES`` entries, of 32 bytes."""


class Memory(NamedTuple):
    """The table.

    Attributes
    ----------
    weights : int64[n_candidates, 2]
        Random numbers; a set's key is those of its members, combined by exclusive or, with the
        number of guesses left mixed in.
    entries : int64[n_entries, N_ENTRY_FIELDS]
        Each key has one place; the last to come stays. Threads may share it.
    key : int64[2]
        The key last made.
    known : int64[2]
        Bound and guess of the entry last looked at.

    Notes
    -----
    Two different sets share a key of 128 bits with a probability of about 2 ** -128 for each
    pair, so of less than 10 ** -20 in a search of 10 ** 9 states.
    """

    weights: NDArray[np.int64]
    entries: NDArray[np.int64]
    key: NDArray[np.int64]
    known: NDArray[np.int64]


def make_memory(n_candidates: int) -> Memory:
    """Return an empty table for a game's size."""
    weights = np.random.Generator(np.random.Philox(key=20)).integers(
        -(2**63), 2**63 - 1, (n_candidates, 2), dtype=np.int64
    )
    entries = np.zeros((count_entries(n_candidates), N_ENTRY_FIELDS), dtype=np.int64)
    return Memory(weights, entries, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))


def count_entries(n_candidates: int) -> int:
    """Return the number of entries of the table for a game's size."""
    log_entries = min(MAX_LOG_ENTRIES, max(8, (n_candidates**2).bit_length() - 4))
    return 1 << log_entries


def share_memory(memory: Memory) -> Memory:
    """Return the same table for one more thread."""
    return memory._replace(key=np.zeros(2, dtype=np.int64), known=np.zeros(2, dtype=np.int64))


@njit_bare
def find_entry(memory: Memory, members: NDArray[np.int32], left: int) -> bool:
    """Write the key of a set of candidates, and what is known of it; False if nothing is."""
    weights, entries, key, known = memory.weights, memory.entries, memory.key, memory.known
    low = left
    high = left
    for i in range(len(members)):
        low ^= weights[members[i], 0]
        high ^= weights[members[i], 1]
    key[0] = low
    key[1] = high
    place = high & (entries.shape[0] - 1)
    bound, guess = entries[place, KNOWN_BOUND], entries[place, KNOWN_GUESS]
    known[0] = bound
    known[1] = guess
    is_low = entries[place, LOW] == low ^ bound
    return bool(is_low and entries[place, HIGH] == high ^ guess)


@njit_bare
def write_entry(memory: Memory, bound: int, guess: int) -> None:
    """Keep what was proved of the set whose key was made last."""
    entries, low, high = memory.entries, memory.key[0], memory.key[1]
    place = high & (entries.shape[0] - 1)
    entries[place, LOW] = low ^ bound
    entries[place, HIGH] = high ^ guess
    entries[place, KNOWN_BOUND] = bound
    entries[place, KNOWN_GUESS] = guess
