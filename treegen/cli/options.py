"""Arguments and options that several commands share, and what the shell completes of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from glob import escape, glob
from typing import Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from .._options import SYMBOLS, Option
from ..errors import UsageError, write_options
from ..formats.inputs import GAME_OPTIONS as DECLARED
from ..formats.inputs import GameOptions
from ..games.base import Game
from ..games.names import list_aliases
from ..tasks.work import PROCESS, READING_S, Stop
from .output import GroupedOption, Output, add_option, checks_outputs, open_file

# What the shell completes: file names, and the names of games and strategies.
#
# Each is a parameter type: it accepts any text, as ``str`` does, and knows what to offer.


class CompletedText(click.types.StringParamType):
    """Any text; the shell offers names, and also files or folders.

    `names` returns names, given what is typed so far; it is called only during completion, so it
    may import what it needs. `place` is ``"file"`` or ``"dir"`` if a path is allowed too, else
    ``""``.
    """

    def __init__(
        self, names: Callable[[str], Iterable[str]] | None = None, place: str = ""
    ) -> None:
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
    return [
        *list_aliases(),
        *list_aliases().values(),
        "p4c6n",
        "p4c6rb",
        "range100",
        "coins12",
        "pool5",
    ]


def _list_strategies(incomplete: str) -> list[str]:
    """Return the names, or after a comma what may come next in a chain."""
    from ..strategies.named import list_names
    from ..strategies.strategy import list_criteria, list_tie_breaks

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


TYPES = {"FILE": FILE, "DIR": FOLDER, "X.proof": FILE, "X.table": FILE}
TYPES |= {"strategy": STRATEGY, "strategies": STRATEGY_OR_FILE, "game": GAME}
"""Of options by their metavar or name."""


def make_option(option: Option, **settings: Any) -> click.Option:
    """Return an option of a function or a format as the command line has it.

    Its range is checked where it is used: the library refuses what is out of it. `settings` are
    those of click that it has only in a shell.
    """
    flags = (option.flag or f"--{option.name.replace('_', '-')}").split("/")
    given: dict[str, Any] = {
        "help": option.write_help(in_shell=True),
        "metavar": option.metavar,
        "group": option.group,
        "default": option.default,
        "show_default": option.kind is not bool and option.default is not None,
    }
    if option.kind is bool:
        given |= {"is_flag": True, "flag_value": not option.default}
    elif isinstance(option.kind, type):
        given["type"] = TYPES.get((option.metavar or "").rpartition("|")[2], option.kind)
        given["type"] = TYPES.get(option.name, given["type"])
        given["callback"] = take_folder if option.metavar == "DIR" else None
    else:
        choices = option.kind() if callable(option.kind) else option.kind
        given |= {"type": click.Choice(list(choices)), "show_default": True}
    return GroupedOption([*flags, option.name], **given | settings)


def _make_switch(option: Option) -> click.Option:
    """Return the flag that is another name of an option with one of its values."""
    flag, value = option.switch
    help_text = f"Another name of --{option.name} {value}."
    return GroupedOption([flag, option.name], flag_value=value, help=help_text, group=option.group)


def file_argument(name: str = "file") -> Callable[[F], F]:
    """Add FILE, a file that holds a tree."""
    return click.argument(name, type=FILE)


files_argument = click.argument("files", type=FILE, metavar="FILE...", nargs=-1, required=True)
"""Files that hold trees."""


def game_argument(function: F) -> F:
    """Add GAME with the options that games need."""
    return click.argument("game", type=GAME)(game_options(function))


def games_argument(function: F) -> F:
    """Add GAME|FILE... with the options that games need."""
    named = click.argument("games", type=GAME, metavar="[GAME|FILE]...", nargs=-1)
    return named(game_options(function))


def _unset(option: Option) -> Option:
    """Return an option without a value unless it is given; a flag has one."""
    return option._replace(default=option.default if option.kind is bool else None)


GAME_OPTIONS = tuple(map(_unset, DECLARED.values()))
"""The options of `treegen.open_game`."""


def game_options(function: F) -> F:
    """Add the options of `treegen.open_game`; the function gets them as one mapping, `rules`."""
    return add_options(*GAME_OPTIONS)(function)


def row_options(function: F) -> F:
    """Add those that say how the rows of a table are read."""
    names = ("ignore", "header", "unknown", "sets", "separator")
    return add_options(
        *(each._replace(group="Rows") for each in GAME_OPTIONS if each.name in names)
    )(function)


json_option = add_option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output")
csv_option = add_option(
    "--csv",
    "table",
    type=FILE,
    metavar="OUT",
    help="Write the results as CSV; - is stdout.",
    group="Output",
)
quiet_option = add_option(
    "-q", "--quiet", is_flag=True, help="No progress, no summary.", group="Output"
)


def refuse_two_streams(table: str | None, as_json: bool) -> None:
    """Raise UsageError if CSV and JSON would be mixed."""
    if as_json and table == "-":
        raise UsageError("--json and --csv - both go to standard output: use only one")


def take_folder(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the name of a folder; ``-``, elsewhere a stream, is not allowed."""
    if value == "-":
        raise click.BadParameter("a folder is needed: '-' is a stream (./- is a folder)")
    return value


def output_option(
    *kinds: str, default: str | None = None, by_style: Mapping[str, str] | None = None
) -> Callable[[F], F]:
    """Add -o and --force; `Command` checks the output.

    The path's ending chooses one of the kinds (keys of `treegen._files.KINDS`), the first if
    it names none; without any, the output is a folder. Without a default the option is required.
    `by_style` has the kinds that a ``--style`` makes, if not the usual one.
    """
    # click treats an explicit default of None as a value: then nothing would be required.
    given: dict[str, Any] = {"required": True} if default is None else {"default": default}
    option = add_option(
        "-o",
        "--output",
        group="Output",
        type=FILE if kinds else FOLDER,
        metavar="OUT" if kinds else "DIR",
        callback=None if kinds else take_folder,
        help="Where it goes; - is the standard output." if kinds else "The folder it goes to.",
        **given,
    )
    check = checks_outputs(Output("output", kinds, by_style=by_style or {}))
    return lambda function: option(check(function))


def open_game(text: str, rules: Mapping[str, Any]) -> Game:
    """Return the game that GAME names, by the rules of `game_options`; ``-`` is standard input."""
    from ..formats.inputs import open_game

    if text == rules["guesses"] == "-":
        raise UsageError("GAME and --guesses cannot both be read from the standard input")
    context = click.get_current_context()
    limit = Stop(context.params.get("time_limit"))
    PROCESS.began_s = limit.began_s  # a long list takes seconds: they count
    with limit.interrupt(READING_S):
        game = open_game(open_file(text), notice=notify, **open_rules(rules))
    if game.reading and not context.params.get("quiet"):
        notify(game.reading)
    return game


def open_rules(rules: Mapping[str, Any]) -> GameOptions:
    """Return the options of a game that were given, as functions take them; ``-`` is a stream."""
    files = ("guesses", "weights", "costs")
    opened = {name: open_file(rules[name]) for name in files if rules[name] is not None}
    given = {each.name for each in GAME_OPTIONS if rules[each.name] != each.default}
    return cast(GameOptions, {name: {**rules, **opened}[name] for name in given})


def notify(text: str) -> None:
    """Print what the user should know to standard error, its options as a shell has them."""
    click.echo(f"treegen: {write_options(text, in_shell=True)}", err=True)


def build_options(*names: str) -> Callable[[F], F]:
    """Add options of `treegen.build`, all of a shell if none are named; none has a default."""
    from ..job import OPTIONS

    known = [option for option in OPTIONS if option.group]
    wanted = [option for option in known if not names or option.name in names]
    return add_options(*(option._replace(default=None) for option in wanted))


def scheduler_option(function: F) -> F:
    """Add --scheduler and --patience."""
    return build_options("scheduler", "patience")(function)


def add_options(*options: Option, **settings: Any) -> Callable[[F], F]:
    """Add options of the library to a command; `settings` are click's own."""

    def decorate(function: F) -> F:
        made: Any = function
        for option in reversed(options):
            # click keeps what decorators add in this list, the last one first.
            ways = [_make_switch(option)] * any(option.switch) + [make_option(option, **settings)]
            made.__dict__.setdefault("__click_params__", []).extend(ways)
        return function

    return decorate


symbols_option = add_options(SYMBOLS._replace(name="symbols"))
