"""Where an export goes: a path, written whole or not at all, or an open file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import IO

from .._files import write_atomically

TextTarget = str | os.PathLike[str] | IO[str]
BinaryTarget = str | os.PathLike[str] | IO[bytes]


def write_lines(target: TextTarget, lines: Iterable[str]) -> None:
    """Write lines, each with a line feed, as UTF-8."""
    if isinstance(target, (str, os.PathLike)):
        write_atomically(target, (f"{line}\n".encode() for line in lines))
    else:
        target.writelines(f"{line}\n" for line in lines)


def write_data(target: BinaryTarget, data: bytes) -> None:
    """Write bytes."""
    if isinstance(target, (str, os.PathLike)):
        write_atomically(target, data)
    else:
        target.write(data)
