r"""The ``.tree`` file: a msgpack header and the tree's columns, little-endian, readable by mmap.

docs/tree-format.md is the specification. In short::

    8 bytes   magic  "\x89TREE\r\n\x1a"
    4 bytes   length of the header, little-endian
    header    msgpack map
    padding   zero bytes up to a multiple of 64
    columns   each at a multiple of 64, zero bytes between them
    32 bytes  sha256 of all bytes before
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
from collections.abc import Iterator
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from .._files import write_atomically
from ..errors import FormatError, GameError, TreeError
from ..games import CodebookGame, Questions, from_description
from ..tree import ShardedTree, Tree, list_columns
from .source import Source, map_source, name_source
from .tree_header import check_header, make_header, parse_excerpt, parse_label, parse_provenance

MAGIC = b"\x89TREE\r\n\x1a"
ALIGNMENT = 64
CHECKSUM_BYTES = 32
MAX_HEADER_BYTES = 1 << 28


def write_tree(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Write a ``.tree`` file, whole or not at all.

    Raises
    ------
    TreeError
        The tree breaks an invariant; nothing is written.
    UsageError
        The file cannot be written.
    """
    tree.check()
    write_atomically(path, generate_tree_bytes(tree))


def make_bytes(tree: Tree) -> bytes:
    """Return the bytes of a tree's ``.tree`` file."""
    return b"".join(generate_tree_bytes(tree))


def generate_tree_bytes(tree: Tree | ShardedTree) -> Iterator[bytes]:
    """Yield the bytes of a ``.tree`` file. Equal trees of equal provenance give equal bytes."""
    sha = hashlib.sha256()
    for chunk in _generate_body(tree):
        sha.update(chunk)
        yield chunk
    yield sha.digest()


def read_tree(path: str | os.PathLike[str], *, check: bool = True) -> Tree:
    """Read a ``.tree`` file; the columns stay in the file and are mapped into memory.

    Parameters
    ----------
    path
        The file.
    check
        Also check every column against the invariants of a tree.

    Raises
    ------
    FormatError
        The file cannot be read, is not a ``.tree`` file, is of a later version, or is damaged;
        the message says where.
    """
    return load(path, check=check)[0]


def load(
    source: Source, *, check: bool = True, checksum: bool = True
) -> tuple[Tree, dict[str, Any]]:
    """Return a file's tree, and what the file claims about it: total, worst, histogram, digest.

    Parameters
    ----------
    source
        A path, or the bytes of a file.
    check
        Also check the columns. The claims are checked by `treegen.verifier`.
    checksum
        Also compare the checksum, which reads the whole file.

    Raises
    ------
    FormatError
        As `read_tree`.
    """
    buffer = map_source(source)
    try:
        tree, claims = _parse(buffer, checksum)
        if check:
            tree.check()
    except (FormatError, GameError, TreeError) as error:
        raise FormatError(f"{name_source(source)}: {error}") from error
    return tree, claims


def _generate_body(tree: Tree | ShardedTree) -> Iterator[bytes]:
    header = msgpack.packb(make_header(tree))
    yield MAGIC + struct.pack("<I", len(header)) + header
    offset = len(MAGIC) + 4 + len(header)
    for name, dtype in list_columns(tree.game.n_responses).items():
        yield bytes(-offset % ALIGNMENT)
        offset += -offset % ALIGNMENT
        for piece in tree.iter_column(name):
            data = np.asarray(piece, dtype=dtype.newbyteorder("<")).tobytes()
            yield data
            offset += len(data)


def _parse(buffer: bytes | mmap.mmap, checksum: bool) -> tuple[Tree, dict[str, Any]]:
    if buffer[: len(MAGIC)] != MAGIC:
        raise FormatError("offset 0: not a .tree file")
    header, end = _parse_header(buffer)
    game = from_description(header["game"])
    columns = _map_columns(buffer, end, header["n_nodes"], game.n_responses)
    if checksum:
        body = memoryview(buffer)[: len(buffer) - CHECKSUM_BYTES]
        if hashlib.sha256(body).digest() != buffer[-CHECKSUM_BYTES:]:
            raise FormatError(f"offset {len(body)}: the checksum does not match: damaged file")
    provenance = parse_provenance(header)
    if isinstance(game, CodebookGame | Questions):
        game.rename(parse_label(header))
    excerpt = parse_excerpt(header)
    if excerpt and isinstance(game, CodebookGame):
        game.set_excerpt(excerpt)
    tree = Tree(game, provenance, **columns)
    claims = header["claims"]
    return tree, {**claims, "digest": claims["digest"].hex()}


def _parse_header(buffer: bytes | mmap.mmap) -> tuple[dict[str, Any], int]:
    begin = len(MAGIC) + 4
    if len(buffer) < begin:
        raise FormatError(f"offset {len(buffer)}: the file ends in its header")
    (length,) = struct.unpack("<I", buffer[len(MAGIC) : begin])
    end = begin + length
    if length > MAX_HEADER_BYTES or end > len(buffer):
        raise FormatError(f"offset 8: a header of {length} bytes does not fit the file")
    try:
        header = msgpack.unpackb(buffer[begin:end])
    except Exception as error:  # msgpack raises a dozen unrelated exceptions
        raise FormatError(f"offset {begin}: the header is not msgpack: {error}") from error
    check_header(header)
    return header, end


def _map_columns(
    buffer: bytes | mmap.mmap, offset: int, n_nodes: int, n_responses: int
) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    for name, dtype in list_columns(n_responses).items():
        padding = -offset % ALIGNMENT
        if any(buffer[offset : offset + padding]):
            raise FormatError(f"offset {offset}: the {padding} bytes of padding are not zero")
        offset += padding
        length = n_nodes + (name == "first_child")
        end = offset + length * dtype.itemsize
        if end > len(buffer):
            raise FormatError(f"offset {len(buffer)}: the file ends in the column {name}")
        column = np.frombuffer(buffer, dtype.newbyteorder("<"), length, offset)
        columns[name] = column.astype(dtype, copy=False)
        offset = end
    if len(buffer) != offset + CHECKSUM_BYTES:
        raise FormatError(
            f"offset {offset}: {len(buffer) - offset} bytes follow the columns; 32 are needed"
        )
    return columns
