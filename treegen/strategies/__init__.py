"""How a guess is chosen: criteria, tie-breaks, the named strategies."""

from __future__ import annotations

from .criteria import Criterion, list_criteria, parse_criterion
from .named import NAMED, NamedStrategy, list_names, list_strategies, parse_strategy
from .strategy import ELIGIBLE, ORDERS, TIE_BREAKS, Strategy, parse_chain

__all__ = [
    "ELIGIBLE",
    "NAMED",
    "ORDERS",
    "TIE_BREAKS",
    "Criterion",
    "NamedStrategy",
    "Strategy",
    "list_criteria",
    "list_names",
    "list_strategies",
    "parse_chain",
    "parse_criterion",
    "parse_strategy",
]
