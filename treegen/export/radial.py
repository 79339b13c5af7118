"""Places of the states in a radial picture: a circle for each guess, no two boxes touch.

A state takes the angle that its own box needs on its circle or, if that is more, what its children
need on theirs. The circles are evenly apart and as narrow as these angles allow; the states of a
full circle stand alternately on it and a little farther out, so that it can be half as wide.
"""

from __future__ import annotations

from math import cos, pi, sin

from .._printing import measure
from .picture import Picture

GAP = 1.0
"""Least distance of two circles, in inches."""

CHARACTER, MARGIN = 0.085, 0.3
"""Inches: width of a character, room around a box."""

SHARE = 0.93
"""The share of the widest box by which two circles are apart at least: widths are generous."""

STAGGERED = 0.55
"""Share of its width that a box takes where neighbors stand farther out or in."""

FULL = 2.0
"""A circle is full if its states need so many times the least radius."""

GROWTH = 1.04
"""Factor by which circles are widened until all angles fit."""


def place_states(picture: Picture) -> dict[int, tuple[float, float]]:
    """Return the place of each shown state, in inches; the first one stands in the middle.

    Examples
    --------
    >>> import treegen
    >>> from treegen.export.picture import make_picture
    >>> places = place_states(make_picture(treegen.build("p1c3r", "knuth")))
    >>> places[0]
    (0.0, 0.0)
    """
    nodes = list(picture.nodes())
    circles: dict[int, list[int]] = {}
    for node in nodes[1:]:
        circles.setdefault(picture.view.level(node) - 1, []).append(node)
    widths = {node: _measure(picture, node) for node in nodes}
    # Boxes stand upright: at the sides of a circle it is their width that lies between two circles.
    gap = max(GAP, SHARE * max(widths.values()))
    needs = {at: sum(widths[node] for node in circle) / 2 / pi for at, circle in circles.items()}
    is_full = {at: need > FULL * gap * at for at, need in needs.items()}
    for at, circle in circles.items():
        if is_full[at]:
            widths |= {node: widths[node] * STAGGERED for node in circle}
            needs[at] *= STAGGERED
    lifts = {
        node: _lift(number, len(circle)) if is_full[at] else 0
        for at, circle in circles.items()
        for number, node in enumerate(circle)
    }
    # What hangs below a state that is lifted is as far from it as from one that is not.
    lifted = [lift for node, lift in lifts.items() if picture.children(node)]
    distance = gap + GAP * max(lifted, default=0)
    distance = max([distance, *(need / at for at, need in needs.items())])
    while (angles := _measure_angles(picture, nodes, widths, distance))[nodes[0]] > 2 * pi:
        distance *= GROWTH
    shares = _share_out(picture, nodes, angles)
    places = {nodes[0]: (0.0, 0.0)}
    for at, circle in circles.items():
        for node in circle:
            radius = at * distance + GAP * lifts[node]
            places[node] = (radius * sin(shares[node]), radius * cos(shares[node]))
    return places


def _lift(number: int, n_states: int) -> int:
    """Return how far out a state of a full circle stands; the last differs from both neighbors."""
    is_odd_end = number == n_states - 1 and number % 2 == 0
    return 2 if is_odd_end else number % 2


def _measure(picture: Picture, node: int) -> float:
    """Return the width of a state's box with the room around it, in inches."""
    longest = max(measure(picture.view.guess(node)), 9 if picture.is_stub(node) else 5)
    return CHARACTER * longest + MARGIN


def _measure_angles(
    picture: Picture, nodes: list[int], widths: dict[int, float], distance: float
) -> dict[int, float]:
    """Return the angle that each state needs, with what is below it; the first one's is the sum."""
    angles: dict[int, float] = {}
    for node in reversed(nodes):
        circle = picture.view.level(node) - 1
        below = sum(angles[child] for child in picture.children(node))
        angles[node] = max(widths[node] / circle / distance, below) if circle else below
    return angles


def _share_out(picture: Picture, nodes: list[int], angles: dict[int, float]) -> dict[int, float]:
    """Return the direction of each state: the whole circle is shared out by the angles."""
    begin, whole = {nodes[0]: 0.0}, {nodes[0]: 2 * pi}
    for node in nodes:
        children = picture.children(node)
        needed = sum(angles[child] for child in children)
        start = begin[node]
        for child in children:
            begin[child], whole[child] = start, whole[node] * angles[child] / needed
            start += whole[child]
    return {node: begin[node] + whole[node] / 2 for node in nodes}
