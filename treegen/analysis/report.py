"""Samples as rows: for JSON, CSV and people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .figures import generate_rows
from .sample_value import Sample

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

SAMPLE_COLUMNS = (*FIGURES, "bound", "source")
"""Columns that searches and files add."""


def generate_csv(
    samples: Sequence[Sample], columns: Sequence[str] = SAMPLE_COLUMNS
) -> Iterator[str]:
    """Yield a CSV file's lines: a header, one row per sample, the histogram joined by ``+``."""
    yield from generate_rows((sample.to_dict() for sample in samples), columns)
