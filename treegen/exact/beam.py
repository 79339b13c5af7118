"""Beams of growing width, cell by cell of the first guess: the best trees, and their record.

A cell is a task, which any process can do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import msgpack
import numpy as np

from ..errors import SearchStoppedError
from ..games.base import Game
from ..strategies.named import name_search
from ..strategies.stated import read_provenance
from ..strategies.strategy import join_names
from ..tasks.background import DaemonExecutor, yield_ended
from ..tasks.run import Workers, run_growing
from ..tree.tree import Provenance, Tree
from .engine import Int32s
from .engine.cost import INFEASIBLE, UNLIMITED
from .first_guesses import make_first_tree
from .openings import NOTHING_FOUND, Cell, split_by
from .parallel.worker import RootState
from .plan import Found, TreeColumns, expand_plan
from .request import SearchControl, SearchLog, SearchProgress, SearchSpec
from .solver import Solver

N_OPENINGS = 3
"""First guesses that are tried with the narrowest beam; the best of them is widened."""

RECORD = "beam"
"""The name of the cells in a checkpoint."""

WHOLE = 1 << 40
"""As the width of a cell: nothing is left out."""

N_FULL_BASE = 8
N_FULL_PER_WIDTH = 3
"""A beam of width w searches states of ``N_FULL_BASE + w * N_FULL_PER_WIDTH`` in full."""


class CellSearch(NamedTuple):
    """How cells are searched; the history ends with the guess whose cells they are.

    The other fields are those of `Solver`.
    """

    history: tuple[int, ...]
    eligible: str = "all"
    beam: int = 0
    n_full: int = 0
    deepest: int = 0

    def make_solver(self, game: Game, cell: Cell, control: SearchControl) -> Solver:
        """Return the search of a cell."""
        return Solver(game, cell.candidates, control=control, **self._asdict())


def run_cell_search(
    root: RootState, search: CellSearch, upper_bound: int
) -> tuple[int, bytes, dict[str, int]]:
    """Return the cost and the plan of the best tree of a cell, and the work that it was.

    If none costs less than the upper bound, the plan is empty, and the cost is `INFEASIBLE`.
    """
    solver = Solver(*root.restore(), control=SearchControl(), **search._asdict())
    found = solver.find_best(UNLIMITED, upper_bound) or NOTHING_FOUND
    return found.cost, found.plan.astype("<i4").tobytes(), solver.counts


def search_cells(
    workers: Workers,
    game: Game,
    cells: Iterable[tuple[Cell, int]],
    search: CellSearch,
    look: Callable[[], None],
    log: SearchLog | None,
) -> Iterator[tuple[Cell, Found | None]]:
    """Yield each cell with what workers find in it, in any order; `look` may raise to end it.

    Each comes with the cost to get below.
    """
    waiting = (
        (cell, (RootState.of(game, cell.candidates), search, below)) for cell, below in cells
    )
    sent = run_growing(workers, run_cell_search, lambda: next(waiting, None), look)
    for cell, (cost, plan, counts) in sent:
        if log is not None:
            log.count(counts)
        found = Found(cost, np.frombuffer(plan, "<i4").astype(np.int32))
        yield cell, found if cost < INFEASIBLE else None


class Beam:
    """The search of one game's candidates after one first guess.

    The control's jobs, workers and log count; its watch is called with the total so far, by several
    threads.
    """

    def __init__(
        self, game: Game, candidates: Int32s, spec: SearchSpec, opening: int, control: SearchControl
    ) -> None:
        self.game, self.spec, self.control = game, spec, control
        self.history = (*spec.guesses_made, opening)
        self.opening = opening
        self.n = len(candidates)
        self.is_stopped = False
        self.cells = split_by(game, candidates, opening)
        # Small cells first, for an early first tree.
        self.cells.sort(key=lambda cell: len(cell.candidates))

    @property
    def total(self) -> int | None:
        """Total of the tree so far; None until all cells have one."""
        total = self.n + sum(cell.cost for cell in self.cells)
        return None if total >= INFEASIBLE else total

    def widen(self, width: int) -> None:
        """Search all cells with a beam of `width`; raise SearchStoppedError if the watch ends it.

        Cells are independent of each other, so the result does not depend on who searches them.
        """
        todo, jobs = [cell for cell in self.cells if cell.width < width], self.control.jobs
        n_full = N_FULL_BASE + N_FULL_PER_WIDTH * width
        search = CellSearch(self.history, self.spec.eligible, beam=width, n_full=n_full)
        if self.control.workers is not None:
            self._search_elsewhere(self.control.workers, todo, search)
            return
        if jobs == 1 or len(todo) < 2:
            for cell in todo:
                self._search(cell, search)
            return
        pool = DaemonExecutor(min(jobs, len(todo)))
        # The largest cells first, so that no thread ends up alone with one of them.
        searches = [pool.submit(self._search, cell, search) for cell in reversed(todo)]
        try:
            for ended in yield_ended(searches):
                ended.result()
        except BaseException:
            # The other threads end when they next ask the watch.
            self.is_stopped = True
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def adopt(self, plan: Int32s) -> None:
        """Take a tree of all cells, below which there is none better after this first guess."""
        slot = 1
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n = len(cell.candidates)
            # Of one or two candidates the first is guessed, whatever the plan holds for them.
            part = plan[slot : slot + n - 1] if n > 2 else plan[:0]
            slot += n - 1
            cell.best = Found(expand_plan(self.game, cell.candidates, part).total, part)
            cell.width = WHOLE

    def plan(self) -> Int32s:
        """Return the plan of the whole tree."""
        parts = [np.array([self.opening], dtype=np.int32)]
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n_slots = len(cell.candidates) - 1
            parts.append(np.resize(cell.plan, n_slots).astype(np.int32))
        return np.concatenate(parts)

    def _search(self, cell: Cell, search: CellSearch) -> None:
        """Improve one cell; keep what was found even if the watch ends it."""
        control = SearchControl(
            watch=lambda progress: self._look(search.beam, progress), log=self.control.log
        )
        solver = search.make_solver(self.game, cell, control)
        try:
            solver.find_best(UNLIMITED, cell.cost)
            cell.width = search.beam
        finally:
            self._adopt(cell, solver.incumbent)

    def _search_elsewhere(self, workers: Workers, todo: list[Cell], search: CellSearch) -> None:
        """Have workers improve cells, the largest first."""

        def look() -> None:
            if self._look(search.beam, SearchProgress("", 0, None, 0)):
                raise SearchStoppedError(f"the search was ended: beam {search.beam}")

        below = [(cell, cell.cost) for cell in reversed(todo)]
        for cell, found in search_cells(workers, self.game, below, search, look, self.control.log):
            self._adopt(cell, found)
            cell.width = search.beam

    def _adopt(self, cell: Cell, found: Found | None) -> None:
        if found is not None and found.cost < cell.cost:
            cell.best = found

    def _look(self, width: int, progress: SearchProgress) -> bool:
        told = SearchProgress(f"beam {width}", 0, self.total, progress.n_states)
        return (self.control.watch is not None and self.control.watch(told)) or self.is_stopped


class KnownTrees:
    """The trees of a near-optimal search: another thread may take the best at any time.

    The candidates are ascending; `first` has the codes of the given first guesses, empty: any. The
    control's checkpoint keeps the cells of the best beam; what an earlier search has left there is
    known from the beginning. What counts for a beam counts, too.
    """

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        first: tuple[int, ...],
        control: SearchControl,
    ) -> None:
        self.game, self.candidates, self.spec, self.first = game, candidates, spec, first
        self.control = control
        self.greedy = make_first_tree(game, candidates, spec.history, first)
        self.beams: dict[int, Beam] = {}
        record = None if control.checkpoint is None else control.checkpoint.find(RECORD)
        if record is not None:
            opening, cells = msgpack.unpackb(record)
            if opening in first or not first:
                known = {response: known for response, *known in cells}
                for cell in self.open(opening).cells:
                    cost, cell.width, plan = known[cell.response]
                    cell.best = Found(cost, np.frombuffer(plan, "<i4").astype(np.int32))

    def offer(self, tree: Tree) -> None:
        """Keep the tree of a rule, if it is better than those of the rules before."""
        if tree.total < self.greedy.total:
            self.greedy = tree

    def open(self, guess: int) -> Beam:
        """Return the beam after a first guess."""
        if guess not in self.beams:
            beam = Beam(self.game, self.candidates, self.spec, guess, self.control)
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
        total = self.greedy.total
        return total if beam is None or beam.total is None else min(total, beam.total)

    def widths(self) -> dict[str, int | None]:
        """Return how wide each cell of the best beam was searched, by response; None: in full."""
        beam = self.find_best_beam()
        cells = () if beam is None else beam.cells
        return {str(cell.response): cell.width if cell.width < WHOLE else None for cell in cells}

    def save(self) -> None:
        """Save the known trees of the cells after the best first guess."""
        beam = self.find_best_beam()
        if self.control.checkpoint is not None and beam is not None:
            cells = [
                (cell.response, cell.cost, cell.width, cell.plan.astype("<i4").tobytes())
                for cell in beam.cells
            ]
            self.control.checkpoint.save(RECORD, msgpack.packb((beam.opening, cells)))

    def make_tree(self, bound: int, width: str) -> Tree:
        """Return the best tree: that of the beam, or of a rule if it is better.

        `bound` is the proved lower bound of the total; `width`, how wide the beams were, for the
        rule.
        """
        history = self.spec.history
        tree, beam = self.greedy, self.find_best_beam()
        given = f"first={join_names(self.spec.first)}; " if self.first else ""
        name = name_search("best", self.spec.first, self.spec.eligible)
        # Without a history the rule of the greedy tree tells its opening itself.
        rule = f"{given if history else ''}{tree.provenance.rule}"
        if read_provenance(tree.provenance, tree.game).eligible not in ("all", self.spec.eligible):
            rule = f"eligible={self.spec.eligible}; most parts among the candidates"
        provenance = Provenance(name, rule, history, "total", bound)
        columns = TreeColumns.of(tree)
        if beam is not None:
            found = expand_plan(self.game, self.candidates, beam.plan())
            if found.total <= tree.total:
                opening = join_names([self.game.format_code(beam.opening)])
                rule = f"{given}first guess {opening}; {width}"
                provenance, columns = replace(provenance, rule=rule), found
        return Tree(self.game, provenance, *columns)
