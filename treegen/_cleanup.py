"""Clean-up needed before a forced exit: temporary files, and work being saved."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_temporary_paths: set[str] = set()
_saving: list[str] = []
_owed: list[str] = []


@contextmanager
def remember_temporary(path: str) -> Iterator[None]:
    """Name a file or folder that must not stay if the process ends meanwhile."""
    _temporary_paths.add(path)
    try:
        yield
    finally:
        _temporary_paths.discard(path)


def remove_temporaries() -> None:
    """Remove all temporary files and folders that are there now."""
    for path in list(_temporary_paths):
        shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108 (pathlib may not be whole any more)


@contextmanager
def owe_saving(what: str) -> Iterator[None]:
    """Say that work saves what it has when it is interrupted: who interrupts it waits for that."""
    _owed.append(what)
    try:
        yield
    finally:
        _owed.remove(what)


def is_saving_owed() -> bool:
    """Whether work goes on that saves what it has before it ends."""
    return bool(_owed)


def announce_saving(what: str) -> None:
    """Say that interrupted work goes on only to keep what it has: it may take its time."""
    _saving.append(what)


def is_saving() -> bool:
    """Whether interrupted work is keeping what it has."""
    return bool(_saving)


def forget_saving() -> None:
    """Begin anew: what was announced is saved."""
    _saving.clear()
