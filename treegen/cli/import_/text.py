"""``treegen import`` of every text format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import completion
from ..command import Command
from ..options import (
    file_argument,
    game_options,
    is_codebook,
    open_game,
    output_option,
    parse_history,
    quiet_option,
)
from ..output import write_tree

if TYPE_CHECKING:
    from ...games import Game
    from ...importers import Grown
    from ...tree import History


def _make_import(name: str | None, help_text: str) -> click.Command:
    """Return the command that reads one format, or any of them if it has no name."""

    @click.command(cls=Command, name=name or "any", help=help_text)
    @file_argument()
    @click.option(
        "-g", "--game", type=completion.GAME, help="The game; needed unless the text names it."
    )
    @game_options
    @click.option("--history", metavar="PAIRS", help="Guesses before the first state: 1122:02.")
    @click.option("--symbols", help="How the text writes colors: abcdef, or red,green,blue.")
    @click.option("--name", "strategy", help="The strategy's name in the tree.")
    @output_option("tree", "table")
    @quiet_option
    def read(
        file: str,
        game: str | None,
        feedback: str | None,
        guesses: str | None,
        history: str | None,
        symbols: str | None,
        strategy: str | None,
        output: str,
        quiet: bool,
        lenient: bool = False,
    ) -> None:
        from ...importers import answers_by_position, find_format

        text = _read_text(file, game, guesses)
        style = find_format(text) if name in (None, "text") else name
        if answers_by_position(style) and game is not None and is_codebook(game):
            feedback = feedback or "position"
        source = _describe_source(game, feedback, guesses, history, symbols)
        grown = _parse(text, style, source, lenient=lenient)
        _write(grown, strategy, output, quiet)

    return _add_lenient(read) if name in (None, "text", "irving") else read


def _add_lenient(command: click.Command) -> click.Command:
    help_text = "Papers' notation: accept misprints (a missing * or x) and report them."
    command.params.append(click.Option(["--lenient"], is_flag=True, help=help_text))
    return command


@dataclass(frozen=True, slots=True)
class TextSource:
    """What the user says about a text: game, symbols, guesses before the first state."""

    game: Game | None
    symbols: Sequence[str] | None = None
    history: History = ()


def _read_text(file: str, game: str | None, guesses: str | None) -> str:
    from ..._files import decode_text, read_bytes
    from ...errors import UsageError

    if file == "-" and "-" in (game, guesses):
        raise UsageError("FILE and a codebook cannot both be read from the standard input")
    name = "the input" if file == "-" else repr(file)
    data = sys.stdin.buffer.read() if file == "-" else read_bytes(file)
    _refuse_own_files(data[:16], name)
    return decode_text(data, name)


def refuse_own_file(path: str) -> None:
    """Raise UsageError for a tree or a table of ours, which no text reader reads."""
    if Path(path).is_file():
        with suppress(OSError), Path(path).open("rb") as opened:
            _refuse_own_files(opened.read(16), repr(path))


def _refuse_own_files(start: bytes, name: str) -> None:
    """Raise UsageError for a tree or a table of ours, which text readers cannot read."""
    from ...errors import UsageError
    from ...formats import find_kind

    hints = {
        ".tree": "is already a tree of treegen: stats, export, verify and the others take it",
        ".tgt": "is a lookup table: treegen import table reads it; stats, export, verify take it",
    }
    if kind := find_kind(start):
        raise UsageError(f"{name} {hints[kind]}")


def _describe_source(
    name: str | None,
    feedback: str | None,
    guesses: str | None,
    history: str | None,
    symbols: str | None,
) -> TextSource:
    from ...errors import UsageError
    from ...games import parse_symbols

    if name is None:
        if history or symbols or feedback or guesses:
            raise UsageError("--history, --symbols, --feedback and --guesses need a game: -g GAME")
        return TextSource(None)
    game = open_game(name, feedback, guesses)
    written = parse_symbols(symbols, game.n_colors) if symbols else None
    return TextSource(game, written, parse_history(history, game))


def _parse(text: str, style: str, source: TextSource, *, lenient: bool) -> Grown:
    """Return the tree of a text, described by the user."""
    from ...importers import parse_tree

    symbols, history = source.symbols, source.history
    return parse_tree(text, source.game, style, symbols=symbols, history=history, lenient=lenient)


def _write(grown: Grown, strategy: str | None, output: str, quiet: bool) -> None:
    """Write the tree of a text; print what it is, what was tolerated and what was completed."""
    from ..build import report

    tree = grown.tree
    if strategy is not None:
        tree = replace(tree, provenance=replace(tree.provenance, strategy=strategy))
    write_tree(output, tree)
    report(tree, output, quiet, as_json=False)
    for remark in grown.remarks:
        click.echo(remark, err=True)
    if grown.n_completed and not quiet:
        click.echo(
            f"{grown.n_completed} of {tree.n_nodes} states are left out of the text; of their one"
            " or two candidates the first is guessed",
            err=True,
        )


import_any = _make_import(None, "Read a tree from a text whose format is detected.")
import_text = _make_import("text", "Read a tree from text in a style of treegen export text.")
import_irving = _make_import("irving", "Read the papers' notation and mmstrat's output.")
import_codegolf = _make_import("codegolf", "Read the grammar of codegolf.stackexchange 31926.")
import_gv = _make_import("gv", "Read a Graphviz strategy of mikemag/Mastermind.")
import_yaml = _make_import("yaml", "Read a YAML strategy of arfst23/Mastermind.")
import_punch_card = _make_import("punch-card", "Read a punch card of arfst23/Mastermind.")
import_wordle = _make_import("wordle", "Read a tree of alex1770/wordle; -g is a codebook file.")
import_csv = _make_import("csv", "Read a game per line, SALET,COURD,NYMPH; -g is a codebook file.")
import_nested = _make_import("nested", 'Read JSON {"guess": …, "map" or "next": {"00020": …}}.')
import_pymm = _make_import("pymm", "Read a JSON strategy of pymm.")
import_json = _make_import("json", "Read node-link JSON, as networkx writes it.")
import_graphml = _make_import("graphml", "Read GraphML, as networkx writes it.")
