"""``--time-limit`` of commands that keep their results on Ctrl-C: it does the same."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from .interrupts import send_interrupt

F = TypeVar("F", bound=Callable[..., Any])

_ended: list[float] = []
"""The limit that ended the command, if one did."""


def time_limit_option(text: str) -> Callable[[F], F]:
    """Add --time-limit, with the help text of the command."""
    return click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        callback=_refuse_no_number,
        metavar="S",
        help=text,
    )


def _refuse_no_number(_: object, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds", param=option)
    return value


@contextmanager
def limit_time(seconds: float | None) -> Iterator[None]:
    """Interrupt the work inside after some seconds, as Ctrl-C does; None: never.

    Ctrl-C may be ignored, as after a shell's ``&``; the limit is not.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
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
    timer.start()
    try:
        yield
    finally:
        with lock:  # from here on it will not fire, or it already has
            is_armed = False
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def forget_limit() -> None:
    """Begin a command that no limit has ended."""
    _ended.clear()


def is_time_over() -> bool:
    """Whether the time limit ended the work, not Ctrl-C."""
    return bool(_ended)


def describe_stop() -> str:
    """Return what ended the work, to be printed before what is kept of it."""
    return f"the time limit of {_ended[0]:g} s is over" if _ended else "interrupted"
