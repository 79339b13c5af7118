"""From game and strategy to the complete tree."""

from __future__ import annotations

from .expand import build_tree

__all__ = ["build_tree"]
