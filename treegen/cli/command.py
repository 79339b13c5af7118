"""How commands are made, and the examples at the end of their help.

A group imports its commands when they are called.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .._options import find_near
from ..formats.format import GONE
from ..formats.format import Idle as Idle
from ..jit.memory import NUMPY_BYTES, claim_address_space

if TYPE_CHECKING:
    from ..tasks.work import Progress


FORCE = "treegen.force"
"""Where a context keeps --force."""


class Command(click.Command):
    """A command whose options and outputs are checked before its function is called.

    An option of one value that is given twice is refused: click itself would let the last one win
    without a word. Flags may be repeated: it is clear what they mean. So is an option without
    effect, but what only permits or silences (--force, --trust, --quiet); `idle` says which have
    none beside others. Its function's `check_outputs` checks where the outputs go.

    The function gets the options of a game as one mapping, `rules`, and no --force, which only its
    outputs ask for.
    """

    def __init__(self, *args: Any, idle: Sequence[Idle] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.idle = tuple(idle)
        self.check_outputs = getattr(self.callback, "check_outputs", lambda given: None)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments as click does, and check them; on a terminal, count kernels."""
        if ctx.resilient_parsing:  # completion looks at lines that are not finished
            return super().parse_args(ctx, args)
        values: dict[str, Any] = {}
        try:
            self._refuse_single_dashes(args)
            values, _, given = self.make_parser(ctx).parse_args(list(args))
            self._refuse_repeated(given)
            long = self._list_long()
            for option in given:  # click takes what comes next as the value
                if isinstance(option, click.Option) and values[option.name] in long:
                    raise click.BadOptionUsage(option.opts[-1], "")
            ctx.allow_extra_args = True  # click's own message does not say what may be given
            rest = super().parse_args(ctx, args)
            if rest:
                raise click.UsageError(self._explain_extra(ctx, rest[0]))
        except click.UsageError as error:
            raise click.UsageError(self._explain(ctx, error, values), ctx) from error
        for rule in self.idle:
            if rule.applies(ctx.params):
                refuse_idle(ctx, rule.parameters, rule.reason)
        ctx.meta[FORCE] = ctx.params.pop("force", False)
        of_game = [each.name for each in self.params if getattr(each, "group", "") == "Game"]
        if of_game:
            ctx.params["rules"] = {name: ctx.params.pop(name) for name in of_game}
        self.check_outputs(ctx.params)
        if not ctx.params.get("quiet") and sys.stderr.isatty():
            from ..jit.interpreter import count_compiled

            ctx.with_resource(count_compiled(show_compiling))
        return rest

    def _refuse_single_dashes(self, args: Sequence[str]) -> None:
        """Raise UsageError for ``-secret``, which click reads as ``-s`` with a value."""
        for arg in args:
            name = f"-{arg.partition('=')[0]}"
            if len(name) > 3 and name in self._list_long():
                raise click.UsageError(f"there is no option {name[1:]!r:.80}: did you mean {name}?")

    @staticmethod
    def _refuse_repeated(given: Sequence[click.Parameter]) -> None:
        for option, count in Counter(given).items():
            takes_one = isinstance(option, click.Option) and not (
                option.multiple or option.is_flag or option.count
            )
            if count > 1 and takes_one:
                message = f"{_name(option)} is given {count} times, but takes one value"
                raise click.UsageError(message)
        for option, other in combinations(dict.fromkeys(given), 2):
            if option.name == other.name:
                message = f"give either {_name(option)} or {_name(other)}, not both"
                raise click.UsageError(message)

    def _list_long(self) -> list[str]:
        """Return the names of all options with two dashes."""
        options = (each for each in self.params if isinstance(each, click.Option))
        names = (name for each in options for name in (*each.opts, *each.secondary_opts))
        return [name for name in (*names, "--help") if name.startswith("--")]

    def _explain(
        self, ctx: click.Context, error: click.UsageError, values: Mapping[str, Any]
    ) -> str:
        """Return the message for what click refuses: the value, what is allowed, what to type."""
        parameter = getattr(error, "param", None)
        match error:
            case click.NoSuchOption(option_name=name) if name in GONE:
                return f"{name} is gone: {GONE[name]}"
            case click.NoSuchOption(option_name=name):
                return f"there is no option {name!r:.80}{self._suggest_option(name)}"
            case click.BadOptionUsage(option_name=name):
                (option,) = (each for each in self.params if name in each.opts)
                return f"{name} needs a value: {name} {option.make_metavar(ctx)}"
            case click.MissingParameter() if parameter is not None:
                return f"{_write(ctx, parameter)} is missing{self._give_example(parameter)}"
            case click.BadParameter() if parameter is not None:
                value = values.get(parameter.name or "")
                allowed = _write_allowed(parameter)
                if allowed and isinstance(value, str):
                    where = f"{_name(parameter)} " * isinstance(parameter, click.Option)
                    choices = getattr(parameter.type, "choices", ())
                    near = find_near(value, map(str, choices)) if len(choices) > 1 else ()
                    hint = f"; did you mean {near[0]!r:.80}?" if near else ""
                    return f"{where}{value!r:.80} is not {allowed}{hint}"
        return error.format_message()

    def _suggest_option(self, name: str) -> str:
        """Return a hint at the options that an unknown one may have been meant for."""
        word, known = name.strip("-").lower(), [each[2:] for each in self._list_long()]
        near = [each for each in known if each.startswith(word)]
        near = near or find_near(word, known, least=0.7)
        return f": did you mean {' or '.join(f'--{each}' for each in near)}?" if near else ""

    def _give_example(self, parameter: click.Parameter) -> str:
        """Return how to give a parameter: an example of the help, or the usage."""
        examples = [line.strip() for line in (self.epilog or "").splitlines() if line[:1] == " "]
        flags = parameter.opts if isinstance(parameter, click.Option) else ()
        fit = [line for line in examples if not flags or set(flags) & set(line.split())]
        return f"; write it as in '{fit[0]}'" if fit else ""

    def _explain_extra(self, ctx: click.Context, text: str) -> str:
        """Return the message for an argument that a command does not take."""
        taken = [each for each in self.params if isinstance(each, click.Argument)]
        takes = " ".join(each.make_metavar(ctx) for each in taken) or "no argument"
        return (
            f"{text!r:.80} is one argument too many{self._suggest_flag(ctx, text)}:"
            f" {ctx.command_path.rstrip()} takes {takes}"
        )

    def _suggest_flag(self, ctx: click.Context, text: str) -> str:
        """Return a hint at the option whose value an argument may have been meant for."""
        from ..strategies.named import list_names

        free = {
            flag
            for each in self.params
            if isinstance(each, click.Option)
            and ctx.get_parameter_source(each.name or "") is not ParameterSource.COMMANDLINE
            for flag in each.opts
        }
        is_new = "." in text and not os.path.exists(text)  # noqa: PTH110 (null bytes)
        flags = ["-o"] if is_new else ["--secret", "--path"]
        flags = ["-s"] if text in list_names() else flags
        return next((f" (did you mean {flag} {text:.80}?)" for flag in flags if flag in free), "")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings; those without one come last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "group", "Options"), []).append(record)
        sections["Options"] = sections.pop("Options", [])
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


def refuse_idle(ctx: click.Context, parameters: Sequence[str], reason: str) -> None:
    """Raise UsageError if an option is on the command line that has no effect."""
    for parameter in ctx.command.params:
        is_given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if parameter.name in parameters and is_given:
            raise click.UsageError(f"{_name(parameter)} has no effect {reason}", ctx)


def _name(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len)


def _write(ctx: click.Context, parameter: click.Parameter) -> str:
    """Return a parameter as a user types it: ``-o OUT``, ``GAME``."""
    metavar = parameter.make_metavar(ctx)
    is_option = isinstance(parameter, click.Option)
    return f"{parameter.opts[0]} {metavar}" if is_option else metavar


def _write_allowed(parameter: click.Parameter) -> str:
    """Return what a parameter takes, after "is not"; empty if its type does not say it."""
    match parameter.type:
        case click.Choice() as choice:
            return f"one of {', '.join(map(repr, choice.choices))}"
        case click.types.IntParamType():
            return "a whole number"
        case click.types.FloatParamType():
            return "a number" + " of seconds" * (parameter.metavar == "S")
    return ""


LINE = 79
"""Columns of a line that is written again and again."""

_is_compiling = False
_stage = ""


def show_compiling(progress: Progress) -> None:
    """Count the kernels that are compiled, on one line that is gone afterwards."""
    global _is_compiling
    number, total = progress.done, progress.total or 0
    text = "compiling kernels, once on this machine"
    if is_dumb() or hasattr(sys.stderr, "rich_proxied_file"):  # a progress bar has the line
        if number == 1:
            click.echo(text, err=True)
        return
    text += f": {number}" + f" of {total} or more" * (number < total)
    click.echo(f"\r{text:<{LINE}}" if total else f"\r{'':<{LINE}}\r", err=True, nl=False)
    _is_compiling = total > 0


def show_line(text: str) -> None:
    """Write a line over the last one, unless that counts kernels; or one for each stage."""
    global _stage
    if is_dumb():
        before, _stage = _stage, text.partition(":")[0]
        click.echo(text, err=True) if _stage != before else None
    elif not _is_compiling:
        click.echo(f"\r{text:<{LINE}.{LINE}}", err=True, nl=False)


def is_dumb() -> bool:
    """Whether the terminal cannot go back to the beginning of a line, as Emacs' shell."""
    return os.environ.get("TERM") in ("dumb", "unknown")


PROGRAM, OTHER = "treegen", "mastermind-treegen"
"""The names of the program, and what it is called for `uvx` and indexes, too."""


class LazyGroup(click.Group):
    """A group that knows its commands by name, location and one line of help.

    `commands_of` has for each command ``"module:function"``, relative to `treegen.cli`, and its
    short help. Importing nothing before keeps ``--help`` and every other command fast.
    """

    def __init__(
        self, *args: Any, commands_of: dict[str, tuple[str, str]] | None = None, **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.commands_of = commands_of or {}
        name = "" if self.name == PROGRAM else str(self.name)
        self.epilog = format_examples(EXAMPLES[name])

    def invoke(self, ctx: click.Context) -> Any:
        """Call a command; where no terminal shows ^C, click need not end that line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            if sys.stderr.isatty():
                raise
            raise click.Abort from stop

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in their order of definition."""
        return list(self.commands_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in self.commands_of:
            return None
        claim_address_space(NUMPY_BYTES)
        module, function = self.commands_of[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f".{module}", __package__), function)
        command.epilog = format_examples(EXAMPLES[cmd_name])
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
        if not ctx.resilient_parsing and not self.has(ctx, name) and name[:1] != "-":
            kind = "format" if ctx.parent else "command"
            ctx.fail(f"unknown {kind} {name!r:.80}: {self.suggest(ctx, name)}")
        return super().resolve_command(ctx, args)

    def has(self, ctx: click.Context, name: str) -> bool:
        """Whether a name is that of a command."""
        return name in self.list_commands(ctx)

    def suggest(self, ctx: click.Context, name: str) -> str:
        """Return a hint at the names that a user may have meant by an unknown one."""
        known = self.list_commands(ctx)
        meant = OTHER_NAMES.get(name.lower(), "".join(find_near(name, known)))
        return f"did you mean {meant}?" if meant in known else f"there are {', '.join(known)}"


OTHER_NAMES = {
    **{"c++": "c", "cpp": "c", "h": "c", "javascript": "js", "typescript": "js", "node": "js"},
    **{"py": "python", "diagram": "svg", "picture": "svg", "page": "html", "graphviz": "dot"},
    **{"list": "games", "info": "stats", "show": "stats", "solve": "play", "convert": "export"},
}
"""Names that users may type for a format or a command, and its own."""

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
    "import": (
        "treegen import knuth.txt -g p4c6r -o copy.tree",
        "treegen import table knuth.tgt -o copy.tree",
    ),
    "verify": (
        "treegen verify knuth.tree",
        "treegen verify knuth.tree --claim total=5801 --claim worst=5",
        "treegen verify words.tree --eligible hints",
        "treegen verify optimal.tree --certificate optimal.proof",
    ),
    "certify": (
        "treegen certify optimal.tree -o optimal.proof",
        "treegen certify --checker DIR",
    ),
    "check": (
        "treegen check optimal.proof",
        "treegen check words.proof --words hidden.txt allowed.txt",
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
    "apply": (
        "treegen apply zoo.tree rows.csv",
        "treegen apply zoo.tree rows.csv --check kind -o checked.csv",
    ),
    "score": (
        "treegen score p4c6r 1122 3163 6543",
        "treegen score words.txt --feedback position abide crane",
    ),
    "warmup": ("treegen warmup",),
    "cache": ("treegen cache",),
    "completion": ("treegen completion bash", "treegen completion powershell"),
    "plugins": ("treegen plugins",),
    "manifest": ("treegen manifest knuth.tree -o SHA256SUMS",),
}
"""By the command's name, as typed after ``treegen``."""


def format_examples(lines: Sequence[str]) -> str:
    """Return the end of a command's help: its examples, one per line, or nothing."""
    # \b is click's mark of a paragraph whose lines stay unchanged.
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)]) if lines else ""
