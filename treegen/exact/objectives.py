"""What may be minimised: searches in a row, each under what the last one proved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError, StrategyError, UsageError
from ..games import Game
from ..tasks import Workers
from .core.cost_model import INFEASIBLE, UNLIMITED, make_terms
from .parallel.checkpoint import Archive
from .plan import Columns, expand_plan
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

    columns: Columns
    total: int
    bound: int
    proved: bool


def solve(
    game: Game,
    candidates: NDArray[np.int32],
    objective: str = "total",
    *,
    past: tuple[int, ...] = (),
    max_length: int | None = None,
    candidates_only: bool = False,
    watch: Watch | None = None,
    keep_best: bool = False,
    jobs: int = 1,
    counts: dict[str, int] | None = None,
    workers: Workers | None = None,
    archive: Archive | None = None,
) -> Solution:
    """Find the best tree by an objective, and prove that it is.

    Parameters
    ----------
    game, candidates, past, candidates_only, watch, jobs, counts, workers, archive
        See `Solver`.
    objective
        One of `OBJECTIVES`.
    max_length
        The longest game allowed; None: no limit.
    keep_best
        What to do when the watch ends the search: return the best tree so far, marked as not
        proved, or raise `SearchStoppedError`. Where there is no tree so far a greedy one is made.

    Raises
    ------
    StrategyError
        The objective is unknown, the game too large.
    UsageError
        No tree is within `max_length`: that is proved.
    """
    if objective not in OBJECTIVES:
        raise StrategyError(f"unknown objective {objective!r}: there are {'; '.join(OBJECTIVES)}")
    solver = Solver(
        game,
        candidates,
        past=past,
        candidates_only=candidates_only,
        watch=watch,
        jobs=jobs,
        counts=counts,
        workers=workers,
        archive=archive,
    )
    left = UNLIMITED if max_length is None or max_length >= solver.n else max_length
    proved = True
    try:
        bound = _run(solver, objective, left)
    except (SearchStoppedError, KeyboardInterrupt):
        if not keep_best or (solver.last_plan is None and not _search_greedily(solver, left)):
            raise
        bound, proved = max(solver.bound, _bound_by_size(solver)), False
    if bound is None or solver.last_plan is None:
        raise UsageError(
            f"{game.name}: no tree finds all {solver.n} secrets in {max_length} guesses (proved)"
        )
    columns = expand_plan(solver.game, solver.candidates, solver.last_plan)
    # Each game passes one node per guess: the candidates of all nodes sum up to the total.
    return Solution(columns, int(columns.n_candidates.sum()), bound, proved)


def _search_greedily(solver: Solver, left: int) -> bool:
    """Let a solver find some tree: each large state tries the most promising guess alone."""
    solver.stage = "greedy"
    solver.beam, solver.n_full, solver.jobs, solver.workers = 1, N_GREEDY_FULL, 1, None
    watch, solver.watch = solver.watch, lambda progress: watch(progress) and False
    watch(Progress(solver.stage, solver.bound, None, 0))
    return solver.find_best(left, INFEASIBLE) is not None


def _bound_by_size(solver: Solver) -> int:
    """Return the least total of so many candidates with so many responses."""
    width = solver.board.n_responses - 1
    return int(make_terms(solver.n, solver.board.n_responses).bounds[UNLIMITED, width, solver.n])


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
    columns = expand_plan(solver.game, solver.candidates, solver.last_plan)
    counts: list[int] = []
    first, end = 0, 1
    while first < end:
        first_below, end_below = int(columns.first_child[first]), int(columns.first_child[end])
        here = int(columns.n_candidates[first:end].sum())
        below = int(columns.n_candidates[first_below:end_below].sum())
        counts.append(here - below)
        first, end = first_below, end_below
    return counts
