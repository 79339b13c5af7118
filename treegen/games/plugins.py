"""Games of other packages: families that a name or a description finds."""

from __future__ import annotations

from collections.abc import Sequence

from .._plugins import call_plugin, describe_plugin, list_plugins, load_plugin, warn
from .base import Game


def find_game(name: str) -> Game | None:
    """Return the game that a plug-in has for a name; None if there is none."""
    for plugin in list_plugins("games"):
        family = load_plugin("games", plugin)
        if family is None:
            continue
        game = call_plugin("games", plugin, getattr(family, "from_name", family), name)
        if isinstance(game, Game):
            return game
        if game is not None:
            warn(f"the plug-in {plugin!r} gave {game!r:.80} for {name!r}, which is no game")
    return None


def find_family(kind: str, parameters: Sequence[int | str]) -> Game | None:
    """Return the game of a description whose kind is a plug-in's; None if there is none."""
    for plugin in list_plugins("games"):
        family = load_plugin("games", plugin)
        make = getattr(family, "from_description", None)
        if make is not None and getattr(family, "kind", None) == kind:
            game: Game = make(parameters)
            return game
    return None


def list_families() -> dict[str, str]:
    """Return the plug-ins that load, with their descriptions."""
    found = {plugin: describe_plugin("games", plugin) for plugin in list_plugins("games")}
    return {plugin: text for plugin, text in found.items() if text}
