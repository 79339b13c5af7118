"""``treegen export table`` and ``treegen import table``."""

from __future__ import annotations

import sys

import click

from .options import game_options, open_game, output_option
from .output import load, write_bytes


@click.command()
@click.argument("file")
@click.option(
    "--profile",
    type=click.Choice(["full", "lean", "seed"]),
    default="full",
    show_default=True,
    help="full: pure lookup; lean: the player filters candidates; seed: the guesses alone.",
)
@output_option()
def export_table(file: str, profile: str, output: str) -> None:
    """Write the tree in FILE as a lookup table."""
    from ..formats.table import generate_table_bytes

    write_bytes(output, generate_table_bytes(load(file).tree, profile=profile))


@click.command()
@click.argument("file")
@click.option("-g", "--game", help="The game that the table must be of.")
@game_options
@output_option()
def import_table(
    file: str, game: str | None, feedback: str | None, guesses: str | None, output: str
) -> None:
    """Read the table in FILE and write its tree."""
    from ..formats.table import read_table
    from ..formats.tree_file import generate_tree_bytes

    expected = None if game is None else open_game(game, feedback, guesses)
    tree = read_table(sys.stdin.buffer.read() if file == "-" else file, expected)
    write_bytes(output, generate_tree_bytes(tree))
