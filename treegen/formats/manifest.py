"""Manifests: descriptions of a set of files that ``sha256sum -c`` checks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .._files import read_bytes
from .._printing import Block, Paragraph, Printable
from ..errors import FormatError, UsageError, escape_controls
from ..games.rules import Weight, count_shares, write_weights
from .tree_file import read


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
    name = os.fspath(path) if folder is None else os.path.relpath(path, folder)
    if "\n" in name or "\\" in name or escape_controls(name) != name:
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
