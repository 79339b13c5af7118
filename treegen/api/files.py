"""Reading trees, and describing files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .._printing import Block, Paragraph, Printable
from ..formats import Entry, generate_manifest, make_entry
from ..tree import Tree
from .sources import TreeSource, open_tree


def read(file: TreeSource) -> Tree:
    """Read a tree from a ``.tree`` file or a ``.tgt`` table.

    Parameters
    ----------
    file
        A path, an open binary file, or the bytes of one.

    Raises
    ------
    FormatError
        The file cannot be read or is damaged; the message says where.

    See Also
    --------
    import_tree : For text, graphs and other programs' trees.

    Examples
    --------
    >>> import tempfile, treegen
    >>> tree = treegen.build("p2c3r")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.write(f"{folder}/knuth.tgt")
    ...     treegen.read(f"{folder}/knuth.tgt") == tree
    True
    """
    return open_tree(file).tree


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

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest for JSON."""
        return {"files": [asdict(entry) for entry in self.entries]}

    def describe(self) -> Iterator[Block]:
        """Yield the lines of the manifest."""
        yield from map(Paragraph, generate_manifest(self.entries))


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
        A name has a line feed or a backslash, which a manifest cannot hold.

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
