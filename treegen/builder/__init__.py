"""The builder: from game and strategy to the complete tree.

Builds in tasks are loaded when they are first used: a tree built here needs none of their modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late
from .choose import (
    BuildState,
    Halt,
    check_size,
    estimate_codebook_build,
    list_useful_openings,
    make_first_level,
    make_rule,
    refuse_breach,
)
from .functions import evaluate
from .grow import build_tree, make_weighing

if TYPE_CHECKING:
    from .distribute import build_sharded

__all__ = [
    "BuildState",
    "Halt",
    "build_sharded",
    "build_tree",
    "check_size",
    "estimate_codebook_build",
    "evaluate",
    "list_useful_openings",
    "make_first_level",
    "make_rule",
    "make_weighing",
    "refuse_breach",
]

__getattr__ = load_late(
    __name__,
    {".distribute": ["build_sharded"]},
)
