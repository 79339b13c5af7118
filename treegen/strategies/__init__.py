"""How a guess is chosen: criteria, tie-breaks, the named strategies."""

from __future__ import annotations

from .criteria import (
    ENTROPY_BITS,
    OWN,
    CellFunction,
    Criterion,
    apply_function,
    count_bits,
    list_criteria,
    make_logs,
    parse_criterion,
)
from .named import (
    NAMED,
    find_named,
    list_names,
    list_strategies,
    parse_strategy,
    plays_online,
    refuse_name,
    resolve_alias,
)
from .named_strategy import NamedStrategy
from .plugins import list_plugin_strategies
from .rule_text import parse_rule
from .searches import (
    Search,
    is_search,
    list_objectives,
    list_searches,
    name_search,
    split_search,
)
from .strategy import (
    Strategy,
    change_strategy,
    describe_tie_break,
    join_names,
    list_tie_breaks,
    make_chain,
    parse_chain,
    take_strategy,
)

__all__ = [
    "ENTROPY_BITS",
    "NAMED",
    "OWN",
    "CellFunction",
    "Criterion",
    "NamedStrategy",
    "Search",
    "Strategy",
    "apply_function",
    "change_strategy",
    "count_bits",
    "describe_tie_break",
    "find_named",
    "is_search",
    "join_names",
    "list_criteria",
    "list_names",
    "list_objectives",
    "list_plugin_strategies",
    "list_searches",
    "list_strategies",
    "list_tie_breaks",
    "make_chain",
    "make_logs",
    "name_search",
    "parse_chain",
    "parse_criterion",
    "parse_rule",
    "parse_strategy",
    "plays_online",
    "refuse_name",
    "resolve_alias",
    "split_search",
    "take_strategy",
]
