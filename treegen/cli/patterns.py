"""``treegen patterns``: the compiled second phase of the permutation strategy."""

from __future__ import annotations

import click

from .command import Command
from .options import output_option, quiet_option, strategy_option
from .output import show_progress
from .targets import check_contents
from .time_limit import time_limit_option


@click.command(cls=Command)
@click.argument("length", type=int)
@strategy_option("A name (`treegen strategies`) or a chain like max,parts.", default="knuth")
@output_option()
@time_limit_option("Stop after S s; the tables written by then stay.")
@quiet_option
def patterns(
    length: int, strategy: str, output: str, time_limit: float | None, quiet: bool
) -> None:
    """Compile one table for each pattern of colors on LENGTH pegs into a folder with an index."""
    from .. import api

    kinds = _list_kinds(length)
    check_contents(output, kinds, kinds)
    index = api.patterns(
        length,
        output,
        strategy=strategy,
        time_limit=time_limit,
        jobs=None,
        progress=show_progress(quiet),
    )
    if not quiet:
        click.echo(f"wrote {index} and its tables", err=True)


def _list_kinds(length: int) -> dict[str, str]:
    """Return the kinds of the files that are written, by their names."""
    from ..analysis import MOST_PEGS, list_patterns

    if not 1 <= length <= MOST_PEGS:
        return {}
    tables = {f"{game.name}.tgt": "table" for game in list_patterns(length)}
    return {**tables, f"INDEX-{length}.md": "text"}
