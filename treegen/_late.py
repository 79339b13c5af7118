"""What a low layer offers as a method and a higher one carries out, looked up by name when called.

`Tree.plot` is such a method: the tree layer imports nothing of the layers above it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

PLACES = {"plot_tree": ".export.plot"}
"""Module of each function."""


def call_late(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `PLACES` with the given arguments."""
    function: Callable[..., Any] = getattr(import_module(PLACES[name], __package__), name)
    return function(*args, **options)
