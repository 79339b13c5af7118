"""From game and strategy to the complete tree."""

from __future__ import annotations

from .build_tree import build_tree

__all__ = ["build_tree"]
