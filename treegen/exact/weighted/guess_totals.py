"""What a guess of a state costs compared with the best one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games import Game
from .opening_totals import count_single
from .problem import UNLIMITED, make_problem
from .solver import INFINITE, Scope, WeightedSolver


class GuessTotals(NamedTuple):
    """Least totals of a state, proved.

    Attributes
    ----------
    best
        A best guess, by its code.
    total_best
        The least total of all.
    total_guess
        The least total that begins with the guess that was asked for.
    """

    best: int
    total_best: int
    total_guess: int


def cost_guesses(
    game: Game, candidates: NDArray[np.int32], guess: int, *, candidates_only: bool = False
) -> GuessTotals:
    """Return the least total of a state, and the least that begins with a guess.

    Parameters
    ----------
    game
        A game with weights, costs, questions or the goal to identify.
    candidates
        Codes that are possible in the state.
    guess
        A code that tells something about them; of a single candidate, that one.
    candidates_only
        Whether all other guesses are of candidates that are still possible.

    Raises
    ------
    StrategyError
        There are too many guesses and candidates.
    """
    if len(candidates) == 1:
        only = count_single(game, guess).total
        return GuessTotals(guess, only, only)
    problem = make_problem(game, candidates)
    solver = WeightedSolver(problem, scope=Scope(candidates_only=candidates_only))
    least = solver.solve(solver.root)
    chosen = solver.choose(solver.root, UNLIMITED)
    opening = int(np.searchsorted(problem.codes, guess))
    total = solver.try_guess(solver.analyze(solver.root), opening, INFINITE)
    assert least is not None
    assert total is not None
    return GuessTotals(int(problem.codes[chosen]), least, total)
