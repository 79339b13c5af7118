"""The exact search from outside: one best tree below a cost, its progress, its threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError
from ..games import Game
from .core.cost_model import INFEASIBLE, Terms, make_terms
from .core.engine import Engine, Pace, make_engine
from .core.response_matrix import Board, make_board
from .core.stack import (
    BEST,
    COUNTERS,
    DEEPEST,
    FOUND,
    N_GUESSES,
    N_STATES,
    NEXT,
    WIDTH,
    N,
    Stack,
)
from .core.symmetry import make_group
from .core.transposition_table import Memory, make_memory
from .parallel.nodes import Guesses, State
from .parallel.threads import Team
from .parallel.worker import Desk

if TYPE_CHECKING:
    from ..tasks import Workers
    from .parallel.checkpoint import Archive
    from .parallel.distributed import Fleet

ALONE_S = 0.1
"""So long one thread searches alone: small games need no team."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: int
    best: int | None
    n_states: int


Watch = Callable[[Progress], bool]
"""Called now and then; True ends the search with what it has."""


class Solver:
    """Exact search of one game's candidates.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible at the root, ascending.
    past
        Guesses made before the root.
    candidates_only
        Whether only candidates may be guessed.
    watch
        See `Watch`.
    jobs
        Threads. The result does not depend on them.
    beam, n_full
        States of more than `n_full` candidates try only `beam` guesses; 0: all, so that what
        is found is proved. A beam is searched by one thread.
    deepest
        After so many guesses what is proved of the cells at sight counts as their cost: the
        result is a lower bound, and its plan is none. 0: never.
    counts
        Where to add up what was done, by the names of `COUNTERS`.
    workers
        Who searches instead of threads of this process. The result does not depend on them.
    archive
        Where they write down how far they are, and go on from.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        *,
        past: tuple[int, ...] = (),
        candidates_only: bool = False,
        watch: Watch | None = None,
        jobs: int = 1,
        beam: int = 0,
        n_full: int = 0,
        deepest: int = 0,
        counts: dict[str, int] | None = None,
        workers: Workers | None = None,
        archive: Archive | None = None,
    ) -> None:
        self.game = game
        self.beam, self.n_full = beam, n_full
        self.candidates = candidates
        self.n = len(candidates)
        self.past = past
        self.candidates_only = candidates_only
        self.watch = watch or (lambda _: False)
        self.deepest = deepest
        self.jobs = 1 if beam or deepest else jobs
        self.workers, self.archive = workers, archive
        self.stage = "total"
        self.unit: int | None = None
        self.bound = 0
        self.counts = {} if counts is None else counts
        self.counts.update(dict.fromkeys(COUNTERS, 0))
        self.last_plan: NDArray[np.int32] | None = None
        self.last_cost = INFEASIBLE
        self.board: Board = make_board(
            game, candidates, lambda: self._look(0, None, scale=1, n_states=0)
        )

    def find_best(
        self,
        left: int,
        best: int,
        scale: int = 1,
        last: int = 0,
    ) -> int | None:
        """Search for the tree of least cost below `best`; None if there is none.

        Parameters
        ----------
        left
            Guesses allowed; `UNLIMITED`.
        best
            The cost to get below.
        scale, last
            Cost of a guess, and of a game that ends with the last guess allowed.

        Raises
        ------
        SearchStoppedError
            The watch ended it; `last_plan` is the best so far, if there is one.
        """
        if self.n < 3:
            return self._find_small(left, best, scale, last)
        terms = make_terms(
            self.n,
            self.board.n_responses,
            scale,
            last,
            left,
            candidates_only=self.candidates_only,
            beam=self.beam,
            n_full=self.n_full,
        )
        if self.deepest:
            terms = terms._replace(n_sorted=0)
        memory = make_memory(self.n)
        engine = self._make_engine(terms, memory, left, best)
        if self._search_alone(engine):
            return self._take(engine.stack)
        return self._search_together(engine, left, best)

    def _search_alone(self, engine: Engine) -> bool:
        """Search with one thread; False if there is work for more."""
        start, pace = time.monotonic(), Pace()
        try:
            while not engine.run(pace):
                if self._has_help and time.monotonic() - start > ALONE_S:
                    return False
                root = engine.stack.frames[1]
                best = int(root[BEST]) if root[FOUND] else None
                n_states = int(engine.stack.control[N_STATES])
                self._look(_bound_alone(engine.stack), best, engine.terms.scale, n_states)
        except BaseException:
            self._take(engine.stack)
            raise
        finally:
            self._count(engine.stack)
        return True

    @property
    def _has_help(self) -> bool:
        """Whether more than this thread may search."""
        return self.jobs > 1 or self.workers is not None

    def _search_together(self, engine: Engine, left: int, best: int) -> int | None:
        """Let others do what one thread has left of the root's guesses."""
        root = _make_root(engine, best)
        crew = self._gather(root, engine, left)

        def look() -> None:
            bound, found = crew.assess()
            n_states = crew.counts["states"]
            self._look(bound, found if found < INFEASIBLE else None, engine.terms.scale, n_states)

        try:
            crew.run(look)
        finally:
            for name, number in crew.counts.items():
                self.counts[name] += number
            if root.plan is not None:
                self.last_plan, self.last_cost = root.plan, root.best
        return None if root.plan is None else root.best

    def _gather(self, root: State, engine: Engine, left: int) -> Team | Fleet:
        """Return who searches: threads of this process, or workers."""
        terms = engine.terms
        if self.workers is None:
            make = partial(self._make_engine, terms, engine.memory, left, INFEASIBLE)
            return Team(root, make, self.jobs)
        from .parallel.checkpoint import Records
        from .parallel.distributed import Fleet
        from .parallel.work_item import make_problem

        problem = make_problem(self.game, self.candidates, self.past, left, terms)
        search = f"left {left}, scale {terms.scale}, last {terms.last}"
        records = None if self.archive is None else Records(self.archive, search)
        return Fleet(root, problem, Desk(engine), self.workers, records)

    def _make_engine(self, terms: Terms, memory: Memory, left: int, best: int) -> Engine:
        """Return the arrays of a thread, the root in the first frame."""
        group = make_group(self.game)
        engine = make_engine(self.board, group, terms, memory, self.past, left, best)
        engine.stack.control[DEEPEST] = self.deepest
        return engine

    def _take(self, stack: Stack) -> int | None:
        """Keep the tree that a stack's root has found, and return its cost."""
        if not stack.frames[1, FOUND]:
            return None
        self.last_plan = stack.plans[1, 0, : self.n - 1].copy()
        self.last_cost = int(stack.frames[1, BEST])
        return self.last_cost

    def _count(self, stack: Stack) -> None:
        for name, field in COUNTERS.items():
            self.counts[name] += int(stack.control[field])

    def _find_small(self, left: int, best: int, scale: int, last: int) -> int | None:
        """Answer for one or two candidates, which need no plan."""
        cost = sum(level * scale + (last if level == left else 0) for level in range(1, self.n + 1))
        if cost >= best or 0 < left < self.n:
            return None
        self.last_plan, self.last_cost = np.zeros(1, dtype=np.int32), cost
        return cost

    def _look(self, bound: int, best: int | None, scale: int, n_states: int) -> None:
        """Tell the watch how far the search is; raise SearchStoppedError where it says so."""
        unit = self.unit or scale
        what = "number of longest games" if self.unit else "total"
        best = None if best is None else best // unit
        # What no tree does has no bound worth telling.
        bound = max(self.bound, bound // unit if bound < INFEASIBLE else 0)
        if self.stage == "total":
            self.bound = bound
        if self.watch(Progress(self.stage, bound, best, self.counts["states"] + n_states)):
            raise SearchStoppedError(
                f"{self.game.name}: the search was ended before the proof was complete; proved so"
                f" far: no {what} below {bound}" + ("" if best is None else f"; found: {best}")
            )


def _bound_alone(stack: Stack) -> int:
    """Return what one thread has proved of the root: the least floor that is left to try."""
    root = stack.frames[1]
    if root[NEXT] == 0:
        return 0
    floors = stack.floors[1, root[NEXT] - 1 : root[N_GUESSES]]
    return min(int(floors.min()), int(root[BEST]))


def _make_root(engine: Engine, best: int) -> State:
    """Return the root as one thread left it; the guess that it was at is begun anew."""
    desk, frame = Desk(engine), engine.stack.frames[1]
    n, n_guesses = int(frame[N]), frame[N_GUESSES]
    root = State(np.arange(n, dtype=np.int32), (), n, best)
    root.guesses = Guesses(
        engine.stack.guesses[1, :n_guesses].copy(),
        engine.stack.floors[1, :n_guesses].copy(),
        int(frame[WIDTH]),
    )
    root.next = max(0, int(frame[NEXT]) - 1)
    found = desk.take_found(1, 0)
    if found is not None:
        root.keep(*found)
    return root
