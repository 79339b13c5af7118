"""``treegen import``: one command for each format."""

from __future__ import annotations

from pathlib import Path

import click
import click.shell_completion

from ..._loading import describe_plugin
from ..command import LazyGroup

FORMATS: dict[str, tuple[str, str]] = {
    "text": ("import_.text:import_text", "Text in one of the styles of treegen export text."),
    "irving": (
        "import_.text:import_irving",
        "The papers' notation, mmstrat's output, fancidev's files.",
    ),
    "codegolf": (
        "import_.text:import_codegolf",
        "{AB:{10:AC,02:BA}}, codegolf.stackexchange 31926.",
    ),
    "gv": ("import_.text:import_gv", "Graphviz strategies of mikemag/Mastermind."),
    "yaml": ("import_.text:import_yaml", "YAML strategies of arfst23/Mastermind."),
    "punch-card": ("import_.text:import_punch_card", "Punch cards of arfst23/Mastermind."),
    "wordle": ("import_.text:import_wordle", "Trees of alex1770/wordle."),
    "csv": ("import_.text:import_csv", "One game per line, for Wordle leaderboards."),
    "nested": ("import_.text:import_nested", 'JSON {"guess": …, "map" or "next": …}.'),
    "pymm": ("import_.text:import_pymm", "JSON strategies of pymm."),
    "json": (
        "import_.text:import_json",
        "Node-link JSON as networkx and treegen export json write it.",
    ),
    "graphml": (
        "import_.text:import_graphml",
        "GraphML as networkx and treegen export graphml write it.",
    ),
    "table": ("import_.table:import_table", "A lookup table (.tgt)."),
}


class ImportGroup(LazyGroup):
    """The formats; if none is named before the file, it is detected."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the format's command; a file name in its place means any text."""
        if args[0] in self.commands_of or self._is_plugin(args[0]) or not _looks_like_file(args[0]):
            return super().resolve_command(ctx, args)
        from ...api.importing import refuse_own_file
        from .text import import_any

        if not ctx.resilient_parsing:  # before it is asked for -o
            refuse_own_file(args[0])
        import_any.epilog = self.epilog
        return "any", import_any, args

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Return the matching formats; files if there are none."""
        items = super().shell_complete(ctx, incomplete)
        return items or [click.shell_completion.CompletionItem(incomplete, type="file")]


def _looks_like_file(name: str) -> bool:
    """Whether a word is more likely a file than a format."""
    return name == "-" or Path(name).is_file() or (name[:1] != "-" and ("." in name or "/" in name))


def _make_plugin(name: str) -> click.Command:
    from .text import make_import

    return make_import(name, describe_plugin("importers", name))


@click.command(
    cls=ImportGroup,
    commands_of=FORMATS,
    plugins=("importers", _make_plugin),
    name="import",
)
def import_() -> None:
    """Read a tree from another form: treegen import [FORMAT] FILE -g GAME -o X.tree.

    Without FORMAT the format is detected. Errors are reported with line and column; then nothing is
    written.
    """
