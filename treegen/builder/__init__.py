"""From game and strategy to the complete tree."""

from __future__ import annotations

from .best import build_best
from .expand import build_tree
from .optimal import build_optimal

__all__ = ["build_best", "build_optimal", "build_tree"]
