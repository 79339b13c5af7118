"""The statistics of a finished tree as a row: for JSON, CSV and people."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from ..strategies import split_search

if TYPE_CHECKING:
    from ..tree import ShardedTree, Tree

TREE_COLUMNS = (
    "file",
    "game",
    "strategy",
    "secrets",
    "nodes",
    "total",
    "average",
    "worst",
    "n_worst",
    "histogram",
    "digest",
    "rule",
    "objective",
    "bound",
    "proved",
    "history",
)
"""Columns of a CSV file of trees."""


def describe_tree(tree: Tree | ShardedTree) -> dict[str, Any]:
    """Return the statistics of a tree, ready for JSON.

    `rule`, `objective` and `bound` are what its file claims, None if it does not. So is `proved`:
    whether a search proved that no tree is better; None for a tree of a rule.

    Examples
    --------
    >>> from treegen.api import build
    >>> figures = describe_tree(build("p2c3r"))
    >>> figures["total"], figures["histogram"], figures["bound"]
    (24, [1, 2, 5, 1], None)
    """
    provenance = tree.provenance
    return {
        "game": tree.game.name,
        "strategy": provenance.strategy,
        "secrets": tree.n_secrets,
        "nodes": tree.n_nodes,
        "total": tree.total,
        "average": tree.average,
        "worst": tree.worst,
        "n_worst": tree.n_worst,
        "histogram": tree.histogram,
        "digest": tree.digest,
        "rule": provenance.rule or None,
        "objective": provenance.objective or None,
        "bound": provenance.bound,
        "proved": _is_proved(tree),
        "history": format_history(tree) or None,
    }


def _is_proved(tree: Tree | ShardedTree) -> bool | None:
    """Whether a search proved that no tree is better; None if none made the tree."""
    provenance = tree.provenance
    if not provenance.objective or provenance.bound is None:
        return None
    is_least = provenance.objective.startswith("total") and provenance.bound == tree.total
    return split_search(provenance.strategy)[0] == "optimal" or is_least


def format_history(tree: Tree | ShardedTree) -> str:
    """Return the guesses after which a tree starts: ``1122:02/1344:11``, or nothing."""
    return tree.game.format_history(tree.provenance.history)


def generate_rows(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a CSV file: the columns' names, then their values.

    Lists are joined by ``+``: 1/6/62 would be a date in a spreadsheet. Missing values are empty.

    Examples
    --------
    >>> list(generate_rows([{"game": "p2c3r", "histogram": [1, 3, 5]}], ["game", "histogram"]))
    ['game,histogram', 'p2c3r,1+3+5']
    """
    for row in [dict(zip(columns, columns, strict=True)), *rows]:
        line = StringIO()
        csv.writer(line, lineterminator="").writerow(_write(row.get(name)) for name in columns)
        yield line.getvalue()


def _write(value: Any) -> Any:
    return "+".join(map(str, value)) if isinstance(value, list) else value
