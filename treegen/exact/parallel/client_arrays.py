"""What the client of a search shares with the workers of its machine: proofs, and the responses.

Threads of its own process take its table and its response matrix as they are; other processes map
the same table as it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ...tasks import Workers
from ..core import ResponseMatrix, TranspositionTable
from .shared_table import make_token, remove_entries, share_entries


class ClientArrays(NamedTuple):
    """The arrays of a search's client, and the token that its work items name them by."""

    token: str
    matrix: ResponseMatrix
    table: TranspositionTable


_of_this_process: dict[str, ClientArrays] = {}


@contextmanager
def share_arrays(
    workers: Workers | None, matrix: ResponseMatrix, table: TranspositionTable
) -> Iterator[ClientArrays]:
    """Share what a client has, as long as it searches; nothing without workers.

    Parameters
    ----------
    workers
        Who does the work items.
    matrix, table
        The client's own; the table is empty, and replaced by one that other processes map.
    """
    if workers is None:
        yield ClientArrays("", matrix, table)
        return
    token = make_token()
    if not workers.share_memory:
        table = share_entries(table, token)
    arrays = _of_this_process[token] = ClientArrays(token, matrix, table)
    try:
        yield arrays
    finally:
        del _of_this_process[token]
        remove_entries(token)


def find_arrays(token: str) -> ClientArrays | None:
    """Return the arrays of a client in this process; None if it is in another one."""
    return _of_this_process.get(token)
