"""Answers of word games in pictures of whole trees: rows of small tiles, as the games draw them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE = 0.8
"""Side of a tile as a share of the font's size; a row takes so much for each tile."""

TILES = "tiles"
"""Name of the tiles in an SVG."""

Vector = NDArray[np.float64]


def row_length(paints: list[str], size: float) -> float:
    """Return the length of a row of tiles in points, the gap behind it included."""
    return (len(paints) + 0.6) * SIDE * size if paints else 0.0


@dataclass
class TileRows:
    """Rows of tiles that are drawn at once.

    Attributes
    ----------
    corners
        For each tile its four corners.
    paints
        Its color.
    """

    corners: list[Vector] = field(default_factory=list)
    paints: list[str] = field(default_factory=list)

    def add(self, middle: Vector, along: Vector, across: Vector, paints: list[str]) -> None:
        """Add a row around a point.

        Parameters
        ----------
        middle : float64[2]
            Middle of the row, in data coordinates.
        along, across : float64[2]
            One tile's side in the direction of the row, and the other side.
        paints
            Colors of the tiles.
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
        shapes.set_gid(TILES)
        axes.add_collection(shapes)
