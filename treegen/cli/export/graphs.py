"""``treegen export json`` and ``graphml``: the tree as a graph."""

from __future__ import annotations

from typing import Any

import click

from ..command import Command
from ..options import choose_view, file_argument, output_option, view_options
from ..output import open_file, open_target


@click.command(cls=Command)
@file_argument()
@view_options
@output_option("json", default="-")
def export_json(file: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as node-link JSON, the form of networkx."""
    from ... import write

    write(open_file(file), open_target(output), "json", **choose_view(options))


@click.command(cls=Command)
@file_argument()
@view_options
@output_option("graphml", default="-")
def export_graphml(file: str, output: str, **options: Any) -> None:
    """Write the tree in FILE as GraphML."""
    from ... import write

    write(open_file(file), open_target(output), "graphml", **choose_view(options))
