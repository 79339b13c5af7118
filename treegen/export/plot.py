"""Pictures of whole trees with matplotlib: icicle, sunburst, histogram.

In an icicle and a sunburst the area of a state is the number of its secrets, its row or ring the
number of its guess. Its color is the average length of the games through it, the longest one, or
its largest cell.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import Target, write_bytes
from .._loading import import_matplotlib
from .._options import check_names
from .._printing import measure
from ..errors import UsageError
from ..games import Goal
from ..tree import Tree, tally, weigh_secrets
from .fonts import use_fonts, warn_of_missing
from .picture import subtitle_of, title_of, write_step
from .plot_icicle import draw_icicle
from .plot_layout import COLORINGS, Layout, make_layout
from .plot_sunburst import draw_sunburst
from .plot_zoom import add_names
from .target import check_scale, choose_format, scale_svg
from .view import VIEW_OPTIONS, View, make_view

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: dict[str, Callable[[Figure, Layout], None]] = {
    "icicle": draw_icicle,
    "sunburst": draw_sunburst,
}


SIZES = {"icicle": (13.0, 8.0), "sunburst": (10.5, 10.5), "histogram": (7.0, 4.5)}
"""Width and height in inches."""

STEPS = (1, 2, 2.5, 5, 10)
"""Ticks are so far apart, or a power of ten as far."""

MOST_BARS = 40
"""More lengths, such as costs, are not labeled one by one."""

TITLE_POINTS, LINE_POINTS = 15.0, 10.0
"""Font sizes of the title and of the lines below it, where they fit."""

WIDEST = 0.68
"""Width of a character of bold text as a share of the font's size, rather too wide."""


def plot_tree(
    tree: Tree,
    kind: str = "icicle",
    *,
    coloring: str = "average",
    title: str | None = None,
    **options: Any,
) -> Figure:
    """Draw a whole tree and return the figure.

    Parameters
    ----------
    tree
        Any tree.
    kind
        ``"icicle"``, ``"sunburst"`` or ``"histogram"``.
    coloring
        ``"average"`` or ``"longest"`` game through a state, or its largest ``"cell"``.
    title
        Instead of game and strategy.
    **options
        What is shown: path, depth, order, symbols as in `treegen.export.view.make_view`.

    Raises
    ------
    DependencyError
        matplotlib is not installed.
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree.
    """
    check_names("plot", options, [*VIEW_OPTIONS, "kind", "coloring", "title"])
    _check_kind(kind, coloring)
    figure, _ = _draw(make_view(tree, **options), kind, coloring, title)
    use_fonts(figure)
    return figure


def write_plot(
    tree: Tree,
    target: Target,
    kind: str = "icicle",
    *,
    format: str | None = None,
    static: bool = False,
    scale: float = 1.0,
    coloring: str = "average",
    title: str | None = None,
    **options: Any,
) -> None:
    """Draw a whole tree into a path or an open binary file.

    In an SVG the states of an icicle and a sunburst have titles, which are shown as tooltips, and
    in a browser a click on a state zooms.

    Parameters
    ----------
    tree, kind, coloring, title, **options
        As in `plot_tree`.
    target
        Where the picture goes.
    format
        ``"svg"``, ``"png"`` or ``"pdf"``; by default what the path ends with, svg for a file.
    static
        Leave out the script that zooms.
    scale
        How many times as wide and high as usual, 0.1 to 10; not for PDF.

    Raises
    ------
    DependencyError
        matplotlib is not installed.
    UsageError, GameError, UnreachableError
        An option is out of range or does not fit the tree; the file cannot be written.
    """
    chosen = choose_format(target, format)
    check_plot_scale(scale, chosen)
    _check_kind(kind, coloring)
    figure, layout = _draw(make_view(tree, **options), kind, coloring, title)
    data = _save(figure, chosen, scale)
    if chosen == "svg" and layout is not None:
        data = add_names(data.decode(), layout, kind, script=not static).encode()
    write_bytes(target, data)


def check_plot_scale(scale: float, format: str) -> None:
    """Raise UsageError for a scale that a plot cannot have."""
    check_scale(scale)
    if scale != 1 and format == "pdf":
        raise UsageError(f"the page of a plot as PDF has one size: scale {scale:g} is for SVG, PNG")


def write_figure(figure: Figure, target: Target, format: str, scale: float = 1.0) -> None:
    """Write a figure; equal figures give equal bytes."""
    write_bytes(target, _save(figure, format, scale))


def _save(figure: Figure, format: str, scale: float) -> bytes:
    import matplotlib as mpl

    if format != "svg":
        warn_of_missing(use_fonts(figure))
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    buffer = BytesIO()
    with (
        mpl.rc_context({"svg.hashsalt": "treegen", "svg.fonttype": "none"}),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # said above
        dpi = 144 * scale if format == "png" else 144
        figure.savefig(buffer, format=format, dpi=dpi, metadata=dates[format])
    return scale_svg(buffer.getvalue(), scale) if format == "svg" else buffer.getvalue()


def _check_kind(kind: str, coloring: str) -> None:
    if kind not in SIZES:
        raise UsageError(f"unknown picture {kind!r}: there are {', '.join(SIZES)}")
    if coloring not in COLORINGS:
        raise UsageError(f"unknown coloring {coloring!r}: there are {', '.join(COLORINGS)}")


def _draw(view: View, kind: str, coloring: str, title: str | None) -> tuple[Figure, Layout | None]:
    """Return the figure, and where its states stand if it shows them."""
    figure = start_figure(SIZES[kind], title_of(view, title), [subtitle_of(view), *_scope(view)])
    if kind == "histogram":
        _draw_histogram(figure, view)
        return keep_text(figure), None
    layout = make_layout(view, coloring)
    KINDS[kind](figure, layout)
    return keep_text(figure), layout


def start_figure(size: tuple[float, float], title: str, lines: list[str]) -> Figure:
    """Return an empty figure with a title; raise DependencyError without matplotlib."""
    import_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, facecolor="white")
    height = size[1]
    points = _fit_text(title, TITLE_POINTS, size[0])
    figure.text(0.03, 1 - 0.32 / height, title, size=points, weight="bold", va="center")
    for number, line in enumerate(lines):
        points = _fit_text(line, LINE_POINTS, size[0])
        figure.text(0.03, 1 - (0.62 + 0.24 * number) / height, line, size=points, va="center")
    return figure


def keep_text(figure: Figure) -> Figure:
    """Return a figure that shows its texts as they are: ``$`` begins no formula."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
    return figure


def _fit_text(text: str, points: float, width: float) -> float:
    """Return the font size, at most so many points, at which a line fits a figure's width."""
    room = 0.95 * width * 72
    return min(points, room / (WIDEST * max(measure(text), 1)))


def _scope(view: View) -> list[str]:
    """Return a line that says which part of the tree is shown, unless it is the whole tree."""
    parts = []
    if view.history:
        steps = (
            write_step(view.write_code(guess), view.written(reply, guess))
            for guess, reply in view.history
        )
        parts.append(f"after {', '.join(steps)} (guesses counted from there)")
    if view.depth is not None and view.depth < view.worst:
        parts.append(f"the first {view.depth} of up to {view.worst} guesses")
    return [" · ".join(parts)] if parts else []


def _draw_histogram(figure: Figure, view: View) -> None:
    from matplotlib.ticker import MaxNLocator

    tree, shown = view.tree, View(view.tree, view.root)
    nodes = np.fromiter(shown.nodes(), dtype=np.int64)
    found = nodes[tree.is_winning[nodes]]
    weights = weigh_secrets(tree.game, tree.guess[found])
    histogram = tally(tree.lengths[found] - view.cost_before, weights)
    # One candidate may be announced before any guess.
    counts = dict(enumerate(histogram, start=1)) or {0: int(weights.sum())}
    # The numbers at the axis and above the bars take their room from the bars.
    digits = len(f"{max(counts.values()):,}")
    left = 0.075 + 0.013 * digits
    more = 0.24 / SIZES["histogram"][1] * (len(figure.texts) > 2)  # a line that says what is shown
    axes = figure.add_axes((left, 0.13, 0.98 - left, 0.66 - more))
    size = min(10.0, (0.98 - left) * SIZES["histogram"][0] * 72 / len(counts) / (WIDEST * digits))
    bars = axes.bar(list(counts), list(counts.values()), color="#5b8db8", width=0.75)
    stakes, is_asked = tree.game.stakes, tree.game.kind == "questions"
    step = "questions" if is_asked and tree.game.goal == Goal.IDENTIFY else "guesses"
    axes.set(
        xlabel=step if stakes.costs is None else "cost",
        ylabel="secrets" if stakes.weights is None else "weight of secrets",
    )
    if len(counts) <= MOST_BARS:
        axes.bar_label(bars, [f"{count:,}" for count in counts.values()], padding=2, size=size)
        axes.set_xticks(list(counts))
    else:
        axes.xaxis.set_major_locator(MaxNLocator("auto", steps=STEPS, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=STEPS, integer=True))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
