"""The kernels of the exact search: branch and bound over states, and what it knows about each.

This is the only door: the modules of `exact` and `exact.parallel` import from here.
"""

from __future__ import annotations

from .branch_and_bound import count_work, enter, tighten, try_guesses
from .canonical_state import Canonizer, make_canonizer
from .cost_model import INFEASIBLE, UNLIMITED, CostModel, make_cost_model, make_estimates
from .deferred_plan import complete_plan
from .engine import Pace, make_search, run_slice
from .given_guesses import give_guesses
from .kept_entries import list_largest, put_entries
from .lookahead import (
    FEW_RESPONSES,
    ResponseMatrix,
    look_ahead,
    make_response_matrix,
    make_scratch,
)
from .one_opening import find_most_cells, give_opening, measure_guesses
from .search import Search
from .shares import FIRST_A, FIRST_B, MAX_ROUNDS, MIN_FITTED, MIN_SHARED, carry_fit
from .stack import Stack, Stage, count_done, count_nothing, make_room, put_state
from .symmetry import make_group, mark_representatives
from .time_budget import ItemTime, TimeBudget
from .transposition_table import (
    Entries,
    TranspositionTable,
    describe_table,
    make_table,
    record_proof,
)

__all__ = [
    "FEW_RESPONSES",
    "FIRST_A",
    "FIRST_B",
    "INFEASIBLE",
    "MAX_ROUNDS",
    "MIN_FITTED",
    "MIN_SHARED",
    "UNLIMITED",
    "Canonizer",
    "CostModel",
    "Entries",
    "ItemTime",
    "Pace",
    "ResponseMatrix",
    "Search",
    "Stack",
    "Stage",
    "TimeBudget",
    "TranspositionTable",
    "carry_fit",
    "complete_plan",
    "count_done",
    "count_nothing",
    "count_work",
    "describe_table",
    "enter",
    "find_most_cells",
    "give_guesses",
    "give_opening",
    "list_largest",
    "look_ahead",
    "make_canonizer",
    "make_cost_model",
    "make_estimates",
    "make_group",
    "make_response_matrix",
    "make_room",
    "make_scratch",
    "make_search",
    "make_table",
    "mark_representatives",
    "measure_guesses",
    "put_entries",
    "put_state",
    "record_proof",
    "run_slice",
    "tighten",
    "try_guesses",
]
