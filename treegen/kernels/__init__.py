"""Compiled loops: arrays in, arrays out.

This folder has what all searches share: responses, levels of states, random keys, renamings of
colors. Its folder `onestep` has the engine that chooses a guess by looking one step ahead.
"""

from __future__ import annotations

from .levels import Level, split_level, split_widely
from .responses import FeedbackKind, Scoring, extend_renaming, make_scoring, mix, respond

__all__ = [
    "FeedbackKind",
    "Level",
    "Scoring",
    "extend_renaming",
    "make_scoring",
    "mix",
    "respond",
    "split_level",
    "split_widely",
]
