"""The standard streams, as a shell or a supervisor provides them: open, closed or broken."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def standard_streams() -> Iterator[None]:
    """Give every standard stream something to read from or write to, and undo it at the end.

    A closed input or output fails where it is used, and only there; messages for a closed or broken
    standard error are lost, never the work that they report.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    _fill_descriptors()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(_Closed("input")))
    sys.stdout = sys.stdout or _make_closed_output()
    sys.stderr = _Forgiving(sys.stderr)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def is_output_closed() -> bool:
    """Whether standard output was closed before the start."""
    return isinstance(getattr(sys.stdout, "buffer", None), _Closed)


def drop(stream: Any) -> None:
    """Discard what is still unwritten, or Python would try again at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Closed(io.RawIOBase):
    """A stream that was closed before the start."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._message = f"the standard {name} is closed"

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(errno.EBADF, self._message)

    def write(self, data: Any) -> int:
        raise OSError(errno.EBADF, self._message)


class _Forgiving:
    """Standard error; it may be closed, or break at any time."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except OSError:
            drop(self._stream)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            drop(self._stream)


def _fill_descriptors() -> None:
    """Open the null device for a missing stream, or the next file opened would take its place."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest one that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def _make_closed_output() -> io.TextIOWrapper:
    # Without its own buffer, nothing is left in it for Python to write at exit.
    raw: Any = _Closed("output")
    return io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
