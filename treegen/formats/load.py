"""Any file that holds a tree, told apart by its first bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import FormatError
from ..tree import Tree
from .tree_file import MAGIC, read_claims, read_tree


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


def load_tree(path: str | os.PathLike[str]) -> LoadedTree:
    """Read a ``.tree`` file or a ``.tgt`` table.

    Raises
    ------
    FormatError
        The file is neither, or is damaged; the message says where.
    """
    if _read_start(path).startswith(MAGIC):
        return LoadedTree(read_tree(path), read_claims(path))
    raise FormatError(f"{str(path)!r} is neither a .tree file nor a .tgt table")


def _read_start(path: str | os.PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(16)
    except OSError as error:
        raise FormatError(f"cannot read {str(path)!r}: {error.strerror}") from error
