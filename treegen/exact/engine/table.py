"""What was proved about states: a table of bounded size, keyed by canonical sets of candidates.

At the end stand the entries that are worth a file, the way back into a table, and the record of a
table in the folder of `--resume`: what was proved below guesses that were not tried to their end.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ...errors import StrategyError
from ...jit.compiler import by_reference, njit, njit_part
from ...jit.memory import read_available_bytes
from ...tasks.checkpoint import Checkpoint
from ...tasks.work import PROCESS
from . import Int32s, Int64s, UInt64s
from .canonical_state import Canonizer, share_canonizer, write_key

_LOW, _HIGH, _BOUND, _EVIDENCE, _N_FIELDS = range(5)
"""Fields of an entry: the key, the bound of the cost, its `Evidence` and the number of candidates.

They are constants, not columns: an entry is one row of 32 bytes, so a look-up waits for one line of
memory. Both halves of the key are kept combined with bound and evidence, so that an entry which two
threads wrote at once fits no key [Hyatt & Mann 2002], not even that of a state which both proved
something about: the bound of one and the evidence of the other would be a wrong proof.
"""

_SIZE = 2
"""Where the number of candidates stands in the key."""

_N_BITS = np.uint64(2)
_EVIDENCE_MASK = np.uint64(3)
"""The low bits of the last field are the evidence, the others the number of candidates."""

N_PLACES = 2

Entries = UInt64s

ENTRY_BYTES = _N_FIELDS * 8

ENTRIES_PER_MIB = 2**20 // ENTRY_BYTES

MAX_DEFAULT_MIB = 256
"""Larger tables are made on request only."""


class Evidence(IntEnum):
    """What is known of the bound of an entry."""

    BOUND = 0
    """No tree costs less."""
    COST = 1
    """Nor does the best one cost more."""
    CUT_SHORT = 2
    """A lookahead ended early with it: a full one may prove more, or that it is the cost."""


@by_reference
class TranspositionTable(NamedTuple):
    """The table: whatever guesses led to a set of candidates, it costs the same.

    Each key has two places, one beside the other: the first keeps the largest state that was
    written to either, since that took the most work; in the second the last one written stays. Two
    different sets share a key of 128 bits with a probability of about 2 ** -128 for each pair, so
    of less than 10 ** -20 in a search of 10 ** 9 states.
    """

    canonizer: Canonizer  # makes the keys; a thread has its own
    entries: Entries  # uint64[n_entries, 4]; threads may share it
    key: UInt64s  # [3]: the key last made, and the number of candidates of that state
    # [n_codes, 2]: random numbers for keys by a rule of play [Zobrist 1970]; length 0 without one.
    guess_keys: UInt64s


def make_table(
    canonizer: Canonizer, size: int | None = None, n_keyed: int = 0
) -> TranspositionTable:
    """Return an empty table of `size` MiB at most; None: by the number of candidates.

    Pages never written take no memory. By a rule of play `n_keyed` is the number of codes.
    StrategyError: that memory is not free.
    """
    n_entries = count_entries(len(canonizer.colors), size)
    entries = np.zeros((n_entries, _N_FIELDS), dtype=np.uint64)
    random = np.random.Generator(np.random.Philox(key=canonizer.seeds))
    keys = random.integers(0, 2**64 - 1, (n_keyed, 2), dtype=np.uint64, endpoint=True)
    return TranspositionTable(canonizer, entries, np.zeros(3, dtype=np.uint64), keys)


def count_entries(n_candidates: int, size: int | None = None) -> int:
    """Return the number of entries of the table for a game's size; a power of two."""
    if size is None:
        wanted = 1 << max(8, (n_candidates**2).bit_length() - 4)
        return min(wanted, MAX_DEFAULT_MIB * ENTRIES_PER_MIB)
    allowed = read_available_bytes() >> 20
    if not 1 <= size <= allowed:
        raise StrategyError(
            f"the table of proofs cannot have {size:,} MiB: 1 to {allowed:,} are possible here"
        )
    return 1 << (size * ENTRIES_PER_MIB).bit_length() - 1


def describe_table(n_candidates: int, size: int | None = None) -> dict[str, int]:
    """Return the sizes of the table for a game's size."""
    n_entries = count_entries(n_candidates, size)
    return {"entries": n_entries, "bytes": n_entries * ENTRY_BYTES, "key_bits": 128}


def share_table(table: TranspositionTable) -> TranspositionTable:
    """Return the same table for one more thread."""
    canonizer = share_canonizer(table.canonizer)
    return table._replace(canonizer=canonizer, key=np.zeros(3, dtype=np.uint64))


def list_sizes(entries: Entries) -> Int64s:
    """Return the numbers of candidates of entries; 0: nothing was written there."""
    sizes: Int64s = (entries[:, _EVIDENCE] >> _N_BITS).astype(np.int64)
    return sizes


@njit
def find_entry(
    table: TranspositionTable, members: Int32s, left: int, legal: Int32s | None = None
) -> tuple[bool, int, int]:
    """Return whether a state is known, its bound, and the `Evidence` of that; write its key.

    By a rule of play the same candidates may cost more where less is legal, so the legal guesses
    belong to the key.
    """
    entries, key = table.entries, table.key
    write_key(table.canonizer, members, left, key)
    if legal is not None:
        for i in range(len(legal)):
            key[0] ^= table.guess_keys[legal[i], 0]
            key[1] ^= table.guess_keys[legal[i], 1]
    key[_SIZE] = len(members)
    first = find_place(table)
    for place in range(first, first + N_PLACES):
        # Each field is read once: another thread may write between two readings.
        bound, packed = entries[place, _BOUND], entries[place, _EVIDENCE]
        seal = _make_seal(bound, packed)
        if entries[place, _LOW] == key[0] ^ seal and entries[place, _HIGH] == key[1] ^ seal:
            return True, int(np.int64(bound)), int(np.int64(packed & _EVIDENCE_MASK))
    return False, 0, 0


@njit
def write_entry(table: TranspositionTable, bound: int, evidence: int) -> None:
    """Store what was proved about the state whose key was made last."""
    entries, key = table.entries, table.key
    place = find_place(table)
    if not _fits(entries[place], key):
        if _fits(entries[place + 1], key) or key[_SIZE] < entries[place, _EVIDENCE] >> _N_BITS:
            place += 1
        else:
            # The largest state so far takes the first place; what stood there moves on.
            for field in range(_N_FIELDS):
                entries[place + 1, field] = entries[place, field]
    packed = key[_SIZE] << _N_BITS | np.uint64(evidence)
    seal = _make_seal(np.uint64(bound), packed)
    entries[place, _LOW] = key[0] ^ seal
    entries[place, _HIGH] = key[1] ^ seal
    entries[place, _BOUND] = np.uint64(bound)
    entries[place, _EVIDENCE] = packed


@njit
def record_proof(
    table: TranspositionTable,
    members: Int32s,
    left: int,
    bound: int,
    is_exact: bool,
    legal: Int32s | None = None,
) -> None:
    """Store what a search has proved of a state: its cost, or that no tree costs less."""
    is_known, known, _ = find_entry(table, members, left, legal)
    # An upper bound that was tightened on the way may prove less than the table knows.
    if not is_known or known < bound or is_exact:
        write_entry(table, bound, Evidence.COST.value if is_exact else Evidence.BOUND.value)


@njit
def find_place(table: TranspositionTable) -> int:
    """Return the first of the two places of the key that was made last."""
    return int(np.int64(table.key[1] & np.uint64(table.entries.shape[0] - N_PLACES)))


@njit_part(inline=True)
def _fits(entry: UInt64s, key: UInt64s) -> bool:
    """Whether an entry is that of a key."""
    seal = _make_seal(entry[_BOUND], entry[_EVIDENCE])
    return bool(entry[_LOW] == key[0] ^ seal and entry[_HIGH] == key[1] ^ seal)


@njit_part(inline=True)
def _make_seal(bound: np.uint64, packed: np.uint64) -> np.uint64:
    """Return the seal of a key: different for each pair of bound and evidence."""
    return bound << np.uint64(2) | packed & _EVIDENCE_MASK


CHUNK = 1 << 20
"""Entries that are looked at in one go: a table of many GiB is not copied."""


def list_largest(entries: Entries, n_most: int) -> Entries:
    """Return the entries of the largest states of a table, `n_most` at most, the smallest first.

    These states took the most work to prove. Of states of one size all are kept, or none. Others
    may write meanwhile: an entry that was half written fits no state.
    """
    counts = np.zeros(1, dtype=np.int64)
    for chunk in _cut(entries):
        found = np.bincount(list_sizes(chunk))
        longer, shorter = (found, counts) if len(found) > len(counts) else (counts, found)
        counts = longer.astype(np.int64)
        counts[: len(shorter)] += shorter
    counts[0] = 0  # places never written
    n_as_large = counts[::-1].cumsum()[::-1]
    least = max(1, int(np.count_nonzero(n_as_large > n_most)))
    kept = [chunk[list_sizes(chunk) >= least] for chunk in _cut(entries)]
    rows = np.concatenate(kept)
    result: Entries = rows[np.argsort(list_sizes(rows), kind="stable")]
    return result


def put_entries(entries: Entries, rows: Entries) -> None:
    """Write what `list_largest` returned to an empty table of any size.

    Of the states that share a place the largest one stays, and the next beside it, as where the
    search writes them.
    """
    # Half of a key says where it stands, see `find_place`.
    keys = rows[:, _HIGH] ^ (rows[:, _BOUND] << _N_BITS | rows[:, _EVIDENCE] & _EVIDENCE_MASK)
    places = (keys & np.uint64(len(entries) - N_PLACES)).astype(np.int64)
    # Where an index is repeated numpy keeps the last value: that of the largest state.
    last = np.full(len(entries) // N_PLACES, -1, dtype=np.int64)
    last[places // N_PLACES] = np.arange(len(rows))
    is_largest = last[places // N_PLACES] == np.arange(len(rows))
    entries[places[is_largest]] = rows[is_largest]
    entries[places[~is_largest] + 1] = rows[~is_largest]


def _cut(entries: Entries) -> Iterator[UInt64s]:
    for first in range(0, len(entries), CHUNK):
        yield entries[first : first + CHUNK]


TABLE_FORMAT = 1
"""To be raised when the keys of states, or what an entry says, change: old ones are not found."""

MOST_ENTRIES = 1 << 22
"""Of larger tables the entries of the largest states are kept: 128 MiB at most."""


@contextmanager
def keep_table(
    checkpoint: Checkpoint | None,
    search: str,
    entries: Entries,
    record_s: float,
    *,
    is_kept: bool = False,
) -> Iterator[Callable[[], None]]:
    """Fill an empty table with what was recorded, and record it until the search is complete.

    Call what it yields now and then during the search; other threads may fill the
    table meanwhile. The name `search` has everything that the entries depend on. The table is
    written again after `record_s` seconds; when a search is ended, after a tenth. If it `is_kept`,
    the record stays when the search is complete, with what was proved last; else the records of its
    nodes say all.
    """
    if checkpoint is None:
        yield lambda: None
        return
    digest = hashlib.sha256(f"{TABLE_FORMAT}; {search}".encode("ascii")).hexdigest()
    name, written_s = f"table-{digest[:32]}", time.monotonic()
    body = checkpoint.find(name)
    if body is not None:
        put_entries(entries, np.frombuffer(body, "<u8").reshape(-1, entries.shape[1]))

    def write_if_due(wait_s: float = record_s) -> None:
        nonlocal written_s
        if time.monotonic() - written_s >= wait_s:
            rows = list_largest(entries, MOST_ENTRIES)
            checkpoint.save(name, rows.astype("<u8", copy=False).tobytes())
            written_s = time.monotonic()

    with PROCESS.owe_saving("the table of proofs"):
        try:
            yield write_if_due
        except BaseException:
            write_if_due(record_s / 10)
            raise
        if is_kept:
            write_if_due(0.0)
    if not is_kept:
        checkpoint.drop(name)
