"""Trees as Graphviz text (DOT), and as pictures made from it by a renderer of this machine.

In the *plain* style every state is a node and every response an edge. In the *compact* style the
states without children in the picture share one box at their parent, a cell each, so that a
picture keeps roughly the shape of a page.

Answers stand at the heads of their arrows, where no other arrow is near, on white.

Renderers, in this order: the ``dot`` program, found by the ``graphviz`` package; the Graphviz that
``pygraphviz`` brings along (extra ``pictures``); none, and then the DOT file is all there is.
"""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from html import escape as escape_markup
from html import unescape
from math import ceil, sqrt
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated, Unpack

from .._files import Target, write_bytes, write_lines
from .._options import check_range
from .._printing import measure
from ..errors import DependencyError, UsageError, warn
from ..formats.format import Format, Idle, Option, Scale, Writer, check_options, describe_writer
from ..formats.tree_file import TreeSource, read
from .picture import (
    ANSWERS,
    SCALES,
    Picture,
    PictureOptions,
    arrange,
    choose_format,
    describe_stub,
    find_missing,
    keep_direction,
    make_picture,
    paint_marks,
    scale_svg,
    scope_of,
    subtitle_of,
    title_of,
    warn_of_missing,
)

if TYPE_CHECKING:
    import graphviz


STYLES = ("auto", "plain", "compact")
"""``auto`` is plain for up to `MAX_PLAIN` states in levels of up to `MAX_WIDE`, else compact."""

MAX_PLAIN, MAX_WIDE = 80, 40
"""More states than this, and more on one level, make a plain picture too long."""

FILLERS = 9
"""Empty columns beside a legend that is much narrower than the title."""

LETTER, TILE, HEAD = 6.0, 7.5, 11.0
"""Points: width of a letter or a tile of an answer, length of an arrow's head and the gap."""

NARROW, WIDE = 40.0, "wide"
"""Points: answers up to this width fit side by side above their states; dot makes room for others.
"""

PEG, RIM = 10, "#444444"
"""Points: the diameter of a peg; the color of the line around it."""

FONT = "Helvetica,Arial,sans-serif"


Landscape = Annotated[bool, Option("The tree grows downwards: wider than high.")]
Style = Annotated[
    str, Option("plain: a node for each state; compact: boxes; auto: by size.", STYLES)
]


@describe_writer
def write_dot(
    tree: TreeSource,
    file: Target,
    *,
    style: Style = "plain",
    landscape: Landscape = False,
    **options: Unpack[PictureOptions],
) -> None:
    """Write a tree as Graphviz text (DOT), by default cut to about 150 states.

    {parameters}

    {errors}

    Examples
    --------
    >>> import io, treegen
    >>> file = io.StringIO()
    >>> treegen.write_dot(treegen.build("p2c3r"), file)
    >>> file.getvalue().splitlines()[0]
    'digraph "p2c3r-knuth" {'
    """
    check_options(write_dot, landscape=landscape, **options)
    picture = make_picture(read(tree), **options)
    write_lines(file, [draw(picture, style, landscape).source.rstrip("\n")])


def draw(picture: Picture, style: str, landscape: bool) -> graphviz.Digraph:
    """Return a picture as a `graphviz.Digraph`, which grows to the right, or downwards."""
    if style not in STYLES:
        raise UsageError(f"unknown style {style!r:.80}: there are {', '.join(STYLES)}")
    if style == "auto":
        widths = Counter(map(picture.view.level, picture.nodes)).values()
        is_small = len(picture.nodes) <= MAX_PLAIN and max(widths) <= MAX_WIDE
        style = "plain" if is_small else "compact"
    widest = max(map(partial(_measure_answer, picture), picture.nodes))
    graph = _start_graph(picture, landscape, widest)
    # The side at which edges arrive; `WIDE`: above, and answers need room of their own.
    port = "w" if not landscape else "n" if widest <= NARROW else WIDE
    if style == "compact":
        _add_compact(graph, picture, port, (0.25, 0.35) if landscape else (1.0, 0.7))
    else:
        _add_plain(graph, picture, port)
    return graph


def _start_graph(picture: Picture, landscape: bool, widest: float) -> graphviz.Digraph:
    import graphviz

    tree = picture.view.tree
    graph = graphviz.Digraph(_name(f"{tree.game.name}-{tree.provenance.strategy}"))
    graph.attr(
        "graph",
        label=_title(picture),
        labelloc="t",
        labeljust="l",
        fontname=FONT,
        pad="0.3",
        rankdir="TB" if landscape else "LR",
        ranksep=f"{0.55 + (0 if landscape else widest / 72):.2f}",  # inches
        nodesep="0.12",
        ordering="out",
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
        color="#555555",
    )
    graph.attr(
        "edge",
        fontname=FONT,
        fontsize="10",
        arrowsize="0.5",
        color="#888888",
        fontcolor="#222222",
        labelangle="0",
    )
    return graph


def _add_plain(graph: graphviz.Digraph, picture: Picture, port: str) -> None:
    """Add a node for every state, an edge for every answer."""
    for node in picture.nodes:
        graph.node(str(node), f"<{_state_lines(picture, node)}>", **_look(picture, node))
        for child in picture.children(node):
            graph.edge(str(node), str(child), **_answer_at_head(picture, child, port))


def _add_compact(
    graph: graphviz.Digraph, picture: Picture, port: str, shares: tuple[float, float]
) -> None:
    """Add a node for every state that has children, and boxes of the others.

    `shares` are the columns of a box as multiples of the root of its cells: where it is all that
    follows its state, and where states that have children follow, too. There it stands in line
    with their boxes, behind a bend in line with them.
    """
    alone = {picture.view.root}
    for node in picture.nodes:
        if node not in alone:
            continue
        graph.node(str(node), f"<{_state_lines(picture, node)}>", **_look(picture, node))
        children = picture.children(node)
        boxed = [child for child in children if not picture.children(child)]
        if len(boxed) < 3:
            boxed = []  # so few have boxes of their own
        alone.update(set(children).difference(boxed))
        for child in children:
            if child in alone:
                graph.edge(str(node), str(child), **_answer_at_head(picture, child, port))
        if boxed:
            before, name, is_beside = str(node), f"{node}+", len(boxed) < len(children)
            cells = _html_cells(picture, boxed, shares[is_beside])
            graph.node(name, cells, shape="plain", style="", margin="0")
            if is_beside:
                before, side = f"{node}-", "n" if port == WIDE else port
                graph.node(before, "", shape="point", style="", width="0.01", color="#888888")
                graph.edge(str(node), before, arrowhead="none", headport=side)
            graph.edge(before, name, arrowhead="none", weight="20")


def _answer_at_head(picture: Picture, child: int, port: str) -> dict[str, str]:
    """Return the attributes of an edge whose answer stands before its head, the edge behind it."""
    answer = _write_answer(picture, child)
    if port == WIDE:
        return {"headport": "n", "label": f"<{answer}>"}
    table = 'BORDER="0" CELLSPACING="0" CELLPADDING="1"'
    half = LETTER if port == "n" else _measure_answer(picture, child) / 2
    return {
        "headlabel": f'<<TABLE {table}><TR><TD BGCOLOR="white">{answer}</TD></TR></TABLE>>',
        "labeldistance": f"{(half + HEAD) / 10:.1f}",
        "headport": port,
    }


def _measure_answer(picture: Picture, node: int) -> float:
    if node == picture.view.root:
        return 0
    text = picture.view.response(node)
    return (TILE if picture.view.game.notation.has_tiles else LETTER) * measure(text)


def _write_answer(picture: Picture, node: int, write: Callable[[str], str] = str) -> str:
    """Return the answer that leads to a state as markup: tiles for words."""
    text = picture.view.response(node)
    if not picture.view.game.notation.has_tiles:
        return _mark_up(write(text))
    paints = arrange(picture.view.game.notation.own_symbols, paint_marks(text))
    return "".join(f'<FONT COLOR="{paint}">■</FONT>' for paint in paints)


def _look(picture: Picture, node: int) -> dict[str, str]:
    """Return the attributes that depend on the state: color, border, corners."""
    view = picture.view
    styles = ["filled"]
    if not picture.is_stub(node):
        styles.append("rounded")
    if not view.is_winning(node):
        styles.append("dashed")
    tooltip = (
        f"guess {view.level(node)}: {view.guess(node)}, {view.n_candidates(node):,} candidates,"
        f" {view.name_longest} {picture.longest[node]}"
    )
    return {
        "fillcolor": picture.paint(node),
        "style": ",".join(sorted(styles)),
        # Graphviz resolves the escapes of a tooltip twice.
        "tooltip": _quote(tooltip.replace("\\", "\\\\")),
    }


def _state_lines(picture: Picture, node: int) -> str:
    view = picture.view
    lines = [f"<B>{_mark_up(view.guess(node))}</B>"]
    if not view.is_leaf(node):
        lines.append(_small(f"{view.n_candidates(node):,} left"))
    if picture.is_stub(node):
        lines.append(_small(describe_stub(view.stub(node))))
    if not picture.paints:
        return "<BR/>".join(lines)
    return _draw_pegs(picture, node, lines[0], "", lines[1:])


def _draw_pegs(picture: Picture, node: int, before: str, after: str, lines: Sequence[str]) -> str:
    """Return a table without borders: a state's pegs between two texts, lines below them."""
    codes, paints = picture.view.game.codes, picture.paints or ()
    colors = codes[picture.view.code(node)].tolist()
    cell = f'<TD FIXEDSIZE="TRUE" WIDTH="{PEG}" HEIGHT="{PEG}" STYLE="ROUNDED" BGCOLOR="%s"></TD>'
    pegs = "".join(cell % paints[color] for color in colors)
    table = f'BORDER="0" CELLBORDER="1" CELLSPACING="1" CELLPADDING="0" COLOR="{RIM}"'
    # Of a fixed size, or the pegs would move apart in a wide cell.
    size = f'FIXEDSIZE="TRUE" WIDTH="{(PEG + 1) * len(colors) + 3}" HEIGHT="{PEG + 4}"'
    first = f'<TD ALIGN="RIGHT">{before}</TD><TD {size}><TABLE {table}><TR>{pegs}</TR></TABLE></TD>'
    if after:
        first += f'<TD ALIGN="LEFT">{after}</TD>'
    rows = "".join(f'<TR><TD COLSPAN="{2 + bool(after)}">{line}</TD></TR>' for line in lines)
    outer = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1"'
    return f"<TABLE {outer}><TR>{first}</TR>{rows}</TABLE>"


def _html_cells(picture: Picture, ends: Sequence[int], share: float) -> str:
    """Return a table of the states without children."""
    n_columns = max(1, ceil(share * sqrt(len(ends)) - 0.2))
    n_rows = ceil(len(ends) / n_columns)
    rows = ""
    for row in range(n_rows):
        rows += f"<TR>{''.join(_cell(picture, node) for node in ends[row::n_rows])}</TR>"
    table = 'BORDER="0" CELLBORDER="1" CELLSPACING="2" CELLPADDING="3" COLOR="#777777"'
    return f"<<TABLE {table}>{rows}</TABLE>>"


def _cell(picture: Picture, node: int) -> str:
    view = picture.view
    style = "" if view.is_winning(node) else ' STYLE="dashed"'
    answer, strip = _write_answer(picture, node, keep_direction), ""
    text = f"<B>{_mark_up(view.guess(node))}</B>"
    if not view.is_leaf(node):
        text += f"  {view.n_candidates(node):,} left"
    lines = [_small(describe_stub(view.stub(node)))] if picture.is_stub(node) else []
    if picture.paints:
        text = _draw_pegs(picture, node, f"{answer} →", text, lines)
    else:
        if view.game.notation.has_tiles:  # on white: yellow tiles are not seen on a yellow state
            strip = f'<TD BORDER="0" BGCOLOR="#ffffff">{answer}</TD>'
        else:
            text = f"{answer} → {text}"
        text = "<BR/>".join([text, *lines])
    return f'{strip}<TD BGCOLOR="{picture.paint(node)}"{style}>{text}</TD>'


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
        name = picture.view.name_longest if picture.color == "length" else "candidates"
        cells.append(f'<TD BORDER="0">{name}</TD>')
        cells += [f'<TD BGCOLOR="{color}">  {text}  </TD>' for color, text in swatches]
    heading, winning, asking = picture.view.game.notation.legend
    cells += [f'<TD BORDER="0">  {heading}</TD><TD>{winning}</TD><TD STYLE="dashed">{asking}</TD>']
    answers = ANSWERS.get(picture.view.game.rule, "answers: as the game writes them")
    cells.append(f'<TD BORDER="0">  {answers}</TD>')
    table = 'BORDER="0" CELLBORDER="1" CELLSPACING="3" CELLPADDING="2" COLOR="#777777"'
    return f"<TABLE {table}><TR>{''.join(cells)}</TR></TABLE>"


def _small(text: str) -> str:
    return f'<FONT POINT-SIZE="9">{_mark_up(text)}</FONT>'


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


@describe_writer
def write_picture(
    tree: TreeSource,
    file: Target,
    *,
    format: str | None = None,
    style: Style = "auto",
    landscape: Landscape = False,
    scale: Scale = 1.0,
    check_fallback: Callable[[Path], object] | None = None,
    **options: Unpack[PictureOptions],
) -> None:
    """Draw a tree with Graphviz, as SVG, PNG or PDF.

    {parameters}
    format
        ``"svg"``, ``"png"`` or ``"pdf"``; None: what the path ends with, svg for an open file.
    check_fallback
        Called with the path of the DOT file before that is written instead of a picture; what it
        raises leaves the path as it is.

    {errors}
    DependencyError
        The machine has no renderer. The DOT file is then written beside the path, with the
        ending ``.gv``, and the message says what to install; the same if the renderer failed.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_picture(treegen.build("p2c3r"), file)
    >>> file.getvalue()[:5]
    b'<?xml'
    """
    check_options(write_picture, landscape=landscape, **options)
    kind = choose_format(file, format)
    check_range(SCALES, scale=scale)
    picture = make_picture(read(tree), kind, **options)
    graph = draw(picture, style, landscape)
    _announce(len(picture.nodes))
    if scale != 1 and kind != "svg":
        usual = {"png": 96, "pdf": 72}  # what Graphviz takes by default
        graph.attr("graph", dpi=f"{usual[kind] * scale:g}")
    source = graph.source
    try:
        drawn = render(source, kind)
    except (DependencyError, UsageError) as error:
        if not isinstance(file, (str, os.PathLike)):
            raise
        fallback = Path(file).with_suffix(".gv")
        if check_fallback is not None:
            check_fallback(fallback)
        write_lines(fallback, [source.rstrip("\n")])
        raise type(error)(f"wrote {str(fallback)!r} instead of a picture: {error}") from None
    if kind == "svg":
        # With dpi, some releases cut it off.
        drawn = scale_svg(shorten_svg(drawn), scale)
    else:
        warn_of_missing(find_missing(source))
    write_bytes(file, drawn)


def _announce(n_states: int) -> None:
    """Warn of a picture with too many states: Graphviz would work at it for minutes."""
    if n_states <= 5000:
        return
    # 5,371 states (p4c10n) took 28 s and 5.4 MB, 33,411 (p5c8r) 22 min and 30 MB.
    minutes = max(1, round(1.1e-6 * n_states**2 / 60))
    megabytes = max(1, round(950 * n_states / 1e6))
    text = (
        f"{n_states:,} states: Graphviz takes about {minutes} minute{'s' * (minutes != 1)}, and the"
        f" SVG has about {megabytes} MB; treegen export icicle shows them all in seconds"
    )
    warn(text)


def render(source: str, format: str = "svg") -> bytes:
    """Return a DOT document as svg, png or pdf.

    Raises DependencyError if the machine has no renderer. Raises UsageError if the renderer failed;
    the message is its own.
    """
    picture = _render_with_program(source, format) or _render_with_wheel(source, format)
    if not picture:
        raise DependencyError(
            "no Graphviz on this machine: install your system's graphviz, or pip install pygraphviz"
            " (treegen's extra pictures)"
        )
    return picture


def _render_with_program(source: str, format: str) -> bytes | None:
    if not which("dot"):
        return None
    import graphviz

    try:
        return bytes(graphviz.Source(source).pipe(format=format, quiet=True))
    except graphviz.ExecutableNotFound:
        return None
    except graphviz.CalledProcessError as error:
        raise UsageError(f"dot failed: {_join_lines(error.stderr)}") from error


def _render_with_wheel(source: str, format: str) -> bytes | None:
    try:
        import pygraphviz
    except (ImportError, OSError):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return bytes(pygraphviz.AGraph(string=source).draw(format=format, prog="dot"))
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"pygraphviz failed: {_join_lines(str(error))}") from error


_TWICE = re.compile(
    rb'<(path|polygon) fill="([^"]+)" stroke="(?:transparent|none)"(?: stroke-dasharray="[^"]*")?'
    rb' (\w+="[^"]*")/>\n'
    rb'<\1 fill="none" ([^>]*)\3/>'
)
_PEG = re.compile(rb'<path (fill="[^"]*" stroke="%s") d="([^"]*)"/>' % RIM.encode())


def shorten_svg(svg: bytes) -> bytes:
    r"""Return an SVG of Graphviz in which a cell is one shape, a peg a circle, the font said once.

    Graphviz draws face and border of a cell apart, and round ones as curves: the pegs of 120 states
    would take 340 kB.

    >>> shorten_svg(
    ...     b'<polygon fill="#fffbe0" stroke="none" points="0,0 0,1 1,1"/>\n'
    ...     b'<polygon fill="none" stroke="#777777" points="0,0 0,1 1,1"/>'
    ... )
    b'<polygon fill="#fffbe0" stroke="#777777" points="0,0 0,1 1,1"/>'
    """
    font = b' font-family="%s"' % FONT.encode()

    def write_circle(found: re.Match[bytes]) -> bytes:
        numbers = [float(number) for number in re.findall(rb"-?[\d.]+", found[2])]
        x, y = ((min(axis) + max(axis)) / 2 for axis in (numbers[::2], numbers[1::2]))
        return b'<circle %s cx="%g" cy="%g" r="%g"/>' % (found[1], x, y, PEG / 2)

    svg = _PEG.sub(write_circle, _TWICE.sub(rb'<\1 fill="\2" \4\3/>', svg))
    return svg.replace(font, b"").replace(b'<g id="graph0"', b'<g id="graph0"%s' % font, 1)


def _join_lines(text: bytes | str | None) -> str:
    written = text.decode(errors="replace") if isinstance(text, bytes) else text or ""
    return "; ".join(line.strip() for line in written.splitlines() if line.strip())


IDLE = (
    Idle(
        ("max_nodes",),
        lambda given: given["all"] or given["depth"] is not None,
        "with --all or --depth",
    ),
)


def _describe(
    format: str, summary: str, example: str, write: Callable[..., None] = write_picture
) -> Format:
    is_text = write is write_dot
    way = "as Graphviz text (DOT)" if is_text else f"with Graphviz, as {format.upper()}"
    return Format(
        format,
        Writer(
            write,
            summary,
            f"{'Write' if is_text else 'Draw'} the tree in FILE {way}.",
            examples=(f"treegen export {format} knuth.tree {example}",),
            kinds=(format,),
            fixed={} if is_text else {"format": format},
            idle=IDLE,
        ),
    )


DIAGRAMS = (
    _describe("dot", "Graphviz text, cut to about 150 states.", "--depth 3 -o knuth.gv", write_dot),
    _describe("svg", "A picture by Graphviz.", "--path 02 --depth 2 -o knuth.svg"),
    _describe("png", "The same as PNG.", "--depth 2 -o knuth.png"),
    _describe("pdf", "The same as PDF.", "--depth 2 -o knuth.pdf"),
)
"""The formats of diagrams."""
