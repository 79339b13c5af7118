"""Pictures from DOT, by a renderer of this machine.

In this order: the ``dot`` program, found by the ``graphviz`` package; the Graphviz that
``pygraphviz`` brings along (extra ``pictures``); none, and then the DOT file is all there is.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any

from .._files import Target, write_bytes, write_lines
from ..errors import DependencyError, UsageError
from ..tree import Tree
from .dot import make_digraph
from .fonts import find_missing, warn_of_missing
from .target import check_scale, choose_format, scale_svg

USUAL_DPI = {"png": 96, "pdf": 72}
"""What Graphviz takes unless it is told."""

INSTALL = "install your system's graphviz, or pip install pygraphviz (treegen's extra pictures)"


def write_picture(
    tree: Tree,
    target: Target,
    *,
    format: str | None = None,
    style: str = "auto",
    scale: float = 1.0,
    check_fallback: Callable[[Path], object] | None = None,
    **options: Any,
) -> None:
    """Draw a tree with Graphviz.

    Parameters
    ----------
    tree
        Any tree.
    target
        A path or an open binary file.
    format
        ``"svg"``, ``"png"`` or ``"pdf"``; by default what the path ends with, svg for a file.
    scale
        How many times as wide and high as usual, 0.1 to 10.
    check_fallback
        Called with the path of the DOT file before that is written instead of a picture; what it
        raises leaves the path as it is. By default a file that is there is replaced.
    style, **options
        As in `generate_dot`.

    Raises
    ------
    DependencyError
        The machine has no renderer. The DOT file is then written beside the path, with the
        ending ``.gv``, and the message says what to install.
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.
    """
    kind = choose_format(target, format)
    check_scale(scale)
    graph = make_digraph(tree, style=style, **options)
    if scale != 1 and kind != "svg":
        graph.attr("graph", dpi=f"{USUAL_DPI[kind] * scale:g}")
    source = graph.source
    try:
        picture = render(source, kind)
    except DependencyError as error:
        if not isinstance(target, (str, os.PathLike)):
            raise
        fallback = Path(target).with_suffix(".gv")
        if check_fallback is not None:
            check_fallback(fallback)
        write_lines(fallback, [source.rstrip("\n")])
        raise DependencyError(f"wrote {str(fallback)!r} instead of a picture: {error}") from None
    if kind == "svg":
        picture = scale_svg(picture, scale)  # with dpi, some releases cut it off
    else:
        warn_of_missing(find_missing(source))
    write_bytes(target, picture)


def render(source: str, format: str = "svg") -> bytes:
    """Return a picture of a DOT document.

    Parameters
    ----------
    source
        The document; its ``layout`` attribute chooses the layout program.
    format
        ``"svg"``, ``"png"`` or ``"pdf"``.

    Raises
    ------
    DependencyError
        The machine has no renderer.
    UsageError
        The renderer failed; the message has its first line.
    """
    for renderer in (_render_with_program, _render_with_wheel):
        picture = renderer(source, format)
        if picture is not None:
            return picture
    raise DependencyError(f"no Graphviz on this machine: {INSTALL}")


def find_renderer() -> str | None:
    """Return which renderer is used: ``"dot"``, ``"pygraphviz"`` or None."""
    if which("dot"):
        return "dot"
    return "pygraphviz" if _import_agraph() else None


def _render_with_program(source: str, format: str) -> bytes | None:
    if not which("dot"):
        return None
    import graphviz

    try:
        return bytes(graphviz.Source(source).pipe(format=format, quiet=True))
    except graphviz.ExecutableNotFound:
        return None
    except graphviz.CalledProcessError as error:
        raise UsageError(f"dot failed: {_first_line(error.stderr)}") from error


def _render_with_wheel(source: str, format: str) -> bytes | None:
    make_graph = _import_agraph()
    if make_graph is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            graph = make_graph(string=source)
            drawn = graph.draw(format=format, prog=graph.graph_attr.get("layout") or "dot")
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"pygraphviz failed: {_first_line(str(error))}") from error
    return bytes(drawn)


def _import_agraph() -> Callable[..., Any] | None:
    try:
        import pygraphviz
    except (ImportError, OSError):
        return None
    constructor: Callable[..., Any] = pygraphviz.AGraph
    return constructor


def _first_line(text: bytes | str | None) -> str:
    written = text.decode(errors="replace") if isinstance(text, bytes) else text or ""
    return written.strip().partition("\n")[0]
