"""Exact search: the least total, or another objective, over all trees, with the proof."""

from __future__ import annotations

from .solver import OBJECTIVES, Progress, SearchStoppedError, Solution, Watch, solve

__all__ = ["OBJECTIVES", "Progress", "SearchStoppedError", "Solution", "Watch", "solve"]
