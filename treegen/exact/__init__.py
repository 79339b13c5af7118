"""Exact search: the least total, or another objective, over all trees, with the proof.

This is the only door: other folders import from here, never from the modules.
"""

from __future__ import annotations

from ..errors import SearchStoppedError
from .build_optimal import build_optimal
from .engine.pace import TimeBudget
from .estimates import Estimate, estimate_proof, estimate_rest, estimate_seconds
from .monitor import Monitor
from .objectives import Solution, solve
from .opening_board import Board, OpeningRanking, OpeningTotal
from .opening_run import run_ranking
from .opening_totals import rank_openings
from .request import SearchControl, SearchSpec
from .run_search import check_search, run_search
from .search_log import LEADING_GUESS, Progress, SearchLog, Watch
from .weighted import GuessTotals, cost_guesses, is_weighted

__all__ = [
    "LEADING_GUESS",
    "Board",
    "Estimate",
    "GuessTotals",
    "Monitor",
    "OpeningRanking",
    "OpeningTotal",
    "Progress",
    "SearchControl",
    "SearchLog",
    "SearchSpec",
    "SearchStoppedError",
    "Solution",
    "TimeBudget",
    "Watch",
    "build_optimal",
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
