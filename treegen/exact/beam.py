"""Near-optimal search: beams of growing width, cell by cell of the first guess."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError
from ..games import Game
from ..tasks import DaemonExecutor, Workers
from .cell_tasks import describe_cell, search_cells
from .core import INFEASIBLE, UNLIMITED
from .openings import Cell, split_by
from .plan import Found, expand_plan
from .request import SearchControl
from .search_log import Progress, Watch
from .solver import Solver

N_OPENINGS = 3
"""First guesses that are tried with the narrowest beam; the best of them is widened."""

WHOLE = 1 << 40
"""As the width of a cell: nothing is left out."""

N_FULL_BASE = 8
N_FULL_PER_WIDTH = 3
"""A beam of width w searches states of ``N_FULL_BASE + w * N_FULL_PER_WIDTH`` in full."""


class Beam:
    """The search of one game's candidates after one first guess.

    Parameters
    ----------
    game, candidates, history
        As for `Solver`.
    opening
        The first guess.
    watch
        Called with the total so far, by several threads; True ends the search.
    workers
        They search the cells instead of threads of this process; None: nobody.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        history: tuple[int, ...],
        opening: int,
        watch: Watch,
        workers: Workers | None = None,
    ) -> None:
        self.game, self.workers = game, workers
        self.history = (*history, opening)
        self.opening = opening
        self.n = len(candidates)
        self.watch = watch
        self.bound = 0
        self.is_stopped = False
        self.cells = split_by(game, candidates, opening)
        # Small cells first, for an early first tree.
        self.cells.sort(key=lambda cell: len(cell.candidates))

    @property
    def total(self) -> int | None:
        """Total of the tree so far; None until all cells have one."""
        total = self.n + sum(cell.cost for cell in self.cells)
        return None if total >= INFEASIBLE else total

    def widen(self, width: int, jobs: int = 1) -> None:
        """Search all cells with a beam of `width`; raise SearchStoppedError if the watch ends it.

        Cells are independent of each other, so the result does not depend on `jobs`.
        """
        todo = [cell for cell in self.cells if cell.width < width]
        if self.workers is not None:
            self._search_elsewhere(self.workers, todo, width)
            return
        if jobs == 1 or len(todo) < 2:
            for cell in todo:
                self._search(cell, width)
            return
        pool = DaemonExecutor(min(jobs, len(todo)))
        # The largest cells first, so that no thread ends up alone with one of them.
        searches = [pool.submit(self._search, cell, width) for cell in reversed(todo)]
        try:
            for search in searches:
                search.result()
        except BaseException:
            # The other threads end when they next ask the watch.
            self.is_stopped = True
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def adopt(self, plan: NDArray[np.int32]) -> None:
        """Take a tree of all cells, below which there is none better after this first guess."""
        slot = 1
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n = len(cell.candidates)
            # Of one or two candidates the first is guessed, whatever the plan holds for them.
            part = plan[slot : slot + n - 1] if n > 2 else plan[:0]
            slot += n - 1
            cell.best = Found(expand_plan(self.game, cell.candidates, part).total, part)
            cell.width = WHOLE

    def plan(self) -> NDArray[np.int32]:
        """Return the plan of the whole tree."""
        parts = [np.array([self.opening], dtype=np.int32)]
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n_slots = len(cell.candidates) - 1
            parts.append(np.resize(cell.plan, n_slots).astype(np.int32))
        return np.concatenate(parts)

    def _search(self, cell: Cell, width: int) -> None:
        """Improve one cell; keep what was found even if the watch ends it."""
        solver = Solver(
            self.game,
            cell.candidates,
            history=self.history,
            control=SearchControl(watch=lambda progress: self._look(width, progress)),
            beam=width,
            n_full=N_FULL_BASE + N_FULL_PER_WIDTH * width,
        )
        try:
            solver.find_best(UNLIMITED, cell.cost)
            cell.width = width
        finally:
            self._keep(cell, solver)

    def _search_elsewhere(self, workers: Workers, todo: list[Cell], width: int) -> None:
        """Have workers improve cells, the largest first."""

        def look() -> None:
            if self._look(width, Progress("", 0, None, 0)):
                raise SearchStoppedError(f"the search was ended: beam {width}")

        n_full = N_FULL_BASE + N_FULL_PER_WIDTH * width
        tasks = [
            (
                cell,
                describe_cell(self.game, self.history, cell, cell.cost, beam=width, n_full=n_full),
            )
            for cell in reversed(todo)
        ]
        for cell, found in search_cells(workers, tasks, look):
            self._adopt(cell, found)
            cell.width = width

    def _keep(self, cell: Cell, solver: Solver) -> None:
        """Adopt the result of a search, if it is better."""
        self._adopt(cell, solver.incumbent)

    def _adopt(self, cell: Cell, found: Found | None) -> None:
        if found is not None and found.cost < cell.cost:
            cell.best = found

    def _look(self, width: int, progress: Progress) -> bool:
        told = Progress(f"beam {width}", self.bound, self.total, progress.n_states)
        return self.watch(told) or self.is_stopped
