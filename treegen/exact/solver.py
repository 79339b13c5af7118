"""The interface of the exact search: the best tree below a cost, its progress, its threads.

A search goes to other processes as plain values (`PlainSearch`): each makes a solver of them once,
and keeps it. `OpeningSearch` asks for the best trees that begin with one first guess after another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..errors import SearchStoppedError
from ..games.base import Game
from ..jit.interpreter import runs_freely
from ..kernels.rule_kinds import EligibleKind
from ..tasks.run import keep_in_process
from .engine import Int32s, Int64s
from .engine.canonical_state import make_group
from .engine.cost import INFEASIBLE, UNLIMITED, CostModel, make_cost_model
from .engine.deferred_plan import complete_plan
from .engine.pace import TimeBudget
from .engine.play_rule import make_play_rule, make_rule_table, number_eligible
from .engine.problem import Search
from .engine.responses import ResponseMatrix, make_response_matrix
from .engine.search import (
    advance,
    find_most_cells,
    give_guesses,
    give_opening,
    make_search,
    measure_guesses,
    read_fit,
    run_slice,
    write_fit,
)
from .engine.stack import Stack, count_done, count_nothing
from .engine.table import TranspositionTable
from .openings import Look
from .parallel.executor import DistributedSearch, ThreadedSearch
from .parallel.records import SearchRecords, keep_table
from .parallel.worker import RootState, SearchWorker, WorkerPool, WorkItem, WorkResult, read_root
from .plan import Found, check_cost, expand_plan
from .request import LEADING_GUESS, SearchControl, SearchProgress, SearchSpec

RESCUE_S = 0.3
"""For completing the best tree of a search that is ended."""

SLICE = 500
"""First guesses that are measured between two looks whether the search must end."""


class Lead(NamedTuple):
    """A first guess, and what some tree that begins with it costs."""

    guess: int
    cost: int = INFEASIBLE


class Solver:
    """Exact search of one game's candidates, ascending codes that are possible at the root.

    The history's guesses were made before the root. `first` has the guesses that may be made there,
    the preferred one first; empty: any. `eligible` is a key of `treegen.games.ELIGIBLE`.

    States of more than `n_full` candidates try only `beam` guesses; 0: all, so that what is found
    is proved. A beam is searched by one thread. Behind `deepest` guesses a cell costs what is
    proved of it without a search: then the result is a lower bound, without a plan. 0: every cell
    is searched.

    `incumbent` is the result of the last search that found a tree, available when a search is
    ended. It is one value, so that any thread may read it at any time.
    """

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        *,
        history: tuple[int, ...] = (),
        first: tuple[int, ...] = (),
        eligible: str = "all",
        control: SearchControl,
        beam: int = 0,
        n_full: int = 0,
        deepest: int = 0,
    ) -> None:
        self.game = game
        self.beam, self.n_full = beam, n_full
        self.candidates = candidates
        self.n = len(candidates)
        self.history, self.first = history, first
        self.eligible = number_eligible(game, eligible)
        self.watch = control.watch or (lambda _: False)
        self.deepest = deepest
        self.jobs = 1 if beam or deepest else control.jobs
        self.control, self.budget = control, control.budget
        self._is_lead, self._lead_cost = False, INFEASIBLE  # the cost of the leading guess's tree
        self._last: Search | None = None
        self._note_proofs: Callable[[], None] = lambda: None
        self.stage, self.bound = "total", 0
        self.counts = count_nothing()
        self.count(self.counts)
        self.incumbent: Found | None = None
        self.matrix: ResponseMatrix = make_response_matrix(
            game, candidates, self.look, control.jobs
        )
        self.play_rule = make_play_rule(game, self.eligible, history, self.matrix)

    def find_best(
        self, left: int, best: int, scale: int = 1, last: int = 0, lead: Lead | None = None
    ) -> Found | None:
        """Search for the tree of least cost below `best`; None if there is none.

        `left` guesses are allowed, or `UNLIMITED`. `scale` and `last` are the costs of a guess, and
        of a game that ends with the last guess allowed. The first guess of `lead` is searched
        before all others: its cost is their upper bound. What is found does not depend on it.

        SearchStoppedError: the watch ended it; `incumbent` is the best so far, if there is one.
        """
        if self.n < 3:
            return self._find_small(left, best, scale, last)
        model = self.make_model(left, scale, last)
        if self.deepest:
            # This gives a low upper bound early; a bound has no tree, so any order will do.
            model = model._replace(n_sorted=0)
        table = self.make_table()
        # The table of a beam or of a bound is not kept.
        checkpoint = None if self.beam or self.deepest else self.control.checkpoint
        name = f"{_name_search(model, left)}, seed {self.control.table_seed}"
        record_s, is_kept = self.budget.table_s, self.control.keeps_table
        kept = keep_table(checkpoint, name, table.entries, record_s, is_kept=is_kept)
        with kept as self._note_proofs:
            if lead is not None:
                below = min(best, lead.cost + 1)
                found = self._search(model, table, left, below, (lead.guess,), is_lead=True)
                if found is not None:
                    # Others of the same cost may come first.
                    best, self._lead_cost = found.cost + 1, found.cost
            found, self._lead_cost = self._search(model, table, left, best, self.first), INFEASIBLE
            return found

    def _search(
        self,
        model: CostModel,
        table: TranspositionTable,
        left: int,
        best: int,
        first: tuple[int, ...],
        *,
        is_lead: bool = False,
    ) -> Found | None:
        """Search with the given first guesses, or all; the table knows more afterwards."""
        self._is_lead = is_lead
        search = self._last = self.make_search(model, table, left, best)
        if first:
            give_guesses(search, first)
        if self._search_alone(search):
            return self._take(search)
        return self._search_together(search, left, best)

    def make_model(self, left: int, scale: int = 1, last: int = 0) -> CostModel:
        """Return what is minimised, with the bounds of all sizes."""
        return make_cost_model(
            self.n,
            self.matrix.n_responses,
            scale,
            last,
            left,
            eligible=self.eligible,
            beam=self.beam,
            n_full=self.n_full,
        )

    def make_table(self) -> TranspositionTable:
        """Return an empty table of proofs; a beam's results hold for a set, not for its images."""
        control = self.control
        return make_rule_table(
            self.game,
            self.candidates,
            self.play_rule,
            control.table_size,
            control.table_seed,
            is_symmetric=self.beam == 0,
        )

    def _search_alone(self, search: Search) -> bool:
        """Search with one thread; False if there is work for more."""
        start, pace, stack = time.monotonic(), self.budget.make_pace(), search.stack
        try:
            while not run_slice(search, pace):
                if self._has_help and time.monotonic() - start > self.budget.alone_s:
                    return False
                has_tree = stack.frames.has_incumbent[1]
                best = int(stack.frames.upper_bound[1]) if has_tree else INFEASIBLE
                n_states = int(stack.control.n_states)
                self._look(_bound_alone(stack), best, search.model.scale, n_states)
        except BaseException:
            with suppress(SearchStoppedError):
                self._take(search, _end_after(RESCUE_S))
            raise
        finally:
            self.count(count_done(search.stack))
        return True

    @property
    def _has_help(self) -> bool:
        """Whether more than this thread may search; a beam, and what is interpreted, has one."""
        is_shared = self.jobs > 1 or self.control.workers is not None
        return self.beam == 0 and is_shared and runs_freely(advance)

    def _search_together(self, search: Search, left: int, best: int) -> Found | None:
        """Let others try the root's guesses that one thread has left."""
        worker = SearchWorker(search, self.budget.make_pace())
        root = read_root(worker, best)
        control, model, records = self.control, search.model, None
        if control.workers is not None and control.checkpoint is not None:
            name = _name_search(model, left)
            records = SearchRecords(control.checkpoint, name, self.budget, is_lead=self._is_lead)
        make_search = partial(self.make_search, model, search.table, left, INFEASIBLE)
        shared: ThreadedSearch | DistributedSearch
        if control.workers is None:
            shared = ThreadedSearch(root, search, make_search, self.jobs, self.budget)
        else:
            # Threads of this process use the table that is here; others make one of their own.
            run_item = (
                WorkerPool(make_search).run
                if control.workers.share_memory
                else partial(run_work_item, self.make_plain(model, left))
            )
            shared = DistributedSearch(
                root, worker, control.workers, run_item, records, self.budget
            )

        def look() -> None:
            bound, found = shared.assess()
            self._look(bound, found, search.model.scale, shared.counts["states"])
            self._note_proofs()

        try:
            shared.run(look)
        except BaseException:
            with suppress(SearchStoppedError):
                self._keep(search, root.incumbent, root.plan, _end_after(RESCUE_S))
            raise
        finally:
            self.count(shared.counts)
            if shared.searches:
                self._last = shared.searches[0]
        return self._keep(search, root.incumbent, root.plan, others=shared.searches[1:])

    def make_plain(self, model: CostModel, left: int) -> PlainSearch:
        """Return the search in the form that tasks carry."""
        root, rule = RootState.of(self.game, self.candidates), EligibleKind(self.eligible)
        aim, control = (left, model.scale, model.last), self.control
        table = control.table_size, control.table_seed
        return PlainSearch(root, self.history, rule.name.lower(), *aim, *table)

    def make_search(
        self, model: CostModel, table: TranspositionTable, left: int, best: int
    ) -> Search:
        """Return the arrays of a thread, the root in the first frame."""
        group = make_group(self.game)
        search = make_search(
            self.matrix, group, model, table, self.history, left, best, self.play_rule
        )
        search.stack.control.deepest = self.deepest
        if self._last is not None and self._last.model.scale == model.scale:
            write_fit(search.stack, read_fit(self._last.stack))
        return search

    def _take(self, search: Search, look: Look | None = None) -> Found | None:
        """Keep the tree that the first frame has found, and return it."""
        frames = search.stack.frames
        if not frames.has_incumbent[1]:
            return None
        plan = search.stack.plans[1, 0, : self.n - 1].copy()
        return self._keep(search, int(frames.upper_bound[1]), plan, look)

    def _keep(
        self,
        search: Search,
        cost: int,
        plan: Int32s | None,
        look: Look | None = None,
        others: Sequence[Search] = (),
    ) -> Found | None:
        """Complete a plan, check what it costs, keep and return it; `look` may raise.

        The `others` are searches of threads that have ended.
        """
        if plan is None:
            return None
        found = Found(cost, plan)
        # A search that ended by itself has proved that nothing costs less.
        look = look or partial(self._look, cost, cost, search.model.scale, 0)
        if not self.deepest:
            everything = np.arange(self.n, dtype=np.int32)
            pace = self.budget.make_pace()
            complete_plan(search, everything, (), plan, pace, look, others)
            model, left = search.model, int(search.stack.frames.left[0])
            check_cost(self.game, self.candidates, found, left, model.scale, model.last)
        self.incumbent = found
        return found

    def count(self, done: dict[str, int]) -> None:
        """Add work that was done: to the search's own counts, and to those of the log."""
        self.counts = {name: number + done[name] for name, number in self.counts.items()}
        if self.control.log is not None:
            self.control.log.count(done)

    def _find_small(self, left: int, best: int, scale: int, last: int) -> Found | None:
        """Return the result for one or two candidates: the first that is allowed is guessed."""
        codes = self.candidates.tolist()
        guess = next((code for code in self.first if code in codes), codes[0])
        levels = [1, 2][: self.n]
        if self.first and guess not in self.first:
            # A first guess that tells the two apart was given, and neither of them.
            guess, levels = self.first[0], [2, 2]
        cost = sum(level * scale + (last if level == left else 0) for level in levels)
        if cost >= best or 0 < left < self.n:
            return None
        self.incumbent = Found(cost, np.array([guess], dtype=np.int32))
        return self.incumbent

    def look(self) -> None:
        """Tell the watch that the search goes on; raise SearchStoppedError if it ends it."""
        self._look(0, INFEASIBLE, scale=1, n_states=0)

    def _look(self, bound: int, best: int, scale: int, n_states: int) -> None:
        """Report the progress to the watch; raise SearchStoppedError if it ends the search."""
        best = min(best, self._lead_cost)
        found = best // scale if best < INFEASIBLE else None
        # The impossible has no bound worth reporting; one first guess proves nothing of others.
        is_for_all = bound < INFEASIBLE and not self._is_lead
        bound = max(self.bound, bound // scale if is_for_all else 0)
        if self.stage == "total":
            self.bound = bound
        stage = LEADING_GUESS if self._is_lead else self.stage
        if self.watch(SearchProgress(stage, bound, found, self.counts["states"] + n_states)):
            raise SearchStoppedError(
                f"{self.game.name}: the search was ended before the proof was complete; proved so"
                f" far: no total below {bound}" + ("" if found is None else f"; found: {found}")
            )


@dataclass(frozen=True, slots=True)
class PlainSearch:
    """A search as plain values, which tasks carry to any process; see `Solver`."""

    root: RootState
    history: tuple[int, ...]
    eligible: str
    left: int = UNLIMITED
    scale: int = 1
    last: int = 0
    table_size: int | None = None
    table_seed: int = 20


def run_work_item(plain: PlainSearch, item: WorkItem, budget: TimeBudget) -> WorkResult:
    """Do a work item in this process, with what it keeps of the search.

    The result of a guess does not depend on the time; how many guesses are tried does.
    """
    return _find_pool(plain).run(item, budget)


@keep_in_process(1)
def _find_pool(plain: PlainSearch) -> WorkerPool:
    # The same state with another limit or price has the same responses.
    solver = _find_solver(replace(plain, left=UNLIMITED, scale=1, last=0))
    model, table = solver.make_model(plain.left, plain.scale, plain.last), solver.make_table()
    return WorkerPool(partial(solver.make_search, model, table, plain.left, INFEASIBLE))


@keep_in_process(1)
def _find_solver(plain: PlainSearch) -> Solver:
    control = SearchControl(table_size=plain.table_size, table_seed=plain.table_seed)
    game, candidates = plain.root.restore()
    return Solver(game, candidates, history=plain.history, eligible=plain.eligible, control=control)


class OpeningSearch:
    """One thread's search below one first guess after another, each below a cost.

    The solver's watch ends the search; nothing else may be searched with that solver. `left`
    guesses are allowed, or `UNLIMITED`. No eligible first guess has more than `most` cells, the
    winning one not counted.
    """

    def __init__(self, solver: Solver, left: int) -> None:
        self.solver, self.left = solver, left
        self._begin(solver.make_model(left), solver.make_table())
        self.most = find_most_cells(self.search, solver.n, left)

    def _begin(self, model: CostModel, table: TranspositionTable) -> None:
        self.search = self.solver.make_search(model, table, self.left, 0)
        self.pace = self.solver.budget.make_pace()

    def share(self) -> OpeningSearch:
        """Return the search of one more thread; all know what one has proved."""
        other = copy(self)
        other._begin(self.search.model, self.search.table)
        return other

    def measure(self, codes: Int32s, values: Int64s) -> Int64s:
        """Return the sum of the values of each guess's cells; -1 if it leaves one cell.

        `values`, int64[n_candidates + 1], has the value of a cell of each size; the winning cell
        does not count.
        """
        matrix = self.solver.matrix
        sums = np.empty(len(codes), dtype=np.int64)
        sizes = np.zeros(matrix.n_responses, dtype=np.int64)
        for first in range(0, len(codes), SLICE):
            self.solver.look()
            part = slice(first, first + SLICE)
            measure_guesses(matrix.by_guess, codes[part], values, sizes, sums[part])
        return sums

    def rank(self, codes: Int32s) -> Int32s:
        """Return the guesses that gain information, those first whose cells likely cost least."""
        sums = self.measure(codes, self.search.model.estimates)
        order = np.lexsort((codes, sums))
        return codes[order[sums[order] >= 0]]

    def find(self, code: int, below: int) -> Found | None:
        """Return the best tree after a first guess; None if none costs less than `below`.

        Its plan is to be completed, see `complete`.
        """
        search, solver = self.search, self.solver
        give_opening(search, code, solver.n, self.left, below, self.most)
        while not run_slice(search, self.pace):
            solver.look()
        frames = search.stack.frames
        if not frames.has_incumbent[1]:
            return None
        return Found(int(frames.upper_bound[1]), search.stack.plans[1, 0, : solver.n - 1].copy())

    def find_lengths(self, code: int, below: int) -> tuple[int, list[int]] | None:
        """Return the least total after a first guess, and the secrets found at guess 1, 2, 3 ….

        None: it is not below the cost.
        """
        found, solver = self.find(code, below), self.solver
        if found is None:
            return None
        self.complete(found.plan)
        return found.cost, expand_plan(solver.game, solver.candidates, found.plan).count_lengths()

    def complete(self, plan: Int32s) -> None:
        """Complete a plan in place: with the guesses that the search did not have to know."""
        everything = np.arange(self.solver.n, dtype=np.int32)
        complete_plan(self.search, everything, (), plan, self.pace, self.solver.look)


def _end_after(seconds: float) -> Look:
    """Return a look that ends things after some time."""
    end_s = time.monotonic() + seconds

    def look() -> None:
        if time.monotonic() > end_s:
            raise SearchStoppedError("the time is over")

    return look


def _bound_alone(stack: Stack) -> int:
    """Return what one thread has proved about the root: the least bound left to try."""
    frames = stack.frames
    at = int(frames.next_guess[1])
    if at == 0:
        return 0
    bounds = stack.lower_bounds[1, at - 1 : frames.n_guesses[1]]
    return min(int(bounds.min()), int(frames.upper_bound[1]))


def _name_search(model: CostModel, left: int) -> str:
    """Return the name of a search among those for one game and objective."""
    return f"left {left}, scale {model.scale}, last {model.last}"


def make_solver(
    game: Game, candidates: Int32s, spec: SearchSpec, first: tuple[int, ...], **options: Any
) -> Solver:
    """Return the solver of a spec; `first` has the codes of the given first guesses.

    The options are `control`, `beam` and `n_full` of `Solver`.
    """
    return Solver(
        game, candidates, history=spec.guesses_made, first=first, eligible=spec.eligible, **options
    )
