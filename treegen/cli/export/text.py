"""``treegen export text``: the tree in ten styles of text."""

from __future__ import annotations

import click

from ..command import Command, Idle
from ..options import file_argument, output_option, view_options
from ..output import open_file, open_target
from . import STYLES

KINDS = {"csv": "csv", "nested": "json", "gv": "dot"}
"""Kinds of the files in these styles; others are plain text."""


IDLE = (
    Idle(
        ("order",),
        lambda given: given["style"] in ("irving", "mmstrat"),
        "in the papers' notation: its cells have a fixed order",
    ),
    Idle(
        ("header",),
        lambda given: given["style"] not in ("indented", "lines", "irving", "key"),
        "in a style that has none",
    ),
)


@click.command(cls=Command, idle=IDLE)
@file_argument()
@click.option(
    "--style",
    type=click.Choice(STYLES),
    default="indented",
    show_default=True,
    help="lines: one secret per line; irving: the papers' notation; r-post: as the R program.",
)
@click.option(
    "--no-header",
    "header",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Leave out the lines about the tree.",
)
@view_options
@output_option("text", default="-", by_style=KINDS)
def export_text(
    file: str,
    style: str,
    depth: int | None,
    answers: str | None,
    order: str,
    symbols: str | None,
    header: bool,
    output: str,
) -> None:
    """Write the tree in FILE as text."""
    from ... import write

    options = {"path": answers, "depth": depth, "order": order, "symbols": symbols}
    target = open_target(output)
    write(open_file(file), target, "text", style=style, header=header, **options)
