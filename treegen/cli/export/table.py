"""``treegen export table``: the lookup table that players walk."""

from __future__ import annotations

import click

from ..command import Command
from ..options import file_argument, output_option
from ..output import load, write_bytes


@click.command(cls=Command)
@file_argument()
@click.option(
    "--profile",
    type=click.Choice(["full", "lean", "slim", "seed"]),
    default="full",
    show_default=True,
    help="full: pure lookup; lean: the player filters candidates; slim: it counts them, too;"
    " seed: the guesses alone.",
)
@click.option(
    "--all-words", is_flag=True, help="Also the words of a codebook that are never guessed."
)
@output_option("table")
def export_table(file: str, profile: str, all_words: bool, output: str) -> None:
    """Write the tree in FILE as a lookup table."""
    from ...formats import generate_table_bytes

    write_bytes(output, generate_table_bytes(load(file).tree, profile=profile, all_words=all_words))
