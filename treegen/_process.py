"""The process: what ends it and when, what it leaves behind, its standard streams.

`PROCESS` holds what its end depends on: the limit that ended the work, what is still to be saved,
the files that were written, and those that must not stay.
"""

from __future__ import annotations

import errno
import io
import math
import os
import select
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

from ._options import POSITIVE, check_range
from .errors import Interrupted, SearchStoppedError, TimeLimitError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Stop:
    """What ends some work: a call from any thread, or a time limit.

    As a context it ends the work inside as Ctrl-C does, but in any thread: what runs keeps and
    raises what it does then. The context ends with SearchStoppedError, after a time limit with
    TimeLimitError; `Interrupted`, which has the result so far, passes as it is. The main thread is
    interrupted wherever it is, another one where it next waits or begins a step.

    Parameters
    ----------
    time_limit
        Call it when this many seconds are over; None: never.
    began_s
        When they began, by `time.monotonic`; None: when a command began to read its game, else now.

    Attributes
    ----------
    is_called : bool
        Whether the work is to end.

    Raises
    ------
    UsageError
        The time limit is not positive.

    Examples
    --------
    >>> import threading, treegen
    >>> stop = treegen.Stop()
    >>> threading.Timer(0.5, stop.call).start()  # or the button of a page
    >>> try:
    ...     with stop:
    ...         treegen.build("p5c8r", "optimal")
    ... except (treegen.SearchStoppedError, treegen.Interrupted) as end:
    ...     tree = getattr(end, "result", None)  # the best so far, if there is one
    """

    def __init__(self, time_limit: float | None = None, began_s: float | None = None) -> None:
        check_range(POSITIVE, time_limit=time_limit)
        self.time_limit = time_limit
        self.began_s = began_s or PROCESS.began_s or time.monotonic()
        self.is_called = False
        self._flags: dict[int, NDArray[np.int64]] = {}
        self._lock = threading.Lock()
        self._n_main = 0  # contexts that the main thread is in
        self._entered: list[AbstractContextManager[None]] = []

    def call(self) -> None:
        """End the work, from any thread; what begins later in its context ends at once."""
        self.is_called = True
        for flag in list(self._flags.values()):
            flag[0] = 1
        with self._lock:
            if self._n_main:
                PROCESS.interrupt_for(self)

    def check(self) -> None:
        """Raise SearchStoppedError if it was called."""
        if self.is_called:
            raise SearchStoppedError(self.describe())

    @property
    def is_late(self) -> bool:
        """Whether the time limit, if any, is over: for work that looks at the time itself."""
        limit = self.time_limit
        return limit is not None and time.monotonic() - self.began_s > limit

    def describe(self) -> str:
        """Return what ended the work."""
        if self.time_limit is None:
            return "the work was stopped"
        return f"the time limit of {self.time_limit:g} s is over"

    @contextmanager
    def listen(self, flag: NDArray[np.int64]) -> Iterator[None]:
        """Set a kernel's flag when called; raise SearchStoppedError at the end if that happened.

        So the unfinished result of a kernel is never used.
        """
        self._flags[id(flag)] = flag
        try:
            self.check()
            yield
            self.check()
        finally:
            del self._flags[id(flag)]

    @contextmanager
    def interrupt(self, least_s: float = 0.0) -> Iterator[None]:
        """Raise KeyboardInterrupt in the work inside when called.

        Ctrl-C may be ignored, as after a shell's ``&``; this is not. Threads but the main one are
        interrupted where they call `Process.check_stop`, as all that waits does. A shorter time
        limit strikes after `least_s`.
        """
        is_main = threading.current_thread() is threading.main_thread()

        def interrupt(number: int, frame: Any) -> None:
            if PROCESS.stopped_by is not None or before is not signal.SIG_IGN:
                raise KeyboardInterrupt

        timer = None
        if self.time_limit is not None:
            left_s = max(0.0, self.began_s + max(self.time_limit, least_s) - time.monotonic())
            timer = threading.Timer(min(left_s, threading.TIMEOUT_MAX), self.call)
            timer.daemon = True
        if is_main:
            PROCESS.forget_stop()
            before = signal.signal(signal.SIGINT, interrupt)
        else:
            PROCESS.heed(self)
        try:
            with self._lock:
                self._n_main += is_main
            if timer is not None:
                timer.start()
            if self.is_called:
                raise KeyboardInterrupt
            yield
        finally:
            with self._lock:  # from here on it interrupts nobody, or it already has
                self._n_main -= is_main
            if timer is not None:
                timer.cancel()
            if is_main:
                signal.signal(signal.SIGINT, before)
            else:
                PROCESS.disregard(self)

    def __enter__(self) -> Stop:
        context = self.interrupt()
        try:
            context.__enter__()
        except KeyboardInterrupt as interrupt:  # it was called before
            self.explain(interrupt)
            raise
        self._entered.append(context)
        return self

    def __exit__(self, *raised: Any) -> None:
        self._entered.pop().__exit__(*raised)
        if isinstance(raised[1], KeyboardInterrupt) and not isinstance(raised[1], Interrupted):
            self.explain(raised[1])

    def explain(self, interrupt: KeyboardInterrupt) -> None:
        """Raise what an interrupt means where this stop was its reason."""
        if self.is_called and self.time_limit is not None:
            raise TimeLimitError(self.describe(), str(interrupt)) from interrupt
        if self.is_called:
            raise SearchStoppedError(self.describe()) from interrupt


READING_S = 1.0
"""A file that is read within this time is used, however short the time limit is."""


class Process:
    """How a process ends."""

    def __init__(self) -> None:
        self.began_s: float | None = None  # when a command began to read what it works on
        # Of a command: paths, ``-`` for the standard output. None in a library's process.
        self.written: list[str] | None = None
        # What identifies the file that is at a path before the command replaces it.
        self.replaceable: dict[str, tuple[int, ...]] = {}
        self.left_behind: list[threading.Thread] = []  # that nobody waits for any more
        self._n_sent = 0
        self.stopped_by: Stop | None = None  # what interrupted the main thread, if not Ctrl-C
        self._here = threading.local()  # `stops`: those of another thread's work
        self._temporary: set[str] = set()
        self._saving: set[int] = set()  # threads
        self._owed: list[str] = []

    def begin(self) -> None:
        """Forget the last command: a new one begins."""
        self.began_s = None
        self.written = []
        self.replaceable.clear()
        self.forget_stop()
        self.forget_saving()

    def end(self) -> None:
        """Forget the command, which is over: the process may go on with other work."""
        self.written = self.began_s = None

    def note_written(self, path: str) -> None:
        """Keep that a command wrote a file, for its last message."""
        if self.written is not None:
            self.written.append(path)

    def send_interrupt(self) -> None:
        """Send SIGINT to the main thread, running or blocked; it does not count as the user's."""
        self._n_sent += 1
        if hasattr(signal, "pthread_kill") and (ident := threading.main_thread().ident):
            signal.pthread_kill(ident, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    def subtract_sent(self, n_signals: int) -> int:
        """Return how many of some interrupts, each counted once, `send_interrupt` did not send."""
        n_own = min(n_signals, self._n_sent)
        self._n_sent -= n_own
        return n_signals - n_own

    def interrupt_for(self, stop: Stop) -> None:
        """Interrupt the main thread, whose work a stop ends."""
        self.stopped_by = stop
        self.send_interrupt()

    def heed(self, stop: Stop) -> None:
        """Let `check_stop` end the work of this thread, which is not the main one."""
        self._here.stops = [*getattr(self._here, "stops", ()), stop]

    def disregard(self, stop: Stop) -> None:
        """Undo `heed`."""
        self._here.stops.remove(stop)

    def check_stop(self) -> None:
        """Raise KeyboardInterrupt if this thread's work is to end, unless it is the main one."""
        if any(stop.is_called for stop in getattr(self._here, "stops", ())):
            raise KeyboardInterrupt

    def forget_stop(self) -> None:
        """Forget what ended earlier work."""
        self.stopped_by = None

    @property
    def is_time_over(self) -> bool:
        """Whether a time limit ended the work, not Ctrl-C."""
        return self.stopped_by is not None

    def describe_stop(self) -> str:
        """Return what ended the work, for a message that goes on with what is kept of it."""
        return "interrupted" if self.stopped_by is None else self.stopped_by.describe()

    def describe_written(self) -> str:
        """Return a sentence on what the command wrote before it was ended."""
        written = dict.fromkeys(self.written or ())
        if "-" in written:
            return "the output is incomplete"
        # Parts of a tree in a folder that no longer exists are not mentioned.
        left = [path for path in written if os.path.exists(path)]  # noqa: PTH110
        if len(left) > 1:
            return f"{len(left)} files were written, the last {left[-1]!r}"
        return f"{left[0]!r} was written" if left else "nothing was written"

    @contextmanager
    def remember_temporary(self, path: str) -> Iterator[None]:
        """Name a file or folder that must not stay if the process ends meanwhile."""
        self._temporary.add(path)
        try:
            yield
        finally:
            self._temporary.discard(path)

    def remove_temporaries(self) -> None:
        """Remove all temporary files and folders that exist now."""
        for path in list(self._temporary):
            shutil.rmtree(path, ignore_errors=True)
            with suppress(OSError):
                os.unlink(path)  # noqa: PTH108 (pathlib may not be whole any more)

    @contextmanager
    def owe_saving(self, what: str) -> Iterator[None]:
        """Let an interrupt wait for the work inside, which then saves what it has."""
        self._owed.append(what)
        try:
            yield
        finally:
            self._owed.remove(what)

    @property
    def is_saving_owed(self) -> bool:
        """Whether work goes on that saves what it has before it ends."""
        return bool(self._owed)

    def announce_saving(self, what: str) -> None:
        """Say that interrupted work goes on only to keep what it has: it may take its time."""
        self._saving.add(threading.get_ident())

    @property
    def is_saving(self) -> bool:
        """Whether interrupted work of the main thread is keeping what it has."""
        return threading.main_thread().ident in self._saving

    @property
    def is_saving_here(self) -> bool:
        """Whether that of the calling thread is."""
        return threading.get_ident() in self._saving

    def forget_saving(self) -> None:
        """Forget what this thread announced: it is saved."""
        self._saving.discard(threading.get_ident())

    @property
    def has_left_threads(self) -> bool:
        """Whether a thread still works though nobody waits for it.

        Then the process must not end in the ordinary way: a compiler that runs while the libraries
        below it are taken down crashes.
        """
        return any(thread.is_alive() for thread in self.left_behind)


PROCESS = Process()


# The backstop of Ctrl-C and SIGTERM: ends a process whose main thread does not stop by itself.
#
# Python raises KeyboardInterrupt in the main thread alone, and only between two of its own
# instructions. A compiler, a long array operation, a library that waits for its threads may keep
# it from that for any time. What the signal itself writes to a pipe needs no main thread.


PATIENCE_S = 0.8
"""How long the main thread may take to stop by itself."""

ENDS = (signal.SIGINT, signal.SIGTERM)
"""The signals that ask for the end: Ctrl-C, and what batch systems and containers send."""

SHOW_CURSOR = "\x1b[?25h\n"
"""For a terminal whose cursor a progress bar has hidden."""

Receive = Callable[[float | None], bytes]
"""Returns the signals received, as bytes; raises TimeoutError after this many seconds."""


def run_guarded(run: Callable[[], object]) -> NoReturn:
    """Run a command line that ends with SystemExit, and end the process with it, whatever hangs."""
    start_watchdog(_give_up)
    try:
        run()
    except SystemExit as ended:
        if ended.code == 130 or PROCESS.has_left_threads:
            exit_now(ended.code)  # not waiting for threads that are no longer needed
        raise
    sys.exit(0)


def start_watchdog(end: Callable[[], None]) -> None:
    """Let SIGTERM end the process as Ctrl-C does, and another thread call `end` if it goes on."""
    if os.name != "posix":  # elsewhere signals write to sockets only
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end_on_termination)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def receive(timeout: float | None) -> bytes:
        if not select.select([reader], [], [], timeout)[0]:
            raise TimeoutError
        return os.read(reader, 4096)

    threading.Thread(target=watch, args=(receive, end), daemon=True).start()


def _end_on_termination(number: int, frame: Any) -> NoReturn:
    """End the work as Ctrl-C does, once: some send SIGTERM to the process and to its group."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def watch(
    receive: Receive, end: Callable[[], None], clock: Callable[[], float] = time.monotonic
) -> None:
    """Wait for Ctrl-C; call `end` if the process continues, at once on a second Ctrl-C.

    Code that saves the results of interrupted work may continue: see `Process.announce_saving` and
    `Process.owe_saving`.
    """
    n_asked, end_s = 0, math.inf
    while n_asked < 2:
        is_owed = PROCESS.is_saving_owed
        try:
            left_s = None if math.isinf(end_s) or PROCESS.is_saving else max(0.0, end_s - clock())
            received = receive(left_s)
        except TimeoutError:
            if is_owed:
                end_s = clock() + PATIENCE_S
            elif not PROCESS.is_saving:
                break
            continue
        n_asked += PROCESS.subtract_sent(received.count(signal.SIGINT))
        if any(number in received for number in ENDS):  # repeated signals do not postpone the end
            end_s = min(end_s, clock() + PATIENCE_S)
    end()


def exit_now(code: object = 130) -> NoReturn:
    """End the process, as interrupted if nothing else is said, without waiting for any thread."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code if isinstance(code, int) else code is not None)


def _give_up() -> None:
    """Print what was written, leave no temporary file, and end the process."""
    try:
        if sys.stderr.isatty():
            sys.stderr.write(SHOW_CURSOR)
        PROCESS.remove_temporaries()
        say(f"{PROCESS.describe_stop()}; {PROCESS.describe_written()}")
    finally:
        os._exit(130)


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

    def resend(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            old_hook(unraisable)
            return
        again.append(threading.Timer(RETRY_SECONDS, PROCESS.send_interrupt))
        again[-1].daemon = True
        again[-1].start()

    sys.unraisablehook = resend
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


MAX_LINE = 450
"""Longer messages lose their middle: what the user typed may have any length."""


@contextmanager
def standard_streams() -> Iterator[None]:
    """Give every standard stream something to read from or write to, and undo it at the end.

    A closed input or output fails where it is used, and only there; messages for a closed or broken
    standard error are lost, never the work that they report. All but a terminal is UTF-8.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    _fill_descriptors()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(_Closed("input")))
    if not sys.stdout:
        # Without its own buffer, nothing is left in it for Python to write at exit.
        raw: Any = _Closed("output")
        sys.stdout = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # The console's encoding is for what people see; programs read and write UTF-8.
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            with suppress(io.UnsupportedOperation):  # an input of which something was read
                stream.reconfigure(encoding="utf-8", errors=stream.errors)
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
    with suppress(OSError, ValueError, AttributeError):
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


def say(message: str) -> None:
    """Print one line about the command, whatever the message contains."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(message.split()))
    if len(line) > MAX_LINE:
        line = f"{line[: MAX_LINE * 2 // 3]} … {line[-MAX_LINE // 3 :]}"
    print(f"treegen: {line}", file=sys.stderr, flush=True)  # noqa: T201
