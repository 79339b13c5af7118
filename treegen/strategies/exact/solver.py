"""The exact search from outside: objectives, caps, progress, interruption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError, TreegenError, UsageError
from ...games import Game
from .board import Board, make_board
from .memory import make_memory
from .orbits import Group, make_group
from .plan import Columns, expand_plan
from .search import advance, push_root
from .stack import BEST, DEPTH, FOUND, N_GUESSES, N_STATES, NEXT, Stack, make_stack
from .survey import make_scratch
from .terms import INFEASIBLE, UNLIMITED, Terms, fill_bounds

OBJECTIVES = ("total", "total,worst,n_worst", "worst,total")
"""What is minimised: the criteria in their order."""

MAX_FRAMES = 120
"""Trees deeper than this are not looked for."""

NEVER_SORTED = 1 << 40
"""As `Terms.n_sorted`: no state orders its guesses by estimate."""

STEPS_PER_SLICE = 2000
"""Steps between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: int
    best: int | None
    n_states: int


Watch = Callable[[Progress], bool]
"""Called now and then; True ends the search with what it has."""


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


class SearchStoppedError(TreegenError, RuntimeError):
    """The watch ended a search."""


class Solver:
    """Exact search of one game's candidates.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible at the root, ascending.
    past
        Guesses made before the root.
    candidates_only
        Whether only candidates may be guessed.
    watch
        See `Watch`.
    beam, n_full
        States of more than `n_full` candidates try only `beam` guesses; 0: all, so that what
        is found is proved.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        *,
        past: tuple[int, ...] = (),
        candidates_only: bool = False,
        watch: Watch | None = None,
        beam: int = 0,
        n_full: int = 0,
    ) -> None:
        self.game = game
        self.beam, self.n_full = beam, n_full
        self.candidates = candidates
        self.n = len(candidates)
        self.board: Board = make_board(game, candidates)
        self.group: Group = make_group(game)
        self.past = list(past)
        self.candidates_only = candidates_only
        self.watch = watch or (lambda _: False)
        self.stage = "total"
        self.bound = 0
        self.last_plan: NDArray[np.int32] | None = None
        self.last_cost = INFEASIBLE

    def find_best(self, left: int, best: int, scale: int = 1, last: int = 0) -> int | None:
        """Search for the tree of least cost below `best`; None if there is none.

        Parameters
        ----------
        left
            Guesses allowed; `UNLIMITED`.
        best
            The cost to get below.
        scale, last
            Cost of a guess, and of a game that ends with the last guess allowed.

        Raises
        ------
        SearchStoppedError
            The watch ended it; `last_plan` is the best so far, if there is one.
        """
        if self.n < 3:
            return self._find_small(left, best, scale, last)
        scratch = make_scratch(self.game.n_codes, self.board.n_responses)
        terms = self._make_terms(scale, last, left)
        memory = make_memory(self.n)
        n_frames = min(self.n, left or MAX_FRAMES) + 2
        sizes = self.n, self.game.n_codes, self.board.n_responses
        stack = make_stack(*sizes, n_frames, self.past)
        push_root(stack, self.n, left, best)
        try:
            while stack.control[DEPTH] > 0:
                advance(self.board, self.group, terms, scratch, stack, memory, STEPS_PER_SLICE)
                if stack.control[DEPTH] > 0:
                    self._look(stack, scale)
        finally:
            if stack.frames[1, FOUND]:
                self.last_plan = stack.plans[1, 0, : self.n - 1].copy()
                self.last_cost = int(stack.frames[1, BEST])
        return int(stack.frames[1, BEST]) if stack.frames[1, FOUND] else None

    def _make_terms(self, scale: int, last: int, left: int) -> Terms:
        """Return the terms of a search with the solver's settings."""
        return make_terms(
            self.board,
            scale,
            last,
            left,
            candidates_only=self.candidates_only,
            n_sorted=self.n_full + 1 if self.beam else NEVER_SORTED,
            beam=self.beam,
            n_full=self.n_full,
        )

    def _find_small(self, left: int, best: int, scale: int, last: int) -> int | None:
        """Answer for one or two candidates, which need no plan."""
        cost = sum(level * scale + (last if level == left else 0) for level in range(1, self.n + 1))
        if cost >= best or 0 < left < self.n:
            return None
        self.last_plan, self.last_cost = np.zeros(1, dtype=np.int32), cost
        return cost

    def _look(self, stack: Stack, scale: int) -> None:
        """Tell the watch how far the search is; raise SearchStoppedError where it says so."""
        root = stack.frames[1]
        best = int(root[BEST]) // scale if root[FOUND] else None
        bound = self.bound
        if root[NEXT] > 0 and root[NEXT] <= root[N_GUESSES]:
            floors = stack.floors[1, root[NEXT] - 1 : root[N_GUESSES]]
            bound = max(bound, min(int(floors.min()), int(root[BEST])) // scale)
        if self.stage == "total":
            self.bound = bound
        if self.watch(Progress(self.stage, bound, best, int(stack.control[N_STATES]))):
            raise SearchStoppedError(
                f"{self.game.name}: the search was ended before the proof was complete; proved so"
                f" far: no total below {bound}" + ("" if best is None else f"; found: {best}")
            )


def make_terms(
    board: Board,
    scale: int,
    last: int,
    left: int,
    *,
    candidates_only: bool = False,
    n_sorted: int = NEVER_SORTED,
    beam: int = 0,
    n_full: int = 0,
) -> Terms:
    """Return the terms of a search; see `Terms`."""
    n = len(board.code_of)
    bounds = np.empty((left + 1, board.n_responses, n + 1), dtype=np.int64)
    fill_bounds(scale, last, bounds)
    return Terms(scale, last, candidates_only, bounds, make_estimates(n), n_sorted, beam, n_full)


def make_estimates(n: int) -> NDArray[np.int64]:
    """Return about what a cell of 0 … n candidates costs, in 2 ** -20 guesses."""
    from ..criteria import parse_criterion

    logs = parse_criterion("entropy").table(n) >> 12
    return (np.arange(n + 1, dtype=np.int64) << 20) + (logs * 5 >> 4)


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
) -> Solution:
    """Find the best tree by an objective, and prove that it is.

    Parameters
    ----------
    game, candidates, past, candidates_only, watch
        See `Solver`.
    objective
        One of `OBJECTIVES`.
    max_length
        The longest game allowed; None: no limit.
    keep_best
        What to do when the watch ends the search: return the best tree so far, marked as not
        proved, or raise `SearchStoppedError`.

    Raises
    ------
    StrategyError
        The objective is unknown, the game too large.
    UsageError
        No tree is within `max_length`: that is proved.
    """
    if objective not in OBJECTIVES:
        raise StrategyError(f"unknown objective {objective!r}: there are {'; '.join(OBJECTIVES)}")
    solver = Solver(game, candidates, past=past, candidates_only=candidates_only, watch=watch)
    left = UNLIMITED if max_length is None or max_length >= solver.n else max_length
    proved = True
    try:
        bound = _run(solver, objective, left)
    except (SearchStoppedError, KeyboardInterrupt):
        if not keep_best or solver.last_plan is None:
            raise
        bound, proved = solver.bound, False
    if bound is None or solver.last_plan is None:
        raise UsageError(
            f"{game.name}: no tree finds all {solver.n} secrets in {max_length} guesses (proved)"
        )
    columns = expand_plan(solver.game, solver.candidates, solver.last_plan)
    # Each game passes one node per guess: the candidates of all nodes sum up to the total.
    return Solution(columns, int(columns.n_candidates.sum()), bound, proved)


def _run(solver: Solver, objective: str, left: int) -> int | None:
    """Search by the objective; return the least total, None where the cap is too low."""
    if objective == "worst,total":
        return _run_worst_first(solver, left)
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
