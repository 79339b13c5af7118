"""``treegen export``: one command for each format."""

from __future__ import annotations

import click

from .lazy import LazyGroup

FORMATS: dict[str, tuple[str, str]] = {
    "text": ("text:export_text", "Text in one of six styles."),
    "table": ("table:export_table", "A lookup table (.tgt) for the players."),
}


@click.command(cls=LazyGroup, commands_of=FORMATS, name="export")
def export() -> None:
    """Write the tree in FILE in another form: treegen export FORMAT FILE -o OUT."""
