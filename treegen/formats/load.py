"""Any file that holds a tree, told apart by its first bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import FormatError
from ..tree import Tree
from . import table, tree_file


@dataclass(frozen=True, slots=True)
class LoadedTree:
    """A tree and what its file claims of it.

    Attributes
    ----------
    tree
        The tree.
    claims
        ``total``, ``worst``, ``histogram``, ``digest`` as the file says them, where it does.
    """

    tree: Tree
    claims: dict[str, Any]


def load_tree(source: str | os.PathLike[str] | bytes, *, check: bool = True) -> LoadedTree:
    """Read a ``.tree`` file or a ``.tgt`` table.

    Parameters
    ----------
    source
        A path, or the bytes of a file.
    check
        Also check the tree's columns; without it they are as the file has them, to be judged by
        `treegen.verifier.verify_tree`.

    Raises
    ------
    FormatError
        The file is neither, or is damaged; the message says where.
    """
    start = source[:16] if isinstance(source, bytes) else _read_start(source)
    if start.startswith(tree_file.MAGIC):
        return LoadedTree(*tree_file.load(source, check=check))
    if start[1:].startswith(table.START):
        return LoadedTree(*table.load(source, check=check))
    name = "the input" if isinstance(source, bytes) else repr(str(source))
    raise FormatError(f"{name} is neither a .tree file nor a .tgt table")


def _read_start(path: str | os.PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(16)
    except OSError as error:
        raise FormatError(f"cannot read {str(path)!r}: {error.strerror}") from error
