"""The backstop of Ctrl-C and SIGTERM: ends a process whose main thread does not end by itself.

Python raises KeyboardInterrupt in the main thread alone, and only between two of its own
instructions. A compiler, a long array operation, a library that waits for its threads may keep
it from that for any time. What the signal itself writes to a pipe needs no main thread.
"""

from __future__ import annotations

import math
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from .._cleanup import is_saving, is_saving_owed, remove_temporaries
from .._files import record_writes
from .._interrupts import subtract_own

PATIENCE_S = 0.8
"""How long the main thread may take to end by itself."""

ENDS = (signal.SIGINT, signal.SIGTERM)
"""The signals that ask for the end: Ctrl-C, and what batch systems and containers send."""

SHOW_CURSOR = "\x1b[?25h\n"
"""For a terminal whose cursor a progress bar has hidden."""

Receive = Callable[[float | None], bytes]
"""Returns the signals received, as bytes; raises TimeoutError after so many seconds without any."""


def run_guarded(run: Callable[[], object]) -> NoReturn:
    """Run a command line that ends with SystemExit, and end the process with it, whatever hangs."""
    with record_writes() as written:
        start_watchdog(lambda: _give_up(written))
        try:
            run()
        except SystemExit as ended:
            if ended.code == 130 or _is_thread_left_behind():
                exit_now(ended.code)  # not waiting for threads that are no longer needed
            raise
    sys.exit(0)


def start_watchdog(end: Callable[[], None]) -> None:
    """Let SIGTERM end the process as Ctrl-C does, and another thread call `end` if it goes on."""
    if os.name != "posix":  # elsewhere signals write to sockets only
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _hear_termination)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def receive(timeout: float | None) -> bytes:
        if not select.select([reader], [], [], timeout)[0]:
            raise TimeoutError
        return os.read(reader, 4096)

    threading.Thread(target=watch, args=(receive, end), daemon=True).start()


def _hear_termination(number: int, frame: Any) -> NoReturn:
    """End the work as Ctrl-C does, once: some send SIGTERM to the process and to its group."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def watch(
    receive: Receive, end: Callable[[], None], clock: Callable[[], float] = time.monotonic
) -> None:
    """Wait for Ctrl-C; call `end` if the process continues, at once on a second Ctrl-C.

    Code that saves the results of interrupted work may continue: see `announce_saving` and
    `owe_saving`.
    """
    n_asked, end_s = 0, math.inf
    while n_asked < 2:
        is_owed = is_saving_owed()
        try:
            left_s = None if math.isinf(end_s) or is_saving() else max(0.0, end_s - clock())
            received = receive(left_s)
        except TimeoutError:
            if is_owed:
                end_s = clock() + PATIENCE_S
            elif not is_saving():
                break
            continue
        n_asked += subtract_own(received.count(signal.SIGINT))
        if any(number in received for number in ENDS):  # repeated signals do not postpone the end
            end_s = min(end_s, clock() + PATIENCE_S)
    end()


def exit_now(code: object = 130) -> NoReturn:
    """End the process, as interrupted if nothing else is said, without waiting for any thread."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code if isinstance(code, int) else code is not None)


def _is_thread_left_behind() -> bool:
    """Whether a thread still works; not imported for that, where nobody has started one."""
    tasks = sys.modules.get("treegen.tasks.background")
    return tasks is not None and tasks.is_thread_left_behind()


def _give_up(written: list[str]) -> None:
    """Print what was written, leave no temporary file, and end the process."""
    from .main import describe_written, say
    from .time_limit import describe_stop

    try:
        if sys.stderr.isatty():
            sys.stderr.write(SHOW_CURSOR)
        remove_temporaries()
        say(f"{describe_stop()}; {describe_written(written)}")
    finally:
        os._exit(130)
