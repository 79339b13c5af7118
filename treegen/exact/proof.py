"""The exact search that goes with a near-optimal one: beside it, or after it."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..games import Game
from .engine.cost import UNLIMITED
from .plan import Found
from .request import SearchControl
from .search_log import Watch
from .solver import Solver

MAX_BYTES = 1 << 30
"""Response matrices above this size are not made beside a beam, which needs far less memory."""


def fits_beside(game: Game, candidates: NDArray[np.int32]) -> bool:
    """Return whether the exact search of a game takes little enough memory to go on beside."""
    return 2 * game.n_codes * len(candidates) <= MAX_BYTES


class Proof:
    """The exact search of one game below a total.

    Beside a near-optimal search, its bound rises meanwhile, and its end is that of both. After one,
    it shows that no tree is much better.

    Parameters
    ----------
    game, candidates, history, first
        As for `Solver`.
    control
        Jobs, workers, log, table and checkpoint count.
    watch
        Called with its progress; True ends the search.

    Attributes
    ----------
    is_done
        Whether it came to its end.
    incumbent
        The best tree that it found before its end, if it was ended.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        history: tuple[int, ...],
        first: tuple[int, ...],
        control: SearchControl,
        watch: Watch,
    ) -> None:
        self._stopped = threading.Event()
        self.is_done = False
        self.incumbent: Found | None = None
        control = replace(
            control,
            watch=lambda progress: self._stopped.is_set() or watch(progress),
        )
        self._make_solver = partial(
            Solver, game, candidates, history=history, first=first, control=control
        )

    def run(self, total: int) -> Found | None:
        """Return the best tree if it has a total below the given one.

        Raises
        ------
        SearchStoppedError
            The watch ended it.
        """
        solver = self._make_solver()
        try:
            found = solver.find_best(UNLIMITED, total)
        finally:
            self.incumbent = solver.incumbent
        self.is_done = True
        return found

    def stop(self) -> None:
        """End the search soon."""
        self._stopped.set()
