"""``treegen export table``: the lookup table that players walk."""

from __future__ import annotations

import click

from ..command import Command
from ..options import file_argument, output_option
from ..output import check_file, open_file, open_target


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
    "--all-words",
    is_flag=True,
    help="Also words that are never guessed, questions that are never asked.",
)
@click.option(
    "--labels",
    type=click.Choice(["inside", "file", "none"]),
    default="inside",
    show_default=True,
    help="Names, questions and answers: in the table, in OUT.labels.json beside it, or nowhere.",
)
@output_option("table")
def export_table(file: str, profile: str, all_words: bool, labels: str, output: str) -> None:
    """Write the tree in FILE as a lookup table."""
    from ... import write

    if labels == "file" and output != "-":
        check_file(f"{output}.labels.json", "json")
    target = open_target(output)
    write(open_file(file), target, "table", profile=profile, all_words=all_words, labels=labels)
