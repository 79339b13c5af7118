"""Proof that a tree keeps its promises: every secret is played by the plain rules."""

from __future__ import annotations

from .report import Claim, Findings, Published, Report, compare_published
from .rule import find_illegal_guess
from .verify import VerifyInterrupt, verify_tree

__all__ = [
    "Claim",
    "Findings",
    "Published",
    "Report",
    "VerifyInterrupt",
    "compare_published",
    "find_illegal_guess",
    "verify_tree",
]
