r"""Files of a checkpoint: the result of one task, and the identity of its build.

In short::

    8 bytes   magic  "\x89TCPT\r\n\x1a"
    4 bytes   length of the header, little-endian
    header    msgpack array: version, build (32 bytes), name of the task
    padding   zero bytes up to a multiple of 64
    body      what the task returned
    32 bytes  sha256 of all bytes before
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any

import msgpack

from ..errors import FormatError

MAGIC = b"\x89TCPT\r\n\x1a"
VERSION = 1
_ALIGNMENT = 64
_CHECKSUM_BYTES = 32


def pack_result(build: bytes, task: str, body: bytes) -> bytes:
    """Return the bytes of a file."""
    header = msgpack.packb([VERSION, build, task])
    head = MAGIC + struct.pack("<I", len(header)) + header
    data = head + bytes(-len(head) % _ALIGNMENT) + body
    return bytes(data + hashlib.sha256(data).digest())


def unpack_result(data: Any, build: bytes, task: str, is_checked: bool = True) -> memoryview:
    """Return the body of a file's bytes.

    Parameters
    ----------
    data
        The bytes.
    build, task
        The build and task to which they must belong.
    is_checked
        Whether the checksum is compared.

    Raises
    ------
    FormatError
        It is damaged, or belongs to another build or task.
    """
    view = memoryview(data)
    if view[: len(MAGIC)] != MAGIC or len(view) < 12 + _CHECKSUM_BYTES:
        raise FormatError("it is not the result of a task")
    end = len(view) - _CHECKSUM_BYTES
    if is_checked and hashlib.sha256(view[:end]).digest() != view[end:]:
        raise FormatError("its checksum does not match")
    (length,) = struct.unpack("<I", view[8:12])
    if msgpack.unpackb(view[12 : 12 + length]) != [VERSION, build, task]:
        raise FormatError("it belongs to another build or task")
    begin = 12 + length
    return view[begin + -begin % _ALIGNMENT : end]
