"""Proof that a tree keeps its promises: every secret is played by the plain rules."""

from __future__ import annotations

from .verify import Report, verify_tree

__all__ = ["Report", "verify_tree"]
