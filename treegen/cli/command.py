"""How commands are made, and the examples at the end of their help.

A group imports its commands when they are called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource

from .._memory import NUMPY_BYTES, claim_address_space


@dataclass(frozen=True, slots=True)
class Idle:
    """Options that have no effect beside others, and are refused there.

    Attributes
    ----------
    parameters
        The parameters that hold their values.
    applies
        Whether they have no effect, by the values of all parameters.
    reason
        What follows "--x has no effect".
    """

    parameters: tuple[str, ...]
    applies: Callable[[Mapping[str, Any]], bool]
    reason: str


class Command(click.Command):
    """A command that refuses an option of one value that is given twice, or one without effect.

    click itself would let the last one win without a word. Flags may be repeated: it is clear what
    they mean. What only permits or silences (--force, --trust, --quiet) is never without effect.

    Parameters
    ----------
    idle
        Which options have no effect beside others.
    **settings
        As of `click.Command`.
    """

    def __init__(self, *args: Any, idle: Sequence[Idle] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.idle = tuple(idle)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments as click does, after a look at how often each option is given."""
        if not ctx.resilient_parsing:  # completion looks at lines that are not finished
            self._refuse_repeated(ctx, args)
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            for rule in self.idle:
                if rule.applies(ctx.params):
                    refuse_idle(ctx, rule.parameters, rule.reason)
        return rest

    def _refuse_repeated(self, ctx: click.Context, args: list[str]) -> None:
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for parameter, count in Counter(given).items():
            if count > 1 and _takes_one_value(parameter):
                name = _name(parameter)
                raise click.UsageError(f"{name} is given {count} times, but takes one value", ctx)


def refuse_idle(ctx: click.Context, parameters: Sequence[str], reason: str) -> None:
    """Raise UsageError if an option is on the command line that has no effect."""
    for parameter in ctx.command.params:
        is_given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if parameter.name in parameters and is_given:
            raise click.UsageError(f"{_name(parameter)} has no effect {reason}", ctx)


def _name(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len)


def _takes_one_value(parameter: click.Parameter) -> bool:
    if not isinstance(parameter, click.Option):
        return False
    return not (parameter.multiple or parameter.is_flag or parameter.count)


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
        from .._loading import list_plugins

        return self.plugins is not None and name in list_plugins(self.plugins[0])

    def _make_plugin(self, name: str) -> click.Command | None:
        """Return the command of a plug-in; None if there is none, or it fails to load."""
        from .._loading import load_plugin

        if self.plugins is None or not self._is_plugin(name):
            return None
        group, make = self.plugins
        return make(name) if load_plugin(group, name) is not None else None

    def _describe_plugins(self) -> list[tuple[str, str]]:
        """Return the names of the plug-ins that load, with their summaries."""
        from .._loading import describe_plugin, list_plugins

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


EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        "treegen build p4c6r -s knuth -o knuth.tree",
        "treegen verify knuth.tree",
        "treegen play knuth.tree --secret 3163",
    ),
    "help": ("treegen help build", "treegen help export svg"),
    "version": ("treegen version",),
    "games": ("treegen games", "treegen games p4c6r p4c10n", "treegen games words.txt"),
    "strategies": ("treegen strategies", "treegen strategies knuth optimal"),
    "build": (
        "treegen build p4c6r -s knuth -o knuth.tree",
        "treegen build p4c6r -s max,parts,consistent --first 1123",
        "treegen build p3c4r -s optimal --objective worst,total",
        "treegen build words.txt --feedback position -s entropy",
        "treegen build words.txt --feedback position --eligible hints -o hard.tree",
    ),
    "stats": ("treegen stats knuth.tree", "treegen stats knuth.tree --json"),
    "export": (
        "treegen export text knuth.tree --depth 2",
        "treegen export table knuth.tree -o knuth.tgt",
    ),
    "export text": (
        "treegen export text knuth.tree --depth 2",
        "treegen export text knuth.tree --style irving -o knuth.txt",
    ),
    "export dot": ("treegen export dot knuth.tree --depth 3 -o knuth.gv",),
    "export svg": ("treegen export svg knuth.tree --path 02 --depth 2 -o knuth.svg",),
    "export png": ("treegen export png knuth.tree --depth 2 -o knuth.png",),
    "export pdf": ("treegen export pdf knuth.tree --depth 2 -o knuth.pdf",),
    "export icicle": ("treegen export icicle knuth.tree --depth 4 -o icicle.svg",),
    "export sunburst": ("treegen export sunburst knuth.tree --depth 4 -o sunburst.svg",),
    "export histogram": ("treegen export histogram knuth.tree -o histogram.svg",),
    "export game": ("treegen export game knuth.tree --secret 3163 -o game.svg",),
    "export json": ("treegen export json knuth.tree --depth 2",),
    "export graphml": ("treegen export graphml knuth.tree -o knuth.graphml",),
    "export table": (
        "treegen export table knuth.tree -o knuth.tgt",
        "treegen export table knuth.tree --profile lean -o lean.tgt",
    ),
    "export c": ("treegen export c knuth.tree -o knuth-c",),
    "export js": ("treegen export js knuth.tree -o knuth-js",),
    "export micropython": ("treegen export micropython knuth.tree -o knuth-upy",),
    "export python": ("treegen export python knuth.tree --profile slim -o knuth-py",),
    "export rust": ("treegen export rust knuth.tree -o knuth-rust",),
    "export go": ("treegen export go knuth.tree -o knuth-go",),
    "export java": ("treegen export java knuth.tree --profile lean -o knuth-java",),
    "export npm": ("treegen export npm knuth.tree -o knuth-npm",),
    "export arduino": ("treegen export arduino knuth.tree --profile lean -o TreegenPlayer",),
    "export html": ("treegen export html knuth.tree -o knuth.html",),
    "import": (
        "treegen import knuth.txt -g p4c6r -o copy.tree",
        "treegen import table knuth.tgt -o copy.tree",
    ),
    "import text": ("treegen import text lines.txt -o copy.tree",),
    "import irving": ("treegen import irving knuth.txt -g p4c6r -o copy.tree",),
    "import codegolf": ("treegen import codegolf golf.txt -g p4c6r --symbols ABCDEF -o copy.tree",),
    "import gv": ("treegen import gv mikemag.gv -g p4c6r -o copy.tree",),
    "import yaml": ("treegen import yaml arfst.yaml -g p4c6r -o copy.tree",),
    "import punch-card": ("treegen import punch-card arfst.txt -g p4c6r -o copy.tree",),
    "import wordle": (
        "treegen import wordle alex.txt -g hidden.txt --guesses allowed.txt -o copy.tree",
    ),
    "import csv": ("treegen import csv board.csv -g p4c6r -o copy.tree",),
    "import nested": ("treegen import nested nested.json -g p4c6r -o copy.tree",),
    "import pymm": ("treegen import pymm pymm.json -g p4c6r -o copy.tree",),
    "import json": ("treegen import json knuth.json -o copy.tree",),
    "import graphml": ("treegen import graphml knuth.graphml -o copy.tree",),
    "import table": ("treegen import table knuth.tgt -o copy.tree",),
    "verify": (
        "treegen verify knuth.tree",
        "treegen verify knuth.tree --claim total=5801 --claim worst=5",
        "treegen verify words.tree --eligible hints",
    ),
    "diff": ("treegen diff knuth.tree entropy.tree --limit 3",),
    "explain": (
        "treegen explain knuth.tree",
        "treegen explain knuth.tree --path 02/11 -s entropy --top 5",
    ),
    "compare": (
        "treegen compare p4c6r -s knuth -s entropy",
        "treegen compare p10c10r p20c20r -s adaptive -n 20",
    ),
    "openings": (
        "treegen openings p4c6r -s knuth",
        "treegen openings p3c4r -s optimal --top 3 --csv openings.csv",
        "treegen openings words.txt --feedback position -s entropy --top 3",
    ),
    "patterns": ("treegen patterns 4 -o patterns",),
    "simulate": (
        "treegen simulate p100c100r -s one-by-one -n 5 --seed 1",
        "treegen simulate p4c6r -s random-consistent -n 50",
    ),
    "play": (
        "treegen play knuth.tree",
        "treegen play p4c6r -s entropy --secret 3163",
        "treegen play p4c6r -s entropy --history 1123:02/4561:11",
        "treegen play words.txt --feedback position --history abide:10002 --top 3",
    ),
    "warmup": ("treegen warmup",),
    "manifest": ("treegen manifest knuth.tree -o SHA256SUMS",),
}
"""By the command's name, as typed after ``treegen``."""


def format_examples(name: str) -> str:
    """Return the end of a command's help: its examples, one per line, or nothing."""
    lines = EXAMPLES.get(name, ())
    # \b is click's mark of a paragraph whose lines stay unchanged.
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)]) if lines else ""
