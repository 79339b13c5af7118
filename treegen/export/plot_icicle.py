"""The icicle: a row for each guess, a box for each state, as wide as it has secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._printing import measure
from ..games import Goal, split_letters
from .plot_layout import HAIRLINE, Layout, ink, paint
from .plot_tiles import SIDE, TileRows, row_length

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONT_SIZES = (11.0, 9.0, 7.5, 6.0, 5.0)
"""Points; the largest that fits is taken, none smaller."""

READABLE, SMALLEST = 9.0, 6.0
"""Points: labels of words are broken rather than smaller, and cut short rather than smaller."""

FEWEST = 7
"""No label of words is cut to fewer characters a line."""

CHARACTER = 0.64
"""Width of a character as a share of the font's size."""


LINE = 1.3
"""Height of a line as a multiple of the font's size."""


def draw_icicle(figure: Figure, layout: Layout) -> None:
    """Draw the states of a layout as an icicle."""
    from matplotlib.collections import PolyCollection

    width, height = figure.get_size_inches()
    top = 1 - 1.05 / height
    game = layout.view.game
    is_asked = game.kind == "questions" and game.goal == Goal.IDENTIFY
    step = "question" if is_asked else "guess"
    rows = _name_rows(layout, step)
    margin = max(0.055, (max(map(len, rows)) * CHARACTER * 9 / 72 + 0.1) / width)
    room = round(0.98 - margin, 4)
    inches = room * width
    axes = figure.add_axes((margin, 0.75 / height, room, top - 0.75 / height))
    left = layout.start
    right = left + np.maximum(layout.width, HAIRLINE / inches)
    upper, lower = layout.level - 1.0, layout.level * 1.0
    corners = np.stack(
        [
            np.stack([left, upper], axis=1),
            np.stack([right, upper], axis=1),
            np.stack([right, lower], axis=1),
            np.stack([left, lower], axis=1),
        ],
        axis=1,
    )
    shapes = PolyCollection(list(corners), edgecolors="white")
    shapes.set_linewidth(np.clip(layout.width * inches * 7 - 0.2, 0, 0.8).tolist())
    axes.add_collection(shapes)
    luminance = paint(figure, (margin, 0.45 / height, 0.4, 0.1 / height), shapes, layout)
    axes.set(xlim=(0, 1), ylim=(layout.n_levels, 0), xticks=[])
    axes.set_yticks(np.arange(layout.n_levels) + 0.5)
    axes.set_yticklabels(rows, size=9)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.text(
        0.98,
        0.3 / height,
        f"width = secrets; in a box: answer → {step}, candidates left;"
        f" below {'what is announced' if is_asked else 'the winning guess'} nothing follows",
        size=9,
        ha="right",
    )
    _write_labels(axes, layout, luminance, inches, (top * height - 0.75) / layout.n_levels)


def _name_rows(layout: Layout, step: str) -> list[str]:
    """Return what happens in each row: the last may announce candidates and ask nothing."""
    tree = layout.view.tree
    is_over = tree.is_leaf[layout.nodes] & (tree.game.goal == Goal.IDENTIFY)
    return [
        "announced" if is_over[layout.level == level].all() else f"{step} {level}"
        for level in range(1, layout.n_levels + 1)
    ]


def _write_labels(
    axes: Axes, layout: Layout, luminance: np.ndarray, width: float, row: float
) -> None:
    """Label the states whose labels fit into their boxes (inches), upright or rotated."""
    rows = TileRows()
    for index in np.flatnonzero(layout.width * width > FONT_SIZES[-1] / 72):
        box = float(layout.width[index]) * width
        lines, tiles = layout.label(int(index)), layout.tiles(int(index))
        fit = _fit(lines, tiles, box, row)
        if fit is None:
            lines = lines[:1]
            fit = _fit(lines, tiles, box, row)
        if layout.view.game.kind == "questions" and (fit is None or fit[0] < READABLE):
            broken = break_label(layout.label(int(index)), box, row)
            if broken and (fit is None or broken[1] > fit[0]):
                lines, fit = broken[0], (broken[1], False)
        if fit is None:
            continue
        size, turned = fit
        # Tiles stand above the text, or before it where it is rotated; both make room.
        length = row_length(tiles, size)
        aside = (length / 2 if turned else -LINE / 2 * size * bool(tiles)) / 72 / row
        x = float(layout.start[index] + layout.width[index] / 2)
        y = float(layout.level[index]) - 0.5
        axes.text(
            x,
            y - aside,
            "  ".join(lines) if turned else "\n".join(lines),
            size=size,
            rotation=90 if turned else 0,
            ha="center",
            va="center",
            gid=f"label-{index}",
            **ink(float(luminance[index])),
        )
        side = SIDE * size / 72
        right, down = np.array([side / width, 0.0]), np.array([0.0, side / row])
        if turned:
            text = _count_turned(lines) * CHARACTER * size / 72 / row
            rows.add(np.array([x, y - aside + (text + length / 72 / row) / 2]), -down, right, tiles)
        else:
            above = len(lines) * LINE * size / 72 / row / 2
            rows.add(np.array([x, y - above]), right, down, tiles)
    rows.draw(axes)


def break_label(lines: list[str], width: float, height: float) -> tuple[list[str], float] | None:
    """Return the lines of a label of words, broken to fit a box (inches), and their font size.

    What does not fit at the smallest readable size is cut short; None if hardly a word fits.

    Examples
    --------
    >>> break_label(["yes → domestic dog", "2"], 0.7, 1.0)
    (['yes →', 'domestic', 'dog', '2'], 9.0)
    >>> break_label(["yes → domestic dog"], 0.6, 0.3)
    (['yes →', 'domestic…'], 6.0)
    """
    for size in (size for size in FONT_SIZES if size >= SMALLEST):
        n_columns = int(width * 72 / CHARACTER / size)
        n_rows = int(height * 72 / LINE / size)
        broken = [part for line in lines for part in _break_line(line, n_columns)]
        if len(broken) <= n_rows and max(map(measure, broken)) <= n_columns:
            return broken, size
    if n_columns < FEWEST or not n_rows:
        return None
    is_cut = [measure(part) > n_columns for part in broken[:n_rows]]
    is_cut[-1] |= len(broken) > n_rows
    kept = zip(broken, is_cut, strict=False)
    return [_cut_short(part, n_columns) if cut else part for part, cut in kept], size


def _break_line(line: str, n_columns: int) -> list[str]:
    """Return a line in lines of so many columns; a longer word has its own."""
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if measure(longer) <= n_columns or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut_short(text: str, n_columns: int) -> str:
    """Return the beginning of a text that has no room, with an ellipsis."""
    letters = split_letters(text)
    while letters and measure("".join(letters)) >= n_columns:
        letters.pop()
    return "".join(letters).rstrip() + "…"


def _fit(
    lines: list[str], tiles: list[str], width: float, height: float
) -> tuple[float, bool] | None:
    """Return the largest font size that fits a box, and whether the text is rotated."""
    longest = max(map(measure, lines))
    n_lines = len(lines) + bool(tiles)
    for size in FONT_SIZES:
        points = size / 72
        row = row_length(tiles, size) / 72
        if max(longest * CHARACTER * points, row) < width and n_lines * LINE * points < height:
            return size, False
        length = row + _count_turned(lines) * CHARACTER * points
        if 1.25 * points < width and length < height:
            return size, True
    return None


def _count_turned(lines: list[str]) -> int:
    """Return how many characters the lines take beside each other."""
    return sum(map(measure, lines)) + 2 * len(lines) - 1
