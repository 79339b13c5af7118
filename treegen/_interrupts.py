"""An interrupt that treegen sends to itself: the end of a time limit, one that was dropped."""

from __future__ import annotations

import signal
import threading

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
