"""What treegen writes of a tree, in memory."""

import struct
from functools import cache
from hashlib import sha256
from io import BytesIO, StringIO
from zlib import crc32

import msgpack

from treegen import DependencyError, build, import_tree, write

ALIGNMENT = 64
"""Where a column of a ``.tree`` file begins is a multiple of it."""


def bytes_of(tree, format, **options):
    """Return what `treegen.write` writes in a binary format."""
    stream = BytesIO()
    write(tree, stream, format, **options)
    return stream.getvalue()


def text_of(tree, format, **options):
    """Return what `treegen.write` writes in a format of text."""
    stream = StringIO()
    write(tree, stream, format, **options)
    return stream.getvalue()


def seal(body):
    """Return a body of a ``.tree`` file with the checksum that fits it."""
    return body + sha256(body).digest()


def seal_table(body):
    """Return a body of a table with the checksum that fits it."""
    return bytes(body) + b"\xce" + crc32(body).to_bytes(4, "big")


def change_table(data, change):
    """Return a table whose values, in a list, were changed in place; their checksum fits."""
    values = msgpack.unpackb(data)
    change(values)
    return seal_table(msgpack.packb([*values[:-1], 1 << 31])[:-5])


def change_header(data, change):
    """Return a ``.tree`` file whose header was changed, everything else in its place."""
    (length,) = struct.unpack("<I", data[8:12])
    changed = change(msgpack.unpackb(data[12 : 12 + length]))
    packed = changed if isinstance(changed, bytes) else msgpack.packb(changed)
    columns = data[12 + length + (-(12 + length) % ALIGNMENT) : -32]
    start = data[:8] + struct.pack("<I", len(packed)) + packed
    return seal(start + bytes(-len(start) % ALIGNMENT) + columns)


def claim(tree, **figures):
    """Return the ``.tree`` file of a tree that claims other figures than the tree's own."""
    return change_header(
        bytes_of(tree, "tree"), lambda header: header | {"claims": header["claims"] | figures}
    )


def import_text(text, game=None, format=None, **options):
    """Return the tree that `treegen.import_tree` reads from a text."""
    return import_tree(StringIO(text), game, format=format, **options)


def import_table(data, game=None):
    """Return the tree of a table with the words or the answers of its game."""
    return import_tree(BytesIO(data), game, format="table")


@cache
def has_graphviz():
    """Whether this machine draws with Graphviz."""
    try:
        return bool(bytes_of(build("p1c1r"), "svg"))
    except DependencyError:
        return False
