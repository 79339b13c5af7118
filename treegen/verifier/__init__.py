"""Proof that a tree keeps its promises: every secret is played by the plain rules."""

from __future__ import annotations

from .published import Published, compare_published
from .report import Claim, Report
from .verify import VerifyInterrupt, verify_tree

__all__ = [
    "Claim",
    "Published",
    "Report",
    "VerifyInterrupt",
    "compare_published",
    "verify_tree",
]
