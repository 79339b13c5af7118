"""Ctrl-C that strikes inside a compiler's callback, where Python can only drop it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._interrupts import send_interrupt

RETRY_SECONDS = 0.05
"""When a dropped Ctrl-C is sent again: by then the callback is over, or it is dropped again."""


@contextmanager
def keep_interrupts() -> Iterator[None]:
    """Resend an interrupt that was dropped, and treat the failure it caused as an interrupt.

    LLVM calls Python back while it compiles. Python cannot raise an exception through such a call:
    it prints a traceback and continues as if nothing had happened.
    """
    again: list[threading.Timer] = []
    old_hook = sys.unraisablehook

    def hear(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            old_hook(unraisable)
            return
        again.append(threading.Timer(RETRY_SECONDS, send_interrupt))
        again[-1].daemon = True
        again[-1].start()

    sys.unraisablehook = hear
    try:
        yield
    except Exception:
        if again:
            raise KeyboardInterrupt from None
        raise
    finally:
        sys.unraisablehook = old_hook
        for timer in again:
            timer.cancel()
