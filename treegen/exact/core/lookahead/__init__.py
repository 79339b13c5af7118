"""One step ahead: the responses of all guesses, and what their cells prove about a state.

This is the only door: the other modules of `exact.core` import from here.
"""

from __future__ import annotations

from .cell_counts import (
    MaxCells,
    bound_by_cells,
    bound_state,
    count_block,
    count_until_perfect,
    find_largest,
    look_ahead,
)
from .distinct import LANES
from .inseparable_sets import MAX_POOL, InseparableSets, learn_set, make_inseparable_sets
from .local_matrix import (
    count_local_doubles,
    forget_local_matrix,
    has_local_matrix,
    need_local_matrix,
)
from .response_matrix import (
    BLOCK,
    FEW_RESPONSES,
    TILE,
    ResponseMatrix,
    has_ranking,
    make_response_matrix,
)
from .scratch import Scratch, make_scratch
from .slots import N_SLOTS, Slots, make_slots
from .survey import (
    Surveyed,
    bound_by_score,
    find_threshold,
    is_separable,
    mark_members,
    survey_all,
    survey_best,
)

__all__ = [
    "BLOCK",
    "FEW_RESPONSES",
    "LANES",
    "MAX_POOL",
    "N_SLOTS",
    "TILE",
    "InseparableSets",
    "MaxCells",
    "ResponseMatrix",
    "Scratch",
    "Slots",
    "Surveyed",
    "bound_by_cells",
    "bound_by_score",
    "bound_state",
    "count_block",
    "count_local_doubles",
    "count_until_perfect",
    "find_largest",
    "find_threshold",
    "forget_local_matrix",
    "has_local_matrix",
    "has_ranking",
    "is_separable",
    "learn_set",
    "look_ahead",
    "make_inseparable_sets",
    "make_response_matrix",
    "make_scratch",
    "make_slots",
    "mark_members",
    "need_local_matrix",
    "survey_all",
    "survey_best",
]
