"""Where a reader's bytes come from: a file, which is mapped, or the bytes themselves."""

from __future__ import annotations

import mmap
import os

from .._files import explain_reading, map_file

Source = str | os.PathLike[str] | bytes
"""A path, or the bytes of a file."""


def map_source(source: Source) -> bytes | mmap.mmap:
    """Return the bytes of a source; raise FormatError if its file cannot be read."""
    if isinstance(source, bytes):
        return source
    with explain_reading(source):
        return map_file(source)


def name_source(source: Source) -> str:
    """Return the name of a source in error messages.

    Examples
    --------
    >>> name_source("knuth.tree"), name_source(b"...")
    ("'knuth.tree'", 'the input')
    """
    return "the input" if isinstance(source, bytes) else repr(str(source))
