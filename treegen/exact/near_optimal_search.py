"""The near-optimal search itself: greedy trees, beams, bounds, and a proof beside them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._cleanup import announce_saving
from ..builder import check_size
from ..errors import SearchStoppedError, UsageError
from ..games import Game, is_rule_of_play, resolve_eligible
from ..strategies import name_search
from ..tasks import DaemonExecutor, Notice
from ..tree import Provenance, Tree, describe_conflict, select_candidates
from .beam import N_OPENINGS, Beam
from .beam_files import list_saved_openings, load_cells, save_cells
from .best_legal import search_best_legal
from .core import FEW_RESPONSES, make_estimates
from .first_guesses import list_first, write_first
from .greedy import generate_greedy_trees, make_first_tree
from .lower_bounds import bound_openings, choose_depth
from .monitor import Monitor
from .objectives import solve
from .opening_sweep import Sweep
from .openings import bound_by_size, list_openings, make_size_costs, measure_openings
from .plan import Found, TreeColumns, expand_plan
from .proof import Proof, fits_beside
from .proved_gap import find_least_bound, keep_proof
from .request import SearchControl, SearchSpec
from .rule_of_play import check_near_optimal
from .search_log import Progress, SearchLog, Watch
from .weighted import is_weighted, search_weighted

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


def search_near_optimal(game: Game, spec: SearchSpec, control: SearchControl) -> Tree:
    """Do the work of `build_best`, given a spec and a control."""
    check_size(game)
    spec = write_first(game, spec)
    check_near_optimal(game, spec)
    candidates = select_candidates(game, spec.history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, spec.history))
    log = control.log or SearchLog()
    if is_weighted(game):
        _refuse_gap(spec, "weights or costs")
        log.start(game, "best", spec.history, first=list(spec.first), beam=spec.beam)
        control = replace(control, log=log, watch=log.listen(control.watch))
        return search_weighted(game, candidates, "best", spec, control)
    if len(candidates) < 3:
        small = SearchSpec(eligible=spec.eligible, history=spec.history, first=spec.first)
        return _build_small(game, candidates, small, log)
    log.start(
        game,
        "best",
        spec.history,
        first=list(spec.first),
        beam=spec.beam,
        look_ahead=spec.look_ahead,
        gap=spec.gap,
        jobs=control.jobs,
    )
    eligible = resolve_eligible(game, spec.eligible)
    if is_rule_of_play(eligible):
        _refuse_gap(spec, f"eligible={eligible}")
        if control.folder is not None or control.workers is not None:
            raise UsageError(
                f"best with eligible={eligible} begins anew each time, on one machine; --resume and"
                " --scheduler are for optimal"
            )
        return search_best_legal(game, candidates, spec, control, log)
    if spec.gap is not None and spec.beam is None:
        # The widest beams take longer than the proof, which begins after them.
        spec = replace(spec, beam=DEFAULT_BEAM)
    with keep_proof(game, spec, control) as kept:
        return _widen_until_stopped(game, candidates, spec, kept, log)


def _refuse_gap(spec: SearchSpec, what: str) -> None:
    """Raise UsageError if a gap is to be proved where no exact search of this kind does it."""
    if spec.gap is not None:
        raise UsageError(f"a gap cannot be proved with {what}: -s optimal proves the best tree")


def _widen_until_stopped(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    log: SearchLog,
) -> Tree:
    """Return the best tree of beams that grow, until the widest is done or the watch ends it."""
    monitor = Monitor(log.listen(control.watch), bound=bound_by_size(game, len(candidates)))
    search = NearOptimalSearch(game, candidates, spec, monitor, _find_folder(control), control)
    last_width = spec.beam or (MAX_BEAM if control.watch else DEFAULT_BEAM)
    outcome = "widest beam done" if spec.gap is None else "gap proved"
    try:
        monitor.run(lambda: search.run(last_width, spec.look_ahead))
        if spec.gap is not None:
            monitor.run(search.prove_gap)
        if search.bound == search.total():
            outcome = "proved"
    except SearchStoppedError:
        outcome = "stopped"
    except KeyboardInterrupt:
        outcome = "stopped"
        announce_saving("the best tree so far")
    search.save()
    tree = search.make_tree(f"beam={spec.beam or 'until stopped'}")
    log.settings["first_guess"] = int(tree.guess[0])
    log.settings["widths"] = search.widths()
    log.end(outcome, tree.provenance.bound, tree.total)
    return tree


def _build_small(
    game: Game, candidates: NDArray[np.int32], spec: SearchSpec, log: SearchLog
) -> Tree:
    """Return the tree of one or two candidates: there is no better one."""
    log.start(game, "optimal", spec.history)
    solution = solve(game, candidates, spec)
    log.end("proved", solution.bound, solution.total)
    return Tree(game, solution.describe(spec), *solution.columns)


def _find_folder(control: SearchControl) -> tuple[str | os.PathLike[str], Notice] | None:
    """Return the folder that keeps the cells, and the function to call for damaged files."""
    if control.folder is None:
        return None
    return control.folder, control.notice or (lambda _: None)


class NearOptimalSearch:
    """A near-optimal search: another thread may take its best tree at any time."""

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        monitor: Monitor,
        folder: tuple[str | os.PathLike[str], Notice] | None,
        control: SearchControl,
    ) -> None:
        self.game, self.candidates, self.spec = game, candidates, spec
        self.history, self.guesses_made = spec.history, spec.guesses_made
        self.first = list_first(game, candidates, spec)
        self.monitor, self.folder, self.control = monitor, folder, control
        self.jobs, self.workers = control.jobs, control.workers
        self.bound = bound_by_size(game, len(candidates))
        self.greedy = make_first_tree(game, candidates, spec.history, self.first)
        self.beams: dict[int, Beam] = {}
        self.proof: Proof | None = None
        if folder is not None:
            for guess in list_saved_openings(folder[0], game, self.guesses_made):
                if guess in self.first or not self.first:
                    self.open(guess)

    def run(self, last_width: int, look_ahead: int | None) -> None:
        """Search to the end; SearchStoppedError where the monitor ends it."""
        for tree in generate_greedy_trees(
            self.game, self.history, first=self.first, jobs=self.jobs, halt=self.monitor.halt
        ):
            if tree.total < self.greedy.total:
                self.greedy = tree
            self.check("rules")
        if self.game.n_responses > FEW_RESPONSES:
            self.sweep(last_width)
            return
        openings, size_bounds = self.rank_openings()
        for guess in openings[:N_OPENINGS]:
            self.open(int(guess)).widen(1, self.jobs)
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
        beside = replace(self.control, jobs=max(1, self.jobs - 1), log=SearchLog())
        self.proof = self._make_proof(beside, self.watch_proof)
        pool = DaemonExecutor(1)
        future = pool.submit(self.proof.run, self.total())
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
        bound = find_least_bound(self.total(), self.spec.gap or 0)
        if bound <= self.bound:
            return
        proof = self._make_proof(self.control, self.watch_gap)
        try:
            found = proof.run(bound)
        except SearchStoppedError:
            if proof.incumbent is not None:
                self.adopt(proof.incumbent)
            raise
        if found is None:
            self.bound = bound
        else:
            self.adopt_proof(found)

    def adopt_proof(self, found: Found | None) -> None:
        """Take the tree of a complete proof, if it is better than the best one: then it is best."""
        if found is not None:
            self.adopt(found)
        self.bound = self.total()

    def watch_proof(self, progress: Progress) -> bool:
        """Take the bound that the proof has by now; return whether it must end."""
        self.bound = min(max(self.bound, progress.bound), self.total())
        return self.monitor.halt.is_called

    def watch_gap(self, progress: Progress) -> bool:
        """Take the bound of a proof that others wait for; return whether it must end."""
        self.watch_proof(progress)
        return self.monitor(Progress("proof", self.bound, self.total(), progress.n_states))

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
            self.game, self.candidates, self.guesses_made, lambda: self.check("first guesses")
        )
        openings = self._rank(sweep.measure, sweep.most + 1)[0].tolist()
        n_tried = len(openings) if last_width == MAX_BEAM else OPENINGS_PER_WIDTH * last_width

        sweep.run(openings[:n_tried], self.total(), self.adopt, self.jobs, self.workers)
        if n_tried >= len(openings):
            self.bound = self.total()
        self.check("first guesses")

    def adopt(self, found: Found) -> None:
        """Keep a tree found by another search, if it is the best one below its first guess."""
        self.open(int(found.plan[0])).adopt(found.plan)

    def open(self, guess: int) -> Beam:
        """Return the beam after a first guess, with the cells that the folder has."""
        if guess not in self.beams:
            beam = Beam(
                self.game,
                self.candidates,
                self.guesses_made,
                guess,
                self.watch_beam,
                self.workers,
            )
            if self.folder is not None:
                load_cells(self.folder[0], self.game, beam.history, beam.cells, self.folder[1])
            self.beams[guess] = beam
        return self.beams[guess]

    def widen(self, width: int, last_width: int) -> None:
        """Widen the best beam step by step; keep its trees."""
        best = self.find_best_beam()
        while best is not None and width <= last_width:
            best.widen(width, self.jobs)
            self.check(f"beam {width}")
            self.save()
            width *= 2

    def find_best_beam(self) -> Beam | None:
        """Return the beam with the best complete tree, None before there is one."""
        complete = [beam for beam in list(self.beams.values()) if beam.total is not None]
        return min(complete, key=lambda beam: beam.total or 0, default=None)

    def total(self) -> int:
        """Return the total of the best tree."""
        beam = self.find_best_beam()
        total = self.greedy.total
        return total if beam is None or beam.total is None else min(total, beam.total)

    def check(self, stage: str) -> None:
        """Report the progress of the search; raise SearchStoppedError if it must end."""
        self.monitor.check(stage, self.bound, self.total())
        if stage.startswith("beam") and self.proof is not None and self.proof.is_done:
            raise SearchStoppedError("the best tree is known: nothing is left to improve")

    def watch_beam(self, progress: Progress) -> bool:
        """Report the progress of a beam; return whether it must end."""
        is_proved = self.proof is not None and self.proof.is_done
        told = Progress(progress.stage, self.bound, self.total(), progress.n_states)
        return self.monitor(told) or is_proved

    def watch_bound(self, progress: Progress) -> bool:
        """Report the progress of the search for a bound; return whether it must end."""
        return self.monitor(Progress("bound", self.bound, self.total(), progress.n_states))

    def widths(self) -> dict[str, int]:
        """Return how wide each cell of the best beam was searched, by response."""
        beam = self.find_best_beam()
        return {} if beam is None else {str(cell.response): cell.width for cell in beam.cells}

    def save(self) -> None:
        """Save the known trees of the cells after the best first guess."""
        beam = self.find_best_beam()
        if self.folder is not None and beam is not None:
            save_cells(self.folder[0], self.game, beam.history, beam.cells)

    def make_tree(self, width: str) -> Tree:
        """Return the best tree: that of the beam, or of a rule if it is better."""
        tree, beam = self.greedy, self.find_best_beam()
        given = f"first={'|'.join(self.spec.first)}; " if self.first else ""
        name = name_search("best", self.spec.first)
        # Without a history the rule of the greedy tree tells its opening itself.
        rule = f"{given if self.history else ''}{tree.provenance.rule}"
        provenance = Provenance(name, rule, self.history, "total", self.bound)
        columns = TreeColumns.of(tree)
        if beam is not None:
            found = expand_plan(self.game, self.candidates, beam.plan())
            if found.total <= tree.total:
                rule = f"{given}first guess {self.game.format_code(beam.opening)}; {width}"
                provenance, columns = replace(provenance, rule=rule), found
        return Tree(self.game, provenance, *columns)
