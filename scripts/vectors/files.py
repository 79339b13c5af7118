"""Tables as bytes: how they are packed, changed, sealed by a CRC, and written as text."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgpack

PLAIN_BYTES = 5_000

Change = Callable[[list[Any]], list[Any]]


def encode(data: bytes) -> dict[str, str]:
    """Return a file as text: base64, above some size of its zlib stream."""
    if len(data) <= PLAIN_BYTES:
        return {"base64": base64.b64encode(data).decode()}
    return {"zlib_base64": base64.b64encode(zlib.compress(data, 9)).decode()}


def change(data: bytes, edit: Change) -> bytes:
    """Return a table with its values changed and a CRC that fits."""
    return pack(edit(msgpack.unpackb(data)[:-1]))


def seal(body: bytes) -> bytes:
    """Return a body with its CRC behind it."""
    return bytes(body) + b"\xce" + zlib.crc32(body).to_bytes(4, "big")


def put(place: int, value: Any) -> Change:
    """Return the change that puts a value, or makes it from the old one."""

    def edit(values: list[Any]) -> list[Any]:
        values[place] = value(values[place]) if callable(value) else value
        return values

    return edit


@dataclass(frozen=True)
class Bare:
    """The head of a value, without what it announces."""

    head: bytes


def splice(place: int, head: bytes) -> Change:
    """Return the change that puts the bare head of a value, with nothing of what it announces."""
    return put(place, Bare(head))


def set_bit(place: int) -> Callable[[bytes], bytes]:
    """Return the change of one bit of a section; -1 is the last one."""

    def edit(section: bytes) -> bytes:
        n_bits = 8 * len(section)
        number = int.from_bytes(section, "big") ^ (1 << (8 * len(section) - 1 - place % n_bits))
        return number.to_bytes(len(section), "big")

    return edit


def pack(values: list[Any]) -> bytes:
    """Return the table of some values, the CRC not among them."""
    packer = msgpack.Packer()
    body = packer.pack_array_header(len(values) + 1)
    parts = (value.head if isinstance(value, Bare) else packer.pack(value) for value in values)
    return seal(body + b"".join(parts))
