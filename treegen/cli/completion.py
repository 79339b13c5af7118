"""What the shell completes: file names, and the names of games and strategies.

Each is a parameter type: it accepts any text, as ``str`` does, and knows what to offer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from glob import escape, glob

import click
from click.shell_completion import CompletionItem

Names = Callable[[str], Iterable[str]]


class CompletedText(click.types.StringParamType):
    """Any text; the shell offers names, and also files or folders.

    Parameters
    ----------
    names
        Returns names, given what is typed so far; called only during completion, so it may import
        what it needs.
    place
        ``"file"`` or ``"dir"`` if a path is allowed too, otherwise ``""``.
    """

    def __init__(self, names: Names | None = None, place: str = "") -> None:
        self.names = names
        self.place = place

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the matching names and paths."""
        names = self.names(incomplete) if self.names else ()
        items = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        if not self.place:
            return items
        if not items:
            return [CompletionItem(incomplete, type=self.place)]
        # bash lists words or its own paths, never both: with words, list the paths as words.
        return [*items, *(CompletionItem(path) for path in list_paths(incomplete))]


def list_paths(incomplete: str) -> list[str]:
    """Return the matching paths, folders with a trailing slash."""
    paths = sorted(glob(f"{escape(incomplete)}*"))  # noqa: PTH207
    return [path + os.sep if os.path.isdir(path) else path for path in paths]  # noqa: PTH112


def _list_games(_: str) -> list[str]:
    from ..games import list_aliases

    return [*list_aliases(), *list_aliases().values(), "p4c6n", "p4c6rb", "range100", "coins12"]


def _list_strategies(incomplete: str) -> list[str]:
    """Return the names, or after a comma what may come next in a chain."""
    from ..strategies import list_criteria, list_names, list_tie_breaks

    chain, comma, _ = incomplete.rpartition(",")
    if not comma:
        return list_names()
    return [f"{chain},{word}" for word in (*list_criteria(), *list_tie_breaks())]


FILE = CompletedText(place="file")
FOLDER = CompletedText(place="dir")
GAME = CompletedText(_list_games, "file")
STRATEGY = CompletedText(_list_strategies)
STRATEGY_OR_FILE = CompletedText(_list_strategies, "file")
