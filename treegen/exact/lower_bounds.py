"""Proved lower bounds where no proof is in reach: by size, by a lookahead, some guesses ahead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError
from ..games import Game
from ..tasks import DaemonExecutor, Workers, yield_ended
from .beam import describe_cell, search_cells
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model
from .engine.lookahead import look_ahead
from .engine.responses import make_response_matrix, make_scratch
from .openings import Cell, Look, split_by
from .request import Progress, SearchControl, SearchLog, Watch
from .solver import Solver

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
            if watch(Progress("bound", 0, None, 0)):
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
