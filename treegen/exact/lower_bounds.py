"""Proved lower bounds of totals that no search reaches: some guesses ahead, then at sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..games import Game
from .beam import Cell, split_by
from .core.cost_model import INFEASIBLE, UNLIMITED, make_terms
from .core.lookahead import make_scratch, survey
from .core.response_matrix import make_board
from .solver import Solver, Watch


def bound_at_sight(game: Game, cells: Iterable[Cell]) -> int:
    """Return what the cells of a guess cost at least, from a survey of each."""
    bound = 0
    for cell in cells:
        n = len(cell.candidates)
        board, terms = make_board(game, cell.candidates), make_terms(n, game.n_responses)
        scratch, members = (
            make_scratch(game.n_codes, game.n_responses),
            np.arange(n, dtype=np.int32),
        )
        sight = survey(board, terms, scratch, members, UNLIMITED, scratch.limits) if n > 1 else 1
        bound += sight
    return bound


def bound_ahead(
    game: Game,
    cells: Iterable[Cell],
    past: tuple[int, ...],
    n_ahead: int,
    watch: Watch,
    jobs: int = 1,
) -> int:
    """Return what the cells of a guess cost at least: a search of so many guesses in each.

    It is the exact search, all guesses and all cells, but a cell that lies `n_ahead` guesses below
    counts with what is proved of it at sight.

    Parameters
    ----------
    game, past
        The game and the guesses made, the one with these cells included.
    cells, n_ahead
        The cells; guesses looked ahead in each, at least 1.
    watch, jobs
        See `Beam.widen`.
    """

    def bound(cell: Cell) -> int:
        solver = Solver(game, cell.candidates, past=past, watch=watch, deepest=n_ahead)
        return solver.find_best(UNLIMITED, INFEASIBLE) or 0

    # The largest cells first, so that no thread is left with one of them at the end.
    ordered = sorted(cells, key=lambda cell: -len(cell.candidates))
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(bound, cell) for cell in ordered]
        try:
            return sum(future.result() for future in futures)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def bound_openings(
    game: Game,
    candidates: NDArray[np.int32],
    openings: list[int],
    past: tuple[int, ...],
    n_ahead: int,
    watch: Watch,
    jobs: int = 1,
) -> Iterator[int]:
    """Yield ever better lower bounds of the total, whatever the first guess.

    The first guess with the least bound is looked into one guess deeper, until it is `n_ahead`.

    Parameters
    ----------
    game, candidates, past, watch, jobs
        See `Beam`.
    openings
        The first guesses up to symmetry that split the candidates.
    n_ahead
        How far to look behind each; 0: at sight.
    """
    n = len(candidates)
    bounds = [n + bound_at_sight(game, split_by(game, candidates, guess)) for guess in openings]
    depths = [0] * len(openings)
    while True:
        at = bounds.index(min(bounds))
        yield bounds[at]
        if depths[at] >= n_ahead:
            return
        depths[at] += 1
        cells = split_by(game, candidates, openings[at])
        behind = (*past, openings[at])
        bound = n + bound_ahead(game, cells, behind, depths[at], watch, jobs)
        bounds[at] = max(bounds[at], bound)
