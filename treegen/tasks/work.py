"""How work proceeds and ends: who does it, its progress, what stops it, what is kept then.

`PROCESS` holds what the end of this process depends on: what ended the work, what is owed or being
saved, the threads that still work.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._options import POSITIVE, check_range, check_texts, check_whole
from ..errors import ClusterError, Interrupted, SearchStoppedError, TimeLimitError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .checkpoint import Notice


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
        """Return the reason why the work ended."""
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
            if is_main:
                self._n_main += 1
            if timer is not None:
                timer.start()
            if self.is_called:
                raise KeyboardInterrupt
            yield
        finally:
            try:
                if is_main:  # no other thread writes it
                    self._n_main -= 1
                with self._lock:  # from here on it interrupts nobody: a call that began strikes now
                    pass
            finally:
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
        self.left_behind: list[threading.Thread] = []  # that nobody waits for any more
        self._n_sent = 0
        self.stopped_by: Stop | None = None  # what interrupted the main thread, if not Ctrl-C
        self._here = threading.local()  # `stops`: those of another thread's work
        self._saving: set[int] = set()  # threads
        self._owed: list[str] = []

    def begin(self) -> None:
        """Forget the last command: a new one begins."""
        self.began_s = None
        self.forget_stop()
        self.forget_saving()

    def end(self) -> None:
        """Forget the command, which is over: the process may go on with other work."""
        self.began_s = None

    def send_interrupt(self) -> None:
        """Send SIGINT to the main thread, running or blocked; it does not count as the user's."""
        self._n_sent += 1
        if hasattr(signal, "pthread_kill") and (ident := threading.main_thread().ident):
            signal.pthread_kill(ident, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    def subtract_sent(self, n_signals: int) -> int:
        """Return the number of interrupts, each counted once, not sent by `send_interrupt`."""
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
        """Return the reason why the work ended, for a message that names what is kept."""
        return "interrupted" if self.stopped_by is None else self.stopped_by.describe()

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
        """Whether work continues that saves what it has before it ends."""
        return bool(self._owed)

    def announce_saving(self) -> None:
        """Say that interrupted work continues only to keep what it has: it may take its time."""
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


@dataclass(frozen=True, slots=True)
class Progress:
    """How far some work is.

    Attributes
    ----------
    stage
        What is being done.
    done, total
        How much of it is done, of how much; both in the same unit. `total` is None while it is
        not known.
    note
        The same for people, with what else is known: rate, memory, the best result so far.

    Examples
    --------
    >>> print(Progress("games", 3, 10, "3 of 10"))
    games: 3 of 10
    """

    stage: str
    done: float
    total: float | None
    note: str

    def __str__(self) -> str:
        return f"{self.stage}: {self.note}"


ProgressOption = bool | Callable[[Progress], object] | None
"""A callable, True for a bar, None or False for nothing."""

OnProgress = Callable[[Progress], object]
"""Takes the progress of some work, in the thread that does it."""

Look = Callable[[], object]
"""Called now and then by work that waits or has several steps; it may raise, to end the work."""


def report_count(on_progress: OnProgress | None, stage: str, done: int, total: int) -> None:
    """Report a count of work done, and of how much."""
    if on_progress is not None:
        on_progress(Progress(stage, done, total, f"{done:,} of {total:,}"))


@contextmanager
def open_progress(progress: ProgressOption, title: str) -> Iterator[OnProgress | None]:
    """Yield the function that takes progress; a bar lasts as long as the context."""
    if progress is None or progress is False:
        yield None
    elif progress is not True and not callable(progress):
        raise TypeError(f"progress= is True, False or a function, not {progress!r:.80}")
    elif progress is True:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        console = Console()
        if not console.is_jupyter:  # the standard output is for results
            console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(_BAR_WIDTH),
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
        )
        # Title and note leave the bar its width; the time takes 7 columns, spaces 3.
        title = _cut(title, console.width // 3)
        room = console.width - len(title) - _BAR_WIDTH - 11
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task(title, total=None, note="")
            yield lambda state: bar.update(
                task, completed=state.done, total=state.total, note=_cut(state.note, room)
            )
    else:
        yield progress


_BAR_WIDTH = 20


def _cut(text: str, width: int) -> str:
    """Return a text that is not wider; what is cut off is marked."""
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"


def count_jobs(jobs: int | None) -> int:
    """Return the number of threads to use: at most one for each core, which is the default."""
    check_whole(jobs=jobs)
    return count_cores() if jobs is None else min(jobs, count_cores())


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_patience(scheduler: str | None, patience: float | None) -> None:
    """Raise UsageError for patience without a scheduler, or patience that is not positive."""
    check_texts(scheduler=scheduler)
    check_range(POSITIVE, patience=patience)
    if patience is not None and scheduler is None:
        raise UsageError("`patience` needs `scheduler`")


def add_rest(notice: Notice | None, folder: str | os.PathLike[str] | None) -> Notice:
    """Return a notice that adds what a folder keeps of the work."""
    if notice is None:
        return lambda _: None
    rest = "" if folder is None else f"; {describe_rest(folder)}"
    return lambda text: notice(text + rest)


def describe_rest(folder: str | os.PathLike[str] | None) -> str:
    """Return a sentence on what a folder keeps of work that ended early."""
    if folder is None:
        return "no tree was written (with `resume=DIR` what is finished is kept)"
    return f"what is finished is in {os.fspath(folder)}: the same command resumes from there"


@contextmanager
def tell_what_is_kept(folder: str | os.PathLike[str] | None) -> Iterator[None]:
    """Add what is kept of the work to the error that ends it early."""
    try:
        yield
    except ClusterError as error:
        raise ClusterError(f"{error.args[0]}; {describe_rest(folder)}") from error
    except SearchStoppedError as error:
        if folder is None:
            raise
        raise SearchStoppedError(f"{error.args[0]}; {describe_rest(folder)}") from error
    except MemoryError as error:
        raise UsageError(f"memory ran out; {describe_rest(folder)}") from error
    except KeyboardInterrupt as error:
        if folder is None:
            raise
        raise KeyboardInterrupt(describe_rest(folder)) from error


@contextmanager
def end_in_time(limit: Stop, least_s: float = 0.0) -> Iterator[None]:
    """Raise TimeLimitError when the time of the work inside is over."""
    if limit.time_limit is None:
        yield
        return
    try:
        with limit.interrupt(least_s):
            yield
    except KeyboardInterrupt as interrupt:
        limit.explain(interrupt)
        raise
