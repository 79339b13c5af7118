"""The exact search of one root: the best tree below a cost, its progress, its threads.

A `Root` is what is searched; a `Reach`, which of its trees a search considers; an `Aim`, which of
these it looks for. A search goes to other processes as plain values (`PlainSearch`): each makes a
root of them once, and keeps it. `OpeningSearch` asks for the best trees that begin with one first
guess after another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np

from ..errors import SearchStoppedError
from ..games.base import Game
from ..jit.interpreter import runs_freely
from ..tasks.run import Pool, keep_in_process
from ..tasks.work import Look
from .engine import INFINITE, Float64s, Int32s, Int64s
from .engine.canonical_state import make_group
from .engine.cost import SHARED_DEPTH, CostModel, make_cost_model
from .engine.plan import Found, check_cost, complete_plan, expand_plan
from .engine.play_rule import make_play_rule, make_rule_table, number_eligible
from .engine.problem import Search
from .engine.responses import make_response_matrix, order_by_weight
from .engine.search import (
    advance,
    bound_given,
    give_guesses,
    make_search,
    measure_guesses,
    push_root,
    read_fit,
    run_slice,
    write_fit,
)
from .engine.stack import Stack, count_done, count_nothing
from .engine.table import TranspositionTable, keep_table
from .openings import list_first, make_estimates, weigh_candidates
from .parallel.executor import DistributedSearch, ThreadedSearch
from .parallel.nodes import SearchRecords
from .parallel.worker import (
    PlainSearch,
    SearchWorker,
    WorkItem,
    WorkResult,
    make_pool,
    read_root,
)
from .request import (
    LEADING_GUESS,
    Aim,
    SearchControl,
    SearchProgress,
    SearchSpec,
    TimeBudget,
    ask_watch,
    make_look,
)

RESCUE_S = 0.3
"""For completing the best tree of a search that is ended."""

SLICE = 500
"""First guesses that are measured between two looks whether the search must end."""


class Reach(NamedTuple):
    """Which trees a search considers: all (`EXACT`), those of a beam, or all down to a depth."""

    # The most guesses of states with more than `n_full` candidates; 0: all, so that what is
    # found is proved. A beam is searched by one thread.
    beam: int = 0
    n_full: int = 0
    # After this many guesses a cell costs what is proved of it without a search: then the result is
    # a lower bound, without a plan. 0: every cell is searched.
    deepest: int = 0


EXACT = Reach()


class Root:
    """What is searched: the candidates that a spec's history leaves in a game.

    They are given in ascending order; the search has the heaviest first. `weight` is that of all.

    The spec's first guesses and its rule of play say what may be guessed. The control's threads
    compute the responses; its watch may end that.
    """

    def __init__(
        self, game: Game, candidates: Int32s, spec: SearchSpec, control: SearchControl
    ) -> None:
        self.game, self.spec, self.n = game, spec, len(candidates)
        self.candidates = order_by_weight(game.rules, candidates)
        self.weight = weigh_candidates(game, candidates)
        self.history = spec.guesses_made
        self.first = list_first(game, candidates, spec)
        self.eligible = number_eligible(game, spec.eligible)
        look = make_look(game, control, "total")
        self.matrix = make_response_matrix(game.rules, self.candidates, look, control.jobs)
        self.play_rule = make_play_rule(game, self.eligible, self.history, self.matrix)


class Solver:
    """Searches of one root, one after the other.

    `bound` is what is proved of the total by now, `counts` what was done. `incumbent` is the result
    of the last search that found a tree, available when a search is ended. It is one value, so that
    any thread may read it at any time.
    """

    def __init__(self, root: Root, control: SearchControl, reach: Reach = EXACT) -> None:
        self.root, self.control, self.reach = root, control, reach
        self.bound = 0
        self.counts = count_nothing()
        self.count(self.counts)
        self.incumbent: Found | None = None
        # Of the search under way: what a known tree costs, and what keeps its table of proofs.
        self._known = INFINITE
        self._note_proofs: Look = lambda: None
        # What was learned of costs, by the cost of a guess: the next search begins with it.
        self._fits: dict[int, Float64s] = {}

    def find_best(
        self, aim: Aim, lead: tuple[int, int] | None = None, *, keeps_table: bool = False
    ) -> Found | None:
        """Search for the tree of least cost; None if there is none below that of the aim.

        `lead` is a first guess, and what some tree that begins with it costs: it is searched before
        all others, since its least cost is their upper bound. What is found does not depend on it.
        With `keeps_table` the table of proofs stays in the folder at the end, for a later search.

        SearchStoppedError: the watch ended it; `incumbent` is the best so far, if there is one.
        """
        if self.root.n < 3:
            return self._find_small(aim)
        model, table = self.make_model(aim), self.make_table()
        # The table of a beam or of a bound is not kept.
        checkpoint = self.control.checkpoint if self.reach == EXACT else None
        name = f"{_name_aim(self.root.game, aim)}, seed {self.control.table_seed}"
        kept = keep_table(
            checkpoint, name, table.entries, self.control.budget.table_s, is_kept=keeps_table
        )
        self._known, found, stages = INFINITE, None, [(aim, self.root.first)]
        if lead is not None:
            guess, cost = lead
            leading = aim._replace(below=min(aim.limit, cost + 1), stage=LEADING_GUESS)
            stages.insert(0, (leading, (guess,)))
        with kept as self._note_proofs:
            for each, first in stages:
                if found is not None:
                    # Other first guesses of the same cost may come first.
                    self._known = found.cost
                    each = each._replace(below=found.cost + 1)
                search = self.make_search(model, table, each, self._fits.get(aim.scale))
                if first:
                    give_guesses(search, first)
                if self._search_alone(search, each):
                    self._fits[aim.scale] = read_fit(search.stack)
                    found = self._take(search, each)
                else:
                    found = self._search_together(search, each)
        return found

    def make_model(self, aim: Aim) -> CostModel:
        """Return the cost to minimise, with the bounds of all sizes."""
        root, reach = self.root, self.reach
        model = make_cost_model(
            root.n,
            root.matrix.n_responses,
            aim.scale,
            aim.last,
            aim.n_left,
            eligible=root.eligible,
            beam=reach.beam,
            n_full=reach.n_full,
            shared_depth=SHARED_DEPTH if root.game.weights is None else 0,
        )
        # Sorted by estimate, guesses give a low upper bound early; a bound has no tree, so that any
        # order will do.
        return model._replace(n_full=-1) if reach.deepest else model

    def make_table(self) -> TranspositionTable:
        """Return an empty table of proofs; a beam's results hold for a set, not for its images."""
        root, control = self.root, self.control
        return make_rule_table(
            root.game,
            root.candidates,
            root.play_rule,
            control.table_size,
            control.table_seed,
            is_symmetric=self.reach.beam == 0,
        )

    def make_search(
        self, model: CostModel, table: TranspositionTable, aim: Aim, fit: Float64s | None = None
    ) -> Search:
        """Return the arrays of a thread, the root in the first frame."""
        root = self.root
        group = make_group(root.game.rules)
        search = make_search(
            root.matrix, group, model, table, root.history, aim.n_left, aim.limit, root.play_rule
        )
        search.stack.control.deepest = self.reach.deepest
        if fit is not None:
            write_fit(search.stack, fit)
        return search

    def _search_alone(self, search: Search, aim: Aim) -> bool:
        """Search with one thread; False if there is work for more."""
        budget = self.control.budget
        start, pace, stack = time.monotonic(), budget.make_pace(), search.stack
        try:
            while not run_slice(search, pace):
                if self._has_help and time.monotonic() - start > budget.alone_s:
                    return False
                has_tree = stack.frames.has_incumbent[1]
                best = int(stack.frames.upper_bound[1]) if has_tree else INFINITE
                self._report(aim, _bound_alone(stack), best, int(stack.control.n_states))
        except BaseException:
            with suppress(SearchStoppedError):
                self._take(search, aim, _end_after(RESCUE_S))
            raise
        finally:
            self.count(count_done(search.stack))
        return True

    @property
    def _has_help(self) -> bool:
        """Whether more than this thread may search; what is interpreted has one."""
        is_shared = self.control.jobs > 1 or self.control.workers is not None
        return self.reach == EXACT and is_shared and runs_freely(advance)

    def _search_together(self, search: Search, aim: Aim) -> Found | None:
        """Let others try the root's guesses that one thread has left."""
        control, model, records = self.control, search.model, None
        budget, anything = control.budget, Aim(aim.left, None, aim.scale, aim.last)
        worker = SearchWorker(search, budget.make_pace())
        root = read_root(worker, aim.limit)
        if control.workers is not None and control.checkpoint is not None:
            name = _name_aim(self.root.game, aim)
            is_lead = aim.stage == LEADING_GUESS
            records = SearchRecords(control.checkpoint, name, budget, is_lead=is_lead)

        def make_more() -> Search:
            return self.make_search(model, search.table, anything, read_fit(search.stack))

        shared: ThreadedSearch | DistributedSearch
        if control.workers is None:
            shared = ThreadedSearch(root, search, make_more, control.jobs, budget)
        else:
            # Threads of this process use the table that is here; others make one of their own.
            run_item = (
                make_pool(make_more)
                if control.workers.share_memory
                else partial(run_work_item, self.make_plain(anything))
            )
            shared = DistributedSearch(root, worker, control.workers, run_item, records, budget)

        def look() -> None:
            self._report(aim, *shared.assess(), shared.counts["states"])

        try:
            shared.run(look)
        except BaseException:
            with suppress(SearchStoppedError):
                self._keep(search, aim, root.incumbent, root.plan, _end_after(RESCUE_S))
            raise
        finally:
            self.count(shared.counts)
            self._fits[aim.scale] = read_fit(search.stack)
        return self._keep(search, aim, root.incumbent, root.plan, others=shared.searches[1:])

    def make_plain(self, aim: Aim) -> PlainSearch:
        """Return the search in the form that tasks carry."""
        root = self.root
        spec = SearchSpec(eligible=root.spec.eligible, history=root.spec.history)
        return PlainSearch.of(root.game, root.candidates, spec, aim, self.control)

    def _take(self, search: Search, aim: Aim, look: Look | None = None) -> Found | None:
        """Keep the tree that the first frame has found, and return it."""
        frames = search.stack.frames
        if not frames.has_incumbent[1]:
            return None
        plan = search.stack.plans[1, 0, : self.root.n - 1].copy()
        return self._keep(search, aim, int(frames.upper_bound[1]), plan, look)

    def _keep(
        self,
        search: Search,
        aim: Aim,
        cost: int,
        plan: Int32s | None,
        look: Look | None = None,
        others: Sequence[Search] = (),
    ) -> Found | None:
        """Complete a plan, check what it costs, keep and return it.

        `look` is called meanwhile; None: the progress is reported. The `others` are searches of
        threads that have ended.
        """
        if plan is None:
            return None
        root, found = self.root, Found(cost, plan)
        if not self.reach.deepest:
            everything = np.arange(root.n, dtype=np.int32)
            pace = self.control.budget.make_pace()
            # A search that ended by itself has proved that nothing costs less.
            look = look or partial(self._report, aim, cost, cost, 0)
            complete_plan(search, everything, (), plan, pace, look, others)
            model, left = search.model, int(search.stack.frames.left[0])
            check_cost(root.game, root.candidates, found, left, model.scale, model.last)
        self.incumbent = found
        return found

    def count(self, done: dict[str, int]) -> None:
        """Add work that was done: to the search's own counts, and to those of the log."""
        self.counts = {name: number + done[name] for name, number in self.counts.items()}
        if self.control.log is not None:
            self.control.log.count(done)

    def _find_small(self, aim: Aim) -> Found | None:
        """Return the result for one or two candidates: the first of the best guesses is made."""
        root, codes = self.root, self.root.candidates.tolist()
        weights = [1] * root.n if root.game.weights is None else root.game.weights[codes].tolist()

        def measure(guess: int) -> int:
            # A first guess that tells the two apart may be neither of them.
            own = weights[codes.index(guess)] if guess in codes else 0
            cost = (2 * root.weight - own) * aim.scale
            late = root.weight - own if aim.n_left == 2 else own
            return cost + (late * aim.last if aim.n_left in (1, 2) else 0)

        guess = min(root.first or codes, key=measure)
        if measure(guess) >= aim.limit or aim.n_left < root.n:
            return None
        self.incumbent = Found(measure(guess), np.array([guess], dtype=np.int32))
        return self.incumbent

    def look(self) -> None:
        """Report progress to the watch; raise SearchStoppedError if it ends the search."""
        progress = SearchProgress("total", self.bound, None, self.counts["states"])
        ask_watch(self.root.game, self.control, progress)

    def _report(self, aim: Aim, bound: int, best: int, n_states: int) -> None:
        """Report the progress to the watch; raise SearchStoppedError if it ends the search.

        `bound` is what is proved of the root's cost, `best` the least cost found, `n_states` the
        states of this search.
        """
        best = min(best, self._known)
        found = best // aim.scale if best < INFINITE else None
        # The impossible has no bound worth reporting; one first guess proves nothing of others.
        is_bound = bound < INFINITE and aim.stage != LEADING_GUESS
        bound = max(self.bound, bound // aim.scale if is_bound else 0)
        if aim.stage == "total":
            self.bound = bound
        progress = SearchProgress(aim.stage, bound, found, self.counts["states"] + n_states)
        ask_watch(self.root.game, self.control, progress)
        self._note_proofs()


def make_solver(
    game: Game,
    candidates: Int32s,
    spec: SearchSpec,
    control: SearchControl,
    reach: Reach = EXACT,
) -> Solver:
    """Return the solver of some candidates of a game; the watch may end the preparation."""
    return Solver(Root(game, candidates, spec, control), control, reach)


def run_work_item(plain: PlainSearch, item: WorkItem, budget: TimeBudget) -> WorkResult:
    """Do a work item in this process, with what it keeps of the search.

    The result of a guess does not depend on the time; how many guesses are tried does.
    """
    return _find_pool(plain)(item, budget)


def find_below(plain: PlainSearch, code: int, below: int) -> tuple[Found | None, dict[str, int]]:
    """Search below a first guess in this process, with what it keeps of the search.

    With the tree, if one costs less, comes the work done.
    """
    with _find_openings(plain).lend() as mine:
        found = mine.find(code, below)
        if found is not None:
            mine.complete(found.plan)
        return found, mine.count_new()


@keep_in_process(1)
def _find_pool(plain: PlainSearch) -> Callable[[WorkItem, TimeBudget], WorkResult]:
    solver = _make_solver_of(plain)
    model, table = solver.make_model(plain.aim), solver.make_table()
    return make_pool(partial(solver.make_search, model, table, plain.aim))


@keep_in_process(1)
def _find_openings(plain: PlainSearch) -> Pool[OpeningSearch]:
    search = OpeningSearch(_make_solver_of(plain))
    return Pool(search.share, search)


def _make_solver_of(plain: PlainSearch) -> Solver:
    size, seed = plain.table
    control = SearchControl(table_size=size, table_seed=seed)
    # The same state with another aim has the same responses.
    return Solver(_find_root(plain._replace(aim=Aim())), control)


@keep_in_process(1)
def _find_root(plain: PlainSearch) -> Root:
    return Root(*plain.restore(), plain.spec, SearchControl())


class OpeningSearch:
    """One thread's search below one first guess after another, each below a cost.

    The solver's watch ends the search. `left` guesses are allowed; None: any number. The search of
    one more thread is made `like` another one: all know what one has proved. No eligible first
    guess has more than `most` cells, the winning one not counted.
    """

    def __init__(
        self, solver: Solver, left: int | None = None, like: OpeningSearch | None = None
    ) -> None:
        self.solver, self.aim = solver, Aim(left)
        self.pace = solver.control.budget.make_pace()
        if like is None:
            model, table = solver.make_model(self.aim), solver.make_table()
            self.search: Search = solver.make_search(model, table, self.aim)
            self.most: int = bound_given(self.search, 0, -1)
        else:
            self.search = solver.make_search(like.search.model, like.search.table, self.aim)
            self.most = like.most
        self._counted = count_done(self.search.stack)

    def share(self) -> OpeningSearch:
        """Return the search of one more thread."""
        return OpeningSearch(self.solver, self.aim.left, self)

    def measure(self, codes: Int32s, values: Int64s) -> Int64s:
        """Return the sum of the values of each guess's cells; -1 if it leaves one cell.

        `values`, int64[n_candidates + 1], has the value of a cell of each size; the winning cell
        does not count. See `measure_guesses` for games with weights.
        """
        matrix = self.search.matrix
        sums = np.empty(len(codes), dtype=np.int64)
        sizes = np.zeros(matrix.n_responses, dtype=np.int64)
        for first in range(0, len(codes), SLICE):
            self.solver.look()
            part = slice(first, first + SLICE)
            weights = matrix.weights.full
            measure_guesses(matrix.by_guess, weights, codes[part], values, sizes, sums[part])
        return sums

    def rank(self, codes: Int32s) -> Int32s:
        """Return the guesses that gain information, those first whose cells likely cost least."""
        sums = self.measure(codes, make_estimates(self.solver.root.game, self.solver.root.n))
        order = np.lexsort((codes, sums))
        return codes[order[sums[order] >= 0]]

    def find(self, code: int, below: int) -> Found | None:
        """Return the best tree after a first guess; None if none costs less than `below`.

        Its plan is to be completed, see `complete`.
        """
        search, n = self.search, self.solver.root.n
        push_root(search.stack, n, self.aim.n_left, below)
        give_guesses(search, (code,), self.most)
        while not run_slice(search, self.pace):
            self.solver.look()
        frames = search.stack.frames
        if not frames.has_incumbent[1]:
            return None
        return Found(int(frames.upper_bound[1]), search.stack.plans[1, 0, : n - 1].copy())

    def find_lengths(self, code: int, below: int) -> tuple[int, list[int]] | None:
        """Return the least total after a first guess, and the secrets found at guess 1, 2, 3 ….

        None: it is not below the cost.
        """
        found, root = self.find(code, below), self.solver.root
        if found is None:
            return None
        self.complete(found.plan)
        return found.cost, expand_plan(root.game, root.candidates, found.plan).share_histogram

    def count_new(self) -> dict[str, int]:
        """Return the work done since the last call."""
        before, self._counted = self._counted, count_done(self.search.stack)
        return {name: number - before[name] for name, number in self._counted.items()}

    def complete(self, plan: Int32s) -> None:
        """Complete a plan in place: with the guesses that the search did not have to know."""
        everything = np.arange(self.solver.root.n, dtype=np.int32)
        complete_plan(self.search, everything, (), plan, self.pace, self.solver.look)


def _end_after(seconds: float) -> Look:
    """Return a look that ends things after some time."""
    end_s = time.monotonic() + seconds

    def look() -> None:
        if time.monotonic() > end_s:
            raise SearchStoppedError("the time is over")

    return look


def _bound_alone(stack: Stack) -> int:
    """Return the root's lower bound that one thread has proved: the least bound left to try."""
    frames = stack.frames
    at = int(frames.next_guess[1])
    if at == 0:
        return 0
    bounds = stack.lower_bounds[1, at - 1 : frames.n_guesses[1]]
    return min(int(bounds.min()), int(frames.upper_bound[1]))


def _name_aim(game: Game, aim: Aim) -> str:
    """Return the name of a search among those for one root, with and without its weights."""
    weighted = "" if game.weights is None else "by weight, "
    return f"{weighted}left {aim.left or 0}, scale {aim.scale}, last {aim.last}"
