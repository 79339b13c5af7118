"""Proof that a tree keeps its promises: every secret is played by the plain rules."""

from __future__ import annotations

from .report import Findings as Findings
from .report import compare_published as compare_published
from .rule import find_illegal_guess as find_illegal_guess
from .verify import verify_tree as verify_tree
