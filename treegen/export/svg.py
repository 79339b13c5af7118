"""A small picture of a tree for notebooks: an icicle as SVG, drawn without any library."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np

from .._printing import measure
from ..tree import Tree, find_longest
from .plot_layout import make_layout
from .view import make_view

WIDTH, ROW, HEAD = 720.0, 26.0, 24.0
"""Of the picture, of a row and of the title, in pixels."""

NARROWEST = 1.5
"""Narrower states are left out: nobody would see them."""

CHARACTER = 6.6
"""Width of a character, in pixels; labels that do not fit are left out."""

SHADES = ("#fffbe0", "#fff0b3", "#ffdf8a", "#ffc76b", "#ffab5c", "#f98e5a")
"""From the shortest games to the longest."""


def make_svg(tree: Tree) -> str:
    """Return a picture of a tree: a row for each guess, states as wide as they have secrets.

    Parameters
    ----------
    tree
        Any tree.

    Examples
    --------
    >>> import treegen
    >>> make_svg(treegen.build("p2c3r"))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return "".join(_generate_svg(tree))


def _generate_svg(tree: Tree) -> Iterator[str]:
    layout = make_layout(make_view(tree), "longest")
    height = HEAD + ROW * layout.n_levels
    name = escape(f"{tree.game.name} · {tree.provenance.strategy}")
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}"'
    yield f' width="{WIDTH:g}" height="{height:g}" font-family="monospace" font-size="11">'
    yield f'<text x="2" y="16">{name}: total {tree.total:,}, worst {tree.worst}</text>'
    longest = find_longest(tree)
    for place in np.flatnonzero(layout.width * WIDTH >= NARROWEST).tolist():
        x, width = layout.start[place] * WIDTH, layout.width[place] * WIDTH
        y = HEAD + ROW * (layout.level[place] - 1)
        shade = SHADES[(longest[layout.nodes[place]] - 1) * 5 // max(1, tree.worst - 1)]
        yield f'<rect x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{ROW:g}" fill="{shade}"'
        yield ' stroke="#777" stroke-width="0.5"/>'
        label = layout.view.guess(int(layout.nodes[place]))
        if measure(label) * CHARACTER < width:
            yield f'<text x="{x + width / 2:.1f}" y="{y + 17:g}" text-anchor="middle">'
            yield f"{escape(label)}</text>"
    yield "</svg>"
