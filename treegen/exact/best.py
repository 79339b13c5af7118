"""Near-optimal trees: greedy ones, beams of growing width, bounds, and an exact proof.

The proof follows the beams where a gap is asked for, or as much as the time allows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil

import msgpack
import numpy as np

from .._options import LARGEST_BEAM
from ..errors import SearchStoppedError, UsageError
from ..games.base import Game
from ..strategies.named import name_search
from ..strategies.stated import read_provenance
from ..strategies.strategy import join_names
from ..tasks.background import DaemonExecutor, run_together, yield_ended
from ..tasks.run import Workers, run_growing
from ..tasks.work import PROCESS, Look, Stop
from ..tree.tree import Provenance, Tree
from .beam import N_OPENINGS, Beam, Cell, reach_of, search_cells, split_by
from .engine import INFINITE, Int32s, Int64s
from .engine.cost import make_cost_model
from .engine.lookahead import look_ahead
from .engine.pace import UNTIL_DONE, TimeBudget
from .engine.responses import FEW_RESPONSES, make_response_matrix, make_scratch
from .engine.search import advance
from .engine.stack import count_done
from .estimates import estimate_proof
from .first_guesses import (
    generate_greedy_trees,
    grade,
    list_first,
    list_openings_of,
    make_first_tree,
    run_soon,
    try_rules_soon,
)
from .openings import (
    bound_by_size,
    make_estimates,
    make_size_costs,
    measure_openings,
    weigh_candidates,
)
from .parallel.nodes import BestGuess, Guesses
from .parallel.worker import PlainSearch, WorkItem
from .plan import Found, expand_plan
from .request import (
    IN_GENERAL,
    Aim,
    Monitor,
    SearchControl,
    SearchLog,
    SearchProgress,
    SearchSpec,
    Watch,
    is_general,
    open_folder,
)
from .solver import OpeningSearch, Reach, Solver, make_solver, run_work_item
from .tables.trees import TableSearch

DEFAULT_BEAM = 8
"""Default width of the beam, without a time limit."""

SOON_PROVED_S = 60.0
"""Without a width asked for, a proof that likely takes no longer precedes wider beams than that."""

MAX_BEAM = 1024
"""Width at which a search without a given width ends in any case."""

OPENINGS_PER_WIDTH = 10
"""With many responses a beam of width w searches below this many times w first guesses."""

Measure = Callable[[Int32s, Int64s], Int64s]
"""What `measure_openings` returns for openings and values."""

RECORD = "beam"
"""The name of the cells in a checkpoint."""

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
    weighs = is_general(game)
    if weighs and control.workers is not None:
        raise UsageError(
            f"{IN_GENERAL}, best searches in one thread: `scheduler` is for optimal there"
        )
    if spec.beam is None and (control.watch is None or spec.gap is not None):
        # The widest beams take longer than the proof of a gap, which begins after them.
        spec = replace(spec, beam=DEFAULT_BEAM)
    widest = LARGEST_BEAM if weighs else MAX_BEAM
    least = 0 if weighs else bound_by_size(game, candidates)
    monitor = Monitor(log.listen(control.watch), bound=least)
    outcome = "widest beam done" if spec.gap is None else "gap proved"
    given = f"; first={join_names(spec.first)}" if spec.first else ""
    legal = f"; eligible={spec.eligible}" if spec.eligible != "all" else ""
    with open_folder(game, f"best{legal}{given}", spec, control) as checkpoint:
        kept = replace(control, log=log, checkpoint=checkpoint)
        make = TableSearch if weighs else NearOptimalSearch
        search = make(game, candidates, spec, monitor, kept)
        soon: list[Tree] = []
        try:
            monitor.run(lambda: search.widen_beams(spec.beam or widest))
        except SearchStoppedError:
            outcome = "stopped"
            if isinstance(search, NearOptimalSearch):
                run_soon(search.try_rules, waits=True)
            else:
                soon = try_rules_soon(game, candidates, spec, jobs=control.jobs)
        except KeyboardInterrupt:
            outcome = "stopped"
            PROCESS.announce_saving("the best tree so far")
        tree = search.finish(f"beam={spec.beam or 'until stopped'}")
        by_rule = min(soon, key=grade, default=tree)
        if by_rule.total < tree.total:
            tree = replace(by_rule, provenance=tree.provenance)
    bound = tree.provenance.bound
    log.end("proved" if bound == tree.total else outcome, bound, tree.total)
    return tree


class NearOptimalSearch:
    """A near-optimal search: its trees, its proved bound, and the steps that improve both.

    Its candidates are the codes that are possible at the root, ascending. Another thread may ask
    for the best tree at any time. The control's checkpoint keeps the cells of the best beam; what
    an earlier search has left there is known from the beginning.
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
        self.weight = weigh_candidates(game, candidates)
        self.bound = bound_by_size(game, candidates)
        self.greedy = make_first_tree(game, candidates, spec.history, self.first)
        self._are_rules_tried = False
        self.beams: dict[int, Beam] = {}
        self._load()

    def widen_beams(self, last_width: int) -> None:
        """Search to the end; SearchStoppedError where the monitor ends it."""
        self._improve(last_width)
        fits = 2 * self.game.n_codes * len(self.candidates) <= MAX_BYTES
        if self.spec.gap is not None or (self.spec.beam is None and fits):
            self.prove_gap()

    def finish(self, width: str) -> Tree:
        """Return the best tree and keep it in the folder; `width`: of the beams, for its rule."""
        self.save()
        tree, best = self._name_best(width), self.find_best_beam()
        if self.control.log is not None:
            self.control.log.settings["first_guess"] = int(tree.guess[0])
            self.control.log.settings["widths"] = {} if best is None else best.widths
        return tree

    def _name_best(self, width: str) -> Tree:
        """Return the best tree: that of the beam, or of a rule if it is better."""
        history = self.spec.history
        tree, beam = self.greedy, self.find_best_beam()
        given = f"first={join_names(self.spec.first)}; " if self.first else ""
        name = name_search("best", self.spec.first, self.spec.eligible)
        # Without a history the rule of the greedy tree tells its opening itself.
        rule = f"{given if history else ''}{tree.provenance.rule}"
        if read_provenance(tree.provenance, tree.game).eligible not in ("all", self.spec.eligible):
            rule = f"eligible={self.spec.eligible}; most parts among the candidates"
        provenance = Provenance(name, rule, history, "total", self.bound)
        if beam is not None:
            found = expand_plan(self.game, self.candidates, beam.plan())
            if found.total <= tree.total:
                opening = join_names([self.game.format_code(beam.opening)])
                rule = f"{given}first guess {opening}; {width}"
                provenance, tree = replace(provenance, rule=rule), found
        return replace(tree, game=self.game, provenance=provenance)

    def _load(self) -> None:
        """Take the cells that an earlier search has left in the folder."""
        checkpoint = self.control.checkpoint
        record = None if checkpoint is None else checkpoint.find(RECORD)
        if record is not None:
            opening, cells = msgpack.unpackb(record)
            if opening in self.first or not self.first:
                known = {response: known for response, *known in cells}
                for cell in self.open(opening).cells:
                    cost, cell.width, plan = known[cell.response]
                    cell.best = Found(cost, np.frombuffer(plan, "<i4").astype(np.int32))

    def open(self, guess: int) -> Beam:
        """Return the beam after a first guess."""
        if guess not in self.beams:
            watching = replace(self.control, watch=lambda told: self.report(told.stage)(told))
            beam = Beam(self.game, self.candidates, self.spec, guess, watching)
            self.beams[guess] = beam
        return self.beams[guess]

    def adopt(self, found: Found) -> None:
        """Keep a tree found by another search, if it is the best one below its first guess."""
        self.open(int(found.plan[0])).adopt(found.plan)

    def find_best_beam(self) -> Beam | None:
        """Return the beam with the best complete tree, None before there is one."""
        complete = [beam for beam in list(self.beams.values()) if beam.total is not None]
        return min(complete, key=lambda beam: beam.total or 0, default=None)

    def total(self) -> int:
        """Return the total of the best tree."""
        beam = self.find_best_beam()
        total = self.greedy.share_total
        return total if beam is None or beam.total is None else min(total, beam.total)

    def save(self) -> None:
        """Save the known trees of the cells after the best first guess."""
        beam = self.find_best_beam()
        if self.control.checkpoint is not None and beam is not None:
            cells = [
                (cell.response, cell.best.cost, cell.width, cell.best.plan.astype("<i4").tobytes())
                for cell in beam.cells
            ]
            self.control.checkpoint.save(RECORD, msgpack.packb((beam.opening, cells)))

    def try_rules(self, halt: Stop) -> None:
        """Make trees by greedy rules unless they are there, and keep the best."""
        if self._are_rules_tried:
            return
        for tree in generate_greedy_trees(
            self.game,
            self.spec.history,
            first=self.first,
            eligible=self.spec.eligible,
            jobs=self.jobs,
            halt=halt,
        ):
            self.greedy = min(self.greedy, tree, key=grade)
            if halt is self.monitor.halt:
                self.check("rules")
        self._are_rules_tried = True

    def _improve(self, last_width: int) -> None:
        self.try_rules(self.monitor.halt)
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
            self.open(int(guess)).widen(1)
        self.widen(2, min(EARLY_WIDTH, last_width))
        n_ahead = self.spec.look_ahead
        if n_ahead is None:
            n_ahead = choose_depth(self.game, len(openings), len(self.candidates))
        args = self.candidates, self.spec, openings, size_bounds, n_ahead, self.control
        for bound in bound_openings(self.game, *args, self.report("bound")):
            self.bound = max(self.bound, bound)
        self.widen(2 * EARLY_WIDTH, min(DEFAULT_BEAM, last_width))
        estimate = estimate_proof(self.game)
        if self.spec.beam is None and estimate is not None and estimate.seconds <= SOON_PROVED_S:
            self.prove_gap()
        self.widen(2 * DEFAULT_BEAM, last_width)

    def make_solver(self, control: SearchControl) -> Solver:
        """Return the exact search of the game."""
        return make_solver(self.game, self.candidates, self.spec, control)

    def prove_gap(self) -> None:
        """Prove that no tree is better than the gap allows, or find one: then it is the best.

        Without a gap, none may be better.
        """
        bound = find_least_bound(self.total(), self.spec.gap or 0)
        if bound <= self.bound:
            return
        with open_folder(
            self.game, f"gap; {self.spec.rule}", self.spec, self.control, FOLDER
        ) as checkpoint:

            def watch(progress: SearchProgress) -> bool:
                self.bound = min(max(self.bound, int(progress.bound)), self.total())
                return self.report("proof")(progress)

            control = replace(self.control, checkpoint=checkpoint, watch=watch)
            solver = self.make_solver(control)
            try:
                found = solver.find_best(Aim(below=bound), keeps_table=True)
            except SearchStoppedError:
                if solver.incumbent is not None:
                    self.adopt(solver.incumbent)
                raise
        if found is not None:
            self.adopt(found)
            bound = self.total()
        self.bound = bound

    def _rank(self, measure: Measure, most: int) -> tuple[Int32s, Int64s]:
        """Return the first guesses that split the candidates, the best estimate first.

        They are the given ones, if any. Each comes with a lower bound of its cells' cost, by size,
        if no guess has more than `most` cells in all.
        """
        n = len(self.candidates)
        given = np.array(self.first, dtype=np.int32)
        openings = given if self.first else list_openings_of(self.game, self.spec)
        estimates, size_bounds = (
            measure(openings, values)
            for values in (make_estimates(self.game, n), make_size_costs(n, most))
        )
        ranked = np.lexsort((np.arange(len(openings)), estimates))
        ranked = ranked[estimates[ranked] >= 0]
        self.bound = max(self.bound, self.weight + int(size_bounds[ranked].min()))
        return openings[ranked], size_bounds[ranked]

    def sweep(self, last_width: int) -> None:
        """Search below the most promising first guesses, one after the other."""
        control = replace(self.control, watch=self.report("first guesses"))
        search = OpeningSearch(self.make_solver(control))
        openings = self._rank(search.measure, search.most + 1)[0].tolist()
        # Until a watch ends it: a width that is given is only ever a width.
        is_open = self.spec.beam is None and self.control.watch is not None
        n_tried = len(openings) if is_open else OPENINGS_PER_WIDTH * last_width
        sweep = Sweep(search, openings[:n_tried], self.total(), self.adopt)
        sweep.run(control)
        if n_tried >= len(openings):
            self.bound = self.total()
        self.check("first guesses")

    def widen(self, width: int, last_width: int) -> None:
        """Widen the best beam step by step; keep its trees.

        Without a width that was asked for, it ends where nothing is left to improve: the total is
        proved, or the last width has searched all in full.
        """
        best = self.find_best_beam()
        largest = max([len(cell.candidates) for cell in best.cells], default=0) if best else 0
        while best is not None and width <= last_width:
            is_done = self.bound == self.total() or reach_of(width // 2).n_full >= largest
            if self.spec.beam is None and is_done:
                return
            best.widen(width)
            self.check(f"beam {width}")
            self.save()
            width *= 2

    def check(self, stage: str) -> None:
        """Report the progress of the search; raise SearchStoppedError if it must end."""
        self.monitor.check(stage, self.bound, self.total())

    def report(self, stage: str) -> Watch:
        """Return the watch of a part of the search, which shows what the whole search has found."""
        return lambda progress: self.monitor(
            SearchProgress(stage, self.bound, self.total(), progress.n_states)
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
        plain = solver.make_plain(Aim())
        everything = np.arange(solver.root.n, dtype=np.int32)
        no_limit = replace(control.budget, remote=UNTIL_DONE)

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
"""Without a gap that is asked for, larger response matrices are not made: a beam needs far less."""


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
    if game.weights is not None:
        return _bound_by_guesses(make_solver(game, cell.candidates, cell.spec, SearchControl()))
    if n < 3:
        return 2 * n - 1
    matrix = make_response_matrix(game, cell.candidates, look)
    scratch = make_scratch(game.n_codes, game.n_responses, n)
    members = np.arange(n, dtype=np.int32)
    model = make_cost_model(n, game.n_responses)
    return int(look_ahead(matrix, model, scratch, members, INFINITE)[0])


def _bound_by_guesses(solver: Solver) -> int:
    """Return the least bound of all guesses of a root."""
    small = solver.find_best(Aim()) if solver.root.n < 3 else None
    if small is not None:
        return small.cost
    search = solver.make_search(solver.make_model(Aim()), solver.make_table(), Aim())
    advance(search, 1)
    frames = search.stack.frames
    return int(search.stack.lower_bounds[1, : frames.n_guesses[1]].min())


def bound_ahead(
    game: Game, cells: Iterable[Cell], n_ahead: int, control: SearchControl, look: Look
) -> int:
    """Return a lower bound of the cost of a guess's cells: a search of some guesses in each.

    It is the exact search, all guesses and all cells, but a cell that lies `n_ahead` guesses below
    counts with what is proved of it without search.
    """
    reach = Reach(deepest=n_ahead)
    # The largest cells first, so that no worker is left with one of them at the end.
    ordered = sorted(cells, key=lambda cell: -len(cell.candidates))
    if control.workers is not None:
        sent = search_cells(control.workers, game, ordered, reach, look, control.log)
        return sum(found.cost for _, found in sent if found)

    def bound(cell: Cell) -> int:
        found = make_solver(game, cell.candidates, cell.spec, control, reach).find_best(Aim())
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
    n, weight = len(candidates), weigh_candidates(game, candidates)
    n_ahead = min(n_ahead, MAX_AHEAD)
    bounds = [weight + int(bound) for bound in size_bounds]
    depths = [BY_SIZE] * len(bounds)
    n_looks = max(MIN_LOOKS, MAX_PAIRS // (game.n_codes * n))
    while True:
        at = bounds.index(min(bounds))
        yield bounds[at]
        if depths[at] >= n_ahead or n_looks == 0:
            return
        n_looks -= 1
        depths[at] += 1
        cells = split_by(game, candidates, spec, int(openings[at]))
        if depths[at] == BY_LOOKAHEAD:
            bound = sum(bound_by_lookahead(game, cell, look) for cell in cells)
        else:
            bound = bound_ahead(game, cells, depths[at], control, look)
        bounds[at] = max(bounds[at], weight + bound)
