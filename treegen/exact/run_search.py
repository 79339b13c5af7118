"""The one place where a search is chosen by its name."""

from __future__ import annotations

from ..errors import StrategyError
from ..games import Game
from ..strategies import list_searches
from ..tree import Tree
from .build_optimal import search_optimal
from .near_optimal_search import search_near_optimal
from .request import SearchControl, SearchSpec


def run_search(
    game: Game, name: str, spec: SearchSpec | None = None, control: SearchControl | None = None
) -> Tree:
    """Return the tree of a search.

    Parameters
    ----------
    game
        The game.
    name
        ``optimal`` or ``best``.
    spec, control
        What to search and how to carry it out; None: the defaults of `SearchSpec`, `SearchControl`.

    Raises
    ------
    StrategyError
        There is no such search, or the game is too large for it.
    UsageError
        ``best`` cannot do what only ``optimal`` can; see `build_optimal` for others.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> run_search(parse_game("p3c4r"), "optimal", SearchSpec(max_length=4)).total
    206
    """
    spec, control = spec or SearchSpec(), control or SearchControl()
    if name == "optimal":
        return search_optimal(game, spec, control)
    if name != "best":
        known = " and ".join(search.name for search in list_searches())
        raise StrategyError(f"unknown search {name!r}: there are {known}")
    return search_near_optimal(game, spec, control)
