"""Complete decision trees for code-breaking games: built, proved, compiled.

The names below are loaded when they are first used, so that ``import treegen`` and
``import treegen.player`` stay light.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing typing would take half of the player's import time
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Player": ".player",
    "Questions": ".games",
    "Tree": ".tree",
    "build": ".api",
    "make_graph": ".export",
    "read": ".api",
    "read_questions": ".games",
    "read_text_tree": ".importers",
    "verify": ".api",
    "write_dot": ".export",
    "write_picture": ".export",
    "write_plot": ".export",
    "write_text": ".export",
}

__all__ = [
    "Player",
    "Questions",
    "Tree",
    "__version__",
    "build",
    "make_graph",
    "read",
    "read_questions",
    "read_text_tree",
    "verify",
    "write_dot",
    "write_picture",
    "write_plot",
    "write_text",
]

if TYPE_CHECKING:
    from .api import build, read, verify
    from .export import make_graph, write_dot, write_picture, write_plot, write_text
    from .games import Questions, read_questions
    from .importers import read_text_tree
    from .player import Player
    from .tree import Tree


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
