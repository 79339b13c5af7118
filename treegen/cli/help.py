"""``treegen help`` and ``treegen version``: what ``--help`` and ``--version`` print."""

from __future__ import annotations

import click

from .. import __version__
from .command import Command


@click.command(cls=Command, name="help")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def help_(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show what treegen does, or the help of COMMAND, such as treegen help export svg."""
    shown = ctx.find_root()
    for word in words:
        group = shown.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{shown.command_path} has no commands of its own", shown)
        name, command, _ = group.resolve_command(shown, [word])
        if command is None:
            group.resolve_command(shown, [word])
            continue
        shown = click.Context(command, info_name=name, parent=shown)
    click.echo(shown.command.get_help(shown))


@click.command(cls=Command)
def version() -> None:
    """Print the version."""
    click.echo(f"treegen, version {__version__}")
