"""How a guess is chosen: criteria, tie-breaks, the named strategies."""

from __future__ import annotations

from .criteria import ENTROPY_BITS, Criterion, list_criteria, parse_criterion
from .named import (
    ALIASES,
    NAMED,
    NamedStrategy,
    list_names,
    list_strategies,
    parse_strategy,
    refuse_name,
)
from .rule_text import parse_rule
from .searches import OBJECTIVES, SEARCHES
from .strategy import ELIGIBLE, ORDERS, TIE_BREAKS, Strategy, parse_chain

__all__ = [
    "ALIASES",
    "ELIGIBLE",
    "ENTROPY_BITS",
    "NAMED",
    "OBJECTIVES",
    "ORDERS",
    "SEARCHES",
    "TIE_BREAKS",
    "Criterion",
    "NamedStrategy",
    "Strategy",
    "list_criteria",
    "list_names",
    "list_strategies",
    "parse_chain",
    "parse_criterion",
    "parse_rule",
    "parse_strategy",
    "refuse_name",
]
