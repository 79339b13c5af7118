"""Near-optimal trees: greedy ones, beams of growing width, bounds, and an exact proof.

The proof goes on beside the beams, or after them until the gap is as small as was asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil

import numpy as np

from .._options import LARGEST_BEAM
from ..errors import SearchStoppedError, UsageError
from ..games.base import Game
from ..strategies.strategy import join_names
from ..tasks.background import DaemonExecutor, run_together, yield_ended
from ..tasks.run import Workers, run_growing
from ..tasks.stopping import PROCESS
from ..tree.tree import Tree
from .beam import N_OPENINGS, CellSearch, KnownTrees, search_cells
from .engine import Int32s, Int64s
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model, make_estimates
from .engine.lookahead import look_ahead
from .engine.pace import ItemTime, TimeBudget
from .engine.responses import FEW_RESPONSES, make_response_matrix, make_scratch
from .engine.stack import count_done
from .first_guesses import generate_greedy_trees, list_first, list_openings_of
from .openings import Cell, Look, bound_by_size, make_size_costs, measure_openings, split_by
from .parallel.nodes import BestGuess, Guesses
from .parallel.worker import WorkItem
from .plan import Found
from .request import (
    Monitor,
    SearchControl,
    SearchLog,
    SearchProgress,
    SearchSpec,
    Watch,
    is_weighted,
    open_folder,
)
from .solver import OpeningSearch, PlainSearch, Solver, make_solver, run_work_item
from .weighted.search import WeightedSearch

DEFAULT_BEAM = 8
"""Default width of the beam, without a time limit."""

LOOK_S = 0.05
"""Time between two looks at a proof."""

MAX_BEAM = 1024
"""Width at which a search without a given width ends in any case."""

OPENINGS_PER_WIDTH = 10
"""With many responses a beam of width w searches below this many times w first guesses."""

Measure = Callable[[Int32s, Int64s], Int64s]
"""What `measure_openings` returns for openings and values."""

FOLDER = "proof"
"""Where the table of proofs is, in the folder that keeps the cells of a near-optimal search."""

EARLY_WIDTH = 4
"""Width up to which a beam precedes the proof of a lower bound: first a good tree."""


def search_near_optimal(
    game: Game, candidates: Int32s, spec: SearchSpec, control: SearchControl, log: SearchLog
) -> Tree:
    """Return the best tree that beams find, with a proved bound; see `run_search`."""
    settings = {name: getattr(spec, name) for name in ("eligible", "beam", "look_ahead", "gap")}
    log.start(game, "best", spec.history, first=list(spec.first), **settings, jobs=control.jobs)
    weighs = is_weighted(game)
    if weighs and control.workers is not None:
        raise UsageError(
            "with weights, costs, questions or the goal to identify, best searches in one thread:"
            " `scheduler` is for optimal there"
        )
    if spec.beam is None and (control.watch is None or spec.gap is not None):
        # The widest beams take longer than the proof of a gap, which begins after them.
        spec = replace(spec, beam=DEFAULT_BEAM)
    widest = LARGEST_BEAM if weighs else MAX_BEAM
    least = 0 if weighs else bound_by_size(game, len(candidates))
    monitor = Monitor(log.listen(control.watch), bound=least)
    outcome = "widest beam done" if spec.gap is None else "gap proved"
    given = f"; first={join_names(spec.first)}" if spec.first else ""
    legal = f"; eligible={spec.eligible}" if spec.eligible != "all" else ""
    with open_folder(game, f"best{legal}{given}", spec, control) as checkpoint:
        make = WeightedSearch if weighs else NearOptimalSearch
        kept = replace(control, log=log, checkpoint=checkpoint)
        search = make(game, candidates, spec, monitor, kept)
        try:
            monitor.run(lambda: search.widen_beams(spec.beam or widest))
        except SearchStoppedError:
            outcome = "stopped"
        except KeyboardInterrupt:
            outcome = "stopped"
            PROCESS.announce_saving("the best tree so far")
        tree = search.finish(f"beam={spec.beam or 'until stopped'}")
    bound = tree.provenance.bound
    log.end("proved" if bound == tree.total else outcome, bound, tree.total)
    return tree


class NearOptimalSearch:
    """A near-optimal search: its trees, its proved bound, and the steps that improve both.

    Its candidates are the codes that are possible at the root, ascending.
    """

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        monitor: Monitor,
        control: SearchControl,
    ) -> None:
        self.game, self.candidates, self.spec = game, candidates, spec
        self.first = list_first(game, candidates, spec)
        self.monitor, self.control, self.jobs = monitor, control, control.jobs
        self.bound = bound_by_size(game, len(candidates))
        self.proof: Future[Found | None] | None = None
        self.trees = KnownTrees(
            game, candidates, spec, self.first, replace(control, watch=self._watch_beam)
        )

    def widen_beams(self, last_width: int) -> None:
        """Search to the end; SearchStoppedError where the monitor ends it."""
        self._improve(last_width)
        if self.spec.gap is not None:
            self.prove_gap()

    def finish(self, width: str) -> Tree:
        """Return the best tree and keep it in the folder; `width`: of the beams, for its rule."""
        self.trees.save()
        tree = self.trees.make_tree(self.bound, width)
        if self.control.log is not None:
            self.control.log.settings["first_guess"] = int(tree.guess[0])
            self.control.log.settings["widths"] = self.trees.widths()
        return tree

    def _improve(self, last_width: int) -> None:
        for tree in generate_greedy_trees(
            self.game,
            self.spec.history,
            first=self.first,
            eligible=self.spec.eligible,
            jobs=self.jobs,
            halt=self.monitor.halt,
        ):
            self.trees.offer(tree)
            self.check("rules")
        if self.game.n_responses > FEW_RESPONSES:
            self.sweep(last_width)
            return
        openings, size_bounds = self._rank(
            partial(
                measure_openings, self.game, self.candidates, look=lambda: self.check("openings")
            ),
            self.game.n_responses,
        )
        for guess in openings[:N_OPENINGS]:
            self.trees.open(int(guess)).widen(1)
        self.widen(2, min(EARLY_WIDTH, last_width))
        n_ahead = self.spec.look_ahead
        if n_ahead is None:
            n_ahead = choose_depth(self.game, len(openings), len(self.candidates))
        args = self.candidates, self.spec, openings, size_bounds, n_ahead, self.control
        for bound in bound_openings(self.game, *args, self.report("bound")):
            self.bound = max(self.bound, bound)
        fits_beside = 2 * self.game.n_codes * len(self.candidates) <= MAX_BYTES
        if self.spec.beam is None and self.control.watch and fits_beside:
            self.prove_beside(lambda: self.widen(2 * EARLY_WIDTH, last_width))
        else:
            self.widen(2 * EARLY_WIDTH, last_width)

    def prove_beside(self, improve: Callable[[], None]) -> None:
        """Widen beams as long as the time allows, and prove the total beside, which may end both.

        Without a clock there is nothing beside: the tree must not depend on who is faster.
        """
        stopped = threading.Event()
        beside = replace(
            self.control,
            jobs=max(1, self.jobs - 1),
            checkpoint=None,
            watch=lambda progress: stopped.is_set() or self.watch_proof(progress),
        )

        def prove(total: int) -> Found | None:
            return self.make_solver(beside).find_best(UNLIMITED, total)

        pool = DaemonExecutor(1)
        self.proof = pool.submit(prove, self.trees.total())
        try:
            try:
                improve()
            except SearchStoppedError:
                if self.monitor.halt.is_called or not self.is_proved:
                    raise
            while not wait([self.proof], LOOK_S).done:
                self.check("proof")
        finally:
            stopped.set()
            pool.abandon()
        self.adopt_proof(self.proof.result())

    @property
    def is_proved(self) -> bool:
        """Whether the proof beside the beams came to its end."""
        return self.proof is not None and self.proof.done() and self.proof.exception() is None

    def make_solver(self, control: SearchControl) -> Solver:
        """Return the exact search of the game."""
        return make_solver(self.game, self.candidates, self.spec, self.first, control=control)

    def prove_gap(self) -> None:
        """Prove that no tree is better than the gap allows, or find one: then it is the best."""
        bound = find_least_bound(self.trees.total(), self.spec.gap or 0)
        if bound <= self.bound:
            return
        with open_folder(
            self.game, f"gap; {self.spec.rule}", self.spec, self.control, FOLDER
        ) as checkpoint:
            control = replace(self.control, checkpoint=checkpoint, keeps_table=True)

            def watch(progress: SearchProgress) -> bool:
                self.watch_proof(progress)
                return self.report("proof")(progress)

            solver = self.make_solver(replace(control, watch=watch))
            try:
                found = solver.find_best(UNLIMITED, bound)
            except SearchStoppedError:
                if solver.incumbent is not None:
                    self.trees.adopt(solver.incumbent)
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

    def _rank(self, measure: Measure, most: int) -> tuple[Int32s, Int64s]:
        """Return the first guesses that split the candidates, the best estimate first.

        They are the given ones, if any. Each comes with a lower bound of its cells' cost, by size,
        if no guess has more than `most` cells in all.
        """
        n = len(self.candidates)
        given = np.array(self.first, dtype=np.int32)
        openings = given if self.first else list_openings_of(self.game, self.spec)
        estimates, size_bounds = (
            measure(openings, values) for values in (make_estimates(n), make_size_costs(n, most))
        )
        ranked = np.lexsort((np.arange(len(openings)), estimates))
        ranked = ranked[estimates[ranked] >= 0]
        self.bound = max(self.bound, n + int(size_bounds[ranked].min()))
        return openings[ranked], size_bounds[ranked]

    def sweep(self, last_width: int) -> None:
        """Search below the most promising first guesses, one after the other."""
        control = replace(self.control, watch=self.report("first guesses"))
        search = OpeningSearch(self.make_solver(control), UNLIMITED)
        openings = self._rank(search.measure, search.most + 1)[0].tolist()
        # Until a watch ends it: a width that is given is only ever a width.
        is_open = self.spec.beam is None and self.control.watch is not None
        n_tried = len(openings) if is_open else OPENINGS_PER_WIDTH * last_width
        sweep = Sweep(search, openings[:n_tried], self.trees.total(), self.trees.adopt)
        sweep.run(control)
        if n_tried >= len(openings):
            self.bound = self.trees.total()
        self.check("first guesses")

    def widen(self, width: int, last_width: int) -> None:
        """Widen the best beam step by step; keep its trees."""
        best = self.trees.find_best_beam()
        while best is not None and width <= last_width:
            best.widen(width)
            self.check(f"beam {width}")
            self.trees.save()
            width *= 2

    def check(self, stage: str) -> None:
        """Report the progress of the search; raise SearchStoppedError if it must end."""
        self.monitor.check(stage, self.bound, self.trees.total())
        if stage.startswith("beam") and self.is_proved:
            raise SearchStoppedError("the best tree is known: nothing is left to improve")

    def _watch_beam(self, progress: SearchProgress) -> bool:
        """Report the progress of a beam; return whether it must end."""
        return self.report(progress.stage)(progress) or self.is_proved

    def report(self, stage: str) -> Watch:
        """Return the watch of a part of the search, which shows what the whole search has found."""
        return lambda progress: self.monitor(
            SearchProgress(stage, self.bound, self.trees.total(), progress.n_states)
        )


class Sweep:
    """A sweep: one first guess after the other is searched exactly, below the best total so far.

    With many responses most states are small, so that the search below a first guess takes a
    fraction of a second: quicker than a beam, and nothing is left to improve there. After all first
    guesses the best tree is proved to be optimal. Of equal totals the first opening's is the last
    to be adopted, whatever the threads do.

    The openings gain information. Only trees below `total` are looked for; `adopt`, if given, is
    called with the tree below an opening, each better than the last.
    """

    def __init__(
        self,
        search: OpeningSearch,
        openings: list[int],
        total: int,
        adopt: Callable[[Found], None] | None = None,
    ) -> None:
        self.search, self.openings = search, openings
        self.best, self.adopt = BestGuess(total, -1), adopt
        self._taken = 0
        self._lock = threading.Lock()

    def run(self, control: SearchControl) -> None:
        """Search below the openings, by threads or by workers; their work is counted in the log."""
        if control.workers is not None:
            self._run_elsewhere(control.workers, control)
            return
        others = [self.search.share() for _ in range(1, min(control.jobs, len(self.openings)))]
        searches = (self.search, *others)
        try:
            run_together([partial(self._work, each) for each in searches])
        finally:
            for each in searches:
                self.search.solver.count(count_done(each.search.stack))

    def _run_elsewhere(self, workers: Workers, control: SearchControl) -> None:
        """Have workers search below the openings."""
        solver = self.search.solver
        plain = solver.make_plain(self.search.search.model, UNLIMITED)
        everything = np.arange(solver.n, dtype=np.int32)
        no_limit = replace(control.budget, remote=ItemTime.until_done())

        def find_next() -> tuple[int, tuple[PlainSearch, WorkItem, TimeBudget]] | None:
            task = self._take()
            if task is None:
                return None
            place, below = task
            code = np.array([self.openings[place]], dtype=np.int32)
            guesses = Guesses(code, np.zeros(1, dtype=np.int64), self.search.most)
            return place, (plain, WorkItem(everything, (), below, guesses), no_limit)

        for place, result in run_growing(workers, run_work_item, find_next, solver.look):
            solver.count(result.counts)
            if result.found is not None:
                cost, _, plan = result.found
                self._offer(self.search, BestGuess(cost, place), plan)

    def _offer(self, search: OpeningSearch, best: BestGuess, plan: Int32s) -> None:
        """Adopt a tree if it is better, or as good at an earlier place.

        The search is the calling thread's own: its stack is used, and others are busy with theirs.
        """
        if best < self.best:
            self.best = best
            if self.adopt is not None:
                search.complete(plan)
                self.adopt(Found(best.cost, plan))

    def _take(self) -> tuple[int, int] | None:
        """Return the place of the next opening and the cost to get below; None at the end."""
        with self._lock:
            place = self._taken
            if place == len(self.openings):
                return None
            self._taken += 1
            return place, self.best.below_at(place)

    def _work(self, search: OpeningSearch) -> None:
        """Search openings until all are done."""
        while (task := self._take()) is not None:
            place, below = task
            search.solver.look()
            found = search.find(self.openings[place], below)
            if found is not None:
                with self._lock:
                    self._offer(search, BestGuess(found.cost, place), found.plan)


MAX_BYTES = 1 << 30
"""Response matrices above this size are not made beside a beam, which needs far less memory."""


def find_least_bound(total: int, gap: float) -> int:
    """Return the least bound of which a total is within this many percent.

    >>> find_least_bound(178368, 1), find_least_bound(5625, 0)
    (176602, 5625)
    """
    return ceil(total * 100 / (100 + Fraction(gap)))


BY_SIZE, BY_LOOKAHEAD = -1, 0
"""Depths to which a first guess is examined before any guess after it is tried."""

MIN_LOOKS = 100
MAX_PAIRS = 4_000_000_000
"""At least this many first guesses are examined, and more while they score so few pairs of
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


def bound_by_lookahead(game: Game, cell: Cell, look: Look = lambda: None) -> int:
    """Return a lower bound of a cell's cost, from a lookahead at all guesses in it."""
    n = len(cell.candidates)
    if n < 3:
        return 2 * n - 1
    matrix = make_response_matrix(game, cell.candidates, look)
    scratch = make_scratch(game.n_codes, game.n_responses, n)
    members = np.arange(n, dtype=np.int32)
    model = make_cost_model(n, game.n_responses)
    return int(look_ahead(matrix, model, scratch, members, UNLIMITED)[0])


def bound_ahead(
    game: Game, cells: Iterable[Cell], search: CellSearch, control: SearchControl, look: Look
) -> int:
    """Return a lower bound of the cost of a guess's cells: a search of some guesses in each.

    It is the exact search, all guesses and all cells, but a cell that lies this many guesses below
    counts with what is proved of it without search.
    """
    # The largest cells first, so that no worker is left with one of them at the end.
    ordered = sorted(cells, key=lambda cell: -len(cell.candidates))
    if control.workers is not None:
        below = [(cell, INFEASIBLE) for cell in ordered]
        sent = search_cells(control.workers, game, below, search, look, control.log)
        return sum(found.cost for _, found in sent if found)

    def bound(cell: Cell) -> int:
        found = search.make_solver(game, cell, control).find_best(UNLIMITED, INFEASIBLE)
        return 0 if found is None else found.cost

    pool = DaemonExecutor(control.jobs)
    futures = [pool.submit(bound, cell) for cell in ordered]
    try:
        return sum(future.result() for future in yield_ended(futures))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def bound_openings(
    game: Game,
    candidates: Int32s,
    spec: SearchSpec,
    openings: Int32s,
    size_bounds: Int64s,
    n_ahead: int,
    control: SearchControl,
    watch: Watch,
) -> Iterator[int]:
    """Yield ever better lower bounds of the total, whatever the first guess.

    The first guess with the least bound is examined one guess deeper, up to `n_ahead`, or until too
    many were examined; 0: by a lookahead alone. The openings, up to symmetry, split the candidates;
    `size_bounds` are lower bounds of their cells' cost, by size. The control's jobs, workers and
    log count.
    """

    def look() -> None:
        if watch(SearchProgress("bound", 0, None, 0)):
            raise SearchStoppedError("the search was ended: bound")

    jobs, workers, log = control.jobs, control.workers, control.log
    control = SearchControl(jobs=jobs, workers=workers, watch=watch, log=log)
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
        if depths[at] == BY_LOOKAHEAD:
            bound = sum(bound_by_lookahead(game, cell, look) for cell in cells)
        else:
            behind = (*spec.guesses_made, int(openings[at]))
            search = CellSearch(behind, spec.eligible, deepest=depths[at])
            bound = bound_ahead(game, cells, search, control, look)
        bounds[at] = max(bounds[at], n + bound)
