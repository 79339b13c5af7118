"""The class of all commands: what is wrong about a command line whatever the command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource


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
