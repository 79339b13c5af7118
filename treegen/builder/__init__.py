"""From game and strategy to the complete tree.

The searches, and builds in tasks, are loaded when they are first used: a strategy's tree needs
none of their modules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .expand import build_tree

if TYPE_CHECKING:
    from .best import build_best
    from .distribute import build_sharded
    from .optimal import build_optimal

__all__ = ["build_best", "build_optimal", "build_sharded", "build_tree"]

_HOMES = {
    "build_best": ".best",
    "build_optimal": ".optimal",
    "build_sharded": ".distribute",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
