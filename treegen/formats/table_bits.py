"""Sections of a table: fields of a few bits each, the first in the highest bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

FIELDS_PER_BLOCK = 1 << 20
"""A multiple of 8, so that every block begins with a whole byte."""


def width_of(n_values: int) -> int:
    """Return the number of bits that distinguish so many values; 0 for one value."""
    return (n_values - 1).bit_length()


def pack_fields(values: NDArray[np.integer], width: int) -> bytes:
    """Return a section of fields of so many bits, padded with zero bits.

    Examples
    --------
    >>> pack_fields(np.array([5, 1]), 3).hex()
    'a4'
    """
    return b"".join(generate_fields([values], width))


def generate_fields(pieces: Iterable[NDArray[np.integer]], width: int) -> Iterator[bytes]:
    """Yield a section of fields of so many bits, whose values come in pieces.

    Examples
    --------
    >>> b"".join(generate_fields([np.array([5]), np.array([1])], 3)).hex()
    'a4'
    """
    shifts = np.arange(width - 1, -1, -1)
    return _generate_bytes(
        (block.astype(np.int64)[:, None] >> shifts & 1).astype(np.uint8).reshape(-1)
        for values in pieces
        for block in _cut(values)
    )


def _cut(values: NDArray[np.integer]) -> Iterator[NDArray[np.integer]]:
    for begin in range(0, len(values), FIELDS_PER_BLOCK):
        yield values[begin : begin + FIELDS_PER_BLOCK]


def _generate_bytes(pieces: Iterable[NDArray[np.uint8]]) -> Iterator[bytes]:
    """Yield the bytes of bits that come in pieces, padded with zero bits."""
    rest = np.empty(0, dtype=np.uint8)
    for piece in pieces:
        bits = np.concatenate((rest, piece)) if len(rest) else piece
        n_whole = len(bits) // 8 * 8  # what is left of a byte waits for the next piece
        yield np.packbits(bits[:n_whole]).tobytes()
        rest = bits[n_whole:]
    yield np.packbits(rest).tobytes()


def unpack_fields(section: memoryview, n_values: int, width: int) -> NDArray[np.int64]:
    """Return the fields of a section; the inverse of `pack_fields`."""
    values = np.zeros(n_values, dtype=np.int64)
    if width == 0:
        return values
    data = np.frombuffer(section, dtype=np.uint8)
    weights = 1 << np.arange(width - 1, -1, -1)
    for begin in range(0, n_values, FIELDS_PER_BLOCK):
        end = min(begin + FIELDS_PER_BLOCK, n_values)
        part = data[begin * width // 8 : -(-end * width // 8)]
        bits = np.unpackbits(part, count=(end - begin) * width)
        values[begin:end] = bits.reshape(-1, width) @ weights
    return values


def pack_shape(n_children: NDArray[np.integer]) -> bytes:
    """Return the shape of a tree: for every node a 1 for each child, then a 0.

    Examples
    --------
    >>> pack_shape(np.array([2, 0, 1, 0])).hex()
    'c8'
    """
    return b"".join(generate_shape([n_children]))


def generate_shape(pieces: Iterable[NDArray[np.integer]]) -> Iterator[bytes]:
    """Yield the shape of a tree whose numbers of children come in pieces."""
    return _generate_bytes(_write_shape(piece) for piece in pieces)


def _write_shape(n_children: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Return the bits of some nodes."""
    # Before the 0 of node i stand the 1s of nodes 0 to i and i other 0s.
    ends = np.cumsum(n_children, dtype=np.int64) + np.arange(len(n_children))
    bits = np.ones(int(ends[-1]) + 1 if len(ends) else 0, dtype=np.uint8)
    bits[ends] = 0
    return bits


def unpack_shape(section: memoryview, n_nodes: int) -> NDArray[np.int32]:
    """Return `first_child` of a checked shape, `n_nodes` at its end."""
    data = np.frombuffer(section, dtype=np.uint8)
    zeros = np.flatnonzero(np.unpackbits(data, count=2 * n_nodes - 1) == 0)
    # As many 1s stand before the 0 of node i as there are children of nodes 0 to i; the root is
    # nobody's child.
    first_child = np.ones(n_nodes + 1, dtype=np.int32)
    first_child[1:] = zeros - np.arange(n_nodes) + 1
    return first_child
