"""``treegen stats``: the statistics of trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .command import Command
from .options import csv_option, files_argument, json_option, refuse_two_streams
from .output import deliver, load, print_json, write_lines
from .targets import Output, checks_outputs

if TYPE_CHECKING:
    from ..tree import Tree


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
    from ..analysis import describe_tree

    refuse_two_streams(table, as_json)
    is_one = len(files) == 1
    trees = {files[0]: load(files[0]).tree} if is_one else _load_each(files)
    rows = [{"file": file, **describe_tree(tree)} for file, tree in trees.items()]
    steps: list[Callable[[], object]] = []
    if as_json:
        steps.append(lambda: print_json(describe_tree(trees[files[0]]) if is_one else rows))
    elif table != "-" and is_one:
        steps.append(lambda: print_stats(trees[files[0]]))
    elif table != "-" and rows:
        steps.append(lambda: _print_rows(rows))
    if table is not None:
        steps.append(lambda: _write_csv(rows, table))
    deliver(*steps)
    if len(trees) < len(set(files)):
        raise click.exceptions.Exit(2)


def _load_each(files: tuple[str, ...]) -> dict[str, Tree]:
    """Read the files, naming those that cannot be read."""
    from ..errors import TreegenError

    trees = {}
    for file in dict.fromkeys(files):
        try:
            trees[file] = load(file).tree
        except TreegenError as error:
            click.echo(f"treegen: {error}", err=True)
    return trees


def _write_csv(rows: list[dict[str, Any]], table: str) -> None:
    from ..analysis import TREE_COLUMNS, generate_rows

    write_lines(table, generate_rows(rows, TREE_COLUMNS))


def print_stats(tree: Tree) -> None:
    """Print the statistics for people, and how fast the candidates decrease."""
    from ..analysis import describe_tree
    from ..tree import summarize_levels

    figures = describe_tree(tree)
    figures["average"] = f"{tree.average:.4f}"
    figures["histogram"] = "/".join(map(str, tree.histogram))
    for name, value in figures.items():
        if value is not None:
            click.echo(f"{name:10} {value}")
    click.echo("\nguess  states  found  candidates left (mean, most)")
    for row in summarize_levels(tree):
        click.echo(
            f"{row.guess:5}  {row.n_states:6}  {row.n_found:5}"
            f"  {row.mean_left:11.2f}  {row.most_left}"
        )


def _print_rows(rows: list[dict[str, Any]]) -> None:
    """Print a row for each tree."""
    from .table import Column, print_table

    columns = [
        Column("file", is_text=True),
        Column("game", 3, is_text=True),
        Column("strategy", 2, is_text=True),
        Column("secrets", 4),
        Column("total"),
        Column("average"),
        Column("worst"),
        Column("of them", 5),
        Column("histogram", 1, is_text=True),
        Column("nodes", 6),
    ]
    cells = [
        [
            row["file"],
            row["game"],
            row["strategy"],
            str(row["secrets"]),
            str(row["total"]),
            f"{row['average']:.4f}",
            str(row["worst"]),
            str(row["n_worst"]),
            "/".join(map(str, row["histogram"])),
            str(row["nodes"]),
        ]
        for row in rows
    ]
    print_table(columns, cells)
