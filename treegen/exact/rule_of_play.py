"""Searches by a rule of play: what they are asked for, and which solver does it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..builder import refuse_breach
from ..errors import UsageError
from ..games import Game, describe_breach, is_rule_of_play, resolve_eligible
from .legal import LegalSolver
from .request import SearchSpec
from .solver import Solver

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
