"""A sweep: one first guess after the other is searched exactly, below the best total so far.

With many responses most states are small, so that the search below a first guess takes a fraction
of a second: quicker than a beam, and nothing is left to improve there. After all first guesses
the best tree is proved to be optimal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games import Game
from ..tasks import Workers, run_growing, run_together
from .engine.canonical_state import make_canonizer, make_group
from .engine.cost import UNLIMITED, make_cost_model
from .engine.deferred_plan import complete_plan
from .engine.pace import ItemTime, TimeBudget
from .engine.problem import Search
from .engine.responses import make_response_matrix
from .engine.search import (
    find_most_cells,
    give_opening,
    make_search,
    measure_guesses,
    run_slice,
)
from .engine.table import make_table
from .openings import Look
from .parallel import Guesses, PlainSearch, WorkItem, make_plain_search, run_work_item
from .plan import Found

SLICE = 500
"""First guesses that are measured between two calls of `look`."""


class Best(NamedTuple):
    """The best total so far, and the place of its first guess; -1 if it is not one of the sweep."""

    total: int
    place: int


class Sweep:
    """The sweep of one game's first guesses.

    Parameters
    ----------
    game, candidates, history
        As for `Solver`.
    look
        Called now and then, by several threads; it may raise.

    Attributes
    ----------
    most
        No guess has more cells, the winning one not counted.
    done
        How many of the first guesses are searched, from the first one on.
    """

    def __init__(
        self, game: Game, candidates: NDArray[np.int32], history: tuple[int, ...], look: Look
    ) -> None:
        self.game, self.candidates, self.history = game, candidates, history
        self.look, self.n = look, len(candidates)
        matrix = make_response_matrix(game, candidates, look)
        model = make_cost_model(self.n, matrix.n_responses)
        table = make_table(make_canonizer(game, candidates))
        self.search = make_search(matrix, make_group(game), model, table, history, UNLIMITED)
        self.most = find_most_cells(self.search, self.n, UNLIMITED)
        self.done = 0
        self._taken = 0
        self._lock = threading.Lock()

    def measure(self, openings: NDArray[np.int32], values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what `measure_openings` does."""
        matrix = self.search.matrix
        sums = np.empty(len(openings), dtype=np.int64)
        sizes = np.zeros(matrix.n_responses, dtype=np.int64)
        for first in range(0, len(openings), SLICE):
            self.look()
            part = slice(first, first + SLICE)
            measure_guesses(matrix.by_guess, openings[part], values, sizes, sums[part])
        return sums

    def run(
        self,
        openings: list[int],
        total: int,
        adopt: Callable[[Found], None],
        jobs: int = 1,
        workers: Workers | None = None,
    ) -> None:
        """Search below the openings, in their order.

        Of equal totals the first opening's is the last to be adopted, whatever the threads do.

        Parameters
        ----------
        openings
            First guesses that gain information.
        total
            Of the best tree known: only better ones are looked for.
        adopt
            Called with the tree below an opening, each better than the last.
        jobs, workers
            Threads, or workers that search instead of them.
        """
        self.openings, self.best, self.adopt = openings, Best(total, -1), adopt
        if workers is not None:
            self._run_elsewhere(workers)
            return
        others = [self._share() for _ in range(1, min(jobs, len(openings)))]
        run_together([partial(self._work, each) for each in (self.search, *others)])

    def _run_elsewhere(self, workers: Workers) -> None:
        """Have workers search below the openings."""
        model = self.search.model
        plain = make_plain_search(self.game, self.candidates, self.history, UNLIMITED, model)
        everything = np.arange(self.n, dtype=np.int32)
        no_limit = replace(TimeBudget(), remote=ItemTime.until_done())

        def find_next() -> tuple[int, tuple[PlainSearch, WorkItem, TimeBudget]] | None:
            task = self._take()
            if task is None:
                return None
            place, below = task
            code = np.array([self.openings[place]], dtype=np.int32)
            guesses = Guesses(code, np.zeros(1, dtype=np.int64), self.most)
            return place, (plain, WorkItem(everything, (), below, guesses), no_limit)

        for place, result in run_growing(workers, run_work_item, find_next, self.look):
            self.done += 1
            if result.found is not None:
                self._offer(self.search, Best(result.found[0], place), result.found[2])

    def _offer(self, search: Search, best: Best, plan: NDArray[np.int32]) -> None:
        """Adopt a tree if it is better, or as good at an earlier place.

        The search is the calling thread's own: its stack is used, and others are busy with theirs.
        """
        if best < self.best:
            everything = np.arange(self.n, dtype=np.int32)
            complete_plan(search, everything, (), plan, TimeBudget().make_pace(), self.look)
            self.best = best
            self.adopt(Found(best.total, plan))

    def _share(self) -> Search:
        """Return the search of one more thread."""
        first = self.search
        return make_search(
            first.matrix, first.group, first.model, first.table, self.history, UNLIMITED
        )

    def _take(self) -> tuple[int, int] | None:
        """Return the place of the next opening and the cost to get below; None at the end."""
        with self._lock:
            place = self._taken
            if place == len(self.openings):
                return None
            self._taken += 1
            return place, self.best.total + (place < self.best.place)

    def _work(self, search: Search) -> None:
        """Search openings until all are done."""
        pace = TimeBudget().make_pace()
        while (task := self._take()) is not None:
            place, below = task
            self.look()
            give_opening(search, self.openings[place], self.n, UNLIMITED, below, self.most)
            while not run_slice(search, pace):
                self.look()
            self._keep(search, place)

    def _keep(self, search: Search, place: int) -> None:
        """Keep a result if it is better, or as good at an earlier place."""
        frames = search.stack.frames
        with self._lock:
            self.done += 1
            if not frames.has_incumbent[1]:
                return
            plan = search.stack.plans[1, 0, : self.n - 1].copy()
            self._offer(search, Best(int(frames.upper_bound[1]), place), plan)
