"""Near-optimal search: beams of growing width, cell by cell of the first guess; the best trees."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError
from ..games import Game
from ..strategies import join_names, name_search
from ..tasks import DaemonExecutor, Notice, Workers
from ..tree import Provenance, Tree
from .beam_files import list_saved_openings, load_cells, save_cells
from .cell_tasks import describe_cell, search_cells
from .engine.cost import INFEASIBLE, UNLIMITED
from .greedy import make_first_tree
from .openings import Cell, split_by
from .plan import Found, TreeColumns, expand_plan
from .request import SearchControl, SearchSpec
from .search_log import Progress, Watch
from .solver import Solver

N_OPENINGS = 3
"""First guesses that are tried with the narrowest beam; the best of them is widened."""

WHOLE = 1 << 40
"""As the width of a cell: nothing is left out."""

N_FULL_BASE = 8
N_FULL_PER_WIDTH = 3
"""A beam of width w searches states of ``N_FULL_BASE + w * N_FULL_PER_WIDTH`` in full."""


Folder = tuple[str | os.PathLike[str], Notice]
"""Where cells are kept, and the function to call for damaged files."""


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


class KnownTrees:
    """The trees of a near-optimal search: another thread may take the best at any time.

    Parameters
    ----------
    game, candidates
        The game, and the codes that are possible at the root, ascending.
    spec
        What is searched.
    first
        The codes of the given first guesses; empty: any.
    folder
        Keeps the cells of the best beam; None: nothing does. What an earlier search has left there
        is known from the beginning.
    watch
        Of the beams.
    workers
        They search the cells; None: this process does.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        first: tuple[int, ...],
        folder: Folder | None,
        watch: Watch,
        workers: Workers | None,
    ) -> None:
        self.game, self.candidates, self.spec, self.first = game, candidates, spec, first
        self.folder, self.watch, self.workers = folder, watch, workers
        self.greedy = make_first_tree(game, candidates, spec.history, first)
        self.beams: dict[int, Beam] = {}
        if folder is not None:
            for guess in list_saved_openings(folder[0], game, spec.guesses_made):
                if guess in first or not first:
                    self.open(guess)

    def offer(self, tree: Tree) -> None:
        """Keep the tree of a rule, if it is better than those of the rules before."""
        if tree.total < self.greedy.total:
            self.greedy = tree

    def open(self, guess: int) -> Beam:
        """Return the beam after a first guess, with the cells that the folder has."""
        if guess not in self.beams:
            beam = Beam(
                self.game,
                self.candidates,
                self.spec.guesses_made,
                guess,
                self.watch,
                self.workers,
            )
            if self.folder is not None:
                load_cells(self.folder[0], self.game, beam.history, beam.cells, self.folder[1])
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
        if self.folder is not None and beam is not None:
            save_cells(self.folder[0], self.game, beam.history, beam.cells)

    def make_tree(self, bound: int, width: str) -> Tree:
        """Return the best tree: that of the beam, or of a rule if it is better.

        Parameters
        ----------
        bound
            The proved lower bound of the total.
        width
            How wide the beams were, for the rule.
        """
        history = self.spec.history
        tree, beam = self.greedy, self.find_best_beam()
        given = f"first={join_names(self.spec.first)}; " if self.first else ""
        name = name_search("best", self.spec.first)
        # Without a history the rule of the greedy tree tells its opening itself.
        rule = f"{given if history else ''}{tree.provenance.rule}"
        provenance = Provenance(name, rule, history, "total", bound)
        columns = TreeColumns.of(tree)
        if beam is not None:
            found = expand_plan(self.game, self.candidates, beam.plan())
            if found.total <= tree.total:
                opening = join_names([self.game.format_code(beam.opening)])
                rule = f"{given}first guess {opening}; {width}"
                provenance, columns = replace(provenance, rule=rule), found
        return Tree(self.game, provenance, *columns)
