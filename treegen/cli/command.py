"""The class of all commands: what is wrong about a command line whatever the command."""

from __future__ import annotations

from collections import Counter

import click


class Command(click.Command):
    """A command that refuses an option of one value that is given twice.

    click itself would let the last one win without a word. Flags may be repeated: it is clear what
    they mean.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments as click does, after a look at how often each option is given."""
        if not ctx.resilient_parsing:  # completion looks at lines that are not finished
            self._refuse_repeated(ctx, args)
        return super().parse_args(ctx, args)

    def _refuse_repeated(self, ctx: click.Context, args: list[str]) -> None:
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for parameter, count in Counter(given).items():
            if count > 1 and _takes_one_value(parameter):
                name = max(parameter.opts, key=len)
                raise click.UsageError(f"{name} is given {count} times, but takes one value", ctx)


def _takes_one_value(parameter: click.Parameter) -> bool:
    if not isinstance(parameter, click.Option):
        return False
    return not (parameter.multiple or parameter.is_flag or parameter.count)
