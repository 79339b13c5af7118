"""``treegen import table``."""

from __future__ import annotations

import click

from ..command import Command, Idle
from ..options import GAME, file_argument, game_options, open_game, output_option, quiet_option
from ..output import open_file, write_tree


@click.command(
    cls=Command,
    idle=[Idle(("feedback", "guesses"), lambda given: given["game"] is None, "without -g")],
)
@file_argument()
@click.option("-g", "--game", type=GAME, help="The game that the table must be of.")
@game_options
@output_option("tree", "table")
@quiet_option
def import_table(
    file: str,
    game: str | None,
    feedback: str | None,
    guesses: str | None,
    output: str,
    quiet: bool,
) -> None:
    """Read the table in FILE and write its tree."""
    from ... import import_tree
    from ..build import report

    expected = None if game is None else open_game(game, feedback, guesses)
    tree = import_tree(open_file(file), expected, format="table")
    write_tree(output, tree)
    report(tree, output, quiet, as_json=False)
