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


def write_folder(
    folder: str | os.PathLike[str], contents: Mapping[str, bytes], *, force: bool = False
) -> list[Path]:
    """Write the files of a player to a folder, created if missing; return their paths.

    Raises
    ------
    UsageError
        The folder cannot be made, or a file cannot be written; one that somebody edited is there,
        without `force`.
    """
    paths = [Path(folder) / name for name in contents]
    if not force:
        refuse_edited(dict(zip(paths, contents.values(), strict=True)))
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot make the folder {str(folder)!r}: {reason}") from error
    for path, data in zip(paths, contents.values(), strict=True):
        write_atomically(path, data)
    return paths


def refuse_edited(contents: Mapping[Path, bytes]) -> None:
    """Raise UsageError if a file of a player or a page is there and differs from its new content.

    Such files are made to be edited; tables and pictures are not, and are replaced.
    """
    names = [
        repr(str(path))
        for path, data in contents.items()
        if path.suffix not in (".tgt", ".png") and _holds_other(path, data)
    ]
    if names:
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        are, them = ("is", "it") if len(names) == 1 else ("are", "them")
        raise UsageError(f"{shown} {are} not as treegen writes {them}; --force replaces {them}")


def _holds_other(path: Path, data: bytes) -> bool:
    """Return whether a file exists and holds something else; an empty one holds nothing."""
    try:
        size = path.stat().st_size if path.is_file() else 0
        return size > 0 and (size != len(data) or path.read_bytes() != data)
    except (OSError, ValueError):  # what cannot be read cannot be compared; a null byte
        return path.is_file()


def _takes_text(target: Target) -> bool:
    """Return whether a target is a file open for text; temporary files wrap theirs."""
    return isinstance(target, io.TextIOBase) or hasattr(target, "encoding")
