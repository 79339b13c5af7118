"""A time limit for work that keeps its results on Ctrl-C: it does the same."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._interrupts import send_interrupt
from ._options import check_positive

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
