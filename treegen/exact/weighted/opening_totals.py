"""The best tree below one first guess after the other, with one table for all of them."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import NDArray

from ...builder import Halt
from ...games import Game, Goal
from ...tree import Provenance, tally
from ..opening_board import OpeningTotal
from ..request import SearchSpec
from .bounds import IMPOSSIBLE
from .problem import UNLIMITED, Items, expand_choices, make_problem, refuse_eligible
from .solver import Scope, WeightedSolver

MOST_TOTAL = 1 << 62
"""No total is so large."""


class WeightedOpenings:
    """Openings of a game with weights, costs or the goal to identify; see `OpeningSearch`.

    Parameters
    ----------
    game, candidates
        The game; codes that are possible at the root, at least two.
    spec
        What to search: eligible guesses, the highest cost allowed.
    halt
        Ends it when it is called.

    Raises
    ------
    StrategyError
        There are too many guesses and candidates.
    UsageError
        The guesses are to be eligible by a rule of play.
    """

    def __init__(
        self, game: Game, candidates: NDArray[np.int32], spec: SearchSpec, halt: Halt
    ) -> None:
        refuse_eligible(game, spec)
        self.game, self.problem = game, make_problem(game, candidates)
        scope = Scope(candidates_only=spec.is_for_candidates(game))
        self.solver = WeightedSolver(self.problem, check=halt.check, scope=scope)
        left = UNLIMITED if spec.max_length is None else spec.max_length
        self.left = self.solver.simplify(self.solver.root, left)
        self.state = self.solver.analyze(self.solver.root, self.left)

    def sort(self, openings: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the openings that gain information, those of the least bound first."""
        ranked = self.solver.rank(self.solver.analyze(self.solver.root))
        codes = self.problem.codes[[guess for _, guess in ranked]]
        return codes[np.isin(codes, openings)]

    def share(self) -> WeightedOpenings:
        """Return the search of one more thread; the table is the same."""
        other = copy(self)
        other.solver = copy(self.solver)
        return other

    def find(self, code: int, below: int) -> OpeningTotal | None:
        """Return the best tree after an opening; None if none has a total below `below`."""
        solver, opening = self.solver, int(np.searchsorted(self.problem.codes, code))
        if self.state.bounds.totals[opening] == IMPOSSIBLE:  # it leads to too long games
            return None
        total = solver.try_guess(self.state, opening, below)
        if total is None:
            return None

        def choose(items: Items, left: int) -> int:
            return opening if len(items) == self.problem.n else solver.choose(items, left)

        tree = expand_choices(self.game, self.problem, choose, Provenance(""), self.left)
        return OpeningTotal(code, total, tuple(tree.histogram))


def count_single(game: Game, candidate: int) -> OpeningTotal:
    """Return what the only candidate costs: nothing where it is announced."""
    weight = 1 if game.weights is None else int(game.weights[candidate])
    cost = 0 if game.goal == Goal.IDENTIFY else int(game.costs[candidate])
    histogram = tally(np.array([cost]), np.array([weight]))
    return OpeningTotal(candidate, cost * weight, tuple(histogram))
