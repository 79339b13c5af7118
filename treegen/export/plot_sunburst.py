"""The sunburst: a ring for each guess, a sector for each state, as wide as it has secrets."""

from __future__ import annotations

from math import ceil, cos, degrees, pi, sin
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._printing import measure
from .plot_icicle import CHARACTER, FONT_SIZES, READABLE, break_label
from .plot_layout import HAIRLINE, Layout, ink, paint
from .plot_tiles import SIDE, TileRows, row_length

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ARC_STEP = 0.03
"""Radians between the corners of a round edge."""


def draw_sunburst(figure: Figure, layout: Layout) -> None:
    """Draw the states of a layout as a sunburst, the first answer at the top, clockwise."""
    from matplotlib.collections import PolyCollection

    width, height = figure.get_size_inches()
    side = min(width, height - 1.7)
    axes = figure.add_axes(
        ((width - side) / 2 / width, 0.75 / height, side / width, side / height), aspect="equal"
    )
    radius = layout.n_levels - 0.4
    inch = side / 2 / radius
    narrowest = HAIRLINE / inch / (2 * pi * np.maximum(layout.level - 1, 0.5))
    shares = np.maximum(layout.width, narrowest)
    shapes = PolyCollection(_list_sectors(layout, shares), edgecolors="white")
    shapes.set_linewidth(np.clip(layout.width * side * 14 - 0.2, 0, 0.8).tolist())
    axes.add_collection(shapes)
    luminance = paint(figure, (0.03, 0.45 / height, 0.4, 0.1 / height), shapes, layout)
    axes.set(xlim=(-radius, radius), ylim=(-radius, radius))
    axes.set_axis_off()
    figure.text(
        0.97,
        0.3 / height,
        "ring = guess, angle = secrets; in a sector: answer → guess",
        size=9,
        ha="right",
    )
    _write_labels(axes, layout, luminance, inch)


def _radii(level: int) -> tuple[float, float]:
    """Return the inner and outer radius of a ring; the first guess is a disc of radius 0.6."""
    return (0.0, 0.6) if level == 1 else (level - 1.4, level - 0.4)


def _list_sectors(layout: Layout, shares: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the corners of all sectors; the many narrow ones, with four corners, at once."""
    first, last = (pi / 2 - 2 * pi * at for at in (layout.start, layout.start + shares))
    outer = (layout.level - 0.4)[:, None]
    inner = (layout.level - 1.4)[:, None]
    at_first = np.stack((np.cos(first), np.sin(first)), axis=1)
    at_last = np.stack((np.cos(last), np.sin(last)), axis=1)
    corners = (at_first * outer, at_last * outer, at_last * inner, at_first * inner)
    sectors = list(np.stack(corners, axis=1))
    for index in np.flatnonzero((2 * pi * shares > ARC_STEP) | (layout.level == 1)):
        start, level = float(layout.start[index]), int(layout.level[index])
        sectors[index] = _sector(start, float(shares[index]), level)
    return sectors


def _sector(start: float, share: float, level: int) -> NDArray[np.float64]:
    """Return the corners of a sector: outer edge clockwise, inner edge back."""
    inner, outer = _radii(level)
    n_steps = max(2, ceil(2 * pi * share / ARC_STEP) + 1)
    angles = pi / 2 - 2 * pi * np.linspace(start, start + share, n_steps)
    ring = np.column_stack((np.cos(angles), np.sin(angles)))
    return ring * outer if inner == 0 else np.concatenate((ring * outer, ring[::-1] * inner))


def _write_labels(axes: Axes, layout: Layout, luminance: NDArray[np.float64], inch: float) -> None:
    """Label the states whose labels fit into their sectors, along the radius."""
    rows = TileRows()
    arcs = 2 * pi * layout.width * np.maximum(layout.level - 1.4, 1.0) * inch
    for index in np.flatnonzero(arcs > FONT_SIZES[-1] / 72):
        level = int(layout.level[index])
        inner, outer = _radii(level)
        lines = layout.label(int(index))
        text = "\n".join(lines) if level == 1 else lines[0]
        arc = 2 * pi * float(layout.width[index]) * inner * inch if level > 1 else 1.2 * inch
        depth = (outer - inner) * inch if level > 1 else 1.2 * inch
        tiles = layout.tiles(int(index))
        size = _fit(max(map(measure, text.split("\n"))), tiles, arc, depth)
        if layout.view.game.kind == "questions" and (size is None or size < READABLE):
            broken = break_label(lines[: None if level == 1 else 1], depth, arc)
            if broken and (size is None or broken[1] > size):
                text, size = "\n".join(broken[0]), broken[1]
        if size is None:
            continue
        middle = float(layout.start[index] + layout.width[index] / 2)
        angle = pi / 2 - 2 * pi * middle
        radius = (inner + outer) / 2 if level > 1 else 0
        is_flipped = middle > 0.5 and level > 1
        turn = degrees(angle) if level > 1 else 0
        # In the direction of reading: first the tiles, if there are any, then the text.
        onward = np.array([cos(angle), sin(angle)]) * (-1 if is_flipped else 1)
        at = radius * np.array([cos(angle), sin(angle)])
        length = row_length(tiles, size) / 72 / inch
        x, y = at + onward * length / 2
        axes.text(
            x,
            y,
            text,
            size=size,
            rotation=turn + 180 if is_flipped else turn,
            ha="center",
            va="center",
            gid=f"label-{index}",
            **ink(float(luminance[index])),
        )
        along = onward * SIDE * size / 72 / inch
        words = measure(text) * CHARACTER * size / 72 / inch
        rows.add(at - onward * words / 2, along, along[::-1] * np.array([-1.0, 1.0]), tiles)
    rows.draw(axes)


def _fit(n_characters: int, tiles: list[str], arc: float, depth: float) -> float | None:
    """Return the largest font size that fits a sector's arc and depth (inches)."""
    for size in FONT_SIZES:
        points = size / 72
        length = row_length(tiles, size) / 72 + (n_characters + 0.5) * CHARACTER * points
        if 1.3 * points < arc and length < depth:
            return size
    return None
