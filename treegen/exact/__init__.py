"""Exact search: the least total, or another objective, over all trees, with the proof."""

from __future__ import annotations

from ..errors import SearchStoppedError
from .build_near_optimal import build_best
from .build_optimal import build_optimal
from .objectives import OBJECTIVES, Solution, solve
from .solver import Progress, Watch

__all__ = [
    "OBJECTIVES",
    "Progress",
    "SearchStoppedError",
    "Solution",
    "Watch",
    "build_best",
    "build_optimal",
    "solve",
]
