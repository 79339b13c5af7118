"""The figures of trees: of one for people, of several as a table, for JSON and CSV.

A manifest describes a set of files, which ``sha256sum -c`` checks, and the trees in them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._files import check_path, read_bytes
from .._options import refuse_unknown
from .._printing import Block, Column, Listed, Paragraph, Printable, Tabular, tabulate
from ..errors import ESCAPES, FormatError, TreegenError, UsageError
from ..formats.tree_file import TreeSource, read
from ..games.base import Game
from ..games.histories import format_history
from ..games.rules import Goal, Weight, count_shares, write_weights
from ..strategies.named import read_provenance
from ..tree.tree import Tree
from ..tree.walk import summarize_levels

if TYPE_CHECKING:
    import pandas as pd


def title_game(game: Game, title: str) -> str:
    """Return a title of a game with what its figures count that those of the usual game do not.

    >>> import treegen
    >>> title_game(treegen.open_game("p2c3r", goal="identify"), "p2c3r")
    'p2c3r, goal identify'
    """
    rules = game.rules
    usual = Goal.IDENTIFY if rules.n_questions else Goal.WIN
    parts = [title] if rules.goal is usual else [title, f"goal {rules.goal}"]
    parts += ["weights"] * (rules.weights is not None)
    return ", ".join([*parts, *["costs"] * (rules.given_costs is not None)])


def list_figures(tree: Tree) -> dict[str, Any]:
    """Return the statistics of a tree; those that are weights may be fractions.

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
        "history": format_history(tree.game.notation, provenance.history) or None,
    }


def describe_tree(tree: Tree) -> dict[str, Any]:
    """Return the statistics of a tree, ready for JSON."""
    return count_in_shares(list_figures(tree), tree.game.rules.share_unit)


def _is_proved(tree: Tree) -> bool | None:
    """Whether a tree claims that a search proved it to be the best; None if no search made it."""
    provenance = tree.provenance
    if read_provenance(provenance, tree.game).is_rounded:
        return False
    if not provenance.objective:
        return None
    # A near-optimal tree, too, may have the total that its bound proves to be the least.
    is_least = provenance.objective.startswith("total") and provenance.bound == tree.total
    return is_least or read_provenance(provenance, tree.game).is_optimal


@dataclass(frozen=True)
class Statistics(Tabular, Listed[Tree]):
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

    columns = (
        *("file", "game", "strategy", "secrets", "nodes", "total", "average", "worst", "n_worst"),
        *("histogram", "digest", "rule", "objective", "bound", "proved", "history"),
    )

    def _list(self) -> Sequence[Tree]:
        return self.trees

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A record for each tree, ready for JSON."""
        return [
            {"file": file, **describe_tree(tree)}
            for file, tree in zip(self.files, self.trees, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON: of one tree alone, or of several as ``trees``."""
        if len(self.trees) == 1:
            return describe_tree(self.trees[0])
        return {"trees": self.rows}

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each tree; sums of weights may be fractions."""
        return [
            {"file": file, **list_figures(tree)}
            for file, tree in zip(self.files, self.trees, strict=True)
        ]

    def to_dataframe(self) -> pd.DataFrame:
        """Return a pandas frame, one row for each tree; raise DependencyError without pandas."""
        from .._loading import import_pandas

        frame: pd.DataFrame = import_pandas().DataFrame(self.list_rows())
        return frame

    def describe(self) -> Iterator[Block]:
        """Yield the statistics of one tree, or a table of several."""
        if len(self.trees) == 1:
            yield from _describe_one(self.trees[0])
        elif self.trees:
            yield tabulate(
                list(zip(self.trees, self.files, strict=True)),
                {
                    Column("file", is_text=True): lambda row: row[1] or "",
                    Column("game", 3, is_text=True): lambda row: title_game(
                        row[0].game, row[0].game.name
                    ),
                    Column("strategy", 2, is_text=True): lambda row: row[0].provenance.strategy,
                    Column("secrets", 4): lambda row: row[0].n_secrets,
                    Column("total"): lambda row: write_weights([row[0].total]),
                    Column("average"): lambda row: f"{row[0].average:.4f}",
                    Column("worst"): lambda row: row[0].worst,
                    Column("at worst", 5): lambda row: write_weights([row[0].n_worst]),
                    Column("histogram", 1, is_text=True): lambda row: write_weights(
                        row[0].histogram
                    ),
                    Column("nodes", 6): lambda row: row[0].n_nodes,
                },
            )


WEIGHTS = {
    *("bound", "total", "n_worst", "histogram"),
    *("total_tree", "total_guess", "total_best"),
}
"""Figures that are weights: whole shares in JSON, beside their unit."""


def count_in_shares(row: Mapping[str, Any], unit: int) -> dict[str, Any]:
    """Return a record for JSON: its weights as whole shares, beside their unit if it is not 1.

    >>> count_in_shares({"worst": 2, "total": Fraction(3, 2), "histogram": [Fraction(1, 2), 1]}, 2)
    {'worst': 2, 'total': 3, 'histogram': [1, 2], 'unit': 2}
    """
    if unit == 1:
        return dict(row)

    def count(value: Any) -> Any:
        if isinstance(value, list):
            return list(map(count, value))
        return None if value is None else count_shares(value, unit)

    shares = {name: count(value) for name, value in row.items() if name in WEIGHTS}
    return {**row, **shares, "unit": unit}


@refuse_unknown
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
            found.append((read(source), file))
        except TreegenError as error:
            if skip is None:
                raise
            skip(error)
    return Statistics(tuple(tree for tree, _ in found), tuple(file for _, file in found))


def _describe_one(tree: Tree) -> Iterator[Block]:
    """Yield the statistics for people, and how fast the candidates decrease."""
    figures = list_figures(tree)
    figures["game"] = title_game(tree.game, tree.game.name)
    figures["average"] = f"{tree.average:.4f}"
    figures["histogram"] = write_weights(tree.histogram)
    for name, value in figures.items():
        figures[name] = write_weights([value]) if isinstance(value, Fraction) else value
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


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a manifest; digest, total and worst are None unless it holds a tree."""

    name: str
    size_bytes: int
    sha256: str
    digest: str | None = None
    total: Weight | None = None
    worst: int | None = None
    unit: int = 1


def make_entry(path: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None) -> Entry:
    """Return the entry of a file, its name relative to `folder`, that of the manifest, if given.

    Raises FormatError if it cannot be read, or is a damaged tree or table. Raises UsageError if its
    name has a control character or a backslash, which a manifest cannot hold.
    """
    check_path(path, "a file is given by its path")
    name = os.fspath(path) if folder is None else os.path.relpath(path, folder)
    if "\n" in name or "\\" in name or name.translate(ESCAPES) != name:
        raise UsageError(f"a manifest cannot hold the name {name!r:.80}")
    data = read_bytes(path)
    sha256 = hashlib.sha256(data).hexdigest()
    if Path(name).suffix not in (".tree", ".tgt"):
        return Entry(name, len(data), sha256)
    try:
        tree = read(data)
    except FormatError as error:
        raise FormatError(f"{os.fspath(path)!r:.300}: {error}") from error
    return Entry(
        name, len(data), sha256, tree.digest, tree.total, tree.worst, tree.game.rules.share_unit
    )


@dataclass(frozen=True, slots=True)
class Manifest(Printable):
    """Names, sizes and checksums of files, as ``sha256sum -c`` reads them.

    Attributes
    ----------
    entries
        A description of each file, and of the tree in it.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     treegen.build("p2c3r").write(f"{folder}/small.tree")
    ...     treegen.manifest(f"{folder}/small.tree").entries[0].total
    24
    """

    entries: tuple[Entry, ...]

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries."""
        return iter(self.entries)

    def __getitem__(self, name: str) -> Entry:
        """Return the entry of a file, by its name there; KeyError if there is none."""
        return {entry.name: entry for entry in self.entries}[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest for JSON."""
        return {"files": list(map(_describe_entry, self.entries))}

    def describe(self) -> Iterator[Block]:
        """Yield the lines of the manifest: a comment about a file, then its sha256 and name."""
        for entry in self.entries:
            about = f"# {entry.name}: {entry.size_bytes} bytes"
            if entry.digest is not None:
                total = "" if entry.total is None else write_weights([entry.total])
                about += f", total {total}, worst {entry.worst}, digest {entry.digest}"
            yield Paragraph(about)
            yield Paragraph(f"{entry.sha256}  {entry.name}")


def _describe_entry(entry: Entry) -> dict[str, Any]:
    """Return an entry for JSON; its total counts shares, if `unit` says how many weigh 1."""
    row = asdict(entry)
    if row.pop("unit") == 1 or entry.total is None:
        return row
    return {**row, "total": count_shares(entry.total, entry.unit), "unit": entry.unit}


@refuse_unknown
def manifest(
    *files: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None
) -> Manifest:
    """Describe files: name, size, sha256, and the trees in them.

    Parameters
    ----------
    *files
        Their paths.
    folder
        The folder of the manifest, to which names are relative; None keeps them as given.

    Raises
    ------
    FormatError
        A file cannot be read, or is a damaged ``.tree`` or ``.tgt`` file.
    UsageError
        A name has a control character or a backslash, which a manifest cannot hold.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     treegen.build("p2c3r").write(f"{folder}/knuth.tree")
    ...     found = treegen.manifest(f"{folder}/knuth.tree", folder=folder)
    >>> found.entries[0].name, found.entries[0].total
    ('knuth.tree', 24)
    """
    return Manifest(tuple(make_entry(file, folder) for file in files))
