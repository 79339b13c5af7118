"""``treegen stats``: the statistics of trees."""

from __future__ import annotations

from collections.abc import Callable

import click

from .command import Command
from .options import csv_option, files_argument, json_option, refuse_two_streams, tell
from .output import deliver, open_file, print_json, write_lines
from .table import print_result
from .targets import Output, checks_outputs


@click.command(cls=Command)
@files_argument
@csv_option
@json_option
@checks_outputs(Output("table", ("csv",)))
def stats(files: tuple[str, ...], table: str | None, as_json: bool) -> None:
    """Show total, average, worst, histogram and digest of the tree in FILE.

    Several files make a table, one row each; a file that cannot be read is named, the others are
    shown, and the exit code is 2.
    """
    from ..api import stats

    refuse_two_streams(table, as_json)
    names = list(dict.fromkeys(files))
    # Of several files the readable ones are shown.
    skip = None if len(files) == 1 else (lambda error: tell(str(error)))
    found = stats(*map(open_file, names), skip=skip)
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json(found.rows if len(files) > 1 else found.to_dict()))
    elif table != "-":
        steps.append(lambda: print_result(found))
    if table is not None:
        steps.append(lambda: write_lines(table, found.generate_csv()))
    deliver(*steps)
    if len(found.trees) < len(names):
        raise click.exceptions.Exit(2)
