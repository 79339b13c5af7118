"""The group of all commands, and what a user sees of an error."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from .. import __version__
from .._files import WRITTEN
from ..errors import TimeLimitError, TreegenError, TreegenWarning, UsageError
from ..jit.memory import share_address_space
from ..tasks.stopping import PROCESS
from .command import OTHER, PROGRAM, Command, LazyGroup
from .process import drop, keep_interrupts, say, standard_streams

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
    share_address_space()
    with standard_streams():
        try:
            with keep_interrupts(), _tell_warnings():
                code = _run(args)
        except BaseException as error:
            code = _end(error)
        finally:
            WRITTEN.end()
            PROCESS.end()
    sys.exit(code if isinstance(code, int) else 0)


def _run(args: Sequence[str] | None) -> object:
    try:
        # Shells complete each of the two names of the program.
        name = OTHER if "_MASTERMIND_TREEGEN_COMPLETE" in os.environ else PROGRAM
        if any(variable.endswith("TREEGEN_COMPLETE") for variable in os.environ):
            from . import machine as machine  # which knows PowerShell, too
        code: object = cli.main(args=args, prog_name=name, standalone_mode=False)
    except SystemExit:  # click's exception for a reader that went away
        raise BrokenPipeError from None
    finally:
        if WRITTEN.replaceable:
            from .output import tell_replaced

            tell_replaced()
    sys.stdout.flush()
    return code


@contextmanager
def _tell_warnings() -> Iterator[None]:
    """Print treegen's own warnings as one line; show others as Python does."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def tell(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if isinstance(message, TreegenWarning):
                say(str(message))
            else:
                show(message, category, *where)

        warnings.showwarning = tell  # type: ignore[assignment]
        yield


def _end(error: BaseException) -> int:
    """Print what ended the command, and return the exit code; raise what is a bug of treegen."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.ctx.get_help(), err=True)
            return 2
        case click.UsageError():
            advice = f" (try '{error.ctx.command_path} --help')" if error.ctx else ""
            return _fail(f"{error.format_message()}{advice}")
        case click.ClickException():
            return _fail(error.format_message())
        case UsageError():
            return _fail(error.to_shell())
        case TimeLimitError():  # no mistake, but an end like Ctrl-C
            say(f"{PROCESS.describe_stop()}; {error.kept or WRITTEN.describe()}")
            return 130
        case TreegenError():
            return _fail(str(error))
        case UnicodeError():
            return _fail(f"the input is not UTF-8 text: {error}")
        case MemoryError():
            return _fail(f"memory ran out; {WRITTEN.describe()}")
        case KeyboardInterrupt() | click.Abort():
            # The original exception says what is kept; click raises another one from it.
            kept = str(error.__cause__ or error)
            say(f"{PROCESS.describe_stop()}; {kept or WRITTEN.describe()}")
            return 130
        case BrokenPipeError():
            # The reader of a pipe went away: not an error of treegen.
            drop(sys.stdout)
            return 0
        case OSError():
            drop(sys.stdout)
            return _fail(f"{error.strerror or error}")
    raise error


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
