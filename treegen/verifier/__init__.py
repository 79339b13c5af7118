"""Proof that a tree keeps its promises: every secret is played by the plain rules."""

from __future__ import annotations

from .eligible import find_illegal_guess
from .published import Published, compare_published
from .report import Claim, Report
from .verify import VerifyInterrupt, verify_tree

__all__ = [
    "Claim",
    "Published",
    "Report",
    "VerifyInterrupt",
    "compare_published",
    "find_illegal_guess",
    "verify_tree",
]
