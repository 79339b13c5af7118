"""The exact search beside a near-optimal one: its bound rises meanwhile, and it may end both."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..games import Game
from .core import UNLIMITED
from .plan import Found
from .request import SearchControl
from .search_log import SearchLog, Watch
from .solver import Solver

MAX_BYTES = 1 << 30
"""Response matrices above this size are not made beside a beam, which needs far less memory."""


def fits_beside(game: Game, candidates: NDArray[np.int32]) -> bool:
    """Return whether the exact search of a game takes little enough memory to go on beside."""
    return 2 * game.n_codes * len(candidates) <= MAX_BYTES


class Proof:
    """The exact search of one game below a total that is known.

    Parameters
    ----------
    game, candidates, history, first
        As for `Solver`.
    control
        Jobs and workers count.
    watch
        Called with its progress; True ends the search.

    Attributes
    ----------
    is_done
        Whether it came to its end.
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
        control = replace(
            control,
            watch=lambda progress: self._stopped.is_set() or watch(progress),
            log=SearchLog(),
            folder=None,
            checkpoint=None,
            jobs=max(1, control.jobs - 1),
        )
        self._make_solver = partial(
            Solver, game, candidates, history=history, first=first, control=control
        )

    def run(self, total: int) -> Found | None:
        """Return the best tree if it has a total below the given one."""
        found = self._make_solver().find_best(UNLIMITED, total)
        self.is_done = True
        return found

    def stop(self) -> None:
        """End the search soon."""
        self._stopped.set()
