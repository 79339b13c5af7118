"""The command line is a skin of the library: the lists of options inside are compared with both."""

from __future__ import annotations

import inspect
import re
from typing import Literal, get_args, get_origin, get_type_hints

import click
import pytest

import treegen
from treegen._options import Option
from treegen.analysis import options as analysis_options
from treegen.convert import FORMATS
from treegen.formats import inputs
from treegen.formats.inputs import GameOptions
from treegen.formats.players import LANGUAGES
from treegen.games.eligible import ELIGIBLE
from treegen.games.feedback import COMPARISONS, RULES
from treegen.games.rules import Goal
from treegen.job import OPTIONS, STRATEGIES
from treegen.strategies.named import OBJECTIVES
from treegen.strategies.strategy import ORDERS

from .command import find_command, list_commands

FUNCTIONS = {
    "games": treegen.describe_game,
    "strategies": treegen.list_strategies,
    "build": treegen.build,
    "stats": treegen.stats,
    "verify": treegen.verify,
    "certify": treegen.certify,
    "check": treegen.check,
    "diff": treegen.diff,
    "explain": treegen.explain,
    "compare": treegen.compare,
    "openings": treegen.openings,
    "patterns": treegen.patterns,
    "simulate": treegen.simulate,
    "play": treegen.play,
    "manifest": treegen.manifest,
    "apply": treegen.apply,
    "warmup": treegen.warmup,
}
"""The public function of each command."""

WITHOUT_FUNCTION = {
    "export": "one function for each format: see below",
    "import": "one command for each format, and `import_tree` for all of them",
    "cache": "it is about files of the program",
    "completion": "it is about the shell",
    "help": "Python has its own",
    "plugins": "`importlib.metadata.entry_points` lists them",
    "score": "it is `Game.answer`",
    "version": "it is `treegen.__version__`",
}

PRINTING = {
    "as_json": "results have `to_dict`",
    "quiet": "the library prints nothing unless it is told to show progress",
    "force": "the library replaces files, as Python's `open` does, but those of players and pages",
    "output": "the library returns its result, which `write` writes",
    "table": "results have `generate_csv`",
}
"""Options of the command line that belong to printing."""

ALONE = {
    "build": {"symbols": "of the game: `Game.with_symbols`"},
    "openings": {"symbols": "of the game: `Game.with_symbols`"},
    "compare": {"plot": "`Comparison.plot`"},
    "play": {
        "secret": "`Tree.play` of `Session.tree`",
        "limit": "of `Tree.play`",
        "picture": "`write_game`",
        "top": "`advice`",
        "candidates": "`advice`",
        "tables": "of `start_online`",
        "evil": "of `Tree.play`",
    },
    "simulate": {"plot": "a picture of a `Sample` has no method yet"},
    "verify": {"trust": "it chooses the exit code"},
    "certify": {"checker": "`write_checker`"},
    "games": {"wanted": "several names are several calls"},
}
"""Other options of the command line alone, and where they are."""

RENAMED = {
    "explain": {"file": "tree"},
    "verify": {"files": "tree"},
    "certify": {"file": "tree"},
    "stats": {"files": "trees"},
}
"""Arguments of a command whose keyword has another name."""

LIBRARY = {
    "progress": "the command line shows it on a terminal",
    "notice": "the command line prints it",
    "skip": "the command line prints the error and goes on",
    "jobs": "the command line uses all cores, unless it has --jobs",
    "folder": "of a manifest: that of its --output",
    "strategies": "an argument of `compare`",
    "format": "the command's name says it",
    "check_fallback": "the command line protects other files",
    "rules": "the options of games",
    "options": "of a format",
}
"""Parameters of the library alone."""

WRITERS = {name: format.writer for name, format in FORMATS.items() if format.writer}
EXPORTS = [name for name in WRITERS if name != "tree"]
IMPORTS = [name for name, format in FORMATS.items() if format.reader and format.reader.summary]

OF_NO_USE = {
    "histogram": dict.fromkeys(("order", "color"), "it shows no states"),
}
"""Keywords of a format's function that do nothing for the format."""

GAME_OPTIONS = set(get_type_hints(GameOptions))

SEPARATE = [each for each in vars(analysis_options).values() if isinstance(each, dict)]
DECLARED = [
    option
    for options in (STRATEGIES, inputs.GAME_OPTIONS, inputs.IMPORT_OPTIONS, *SEPARATE)
    for option in options.values()
    if isinstance(option, Option)
]
DECLARED += OPTIONS
"""The options of functions, but those of formats."""

OTHER_WORDS = {("import table", "game"): "there the table names its game"}
"""Options of commands with a help of their own."""


def options_of(command):
    return {option.name for option in command.params if isinstance(option, click.Option)}


def arguments_of(command):
    return {option.name for option in command.params if isinstance(option, click.Argument)}


def keywords_of(function):
    return set(inspect.signature(function).parameters)


def test_every_command_has_a_function():
    assert FUNCTIONS.keys() | WITHOUT_FUNCTION.keys() == {
        words[0] for words, _ in list_commands() if words
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_are_keywords_and_keywords_are_options(name):
    command, function = find_command(name), FUNCTIONS[name]
    renamed = RENAMED.get(name, {})
    options = options_of(command)
    arguments = {renamed.get(argument, argument) for argument in arguments_of(command)}
    keywords = keywords_of(function)
    takes_games = "rules" in keywords
    missing = options - keywords - PRINTING.keys() - ALONE.get(name, {}).keys()
    missing -= GAME_OPTIONS if takes_games else set()
    assert missing == set(), f"treegen.{function.__name__} has no such keyword"
    hidden = {"patience"} if "scheduler" in options else set()
    alone = keywords - options - arguments - hidden - LIBRARY.keys()
    positional = list(inspect.signature(function).parameters.values())[:2]
    alone -= {parameter.name for parameter in positional}
    assert alone == set(), f"treegen {name} has no such option"
    if takes_games:
        assert {"feedback", "guesses"} <= options
        assert GAME_OPTIONS - {"feedback", "guesses"} <= {
            parameter.name for parameter in command.params
        }


@pytest.mark.parametrize("name", EXPORTS)
def test_options_of_an_export_are_those_of_its_format(name):
    options = options_of(find_command(f"export {name}"))
    keywords = set(WRITERS[name].list_keywords()) - {"check_fallback", "force"}
    if WRITERS[name].game:
        assert options >= GAME_OPTIONS
        options -= GAME_OPTIONS
    assert options - PRINTING.keys() == keywords - OF_NO_USE.get(name, {}).keys()


@pytest.mark.parametrize(
    "write",
    [
        treegen.write_booklet,
        treegen.write_dot,
        treegen.write_graphml,
        treegen.write_json,
        treegen.write_mermaid,
        treegen.write_picture,
        treegen.write_plot,
        treegen.write_text,
    ],
)
def test_a_writer_names_the_keyword_that_was_meant(write):
    with pytest.raises(TypeError, match=rf"{write.__name__}\(\) .* did you mean 'depth'"):
        write(treegen.build("p2c2r"), "a.svg", detph=2)
    assert {"depth", "path", "symbols", "order"} <= keywords_of(write)


def test_players_and_pages_ask_for_force():
    asking = {name for name, format in WRITERS.items() if "force" in format.list_keywords()}
    assert asking == {*LANGUAGES, "html"}


def test_every_format_is_an_export():
    group = find_command("export")
    assert group.list_commands(click.Context(group)) == EXPORTS


@pytest.mark.parametrize("name", IMPORTS)
def test_options_of_an_import_are_keywords(name):
    options = options_of(find_command(f"import {name}"))
    known = keywords_of(treegen.import_tree) | PRINTING.keys() | GAME_OPTIONS
    assert options <= known


def test_game_options_are_those_of_open_game():
    assert keywords_of(treegen.open_game) == GAME_OPTIONS | {"game", "notice"}


def read_parameters(function):
    """Return what a docstring says of each parameter, on one line."""
    text = inspect.getdoc(function).partition("Parameters\n----------\n")[2]
    found = {}
    for part in re.split(r"\n(?=[*\w])", re.split(r"\n\n[A-Z]", text)[0]):
        heads, _, words = part.partition("\n")
        found |= dict.fromkeys(re.findall(r"\w+", heads), " ".join(words.split()))
    return found


@pytest.mark.parametrize("name", [*FUNCTIONS, *(f"import {name}" for name in IMPORTS)])
def test_an_option_is_explained_once(name):
    """Help and docstring show its declaration, or the docstring names the function that does."""
    function = FUNCTIONS.get(name, treegen.import_tree)
    said, keywords = read_parameters(function), keywords_of(function)
    for option in find_command(name).params:
        is_shared = option.name in (keywords | GAME_OPTIONS) - PRINTING.keys()
        is_option = isinstance(option, click.Option)
        if not (is_shared and is_option) or option.help.startswith("Another name of --"):
            continue
        declared = [each for each in DECLARED if each.name == option.name]
        shown = [each for each in declared if each.write_help(in_shell=True) == option.help]
        assert shown or (name, option.name) in OTHER_WORDS, f"--{option.name} of {name}"
        if option.name in keywords:
            words = said[option.name]
            texts = [each.write_help(in_shell=False) for each in shown or declared]
            assert words in texts or words.startswith("See `"), f"{option.name}: {words}"


def test_other_functions_refer_to_the_options_of_games():
    own = {"weights", "default_weight", "costs"}  # it takes names of columns and rows alone
    for function in (treegen.read_questions, treegen.Codebook, treegen.apply):
        said = read_parameters(function)
        for name in said.keys() & GAME_OPTIONS - own - {"strict", "guesses"}:
            assert said[name] == "See `open_game`.", (function, name)
    assert read_parameters(treegen.open_game)["names"] == inputs.GAME_OPTIONS["names"].python


def test_reasons_are_of_options_that_exist():
    commands = {name: find_command(name) for name in FUNCTIONS}
    every = set().union(*({p.name for p in command.params} for command in commands.values()))
    assert PRINTING.keys() <= every
    for name, reasons in ALONE.items():
        assert reasons.keys() <= {parameter.name for parameter in commands[name].params}


@pytest.mark.parametrize(
    ("function", "choices"),
    [
        (
            treegen.build,
            {"objective": OBJECTIVES, "eligible": ELIGIBLE, "order": ORDERS},
        ),
        (treegen.open_game, {"feedback": (*RULES, "wordle", *COMPARISONS), "goal": Goal}),
        (treegen.openings, {"eligible": ELIGIBLE}),
        (treegen.play, {"eligible": ELIGIBLE}),
        (treegen.verify, {"eligible": ELIGIBLE}),
        (treegen.Codebook, {"feedback": (*RULES, "wordle"), "goal": Goal}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_types_name_what_is_allowed(function, choices):
    """A type checker refuses ``objective="nonsense"``, and an editor offers what there is."""
    parameters = inspect.signature(function).parameters
    for name, allowed in choices.items():
        names = inspect.unwrap(function).__globals__
        hint = eval(parameters[name].annotation, names)  # one alone: others are lazy
        literals = [kind for kind in get_args(hint) if get_origin(kind) is Literal] or [hint]
        assert [set(get_args(literal)) for literal in literals] == [set(allowed)]
