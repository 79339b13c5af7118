"""Searches by a rule of play: what they are asked for, and which solver does it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..builder import refuse_breach
from ..errors import UsageError
from ..games import Game, describe_breach, is_rule_of_play, resolve_eligible
from .core import FEW_RESPONSES
from .legal import LegalSolver
from .request import SearchSpec
from .solver import Solver
from .weighted import is_weighted

AnySolver = Solver | LegalSolver


def check_rule_of_play(game: Game, spec: SearchSpec) -> None:
    """Raise if a search cannot keep to its rule of play.

    Raises
    ------
    GameError
        The game cannot be played by the rule.
    UsageError
        The history or a given first guess breaks the rule.
    """
    eligible = spec.eligible
    resolve_eligible(game, eligible)
    if not is_rule_of_play(eligible):
        return
    refuse_breach(game, eligible, spec.history)
    for text in spec.first:
        breach = describe_breach(game, eligible, spec.history, game.parse_code(text))
        if breach:
            raise UsageError(f"the first guess {breach}")


def check_near_optimal(game: Game, spec: SearchSpec) -> None:
    """Raise if a near-optimal search cannot keep to its rule of play, or is asked for another aim.

    Raises
    ------
    GameError, UsageError
        See `check_rule_of_play`.
    UsageError
        It is asked for more than the least total of guesses that are all eligible, or legal by a
        rule of play.
    """
    plain = replace(spec, first=())
    if spec.eligible == "consistent" and spec.is_for_candidates(game):
        raise UsageError(
            f"every code of {game.name} may be secret, so eligible=consistent is candidates there,"
            " which is for optimal; best takes hints, and consistent where some codes cannot be"
            " secret"
        )
    if is_rule_of_play(resolve_eligible(game, spec.eligible)):
        plain = replace(plain, eligible="all")
    if plain.rule != SearchSpec().rule:
        raise UsageError(
            "best minimises the total, with all guesses eligible or by a rule of play;"
            f" {spec.rule} is for optimal"
        )
    check_rule_of_play(game, spec)


def refuse_idle(game: Game, spec: SearchSpec, table_size: int | None) -> None:
    """Raise UsageError for an option that has no effect in a search of a game.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> refuse_idle(parse_game("p3c4r").with_goal("identify"), SearchSpec(), 256)
    Traceback (most recent call last):
        ...
    treegen.errors.UsageError: --table-size has no effect with weights, costs, questions or the \
goal to identify: its table has no size to choose
    """
    eligible = resolve_eligible(game, spec.eligible)
    is_other = is_weighted(game)
    where = "with weights, costs, questions or the goal to identify" if is_other else ""
    if is_rule_of_play(eligible):
        where = f"with eligible={eligible}"
    if where and table_size is not None:
        raise UsageError(f"--table-size has no effect {where}: its table has no size to choose")
    if where and spec.gap is not None:
        raise UsageError(f"a gap cannot be proved {where}: -s optimal proves the best tree")
    if game.n_responses > FEW_RESPONSES and not where:
        where = f"where there are more than {FEW_RESPONSES} answers"
    if where and not is_other and spec.look_ahead is not None:
        raise UsageError(
            f"--look-ahead has no effect {where}: the bound comes from whole first guesses there"
        )


def choose_solver(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    first: tuple[int, ...],
    **options: Any,
) -> AnySolver:
    """Return the solver of a spec; two candidates may be guessed by every rule.

    Parameters
    ----------
    first
        The codes of the given first guesses.
    **options
        `control`, `beam` and `n_full` of `Solver`.
    """
    eligible = resolve_eligible(game, spec.eligible)
    if is_rule_of_play(eligible) and len(candidates) > 2:
        return LegalSolver(
            game, candidates, eligible=eligible, history=spec.history, first=first, **options
        )
    return Solver(
        game,
        candidates,
        history=spec.guesses_made,
        first=first,
        candidates_only=spec.is_for_candidates(game),
        **options,
    )
