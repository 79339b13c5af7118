"""Pictures of samples: overlaid histograms, average against size."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..games.base import Game
from ..pictures.plot import keep_text, start_figure
from .sample import Sample, format_average

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..pictures.figure import Figure

Floats = NDArray[np.floating[Any]]

COLORS = ("#0b3c5d", "#d9822b", "#5fa8d3", "#8c2f39", "#8aa17a", "#4b4453", "#c9a227", "#9a9a9a")
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)), (0, (3, 5)))
HATCHES = ("", "///", "...", "xx", "\\\\\\", "ooo", "++", "**")
MARKERS = "osD^vPX*"
FEW_LENGTHS = 16
"""Up to this many distinct lengths each length has its own bars; beyond, lengths are binned."""
SHORT_NAME = 22
"""Names of strategies up to this length stand at the ends of their lines, longer ones below."""
LABEL_STEP = 0.055
"""Least distance of two names at the ends of lines, as a share of the axis."""
BY_NAME = "games, by their secrets"
"""Label of an axis with the games' names, where they differ in more than one number."""
ROOM_OF_NAMES = 48
"""Characters that stand beside each other below the axis."""
FEW_GAMES = 4
"""Up to this many games are in a title; beyond, the first and the last."""
SPREAD = 4
"""Lengths are drawn logarithmically if the longest is more than this many times the shortest."""


def plot_samples(samples: Sequence[Sample]) -> Figure:
    """Draw the histograms of several strategies for one game.

    DependencyError without matplotlib; UsageError for no samples, or more than can be
    distinguished.
    """
    if not 1 <= len(samples) <= len(COLORS):
        raise UsageError(f"a picture compares 1 to {len(COLORS)} strategies, not {len(samples)}")
    rows = (len(samples) + 1) // 2
    height = 4.6 + 0.3 * rows
    kinds = {True: "every secret", False: "seeded sample"}
    scope = " / ".join(kinds[exact] for exact in sorted({s.is_exact for s in samples})[::-1])
    figure = start_figure((12.0, height), samples[0].game, [f"length of games: {scope}"])
    bottom = (0.75 + 0.3 * rows) / height
    bars = draw_histograms(figure.add_axes((0.07, bottom, 0.9, 0.82 - bottom)), samples)
    _draw_legend(figure, bars, [_label(s) for s in samples])
    return keep_text(figure)


def draw_histograms(axes: Axes, samples: Sequence[Sample]) -> list[Any]:
    """Draw the percentage of games of each length; return the bars of each strategy."""
    least = min(int(sample.lengths.min()) for sample in samples)
    most = max(sample.worst for sample in samples)
    if most - least < FEW_LENGTHS:
        edges = np.arange(least, most + 2) - 0.5  # each length in the middle of its bin
        axes.set_xticks(range(least, most + 1))
    else:
        edges = np.linspace(least, most + 1, 31)
    if most >= FEW_LENGTHS and most > SPREAD * least:
        edges = np.geomspace(least, most + 1, 41)
        _use_log_scale(axes, least, most)
    bars = []
    for number, sample in enumerate(samples):
        counts, _ = np.histogram(sample.lengths, edges, weights=sample.counts)
        share = counts * 100.0 / sample.counts.sum()
        bars.append(_draw_bars(axes, edges, share, number, len(samples)))
    axes.set(xlabel="guesses", ylabel="games (%)")
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    return bars


def plot_sizes(games: Sequence[Game], samples: Sequence[Sequence[Sample]]) -> Figure:
    """Draw the average length of each strategy's games against the size of several games.

    `samples` are those of each game; a strategy need not have played all. DependencyError without
    matplotlib; UsageError for fewer than two sizes, or more strategies than can be distinguished.
    """
    label, sizes = _measure_games(games)
    played = [(size, s) for size, of_game in zip(sizes, samples, strict=True) for s in of_game]
    names = list(dict.fromkeys(sample.label for _, sample in played))
    if len(set(sizes)) < 2 or not 1 <= len(names) <= len(COLORS):
        raise UsageError(
            f"a picture of sizes needs two or more sizes and 1 to {len(COLORS)} strategies, not"
            f" {len(set(sizes))} and {len(names)}"
        )
    rows = (len(names) + 1) // 2
    height = 5.0 + 0.3 * rows
    lines = ["average number of guesses"]
    if not all(sample.is_exact for _, sample in played):
        lines[0] += "; bars: 95 % interval, where games were sampled"
    figure = start_figure((8.4, height), _name_games(games, sizes), lines)
    is_short = max(map(len, names)) <= SHORT_NAME
    bottom = (0.65 + 0.3 * rows) / height if not is_short else 0.95 / height
    # Room for the longest name at the end of its line, in shares of the figure.
    right = 0.96 if not is_short else 0.93 - 0.0115 * max(map(len, names))
    axes = figure.add_axes((0.12, bottom, right - 0.12, 0.84 - bottom))
    for number, name in enumerate(names):
        points = sorted((size, s.average, s.ci95) for size, s in played if s.label == name)
        places, averages, widths = zip(*points, strict=True)
        axes.errorbar(
            places,
            averages,
            yerr=[width if isfinite(width) else 0.0 for width in widths],  # of one game: unknown
            capsize=3,
            color=COLORS[number],
            linestyle=DASHES[number],
            marker=MARKERS[number],
            label=name,
        )
    _scale_sizes(axes, sorted(set(sizes)), [sample.average for _, sample in played])
    axes.set(xlabel=label, ylabel="guesses")
    if label == BY_NAME:
        _write_games(axes, games, sizes)
    if is_short:
        _write_at_ends(axes, names)
    else:
        _draw_legend(figure, axes.containers, names, handlelength=5)
    return keep_text(figure)


def _write_games(axes: Axes, games: Sequence[Game], sizes: Sequence[float]) -> None:
    """Write the games' names at the axis, slanted where they would crowd."""
    names: dict[float, str] = {}
    for game, size in zip(games, sizes, strict=True):
        names[size] = f"{names[size]}, {game.name}" if size in names else game.name
    ticks = axes.set_xticks(list(names), list(names.values()))
    if max(map(len, names.values())) * len(names) > ROOM_OF_NAMES:
        for tick in ticks:
            tick.label1.set(rotation=30, ha="right")


def _write_at_ends(axes: Axes, names: Sequence[str]) -> None:
    """Write each strategy's name at the end of its line, names apart from each other."""
    ends: list[tuple[float, int]] = []
    for number in range(len(names)):
        points: Floats = np.asarray(axes.containers[number][0].get_xydata())
        _, height = axes.transAxes.inverted().transform(axes.transData.transform(points[-1]))
        ends.append((float(height), number))
    least = -1.0
    for height, number in sorted(ends):  # upwards, so that each only has to keep off the one below
        least = max(height, least + LABEL_STEP)
        axes.text(
            1.02,
            least,
            names[number],
            color=COLORS[number],
            size=9,
            va="center",
            transform=axes.transAxes,
        )


def _measure_games(games: Sequence[Game]) -> tuple[str, list[float]]:
    """Return the size in which the games differ, and its value for each."""
    pegs = [float(game.n_pegs) for game in games]
    colors = [float(game.n_colors) for game in games]
    if all(game.rules.symmetry.colors for game in games):
        if pegs == colors:
            return "pegs = colors", pegs
        if len(set(colors)) == 1:
            return f"pegs, of {games[0].n_colors} colors", pegs
        if len(set(pegs)) == 1:
            return f"colors, on {games[0].n_pegs} pegs", colors
    numbers = [game.n_secrets for game in games]
    # By rank, at equal distances: the numbers may lie far apart.
    ranks = {number: float(rank) for rank, number in enumerate(sorted(set(numbers)), start=1)}
    return BY_NAME, [ranks[number] for number in numbers]


def _name_games(games: Sequence[Game], sizes: Sequence[float]) -> str:
    """Return the games' names for a title, the smallest first."""
    places = sorted(range(len(games)), key=sizes.__getitem__)
    names = [games[place].name for place in places]
    return ", ".join(names) if len(names) <= FEW_GAMES else f"{names[0]} … {names[-1]}"


def _scale_sizes(axes: Axes, sizes: list[float], averages: list[float]) -> None:
    """Make an axis logarithmic if its numbers spread; label sizes where they do not crowd."""
    if sizes[-1] > SPREAD * sizes[0] > 0:
        axes.set_xscale("log")
    if max(averages) > SPREAD * min(averages):
        axes.set_yscale("log")
        least, most = axes.get_ylim()
        ticks = [m * 10**e for e in range(7) for m in (1, 2, 5) if least <= m * 10**e <= most]
        axes.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.minorticks_off()
    axes.grid(color="#dddddd")
    axes.set_axisbelow(True)


def _draw_bars(axes: Axes, edges: Floats, share: Floats, number: int, n: int) -> Any:
    """Draw one strategy's bars: beside those of the others, or over them if there are many."""
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


def _draw_legend(
    figure: Figure, handles: Sequence[Any], labels: list[str], handlelength: int = 6
) -> None:
    legend = figure.legend(
        handles,
        [" "] * len(labels),
        loc="lower center",
        ncols=2,
        frameon=False,
        handlelength=handlelength,
    )
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_text(label)  # a legend leaves out what is labeled _so from the beginning


def _label(sample: Sample) -> str:
    return f"{sample.label}: average {format_average(sample)}, worst {sample.worst}"
