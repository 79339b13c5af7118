"""How a guess is chosen: criteria, tie-breaks, the named strategies."""

from __future__ import annotations

from .named import BEST as BEST
from .named import NAMED as NAMED
from .named import OPTIMAL as OPTIMAL
from .named import SEARCHES as SEARCHES
from .named import Search as Search
from .named import find_named as find_named
from .named import is_search as is_search
from .named import list_names as list_names
from .named import list_objectives as list_objectives
from .named import list_strategies as list_strategies
from .named import name_search as name_search
from .named import parse_strategy as parse_strategy
from .named import plays_online as plays_online
from .named import resolve_strategy as resolve_strategy
from .named import split_search as split_search
from .named import write_search_rule as write_search_rule
from .stated import ENDED as ENDED
from .stated import UNPROVED as UNPROVED
from .stated import Stated as Stated
from .stated import check_limits as check_limits
from .stated import find_bound_fault as find_bound_fault
from .stated import read_provenance as read_provenance
from .strategy import ENTROPY_BITS as ENTROPY_BITS
from .strategy import OWN as OWN
from .strategy import CellFunction as CellFunction
from .strategy import Criterion as Criterion
from .strategy import Strategy as Strategy
from .strategy import apply_function as apply_function
from .strategy import change_strategy as change_strategy
from .strategy import join_names as join_names
from .strategy import list_criteria as list_criteria
from .strategy import list_tie_breaks as list_tie_breaks
from .strategy import make_logs as make_logs
from .strategy import parse_chain as parse_chain
from .strategy import parse_criterion as parse_criterion
from .strategy import parse_rule as parse_rule
