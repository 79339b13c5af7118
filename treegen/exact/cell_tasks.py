"""The cells of a first guess as tasks: a beam in one, or its bound, done by any process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..games import Game, from_description
from ..tasks import Workers, keep_in_process, run_growing
from .engine.cost import UNLIMITED
from .openings import Cell
from .plan import Found
from .request import SearchControl
from .solver import Solver


class CellTask(NamedTuple):
    """The search of one cell, as plain values.

    Attributes
    ----------
    description
        The game's description as JSON.
    history
        The guesses made, the one with this cell included.
    candidates
        The cell's, as 32-bit integers.
    upper_bound
        The cost to get below.
    beam, n_full, deepest
        See `Solver`.
    """

    description: str
    history: tuple[int, ...]
    candidates: bytes
    upper_bound: int
    beam: int = 0
    n_full: int = 0
    deepest: int = 0


def describe_cell(
    game: Game,
    history: tuple[int, ...],
    cell: Cell,
    upper_bound: int,
    *,
    beam: int = 0,
    n_full: int = 0,
    deepest: int = 0,
) -> CellTask:
    """Return the search of a cell in the form that tasks carry."""
    data, description = cell.candidates.astype("<i4").tobytes(), json.dumps(game.description)
    return CellTask(description, history, data, upper_bound, beam, n_full, deepest)


def run_cell_task(task: CellTask) -> tuple[int, bytes] | None:
    """Return the cost and the plan that the search of a cell finds; None if it finds none."""
    solver = Solver(
        _find_game(task.description),
        np.frombuffer(task.candidates, "<i4").astype(np.int32),
        history=task.history,
        control=SearchControl(),
        beam=task.beam,
        n_full=task.n_full,
        deepest=task.deepest,
    )
    found = solver.find_best(UNLIMITED, task.upper_bound)
    return None if found is None else (found.cost, found.plan.astype("<i4").tobytes())


def search_cells(
    workers: Workers, tasks: Iterable[tuple[Cell, CellTask]], look: Callable[[], None]
) -> Iterator[tuple[Cell, Found | None]]:
    """Yield each cell with what workers find in it, in any order; `look` may raise to end it."""
    waiting = ((cell, (task,)) for cell, task in tasks)
    for cell, result in run_growing(workers, run_cell_task, lambda: next(waiting, None), look):
        if result is None:
            yield cell, None
            continue
        cost, plan = result
        yield cell, Found(cost, np.frombuffer(plan, "<i4").astype(np.int32))


@keep_in_process(4)
def _find_game(description: str) -> Game:
    return from_description(json.loads(description))
