"""The position and color of each state in a picture of a whole tree."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..tree import average_lengths, find_largest_cell, find_longest
from .palette import paint_marks, write_tiles
from .picture import write_step
from .view import View

if TYPE_CHECKING:
    from matplotlib.collections import Collection
    from matplotlib.figure import Figure

COLORINGS = ("average", "longest", "cell")
"""What the color means: `Layout.meaning` says it in words."""

COLOR_MAP, LIGHTEST, DARKEST = "YlOrRd", 0.02, 0.66
"""matplotlib's color map and the part of it that is used, from short games to long ones."""

TAIL = 0.01
"""The share of the picture at each end whose states have the first or the last color."""

HAIRLINE = 0.6 / 72
"""Inches; no state is drawn narrower, or the rare long games could not be seen."""

MOST_TICKS = 12
"""At most so many lengths stand at the legend's colors, or one more."""

MAX_VECTORS = 6000
"""More states than this are pixels in vector pictures, as viewers could not open them."""


STATES = "states"
"""Name of the states' shapes in an SVG."""


@dataclass(frozen=True)
class Layout:
    """The shown states as columns, each before its children.

    Attributes
    ----------
    view
        The view that is drawn.
    nodes : int64[n]
        The shown states.
    start : float64[n]
        Where the state begins, 0 to 1: the share of secrets before it.
    width : float64[n]
        Its share of the secrets.
    level : int64[n]
        The number of its guess, from 1.
    value : float64[n]
        The value shown by its color.
    coloring
        One of `COLORINGS`.
    """

    view: View
    nodes: NDArray[np.int64]
    start: NDArray[np.float64]
    width: NDArray[np.float64]
    level: NDArray[np.int64]
    value: NDArray[np.float64]
    coloring: str

    @property
    def n_levels(self) -> int:
        """Number of rows or rings."""
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
        return self.view.game.rule == "position"

    def tiles(self, index: int) -> list[str]:
        """Return the paints of the answer that leads to a state; none if it is no row of tiles."""
        node = int(self.nodes[index])
        is_drawn = self.has_tiles and node != self.view.root
        return paint_marks(self.view.response(node)) if is_drawn else []

    def write_answer(self, node: int) -> str:
        """Return the answer that leads to a node, with tiles for words."""
        answer = self.view.response(node)
        return write_tiles(answer) if self.has_tiles else answer

    @property
    def meaning(self) -> str:
        """What the color of a state means, for the legend."""
        if self.coloring == "cell":
            return "largest cell after the guess (candidates, logarithmic)"
        if self.coloring == "longest":
            of = " of a game" if self._has_costs else ""
            return f"{self.view.name_longest}{of} through a state"
        length = "cost" if self._has_costs else "length"
        heavy = "" if self.view.game.stakes.weights is None else ", by weight"
        return f"average {length} of the games through a state{heavy}"

    def write_value(self, index: int) -> str:
        """Return what the color of a state means, in words."""
        value = float(self.value[index])
        if self.coloring == "cell":
            return f"largest cell {round(10**value):,}"
        if self.coloring == "longest":
            return f"{self.view.name_longest} {value:.0f}"
        return f"average {'cost' if self._has_costs else 'game'} {value:.2f}"

    @property
    def _has_costs(self) -> bool:
        return self.view.game.stakes.costs is not None


def make_layout(view: View, coloring: str = "average") -> Layout:
    """Return the positions and values of the states of a view."""
    total = view.n_candidates(view.root)
    starts = {view.root: 0}
    for node in view.nodes():
        at = starts[node]
        for child in view.children(node):
            starts[child] = at
            at += view.n_candidates(child)
    nodes = np.fromiter(starts, dtype=np.int64, count=len(starts))
    return Layout(
        view=view,
        nodes=nodes,
        start=np.fromiter(starts.values(), dtype=np.float64, count=len(starts)) / total,
        width=view.tree.n_candidates[nodes] / total,
        level=view.tree.depth[nodes].astype(np.int64) - int(view.tree.depth[view.root]) + 1,
        value=_values(view, nodes, coloring),
        coloring=coloring,
    )


def _values(view: View, nodes: NDArray[np.int64], coloring: str) -> NDArray[np.float64]:
    tree = view.tree
    before = view.cost_before
    if coloring == "longest":
        return (find_longest(tree)[nodes] - before).astype(np.float64)
    if coloring == "cell":
        return np.log10(np.maximum(find_largest_cell(tree)[nodes], 1))
    average: NDArray[np.float64] = average_lengths(tree)[nodes] - before
    return average


def paint(
    figure: Figure, place: tuple[float, float, float, float], shapes: Collection, layout: Layout
) -> NDArray[np.float64]:
    """Color the shapes, draw the legend; return the luminance of each shape, 0 to 1.

    Parameters
    ----------
    figure
        The figure, which gets a color bar.
    place
        Left, bottom, width, height of the bar, as shares of the figure.
    shapes
        One shape for each state; written in place.
    layout
        The states.
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    low, high = _spread(layout)
    ramp = ListedColormap(colormaps[COLOR_MAP](np.linspace(LIGHTEST, DARKEST, 256)))
    mapper = ScalarMappable(Normalize(low, high if high > low else low + 1), ramp)
    colors = mapper.to_rgba(layout.value)
    shapes.set_facecolor(colors.tolist())
    shapes.set_gid(STATES)
    shapes.set_snap(False)
    shapes.set_rasterized(len(layout.nodes) > MAX_VECTORS)
    bar = figure.colorbar(mapper, cax=figure.add_axes(place), orientation="horizontal")
    bar.set_label(layout.meaning, size=9)
    step = max(1, ceil((high - low) / MOST_TICKS))
    ticks = np.arange(np.ceil(low), np.floor(high) + 1, step).tolist()
    if layout.coloring == "cell":
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
