"""Sections of a table: fields of a few bits each, the first in the highest bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FIELDS_PER_BLOCK = 1 << 20
"""A multiple of 8, so that every block begins with a whole byte."""


def width_of(n_values: int) -> int:
    """Return the bits that tell so many values apart; 0 for one value."""
    return (n_values - 1).bit_length()


def pack_fields(values: NDArray[np.integer], width: int) -> bytes:
    """Return a section of fields of so many bits, zero bits behind the last.

    Examples
    --------
    >>> pack_fields(np.array([5, 1]), 3).hex()
    'a4'
    """
    shifts = np.arange(width - 1, -1, -1)
    blocks = []
    for begin in range(0, len(values), FIELDS_PER_BLOCK):
        block = values[begin : begin + FIELDS_PER_BLOCK].astype(np.int64)
        bits = (block[:, None] >> shifts & 1).astype(np.uint8)
        blocks.append(np.packbits(bits).tobytes())
    return b"".join(blocks)


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
    n_nodes = len(n_children)
    bits = np.ones(2 * n_nodes - 1, dtype=np.uint8)
    bits[np.cumsum(n_children) + np.arange(n_nodes)] = 0
    return np.packbits(bits).tobytes()


def unpack_shape(section: memoryview, n_nodes: int) -> NDArray[np.int32]:
    """Return `first_child` of a checked shape, `n_nodes` at its end."""
    data = np.frombuffer(section, dtype=np.uint8)
    zeros = np.flatnonzero(np.unpackbits(data, count=2 * n_nodes - 1) == 0)
    first_child = np.ones(n_nodes + 1, dtype=np.int32)
    first_child[1:] = zeros - np.arange(n_nodes) + 1
    return first_child
