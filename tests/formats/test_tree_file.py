"""The .tree file: written, read back, and every damage found."""

import hashlib
import struct
from dataclasses import asdict, replace

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treegen import FormatError, TreeError, UsageError, build, read, verify, write_tree

from ..small_games import SMALL, columns_of, make_pair
from ..written import bytes_of, change_header, seal

KNUTH = "max,consistent,lowest"
MAGIC, CHECKSUM_BYTES = b"\x89TREE\r\n\x1a", 32
TYPES = {"guess": "<i4", "response": "<i2", "first_child": "<i4", "n_candidates": "<i4"}
"""The columns in their order."""


def to_bytes(tree):
    return bytes_of(tree, "tree")


@pytest.fixture(scope="module")
def tree():
    return build(make_pair("p2c3r")[0], KNUTH)


@pytest.fixture(scope="module")
def data(tree):
    return to_bytes(tree)


@pytest.mark.parametrize("name", SMALL)
def test_written_trees_are_read_back(tmp_path, name):
    tree = build(make_pair(name)[0], KNUTH)
    path = tmp_path / "x.tree"
    write_tree(tree, path)
    again = read(path)
    assert columns_of(again) == columns_of(tree)
    assert (again.game, again.provenance, again.digest) == (tree.game, tree.provenance, tree.digest)
    report = verify(path)
    figures = ("total", "worst", "histogram", "digest")
    assert {claim.name: claim.value for claim in report.claims if claim.name in figures} == {
        name: getattr(tree, name) for name in figures
    }
    assert report.is_proved
    assert read(path.read_bytes()).digest == tree.digest
    assert to_bytes(again) == path.read_bytes()


def test_provenance_is_read_back(tree):
    stated = {"strategy": "exact", "rule": "a rule — with ünïcode", "history": ((5, 1), (7, 2))}
    stated |= {"objective": "total,worst", "bound": 40}
    changed = replace(tree, provenance=replace(tree.provenance, **stated))
    again = read(to_bytes(changed))
    assert asdict(again.provenance) == stated
    assert again.digest == changed.digest != tree.digest


def test_equal_trees_give_equal_bytes(data):
    assert to_bytes(build(make_pair("p2c3r")[0], KNUTH, jobs=2)) == data
    pinned = "d4233e84e846df83ba0443f66cab92cc085337332afe1a6a27d0c97ee74d6045"
    assert hashlib.sha256(data).hexdigest() == pinned


def test_columns_are_aligned_and_little_endian(tree, data):
    """They are read as integers in the machine's own order."""
    (length,) = struct.unpack("<I", data[8:12])
    offset = 12 + length
    for name, kind in TYPES.items():
        offset += -offset % 64
        column = getattr(tree, name)
        values = np.frombuffer(data, kind, len(column), offset)
        assert values.tolist() == column.tolist()
        assert getattr(read(data), name).dtype == np.dtype(kind[1:])
        offset += values.nbytes
    assert data[offset:] == hashlib.sha256(data[:offset]).digest()


def test_a_broken_tree_is_not_written(tmp_path, tree):
    path = tmp_path / "x.tree"
    with pytest.raises(TreeError):
        write_tree(replace(tree, guess=tree.guess + 100), path)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_is_refused(tmp_path, tree):
    for path in (tmp_path / "no" / "x.tree", tmp_path):
        with pytest.raises(UsageError, match="cannot write"):
            write_tree(tree, path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_read_is_read_only(tmp_path, tree):
    write_tree(tree, tmp_path / "x.tree")
    with pytest.raises(ValueError, match="read-only"):
        read(tmp_path / "x.tree").guess[0] = 1


def test_anything_after_the_end_is_refused(data):
    for tail in (b"\0", b"x" * 32, data):
        with pytest.raises(FormatError):
            read(data + tail)


def test_every_changed_byte_of_a_file_whose_checksum_fits_is_noticed(tree, data):
    """Whoever forges the checksum too is found by the verifier, words of provenance apart."""
    header_end = 12 + struct.unpack("<I", data[8:12])[0]
    for at in range(len(data) - CHECKSUM_BYTES):
        for flip in (1, 2, 0x80):
            damaged = bytearray(data[:-CHECKSUM_BYTES])
            damaged[at] ^= flip
            try:
                report = verify(seal(bytes(damaged)))
            except FormatError as error:
                assert "\n" not in str(error)
                continue
            if not report.problems:
                assert at < header_end, f"byte {at} ^ {flip} passed"
                assert read(seal(bytes(damaged))).provenance != tree.provenance


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data):
    for start in (b"", MAGIC, MAGIC + struct.pack("<I", len(data))):
        with pytest.raises(FormatError):
            read(start + data)


HEADERS = [
    *({"more": 1}, {5: 5}, {b"x": 5}),
    *({"game": 4}, {"game": []}, {"game": ["chess", 8]}, {"game": [None, 1]}),
    *({"game": ["pegs", 1000, 1000, 1, "pegs"]}, {"game": ["pegs", 2, 2, 1, "pegs"]}),
    *({"game": msgpack.ExtType(5, b"x")}, {"n_nodes": 2**31}, {"n_nodes": 2**31 - 1}),
    *({"claims": None}, {"claims": {}}, {"provenance": None}, {"provenance": {"strategy": "x"}}),
]
PROVENANCES = [
    *({"strategy": "\x1b[2J"}, {"strategy": "a\nb"}, {"history": 1}, {"history": [[1, 2, 3]]}),
    *({"history": [[9, 1]]}, {"history": [[-1, 1]]}, {"history": [[0, 99]]}),
    {"history": [[2**63, 2**63]]},
]
"""What is no other value in place of one: those are in test_tree_header.py."""


def nested(depth):
    """Return a packed header of lists within lists, more than every msgpack would pack."""
    return b"\x81" + msgpack.packb("game") + b"\x91" * depth + b"\xc0"


def test_forged_headers_are_refused(data):
    changes = [lambda h, c=change: h | c for change in HEADERS]
    changes += [
        lambda h, c=change: h | {"provenance": h["provenance"] | c} for change in PROVENANCES
    ]
    changes += [lambda _: [1, 2], lambda _: 1, lambda _: nested(600), lambda _: nested(2000)]
    for number, change in enumerate(changes):
        with pytest.raises(FormatError) as caught:
            read(change_header(data, change))
        assert "\n" not in str(caught.value), number
        assert len(str(caught.value)) < 400, number


@pytest.mark.parametrize("change", [{}, {"objective": "total", "bound": 24}], ids=str)
def test_a_header_that_is_not_changed_makes_the_same_file(data, change):
    same = change_header(data, lambda h: {**h, "provenance": {**h["provenance"], **change}})
    assert (same == data) == (not change)
    assert read(same).total == 24


def test_padding_that_is_not_zero_is_refused(data):
    (length,) = struct.unpack("<I", data[8:12])
    damaged = bytearray(data[:-CHECKSUM_BYTES])
    assert damaged[12 + length] == 0
    damaged[12 + length] = 1
    with pytest.raises(FormatError, match="padding"):
        read(seal(bytes(damaged)))


def test_a_header_longer_than_the_file_is_refused(data):
    for length in (2**32 - 1, 2**28 + 1, len(data)):
        forged = data[:8] + struct.pack("<I", length) + data[12:]
        with pytest.raises(FormatError, match="does not fit the file"):
            read(forged)
