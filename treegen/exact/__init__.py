"""Exact search: the least total, or another objective, over all trees, with the proof.

This is what other folders ask for by name; a few take a type or a check from its module, so that
they need not load the rest.
"""

from __future__ import annotations

from ..errors import SearchStoppedError
from .engine.pace import TimeBudget
from .estimates import Estimate, estimate_proof, estimate_rest
from .opening_totals import rank_openings
from .request import LEADING_GUESS, SearchControl, SearchLog, SearchProgress, SearchSpec
from .run import run_search
from .weighted.solver import cost_guesses

__all__ = [
    "LEADING_GUESS",
    "Estimate",
    "SearchControl",
    "SearchLog",
    "SearchProgress",
    "SearchSpec",
    "SearchStoppedError",
    "TimeBudget",
    "cost_guesses",
    "estimate_proof",
    "estimate_rest",
    "rank_openings",
    "run_search",
]
