"""Exact search: the least total, or another objective, over all trees, with the proof.

This is the only door: other folders import from here, never from the modules.
"""

from __future__ import annotations

from ..errors import SearchStoppedError
from .engine.pace import TimeBudget
from .estimates import Estimate, estimate_proof, estimate_rest, estimate_seconds
from .opening_totals import (
    Board,
    GuessTotals,
    OpeningRanking,
    OpeningTotal,
    cost_guesses,
    rank_openings,
    run_ranking,
)
from .request import (
    LEADING_GUESS,
    Monitor,
    SearchControl,
    SearchLog,
    SearchProgress,
    SearchSpec,
    Watch,
    check_search,
    is_weighted,
)
from .run import run_search, solve

__all__ = [
    "LEADING_GUESS",
    "Board",
    "Estimate",
    "GuessTotals",
    "Monitor",
    "OpeningRanking",
    "OpeningTotal",
    "SearchControl",
    "SearchLog",
    "SearchProgress",
    "SearchSpec",
    "SearchStoppedError",
    "TimeBudget",
    "Watch",
    "check_search",
    "cost_guesses",
    "estimate_proof",
    "estimate_rest",
    "estimate_seconds",
    "is_weighted",
    "rank_openings",
    "run_ranking",
    "run_search",
    "solve",
]
