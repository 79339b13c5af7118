"""What is done with a guess under trial before its cells are searched, and what it proves.

This is the only door: the other modules of `exact.core` import from here.
"""

from __future__ import annotations

from .cells import look_ahead_in_cells, scatter, try_candidates, try_sizes
from .sieve import is_sieved, sieve_guesses
from .small_states import solve_by_candidates, solve_by_lookahead, solve_by_survey
from .three_guesses import has_lost_cell
from .tile_counts import forget_tiles

__all__ = [
    "forget_tiles",
    "has_lost_cell",
    "is_sieved",
    "look_ahead_in_cells",
    "scatter",
    "sieve_guesses",
    "solve_by_candidates",
    "solve_by_lookahead",
    "solve_by_survey",
    "try_candidates",
    "try_sizes",
]
