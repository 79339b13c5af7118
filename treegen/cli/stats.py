"""``treegen stats``: the figures of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import json_option
from .output import load, print_json

if TYPE_CHECKING:
    from ..tree import Tree
    from ..tree.sharded import ShardedTree


@click.command()
@click.argument("file")
@json_option
def stats(file: str, as_json: bool) -> None:
    """Show total, average, worst, histogram and digest of the tree in FILE."""
    tree = load(file).tree
    print_json(figures_of(tree)) if as_json else print_stats(tree)


def figures_of(tree: Tree | ShardedTree) -> dict[str, Any]:
    """Return the figures of a tree, ready for JSON."""
    return {
        "game": tree.game.name,
        "strategy": tree.provenance.strategy,
        "secrets": tree.n_secrets,
        "nodes": tree.n_nodes,
        "total": tree.total,
        "average": tree.average,
        "worst": tree.worst,
        "n_worst": tree.n_worst,
        "histogram": tree.histogram,
        "digest": tree.digest,
        "rule": tree.provenance.rule or None,
        "objective": tree.provenance.objective or None,
        "bound": tree.provenance.bound,
    }


def print_stats(tree: Tree) -> None:
    """Print the figures for people, and how fast the candidates fall."""
    from ..tree.progress import summarize_levels

    figures = figures_of(tree)
    figures["average"] = f"{tree.average:.4f}"
    figures["histogram"] = "/".join(map(str, tree.histogram))
    if tree.provenance.history:
        figures["history"] = "/".join(
            f"{tree.game.format_code(guess)}:{tree.game.format_response(response)}"
            for guess, response in tree.provenance.history
        )
    for name, value in figures.items():
        if value is not None:
            click.echo(f"{name:10} {value}")
    click.echo("\nguess  states  found  candidates left (mean, most)")
    for row in summarize_levels(tree):
        click.echo(
            f"{row.guess:5}  {row.n_states:6}  {row.n_found:5}"
            f"  {row.mean_left:11.2f}  {row.most_left}"
        )
