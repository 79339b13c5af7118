"""The one place where a search is chosen by its name."""

from __future__ import annotations

from ..builder import check_size
from ..errors import StrategyError
from ..games import Game
from ..strategies import list_searches
from ..tree import Tree
from .build_optimal import search_optimal
from .first_guesses import write_first
from .near_optimal_search import search_near_optimal
from .request import SearchControl, SearchSpec
from .rule_of_play import check_near_optimal, check_rule_of_play, refuse_idle
from .weighted import is_weighted, refuse_eligible


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


def check_search(game: Game, name: str, spec: SearchSpec, table_size: int | None = None) -> None:
    """Raise what `run_search` would raise for a spec that does not fit the game, before the work.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> check_search(parse_game("p3c4r"), "best", SearchSpec(max_length=4))
    Traceback (most recent call last):
        ...
    treegen.errors.UsageError: best minimises the total, with all guesses eligible or by a rule of \
play; eligible=all; objective=total; max-length=4 is for optimal
    """
    check_size(game)
    spec = write_first(game, spec)
    if name == "best":
        check_near_optimal(game, spec)
    else:
        check_rule_of_play(game, spec)
    refuse_idle(game, spec, table_size)
    if is_weighted(game):
        refuse_eligible(game, spec)
