"""Search for games with weights, costs, questions or the goal to identify.

Its own search, from a matrix of answers: the tuned one of `exact.engine` counts guesses until the
win, and uses symmetries that weights and costs break. docs/optimal.md explains it.
"""

from __future__ import annotations

from .guess_totals import GuessTotals, cost_guesses
from .opening_totals import MOST_TOTAL, WeightedOpenings, count_single
from .problem import is_weighted, refuse_eligible
from .search import search_weighted

__all__ = [
    "MOST_TOTAL",
    "GuessTotals",
    "WeightedOpenings",
    "cost_guesses",
    "count_single",
    "is_weighted",
    "refuse_eligible",
    "search_weighted",
]
