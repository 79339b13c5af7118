"""The exact search from outside: one best tree below a cost, its progress, its threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TreegenError
from ...games import Game
from .board import Board, make_board
from .engine import Engine, Pace, make_engine
from .memory import Memory, make_memory
from .orbits import make_group
from .search import enter
from .split import Guesses, State
from .stack import (
    BEST,
    DEEPEST,
    FOUND,
    N_GUESSES,
    N_KNOWN,
    N_STATES,
    N_SURVEYS,
    N_TRIED,
    NEXT,
    WIDTH,
    Stack,
)
from .team import Team
from .terms import INFEASIBLE, Terms, make_terms

ALONE_S = 0.1
"""So long one thread searches alone: small games need no team."""

COUNTERS = {"states": N_STATES, "guesses": N_TRIED, "surveys": N_SURVEYS, "table_hits": N_KNOWN}
"""What a search counts, and where its stack holds it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: int
    best: int | None
    n_states: int


Watch = Callable[[Progress], bool]
"""Called now and then; True ends the search with what it has."""


class SearchStoppedError(TreegenError, RuntimeError):
    """The watch ended a search."""


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
    ) -> None:
        self.game = game
        self.beam, self.n_full = beam, n_full
        self.candidates = candidates
        self.n = len(candidates)
        self.board: Board = make_board(game, candidates)
        self.past = past
        self.candidates_only = candidates_only
        self.watch = watch or (lambda _: False)
        self.deepest = deepest
        self.jobs = 1 if beam or deepest else jobs
        self.stage = "total"
        self.unit: int | None = None
        self.bound = 0
        self.counts = {} if counts is None else counts
        self.counts.update(dict.fromkeys(COUNTERS, 0))
        self.last_plan: NDArray[np.int32] | None = None
        self.last_cost = INFEASIBLE

    def find_best(
        self,
        left: int,
        best: int,
        scale: int = 1,
        last: int = 0,
        guesses: tuple[int, ...] | None = None,
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
        guesses
            The only guesses to try at the root, least of their orbits; None: all.

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
        if guesses is not None:
            _keep_guesses(engine, guesses)
        is_over = self._search_alone(engine)
        cost = self._take(engine.stack)
        if not is_over:
            cost = self._search_together(engine, left) or cost
        return cost

    def _search_alone(self, engine: Engine) -> bool:
        """Search with one thread; False if there is work for more."""
        start, pace = time.monotonic(), Pace()
        try:
            while not engine.run(pace):
                if self.jobs > 1 and time.monotonic() - start > ALONE_S:
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

    def _search_together(self, first: Engine, left: int) -> int | None:
        """Let a team do what one thread has left of the root's guesses; return a lesser cost."""
        frame, scale = first.stack.frames[1], first.terms.scale
        members = np.arange(self.n, dtype=np.int32)
        root = State(members, (), self.n, int(frame[BEST]))
        root.guesses = Guesses(
            first.stack.guesses[1, : frame[N_GUESSES]].copy(),
            first.stack.floors[1, : frame[N_GUESSES]].copy(),
            int(frame[WIDTH]),
        )
        root.next = max(0, int(frame[NEXT]) - 1)

        def look() -> None:
            with team.changed:
                bound, best = root.bound(), min(root.best, root.limit)
            n_states = team.count(N_STATES)
            self._look(bound, best if best < INFEASIBLE else None, scale, n_states)

        team = Team(
            root,
            lambda: self._make_engine(first.terms, first.memory, left, INFEASIBLE),
            self.jobs,
        )
        try:
            team.run(look)
        finally:
            for engine in team.engines:
                self._count(engine.stack)
            if root.plan is not None:
                self.last_plan, self.last_cost = root.plan, root.best
        return None if root.plan is None else root.best

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


def _keep_guesses(engine: Engine, guesses: tuple[int, ...]) -> None:
    """List the root's guesses, then drop those that are not wanted."""
    stack, frame = engine.stack, engine.stack.frames[1]
    enter(*engine[:5], 1)
    n_guesses = frame[N_GUESSES]
    is_kept = np.isin(stack.guesses[1, :n_guesses], np.array(guesses, dtype=np.int32))
    frame[N_GUESSES] = is_kept.sum()
    stack.guesses[1, : frame[N_GUESSES]] = stack.guesses[1, :n_guesses][is_kept]
    stack.floors[1, : frame[N_GUESSES]] = stack.floors[1, :n_guesses][is_kept]
