"""Trees as Graphviz text (DOT), one node per state or in a compact form for people.

In the *plain* style every state is a node and every response an edge. In the *compact* style the
states without children in the picture share one box at their parent, a cell each, so that a
picture keeps roughly the shape of a page. *radial* is plain, with places on circles (`radial`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape as escape_markup
from html import unescape
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from .._files import Target, write_lines
from ..errors import UsageError
from ..tree import Tree
from .palette import paint_marks
from .picture import (
    Picture,
    describe_answers,
    describe_stub,
    keep_direction,
    make_picture,
    scope_of,
    subtitle_of,
    title_of,
)
from .radial import place_states

if TYPE_CHECKING:
    import graphviz

STYLES = ("auto", "plain", "compact", "radial")
"""``auto`` is plain for up to `MAX_PLAIN` states, compact for more."""

MAX_PLAIN = 80
"""More states than this make a plain picture too long."""

MIN_BOX = 3
"""Fewer states than this get boxes of their own even in the compact style."""

MANY_COLUMNS, FEW_COLUMNS = 1.0, 0.25
"""Columns of a box, as a multiple of the root of its cells: beside each other, below each other."""

FILLERS = 9
"""Empty columns beside a legend that is much narrower than the title."""

FONT = "Helvetica,Arial,sans-serif"
GREY = "#555555"


def generate_dot(
    tree: Tree, *, style: str = "plain", landscape: bool = False, **options: Any
) -> Iterator[str]:
    """Yield the lines of a DOT document, without line feeds.

    Parameters
    ----------
    tree
        Any tree.
    style
        One of `STYLES`.
    landscape
        The tree grows downwards instead of to the right.
    **options
        What is shown, its title and colors: the options of `make_picture`. A large tree is cut to
        about 150 states unless a depth or `show_all` is given.

    Raises
    ------
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree.

    Examples
    --------
    >>> import treegen
    >>> lines = list(generate_dot(treegen.build("p2c3r", "knuth")))
    >>> lines[0], lines[-1]
    ('digraph "p2c3r-knuth" {', '}')
    """
    for line in make_digraph(tree, style=style, landscape=landscape, **options):
        yield line.rstrip("\n")


def write_dot(tree: Tree, target: Target, **options: Any) -> None:
    """Write DOT to a path or an open text file; the options are those of `generate_dot`."""
    write_lines(target, generate_dot(tree, **options))


def make_digraph(
    tree: Tree, *, style: str = "plain", landscape: bool = False, **options: Any
) -> graphviz.Digraph:
    """Return the picture as a `graphviz.Digraph`, to be changed or shown in a notebook."""
    if style not in STYLES:
        raise UsageError(f"unknown style {style!r}: there are {', '.join(STYLES)}")
    picture = make_picture(tree, **options)
    if style == "auto":
        style = "plain" if picture.n_shown <= MAX_PLAIN else "compact"
    if landscape and style == "radial":
        raise UsageError("landscape does nothing in the style radial, which is as wide as high")
    graph = _start_graph(picture, style, landscape)
    if style == "compact":
        _add_compact(graph, picture, FEW_COLUMNS if landscape else MANY_COLUMNS)
    else:
        _add_plain(graph, picture, place_states(picture) if style == "radial" else {})
    return graph


def _start_graph(picture: Picture, style: str, landscape: bool) -> graphviz.Digraph:
    import graphviz

    tree = picture.view.tree
    layout = {
        "rankdir": "TB" if landscape else "LR",
        "ranksep": "0.45",
        "nodesep": "0.12",
        "ordering": "out",
    }
    if style == "radial":
        layout = {"layout": "neato", "overlap": "true", "splines": "line"}
    graph = graphviz.Digraph(_name(f"{tree.game.name}-{tree.provenance.strategy}"))
    graph.attr(
        "graph",
        label=_title(picture),
        labelloc="t",
        labeljust="l",
        fontname=FONT,
        pad="0.3",
        **layout,
    )
    graph.attr(
        "node",
        shape="box",
        style="rounded,filled",
        fontname=FONT,
        fontsize="11",
        margin="0.08,0.04",
        height="0.3",
        width="0.5",
        color=GREY,
    )
    graph.attr(
        "edge", fontname=FONT, fontsize="10", arrowsize="0.5", color="#888888", fontcolor="#222222"
    )
    return graph


def _add_plain(
    graph: graphviz.Digraph, picture: Picture, places: dict[int, tuple[float, float]]
) -> None:
    """Add a node for every state, an edge for every answer; at places, if there are any."""
    for node in picture.nodes():
        lines = _state_lines(picture, node, is_tight=bool(places))
        x, y = places.get(node, (0.0, 0.0))
        pinned = {"pos": f"{x:.3f},{y:.3f}!"} if places else {}
        graph.node(str(node), _html(lines), **_look(picture, node), **pinned)
        for child in picture.children(node):
            graph.edge(str(node), str(child), label=_edge_label(picture, child))


def _add_compact(graph: graphviz.Digraph, picture: Picture, share: float) -> None:
    """Add a node for every state that has children, and boxes of the others, so wide."""
    alone = {picture.view.root}
    for node in picture.nodes():
        if node not in alone:
            continue
        graph.node(str(node), _html(_state_lines(picture, node)), **_look(picture, node))
        children = picture.children(node)
        boxed = [child for child in children if not picture.children(child)]
        if len(boxed) < MIN_BOX:
            boxed = []
        alone.update(set(children).difference(boxed))
        for child in children:
            if child in alone:
                graph.edge(str(node), str(child), label=_edge_label(picture, child))
        if boxed:
            _add_box(graph, picture, node, boxed, share)


def _add_box(
    graph: graphviz.Digraph, picture: Picture, node: int, boxed: Sequence[int], share: float
) -> None:
    name = f"{node}+"
    graph.node(name, _html_cells(picture, boxed, share), shape="plain", style="", margin="0")
    graph.edge(str(node), name, arrowhead="none", weight="20")


def _edge_label(picture: Picture, child: int) -> str:
    """Return the answer at an edge."""
    if picture.view.game.rule == "position":
        return _html(_write_response(picture, child))
    return _quote(picture.view.response(child))


def _write_response(picture: Picture, node: int) -> str:
    """Return the answer that leads to a state as markup: tiles for words."""
    text = picture.view.response(node)
    if picture.view.game.rule != "position":
        return _mark_up(keep_direction(text))
    return "".join(f'<FONT COLOR="{paint}">■</FONT>' for paint in paint_marks(text))


def _look(picture: Picture, node: int) -> dict[str, str]:
    """Return the attributes that depend on the state: color, border, corners."""
    view = picture.view
    styles = ["filled"]
    if not picture.is_stub(node):
        styles.append("rounded")
    if not view.is_winning(node):
        styles.append("dashed")
    return {
        "fillcolor": picture.color(node),
        "style": ",".join(sorted(styles)),
        "tooltip": _tooltip(picture, node),
    }


def _state_lines(picture: Picture, node: int, is_tight: bool = False) -> str:
    view = picture.view
    lines = [f"<B>{_mark_up(view.guess(node))}</B>"]
    if not view.is_leaf(node):
        lines.append(_small(f"{view.n_candidates(node):,} left"))
    if picture.is_stub(node):
        stub = picture.stub(node)
        tight = f"+{stub.n_states:,}, ≤ {stub.worst}"
        lines.append(_small(tight if is_tight else describe_stub(stub)))
    return "<BR/>".join(lines)


def _tooltip(picture: Picture, node: int) -> str:
    view = picture.view
    text = (
        f"guess {view.level(node)}: {view.guess(node)}, {view.n_candidates(node):,} candidates,"
        f" {view.name_longest} {picture.longest(node)}"
    )
    # Graphviz resolves the escapes of a tooltip twice.
    return _quote(text.replace("\\", "\\\\"))


def _html_cells(picture: Picture, ends: Sequence[int], share: float) -> str:
    """Return a table of the states without children."""
    n_columns = max(1, ceil(share * sqrt(len(ends)) - 0.2))
    n_rows = ceil(len(ends) / n_columns)
    rows = []
    for row in range(n_rows):
        cells = "".join(_cell(picture, node) for node in ends[row::n_rows])
        rows.append(f"<TR>{cells}</TR>")
    table = 'BORDER="0" CELLBORDER="1" CELLSPACING="2" CELLPADDING="3" COLOR="#777777"'
    return f"<<TABLE {table}>{''.join(rows)}</TABLE>>"


def _cell(picture: Picture, node: int) -> str:
    view = picture.view
    style = "" if view.is_winning(node) else ' STYLE="dashed"'
    text = f"{_write_response(picture, node)} → <B>{_mark_up(view.guess(node))}</B>"
    if not view.is_leaf(node):
        text += f"  {view.n_candidates(node):,} left"
    if picture.is_stub(node):
        text += f"<BR/>{_small(describe_stub(picture.stub(node)))}"
    return f'<TD BGCOLOR="{picture.color(node)}"{style}>{text}</TD>'


def _title(picture: Picture) -> str:
    view = picture.view
    title = _mark_up(title_of(view, picture.title))
    rows = [f'<B><FONT POINT-SIZE="18">{title}</FONT></B>'] if title else []
    rows += [_mark_up(text) for text in (subtitle_of(view), scope_of(picture)) if text]
    legend = _legend(picture)
    # The legend would be stretched to the width of longer lines; empty columns take most of it.
    is_longer = max(map(_measure, rows)) > _measure(legend)
    span, fill = (f' COLSPAN="{FILLERS + 1}"', "<TD></TD>" * FILLERS) if is_longer else ("", "")
    body = "".join(f'<TR><TD{span} ALIGN="LEFT">{row}</TD></TR>' for row in rows)
    legend = f'<TR><TD ALIGN="LEFT">{legend}</TD>{fill}</TR>'
    return f'<<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="3">{body}{legend}</TABLE>>'


def _measure(markup: str) -> float:
    """Return about how many characters of text are as wide as a line or a table of markup."""
    return len(unescape(re.sub("<[^>]*>", "", markup))) + 1.8 * markup.count("<TD")


def _legend(picture: Picture) -> str:
    cells = []
    swatches = picture.legend()
    if swatches:
        name = picture.view.name_longest if picture.coloring == "length" else "candidates"
        cells.append(f'<TD BORDER="0">{name}</TD>')
        cells += [f'<TD BGCOLOR="{color}">  {text}  </TD>' for color, text in swatches]
    if picture.view.game.kind == "questions":
        cells.append('<TD BORDER="0">  </TD><TD>candidate</TD>')
        cells.append('<TD STYLE="dashed">question</TD>')
    else:
        cells.append('<TD BORDER="0">  the guess:</TD><TD>may win</TD>')
        cells.append('<TD STYLE="dashed">only tells</TD>')
    cells.append(f'<TD BORDER="0">  {describe_answers(picture.view)}</TD>')
    table = 'BORDER="0" CELLBORDER="1" CELLSPACING="3" CELLPADDING="2" COLOR="#777777"'
    return f"<TABLE {table}><TR>{''.join(cells)}</TR></TABLE>"


def _small(text: str) -> str:
    return f'<FONT POINT-SIZE="9">{_mark_up(text)}</FONT>'


def _html(text: str) -> str:
    """Mark text as an HTML-like label."""
    return f"<{text}>"


def _mark_up(text: str) -> str:
    r"""Return a text for an HTML-like label; Graphviz resolves ``\N`` and the like there, too."""
    return escape_markup(text).replace("\\", "\\\\")


def _quote(text: str) -> str:
    r"""Return a text for a plain label: no entity, no escape such as ``\N``, no ``<markup>``."""
    import graphviz

    # A text of a class of its own, which a plain str would not keep.
    quoted: str = graphviz.escape(text.replace("&", "&amp;"))
    return quoted


def _name(text: str) -> str:
    """Return a graph's name: there entities are resolved, and no backslash may end the quotes."""
    import graphviz

    name: str = graphviz.nohtml(text.replace("&", "&amp;").replace("\\", "&#92;"))
    return name
