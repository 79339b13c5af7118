"""Names looked up when they are used: methods that others implement, names in doors.

`Tree` knows nothing of what is done with trees: not how they are drawn, played or written, which
higher layers do, nor how they are checked, hashed or shown, which modules beside it do and import
it for. Its methods for these call them by name, and `PLACES` is all that is called so.

A folder's ``__init__`` is the door through which others import. Where its modules are many or
heavy, a name loads its module when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

PLACES = {
    "check_columns": ".tree.check",
    "compute_digest": ".tree.digest",
    "count_weights": ".tree.weighted",
    "format_html": ".tree.walk",
    "sum_game_costs": ".tree.weighted",
    "load_bytes": ".formats.load",
    "make_bytes": ".formats.tree_file",
    "make_dataframe": ".export.frame",
    "make_graph": ".export.graph",
    "make_svg": ".export.svg",
    "cut_at": ".tree.walk",
    "find_after": ".tree.walk",
    "find_answers": ".tree.walk",
    "follow_history": ".tree.walk",
    "history_of": ".tree.walk",
    "list_nodes": ".tree.walk",
    "parent_of": ".tree.walk",
    "play_tree": ".analysis.session",
    "plot_tree": ".export.plot",
    "write": ".api.writing",
}
"""Module of each function."""


def call_late(name: str, *args: Any, **options: Any) -> Any:
    """Call a function of `PLACES` with the given arguments."""
    function: Callable[..., Any] = getattr(import_module(PLACES[name], __package__), name)
    return function(*args, **options)


def load_late(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that loads its modules on request.

    Parameters
    ----------
    package
        Its name.
    homes
        The names that each of its modules, written as ``.module``, gives.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home_of[name], package), name)

    return find
