"""Where results are written: a path, whole or not at all, or an open file."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, cast

from ._files import write_atomically
from .errors import UsageError

Target = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file; bytes need one that takes bytes."""


def write_lines(target: Target, lines: Iterable[str]) -> None:
    """Write lines of text as UTF-8, each with a line feed."""
    if _takes_text(target):
        cast(IO[str], target).writelines(f"{line}\n" for line in lines)
    else:
        write_bytes(target, (f"{line}\n".encode() for line in lines))


def write_bytes(target: Target, chunks: bytes | Iterable[bytes]) -> None:
    """Write bytes."""
    if isinstance(target, (str, os.PathLike)):
        write_atomically(target, chunks)
        return
    if _takes_text(target):
        raise UsageError("this format needs a file that is open for bytes, not for text")
    stream = cast(IO[bytes], target)
    for chunk in [chunks] if isinstance(chunks, bytes) else chunks:
        stream.write(chunk)


def write_folder(folder: str | os.PathLike[str], contents: Mapping[str, bytes]) -> list[Path]:
    """Write files to a folder, created if missing; return their paths.

    Raises
    ------
    UsageError
        The folder cannot be made, or a file cannot be written.
    """
    paths = [Path(folder) / name for name in contents]
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot make the folder {str(folder)!r}: {reason}") from error
    for path, data in zip(paths, contents.values(), strict=True):
        write_atomically(path, data)
    return paths


def _takes_text(target: Target) -> bool:
    """Return whether a target is a file open for text; temporary files wrap theirs."""
    return isinstance(target, io.TextIOBase) or hasattr(target, "encoding")
