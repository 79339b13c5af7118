"""The first guess that likely begins the best tree: searched first, it gives the others a bound.

To refute a first guess takes less than to find out what it costs. So a search should begin with the
guess that turns out to be the best one; the order of the lookahead's bounds, by which of equally
good guesses the first is kept, says little about that. A narrow beam below each first guess takes a
moment and says more.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from ..tasks import run_together
from .engine.canonical_state import make_canonizer, make_group
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model, make_estimates
from .engine.pace import Pace
from .engine.problem import Search
from .engine.responses import FEW_RESPONSES
from .engine.search import give_guesses, make_search, measure_guesses, run_slice
from .engine.table import make_table
from .opening_sweep import Best
from .openings import list_openings
from .solver import Solver

MIN_PAIRS = 30_000_000
"""Games of fewer pairs of guess and candidate are proved in a few seconds, whatever comes first."""

N_COMPARED = 8
"""So many guesses, those with the least estimates, are compared by what a beam finds."""

BEAM, N_FULL = 2, 30
"""States of more than `N_FULL` candidates try so many guesses in that beam."""


def find_lead(solver: Solver, left: int = UNLIMITED) -> int | None:
    """Return the first guess to be searched ahead of all others; None: it would not pay.

    Parameters
    ----------
    solver
        Of the search.
    left
        Guesses allowed.

    Raises
    ------
    SearchStoppedError
        The solver's watch ended it.
    """
    # With many responses the guesses are listed by their estimates anyway.
    if solver.matrix.by_guess.size < MIN_PAIRS or solver.matrix.n_responses > FEW_RESPONSES:
        return None
    if solver.first or solver.candidates_only:
        return None
    codes = _list_promising(solver)
    if len(codes) < 2:
        return None
    contest = _Contest(solver, left, codes.tolist())
    run_together([contest.take_part] * min(solver.jobs, len(codes)))
    return contest.lead


def _list_promising(solver: Solver) -> NDArray[np.int32]:
    """Return the first guesses, up to symmetry, with the least estimates, the least one first."""
    codes, matrix = list_openings(solver.game, solver.history), solver.matrix
    sums = np.empty(len(codes), dtype=np.int64)
    sizes = np.zeros(matrix.n_responses, dtype=np.int64)
    measure_guesses(matrix.by_guess, codes, make_estimates(solver.n), sizes, sums)
    order = np.argsort(sums, kind="stable")
    chosen: NDArray[np.int32] = codes[order[sums[order] >= 0]][:N_COMPARED]
    return chosen


class _Contest:
    """First guesses that threads compare: the least cost wins, of equal ones the first guess."""

    def __init__(self, solver: Solver, left: int, codes: list[int]) -> None:
        self.solver, self.left, self.codes = solver, left, codes
        self.untried = iter(enumerate(codes))
        self.best = Best(INFEASIBLE, -1)
        self.changed = threading.Lock()

    @property
    def lead(self) -> int | None:
        """The winner so far; None: no guess has a tree."""
        return self.codes[self.best.place] if self.best.total < INFEASIBLE else None

    def take_part(self) -> None:
        """Search below one guess after another, as long as there are untried ones."""
        while (chosen := self._take()) is not None:
            self.solver.look()
            at, code, upper_bound = chosen
            cost = _search_beam(self.solver, code, self.left, upper_bound)
            with self.changed:
                self.best = min(self.best, Best(cost, at)) if cost < upper_bound else self.best

    def _take(self) -> tuple[int, int, int] | None:
        """Return the place of the next guess, the guess, and the cost to get below."""
        with self.changed:
            at, code = next(self.untried, (-1, -1))
            # One that comes before the winner so far may cost as much.
            return None if at < 0 else (at, code, self.best.total + (at < self.best.place))


def _search_beam(solver: Solver, code: int, left: int, best: int) -> int:
    """Return the cost of the tree that a beam finds below a first guess, `best` if not below it."""
    search = _begin_beam(solver, code, left, best)
    pace = Pace()
    while not run_slice(search, pace):
        solver.look()
    frames = search.stack.frames
    return int(frames.upper_bound[1]) if frames.has_incumbent[1] else best


def _begin_beam(solver: Solver, code: int, left: int, best: int) -> Search:
    """Return the beginning of a beam below a first guess."""
    game, matrix = solver.game, solver.matrix
    model = make_cost_model(
        solver.n, matrix.n_responses, left=left, beam=BEAM, n_full=min(N_FULL, solver.n)
    )
    # What a beam finds holds for a set, not for its images.
    canonizer = make_canonizer(game, solver.candidates, is_symmetric=False)
    table = make_table(canonizer)
    search = make_search(matrix, make_group(game), model, table, solver.history, left, best)
    give_guesses(search, (code,))
    return search
