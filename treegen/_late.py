"""Methods of a low layer that other modules implement, looked up when called.

`Tree` knows nothing of what is done with trees: not how they are drawn, which a higher layer
does, nor how they are checked, hashed or shown, which modules beside it do and import it for. Its
methods for these call them by name, and this is the only place where that is done.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

PLACES = {
    "check_columns": ".tree.check",
    "compute_digest": ".tree.digest",
    "format_html": ".tree.html",
    "plot_tree": ".export.plot",
}
"""Module of each function."""


def call_late(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `PLACES` with the given arguments."""
    function: Callable[..., Any] = getattr(import_module(PLACES[name], __package__), name)
    return function(*args, **options)
