"""``treegen export json`` and ``graphml``: the tree as a graph."""

from __future__ import annotations

from typing import Any

import click

from ..command import Command
from ..options import choose_view, file_argument, output_option, view_options
from ..output import load, write_lines


@click.command(cls=Command)
@file_argument()
@view_options
@output_option("json", default="-")
def export_json(file: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as node-link JSON, the form of networkx."""
    from ...export import generate_json

    write_lines(output, generate_json(load(file).tree, **choose_view(options)))


@click.command(cls=Command)
@file_argument()
@view_options
@output_option("graphml", default="-")
def export_graphml(file: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as GraphML."""
    from ...export import generate_graphml

    write_lines(output, generate_graphml(load(file).tree, **choose_view(options)))
