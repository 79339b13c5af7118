"""The exact search from outside: one best tree below a cost, its progress, its threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError
from ..games import Game
from .core.cost_model import INFEASIBLE, CostModel, make_cost_model
from .core.engine import make_search, run_slice
from .core.response_matrix import ResponseMatrix, make_response_matrix
from .core.search import Search
from .core.stack import Stack, count_done, count_nothing
from .core.symmetry import make_group
from .core.transposition_table import TranspositionTable, make_table
from .parallel.nodes import OpenNode
from .parallel.threads import ThreadedSearch
from .parallel.time_budget import TimeBudget
from .parallel.worker import SearchWorker, read_guesses

if TYPE_CHECKING:
    from ..tasks import Workers
    from .parallel.checkpoint import Archive
    from .parallel.distributed import DistributedSearch


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: int
    best: int | None
    n_states: int


Watch = Callable[[Progress], bool]
"""Called now and then; True ends the search with what it has."""


class Solver:
    """Exact search of one game's candidates.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible at the root, ascending.
    history
        Guesses made before the root.
    candidates_only
        Whether only candidates may be guessed.
    watch
        See `Watch`.
    jobs
        Threads. The result does not depend on them.
    beam, n_full
        States of more than `n_full` candidates try only `beam` guesses; 0: all, so that what
        is found is proved. A beam is searched by one thread.
    deepest
        After so many guesses what is proved of the cells without search counts as their cost: the
        result is a lower bound, and its plan is none. 0: never.
    counts
        Where to add up what was done, see `count_done`.
    workers
        Who searches instead of threads of this process. The result does not depend on them.
    archive
        Where they write down how far they are, and go on from.
    budget
        The times of the search; None: as usual.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        *,
        history: tuple[int, ...] = (),
        candidates_only: bool = False,
        watch: Watch | None = None,
        jobs: int = 1,
        beam: int = 0,
        n_full: int = 0,
        deepest: int = 0,
        counts: dict[str, int] | None = None,
        workers: Workers | None = None,
        archive: Archive | None = None,
        budget: TimeBudget | None = None,
    ) -> None:
        self.game = game
        self.beam, self.n_full = beam, n_full
        self.candidates = candidates
        self.n = len(candidates)
        self.history = history
        self.candidates_only = candidates_only
        self.watch = watch or (lambda _: False)
        self.deepest = deepest
        self.jobs = 1 if beam or deepest else jobs
        self.workers, self.archive = workers, archive
        self.budget = budget or TimeBudget()
        self.stage = "total"
        self.unit: int | None = None
        self.bound = 0
        self.counts = {} if counts is None else counts
        self.counts.update(count_nothing())
        self.last_plan: NDArray[np.int32] | None = None
        self.last_cost = INFEASIBLE
        self.matrix: ResponseMatrix = make_response_matrix(
            game, candidates, lambda: self._look(0, None, scale=1, n_states=0)
        )

    def find_best(
        self,
        left: int,
        best: int,
        scale: int = 1,
        last: int = 0,
    ) -> int | None:
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
        model = make_cost_model(
            self.n,
            self.matrix.n_responses,
            scale,
            last,
            left,
            candidates_only=self.candidates_only,
            beam=self.beam,
            n_full=self.n_full,
        )
        if self.deepest:
            # A low upper bound comes early so, and of a bound no tree is made: any order will do.
            model = model._replace(n_sorted=0)
        table = make_table(self.n)
        search = self._make_search(model, table, left, best)
        if self._search_alone(search):
            return self._take(search.stack)
        return self._search_together(search, left, best)

    def _search_alone(self, search: Search) -> bool:
        """Search with one thread; False if there is work for more."""
        start, pace, stack = time.monotonic(), self.budget.make_pace(), search.stack
        try:
            while not run_slice(search, pace):
                if self._has_help and time.monotonic() - start > self.budget.alone_s:
                    return False
                best = int(stack.frames.upper_bound[1]) if stack.frames.has_incumbent[1] else None
                n_states = int(stack.control.n_states)
                self._look(_bound_alone(stack), best, search.model.scale, n_states)
        except BaseException:
            self._take(search.stack)
            raise
        finally:
            self._count(search.stack)
        return True

    @property
    def _has_help(self) -> bool:
        """Whether more than this thread may search."""
        return self.jobs > 1 or self.workers is not None

    def _search_together(self, search: Search, left: int, best: int) -> int | None:
        """Let others do what one thread has left of the root's guesses."""
        worker = SearchWorker(search, self.budget.make_pace())
        root = _make_root(worker, best)
        shared = self._gather(root, worker, left)

        def look() -> None:
            bound, found = shared.assess()
            n_states = shared.counts["states"]
            self._look(bound, found if found < INFEASIBLE else None, search.model.scale, n_states)

        try:
            shared.run(look)
        finally:
            for name, number in shared.counts.items():
                self.counts[name] += number
            if root.plan is not None:
                self.last_plan, self.last_cost = root.plan, root.incumbent
        return None if root.plan is None else root.incumbent

    def _gather(
        self, root: OpenNode, worker: SearchWorker, left: int
    ) -> ThreadedSearch | DistributedSearch:
        """Return who searches: threads of this process, or workers."""
        model = worker.search.model
        if self.workers is None:
            make = partial(self._make_search, model, worker.search.table, left, INFEASIBLE)
            return ThreadedSearch(root, make, self.jobs, self.budget)
        from .parallel.checkpoint import SearchRecords
        from .parallel.distributed import DistributedSearch
        from .parallel.work_item import make_problem

        problem = make_problem(self.game, self.candidates, self.history, left, model)
        name = f"left {left}, scale {model.scale}, last {model.last}"
        records = None
        if self.archive is not None:
            records = SearchRecords(self.archive, name, self.budget)
        return DistributedSearch(root, problem, worker, self.workers, records, self.budget)

    def _make_search(
        self, model: CostModel, table: TranspositionTable, left: int, best: int
    ) -> Search:
        """Return the arrays of a thread, the root in the first frame."""
        group = make_group(self.game)
        search = make_search(self.matrix, group, model, table, self.history, left, best)
        search.stack.control.deepest = self.deepest
        return search

    def _take(self, stack: Stack) -> int | None:
        """Keep the tree that a stack's root has found, and return its cost."""
        if not stack.frames.has_incumbent[1]:
            return None
        self.last_plan = stack.plans[1, 0, : self.n - 1].copy()
        self.last_cost = int(stack.frames.upper_bound[1])
        return self.last_cost

    def _count(self, stack: Stack) -> None:
        for name, number in count_done(stack).items():
            self.counts[name] += number

    def _find_small(self, left: int, best: int, scale: int, last: int) -> int | None:
        """Answer for one or two candidates, which need no plan."""
        cost = sum(level * scale + (last if level == left else 0) for level in range(1, self.n + 1))
        if cost >= best or 0 < left < self.n:
            return None
        self.last_plan, self.last_cost = np.zeros(1, dtype=np.int32), cost
        return cost

    def _look(self, bound: int, best: int | None, scale: int, n_states: int) -> None:
        """Tell the watch how far the search is; raise SearchStoppedError where it says so."""
        unit = self.unit or scale
        what = "number of longest games" if self.unit else "total"
        best = None if best is None else best // unit
        # What no tree does has no bound worth telling.
        bound = max(self.bound, bound // unit if bound < INFEASIBLE else 0)
        if self.stage == "total":
            self.bound = bound
        if self.watch(Progress(self.stage, bound, best, self.counts["states"] + n_states)):
            raise SearchStoppedError(
                f"{self.game.name}: the search was ended before the proof was complete; proved so"
                f" far: no {what} below {bound}" + ("" if best is None else f"; found: {best}")
            )


def _bound_alone(stack: Stack) -> int:
    """Return what one thread has proved of the root: the least bound that is left to try."""
    frames = stack.frames
    at = int(frames.next_guess[1])
    if at == 0:
        return 0
    bounds = stack.lower_bounds[1, at - 1 : frames.n_guesses[1]]
    return min(int(bounds.min()), int(frames.upper_bound[1]))


def _make_root(worker: SearchWorker, best: int) -> OpenNode:
    """Return the root as one thread left it; the guess that it was at is begun anew."""
    stack = worker.search.stack
    n = int(stack.frames.n[1])
    root = OpenNode(np.arange(n, dtype=np.int32), (), n, best)
    root.guesses = read_guesses(stack, 1)
    root.next_guess = max(0, int(stack.frames.next_guess[1]) - 1)
    found = worker.take_incumbent(1, 0)
    if found is not None:
        root.offer(*found)
    return root
