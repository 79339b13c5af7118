"""Exact search where the answers so far say what may be guessed: hard mode, consistent guesses.

A state is its candidates *and* its legal guesses, which shrink from guess to guess.
"""

from __future__ import annotations

from .solver import LegalSolver

__all__ = ["LegalSolver"]
