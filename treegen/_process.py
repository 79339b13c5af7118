"""How a process ends: interrupts, time limits, and what is removed or saved before."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ._options import check_positive

_own: list[None] = []
"""One item for each interrupt that the process sent to itself."""


def send_interrupt() -> None:
    """Send SIGINT to the main thread, running or blocked; it does not count as the user's."""
    _own.append(None)
    if hasattr(signal, "pthread_kill") and (ident := threading.main_thread().ident):
        signal.pthread_kill(ident, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


def subtract_own(n_signals: int) -> int:
    """Return how many of some interrupts, each counted once, `send_interrupt` did not send."""
    while n_signals and _own:
        _own.pop()
        n_signals -= 1
    return n_signals


_ended: list[float] = []
"""The limit that ended the work, if one did."""


@contextmanager
def limit_time(seconds: float | None) -> Iterator[None]:
    """Interrupt the work inside after some seconds, as Ctrl-C does; None: never.

    Ctrl-C may be ignored, as after a shell's ``&``; the limit is not. Only the main thread can be
    interrupted: elsewhere there is no limit.
    """
    check_positive(time_limit=seconds)
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    forget_limit()
    lock, is_armed = threading.Lock(), True

    def strike() -> None:
        with lock:
            if is_armed:
                _ended.append(seconds)
                send_interrupt()

    def hear(number: int, frame: Any) -> None:
        if _ended or before is not signal.SIG_IGN:
            raise KeyboardInterrupt

    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), strike)
    timer.daemon = True
    before = signal.signal(signal.SIGINT, hear)
    try:
        timer.start()
        yield
    finally:
        with lock:  # from here on it will not fire, or it already has
            is_armed = False
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def forget_limit() -> None:
    """Begin work that no limit has ended."""
    _ended.clear()


def is_time_over() -> bool:
    """Whether the time limit ended the work, not Ctrl-C."""
    return bool(_ended)


def describe_stop() -> str:
    """Return what ended the work, to be printed before what is kept of it."""
    return f"the time limit of {_ended[0]:g} s is over" if _ended else "interrupted"


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
    """Remove all temporary files and folders that exist now."""
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
