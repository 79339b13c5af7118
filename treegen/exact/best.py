"""Near-optimal trees: greedy ones, beams of growing width, bounds, and an exact proof.

The proof goes on beside the beams, or after them until the gap is as small as was asked for. By a
rule of play the last beam is as wide as all guesses, and so the proof.

"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._process import announce_saving
from ..errors import SearchStoppedError, UsageError
from ..games import Game, is_rule_of_play, resolve_eligible
from ..strategies import join_names, name_search
from ..tasks import (
    DaemonExecutor,
    Workers,
    describe_work,
    open_checkpoint,
    run_growing,
    run_together,
    yield_ended,
)
from ..tree import Provenance, Tree
from .beam import N_OPENINGS, Folder, KnownTrees, describe_cell, open_beam_folder, search_cells
from .engine.canonical_state import make_canonizer, make_group
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model, make_estimates
from .engine.deferred_plan import complete_plan
from .engine.lookahead import look_ahead
from .engine.pace import ItemTime, TimeBudget
from .engine.problem import Search
from .engine.responses import FEW_RESPONSES, make_response_matrix, make_scratch
from .engine.search import (
    find_most_cells,
    give_opening,
    make_search,
    measure_guesses,
    run_slice,
)
from .engine.stack import count_done
from .engine.table import make_table
from .first_guesses import generate_greedy_trees, list_first, make_first_tree
from .openings import (
    Cell,
    Look,
    bound_by_size,
    list_openings,
    make_size_costs,
    measure_openings,
    split_by,
)
from .parallel import Guesses, PlainSearch, WorkItem, make_plain_search, run_work_item
from .plan import Found, TreeColumns, expand_plan
from .request import (
    LARGEST_BEAM,
    Monitor,
    SearchControl,
    SearchLog,
    SearchProgress,
    SearchSpec,
    Watch,
    is_weighted,
)
from .solver import BestGuess, Solver, make_solver
from .weighted.beam import BeamRecord
from .weighted.search import WeightedSearch

DEFAULT_BEAM = 8
"""Default width of the beam, without a time limit."""

LOOK_S = 0.05
"""Time between two looks at a proof."""

MAX_BEAM = 1024
"""Width at which a search without a given width ends in any case."""

OPENINGS_PER_WIDTH = 10
"""With many responses a beam of width w searches below so many times w first guesses."""

Measure = Callable[[NDArray[np.int32], NDArray[np.int64]], NDArray[np.int64]]
"""What `measure_openings` returns for openings and values."""

EARLY_WIDTH = 4
"""Width up to which a beam precedes the proof of a lower bound: first a good tree."""


def search_near_optimal(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    log: SearchLog,
) -> Tree:
    """Return the best tree that beams find, with a proved bound; see `run_search`."""
    begin = partial(
        log.start,
        game,
        "best",
        spec.history,
        first=list(spec.first),
        beam=spec.beam,
        look_ahead=spec.look_ahead,
        jobs=control.jobs,
    )
    if is_weighted(game):
        begin()
        control = replace(control, log=log, watch=log.listen(control.watch))
        return _search_weighted(game, candidates, spec, control, log)
    begin(gap=spec.gap)
    eligible = resolve_eligible(game, spec.eligible)
    if is_rule_of_play(eligible):
        if control.folder is not None or control.workers is not None:
            raise UsageError(
                f"best with eligible={eligible} begins anew each time, on one machine; `resume` and"
                " `scheduler` are for optimal"
            )
        return search_best_legal(game, candidates, spec, control, log)
    if spec.gap is not None and spec.beam is None:
        # The widest beams take longer than the proof, which begins after them.
        spec = replace(spec, beam=DEFAULT_BEAM)
    with open_beam_folder(game, spec, control), keep_proof(game, spec, control) as kept:
        return _widen_until_stopped(game, candidates, spec, kept, log)


def _widen_until_stopped(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    log: SearchLog,
) -> Tree:
    """Return the best tree of beams that grow, until the widest is done or the watch ends it."""
    monitor = Monitor(log.listen(control.watch), bound=bound_by_size(game, len(candidates)))
    search = NearOptimalSearch(game, candidates, spec, monitor, replace(control, log=log), log)
    last_width = spec.beam or (MAX_BEAM if control.watch else DEFAULT_BEAM)
    outcome = "widest beam done" if spec.gap is None else "gap proved"
    try:
        monitor.run(lambda: search.run(last_width, spec.look_ahead))
        if spec.gap is not None:
            monitor.run(search.prove_gap)
        if search.bound == search.trees.total():
            outcome = "proved"
    except SearchStoppedError:
        outcome = "stopped"
    except KeyboardInterrupt:
        outcome = "stopped"
        announce_saving("the best tree so far")
    search.trees.save()
    tree = search.trees.make_tree(search.bound, f"beam={spec.beam or 'until stopped'}")
    log.settings["first_guess"] = int(tree.guess[0])
    log.settings["widths"] = search.trees.widths()
    log.end(outcome, tree.provenance.bound, tree.total)
    return tree


def _search_weighted(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    log: SearchLog,
) -> Tree:
    """Return the best tree of a game with weights, costs, questions or the goal to identify."""
    if control.workers is not None:
        raise UsageError(
            "with weights, costs, questions or the goal to identify, best searches in one thread:"
            " `scheduler` is for optimal there"
        )
    monitor = Monitor(control.watch or (lambda _: False))
    search = WeightedSearch(game, candidates, spec, monitor, control)
    last_width = spec.beam or (LARGEST_BEAM if control.watch else DEFAULT_BEAM)
    with open_beam_folder(game, spec, control) as folder:
        search.record = BeamRecord(search.beam, folder, control.budget.record_s)
        try:
            monitor.run(lambda: search.run_beams(last_width))
        except SearchStoppedError:
            pass
        except KeyboardInterrupt:
            announce_saving("the best tree so far")
        if search.proved.n_ahead >= 0:
            search.save()
    tree = min(search.list_trees(), key=lambda tree: tree.total)
    given = f"first={join_names(spec.first)}; " if spec.first else ""
    rule, bound = f"{given}beam={spec.beam or 'until stopped'}", search.read_bound()
    log.counts = search.counts
    log.end("proved" if bound == tree.total else "stopped", bound, tree.total)
    name = name_search("best", spec.first)
    return replace(tree, provenance=Provenance(name, rule, spec.history, spec.objective, bound))


class NearOptimalSearch:
    """A near-optimal search: its trees, its proved bound, and the steps that improve both.

    Parameters
    ----------
    game, candidates
        The game, and the codes that are possible at the root, ascending.
    spec, control
        What is searched; how it is carried out.
    monitor
        Told of the progress; it ends the search.
    log
        Where the work is counted.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        monitor: Monitor,
        control: SearchControl,
        log: SearchLog,
    ) -> None:
        self.game, self.candidates, self.spec, self.log = game, candidates, spec, log
        self.history, self.guesses_made = spec.history, spec.guesses_made
        self.first = list_first(game, candidates, spec)
        self.monitor, self.control = monitor, control
        self.jobs, self.workers = control.jobs, control.workers
        self.bound = bound_by_size(game, len(candidates))
        self.proof: Proof | None = None
        self.trees = KnownTrees(
            game,
            candidates,
            spec,
            self.first,
            _find_folder(control),
            self.watch_beam,
            self.workers,
            log,
        )

    def run(self, last_width: int, look_ahead: int | None) -> None:
        """Search to the end; SearchStoppedError where the monitor ends it."""
        for tree in generate_greedy_trees(
            self.game, self.history, first=self.first, jobs=self.jobs, halt=self.monitor.halt
        ):
            self.trees.offer(tree)
            self.check("rules")
        if self.game.n_responses > FEW_RESPONSES:
            self.sweep(last_width)
            return
        openings, size_bounds = self.rank_openings()
        for guess in openings[:N_OPENINGS]:
            self.trees.open(int(guess)).widen(1, self.jobs)
        self.widen(2, min(EARLY_WIDTH, last_width))
        n_ahead = look_ahead
        if n_ahead is None:
            n_ahead = choose_depth(self.game, len(openings), len(self.candidates))
        for bound in bound_openings(
            self.game,
            self.candidates,
            openings,
            size_bounds,
            self.guesses_made,
            n_ahead,
            self.watch_bound,
            lambda: self.check("bound"),
            self.jobs,
            self.workers,
            self.log,
        ):
            self.bound = max(self.bound, bound)
        if (
            self.spec.beam is None
            and self.control.watch
            and fits_beside(self.game, self.candidates)
        ):
            self.prove_beside(lambda: self.widen(2 * EARLY_WIDTH, last_width))
        else:
            self.widen(2 * EARLY_WIDTH, last_width)

    def prove_beside(self, improve: Callable[[], None]) -> None:
        """Widen beams as long as the time allows, and prove the total beside, which may end both.

        Without a clock there is nothing beside: the tree must not depend on who is faster.
        """
        beside = replace(self.control, jobs=max(1, self.jobs - 1))
        self.proof = self._make_proof(beside, self.watch_proof)
        pool = DaemonExecutor(1)
        future = pool.submit(self.proof.run, self.trees.total())
        try:
            try:
                improve()
            except SearchStoppedError:
                if self.monitor.halt.is_called or not self.proof.is_done:
                    raise
            while not wait([future], LOOK_S).done:
                self.check("proof")
        finally:
            self.proof.stop()
            pool.abandon()
        self.adopt_proof(future.result())

    def _make_proof(self, control: SearchControl, watch: Watch) -> Proof:
        return Proof(self.game, self.candidates, self.guesses_made, self.first, control, watch)

    def prove_gap(self) -> None:
        """Prove that no tree is better than the gap allows, or find one: then it is the best."""
        bound = find_least_bound(self.trees.total(), self.spec.gap or 0)
        if bound <= self.bound:
            return
        proof = self._make_proof(self.control, self.watch_gap)
        try:
            found = proof.run(bound)
        except SearchStoppedError:
            if proof.incumbent is not None:
                self.trees.adopt(proof.incumbent)
            raise
        if found is None:
            self.bound = bound
        else:
            self.adopt_proof(found)

    def adopt_proof(self, found: Found | None) -> None:
        """Take the tree of a complete proof, if it is better than the best one: then it is best."""
        if found is not None:
            self.trees.adopt(found)
        self.bound = self.trees.total()

    def watch_proof(self, progress: SearchProgress) -> bool:
        """Take the bound that the proof has by now; return whether it must end."""
        self.bound = min(max(self.bound, progress.bound), self.trees.total())
        return self.monitor.halt.is_called

    def watch_gap(self, progress: SearchProgress) -> bool:
        """Take the bound of a proof that others wait for; return whether it must end."""
        self.watch_proof(progress)
        return self.monitor(
            SearchProgress("proof", self.bound, self.trees.total(), progress.n_states)
        )

    def rank_openings(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the first guesses that split the candidates, the best estimate first.

        They are the given ones, if any. Each comes with a lower bound of its cells' cost, by size.
        """

        def measure(openings: NDArray[np.int32], values: NDArray[np.int64]) -> NDArray[np.int64]:
            return measure_openings(
                self.game, self.candidates, openings, values, lambda: self.check("openings")
            )

        return self._rank(measure, self.game.n_responses)

    def _rank(self, measure: Measure, most: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return what `rank_openings` does, if no guess has more than `most` cells in all."""
        n = len(self.candidates)
        given = np.array(self.first, dtype=np.int32)
        openings = given if self.first else list_openings(self.game, self.guesses_made)
        estimates, size_bounds = (
            measure(openings, values) for values in (make_estimates(n), make_size_costs(n, most))
        )
        ranked = np.lexsort((np.arange(len(openings)), estimates))
        ranked = ranked[estimates[ranked] >= 0]
        self.bound = max(self.bound, n + int(size_bounds[ranked].min()))
        return openings[ranked], size_bounds[ranked]

    def sweep(self, last_width: int) -> None:
        """Search below the most promising first guesses, one after the other."""
        sweep = Sweep(
            self.game,
            self.candidates,
            self.guesses_made,
            lambda: self.check("first guesses"),
            self.log.count,
        )
        openings = self._rank(sweep.measure, sweep.most + 1)[0].tolist()
        # Until a watch ends it: a width that is given is only ever a width.
        is_open = self.spec.beam is None and self.control.watch is not None
        n_tried = len(openings) if is_open else OPENINGS_PER_WIDTH * last_width
        sweep.run(openings[:n_tried], self.trees.total(), self.trees.adopt, self.jobs, self.workers)
        if n_tried >= len(openings):
            self.bound = self.trees.total()
        self.check("first guesses")

    def widen(self, width: int, last_width: int) -> None:
        """Widen the best beam step by step; keep its trees."""
        best = self.trees.find_best_beam()
        while best is not None and width <= last_width:
            best.widen(width, self.jobs)
            self.check(f"beam {width}")
            self.trees.save()
            width *= 2

    def check(self, stage: str) -> None:
        """Report the progress of the search; raise SearchStoppedError if it must end."""
        self.monitor.check(stage, self.bound, self.trees.total())
        if stage.startswith("beam") and self.proof is not None and self.proof.is_done:
            raise SearchStoppedError("the best tree is known: nothing is left to improve")

    def watch_beam(self, progress: SearchProgress) -> bool:
        """Report the progress of a beam; return whether it must end."""
        is_proved = self.proof is not None and self.proof.is_done
        told = SearchProgress(progress.stage, self.bound, self.trees.total(), progress.n_states)
        return self.monitor(told) or is_proved

    def watch_bound(self, progress: SearchProgress) -> bool:
        """Report the progress of the search for a bound; return whether it must end."""
        return self.monitor(
            SearchProgress("bound", self.bound, self.trees.total(), progress.n_states)
        )


def _find_folder(control: SearchControl) -> Folder | None:
    """Return the folder that keeps the cells, and the function to call for damaged files."""
    if control.folder is None:
        return None
    return control.folder, control.notice or (lambda _: None)


SLICE = 500
"""First guesses that are measured between two calls of `look`."""


class Sweep:
    """A sweep: one first guess after the other is searched exactly, below the best total so far.

    With many responses most states are small, so that the search below a first guess takes a
    fraction of a second: quicker than a beam, and nothing is left to improve there. After all
    first guesses the best tree is proved to be optimal.

    Parameters
    ----------
    game, candidates, history
        As for `Solver`.
    look
        Called now and then, by several threads; it may raise.
    count
        Called with the work that was done.

    Attributes
    ----------
    most
        No guess has more cells, the winning one not counted.
    done
        How many of the first guesses are searched, from the first one on.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        history: tuple[int, ...],
        look: Look,
        count: Callable[[dict[str, int]], None],
    ) -> None:
        self.game, self.candidates, self.history = game, candidates, history
        self.look, self.count, self.n = look, count, len(candidates)
        matrix = make_response_matrix(game, candidates, look)
        model = make_cost_model(self.n, matrix.n_responses)
        table = make_table(make_canonizer(game, candidates))
        self.search = make_search(matrix, make_group(game), model, table, history, UNLIMITED)
        self.most = find_most_cells(self.search, self.n, UNLIMITED)
        self.done = 0
        self._taken = 0
        self._lock = threading.Lock()

    def measure(self, openings: NDArray[np.int32], values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what `measure_openings` does."""
        matrix = self.search.matrix
        sums = np.empty(len(openings), dtype=np.int64)
        sizes = np.zeros(matrix.n_responses, dtype=np.int64)
        for first in range(0, len(openings), SLICE):
            self.look()
            part = slice(first, first + SLICE)
            measure_guesses(matrix.by_guess, openings[part], values, sizes, sums[part])
        return sums

    def run(
        self,
        openings: list[int],
        total: int,
        adopt: Callable[[Found], None],
        jobs: int = 1,
        workers: Workers | None = None,
    ) -> None:
        """Search below the openings, in their order.

        Of equal totals the first opening's is the last to be adopted, whatever the threads do.

        Parameters
        ----------
        openings
            First guesses that gain information.
        total
            Of the best tree known: only better ones are looked for.
        adopt
            Called with the tree below an opening, each better than the last.
        jobs, workers
            Threads, or workers that search instead of them.
        """
        self.openings, self.best, self.adopt = openings, BestGuess(total, -1), adopt
        if workers is not None:
            self._run_elsewhere(workers)
            return
        others = [self._share() for _ in range(1, min(jobs, len(openings)))]
        searches = (self.search, *others)
        try:
            run_together([partial(self._work, each) for each in searches])
        finally:
            for search in searches:
                self.count(count_done(search.stack))

    def _run_elsewhere(self, workers: Workers) -> None:
        """Have workers search below the openings."""
        model = self.search.model
        plain = make_plain_search(self.game, self.candidates, self.history, UNLIMITED, model)
        everything = np.arange(self.n, dtype=np.int32)
        no_limit = replace(TimeBudget(), remote=ItemTime.until_done())

        def find_next() -> tuple[int, tuple[PlainSearch, WorkItem, TimeBudget]] | None:
            task = self._take()
            if task is None:
                return None
            place, below = task
            code = np.array([self.openings[place]], dtype=np.int32)
            guesses = Guesses(code, np.zeros(1, dtype=np.int64), self.most)
            return place, (plain, WorkItem(everything, (), below, guesses), no_limit)

        for place, result in run_growing(workers, run_work_item, find_next, self.look):
            self.done += 1
            self.count(result.counts)
            if result.found is not None:
                self._offer(self.search, BestGuess(result.found[0], place), result.found[2])

    def _offer(self, search: Search, best: BestGuess, plan: NDArray[np.int32]) -> None:
        """Adopt a tree if it is better, or as good at an earlier place.

        The search is the calling thread's own: its stack is used, and others are busy with theirs.
        """
        if best < self.best:
            everything = np.arange(self.n, dtype=np.int32)
            complete_plan(search, everything, (), plan, TimeBudget().make_pace(), self.look)
            self.best = best
            self.adopt(Found(best.cost, plan))

    def _share(self) -> Search:
        """Return the search of one more thread."""
        first = self.search
        return make_search(
            first.matrix, first.group, first.model, first.table, self.history, UNLIMITED
        )

    def _take(self) -> tuple[int, int] | None:
        """Return the place of the next opening and the cost to get below; None at the end."""
        with self._lock:
            place = self._taken
            if place == len(self.openings):
                return None
            self._taken += 1
            return place, self.best.below_at(place)

    def _work(self, search: Search) -> None:
        """Search openings until all are done."""
        pace = TimeBudget().make_pace()
        while (task := self._take()) is not None:
            place, below = task
            self.look()
            give_opening(search, self.openings[place], self.n, UNLIMITED, below, self.most)
            while not run_slice(search, pace):
                self.look()
            self._keep(search, place)

    def _keep(self, search: Search, place: int) -> None:
        """Keep a result if it is better, or as good at an earlier place."""
        frames = search.stack.frames
        with self._lock:
            self.done += 1
            if not frames.has_incumbent[1]:
                return
            plan = search.stack.plans[1, 0, : self.n - 1].copy()
            self._offer(search, BestGuess(int(frames.upper_bound[1]), place), plan)


N_FULL = 8
"""States of so many candidates try all guesses."""

PROVED = 0
"""As a width: all guesses, so that the result is proved."""


def search_best_legal(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    log: SearchLog,
) -> Tree:
    """Return the best tree that a time limit or a width of beam allows.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible after the history, at least three, ascending.
    spec
        What to search: eligible guesses, history, first guesses, beam.
    control
        How it is carried out. A watch ends the search; there is a complete tree from the beginning.
    log
        The log, in which the search was started.

    Returns
    -------
    Tree
        Its provenance carries the proved lower bound of the total: the total itself where the
        search came to its end.
    """
    monitor = Monitor(log.listen(control.watch), bound=bound_by_size(game, len(candidates)))
    search = _Search(game, candidates, spec, control, monitor)
    outcome = "widest beam done"
    try:
        monitor.run(lambda: search.run(list_widths(spec.beam, ends=control.watch is not None)))
    except SearchStoppedError:
        outcome = "stopped"
    except KeyboardInterrupt:
        outcome = "stopped"
        announce_saving("the best tree so far")
    tree = search.make_tree()
    log.end("proved" if tree.provenance.bound == tree.total else outcome, search.bound, tree.total)
    return tree


def list_widths(beam: int | None, *, ends: bool) -> list[int]:
    """Return the widths to search, up to the given one; `ends`: whether a watch ends the search.

    Examples
    --------
    >>> list_widths(5, ends=True), list_widths(None, ends=False), list_widths(None, ends=True)
    ([1, 2, 4, 5], [1, 2, 4, 8], [1, 2, 4, 8, 0])
    """
    widest = beam or DEFAULT_BEAM
    widths = [1 << i for i in range(widest.bit_length()) if 1 << i < widest] + [widest]
    return [*widths, PROVED] if beam is None and ends else widths


class _Search:
    """A near-optimal search: another thread may take its best tree at any time."""

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        control: SearchControl,
        monitor: Monitor,
    ) -> None:
        self.game, self.candidates, self.spec = game, candidates, spec
        self.control, self.monitor = control, monitor
        self.first = list_first(game, candidates, spec)
        self.bound = bound_by_size(game, len(candidates))
        first = make_first_tree(game, candidates, spec.history, self.first)
        self.columns, self.rule = TreeColumns.of(first), first.provenance.rule
        self.solver: Solver | None = None
        self.width = PROVED

    def run(self, widths: list[int]) -> None:
        """Search to the end; SearchStoppedError where the monitor ends it."""
        spec = self.spec
        for tree in generate_greedy_trees(
            self.game,
            spec.history,
            first=self.first,
            eligible=spec.eligible,
            jobs=self.control.jobs,
            halt=self.monitor.halt,
        ):
            if tree.total < self.columns.total:
                self.columns, self.rule = TreeColumns.of(tree), self.name_rule(tree)
            self.monitor.check("rules", self.bound, self.columns.total)
        control = replace(self.control, watch=self.watch)
        self.solver = solver = make_solver(
            self.game, self.candidates, spec, self.first, control=control, n_full=N_FULL
        )
        for self.width in widths:
            solver.beam = self.width
            solver.stage = f"beam {self.width}" if self.width else "total"
            # Below the total: an equal tree is no better than the one found.
            solver.find_best(UNLIMITED, self.columns.total)
            self.take()
            if self.width == PROVED:
                self.bound = self.columns.total
            self.monitor.check(solver.stage, self.bound, self.columns.total)

    def name_rule(self, tree: Tree) -> str:
        """Return how a greedy tree came about, and the rule of play that it keeps to."""
        rule = tree.provenance.rule
        if rule.startswith(f"eligible={self.spec.eligible};"):
            return rule
        return f"eligible={self.spec.eligible}; most parts among the candidates"

    def watch(self, progress: SearchProgress) -> bool:
        """Report the progress of a search; return whether it must end."""
        self.bound = max(self.bound, progress.bound if self.width == PROVED else 0)
        total = self.columns.total
        best = total if progress.best is None else min(total, progress.best)
        return self.monitor(replace(progress, bound=self.bound, best=best))

    def take(self) -> None:
        """Keep the tree that the solver has found if it is the best."""
        found = None if self.solver is None else self.solver.incumbent
        if found is None or found.cost >= self.columns.total:
            return
        self.columns = expand_plan(self.game, self.candidates, found.plan)
        given = f"; first={join_names(self.spec.first)}" if self.first else ""
        width = f"beam={self.width}" if self.width else "search of all guesses"
        self.rule = f"eligible={self.spec.eligible}{given}; {width}"

    def make_tree(self) -> Tree:
        """Return the best tree."""
        self.take()
        name = name_search("best", self.spec.first, self.spec.eligible)
        provenance = Provenance(name, self.rule, self.spec.history, "total", self.bound)
        return Tree(self.game, provenance, *self.columns)


MAX_BYTES = 1 << 30
"""Response matrices above this size are not made beside a beam, which needs far less memory."""


def fits_beside(game: Game, candidates: NDArray[np.int32]) -> bool:
    """Return whether the exact search of a game takes little enough memory to go on beside."""
    return 2 * game.n_codes * len(candidates) <= MAX_BYTES


class Proof:
    """The exact search of one game below a total.

    Beside a near-optimal search, its bound rises meanwhile, and its end is that of both. After one,
    it shows that no tree is much better.

    Parameters
    ----------
    game, candidates, history, first
        As for `Solver`.
    control
        Jobs, workers, log, table and checkpoint count.
    watch
        Called with its progress; True ends the search.

    Attributes
    ----------
    is_done
        Whether it came to its end.
    incumbent
        The best tree that it found before its end, if it was ended.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        history: tuple[int, ...],
        first: tuple[int, ...],
        control: SearchControl,
        watch: Watch,
    ) -> None:
        self._stopped = threading.Event()
        self.is_done = False
        self.incumbent: Found | None = None
        control = replace(
            control,
            watch=lambda progress: self._stopped.is_set() or watch(progress),
        )
        self._make_solver = partial(
            Solver, game, candidates, history=history, first=first, control=control
        )

    def run(self, total: int) -> Found | None:
        """Return the best tree if it has a total below the given one.

        Raises
        ------
        SearchStoppedError
            The watch ended it.
        """
        solver = self._make_solver()
        try:
            found = solver.find_best(UNLIMITED, total)
        finally:
            self.incumbent = solver.incumbent
        self.is_done = True
        return found

    def stop(self) -> None:
        """End the search soon."""
        self._stopped.set()


FOLDER = "proof"
"""Where the table of proofs is, in the folder that keeps the cells of a near-optimal search."""


def find_least_bound(total: int, gap: float) -> int:
    """Return the least bound of which a total is within so many percent.

    Examples
    --------
    >>> find_least_bound(178368, 1)
    176602
    >>> find_least_bound(5625, 0)
    5625
    """
    return ceil(total * 100 / (100 + Fraction(gap)))


@contextmanager
def keep_proof(game: Game, spec: SearchSpec, control: SearchControl) -> Iterator[SearchControl]:
    """Open the folder of the table of proofs, if a gap is to be proved and a folder is given."""
    if spec.gap is None or control.folder is None:
        yield control
        return
    work = describe_work(game.digest_name, f"gap; {spec.rule}", spec.history)
    folder = Path(control.folder) / FOLDER
    with open_checkpoint(folder, work, control.notice) as checkpoint:
        yield replace(control, checkpoint=checkpoint, keeps_table=True)


BY_SIZE, BY_LOOKAHEAD = -1, 0
"""Depths to which a first guess is examined before any guess after it is tried."""

MIN_LOOKS = 100
MAX_PAIRS = 4_000_000_000
"""At least so many first guesses are examined, and more while they score so few pairs of
guess and candidate. Games with symmetries have fewer first guesses; a codebook has thousands."""


FEW_OPENINGS = 100
FEW_TRIPLES = 1_000_000_000
"""With more first guesses, and more triples of them, guesses and candidates, none is searched
further unless requested: it would take hours for a list of thousands of words."""


MAX_AHEAD = 30
"""Looking further ahead than the depth of any tree changes nothing."""


def choose_depth(game: Game, n_openings: int, n: int) -> int:
    """Return how many guesses to look ahead by default."""
    is_small = n_openings <= FEW_OPENINGS or n_openings * game.n_codes * n <= FEW_TRIPLES
    return 1 if is_small else BY_LOOKAHEAD


def bound_by_lookahead(game: Game, cells: Iterable[Cell], look: Look = lambda: None) -> int:
    """Return a lower bound of the cost of a guess's cells, from a lookahead in each.

    Parameters
    ----------
    game, cells
        The game and the cells.
    look
        Called between cells; it may raise.
    """
    bound = 0
    for cell in cells:
        look()
        bound += _look_ahead_in(game, cell, look)
    return bound


def _look_ahead_in(game: Game, cell: Cell, look: Look) -> int:
    n = len(cell.candidates)
    if n < 3:
        return 2 * n - 1
    matrix = make_response_matrix(game, cell.candidates, look)
    scratch = make_scratch(game.n_codes, game.n_responses, n)
    members = np.arange(n, dtype=np.int32)
    model = make_cost_model(n, game.n_responses)
    bound, _ = look_ahead(matrix, model, scratch, members, UNLIMITED)
    return int(bound)


def bound_ahead(
    game: Game,
    cells: Iterable[Cell],
    history: tuple[int, ...],
    n_ahead: int,
    watch: Watch,
    jobs: int = 1,
    workers: Workers | None = None,
    log: SearchLog | None = None,
) -> int:
    """Return a lower bound of the cost of a guess's cells: a search of so many guesses in each.

    It is the exact search, all guesses and all cells, but a cell that lies `n_ahead` guesses below
    counts with what is proved of it without search.

    Parameters
    ----------
    game, history
        The game and the guesses made, the one with these cells included.
    cells, n_ahead
        The cells; guesses looked ahead in each, at least 1.
    watch, jobs, workers, log
        See `Beam`.
    """
    # The largest cells first, so that nobody is left with one of them at the end.
    ordered = sorted(cells, key=lambda cell: -len(cell.candidates))
    if workers is not None:
        tasks = [
            (cell, describe_cell(game, history, cell, INFEASIBLE, deepest=n_ahead))
            for cell in ordered
        ]

        def look() -> None:
            if watch(SearchProgress("bound", 0, None, 0)):
                raise SearchStoppedError("the search was ended: bound")

        return sum(found.cost for _, found in search_cells(workers, tasks, look, log) if found)

    def bound(cell: Cell) -> int:
        control = SearchControl(watch=watch, log=log)
        solver = Solver(game, cell.candidates, history=history, control=control, deepest=n_ahead)
        found = solver.find_best(UNLIMITED, INFEASIBLE)
        return 0 if found is None else found.cost

    pool = DaemonExecutor(jobs)
    futures = [pool.submit(bound, cell) for cell in ordered]
    try:
        return sum(future.result() for future in yield_ended(futures))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def bound_openings(
    game: Game,
    candidates: NDArray[np.int32],
    openings: NDArray[np.int32],
    size_bounds: NDArray[np.int64],
    history: tuple[int, ...],
    n_ahead: int,
    watch: Watch,
    look: Look,
    jobs: int = 1,
    workers: Workers | None = None,
    log: SearchLog | None = None,
) -> Iterator[int]:
    """Yield ever better lower bounds of the total, whatever the first guess.

    The first guess with the least bound is examined one guess deeper, up to `n_ahead`, or until too
    many were examined.

    Parameters
    ----------
    game, candidates, history, watch, jobs, workers, log
        See `Beam`.
    openings : int32[n_openings]
        The first guesses up to symmetry that split the candidates.
    size_bounds : int64[n_openings]
        Lower bounds of their cells' cost, by size.
    n_ahead
        How far to look behind each; 0: by a lookahead alone.
    look
        Called now and then; it may raise.
    """
    n = len(candidates)
    n_ahead = min(n_ahead, MAX_AHEAD)
    bounds = [n + int(bound) for bound in size_bounds]
    depths = [BY_SIZE] * len(bounds)
    n_looks = max(MIN_LOOKS, MAX_PAIRS // (game.n_codes * n))
    while True:
        at = bounds.index(min(bounds))
        yield bounds[at]
        if depths[at] >= n_ahead or n_looks == 0:
            return
        n_looks -= 1
        depths[at] += 1
        cells = split_by(game, candidates, int(openings[at]))
        behind = (*history, int(openings[at]))
        if depths[at] == BY_LOOKAHEAD:
            bound = n + bound_by_lookahead(game, cells, look)
        else:
            bound = n + bound_ahead(game, cells, behind, depths[at], watch, jobs, workers, log)
        bounds[at] = max(bounds[at], bound)
