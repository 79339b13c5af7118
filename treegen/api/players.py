"""Trees as programs: a player and its table in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from .. import formats as export
from .._files import write_folder
from ..errors import UsageError
from ..formats import generate_table_bytes
from ..formats.load import TreeSource, get_tree
from ..tree import Tree

PLAYERS: dict[str, Callable[[bytes, Tree, str], export.Files]] = {
    "c": lambda table, tree, profile: export.make_c_files(
        table, tree.game, tree.provenance.strategy, profile
    ),
    "js": lambda table, _, profile: export.make_js_files(table, profile),
    "micropython": lambda table, tree, profile: export.make_micropython_files(
        table, tree.game, profile
    ),
    "python": lambda table, _, profile: export.make_python_files(table, profile),
    "rust": lambda table, _, profile: export.make_rust_files(table, profile),
    "go": lambda table, _, profile: export.make_go_files(table, profile),
    "java": lambda table, _, profile: export.make_java_files(table, profile),
    "npm": lambda table, tree, profile: export.make_npm_files(
        table, tree.game, tree.provenance.strategy, profile
    ),
    "arduino": lambda table, tree, profile: export.make_arduino_files(
        table, tree.game, tree.provenance.strategy, profile
    ),
}
"""The languages of players."""


def make_player(tree: TreeSource, language: str, *, profile: str = "full") -> dict[str, bytes]:
    """Return the files of a player and its table, by name.

    Parameters
    ----------
    tree
        The tree, or its file.
    language
        ``"c"``, ``"js"``, ``"micropython"``, ``"python"``, ``"rust"``, ``"go"`` or ``"java"``;
        ``"npm"`` for a package of JavaScript, ``"arduino"`` for a library of C.
    profile
        Of the table, as of `write_table`; not every player takes every profile.

    Raises
    ------
    UsageError
        The language is unknown, or its player does not take the table.

    Examples
    --------
    >>> import treegen
    >>> list(treegen.make_player(treegen.build("p4c6r"), "python", profile="slim"))
    ['tgt_player.py', 'table.tgt', 'README.md']
    """
    if language not in PLAYERS:
        raise UsageError(f"there is no player in {language!r}: there are {', '.join(PLAYERS)}")
    found = get_tree(tree)
    table = b"".join(generate_table_bytes(found, profile=profile))
    return PLAYERS[language](table, found, profile)


def write_player(
    tree: TreeSource,
    folder: str | os.PathLike[str],
    language: str,
    *,
    profile: str = "full",
    force: bool = False,
) -> list[Path]:
    """Write a player and its table to a folder; return the paths of the files.

    Parameters
    ----------
    tree
        The tree, or its file.
    folder
        Where they go; created if missing.
    language, profile
        As of `make_player`.
    force
        Whether files that differ from what is written, as edited ones do, are replaced; tables
        always are.

    Raises
    ------
    UsageError
        As of `make_player`; a file cannot be written, or differs: then nothing is written.

    Examples
    --------
    >>> import tempfile, treegen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = treegen.write_player(treegen.build("p4c6r"), folder, "js")
    >>> paths[0].name
    'tgt_player.mjs'
    """
    return write_folder(folder, make_player(tree, language, profile=profile), force=force)
