"""The envelope of a ``.tgt`` table: one MessagePack array, and the bits of its sections."""

from __future__ import annotations

from ..errors import FormatError

TYPE_CHECKING = False  # typing takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any

TAGS = "i" * 8 + "mass----bbb-----iiii---------sssaamm" + "-" * 32  # below 192 by the upper half


def unpack(view: memoryview) -> list[Any]:
    """Return the values of an envelope whose CRC-32 was cut off; bin values are views."""
    at = 0

    def take(size: int) -> memoryview:
        nonlocal at
        at += size
        demand(at <= len(view), f"offset {at - size}: the file ends early")
        return view[at - size : at]

    def read(depth: int) -> Any:
        tag = take(1)[0]
        kind = TAGS[tag >> 4 if tag < 192 else tag - 180]
        demand(kind != "-" and depth < 3, f"offset {at - 1}: the byte {tag:#04x}")
        size = tag & {"i": 127, "s": 31}.get(kind, 15)
        if tag > 191:
            width = 2 << tag % 2 if kind in "am" else 1 << (tag - (kind == "s")) % 4
            size = int.from_bytes(take(width), "big")
        if kind == "i":
            return size
        if kind in "bs":
            return take(size) if kind == "b" else str(take(size), "utf-8", "strict")
        if kind == "a":
            return [read(depth + 1) for _ in range(size - (depth == 0))]
        found = {str(read(depth + 1)): read(depth + 1) for _ in range(size)}
        demand(len(found) == size, f"offset {at}: a key stands twice")
        return found

    try:
        values = read(0)
    except UnicodeDecodeError:
        raise FormatError(f"damaged table: the text before offset {at} is not UTF-8") from None
    demand(type(values) is list and at == len(view), f"offset {at}: the envelope ends wrong")
    kinds = [type(value) for value in values[:10]]
    demand(kinds == [str, int, str, list, list, dict, *[int] * 4], "the envelope's types are wrong")
    view.release()  # the closures above would keep it
    return list(values)


def demand(is_true: bool, problem: str) -> None:
    """Raise FormatError unless something is true."""
    if not is_true:
        raise FormatError(f"damaged table: {problem}")


def read_field(section: memoryview, begin: int, width: int) -> int:
    """Return the number in some bits of a section, from a given bit."""
    end = begin + width
    number = int.from_bytes(section[begin >> 3 : (end + 7) >> 3], "big")
    return number >> (-end & 7) & ((1 << width) - 1)


def read_bits(section: memoryview, begin: int, n_bytes: int) -> str:
    """Return the bits of some bytes as a string of 0 and 1."""
    part = section[begin : begin + n_bytes]
    return f"{int.from_bytes(part, 'big'):0{8 * len(part)}b}"


def split_fields(section: memoryview, begin: int, end: int, width: int, limit: int) -> list[str]:
    """Return the bits of fields, which sort like the numbers; all must be below a limit."""
    first, size = begin * width, (end - begin) * width
    bits = read_bits(section, first >> 3, ((first & 7) + size + 7) >> 3)[first & 7 :]
    fields = [bits[at : at + width] for at in range(0, size, width or 1)] or [""] * (end - begin)
    is_below = limit >= 1 << width or max(fields) < f"{limit:0{width}b}"
    demand(is_below, f"a guess or response between {begin} and {end} is too high")
    return fields
