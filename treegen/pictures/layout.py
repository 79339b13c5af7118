"""Where each state stands in a picture of a whole tree, its color and its name.

The answers of word games are rows of small tiles, as the games draw them. In an SVG each state has
a title, which viewers show as a tooltip and screen readers speak. What a notebook shows of a tree
or a game is HTML, made without any library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import count
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._printing import Paragraph
from ..formats.view import View
from ..games.base import Game
from ..games.rules import weigh, write_weight
from ..tree.tree import Node, PlayedGame, Tree, describe_figures, iter_lengths
from ..tree.walk import (
    average_lengths,
    count_states,
    find_largest_cell,
    find_longest,
    parent_of,
)
from .picture import (
    RAMP,
    arrange,
    choose_ink,
    count_pegs,
    list_paints,
    paint_marks,
    write_step,
    write_tiles,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection
    from matplotlib.figure import Figure


COLORINGS = ("average", "longest", "cell")
"""What the color means: `Layout.meaning` says it in words."""

TAIL = 0.01
"""The share of the picture at each end whose states have the first or the last color."""

HAIRLINE = 0.6 / 72
"""Inches; no state is drawn narrower, or the rare long games could not be seen."""


STATES = "states"
"""Name of the states' shapes in an SVG."""


@dataclass(frozen=True)
class Layout:
    """The shown states as columns, each before its children."""

    view: View
    nodes: NDArray[np.int64]
    start: NDArray[np.float64]  # the share of secrets before each, 0 to 1
    width: NDArray[np.float64]  # its share of the secrets
    level: NDArray[np.int64]  # the number of its guess, from 1
    value: NDArray[np.float64]  # what its color shows
    color: str  # one of `COLORINGS`

    @property
    def n_levels(self) -> int:
        """Number of rows."""
        return int(self.level.max())

    def label(self, index: int) -> list[str]:
        """Return the lines of a state's label: answer and guess, then its candidates.

        An answer of words is not among them: it is drawn (`tiles`).
        """
        node = int(self.nodes[index])
        view = self.view
        guess = view.guess(node)
        if node == view.root:
            return [guess, f"{view.n_candidates(node):,}"]
        first = guess if self.has_tiles else write_step(view.response(node), guess)
        return [first] if view.is_leaf(node) else [first, f"{view.n_candidates(node):,}"]

    @property
    def has_tiles(self) -> bool:
        """Whether answers are rows of tiles."""
        return self.view.game.notation.has_tiles

    def tiles(self, index: int) -> list[str]:
        """Return the paints of the answer that leads to a state; none if it is no row of tiles."""
        node = int(self.nodes[index])
        is_drawn = self.has_tiles and node != self.view.root
        if not is_drawn:
            return []
        return arrange(self.view.game.notation.own_symbols, paint_marks(self.view.response(node)))

    @property
    def meaning(self) -> str:
        """What the color of a state means, for the legend."""
        if self.color == "cell":
            return "largest cell after the guess (candidates, logarithmic)"
        if self.color == "longest":
            of = " of a game" if self._has_costs else ""
            return f"{self.view.name_longest}{of} through a state"
        length = "cost" if self._has_costs else "length"
        heavy = "" if self.view.game.rules.weights is None else ", by weight"
        return f"average {length} of the games through a state{heavy}"

    def write_value(self, index: int) -> str:
        """Return the meaning of a state's color, in words."""
        value = float(self.value[index])
        if self.color == "cell":
            return f"largest cell {round(10**value):,}"
        if self.color == "longest":
            return f"{self.view.name_longest} {value:.0f}"
        return f"average {'cost' if self._has_costs else 'game'} {value:.2f}"

    @property
    def _has_costs(self) -> bool:
        return self.view.game.rules.given_costs is not None


def make_layout(view: View, color: str = "average") -> Layout:
    """Return the positions and values of the states of a view."""
    tree, total = view.tree, int(view.room[view.root])
    starts = {view.root: 0}
    for node in view.nodes():
        at = starts[node]
        for child in view.children(node):
            starts[child] = at
            at += int(view.room[child])
    nodes = np.fromiter(starts, dtype=np.int64, count=len(starts))
    value: NDArray[np.float64]
    if color == "longest":
        value = (find_longest(tree)[nodes] - view.cost_before).astype(np.float64)
    elif color == "cell":
        value = np.log10(np.maximum(find_largest_cell(tree)[nodes], 1))
    else:
        value = average_lengths(tree)[nodes] - view.cost_before
    return Layout(
        view=view,
        nodes=nodes,
        start=np.fromiter(starts.values(), dtype=np.float64, count=len(starts)) / total,
        width=view.room[nodes] / total,
        level=tree.depth[nodes].astype(np.int64) - int(tree.depth[view.root]) + 1,
        value=value,
        color=color,
    )


def paint(
    figure: Figure, place: tuple[float, float, float, float], shapes: Collection, layout: Layout
) -> NDArray[np.float64]:
    """Color the shapes, one for each state; draw the legend; return each shape's luminance, 0 to 1.

    `place` is left, bottom, width and height of the color bar, as shares of the figure.
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    low, high = _spread(layout)
    # The part of matplotlib's color map that is used, from short games to long ones.
    ramp = ListedColormap(colormaps["YlOrRd"](np.linspace(0.02, 0.66, 256)))
    mapper = ScalarMappable(Normalize(low, high if high > low else low + 1), ramp)
    colors = mapper.to_rgba(layout.value)
    shapes.set_facecolor(colors.tolist())
    shapes.set_gid(STATES)
    shapes.set_snap(False)
    # More states are pixels in vector pictures, as viewers could not open them.
    shapes.set_rasterized(len(layout.nodes) > 6000)
    bar = figure.colorbar(mapper, cax=figure.add_axes(place), orientation="horizontal")
    bar.set_label(layout.meaning, size=9)
    step = max(1, ceil((high - low) / 12))  # for 12 lengths at most, or one more
    ticks = np.arange(np.ceil(low), np.floor(high) + 1, step).tolist()
    if layout.color == "cell":
        bar.set_ticks(ticks, labels=[f"{10 ** int(tick):,}" for tick in ticks])
    else:
        bar.set_ticks(ticks, labels=[f"{tick:.0f}" for tick in ticks])
    luminance: NDArray[np.float64] = np.asarray(colors)[:, :3] @ np.array([0.2126, 0.7152, 0.0722])
    return luminance


def _spread(layout: Layout) -> tuple[float, float]:
    """Return the values at the two ends of the colors: few states, by area, lie beyond them."""
    order = np.argsort(layout.value, kind="stable")
    area = np.cumsum(layout.width[order])
    ends = np.searchsorted(area, np.array([TAIL, 1 - TAIL]) * area[-1])
    low, high = layout.value[order[np.minimum(ends, len(order) - 1)]].tolist()
    return (low, high) if high > low else (float(layout.value.min()), float(layout.value.max()))


def ink(luminance: float) -> dict[str, Any]:
    """Return the text color that is readable on a shape."""
    return {"color": "#111111" if luminance > 0.45 else "#ffffff"}


SIDE = 0.8
"""Side of a tile as a share of the font's size; a row takes so much for each tile."""

Vector = NDArray[np.float64]


def row_length(paints: list[str], size: float) -> float:
    """Return the length of a row of tiles in points, the gap behind it included."""
    return (len(paints) + 0.6) * SIDE * size if paints else 0.0


@dataclass
class TileRows:
    """Rows of tiles that are drawn at once: for each tile its four corners and its color."""

    corners: list[Vector] = field(default_factory=list)
    paints: list[str] = field(default_factory=list)

    def add(self, middle: Vector, along: Vector, across: Vector, paints: list[str]) -> None:
        """Add a row around a point, float64[2] in data coordinates, of these colors.

        `along` and `across`, float64[2], are one tile's side in the direction of the row, and the
        other side.
        """
        square = 0.45 * np.stack((-along - across, along - across, along + across, across - along))
        for place, paint in enumerate(paints):
            self.corners.append(middle + (place - (len(paints) - 1) / 2) * along + square)
            self.paints.append(paint)

    def draw(self, axes: Axes) -> None:
        """Draw all rows, if there are any."""
        from matplotlib.collections import PolyCollection

        if not self.corners:
            return
        shapes = PolyCollection(self.corners, facecolors=self.paints, edgecolors="#444444")
        shapes.set_linewidth(0.4)
        shapes.set_zorder(3)
        shapes.set_gid("tiles")
        axes.add_collection(shapes)


_PATH = re.compile(r'(<path d="[^"]*"[^>]*?)/>')


def add_names(svg: str, layout: Layout) -> str:
    """Return an SVG of matplotlib with a title for each state.

    The states are the paths of the group `STATES`, in the layout's order. A picture whose states
    are pixels has no paths: it stays as it is.
    """
    begin = svg.find(f'<g id="{STATES}">')
    end = svg.find("</g>", begin)
    if begin < 0 or len(_PATH.findall(svg, begin, end)) != len(layout.nodes):
        return svg
    number = count()

    def name(path: re.Match[str]) -> str:
        index = next(number)
        place = f"{layout.start[index]:.9g} {layout.width[index]:.9g} {layout.level[index]}"
        text = escape(describe_state(layout, index), quote=False)
        return f'{path[1]} data-state="{place}"><title>{text}</title></path>'

    states = _PATH.sub(name, svg[begin:end])
    # Labels lie over the states; the pointer is for these.
    style = '<style>[id^="label-"], #tiles { pointer-events: none }</style>\n'
    return (svg[:begin] + states + svg[end:]).replace("</svg>", f"{style}</svg>")


def describe_state(layout: Layout, index: int) -> str:
    """Return the text of a tooltip: answer and guess, then the facts about the state."""
    view = layout.view
    node = above = int(layout.nodes[index])
    n_candidates, name = view.n_candidates(node), view.guess(node)
    facts = [
        f"{n_candidates:,} candidate{'' if n_candidates == 1 else 's'}",
        layout.write_value(index),
    ]
    answers: list[str] = []
    while above != view.root:
        answer = view.response(above)
        answers.insert(0, write_tiles(answer) if layout.has_tiles else answer)
        above = parent_of(view.tree, above)
    if len(answers) > 1:
        facts.insert(0, f"after {', '.join(answers[:-1])}")
    if answers:
        name = write_step(answers[-1], name)
    return f"{name}\n{' · '.join(facts)}"


MAX_STATES = 150
"""About how many states are shown; whole levels, the first answers in any case."""

_CHIP = (
    "display:inline-block;margin:2px;padding:1px 7px;border:1px solid #777;border-radius:6px;"
    "color:#111;background:{color}"
)


def format_html(tree: Tree) -> str:
    """Return a tree as a fragment of HTML: title, statistics, histogram, states to unfold.

    It has about 150 states, those of the first levels. A state whose answers are left out shows how
    many states are below it, and the longest game through them.
    """
    return "".join(_generate_html(tree))


def _generate_html(tree: Tree) -> Iterator[str]:
    name = escape(f"{tree.game.name} · {tree.provenance.strategy}")
    fitting = [level for level, start in enumerate(tree.level_starts) if start <= MAX_STATES]
    n_levels = min(max(2, fitting[-1]), len(tree.level_starts) - 1)
    yield f'<div style="line-height:1.5"><b>{name}</b><br>'
    yield " · ".join([*describe_figures(tree)[:4], f"{tree.n_nodes:,} states"])
    yield _format_histogram(tree)
    yield from _generate_states(tree, n_levels)
    if n_levels < len(tree.level_starts) - 1:
        yield (
            f"<small>The first {n_levels} guesses are shown;"
            " + says how many states are below, and the longest game there.</small>"
        )
    yield "</div>"


def _format_histogram(tree: Tree) -> str:
    most = max(tree.share_histogram, default=0)
    has_costs = tree.game.rules.given_costs is not None
    step, unit = "cost" if has_costs else "guesses", tree.game.rules.share_unit
    # Most costs occur in no game.
    counts = tree.share_histogram
    lengths = iter_lengths(counts) if has_costs else enumerate(counts, start=1)
    rows = "".join(
        '<tr style="background:none"><td style="text-align:right;padding:0 6px">'
        f'{length}</td><td style="text-align:left;padding:0">'
        f'<span style="display:inline-block;height:9px;width:{max(1, 200 * count // most)}px;'
        f'background:#5b8db8"></span> {write_weight(weigh(count, unit))}</td></tr>'
        for length, count in lengths
    )
    caption = f'<tr style="background:none"><td style="padding:0 6px">{step}</td><td></td></tr>'
    return f'<table style="border:0;margin:4px 0;font-size:90%">{caption}{rows}</table>'


def _generate_states(tree: Tree, n_levels: int) -> Iterator[str]:
    """Yield the shown states, each before those below it, with the tags that nest them."""
    states, longest = count_states(tree), find_longest(tree)
    stack: list[int | str] = [0]
    while stack:
        entry = stack.pop()
        if isinstance(entry, str):
            yield entry
            continue
        children = tree.children(entry)
        shade = (int(longest[entry]) - 1) * (len(RAMP) - 1) // max(1, tree.worst - 1)
        text = _format_state(tree, entry, RAMP[shade])
        if tree.depth[entry] + 1 >= n_levels:
            below = f"<small>+{states[entry] - 1:,}, worst {longest[entry]}</small> "
            yield f'<span style="white-space:nowrap">{text}{below if children else ""}</span> '
        elif not children:
            yield f'<div style="margin-left:2.2em">{text}</div>'
        else:
            unfolded = " open" if entry == 0 else ""
            yield f'<details{unfolded} style="margin-left:1.2em"><summary>{text}</summary>'
            yield '<div style="margin-left:2.2em">'
            stack.append("</div></details>")
            stack.extend(reversed(children))


def _format_state(tree: Tree, node: int, color: str) -> str:
    game = tree.game
    answer = ""
    if node:
        asked = int(tree.guess[parent_of(tree, node)])
        answer = f"{escape(game.format_response(int(tree.response[node]), asked))} → "
    guess = escape(Node(tree, node).guess)
    n_candidates = int(tree.n_candidates[node])
    left = f" · {n_candidates:,} left" if n_candidates > 1 else ""
    chip = _CHIP.format(color=color)
    return f'<span style="{chip}">{answer}<b>{guess}</b>{left}</span>'


def make_game_html(played: PlayedGame) -> str:
    """Return a game as a table for notebooks: pegs or tiles, pins, what remains."""
    rows = ""
    for number, turn in enumerate(played.turns, start=1):
        pegs = _draw_code(played, turn.code, turn.response)
        pins = "" if played.game.notation.has_tiles else _draw_pins(played.game, turn.response)
        rows += (
            f"<tr><td>{number}</td><td>{pegs}</td><td>{pins}</td>"
            f'<td style="text-align:left">{turn.n_left:,} left</td></tr>'
        )
    last = list(played.describe())[len(played.turns) :]
    paragraphs = "".join(
        f"<p>{escape(block.text)}</p>" for block in last if isinstance(block, Paragraph)
    )
    return f"<table><tbody>{rows}</tbody></table>{paragraphs}"


def _draw_code(played: PlayedGame, code: int, response: int) -> str:
    game = played.game
    colors = game.codes[code].tolist()
    if game.notation.has_tiles:
        faces = paint_marks(game.format_response(response))
    else:
        paints = list_paints(game.n_colors)
        faces = [paints[color] if paints else "#f4f4f2" for color in colors]
    shape = (
        "display:inline-block;width:1.6em;line-height:1.6em;margin:1px;text-align:center;"
        "font-weight:bold;border:1px solid #888;"
        + ("" if game.notation.has_tiles else "border-radius:1em;")
    )
    return "".join(
        f'<span style="{shape}background:{face};color:{choose_ink(face)}">'
        f"{escape(played.symbols[color])}</span>"
        for color, face in arrange(game.notation.own_symbols, list(zip(colors, faces, strict=True)))
    )


def _draw_pins(game: Game, response: int) -> str:
    """Return black and white pins as signs, and the answer as it is written as their title."""
    black, white = count_pegs(game, response)
    pins = "●" * black + "○" * white + "·" * (game.n_pegs - black - white)
    return f'<span title="{escape(game.format_response(response))}">{pins}</span>'
