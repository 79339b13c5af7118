"""Trees as files to read again: the tree itself, tables, text, graphs, pages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import formats as export
from .._files import Target, refuse_edited, write_bytes
from .._inputs import Symbols
from ..errors import UsageError
from ..formats import generate_table_bytes, generate_tree_bytes, make_labels
from ..formats.load import TreeSource, get_tree
from ..page import generate_page, make_site
from ..tree import ShardedTree, Tree


def write_tree(tree: TreeSource | ShardedTree, file: Target) -> None:
    """Write a ``.tree`` file: every state, the exact rule, what was proved.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open binary file.

    Raises
    ------
    UsageError
        The file cannot be written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_tree(treegen.build("p2c3r"), file)
    >>> treegen.read(file.getvalue()).total
    24
    """
    write_bytes(
        file, generate_tree_bytes(tree if isinstance(tree, ShardedTree) else get_tree(tree))
    )


def write_table(
    tree: TreeSource,
    file: Target,
    *,
    profile: str = "full",
    all_words: bool = False,
    labels: str = "inside",
) -> None:
    """Write a lookup table (``.tgt``) for the players.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open binary file.
    profile
        ``"full"``: a pure lookup. ``"lean"``: less than half as large; its player keeps the
        candidates. ``"slim"``: a fifth smaller still; the player also counts the candidates of
        each answer. ``"seed"``: the guesses alone, to be expanded before play.
    all_words
        Of a codebook store also the words that the tree never guesses.
    labels
        Of a table of answers where its words go: ``"inside"``, ``"file"`` (beside the table, in
        ``OUT.labels.json``) or ``"none"``.

    Raises
    ------
    FormatError
        The profile is unknown, or not for this game.
    UsageError
        The file cannot be written, or the labels have no path to stand beside.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_table(treegen.build("p4c6r"), file, profile="lean")
    >>> len(file.getvalue())
    692
    """
    found = get_tree(tree)
    words = (
        make_labels(found, all_words=all_words) if labels != "inside" else b""
    )  # of a table of answers alone
    pieces = generate_table_bytes(found, profile=profile, all_words=all_words, labels=labels)
    if labels == "file" and not isinstance(file, (str, os.PathLike)):
        raise UsageError("--labels file needs a file: the table goes to the standard output")
    write_bytes(file, pieces)
    if labels == "file":
        write_bytes(f"{file}.labels.json", words)


def write_text(
    tree: TreeSource,
    file: Target,
    style: str = "indented",
    *,
    depth: int | None = None,
    path: str | Sequence[str] | None = None,
    order: str = "responses",
    symbols: Symbols = None,
    header: bool = True,
) -> None:
    """Write a tree as text.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open file.
    style
        ``"indented"``, ``"lines"`` (one secret a line), ``"irving"`` (the papers' notation),
        ``"r-post"``, ``"key"``, ``"mmstrat"``, ``"codegolf"``, ``"csv"``, ``"nested"``,
        ``"wordle"`` or ``"gv"``.
    depth
        Show guesses 1 … `depth` only.
    path
        Begin at the state after these answers: ``"02/11"``.
    order
        Of the answers to a guess: ``"responses"``, ``"reversed"``, ``"largest"``.
    symbols
        How colors are written.
    header
        Whether the lines about the tree stand above it: game, rule, totals, digest, and in
        ``"indented"`` what the signs mean.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.

    Examples
    --------
    >>> import sys, treegen
    >>> treegen.write_text(treegen.build("p2c2r"), sys.stdout, "codegolf")
    {AA:{00:BB,10:{AB:{02:BA}}}}
    """
    view: dict[str, Any] = {"depth": depth, "path": path, "order": order, "symbols": symbols}
    export.write_text(get_tree(tree), file, style, header=header, **view)


def write_json(
    tree: TreeSource,
    file: Target,
    *,
    depth: int | None = None,
    path: str | Sequence[str] | None = None,
    order: str = "responses",
    symbols: Symbols = None,
) -> None:
    """Write a tree as node-link JSON, the form of networkx.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open file.
    depth, path, order, symbols
        As of `write_text`.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.

    Examples
    --------
    >>> import io, json, treegen
    >>> file = io.StringIO()
    >>> treegen.write_json(treegen.build("p2c3r"), file)
    >>> len(json.loads(file.getvalue())["nodes"])
    9
    """
    view = {"depth": depth, "path": path, "order": order, "symbols": symbols}
    export.write_json(get_tree(tree), file, **view)


def write_graphml(
    tree: TreeSource,
    file: Target,
    *,
    depth: int | None = None,
    path: str | Sequence[str] | None = None,
    order: str = "responses",
    symbols: Symbols = None,
) -> None:
    """Write a tree as GraphML.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open file.
    depth, path, order, symbols
        As of `write_text`.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.StringIO()
    >>> treegen.write_graphml(treegen.build("p2c3r"), file)
    >>> file.getvalue().count("<node ")
    9
    """
    view = {"depth": depth, "path": path, "order": order, "symbols": symbols}
    export.write_graphml(get_tree(tree), file, **view)


def write_page(
    trees: TreeSource | Sequence[TreeSource],
    file: Target,
    *,
    title: str | None = None,
    url: str | None = None,
    force: bool = False,
) -> None:
    """Write one page that plays trees in a browser, from disk.

    Parameters
    ----------
    trees
        A tree or several, or their files; the page begins with the first.
    file
        A path, or an open file.
    title
        Heading of the page.
    url
        Where the page will be served: it gets a manifest, a service worker and a picture for
        previews beside it.
    force
        Whether a page that differs from what is written, as an edited one does, is replaced, and
        the files beside it.

    Raises
    ------
    UsageError
        There is no tree, tables of answers stand beside other games, a game has weights, a file
        cannot be written, or it differs: then nothing is written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_page(treegen.build("p2c3r"), file, title="Small")
    >>> b"<title>Small</title>" in file.getvalue()
    True
    """
    is_one = isinstance(trees, (Tree, str, os.PathLike, bytes)) or hasattr(trees, "read")
    sources: Any = [trees] if is_one else trees
    found = [get_tree(tree) for tree in sources]
    if not isinstance(file, (str, os.PathLike)):
        if url is not None:
            raise UsageError("--url writes files beside OUT: give -o a path")
        write_bytes(file, generate_page(found, title=title).encode())
        return
    target = Path(file)
    if url is None:
        contents = {target: generate_page(found, title=title).encode()}
    else:
        site = make_site(found, target.name, url, title=title)
        contents = {target.with_name(name): data for name, data in site.items()}
    if not force:
        refuse_edited(contents)
    for path, data in reversed(contents.items()):
        write_bytes(path, data)
