"""Pictures of samples: overlaid histograms, cumulative curves, average against size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..export.plot import start_figure
from .report import format_average
from .sample import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.floating[Any]]

COLORS = ("#0b3c5d", "#d9822b", "#5fa8d3", "#8c2f39", "#8aa17a", "#4b4453", "#c9a227", "#9a9a9a")
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)), (0, (3, 5)))
HATCHES = ("", "///", "...", "xx", "\\\\\\", "ooo", "++", "**")
MARKERS = "osD^vPX*"
FEW_LENGTHS = 16
"""Up to so many different lengths each length has its bars; beyond, lengths are binned."""
SPREAD = 4
"""Lengths are drawn logarithmically where the longest is more than so many times the least."""


def plot_samples(samples: Sequence[Sample]) -> Figure:
    """Draw the histograms of several strategies for one game, and their cumulative curves.

    Raises
    ------
    DependencyError
        matplotlib is not installed.
    UsageError
        There is nothing to draw, or more than can be told apart.
    """
    if not 1 <= len(samples) <= len(COLORS):
        raise UsageError(f"a picture compares 1 to {len(COLORS)} strategies, not {len(samples)}")
    rows = (len(samples) + 1) // 2
    height = 4.6 + 0.3 * rows
    kinds = {True: "every secret", False: "seeded sample"}
    scope = " / ".join(kinds[exact] for exact in sorted({s.is_exact for s in samples})[::-1])
    figure = start_figure((12.0, height), samples[0].game, [f"length of games: {scope}"])
    bottom = (0.75 + 0.3 * rows) / height
    left = figure.add_axes((0.07, bottom, 0.41, 0.82 - bottom))
    right = figure.add_axes((0.56, bottom, 0.41, 0.82 - bottom))
    bars = draw_histograms(left, samples)
    curves = draw_cumulative(right, samples)
    _draw_legend(figure, list(zip(bars, curves, strict=True)), [_label(s) for s in samples])
    return figure


def draw_histograms(axes: Axes, samples: Sequence[Sample]) -> list[Any]:
    """Draw how many games in a hundred have each length; return the bars of each strategy."""
    least = min(int(sample.lengths.min()) for sample in samples)
    most = max(sample.worst for sample in samples)
    if most - least < FEW_LENGTHS:
        edges = np.arange(least, most + 2) - 0.5
        axes.set_xticks(range(least, most + 1))
    else:
        edges = np.linspace(least, most + 1, 31)
    if most >= FEW_LENGTHS and most > SPREAD * least:
        edges = np.geomspace(least, most + 1, 41)
        _use_log_scale(axes, least, most)
    bars = []
    for number, sample in enumerate(samples):
        share = np.histogram(sample.lengths, edges)[0] * 100.0 / sample.n
        bars.append(_draw_bars(axes, edges, share, number, len(samples)))
    axes.set(xlabel="guesses", ylabel="games (%)")
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    return bars


def draw_cumulative(axes: Axes, samples: Sequence[Sample]) -> list[Any]:
    """Draw how many games in a hundred are over after each guess; return the curves."""
    curves = []
    for number, sample in enumerate(samples):
        lengths = np.sort(sample.lengths)
        share = np.arange(1, sample.n + 1) * 100.0 / sample.n
        curves += axes.step(
            np.r_[lengths[0], lengths],
            np.r_[0.0, share],
            where="post",
            color=COLORS[number],
            linestyle=DASHES[number],
            linewidth=2.0,
        )
    least = min(int(sample.lengths.min()) for sample in samples)
    most = max(sample.worst for sample in samples)
    if most >= FEW_LENGTHS and most > SPREAD * least:
        _use_log_scale(axes, least, most)
    axes.set(xlabel="guesses", ylabel="games over (%)", ylim=(0, 103))
    axes.grid(color="#dddddd")
    axes.set_axisbelow(True)
    return curves


def plot_sizes(
    sizes: Sequence[int], series: dict[str, Sequence[float | None]], title: str
) -> Figure:
    """Draw average lengths against the size of square games, both axes logarithmic.

    Parameters
    ----------
    sizes
        Pegs, and as many colors.
    series
        Averages of each strategy, one a size; None where it was not played.
    title
        Of the picture.
    """
    figure = start_figure((8.0, 5.6), title, ["average number of guesses, both axes logarithmic"])
    axes = figure.add_axes((0.1, 0.24, 0.86, 0.6))
    for number, (name, averages) in enumerate(series.items()):
        points = [(x, y) for x, y in zip(sizes, averages, strict=True) if y is not None]
        axes.loglog(
            *zip(*points, strict=True),
            color=COLORS[number],
            linestyle=DASHES[number],
            marker=MARKERS[number],
            label=name,
        )
    axes.set(xlabel="pegs = colors", ylabel="guesses")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.grid(color="#dddddd")
    figure.legend(loc="lower center", ncols=3, frameon=False, handlelength=4)
    return figure


def _draw_bars(axes: Axes, edges: Floats, share: Floats, number: int, n: int) -> Any:
    """Draw one strategy's bars: beside those of the others, or over them where they are many."""
    widths = np.diff(edges)
    beside = len(widths) <= FEW_LENGTHS
    return axes.bar(
        edges[:-1] + (0.1 + 0.8 * number / n) * widths if beside else edges[:-1],
        share,
        0.8 * widths / n if beside else widths,
        align="edge",
        color=COLORS[number],
        alpha=1.0 if beside else 0.75,
        edgecolor="white",
        linewidth=0.4,
        hatch=HATCHES[number],
    )


def _use_log_scale(axes: Axes, least: int, most: int) -> None:
    """Make the lengths logarithmic, with plain numbers at 1, 2 and 5 times powers of ten."""
    axes.set_xscale("log")
    ticks = [m * 10**e for e in range(6) for m in (1, 2, 5)]
    ticks = [tick for tick in ticks if 0.8 * least <= tick <= 1.25 * most]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()


def _draw_legend(figure: Figure, handles: list[Any], labels: list[str]) -> None:
    from matplotlib.legend_handler import HandlerTuple

    figure.legend(
        handles,
        labels,
        loc="lower center",
        ncols=2,
        frameon=False,
        handlelength=6,
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0.5)},
    )


def _label(sample: Sample) -> str:
    return f"{sample.strategy}: average {format_average(sample)}, worst {sample.worst}"
