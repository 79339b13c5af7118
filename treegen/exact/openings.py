"""The first guesses of a game, their cells, and what these cost by size.

A sweep: one first guess after the other is searched exactly, below the best total so far.

With many responses most states are small, so that the search below a first guess takes a fraction
of a second: quicker than a beam, and nothing is left to improve there. After all first guesses
the best tree is proved to be optimal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import njit_bare
from ..games import Game
from ..kernels import Scoring, make_scoring, respond
from ..tasks import Workers, run_growing, run_together
from .engine.canonical_state import make_canonizer, make_group, mark_representatives
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model
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
from .parallel import Guesses, PlainSearch, WorkItem, make_plain_search, run_work_item
from .plan import Found

SLICE_PAIRS = 3_000_000
"""Pairs of guess and candidate between two calls of `look`: some hundredths of a second."""

Look = Callable[[], None]
"""Called now and then; it may raise."""


NOTHING_FOUND = Found(INFEASIBLE, np.zeros(0, dtype=np.int32))
"""What a cell has before its first search."""


@dataclass(slots=True, eq=False)
class Cell:
    """The candidates that one response to the first guess leaves, and their best tree so far.

    Attributes
    ----------
    response
        The response.
    candidates
        Codes, ascending.
    best
        Total of the best tree known below the first guess, and its plan: one value, so that any
        thread may read it at any time.
    width
        Widest beam that has been searched to its end.
    """

    response: int
    candidates: NDArray[np.int32]
    best: Found = NOTHING_FOUND
    width: int = 0

    @property
    def cost(self) -> int:
        """Return the total of the best tree known."""
        return self.best.cost

    @property
    def plan(self) -> NDArray[np.int32]:
        """Return the plan of the best tree known."""
        return self.best.plan


def split_by(game: Game, candidates: NDArray[np.int32], guess: int) -> list[Cell]:
    """Return the cells of a guess by response, without the winning one."""
    responses = game.respond(np.array([guess]), candidates)
    return [
        Cell(int(response), candidates[responses == response])
        for response in np.unique(responses)
        if response != game.win
    ]


def list_openings(game: Game, history: tuple[int, ...]) -> NDArray[np.int32]:
    """Return the first guesses up to symmetry."""
    marks = np.zeros(game.n_codes, dtype=np.uint8)
    mark_representatives(make_group(game), np.array(history, dtype=np.int64), marks)
    return np.flatnonzero(marks).astype(np.int32)


def make_size_costs(n: int, n_responses: int) -> NDArray[np.int64]:
    """Return lower bounds of the cost of 0 … n candidates, by their number alone.

    One game ends with the first guess, w end with the second, w² with the third and so on.

    Parameters
    ----------
    n
        Candidates.
    n_responses
        Responses of the game, ``w + 1``.

    Examples
    --------
    >>> make_size_costs(5, 4).tolist()
    [0, 1, 3, 5, 7, 10]
    """
    costs = np.zeros(n + 1, dtype=np.int64)
    first, length, room = 1, 1, 1
    while first <= n:
        costs[first : first + room] = length
        first += room
        length += 1
        room = min(n, room * (n_responses - 1)) or n
    return np.cumsum(costs)


def bound_by_size(game: Game, n: int) -> int:
    """Return the least total of any tree of so many candidates."""
    return int(make_size_costs(n, game.n_responses)[n])


def measure_openings(
    game: Game,
    candidates: NDArray[np.int32],
    openings: NDArray[np.int32],
    values: NDArray[np.int64],
    look: Look = lambda: None,
) -> NDArray[np.int64]:
    """Return the sum of the values of each guess's cells; -1 if it leaves one cell.

    Parameters
    ----------
    game, candidates
        The game and the candidates.
    openings : int32[n_openings]
        The guesses.
    values : int64[n_candidates + 1]
        Value of a cell of each size; the winning cell does not count.
    look
        Called between slices.
    """
    scoring = make_scoring(game)
    sums = np.empty(len(openings), dtype=np.int64)
    sizes = np.zeros(game.n_responses, dtype=np.int64)
    step = max(1, SLICE_PAIRS // max(1, len(candidates)))
    for first in range(0, len(openings), step):
        look()
        part = slice(first, first + step)
        _measure(scoring, candidates, openings[part], values, sizes, sums[part])
    return sums


@njit_bare
def _measure(
    scoring: Scoring,
    candidates: NDArray[np.int32],
    guesses: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Write the sums that `measure_openings` returns; `sizes` is scratch, a number a response."""
    n = len(candidates)
    for i in range(len(guesses)):
        sizes[:] = 0
        for j in range(n):
            sizes[respond(scoring, guesses[i], candidates[j])] += 1
        sums[i] = 0
        for response in range(len(sizes) - 1):
            if sizes[response] == n:
                sums[i] = -1
                break
            sums[i] += values[sizes[response]]


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
