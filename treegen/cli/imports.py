"""``treegen import``: one command for each format."""

from __future__ import annotations

import click

from .lazy import LazyGroup

FORMATS: dict[str, tuple[str, str]] = {
    "table": ("table:import_table", "A lookup table (.tgt)."),
}


@click.command(cls=LazyGroup, commands_of=FORMATS, name="import")
def imports() -> None:
    """Read a tree from another form: treegen import FORMAT FILE -g GAME -o X.tree."""
