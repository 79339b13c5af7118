"""The one place where a search is chosen by its name."""

from __future__ import annotations

from ..builder import check_size
from ..errors import StrategyError, UsageError
from ..games import Game, is_rule_of_play, resolve_eligible
from ..strategies import list_searches
from ..tree import Tree
from .best import search_near_optimal
from .engine.responses import FEW_RESPONSES
from .first_guesses import write_first
from .request import SearchControl, SearchSpec
from .run import search_optimal
from .solver import check_near_optimal, check_rule_of_play
from .weighted.problem import is_weighted, refuse_eligible


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
    GameError
        A tree of the game fits into no memory, `first` holds no code of it, or it cannot be played
        by the rule `eligible`.
    StrategyError
        There is no such search, or the game is too large for it.
    UsageError
        No secret agrees with the history; no tree is short enough: that is proved; no first guess
        gains information; the folder is that of another search; an option has no effect.
    SearchStoppedError
        The watch ended it, and no tree is kept.
    ClusterError
        The workers are lost.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> run_search(parse_game("p3c4r"), "optimal", SearchSpec(max_length=4)).total
    206
    """
    spec, control = spec or SearchSpec(), control or SearchControl()
    refuse_idle(game, spec, control.table_size)
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


def refuse_idle(game: Game, spec: SearchSpec, table_size: int | None) -> None:
    """Raise UsageError for an option that has no effect in a search of a game.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> refuse_idle(parse_game("p3c4r").with_goal("identify"), SearchSpec(), 256)
    Traceback (most recent call last):
        ...
    treegen.errors.UsageError: table_size= has no effect with weights, costs, questions or the \
goal to identify: its table has no size to choose
    """
    eligible = resolve_eligible(game, spec.eligible)
    is_other = is_weighted(game)
    where = "with weights, costs, questions or the goal to identify" if is_other else ""
    if is_rule_of_play(eligible):
        where = f"with eligible={eligible}"
    if is_other and table_size is not None:
        raise UsageError(f"`table_size` has no effect {where}: its table has no size to choose")
    if where and spec.gap is not None:
        raise UsageError(f"a gap cannot be proved {where}: `strategy=optimal` proves the best tree")
    if game.n_responses > FEW_RESPONSES and not where:
        where = f"where there are more than {FEW_RESPONSES} answers"
    if where and not is_other and spec.look_ahead is not None:
        raise UsageError(
            f"`look_ahead` has no effect {where}: the bound comes from whole first guesses there"
        )
