"""The figures of trees: of one for people, of several as a table, for JSON and CSV."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from .._printing import Block, Column, Listed, Paragraph, Printable, generate_rows, tabulate
from ..errors import TreegenError
from ..formats.load import TreeSource, open_tree
from ..strategies.stated import read_provenance
from ..tree.tree import Tree, write_weight
from ..tree.walk import summarize_levels

if TYPE_CHECKING:
    import pandas as pd

    from ..tree.parts import ShardedTree

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

    `rule`, `objective` and `bound` are what its file claims, or None. `proved` is whether it claims
    that no tree of the game is better by the objective, within the restrictions of the rule; None
    for a tree of a rule. Nothing is checked here.
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
        "history": tree.game.format_history(provenance.history) or None,
        # Where answers are uncertain, all of total, n_worst, histogram and bound count shares.
        **({"unit": tree.game.share_unit} if tree.game.share_unit > 1 else {}),
    }


def _is_proved(tree: Tree | ShardedTree) -> bool | None:
    """Whether a tree claims that a search proved it to be the best; None if no search made it."""
    provenance = tree.provenance
    if read_provenance(provenance, tree.game).is_rounded:
        return False
    if not provenance.objective or provenance.bound is None:
        return None
    # A near-optimal tree, too, may have the total that its bound proves to be the least.
    is_least = provenance.objective.startswith("total") and provenance.bound == tree.total
    return is_least or read_provenance(provenance, tree.game).is_optimal


@dataclass(frozen=True)
class Statistics(Printable, Listed[Tree]):
    """The statistics of one or several trees.

    Attributes
    ----------
    trees
        The trees.
    files
        The path of each, or None where it was given as a value.

    Examples
    --------
    >>> import treegen
    >>> (tree,) = treegen.stats(treegen.build("p2c3r")).trees
    >>> tree.total, tree.histogram
    (24, [1, 2, 5, 1])
    """

    trees: tuple[Tree, ...]
    files: tuple[str | None, ...]

    def _list(self) -> Sequence[Tree]:
        return self.trees

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A record for each tree, ready for JSON and CSV."""
        return [
            {"file": file, **describe_tree(tree)}
            for file, tree in zip(self.files, self.trees, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON: of one tree alone, or of several as ``trees``."""
        if len(self.trees) == 1:
            return describe_tree(self.trees[0])
        return {"trees": self.rows}

    def generate_csv(self) -> Iterator[str]:
        """Yield the lines of a CSV file: a header, one row for each tree."""
        yield from generate_rows(self.rows, TREE_COLUMNS)

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame, one row for each tree; raise DependencyError without pandas."""
        from .._loading import import_pandas

        frame: pd.DataFrame = import_pandas().DataFrame(self.rows)
        return frame

    def describe(self) -> Iterator[Block]:
        """Yield the statistics of one tree, or a table of several."""
        if len(self.trees) == 1:
            yield from _describe_one(self.trees[0])
        elif self.trees:
            shown = zip(self.trees, self.rows, strict=True)
            yield tabulate(
                [row | {"write": partial(write_weight, tree.game)} for tree, row in shown],
                {
                    Column("file", is_text=True): lambda row: row["file"] or "",
                    Column("game", 3, is_text=True): lambda row: row["game"],
                    Column("strategy", 2, is_text=True): lambda row: row["strategy"],
                    Column("secrets", 4): lambda row: row["secrets"],
                    Column("total"): lambda row: row["write"](row["total"]).replace(",", ""),
                    Column("average"): lambda row: f"{row['average']:.4f}",
                    Column("worst"): lambda row: row["worst"],
                    Column("at worst", 5): lambda row: row["write"](row["n_worst"]).replace(
                        ",", ""
                    ),
                    Column("histogram", 1, is_text=True): lambda row: "/".join(
                        row["write"](count).replace(",", "") for count in row["histogram"]
                    ),
                    Column("nodes", 6): lambda row: row["nodes"],
                },
            )


def stats(*trees: TreeSource, skip: Callable[[TreegenError], object] | None = None) -> Statistics:
    """Return total, average, worst, histogram and digest of trees.

    Parameters
    ----------
    *trees
        Trees, or their files.
    skip
        Called with the error of a file that cannot be read, which is then left out. None: it is
        raised.

    Raises
    ------
    FormatError
        A file cannot be read or is damaged.

    Examples
    --------
    >>> import treegen
    >>> treegen.stats(treegen.build("p4c6r")).to_dict()["histogram"]
    [1, 6, 62, 533, 694]
    """
    found: list[tuple[Tree, str | None]] = []
    for source in trees:
        file = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
        try:
            found.append((open_tree(source).tree, file))
        except TreegenError as error:
            if skip is None:
                raise
            skip(error)
    return Statistics(tuple(tree for tree, _ in found), tuple(file for _, file in found))


def _describe_one(tree: Tree) -> Iterator[Block]:
    """Yield the statistics for people, and how fast the candidates decrease."""
    figures = describe_tree(tree)
    figures["average"] = f"{tree.average:.4f}"
    write = partial(write_weight, tree.game)
    figures["histogram"] = "/".join(write(count).replace(",", "") for count in tree.histogram)
    if figures.pop("unit", None):
        for name in ("total", "n_worst", "bound"):
            figures[name] = None if figures[name] is None else write(figures[name])
    if (is_proved := figures.pop("proved")) is not None:
        stated = read_provenance(tree.provenance, tree.game)
        given = ", ".join(stated.restrictions)
        claim = f"optimal by {tree.provenance.objective}" + (f" with {given}" if given else "")
        figures["claimed"] = claim if is_proved else "not optimal, as far as is proved"
    for name, value in figures.items():
        if value is not None:
            yield Paragraph(f"{name:10} {value}")
    yield Paragraph("")
    yield Paragraph("guess  states  found  candidates left (mean, most)")
    for row in summarize_levels(tree):
        yield Paragraph(
            f"{row.guess:5}  {row.n_states:6}  {row.n_found:5}"
            f"  {row.mean_left:11.2f}  {row.most_left}"
        )
