"""``treegen diff``: where two trees differ, and what it costs."""

from __future__ import annotations

import click

from .command import Command, Idle
from .options import file_argument, json_option
from .output import open_file, print_json
from .table import print_result


@click.command(
    cls=Command,
    idle=[Idle(("limit",), lambda given: given["as_json"], "with --json, which shows everything")],
)
@file_argument("first")
@file_argument("second")
@click.option(
    "--symmetric",
    is_flag=True,
    help="Treat guesses as equal that a renaming of pegs and colors exchanges.",
)
@click.option("--limit", type=click.IntRange(0), default=10, show_default=True, help="Show N.")
@json_option
def diff(first: str, second: str, symmetric: bool, limit: int, as_json: bool) -> None:
    """Show where the trees in FIRST and SECOND differ, and what it costs; exit 1 if they do."""
    from .. import api

    wanted = None if as_json else limit
    outcome = api.diff(open_file(first), open_file(second), symmetric=symmetric, limit=wanted)
    print_json(outcome.to_dict()) if as_json else print_result(outcome)
    if not outcome.is_equal:
        raise click.exceptions.Exit(1)
