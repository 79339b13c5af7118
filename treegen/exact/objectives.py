"""The objectives: searches in sequence, each bounded by what the last one proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .._cleanup import announce_saving
from ..builder import Halt
from ..errors import SearchStoppedError, UsageError
from ..games import Game
from ..strategies import name_search
from ..tasks import run_in_background
from ..tree import Provenance
from .engine.cost import INFEASIBLE, UNLIMITED
from .first_guesses import list_first, name_given
from .greedy import generate_greedy_trees, make_first_tree
from .leading_guess import find_lead
from .monitor import Monitor
from .openings import bound_by_size
from .plan import Found, TreeColumns, expand_plan
from .request import SearchControl, SearchSpec
from .rule_of_play import AnySolver, choose_solver
from .search_log import Progress, Watch
from .solver import Solver

N_GREEDY_FULL = 8
"""A greedy tree has its states of so many candidates searched in full."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The tree that a search found.

    Attributes
    ----------
    columns
        Its columns.
    total, bound
        Its total; what was proved about the total under the objective's constraints.
    proved
        Whether the search ran to its end: nothing is better by the objective.
    """

    columns: TreeColumns
    total: int
    bound: int
    proved: bool

    def describe(self, spec: SearchSpec) -> Provenance:
        """Return the provenance of the tree: strategy, rule, objective, bound."""
        search, rule = "optimal", spec.rule
        if not self.proved:
            search, rule = "optimal-unproved", f"{rule}; search ended before the proof"
        return Provenance(
            name_search(search, spec.first, spec.eligible),
            rule,
            spec.history,
            spec.objective,
            self.bound,
        )


def solve(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl | None = None,
) -> Solution:
    """Find the best tree by an objective, and prove that it is.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible after the history, ascending.
    spec
        What to search; see `SearchSpec`.
    control
        How it is carried out. With `keep_best`, some greedy trees are made before the search, and
        the best tree so far is returned when the watch or Ctrl-C ends it.

    Raises
    ------
    StrategyError
        The game is too large.
    UsageError
        No tree is within the longest game allowed: that is proved.
    SearchStoppedError
        The watch ended it.
    """
    control = control or SearchControl()
    n = len(candidates)
    left = UNLIMITED if spec.max_length is None or spec.max_length >= n else spec.max_length
    first = list_first(game, candidates, spec)
    make_solver = partial(choose_solver, game, candidates, spec, first)
    monitor = Monitor(control.watch or (lambda _: False), bound=bound_by_size(game, n))
    stock = _Stock(spec.objective, left)

    def search() -> int | None:
        if control.keep_best:
            stock.fill(game, candidates, first, spec, control.jobs, monitor.halt)
        stock.solver = make_solver(control=replace(control, watch=stock.listen(monitor)))
        return _run(stock.solver, spec.objective, left)

    try:
        bound = monitor.run(search)
    except (SearchStoppedError, KeyboardInterrupt) as stop:
        if not control.keep_best:
            raise
        columns = stock.find_best()
        if isinstance(stop, KeyboardInterrupt):
            announce_saving("the best tree so far")
        elif columns is None:
            columns = _search_greedily(monitor, make_solver, left)
        if columns is None:
            raise
        known = stock.solver.bound if stock.solver else 0
        return Solution(columns, columns.total, max(known, bound_by_size(game, n)), False)
    columns = stock.find_solved()
    if bound is None or columns is None:
        raise UsageError(
            f"{game.name}: no tree{name_given(spec)} finds all {n} secrets in {spec.max_length}"
            " guesses (proved)"
        )
    return Solution(columns, columns.total, bound, proved=True)


class _Stock:
    """The trees available when a search is ended; several threads use it."""

    def __init__(self, objective: str, left: int) -> None:
        self.objective, self.left = objective, left
        self.trees: list[TreeColumns] = []
        self.solver: AnySolver | None = None

    def add(self, columns: TreeColumns) -> None:
        """Keep a tree unless its games are too long."""
        if not 0 < self.left < len(columns.count_lengths()):
            self.trees.append(columns)

    def fill(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        first: tuple[int, ...],
        spec: SearchSpec,
        jobs: int,
        halt: Halt,
    ) -> None:
        """Make some greedy trees; raise SearchStoppedError if the halt is called."""
        self.add(TreeColumns.of(make_first_tree(game, candidates, spec.history, first)))
        for tree in generate_greedy_trees(
            game, spec.history, first=first, eligible=spec.eligible, jobs=jobs, halt=halt
        ):
            self.add(TreeColumns.of(tree))

    def find_solved(self) -> TreeColumns | None:
        """Return the tree that the search found; None if there is none."""
        found = None if self.solver is None else self.solver.incumbent
        return None if self.solver is None or found is None else _expand(self.solver, found)

    def find_best(self) -> TreeColumns | None:
        """Return the best tree of all; None if there is none."""
        solved = self.find_solved()
        trees = [*self.trees, *([] if solved is None else [solved])]
        return min(trees, key=self._value, default=None)

    def listen(self, monitor: Monitor) -> Watch:
        """Return a watch that knows the totals of these trees, too."""
        totals = [columns.total for columns in self.trees]

        def watch(progress: Progress) -> bool:
            if progress.stage == "total" and totals:
                best = min(totals) if progress.best is None else min(*totals, progress.best)
                progress = replace(progress, best=best)
            return monitor(progress)

        return watch

    def _value(self, columns: TreeColumns) -> tuple[int, ...]:
        lengths = columns.count_lengths()
        values = {"total": columns.total, "worst": len(lengths), "n_worst": lengths[-1]}
        return tuple(values[name] for name in self.objective.split(","))


def _search_greedily(
    monitor: Monitor, make_solver: Callable[..., AnySolver], left: int
) -> TreeColumns | None:
    """Find some tree within the longest game allowed; a Ctrl-C ends that."""
    monitor.tell(Progress("greedy", monitor.progress.bound, None, 0))

    def search() -> TreeColumns | None:
        solver = make_solver(control=SearchControl(), beam=1, n_full=N_GREEDY_FULL)
        found = solver.find_best(left, INFEASIBLE)
        return None if found is None else _expand(solver, found)

    return run_in_background(search)


def _run(solver: AnySolver, objective: str, left: int) -> int | None:
    """Search by the objective; return the least total, None if the cap is too low."""
    if objective == "worst,total":
        found = _run_worst_first(solver, left)
        return None if found is None else found.cost
    if objective == "worst,n_worst,total":
        return _run_fewest_longest(solver, left)
    found = _find_least(solver, left)
    if found is None or objective == "total":
        return None if found is None else found.cost
    total = solver.bound = found.cost
    lengths = _count_lengths(solver, found)
    solver.stage = "worst"
    while len(lengths) > 1:
        found = solver.find_best(len(lengths) - 1, total + 1)
        if found is None:
            break
        lengths = _count_lengths(solver, found)
    solver.stage = "n_worst"
    # More than the secrets that may need the last guess: the total goes first.
    scale = solver.n + 1
    solver.find_best(len(lengths), total * scale + lengths[-1], scale, 1)
    return total


def _find_least(solver: AnySolver, left: int) -> Found | None:
    """Find the tree of least total, the most promising first guess ahead of all."""
    if isinstance(solver, Solver):
        return solver.find_best(left, INFEASIBLE, lead=find_lead(solver, left))
    return solver.find_best(left, INFEASIBLE)


def _run_worst_first(solver: AnySolver, left: int) -> Found | None:
    """Raise the cap until a tree fits it; return the one of least total under that cap."""
    for cap in range(1, (left or solver.n) + 1):
        solver.stage = f"worst {cap}"
        found = solver.find_best(cap, INFEASIBLE)
        if found is not None:
            return found
    return None


def _run_fewest_longest(solver: AnySolver, left: int) -> int | None:
    """Lower the number of longest games under the least cap; return the total of that tree."""
    first = _run_worst_first(solver, left)
    if first is None:
        return None
    lengths = _count_lengths(solver, first)
    # A longest game costs more than all guesses of all games.
    solver.stage, solver.unit = "n_worst", solver.n * len(lengths) + 1
    upper_bound = lengths[-1] * solver.unit + first.cost
    found = solver.find_best(len(lengths), upper_bound, 1, solver.unit)
    return first.cost if found is None else found.cost % solver.unit


def _expand(solver: AnySolver, found: Found) -> TreeColumns:
    """Return the columns of what a solver has found."""
    return expand_plan(solver.game, solver.candidates, found.plan)


def _count_lengths(solver: AnySolver, found: Found) -> list[int]:
    """Return the histogram of a tree: secrets found at guess 1, 2, 3 …."""
    return _expand(solver, found).count_lengths()
