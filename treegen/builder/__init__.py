"""From game and strategy to the complete tree.

Builds in tasks are loaded when they are first used: a tree built here needs none of their modules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .expand import build_tree

if TYPE_CHECKING:
    from .distribute import build_sharded

__all__ = ["build_sharded", "build_tree"]

_HOMES = {"build_sharded": ".distribute"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
