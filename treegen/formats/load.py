"""Any file that holds a tree, recognized by its first bytes."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._files import explain_reading
from ..errors import FormatError
from ..tree import Tree
from . import table, tree_file
from .source import Source, name_source
from .table_labels import find_labels


@dataclass(frozen=True, slots=True)
class LoadedTree:
    """A tree and what its file claims about it.

    Attributes
    ----------
    tree
        The tree.
    claims
        ``total``, ``worst``, ``histogram``, ``digest`` as far as the file has them.
    """

    tree: Tree
    claims: dict[str, Any]


def load_tree(source: Source, *, check: bool = True) -> LoadedTree:
    """Read a ``.tree`` file or a ``.tgt`` table.

    Parameters
    ----------
    source
        A path, or the bytes of a file.
    check
        Also check the tree's columns; otherwise they are as in the file, for
        `treegen.verifier.verify_tree` to judge.

    Raises
    ------
    FormatError
        The file is neither, or is damaged; the message says where.
    """
    start, opened = _open_source(source)
    kind = find_kind(start)
    if kind == ".tree":
        return LoadedTree(*tree_file.load(opened, check=check))
    if kind == ".tgt":
        tree, claims = table.load(opened, check=check)
        return LoadedTree(tree if isinstance(source, bytes) else find_labels(tree, source), claims)
    raise FormatError(f"{name_source(source)} is neither a .tree file nor a .tgt table")


def load_bytes(data: bytes) -> Tree:
    """Return the tree of a ``.tree`` file's bytes; pickled trees are read by this."""
    return load_tree(data).tree


def find_kind(start: bytes) -> str:
    """Return ``.tree`` or ``.tgt`` by the first bytes of a file, ``""`` for any other.

    Examples
    --------
    >>> find_kind(tree_file.MAGIC + b"..."), find_kind(b"9 (11: ")
    ('.tree', '')
    """
    if start.startswith(tree_file.MAGIC):
        return ".tree"
    return ".tgt" if start[1:].startswith(table.START) else ""


def _open_source(source: Source) -> tuple[bytes, Source]:
    """Return the first bytes and the source; for a pipe, which can be read only once, all bytes."""
    if isinstance(source, bytes):
        return source[:16], source
    with explain_reading(source), Path(source).open("rb") as stream:
        start = stream.read(16)
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return start, source
        return start, start + stream.read() if find_kind(start) else start
