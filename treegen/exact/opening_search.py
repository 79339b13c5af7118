"""The best tree below one first guess after the other, in searches that share what they prove.

Three kinds do it behind one interface: the search of all codes, that by a rule of play, whose
legal guesses depend on the first one, and that with weights, costs or the goal to identify.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..builder import Halt
from ..games import Game, is_rule_of_play, resolve_eligible
from .engine.canonical_state import make_canonizer, make_group
from .engine.cost import UNLIMITED, make_cost_model
from .engine.deferred_plan import complete_plan
from .engine.problem import Search
from .engine.responses import make_response_matrix
from .engine.search import (
    find_most_cells,
    give_opening,
    make_search,
    measure_guesses,
    run_slice,
)
from .engine.table import make_table
from .legal import LegalSolver
from .opening_board import OpeningTotal
from .plan import Found, expand_plan
from .request import SearchControl, SearchSpec
from .rule_of_play import choose_solver
from .weighted import WeightedOpenings, is_weighted

SLICE = 500
"""First guesses that are measured between two looks whether the search must end."""


class OpeningSearch(Protocol):
    """The search of one thread."""

    def sort(self, openings: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the openings that gain information, the most promising first."""

    def share(self) -> OpeningSearch:
        """Return the search of one more thread."""

    def find(self, code: int, below: int) -> OpeningTotal | None:
        """Return the best tree after an opening; None if none has a total below `below`.

        Raises
        ------
        SearchStoppedError
            The halt was called.
        """


def make_opening_search(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    halt: Halt,
) -> OpeningSearch:
    """Return the search of the first thread.

    Parameters
    ----------
    game, candidates
        The game; codes that are possible at the root, at least three, ascending.
    spec
        What to search: eligible guesses, history, the longest game allowed.
    control
        How it is carried out: budget and table count.
    halt
        Ends it when it is called.
    """
    if is_weighted(game):
        return WeightedOpenings(game, candidates, spec, halt)
    if is_rule_of_play(resolve_eligible(game, spec.eligible)):
        return _LegalOpenings(game, candidates, spec, control, halt)
    return _FreeOpenings(game, candidates, spec, control, halt)


class _FreeOpenings:
    """Openings of a game whose states have the same guesses however they are reached."""

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        control: SearchControl,
        halt: Halt,
    ) -> None:
        self.game, self.candidates = game, candidates
        self.n, self.left = len(candidates), spec.max_length or UNLIMITED
        self.history, self.halt, self.pace = spec.guesses_made, halt, control.budget.make_pace()
        matrix = make_response_matrix(game, candidates, halt.check)
        only = spec.is_for_candidates(game)
        model = make_cost_model(self.n, matrix.n_responses, left=self.left, candidates_only=only)
        canonizer = make_canonizer(game, candidates, seed=control.table_seed)
        group, table = make_group(game), make_table(canonizer, control.table_size)
        self.search = make_search(matrix, group, model, table, self.history, self.left)
        self.control, self.most = control, 0

    def sort(self, openings: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return what `OpeningSearch.sort` does."""
        search = self.search
        self.most = find_most_cells(search, self.n, self.left)
        matrix, values = search.matrix, search.model.estimates
        return _sort(matrix.by_guess, values, matrix.n_responses, openings, self.halt.check)

    def share(self) -> _FreeOpenings:
        """Return what `OpeningSearch.share` does; matrix, model and table are the same."""
        other = copy(self)
        first = self.search
        other.pace = self.control.budget.make_pace()
        other.search = make_search(
            first.matrix, first.group, first.model, first.table, self.history, self.left
        )
        return other

    def find(self, code: int, below: int) -> OpeningTotal | None:
        """Return what `OpeningSearch.find` does."""
        search = self.search
        give_opening(search, code, self.n, self.left, below, self.most)
        while not run_slice(search, self.pace):
            self.halt.check()
        return _measure(self.game, self.candidates, code, self._take(search))

    def _take(self, search: Search) -> Found | None:
        """Return the tree of a search that is over, its plan complete."""
        frames = search.stack.frames
        if not frames.has_incumbent[1]:
            return None
        plan, cost = search.stack.plans[1, 0, : self.n - 1].copy(), int(frames.upper_bound[1])
        everything = np.arange(self.n, dtype=np.int32)
        complete_plan(search, everything, (), plan, self.pace, self.halt.check)
        return Found(cost, plan)


class _LegalOpenings:
    """Openings of a game by a rule of play."""

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        control: SearchControl,
        halt: Halt,
    ) -> None:
        self.game, self.candidates = game, candidates
        self.left, self.halt = spec.max_length or UNLIMITED, halt
        watched = SearchControl(watch=lambda _: halt.is_called, budget=control.budget)
        solver = choose_solver(game, candidates, spec, (), control=watched)
        assert isinstance(solver, LegalSolver)
        self.solver = solver

    def sort(self, openings: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return what `OpeningSearch.sort` does."""
        board = self.solver.board
        values, n_responses = board.estimates, board.n_responses
        return _sort(board.by_guess, values, n_responses, openings, self.halt.check)

    def share(self) -> _LegalOpenings:
        """Return what `OpeningSearch.share` does; what is proved is not shared."""
        other = copy(self)
        other.solver = self.solver.share()
        return other

    def find(self, code: int, below: int) -> OpeningTotal | None:
        """Return what `OpeningSearch.find` does."""
        self.solver.first = np.array([code], dtype=np.int32)
        found = self.solver.find_best(self.left, below)
        return _measure(self.game, self.candidates, code, found)


def _measure(
    game: Game, candidates: NDArray[np.int32], code: int, found: Found | None
) -> OpeningTotal | None:
    """Return the figures of a tree, if one was found."""
    if found is None:
        return None
    lengths = expand_plan(game, candidates, found.plan).count_lengths()
    return OpeningTotal(code, found.cost, tuple(lengths))


def _sort(
    by_guess: NDArray[np.unsignedinteger],
    estimates: NDArray[np.int64],
    n_responses: int,
    openings: NDArray[np.int32],
    look: Callable[[], None],
) -> NDArray[np.int32]:
    """Return the openings that gain information by the sum of their cells' estimates."""
    sums = np.empty(len(openings), dtype=np.int64)
    sizes = np.zeros(n_responses, dtype=np.int64)
    for first in range(0, len(openings), SLICE):
        look()
        part = slice(first, first + SLICE)
        measure_guesses(by_guess, openings[part], estimates, sizes, sums[part])
    order = np.lexsort((openings, sums))
    return openings[order[sums[order] >= 0]]
