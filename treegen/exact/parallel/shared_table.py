"""A table of proofs that the processes of one machine share: a file that they all map.

An entry is sealed by its key (see `core.transposition_table`), so readers and writers need no lock:
what two processes wrote at once fits no key. The file belongs to one search, is private to one
user, and takes as much disk as the table takes memory. Where it cannot be made, a process has a
table of its own: what is proved stays the same.
"""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

import numpy as np

from ..core import Entries, TranspositionTable


def make_token() -> str:
    """Return the name of a new search's table: nobody can guess it."""
    return secrets.token_hex(16)


def share_entries(table: TranspositionTable, token: str) -> TranspositionTable:
    """Return an empty table with the entries that the other processes of a search have.

    Parameters
    ----------
    table
        An empty table, which says how many entries there are.
    token
        Of `make_token`; empty: the table is not shared.
    """
    if not token:
        return table
    path = _path_of(token)
    try:
        entries = _map_entries(path, table.entries)
    except (OSError, AttributeError):  # no such files here, or no room
        return table
    # The file goes with the first process that is done; the others keep what they have mapped.
    weakref.finalize(entries, _remove, path, os.getpid())
    return table._replace(entries=entries)


def remove_entries(token: str) -> None:
    """Remove a search's file from this machine, if it is there; who has mapped it keeps it."""
    if token:
        _remove(_path_of(token), os.getpid())


def _path_of(token: str) -> Path:
    return Path(tempfile.gettempdir()) / f"treegen-{token}.table"


def _map_entries(path: Path, like: Entries) -> Entries:
    """Map a file of so many bytes, which is made if it is not there."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags, 0o600)
    try:
        status = os.fstat(handle)
        is_own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
        if not (is_own and stat.S_ISREG(status.st_mode)):
            raise OSError(f"{path} belongs to somebody else")
        # Bytes never written are 0, as in an empty table. A disk that is full must say so now: it
        # would kill the process that writes to what is mapped.
        os.posix_fallocate(handle, 0, like.nbytes)
    finally:
        os.close(handle)
    return np.asarray(np.memmap(path, dtype=like.dtype, mode="r+", shape=like.shape))


def _remove(path: Path, process: int) -> None:
    if os.getpid() == process:
        with suppress(OSError):
            path.unlink()
