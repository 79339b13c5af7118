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
    type=click.Choice(["full", "lean", "seed"]),
    default="full",
    show_default=True,
    help="full: pure lookup; lean: the player filters candidates; seed: the guesses alone.",
)
@output_option("table")
def export_table(file: str, profile: str, output: str) -> None:
    """Write the tree in FILE as a lookup table."""
    from ...formats import generate_table_bytes

    write_bytes(output, generate_table_bytes(load(file).tree, profile=profile))
