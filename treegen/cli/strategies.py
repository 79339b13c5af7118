"""``treegen strategies``: the exact rule and the source of each named strategy."""

from __future__ import annotations

import click

from . import completion
from .command import Command
from .options import json_option
from .output import print_json
from .table import print_paragraph, print_result


@click.command(cls=Command)
@click.argument("names", type=completion.STRATEGY, metavar="[NAME]...", nargs=-1)
@json_option
def strategies(names: tuple[str, ...], as_json: bool) -> None:
    """List the named strategies, or show the exact rule and source of NAME."""
    from ..api import list_strategies

    found = list_strategies(*names)
    if as_json:
        print_json([strategy.to_dict() for strategy in found])
        return
    for strategy in found:
        print_result(strategy)
    if not names:
        click.echo()
        print_paragraph("", "A chain works, too: max,power:1,parts,consistent,lowest")
