"""Sections of bit fields: blocks put behind each other are the whole, whatever their size."""

import itertools

import msgpack
import numpy as np
import pytest

from treegen.formats import table as table_bits
from treegen.formats.table import (
    FIELDS_PER_BLOCK,
    _pack_binary_header,
    generate_fields,
    generate_shape,
    pack_fields,
    unpack_fields,
    unpack_shape,
)


def write_plainly(values, width):
    """Return a section by its definition: every field as a text of 0 and 1."""
    bits = "".join(f"{value:0{width}b}" for value in values) if width else ""
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))


@pytest.mark.parametrize("width", [0, 1, 3, 7, 8, 11, 17])
def test_fields_cross_the_ends_of_blocks(monkeypatch, width):
    for block, n_values in itertools.product([8, 16], [1, 7, 8, 9, 40, 41]):
        monkeypatch.setattr(table_bits, "FIELDS_PER_BLOCK", block)
        values = np.random.default_rng(n_values).integers(0, 1 << width, n_values)
        section = pack_fields(values, width)
        assert section == write_plainly(values.tolist(), width)
        assert unpack_fields(memoryview(section), n_values, width).tolist() == values.tolist()


def test_fields_fill_more_than_one_block_of_the_real_size():
    values = np.arange(FIELDS_PER_BLOCK + 13) % 7
    section = pack_fields(values, 3)
    assert unpack_fields(memoryview(section), len(values), 3).tolist() == values.tolist()


@pytest.mark.parametrize("cuts", [(), (1,), (3, 8), (8, 16), (1, 2, 3, 4, 5, 6, 7)])
def test_pieces_of_any_length_make_the_same_section(cuts):
    values = np.arange(23) % 5
    pieces = np.split(values, cuts)
    assert b"".join(generate_fields(pieces, 3)) == pack_fields(values, 3)
    n_children = np.array([2, 3, 1, 0, 0, 1, 0, 2, 0, 0])
    want = b"".join(generate_shape([n_children]))
    assert b"".join(generate_shape(np.split(n_children, [1, 4, 4, 9]))) == want
    assert np.diff(unpack_shape(memoryview(want), 10)).tolist() == n_children.tolist()


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 65_535, 65_536, 65_537])
def test_binaries_begin_in_the_shortest_way(size):
    """msgpack itself writes the shortest form."""
    assert _pack_binary_header(size) + bytes(size) == msgpack.packb(bytes(size))
