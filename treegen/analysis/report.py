"""Samples as rows: for JSON, CSV and people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from .figures import generate_rows
from .sample import Sample

FIGURES = (
    "game",
    "strategy",
    "exact",
    "n",
    "seed",
    "total",
    "average",
    "ci95",
    "worst",
    "n_worst",
    "histogram",
    "build_s",
    "time_per_game_s",
)
"""Columns of every sample."""

COLUMNS = (*FIGURES, "bound", "source")
"""Columns that searches and files add."""


def describe_sample(sample: Sample) -> dict[str, Any]:
    """Return the statistics of a sample, ready for JSON.

    `seed` is None if it is exact, `ci95` if a single game (or tree) says nothing about it, `bound`
    if nothing is proved about the total, `source` if no file was read.
    """
    return {
        "game": sample.game,
        "strategy": sample.strategy,
        "exact": sample.is_exact,
        "n": sample.n,
        "seed": sample.seed,
        "total": sample.total,
        "average": sample.average,
        "ci95": sample.ci95 if isfinite(sample.ci95) else None,
        "worst": sample.worst,
        "n_worst": sample.n_worst,
        "histogram": sample.histogram,
        "build_s": round(sample.build_s, 4),
        "time_per_game_s": sample.time_per_game_s,
        "bound": sample.bound,
        "source": sample.source,
    }


def generate_csv(samples: Sequence[Sample], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """Yield a CSV file's lines: a header, one row per sample, the histogram joined by ``/``."""
    yield from generate_rows(map(describe_sample, samples), columns)


def format_average(sample: Sample) -> str:
    """Format an average: with four digits if exact, otherwise with its confidence interval."""
    if sample.is_exact:
        return f"{sample.average:.4f}"
    half_width = f"{sample.ci95:.2f}" if isfinite(sample.ci95) else "?"
    return f"{sample.average:.2f} ± {half_width}"


def format_histogram(sample: Sample, width: int = 40) -> str:
    """Format the number of games of each length, or the range of their middle half."""
    text = "/".join(map(str, sample.histogram))
    if len(text) <= width:
        return text
    lengths = sorted(sample.lengths.tolist())
    low, high = lengths[sample.n // 4], lengths[(3 * sample.n) // 4]
    return f"{lengths[0]} … {low} … {high} … {lengths[-1]} (quartiles)"
