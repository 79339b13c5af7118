"""What may be minimised: searches in a row, each under what the last one proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..builder.halt import Halt
from ..errors import SearchStoppedError, StrategyError, UsageError
from ..games import Game
from ..tasks import Workers, run_in_background
from ..tree.provenance import History
from .core.cost_model import INFEASIBLE, UNLIMITED
from .greedy import generate_greedy_trees, make_first_tree
from .lower_bounds import bound_by_size
from .monitor import Monitor
from .parallel.checkpoint import Archive
from .parallel.time_budget import TimeBudget
from .plan import TreeColumns, expand_plan
from .solver import Progress, Solver, Watch

OBJECTIVES = ("total", "total,worst,n_worst", "worst,total", "worst,n_worst,total")
"""What is minimised: the criteria in their order."""

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
        Its total; what was proved of the total under the objective's constraints.
    proved
        Whether the search ran to its end: nothing is better by the objective.
    """

    columns: TreeColumns
    total: int
    bound: int
    proved: bool


def solve(
    game: Game,
    candidates: NDArray[np.int32],
    objective: str = "total",
    *,
    history: History = (),
    max_length: int | None = None,
    candidates_only: bool = False,
    watch: Watch | None = None,
    keep_best: bool = False,
    jobs: int = 1,
    counts: dict[str, int] | None = None,
    workers: Workers | None = None,
    archive: Archive | None = None,
    budget: TimeBudget | None = None,
) -> Solution:
    """Find the best tree by an objective, and prove that it is.

    Parameters
    ----------
    game, candidates, candidates_only, watch, jobs, counts, workers, archive, budget
        See `Solver`.
    objective
        One of `OBJECTIVES`.
    history
        The guesses made before the root and the responses to them.
    max_length
        The longest game allowed; None: no limit.
    keep_best
        What to do when the watch or Ctrl-C ends the search: return the best tree so far, marked
        as not proved, or raise. Some greedy trees are made before the search, then.

    Raises
    ------
    StrategyError
        The objective is unknown, the game too large.
    UsageError
        No tree is within `max_length`: that is proved.
    SearchStoppedError
        The watch ended it.
    """
    if objective not in OBJECTIVES:
        raise StrategyError(f"unknown objective {objective!r}: there are {'; '.join(OBJECTIVES)}")
    n = len(candidates)
    left = UNLIMITED if max_length is None or max_length >= n else max_length
    past = tuple(guess for guess, _ in history)
    make_solver = partial(Solver, game, candidates, history=past, candidates_only=candidates_only)
    monitor = Monitor(watch or (lambda _: False), bound=bound_by_size(game, n))
    stock = _Stock(objective, left)

    def search() -> int | None:
        if keep_best:
            stock.fill(game, candidates, history, candidates_only, jobs, monitor.halt)
        ask = stock.listen(monitor)
        stock.solver = make_solver(
            watch=ask, jobs=jobs, counts=counts, workers=workers, archive=archive, budget=budget
        )
        return _run(stock.solver, objective, left)

    try:
        bound = monitor.run(search)
    except (SearchStoppedError, KeyboardInterrupt):
        if not keep_best:
            raise
        columns = stock.find_best() or _search_greedily(monitor, make_solver, left)
        if columns is None:
            raise
        known = stock.solver.bound if stock.solver else 0
        return Solution(columns, columns.total, max(known, bound_by_size(game, n)), False)
    columns = stock.find_solved()
    if bound is None or columns is None:
        raise UsageError(
            f"{game.name}: no tree finds all {n} secrets in {max_length} guesses (proved)"
        )
    return Solution(columns, columns.total, bound, proved=True)


class _Stock:
    """The trees that are there when a search is ended; several threads look at it."""

    def __init__(self, objective: str, left: int) -> None:
        self.objective, self.left = objective, left
        self.trees: list[TreeColumns] = []
        self.solver: Solver | None = None

    def add(self, columns: TreeColumns) -> None:
        """Keep a tree unless its games are too long."""
        if not 0 < self.left < len(columns.count_lengths()):
            self.trees.append(columns)

    def fill(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        history: History,
        candidates_only: bool,
        jobs: int,
        halt: Halt,
    ) -> None:
        """Make some greedy trees; SearchStoppedError when the halt is called."""
        self.add(TreeColumns.of(make_first_tree(game, candidates, history)))
        eligible = "candidates" if candidates_only else "all"
        for tree in generate_greedy_trees(game, history, eligible=eligible, jobs=jobs, halt=halt):
            self.add(TreeColumns.of(tree))

    def find_solved(self) -> TreeColumns | None:
        """Return the tree that the search found; None where there is none."""
        solver = self.solver
        if solver is None or solver.last_plan is None:
            return None
        return expand_plan(solver.game, solver.candidates, solver.last_plan)

    def find_best(self) -> TreeColumns | None:
        """Return the best tree of all; None where there is none."""
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
    monitor: Monitor, make_solver: Callable[..., Solver], left: int
) -> TreeColumns | None:
    """Find some tree within the longest game allowed; Ctrl-C alone ends that."""
    monitor.tell(Progress("greedy", monitor.progress.bound, None, 0))

    def search() -> TreeColumns | None:
        solver = make_solver(beam=1, n_full=N_GREEDY_FULL)
        solver.find_best(left, INFEASIBLE)
        if solver.last_plan is None:
            return None
        return expand_plan(solver.game, solver.candidates, solver.last_plan)

    return run_in_background(search)


def _run(solver: Solver, objective: str, left: int) -> int | None:
    """Search by the objective; return the least total, None where the cap is too low."""
    if objective == "worst,total":
        return _run_worst_first(solver, left)
    if objective == "worst,n_worst,total":
        return _run_fewest_longest(solver, left)
    total = solver.find_best(left, INFEASIBLE)
    if total is None or objective == "total":
        return total
    solver.bound = total
    lengths = _count_lengths(solver)
    solver.stage = "worst"
    while len(lengths) > 1:
        if solver.find_best(len(lengths) - 1, total + 1) is None:
            break
        lengths = _count_lengths(solver)
    solver.stage = "n_worst"
    scale = solver.n + 1
    solver.find_best(len(lengths), total * scale + lengths[-1], scale, 1)
    return total


def _run_worst_first(solver: Solver, left: int) -> int | None:
    """Raise the cap until a tree fits it; return the least total under that cap."""
    for cap in range(1, (left or solver.n) + 1):
        solver.stage = f"worst {cap}"
        total = solver.find_best(cap, INFEASIBLE)
        if total is not None:
            return total
    return None


def _run_fewest_longest(solver: Solver, left: int) -> int | None:
    """Lower the number of longest games under the least cap; return the total of that tree."""
    total = _run_worst_first(solver, left)
    if total is None:
        return None
    lengths = _count_lengths(solver)
    # A longest game costs more than all guesses of all games.
    solver.stage, solver.unit = "n_worst", solver.n * len(lengths) + 1
    found = solver.find_best(len(lengths), lengths[-1] * solver.unit + total, 1, solver.unit)
    return total if found is None else found % solver.unit


def _count_lengths(solver: Solver) -> list[int]:
    """Return the histogram of the last plan's tree: secrets found at guess 1, 2, 3 …."""
    assert solver.last_plan is not None
    return expand_plan(solver.game, solver.candidates, solver.last_plan).count_lengths()
