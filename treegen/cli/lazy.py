"""A click group whose commands are imported when they are called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from .._memory import NUMPY_BYTES, claim_address_space
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
    plugins
        The group of plug-ins that are commands, too, and what makes one of its name.
    """

    def __init__(
        self,
        *args: Any,
        commands_of: dict[str, tuple[str, str]] | None = None,
        elsewhere: dict[str, str] | None = None,
        plugins: tuple[str, Callable[[str], click.Command]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.commands_of = commands_of or {}
        self.elsewhere = elsewhere or {}
        self.plugins = plugins
        self.words = [self.name] if self.name and self.name != PROGRAM else []
        self.epilog = format_examples(" ".join(self.words))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in their order of definition."""
        return list(self.commands_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.commands_of:
            return self._make_plugin(cmd_name)
        claim_address_space(NUMPY_BYTES)
        module, function = self.commands_of[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f".{module}", __package__), function)
        command.epilog = format_examples(" ".join([*self.words, cmd_name]))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        rows = [(name, text) for name, (_, text) in self.commands_of.items()]
        rows += self._describe_plugins()
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the nearest name."""
        name = args[0]
        is_known = name in self.commands_of or self._is_plugin(name)
        if not ctx.resilient_parsing and not is_known and name[:1] != "-":
            kind = "format" if ctx.parent else "command"
            ctx.fail(f"unknown {kind} {name!r}: {self._suggest(name)}")
        return super().resolve_command(ctx, args)

    def _is_plugin(self, name: str) -> bool:
        from .._plugins import list_plugins

        return self.plugins is not None and name in list_plugins(self.plugins[0])

    def _make_plugin(self, name: str) -> click.Command | None:
        """Return the command of a plug-in; None if there is none, or it fails to load."""
        from .._plugins import load_plugin

        if self.plugins is None or not self._is_plugin(name):
            return None
        group, make = self.plugins
        return make(name) if load_plugin(group, name) is not None else None

    def _describe_plugins(self) -> list[tuple[str, str]]:
        """Return the names of the plug-ins that load, with their summaries."""
        from .._plugins import describe_plugin, list_plugins

        if self.plugins is None:
            return []
        found = [
            (name, describe_plugin(self.plugins[0], name)) for name in list_plugins(self.plugins[0])
        ]
        return [(name, text) for name, text in found if text and name not in self.commands_of]

    def _suggest(self, name: str) -> str:
        """Return what a user may have meant by an unknown name."""
        import difflib

        if name == "gexf":
            from ..formats import GEXF

            return GEXF
        if name in self.elsewhere:
            return f"{self.elsewhere[name]} writes it"
        near = difflib.get_close_matches(name, self.commands_of, n=1)
        return f"did you mean {near[0]}?" if near else f"there are {', '.join(self.commands_of)}"
