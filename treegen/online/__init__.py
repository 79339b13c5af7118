"""Strategies for codes too long for a tree: they choose each guess during play."""

from __future__ import annotations

from .adaptive import Adaptive
from .named import (
    draw_secret,
    list_online,
    play_online,
    replay,
    score_colors,
    start_online,
    warm_up,
)
from .one_by_one import OneByOne
from .player import ContradictionError, Facts, OnlineStrategy, derive_key

__all__ = [
    "Adaptive",
    "ContradictionError",
    "Facts",
    "OneByOne",
    "OnlineStrategy",
    "derive_key",
    "draw_secret",
    "list_online",
    "play_online",
    "replay",
    "score_colors",
    "start_online",
    "warm_up",
]
