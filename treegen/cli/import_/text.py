"""``treegen import`` of every text format."""

from __future__ import annotations

from typing import Any

import click

from ..command import Command
from ..options import (
    GAME,
    file_argument,
    game_options,
    list_rules,
    open_words,
    output_option,
    quiet_option,
    tell,
)
from ..output import open_file, write_tree


def make_import(name: str | None, help_text: str) -> click.Command:
    """Return the command that reads one format, or any of them if it has no name."""

    @click.command(cls=Command, name=name or "any", help=help_text)
    @file_argument()
    @click.option("-g", "--game", type=GAME, help="The game; needed unless the text names it.")
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
        strategy: str | None,
        output: str,
        quiet: bool,
        **options: Any,
    ) -> None:
        from ... import import_tree
        from ...errors import UsageError
        from ..build import report

        if file == "-" and "-" in (game, guesses):
            raise UsageError("FILE and a codebook cannot both be read from the standard input")
        tree = import_tree(
            open_file(file),
            None if game is None else open_words(game),
            format=name,
            name=strategy,
            notice=None if quiet else tell,
            **options,
            **list_rules(feedback, guesses),
        )
        write_tree(output, tree)
        report(tree, output, quiet, as_json=False)

    return _add_lenient(read) if name in (None, "text", "irving") else read


def _add_lenient(command: click.Command) -> click.Command:
    help_text = "Papers' notation: accept misprints (a missing * or x) and report them."
    command.params.append(click.Option(["--lenient"], is_flag=True, help=help_text))
    return command


import_any = make_import(None, "Read a tree from a text whose format is detected.")
import_text = make_import("text", "Read a tree from text in a style of treegen export text.")
import_irving = make_import("irving", "Read the papers' notation and mmstrat's output.")
import_codegolf = make_import("codegolf", "Read the grammar of codegolf.stackexchange 31926.")
import_gv = make_import("gv", "Read a Graphviz strategy of mikemag/Mastermind.")
import_yaml = make_import("yaml", "Read a YAML strategy of arfst23/Mastermind.")
import_punch_card = make_import("punch-card", "Read a punch card of arfst23/Mastermind.")
import_wordle = make_import("wordle", "Read a tree of alex1770/wordle; -g is a codebook file.")
import_csv = make_import("csv", "Read a game per line, SALET,COURD,NYMPH; -g is a codebook file.")
import_nested = make_import("nested", 'Read JSON {"guess": …, "map" or "next": {"00020": …}}.')
import_pymm = make_import("pymm", "Read a JSON strategy of pymm.")
import_json = make_import("json", "Read node-link JSON, as networkx writes it.")
import_graphml = make_import("graphml", "Read GraphML, as networkx writes it.")
