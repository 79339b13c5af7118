"""Beams of growing width, cell by cell of the first guess.

A cell is a task, which any process can do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..games.base import Game
from ..tasks.run import run_growing
from .engine import INFINITE, Int32s
from .engine.plan import Found, expand_plan
from .openings import weigh_candidates
from .parallel.worker import PlainSearch
from .request import Aim, SearchControl, SearchProgress, SearchSpec, ask_watch
from .solver import Reach, make_solver

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

    def offer(self, found: Found | None) -> None:
        """Keep a tree that is better."""
        if found is not None and found.cost < self.best.cost:
            self.best = found


def split_by(game: Game, candidates: Int32s, spec: SearchSpec, guess: int) -> list[Cell]:
    """Return the cells of a first guess by response, without the winning one."""
    responses = game.respond(np.array([guess]), candidates)
    found = [int(response) for response in np.unique(responses) if response != game.win]
    histories = [(*spec.history, (guess, response)) for response in found]
    return [
        Cell(SearchSpec(eligible=spec.eligible, history=history), candidates[responses == response])
        for history, response in zip(histories, found, strict=True)
    ]


def run_cell_search(plain: PlainSearch, reach: Reach) -> tuple[Found | None, dict[str, int]]:
    """Return the best tree of a cell below the aim's cost, if there is one, and the work done."""
    solver = make_solver(*plain.restore(), plain.spec, SearchControl(), reach)
    return solver.find_best(plain.aim), solver.counts


def search_cells(
    control: SearchControl, game: Game, cells: Sequence[Cell], reach: Reach
) -> Iterator[tuple[Cell, Found | None]]:
    """Yield each cell with what is found in it, in any order; the watch may end it.

    Only trees that cost less than the cell's best one are looked for. Cells are independent of each
    other, so the result does not depend on who searches them.
    """
    alone = control.workers is None and control.jobs == 1
    # Alone, the small ones first give an early tree; else nobody ends up with a large one at last.
    waiting = iter(sorted(cells, key=lambda cell: len(cell.candidates), reverse=not alone))

    def search_here(cell: Cell, reach: Reach) -> tuple[Found | None, dict[str, int]]:
        solver = make_solver(game, cell.candidates, cell.spec, replace(control, log=None), reach)
        try:
            return solver.find_best(Aim(below=cell.best.cost)), solver.counts
        finally:
            if not reach.deepest:  # a tree counts even if the watch has ended the search
                cell.offer(solver.incumbent)

    def find_next() -> tuple[Cell, tuple[Cell | PlainSearch, Reach]] | None:
        cell = next(waiting, None)
        if cell is None:
            return None
        if control.workers is None:
            return cell, (cell, reach)
        aim = Aim(below=cell.best.cost)
        plain = PlainSearch.of(game, cell.candidates, cell.spec, aim, SearchControl())
        return cell, (plain, reach)

    function = search_here if control.workers is None else run_cell_search
    look = partial(ask_watch, game, control, SearchProgress("", 0, None, 0))
    with control.open_workers(len(cells)) as workers:
        for cell, (found, counts) in run_growing(workers, function, find_next, look):
            if control.log is not None:
                control.log.count(counts)
            yield cell, found


def reach_of(width: int) -> Reach:
    """Return the reach of a beam of some width in a cell."""
    return Reach(width, N_FULL_BASE + N_FULL_PER_WIDTH * width)


class Beam:
    """The search of one game's candidates after one first guess."""

    def __init__(self, game: Game, candidates: Int32s, spec: SearchSpec, opening: int) -> None:
        self.game, self.opening = game, opening
        self.weight = weigh_candidates(game, candidates)
        self.cells = split_by(game, candidates, spec, opening)

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

    def widen(self, width: int, control: SearchControl) -> None:
        """Search all cells with a beam of `width`; the watch may end it."""
        todo = [cell for cell in self.cells if cell.width < width]
        for cell, found in search_cells(control, self.game, todo, reach_of(width)):
            cell.offer(found)
            cell.width = width

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
