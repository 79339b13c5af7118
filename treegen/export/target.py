"""Where an export goes: a path, written whole or not at all, or an open file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from .._files import write_atomically
from ..errors import UsageError

TextTarget = str | os.PathLike[str] | IO[str]
BinaryTarget = str | os.PathLike[str] | IO[bytes]

PICTURE_FORMATS = ("svg", "png", "pdf")


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


def choose_format(target: BinaryTarget, format: str | None) -> str:
    """Return the picture format that is asked for, by default what a path ends with, else svg."""
    kind = format or "svg"
    if format is None and isinstance(target, (str, os.PathLike)):
        kind = Path(target).suffix.lstrip(".").lower()
    if kind not in PICTURE_FORMATS:
        raise UsageError(f"unknown picture format {kind!r}: there are {', '.join(PICTURE_FORMATS)}")
    return kind
