"""Pictures of whole trees with matplotlib: icicle and histogram.

An icicle has a row for each guess and a box for each state, whose area is the number of its
secrets. Its color is the average length of the games through it, the longest one, or its largest
cell. The answers of word games are rows of small tiles, as the games draw them. In an SVG each
state has a title, which viewers show as a tooltip and screen readers speak.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import count
from math import ceil
from typing import TYPE_CHECKING, Annotated, Unpack

import numpy as np
from numpy.typing import NDArray

from .._files import PICTURES, Target, write_bytes
from .._loading import import_matplotlib
from .._options import check_names, check_range, list_parameters
from .._printing import measure
from ..errors import UsageError
from ..formats.format import (
    GONE,
    Format,
    Option,
    Scale,
    Title,
    Writer,
    check_options,
    describe_writer,
)
from ..formats.tree_file import TreeSource, read
from ..formats.view import View, ViewOptions, make_view
from ..games.rules import weigh, write_weight
from ..games.text import split_letters
from ..tree.tree import Tree, tally
from ..tree.walk import average_lengths, find_largest_cell, find_longest, is_announced, parent_of
from .picture import (
    SCALES,
    arrange,
    choose_format,
    describe_past,
    paint_marks,
    subtitle_of,
    title_of,
    use_fonts,
    write_step,
    write_tiles,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection

    from .figure import Figure


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


FONT_SIZES = (11.0, 9.0, 7.5, 6.0, 5.0)
"""Points; the largest that fits is taken, none smaller."""

READABLE, SMALLEST = 9.0, 6.0
"""Points: labels of words are broken rather than smaller, and cut short rather than smaller."""

CHARACTER = 0.64
"""Width of a character as a share of the font's size."""


LINE = 1.3
"""Height of a line as a multiple of the font's size."""


def draw_icicle(figure: Figure, layout: Layout) -> None:
    """Draw the states of a layout as an icicle."""
    from matplotlib.collections import PolyCollection

    width, height = figure.get_size_inches()
    top = 1 - 1.05 / height
    tree, step = layout.view.tree, layout.view.game.notation.step
    rows = [f"{step} {level}" for level in range(1, layout.n_levels + 1)]
    if all(is_announced(tree, node) for node in layout.nodes[layout.level == layout.n_levels]):
        rows[-1] = "announced"  # and nothing is asked
    margin = max(0.055, (max(map(len, rows)) * CHARACTER * 9 / 72 + 0.1) / width)
    room = round(0.98 - margin, 4)
    inches = room * width
    axes = figure.add_axes((margin, 0.75 / height, room, top - 0.75 / height))
    left = layout.start
    right = left + np.maximum(layout.width, HAIRLINE / inches)
    upper, lower = layout.level - 1.0, layout.level * 1.0
    around = ((left, upper), (right, upper), (right, lower), (left, lower))
    corners = np.stack([np.stack(corner, axis=1) for corner in around], axis=1)
    shapes = PolyCollection(list(corners), edgecolors="white")
    shapes.set_linewidth(np.clip(layout.width * inches * 7 - 0.2, 0, 0.8).tolist())
    axes.add_collection(shapes)
    luminance = paint(figure, (margin, 0.45 / height, 0.4, 0.1 / height), shapes, layout)
    axes.set(xlim=(0, 1), ylim=(layout.n_levels, 0), xticks=[])
    axes.set_yticks(np.arange(layout.n_levels) + 0.5)
    axes.set_yticklabels(rows, size=9)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    room = "leaves" if layout.view.game.rules.shares is not None else "secrets"
    end = "what is announced" if step == "question" else "the winning guess"
    figure.text(
        0.98,
        0.3 / height,
        f"width = {room}; in a box: answer → {step}, candidates left; below {end} nothing follows",
        size=9,
        ha="right",
    )
    _write_labels(axes, layout, luminance, inches, (top * height - 0.75) / layout.n_levels)


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
        if not layout.view.game.notation.in_columns and (fit is None or fit[0] < READABLE):
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
        text = "  ".join(lines) if turned else "\n".join(lines)
        label = axes.text(x, y - aside, text, size=size, rotation=90 if turned else 0)
        ink = "#111111" if luminance[index] > 0.45 else "#ffffff"
        label.set(gid=f"label-{index}", ha="center", va="center", color=ink)
        side = SIDE * size / 72
        right, down = np.array([side / width, 0.0]), np.array([0.0, side / row])
        if turned:
            along = _count_turned(lines) * CHARACTER * size / 72 / row
            end = y - aside + (along + length / 72 / row) / 2
            rows.add(np.array([x, end]), -down, right, tiles)
        else:
            above = len(lines) * LINE * size / 72 / row / 2
            rows.add(np.array([x, y - above]), right, down, tiles)
    rows.draw(axes)


def break_label(lines: list[str], width: float, height: float) -> tuple[list[str], float] | None:
    """Return the lines of a label of words, broken to fit a box (inches), and their font size.

    What does not fit at the smallest readable size is cut short; None if hardly a word fits.

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
    if n_columns < 7 or not n_rows:
        return None
    is_cut = [measure(part) > n_columns for part in broken[:n_rows]]
    is_cut[-1] |= len(broken) > n_rows
    kept = zip(broken, is_cut, strict=False)
    return [_cut_short(part, n_columns) if cut else part for part, cut in kept], size


def _break_line(line: str, n_columns: int) -> list[str]:
    """Return a line in lines of this many columns; a longer word has its own."""
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
    """Return the width of the lines beside each other, in characters."""
    return sum(map(measure, lines)) + 2 * len(lines) - 1


SIZES = {"icicle": (13.0, 8.0), "histogram": (7.0, 4.5)}
"""Width and height in inches."""

STEPS = (1, 2, 2.5, 5, 10)
"""Ticks are so far apart, or a power of ten as far."""

WIDEST = 0.68
"""Width of a character of bold text as a share of the font's size, rather too wide."""


def plot_tree(
    tree: Tree,
    kind: str = "icicle",
    *,
    color: str = "average",
    title: str | None = None,
    **options: Unpack[ViewOptions],
) -> Figure:
    """Draw a whole tree and return the figure; see `write_plot` for options and errors."""
    check_names("plot", options, [*ViewOptions.__annotations__, "kind", "color", "title"])
    _check_kind(kind, color)
    figure, _ = _draw(make_view(tree, **options), kind, color, title)
    use_fonts(figure)
    return figure


@describe_writer
def write_plot(
    tree: TreeSource,
    file: Target,
    kind: str = "icicle",
    *,
    format: str | None = None,
    color: Annotated[
        str,
        Option(
            "Average or longest game through a state, or its largest cell.",
            COLORINGS,
            more='``"average"``, ``"longest"`` or ``"cell"``.',
        ),
    ] = "average",
    title: Title = None,
    scale: Scale = 1.0,
    **options: Unpack[ViewOptions],
) -> None:
    """Draw a whole tree with matplotlib, as SVG, PNG or PDF.

    In an SVG the states of an icicle have titles, which are shown as tooltips.

    {parameters}
    kind
        ``"icicle"``: a row for each guess; ``"histogram"``: secrets per length of game.
    format
        See `write_picture`.

    {errors}
    DependencyError
        matplotlib is not installed.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_plot(treegen.build("p2c3r"), file, "histogram")
    >>> file.getvalue()[:5]
    b'<?xml'
    """
    check_options(write_plot, title=title, **options)
    chosen = choose_format(file, format)
    check_plot_scale(scale, chosen)
    _check_kind(kind, color)
    figure, layout = _draw(make_view(read(tree), **options), kind, color, title)
    data = figure.encode(chosen, scale)
    if chosen == "svg" and layout is not None:
        data = add_names(data.decode(), layout).encode()
    write_bytes(file, data)


def check_plot_scale(scale: float, format: str) -> None:
    """Raise UsageError for a scale that a plot cannot have."""
    check_range(SCALES, scale=scale)
    if scale != 1 and format == "pdf":
        raise UsageError("`scale` works only with SVG and PNG: a plot's PDF page has one size")


def write_figure(figure: Figure, target: Target, format: str, scale: float = 1.0) -> None:
    """Write a figure."""
    write_bytes(target, figure.encode(format, scale))


def _check_kind(kind: str, color: str) -> None:
    if kind not in SIZES:
        hint = GONE.get(kind) or f"there are {', '.join(SIZES)}"
        raise UsageError(f"unknown picture {kind!r:.80}: {hint}")
    if color not in COLORINGS:
        raise UsageError(f"unknown coloring {color!r:.80}: there are {', '.join(COLORINGS)}")


def _draw(view: View, kind: str, color: str, title: str | None) -> tuple[Figure, Layout | None]:
    """Return the figure, and where its states stand if it shows them."""
    is_cut = view.depth is not None and view.depth < view.worst
    shown = f"the first {view.depth} of up to {view.worst} guesses" if is_cut else ""
    scope = " · ".join(filter(None, (describe_past(view), shown)))
    lines = [text for text in (subtitle_of(view), scope) if text]
    figure = start_figure(SIZES[kind], title_of(view, title), lines)
    if kind == "histogram":
        _draw_histogram(figure, view)
        return keep_text(figure), None
    layout = make_layout(view, color)
    draw_icicle(figure, layout)
    return keep_text(figure), layout


def start_figure(size: tuple[float, float], title: str, lines: list[str]) -> Figure:
    """Return an empty figure with a title; raise DependencyError without matplotlib."""
    import_matplotlib()
    from .figure import Figure

    figure = Figure(figsize=size, facecolor="white")
    height = size[1]
    points = _fit_text(title, 15, size[0])
    figure.text(0.03, 1 - 0.32 / height, title, size=points, weight="bold", va="center")
    for number, line in enumerate(lines):
        points = _fit_text(line, 10, size[0])
        figure.text(0.03, 1 - (0.62 + 0.24 * number) / height, line, size=points, va="center")
    return figure


def keep_text(figure: Figure) -> Figure:
    """Return a figure that shows its texts as they are: ``$`` begins no formula."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
    return figure


def _fit_text(text: str, points: float, width: float) -> float:
    """Return the font size, at most this many points, at which a line fits a figure's width."""
    room = 0.95 * width * 72
    return min(points, room / (WIDEST * max(measure(text), 1)))


def _draw_histogram(figure: Figure, view: View) -> None:
    from matplotlib.ticker import MaxNLocator

    tree, shown = view.tree, View(view.tree, view.root)
    nodes = np.fromiter(shown.nodes(), dtype=np.int64)
    found = nodes[tree.is_winning[nodes]]
    weights = tree.found_weights[found]
    histogram = tally(tree.lengths[found] - view.cost_before, weights)
    # One candidate may be announced before any guess.
    shares = dict(enumerate(histogram, start=1)) or {0: int(weights.sum())}
    counts = {length: weigh(count, tree.game.rules.share_unit) for length, count in shares.items()}
    labels = [write_weight(count) for count in counts.values()]
    # The numbers at the axis and above the bars take their room from the bars.
    digits = max(map(len, labels))
    left = 0.075 + 0.013 * digits
    more = 0.24 / SIZES["histogram"][1] * (len(figure.texts) > 2)  # a line about the part shown
    axes = figure.add_axes((left, 0.13, 0.98 - left, 0.66 - more))
    size = min(10.0, (0.98 - left) * SIZES["histogram"][0] * 72 / len(counts) / (WIDEST * digits))
    bars = axes.bar(list(counts), list(map(float, counts.values())), color="#5b8db8", width=0.75)
    rules = tree.game.rules
    step = "questions" if tree.game.notation.step == "question" else "guesses"
    axes.set(
        xlabel=step if rules.given_costs is None else "cost",
        ylabel="secrets" if rules.weights is None and rules.shares is None else "weight of secrets",
    )
    if len(counts) <= 40:  # more, such as costs, are not labeled one by one
        axes.bar_label(bars, labels, padding=2, size=size)
        axes.set_xticks(list(counts))
    else:
        axes.xaxis.set_major_locator(MaxNLocator("auto", steps=STEPS, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=STEPS, integer=True))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)


def _describe(kind: str, summary: str, help: str, more: str, without: Sequence[str] = ()) -> Format:
    options = [option for option in list_parameters(write_plot) if option.name not in without]
    return Format(
        kind,
        Writer(
            write_plot,
            summary,
            f"{help} SVG, PNG or PDF, as OUT ends.",
            options,
            (f"treegen export {kind} knuth.tree {more}-o {kind}.svg",),
            PICTURES,
            fixed={"kind": kind},
        ),
    )


PLOTS = (
    _describe(
        "icicle",
        "The whole tree, a row for each guess.",
        "Draw the whole tree in FILE, a row for each guess.",
        "--depth 4 ",
    ),
    _describe(
        "histogram",
        "Secrets per length of game.",
        "Draw how many secrets of FILE need how many guesses.",
        "",
        ("color", "order"),
    ),
)
"""The formats of these pictures."""
