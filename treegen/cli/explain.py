"""``treegen explain``: why a guess is chosen, and what others would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .completion import FILE, STRATEGY
from .options import json_option
from .output import load, print_json

if TYPE_CHECKING:
    from ..analysis.explain import Explanation


@click.command()
@click.argument("file", type=FILE)
@click.option("--path", "answers", metavar="ANSWERS", help="The state after these: 02/11.")
@click.option(
    "-s", "--strategy", type=STRATEGY, help="Judge by this rule instead of the tree's own."
)
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Show N.")
@json_option
def explain(file: str, answers: str | None, strategy: str | None, top: int, as_json: bool) -> None:
    """Show the best guesses of a state of FILE's tree, and why one of them wins, tie by tie."""
    from ..analysis.explain import explain_node
    from ..export.view import parse_path
    from ..strategies import parse_strategy
    from ..tree import find_node

    tree = load(file).tree
    node = find_node(tree, parse_path(tree.game, answers or ""))
    rule = None if strategy is None else parse_strategy(strategy, tree.game)
    explanation = explain_node(tree, node, rule, top)
    print_json(explanation.to_dict()) if as_json else _print_explanation(explanation)


def _print_explanation(explanation: Explanation) -> None:
    click.echo(f"{explanation.strategy}: {explanation.rule}")
    click.echo(f"{explanation.n_candidates} candidates; the tree guesses {explanation.guess}")
    for stage in explanation.stages:
        click.echo(
            f"  {stage.criterion}: best {stage.best}; {stage.n_left} of {stage.n_before} guesses"
        )
    for sentence in explanation.verdict:
        click.echo(f"  {sentence}")
    rows = [
        [str(row.rank), row.guess, *row.figures.values(), "+".join(map(str, row.cells))]
        for row in explanation.top
    ]
    if rows:
        _print_table([["rank", "guess", *explanation.top[0].figures, "cells"], *rows])


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*cells, row[-1]]))
