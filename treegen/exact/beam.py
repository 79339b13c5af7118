"""Beams of growing width, cell by cell of the first guess.

A cell is a task, which any process can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import SearchStoppedError
from ..games.base import Game
from ..tasks.background import DaemonExecutor, yield_ended
from ..tasks.run import Workers, run_growing
from ..tasks.work import Look
from .engine import INFINITE, Int32s
from .openings import weigh_candidates
from .parallel.worker import PlainSearch
from .plan import Found, expand_plan
from .request import Aim, SearchControl, SearchLog, SearchProgress, SearchSpec
from .solver import Reach, Root, Solver, make_solver

N_OPENINGS = 3
"""First guesses that are tried with the narrowest beam; the best of them is widened."""

WHOLE = 1 << 40
"""As the width of a cell: nothing is left out."""

N_FULL_BASE = 8
N_FULL_PER_WIDTH = 3
"""A beam of width w searches states of ``N_FULL_BASE + w * N_FULL_PER_WIDTH`` in full."""


NOTHING_FOUND = Found(INFINITE, np.zeros(0, dtype=np.int32))
"""What a cell has before its first search."""


@dataclass(slots=True, eq=False)
class Cell:
    """The candidates that one response to the first guess leaves, and their best tree so far."""

    spec: SearchSpec  # its history ends with that guess
    candidates: Int32s  # codes, ascending
    # Total of the best tree known below the first guess, and its plan: one value, so that any
    # thread may read it at any time.
    best: Found = NOTHING_FOUND
    width: int = 0  # widest beam that has been searched to its end

    @property
    def response(self) -> int:
        """The answer to the first guess."""
        return self.spec.history[-1][1]


def split_by(game: Game, candidates: Int32s, spec: SearchSpec, guess: int) -> list[Cell]:
    """Return the cells of a first guess by response, without the winning one."""
    responses = game.respond(np.array([guess]), candidates)
    found = [int(response) for response in np.unique(responses) if response != game.win]
    histories = [(*spec.history, (guess, response)) for response in found]
    return [
        Cell(SearchSpec(eligible=spec.eligible, history=history), candidates[responses == response])
        for history, response in zip(histories, found, strict=True)
    ]


def run_cell_search(plain: PlainSearch, reach: Reach) -> tuple[int, bytes, dict[str, int]]:
    """Return the cost and the plan of the best tree of a cell, and the work that it was.

    If there is none below the aim's cost, the plan is empty, and the cost is `INFINITE`.
    """
    solver = Solver(Root(*plain.restore(), plain.spec), SearchControl(), reach)
    found = solver.find_best(plain.aim) or NOTHING_FOUND
    return found.cost, found.plan.astype("<i4").tobytes(), solver.counts


def search_cells(
    workers: Workers,
    game: Game,
    cells: Iterable[Cell],
    reach: Reach,
    look: Look,
    log: SearchLog | None,
) -> Iterator[tuple[Cell, Found | None]]:
    """Yield each cell with what workers find in it, in any order; `look` may raise to end it.

    Only trees that cost less than the cell's best one are looked for.
    """
    nothing_kept = SearchControl()

    def pack(cell: Cell) -> PlainSearch:
        aim = Aim(below=cell.best.cost)
        return PlainSearch.of(game, cell.candidates, cell.spec, aim, nothing_kept)

    waiting = ((cell, (pack(cell), reach)) for cell in cells)
    sent = run_growing(workers, run_cell_search, lambda: next(waiting, None), look)
    for cell, (cost, plan, counts) in sent:
        if log is not None:
            log.count(counts)
        found = Found(cost, np.frombuffer(plan, "<i4").astype(np.int32))
        yield cell, found if cost < INFINITE else None


def reach_of(width: int) -> Reach:
    """Return what a beam of some width searches of a cell."""
    return Reach(width, N_FULL_BASE + N_FULL_PER_WIDTH * width)


class Beam:
    """The search of one game's candidates after one first guess.

    The control's jobs, workers and log count; its watch is called with the total so far, by several
    threads.
    """

    def __init__(
        self, game: Game, candidates: Int32s, spec: SearchSpec, opening: int, control: SearchControl
    ) -> None:
        self.game, self.control, self.opening = game, control, opening
        self.weight = weigh_candidates(game, candidates)
        self.is_stopped = False
        self.cells = split_by(game, candidates, spec, opening)
        # Small cells first, for an early first tree.
        self.cells.sort(key=lambda cell: len(cell.candidates))

    @property
    def total(self) -> int | None:
        """Total of the tree so far; None until all cells have one."""
        total = self.weight + sum(cell.best.cost for cell in self.cells)
        return None if total >= INFINITE else total

    @property
    def widths(self) -> dict[str, int | None]:
        """How wide each cell was searched, by response; None: in full."""
        return {
            str(cell.response): cell.width if cell.width < WHOLE else None for cell in self.cells
        }

    def widen(self, width: int) -> None:
        """Search all cells with a beam of `width`; raise SearchStoppedError if the watch ends it.

        Cells are independent of each other, so the result does not depend on who searches them.
        """
        todo, jobs = [cell for cell in self.cells if cell.width < width], self.control.jobs
        if self.control.workers is not None:
            self._search_elsewhere(self.control.workers, todo, width)
            return
        if jobs == 1 or len(todo) < 2:
            for cell in todo:
                self._search(cell, width)
            return
        pool = DaemonExecutor(min(jobs, len(todo)))
        # The largest cells first, so that no thread ends up alone with one of them.
        searches = [pool.submit(self._search, cell, width) for cell in reversed(todo)]
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
            cell.best = Found(expand_plan(self.game, cell.candidates, part).share_total, part)
            cell.width = WHOLE

    def plan(self) -> Int32s:
        """Return the plan of the whole tree."""
        parts = [np.array([self.opening], dtype=np.int32)]
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n_slots = len(cell.candidates) - 1
            parts.append(np.resize(cell.best.plan, n_slots).astype(np.int32))
        return np.concatenate(parts)

    def _search(self, cell: Cell, width: int) -> None:
        """Improve one cell; keep what was found even if the watch ends it."""
        control = SearchControl(
            watch=lambda progress: self._look(width, progress), log=self.control.log
        )
        solver = make_solver(self.game, cell.candidates, cell.spec, control, reach_of(width))
        try:
            solver.find_best(Aim(below=cell.best.cost))
            cell.width = width
        finally:
            self._adopt(cell, solver.incumbent)

    def _search_elsewhere(self, workers: Workers, todo: list[Cell], width: int) -> None:
        """Have workers improve cells, the largest first."""

        def look() -> None:
            if self._look(width, SearchProgress("", 0, None, 0)):
                raise SearchStoppedError(f"the search was ended: beam {width}")

        how = reach_of(width), look, self.control.log
        for cell, found in search_cells(workers, self.game, reversed(todo), *how):
            self._adopt(cell, found)
            cell.width = width

    def _adopt(self, cell: Cell, found: Found | None) -> None:
        if found is not None and found.cost < cell.best.cost:
            cell.best = found

    def _look(self, width: int, progress: SearchProgress) -> bool:
        told = SearchProgress(f"beam {width}", 0, self.total, progress.n_states)
        return (self.control.watch is not None and self.control.watch(told)) or self.is_stopped
