"""Arguments and options that several commands share, and what the shell completes of them."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from glob import escape, glob
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click
from click.shell_completion import CompletionItem

from .output import Output, checks_outputs

if TYPE_CHECKING:
    from .._inputs import GameOptions
    from ..games import Game

# What the shell completes: file names, and the names of games and strategies.
#
# Each is a parameter type: it accepts any text, as ``str`` does, and knows what to offer.


Names = Callable[[str], Iterable[str]]


class CompletedText(click.types.StringParamType):
    """Any text; the shell offers names, and also files or folders.

    Parameters
    ----------
    names
        Returns names, given what is typed so far; called only during completion, so it may import
        what it needs.
    place
        ``"file"`` or ``"dir"`` if a path is allowed too, otherwise ``""``.
    """

    def __init__(self, names: Names | None = None, place: str = "") -> None:
        self.names = names
        self.place = place

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the matching names and paths."""
        names = self.names(incomplete) if self.names else ()
        items = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        if not self.place:
            return items
        if not items:
            return [CompletionItem(incomplete, type=self.place)]
        # bash lists words or its own paths, never both: with words, list the paths as words.
        return [*items, *(CompletionItem(path) for path in list_paths(incomplete))]


def list_paths(incomplete: str) -> list[str]:
    """Return the matching paths, folders with a trailing slash."""
    paths = sorted(glob(f"{escape(incomplete)}*"))  # noqa: PTH207
    return [path + os.sep if os.path.isdir(path) else path for path in paths]  # noqa: PTH112


def _list_games(_: str) -> list[str]:
    from ..games import list_aliases

    return [*list_aliases(), *list_aliases().values(), "p4c6n", "p4c6rb", "range100", "coins12"]


def _list_strategies(incomplete: str) -> list[str]:
    """Return the names, or after a comma what may come next in a chain."""
    from ..strategies import list_criteria, list_names, list_tie_breaks

    chain, comma, _ = incomplete.rpartition(",")
    if not comma:
        return list_names()
    return [f"{chain},{word}" for word in (*list_criteria(), *list_tie_breaks())]


FILE = CompletedText(place="file")
FOLDER = CompletedText(place="dir")
GAME = CompletedText(_list_games, "file")
STRATEGY = CompletedText(_list_strategies)
STRATEGY_OR_FILE = CompletedText(_list_strategies, "file")


F = TypeVar("F", bound=Callable[..., Any])

FEEDBACK_RULES = ("pegs", "black", "position", "wordle")
ELIGIBLE = ("all", "candidates", "hints", "consistent")


def file_argument(name: str = "file") -> Callable[[F], F]:
    """Add FILE, a file that holds a tree."""
    return click.argument(name, type=FILE)


def files_argument(function: F) -> F:
    """Add FILE..., files that hold trees."""
    named = click.argument("files", type=FILE, metavar="FILE...", nargs=-1, required=True)
    return named(function)


def strategy_option(help_text: str, default: str | None = None) -> Callable[[F], F]:
    """Add -s with a name or a chain."""
    return click.option(
        "-s",
        "--strategy",
        type=STRATEGY,
        default=default,
        show_default=default is not None,
        help=help_text,
    )


def eligible_option(help_text: str) -> Callable[[F], F]:
    """Add --eligible."""
    return click.option("--eligible", type=click.Choice(ELIGIBLE), default=None, help=help_text)


def game_argument(function: F) -> F:
    """Add GAME with the options that a codebook needs."""
    return click.argument("game", type=GAME)(game_options(function))


def games_argument(function: F) -> F:
    """Add GAME|FILE... with the options that a codebook needs."""
    named = click.argument("games", type=GAME, metavar="[GAME|FILE]...", nargs=-1)
    return named(game_options(function))


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Keep an option for `open_game`, which every command calls with the game."""
    ctx.meta[f"treegen.{param.name}"] = value
    return value


def game_options(function: F) -> F:
    """Add the options that games need: codebooks, tables of answers, the goal."""
    function = _question_options(function)
    for decorate in (
        click.option(
            "--guesses",
            type=FILE,
            metavar="FILE",
            help="Codebooks: further words that may be guessed, one per line; - is stdin.",
        ),
        click.option(
            "--feedback",
            type=click.Choice(FEEDBACK_RULES),
            default=None,
            help="Codebooks: how guesses are answered (default pegs; wordle is position).",
        ),
    ):
        function = decorate(function)
    return function


def _question_options(function: F) -> F:
    """Add the options of tables of answers, and those of weights, costs and the goal."""
    for decorate in (
        click.option(
            "--strict",
            is_flag=True,
            expose_value=False,
            callback=_keep,
            help="Tables of answers: refuse candidates that no question tells apart.",
        ),
        click.option(
            "--costs",
            type=FILE,
            metavar="ROW|FILE",
            expose_value=False,
            callback=_keep,
            help="What each question costs: a row of the table, or a file of names and integers.",
        ),
        click.option(
            "--default-weight",
            metavar="NUMBER",
            expose_value=False,
            callback=_keep,
            help="What a secret counts that --weights lacks (default: that is refused).",
        ),
        click.option(
            "--weights",
            type=FILE,
            metavar="COLUMN|FILE",
            expose_value=False,
            callback=_keep,
            help="What each secret counts: a column of the table, or a file of names and numbers.",
        ),
        click.option(
            "--goal",
            type=click.Choice(["win", "identify"]),
            expose_value=False,
            callback=_keep,
            help="win: guess the secret; identify: stop when one candidate is left.",
        ),
    ):
        function = decorate(function)
    return function


def json_option(function: F) -> F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def csv_option(function: F) -> F:
    """Add --csv."""
    return click.option(
        "--csv",
        "table",
        type=FILE,
        metavar="OUT",
        help="Write the results as CSV; - is stdout.",
    )(function)


def refuse_two_streams(table: str | None, as_json: bool) -> None:
    """Raise UsageError if CSV and JSON would be mixed."""
    from ..errors import UsageError

    if as_json and table == "-":
        raise UsageError("--json and --csv - both go to standard output: use only one")


def quiet_option(function: F) -> F:
    """Add --quiet."""
    return click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")(function)


def take_folder(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the name of a folder; ``-``, elsewhere a stream, is not allowed."""
    if value == "-":
        raise click.BadParameter("a folder is needed: '-' is a stream (./- is a folder)")
    return value


def output_option(
    *kinds: str, default: str | None = None, by_style: Mapping[str, str] | None = None
) -> Callable[[F], F]:
    """Add -o and --force; the output is checked before the command runs.

    Parameters
    ----------
    *kinds
        Keys of `treegen.formats.load.KINDS`, of which the path's ending chooses one; the first if
        it names none. Without any, the output is a folder.
    default
        The option is required if there is none.
    by_style
        The kinds that a ``--style`` makes, if not the usual one.
    """
    # click treats an explicit default of None as a value: then nothing would be required.
    given: dict[str, Any] = {"required": True} if default is None else {"default": default}
    option = click.option(
        "-o",
        "--output",
        type=FILE if kinds else FOLDER,
        metavar="OUT" if kinds else "DIR",
        callback=None if kinds else take_folder,
        help="Where it goes; - is the standard output." if kinds else "The folder it goes to.",
        **given,
    )
    check = checks_outputs(Output("output", kinds, by_style=by_style or {}))
    return lambda function: option(check(function))


def tables_option(function: F) -> F:
    """Add --tables."""
    return click.option(
        "--tables",
        type=FOLDER,
        metavar="DIR",
        callback=take_folder,
        help="Compiled arrangements, for permutation.",
    )(function)


def open_game(text: str, feedback: str | None, guesses: str | None) -> Game:
    """Return the game of a name, codebook or table of answers; ``-`` is standard input.

    The goal and what else `game_options` keeps are those of the current command.
    """
    from .. import open_game
    from ..errors import UsageError

    if text == guesses == "-":
        raise UsageError("GAME and --guesses cannot both be read from the standard input")
    game = open_game(open_words(text), notice=tell, **list_rules(feedback, guesses))
    if game.reading and not click.get_current_context().params.get("quiet"):
        tell(game.reading)
    return game


def list_rules(feedback: str | None, guesses: str | None) -> GameOptions:
    """Return the options that make a game of a name or a file, for functions that take one."""
    kept = click.get_current_context().meta
    weights, costs = kept.get("treegen.weights"), kept.get("treegen.costs")
    return {
        "feedback": feedback,
        "guesses": None if guesses is None else open_words(guesses),
        "goal": kept.get("treegen.goal"),
        "weights": None if weights is None else open_words(weights),
        "default_weight": kept.get("treegen.default_weight"),
        "costs": None if costs is None else open_words(costs),
        "strict": bool(kept.get("treegen.strict")),
    }


def tell(text: str) -> None:
    """Print what the user should know to standard error."""
    click.echo(f"treegen: {text}", err=True)


def open_words(path: str) -> str | BinaryIO:
    """Return standard input for ``-``, any other path unchanged."""
    return sys.stdin.buffer if path == "-" else path


PATIENCE = "treegen.patience"
"""Where a command keeps the value of --patience."""


def scheduler_option(function: F) -> F:
    """Add --scheduler and --patience."""
    for decorate in (
        click.option(
            "--patience",
            type=click.FloatRange(0, min_open=True),
            metavar="S",
            expose_value=False,
            callback=_keep_patience,
            help="Give up a scheduler that is silent for S s (default 300).",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on a dask cluster: tcp://host:port, or its scheduler file.",
        ),
    ):
        function = decorate(function)
    return function


def find_patience() -> float | None:
    """Return what --patience says."""
    patience_s: float | None = click.get_current_context().meta.get(PATIENCE)
    return patience_s


def _keep_patience(ctx: click.Context, option: click.Parameter, value: float | None) -> None:
    """Keep what --patience says until workers are opened."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds", param=option)
    ctx.meta[PATIENCE] = value


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
