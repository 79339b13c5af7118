"""Trees as pictures: diagrams by Graphviz, plots by matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import pictures as export
from .._files import Target
from .._inputs import Symbols
from ..formats.load import TreeSource, get_tree


def write_dot(
    tree: TreeSource,
    file: Target,
    *,
    style: str = "plain",
    depth: int | None = None,
    path: str | Sequence[str] | None = None,
    order: str = "responses",
    symbols: Symbols = None,
    all: bool = False,
    max_nodes: int | None = None,
    color: str = "length",
    title: str | None = None,
    landscape: bool = False,
) -> None:
    """Write a tree as Graphviz text (DOT), by default cut to about 150 states.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open file.
    style
        ``"plain"``: a node for each state; ``"compact"``: boxes; ``"radial"``; ``"auto"``: by size.
    depth, path, order, symbols
        As of `write_text`.
    all
        Whether every state is shown.
    max_nodes
        Without `depth` and `all`: about so many states.
    color
        What the color of a state means: ``"length"``, ``"candidates"``, ``"none"``.
    title
        The first line; None: game and strategy.
    landscape
        Whether the tree grows downwards, which is wider than high, instead of to the right.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.StringIO()
    >>> treegen.write_dot(treegen.build("p2c3r"), file)
    >>> file.getvalue().splitlines()[0]
    'digraph "p2c3r-knuth" {'
    """
    options = _diagram(depth, path, order, symbols, all, max_nodes, color)
    export.write_dot(get_tree(tree), file, style=style, landscape=landscape, title=title, **options)


def write_picture(
    tree: TreeSource,
    file: Target,
    *,
    format: str | None = None,
    style: str = "auto",
    depth: int | None = None,
    path: str | Sequence[str] | None = None,
    order: str = "responses",
    symbols: Symbols = None,
    all: bool = False,
    max_nodes: int | None = None,
    color: str = "length",
    title: str | None = None,
    landscape: bool = False,
    scale: float = 1.0,
    check_fallback: Callable[[Path], object] | None = None,
) -> None:
    """Draw a tree with Graphviz, as SVG, PNG or PDF.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open binary file.
    format
        ``"svg"``, ``"png"`` or ``"pdf"``; None: what the path ends with, svg for an open file.
    style, depth, path, order, symbols, all, max_nodes, color, title, landscape
        As of `write_dot`.
    scale
        How many times as wide and high as usual, 0.1 to 10.
    check_fallback
        Called with the path of the DOT file before that is written instead of a picture; what it
        raises leaves the path as it is.

    Raises
    ------
    DependencyError
        The machine has no renderer. The DOT file is then written beside the path, with the
        ending ``.gv``, and the message says what to install.
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_picture(treegen.build("p2c3r"), file)
    >>> file.getvalue()[:5]
    b'<?xml'
    """
    options = _diagram(depth, path, order, symbols, all, max_nodes, color)
    export.write_picture(
        get_tree(tree),
        file,
        format=format,
        style=style,
        title=title,
        landscape=landscape,
        scale=scale,
        check_fallback=check_fallback,
        **options,
    )


def write_plot(
    tree: TreeSource,
    file: Target,
    kind: str = "icicle",
    *,
    format: str | None = None,
    depth: int | None = None,
    path: str | Sequence[str] | None = None,
    order: str = "responses",
    symbols: Symbols = None,
    color: str = "average",
    title: str | None = None,
    scale: float = 1.0,
    static: bool = False,
) -> None:
    """Draw a whole tree with matplotlib, as SVG, PNG or PDF.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open binary file.
    kind
        ``"icicle"``: a row for each guess; ``"sunburst"``: a ring; ``"histogram"``: secrets per
        length of game.
    format
        ``"svg"``, ``"png"`` or ``"pdf"``; None: what the path ends with, svg for an open file.
    depth, path, order, symbols
        As of `write_text`.
    color
        ``"average"`` or ``"longest"`` game through a state, or its largest ``"cell"``.
    title
        The first line; None: game and strategy.
    scale
        How many times as wide and high as usual, 0.1 to 10; not for PDF.
    static
        Whether the script that zooms is left out of an SVG.

    Raises
    ------
    DependencyError
        matplotlib is not installed.
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_plot(treegen.build("p2c3r"), file, "histogram")
    >>> file.getvalue()[:5]
    b'<?xml'
    """
    export.write_plot(
        get_tree(tree),
        file,
        kind,
        format=format,
        path=path,
        depth=depth,
        order=order,
        symbols=symbols,
        coloring=color,
        title=title,
        scale=scale,
        static=static,
    )


def write_game(
    tree: TreeSource,
    file: Target,
    *,
    format: str | None = None,
    secret: str | None = None,
    path: str | Sequence[str] | None = None,
    symbols: Symbols = None,
    title: str | None = None,
    scale: float = 1.0,
) -> None:
    """Draw one game of a tree: pegs, pins, what remains.

    Parameters
    ----------
    tree
        The tree, or its file.
    file
        A path, or an open binary file.
    format
        ``"svg"``, ``"png"`` or ``"pdf"``; None: what the path ends with, svg for an open file.
    secret
        The game that finds this code; or else
    path
        the game so far: ``"02/11"``.
    symbols
        How colors are written.
    title
        The first line; None: game and strategy.
    scale
        How many times as wide and high as usual, 0.1 to 10; not for PDF.

    Raises
    ------
    DependencyError
        matplotlib is not installed.
    UsageError, GameError, UnreachableError
        Neither or both of `secret` and `path` are given, or they do not fit the tree.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_game(treegen.build("p2c3r"), file, secret="32")
    >>> file.getvalue()[:5]
    b'<?xml'
    """
    options: dict[str, Any] = {"secret": secret, "path": path, "symbols": symbols, "title": title}
    export.write_game(get_tree(tree), file, format=format, scale=scale, **options)


def _diagram(
    depth: int | None,
    path: str | Sequence[str] | None,
    order: str,
    symbols: Symbols,
    all: bool,
    max_nodes: int | None,
    color: str,
) -> dict[str, Any]:
    """Return the options of a diagram under the names of `treegen.export`."""
    view: dict[str, Any] = {"depth": depth, "path": path, "order": order, "symbols": symbols}
    return {**view, "show_all": all, "max_nodes": max_nodes, "coloring": color}
