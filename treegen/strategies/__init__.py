"""How a guess is chosen: criteria, tie-breaks, the named strategies."""

from __future__ import annotations

from .criteria import ENTROPY_BITS, Criterion, list_criteria, parse_criterion
from .named import (
    NAMED,
    NamedStrategy,
    list_names,
    list_strategies,
    parse_strategy,
    plays_online,
    refuse_name,
    resolve_alias,
)
from .rule_text import parse_rule
from .searches import OBJECTIVES, Search, is_search, list_searches
from .strategy import ELIGIBLE, ORDERS, TIE_BREAKS, Strategy, parse_chain

__all__ = [
    "ELIGIBLE",
    "ENTROPY_BITS",
    "NAMED",
    "OBJECTIVES",
    "ORDERS",
    "TIE_BREAKS",
    "Criterion",
    "NamedStrategy",
    "Search",
    "Strategy",
    "is_search",
    "list_criteria",
    "list_names",
    "list_searches",
    "list_strategies",
    "parse_chain",
    "parse_criterion",
    "parse_rule",
    "parse_strategy",
    "plays_online",
    "refuse_name",
    "resolve_alias",
]
