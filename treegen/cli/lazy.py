"""A click group whose commands are imported when they are called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from .examples import format_examples

PROGRAM = "treegen"


class LazyGroup(click.Group):
    """A group that knows its commands by name, location and one line of help.

    Parameters
    ----------
    commands_of
        For each command ``"module:function"``, relative to `treegen.cli`, and its short help.
        Importing nothing before keeps ``--help`` and every other command fast.
    elsewhere
        Names that are looked for here, and the command that is meant.
    """

    def __init__(
        self,
        *args: Any,
        commands_of: dict[str, tuple[str, str]] | None = None,
        elsewhere: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.commands_of = commands_of or {}
        self.elsewhere = elsewhere or {}
        self.words = [self.name] if self.name and self.name != PROGRAM else []
        self.epilog = format_examples(" ".join(self.words))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in their order of definition."""
        return list(self.commands_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.commands_of:
            return None
        module, function = self.commands_of[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f".{module}", __package__), function)
        command.epilog = format_examples(" ".join([*self.words, cmd_name]))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        rows = [(name, text) for name, (_, text) in self.commands_of.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the nearest name."""
        name = args[0]
        if not ctx.resilient_parsing and name not in self.commands_of and name[:1] != "-":
            kind = "format" if ctx.parent else "command"
            ctx.fail(f"unknown {kind} {name!r}: {self._suggest(name)}")
        return super().resolve_command(ctx, args)

    def _suggest(self, name: str) -> str:
        """Return what a user may have meant by an unknown name."""
        import difflib

        if name in self.elsewhere:
            return f"{self.elsewhere[name]} writes it"
        near = difflib.get_close_matches(name, self.commands_of, n=1)
        return f"did you mean {near[0]}?" if near else f"there are {', '.join(self.commands_of)}"
