"""Compiled loops: responses, cell sizes, choices, splits. Arrays in, arrays out."""

from __future__ import annotations

from pathlib import Path


def is_compiled() -> bool:
    """Return whether an earlier run has left compiled kernels on this machine."""
    from .search import choose_states

    stats = getattr(choose_states, "stats", None)
    folder = Path(getattr(stats, "cache_path", None) or ".")
    return stats is None or any(folder.glob("search.choose_states*.nbi"))
