"""The program from its start to its exit code: all commands, standard streams, errors, Ctrl-C."""

from __future__ import annotations

import errno
import io
import math
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import click

from .. import __version__
from .._files import WRITTEN, explain_stream
from ..errors import TimeLimitError, TreegenError, TreegenWarning
from ..jit.memory import share_address_space
from ..tasks.work import PROCESS
from .command import OTHER, PROGRAM, Command, LazyGroup

COMMANDS = {
    "games": ("analyse:games", "List the games, or show the size of one."),
    "strategies": ("analyse:strategies", "List the named strategies with rule and source."),
    "build": ("build:build", "Build the complete tree of a strategy."),
    "stats": ("analyse:stats", "Show the statistics of a tree."),
    "export": ("formats:export", "Write a tree as text, diagram, graph or table."),
    "import": ("formats:import_", "Read a tree from text or a table."),
    "verify": ("verify:verify", "Play every secret and check the file's claims."),
    "certify": ("verify:certify", "Write a proof of a tree's bound that anybody can check."),
    "check": ("verify:check", "Check such a proof, without the search."),
    "diff": ("analyse:diff", "Show where two trees differ, and what it costs."),
    "explain": ("analyse:explain", "Show why a state's guess is the best, tie by tie."),
    "compare": ("analyse:compare", "Compare strategies for one game."),
    "openings": ("analyse:openings", "Rank the first guesses of a game."),
    "patterns": (
        "build:patterns",
        "Write one table for each color pattern (colors known, places not).",
    ),
    "simulate": ("analyse:simulate", "Play seeded games, of any size, and count the guesses."),
    "play": ("play:play", "Let a tree or a strategy break a code."),
    "apply": ("analyse:apply", "Add to rows what a tree announces for them."),
    "score": ("play:score", "Print the answer to a guess."),
    "manifest": (
        "analyse:manifest",
        "Print size, sha256 and statistics of files, for sha256sum -c.",
    ),
    "warmup": ("machine:warmup", "Compile all kernels now."),
    "cache": ("machine:cache", "Show where compiled code is kept; remove it."),
    "completion": ("machine:completion", "Print the lines that make a shell complete."),
    "plugins": ("machine:plugins", "List the plug-ins that are installed."),
    "help": ("main:help_", "Show the help of a command."),
    "version": ("main:version", "Print the version."),
}


@click.command(
    cls=LazyGroup,
    commands_of=COMMANDS,
    name="treegen",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="treegen")
def cli() -> None:
    """Decision trees for Mastermind, Bulls and Cows and their relatives.

    GAME is a name such as p4c6r (4 pegs, 6 colors, repetition) or p4c10n (no repetition), or a
    codebook file; FILE is a .tree or .tgt file; - is standard input or output.
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 check failed, 2 bad usage or file, 130 stopped."""
    WRITTEN.begin()
    PROCESS.begin()
    _is_end_said.clear()
    share_address_space()
    with standard_streams():
        try:
            with keep_interrupts(), _print_warnings():
                # Shells complete each of the two names of the program.
                name = OTHER if "_MASTERMIND_TREEGEN_COMPLETE" in os.environ else PROGRAM
                if any(variable.endswith("TREEGEN_COMPLETE") for variable in os.environ):
                    from . import machine as machine  # which knows PowerShell, too
                try:
                    code: object = cli.main(args=args, prog_name=name, standalone_mode=False)
                except SystemExit:  # click's exception for a reader that went away
                    raise BrokenPipeError from None
                finally:
                    if WRITTEN.replaceable:
                        from .output import tell_replaced

                        tell_replaced()
                sys.stdout.flush()
        except BaseException as error:
            code = _end(error)
        finally:
            WRITTEN.end()
            PROCESS.end()
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _print_warnings() -> Iterator[None]:
    """Print treegen's own warnings as one line; show others as Python does."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def show_ours(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if isinstance(message, TreegenWarning):
                say(message.to_shell())
            else:
                show(message, category, *where)

        warnings.showwarning = show_ours  # type: ignore[assignment]
        yield


def _end(error: BaseException) -> int:
    """Print what ended the command, and return the exit code; raise what is a bug of treegen."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.ctx.get_help(), err=True)
            return 2
        case click.UsageError():
            advice = f" (try '{error.ctx.command_path.rstrip()} --help')" if error.ctx else ""
            text = error.format_message()
            if isinstance(error, click.NoSuchOption):  # before the name of a command
                text = f"there is no option {error.option_name!r:.80} here"
                text += ": a command's options come after its name"
            return _fail(f"{text}{advice}")
        case click.ClickException():
            return _fail(error.format_message())
        case TimeLimitError():  # no mistake, but an end like Ctrl-C
            _say_end(error.kept or WRITTEN.describe())
            return 130
        case TreegenError():
            return _fail(error.to_shell())
        case UnicodeError():
            return _fail(f"the input is not UTF-8 text: {error}")
        case MemoryError():
            return _fail(f"memory ran out; {WRITTEN.describe()}")
        case KeyboardInterrupt() | click.Abort():
            # The original exception says what is kept; click raises another one from it.
            kept = str(error.__cause__ or error)
            _say_end(kept or WRITTEN.describe())
            return 130
        case BrokenPipeError():
            # The reader of a pipe went away: not an error of treegen.
            drop(sys.stdout)
            return 0
        case OSError():
            drop(sys.stdout)
            return _fail(explain_stream(error))
    raise error


def _say_end(kept: str) -> None:
    """Say what ended the command and what it kept, once: two threads may come to it."""
    if not _is_end_said.is_set():
        _is_end_said.set()
        say(f"{PROCESS.describe_stop()}; {kept}")


_is_end_said = threading.Event()


def _fail(message: str) -> int:
    say(message)
    return 2


@click.command(cls=Command, name="help")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def help_(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show what treegen does, or the help of COMMAND, such as treegen help export svg."""
    shown = ctx.find_root()
    for word in words:
        group = shown.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{shown.command_path} has no commands of its own", shown)
        name, command, _ = group.resolve_command(shown, [word])
        if command is None:
            group.resolve_command(shown, [word])
            continue
        shown = click.Context(command, info_name=name, parent=shown)
    click.echo(shown.command.get_help(shown))


@click.command(cls=Command)
def version() -> None:
    """Print the version."""
    click.echo(f"treegen, version {__version__}")


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


@contextmanager
def guard() -> Iterator[None]:
    """End the process with the SystemExit of the command line inside, whatever hangs."""
    start_watchdog(_give_up)
    try:
        yield
    except SystemExit as ended:
        if ended.code == 130 or PROCESS.has_left_threads:
            exit_now(ended.code)  # not waiting for threads that are no longer needed
        raise


def start_watchdog(end: Callable[[], None]) -> None:
    """Let SIGTERM end the process as Ctrl-C does, and another thread call `end` if it continues."""
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
        WRITTEN.remove_temporaries()
        _say_end(WRITTEN.describe())
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


def drop(stream: Any) -> None:
    """Discard what is still unwritten, or Python would try again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Closed(io.RawIOBase):
    """A stream that was closed before the start."""

    was_closed = True  # which tells it from others

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
