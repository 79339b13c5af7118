"""Threads that share one search: its work, its best tree and its memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .board import Board
from .memory import Memory
from .orbits import Group
from .search import advance, count_work, enter, tighten, try_guesses
from .split import Branch, Guesses, State
from .stack import (
    BASE,
    BEST,
    COST,
    DEPTH,
    DESCEND,
    FIRST,
    FLOOR,
    FOUND,
    GUESS,
    LEFT,
    LIMIT,
    N_CELLS,
    N_GUESSES,
    NEXT,
    SETTLED,
    SIZE,
    SLOT,
    STAGE,
    START,
    TRY,
    WIDTH,
    N,
    Stack,
)
from .survey import Scratch
from .terms import Terms

SLICE_S = 0.02
"""About the time between two looks at what the others have found."""

MIN_UNITS, MAX_UNITS = 100, 20_000
"""Least and most work of a slice."""

LOOK_S = 0.1
"""Time between two looks at the clock."""


class Engine(NamedTuple):
    """What the kernels of one thread need."""

    board: Board
    group: Group
    terms: Terms
    scratch: Scratch
    stack: Stack
    memory: Memory

    def run(self, pace: Pace) -> bool:
        """Search for a slice; whether it is over."""
        with pace:
            advance(*self, pace.units)
        return bool(self.stack.control[DEPTH] < self.stack.control[BASE])


class Pace:
    """Finds how much work fits a slice: a guess of a large game takes long."""

    def __init__(self) -> None:
        self.units = MIN_UNITS
        self.start_s = 0.0

    def __enter__(self) -> None:
        self.start_s = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        elapsed_s = time.perf_counter() - self.start_s
        if elapsed_s < SLICE_S / 2:
            self.units = min(MAX_UNITS, 2 * self.units)
        elif elapsed_s > 2 * SLICE_S:
            self.units = max(MIN_UNITS, self.units // 2)


class Team:
    """Threads at work on one search.

    Parameters
    ----------
    root
        What is to be searched, changed in place; its guesses are listed.
    make_engine
        Makes the arrays of one more thread; its stack holds the root in the first frame.
    n_jobs
        Threads.
    """

    def __init__(self, root: State, make_engine: Callable[[], Engine], n_jobs: int) -> None:
        self.root = root
        self.make_engine = make_engine
        self.n_jobs = n_jobs
        self.changed = threading.Condition()
        self.n_idle = 0
        self.is_over = False
        self.error: BaseException | None = None
        self.engines: list[Engine] = []

    def run(self, look: Callable[[], None]) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.n_jobs)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                threads[0].join(LOOK_S)
                look()
        finally:
            self._end()
            for thread in threads:
                thread.join()
        if self.error is not None:
            raise self.error

    def count(self, field: int) -> int:
        """Return the sum of a counter of all threads."""
        return sum(int(engine.stack.control[field]) for engine in self.engines)

    def _end(self) -> None:
        """Let all threads end."""
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def _work(self) -> None:
        """Do what is to be done until nothing is left."""
        try:
            engine = self.make_engine()
            with self.changed:
                self.engines.append(engine)
            member = Member(self, engine)
            while (job := self._wait_for_job(member)) is not None:
                job()
        except BaseException as error:  # handed to the thread that called
            self.error = error
        self._end()

    def _wait_for_job(self, member: Member) -> Callable[[], None] | None:
        """Return something to do as soon as there is something; None at the end."""
        with self.changed:
            self.changed.notify_all()
            while not (self.is_over or self.root.tidy()):
                job = member.pick(self.root, False) or member.pick(self.root, True)
                if job is not None:
                    return job
                self.n_idle += 1
                self.changed.wait()
                self.n_idle -= 1
        return None


class Member:
    """One thread of a team."""

    def __init__(self, team: Team, engine: Engine) -> None:
        self.team, self.engine = team, engine
        self.loaded: State | None = None
        self.pace = Pace()

    def pick(self, state: State, is_eager: bool) -> Callable[[], None] | None:
        """Take what is to be done first, in the order of one thread alone.

        A state's second guess waits for the first, which gives the others their window; only
        the eager, who would have nothing to do, go ahead without.
        """
        if state.guesses is None:
            if state.running:
                return None
            state.running.append(0)
            return lambda: self._list(state)
        for branch in state.branches:
            for part in branch.parts:
                if not part.is_done:
                    job = self.pick(part, is_eager)
                    if job is not None:
                        return job
        is_first = not (state.running or state.branches)
        is_ready = is_first or is_eager or state.is_begun or not state.is_split
        if not is_ready or not state.has_range():
            return None
        first, end = state.take_range()
        return lambda: self._try(state, first, end)

    def _list(self, state: State) -> None:
        """List the guesses of a state, and try them."""
        depth = self._load(state)
        stack = self.engine.stack
        frame = stack.frames[depth]
        with self.team.changed:
            frame[BEST] = state.window
        enter(*self.engine[:5], depth)
        n_guesses = frame[N_GUESSES]
        guesses = Guesses(
            stack.guesses[depth, :n_guesses].copy(),
            stack.floors[depth, :n_guesses].copy(),
            int(frame[WIDTH]),
        )
        with self.team.changed:
            state.guesses = guesses
            state.running.remove(0)
            chosen = state.take_range() if state.has_range() else None
        if chosen is not None:
            self._try(state, *chosen)

    def _try(self, state: State, first: int, end: int) -> None:
        """Try some guesses of a state."""
        self._load(state)
        self._push(state, first, end)
        if state.is_split:
            self._open(state)
        else:
            self._search(state, first)
        with self.team.changed:
            state.end_range(first)

    def _push(self, state: State, first: int, end: int) -> None:
        """Let the search begin with a state and some of its guesses."""
        stack, guesses, depth = self.engine.stack, state.guesses, len(state.path) + 1
        assert guesses is not None
        frame = stack.frames[depth]
        frame[STAGE], frame[WIDTH], frame[FOUND] = TRY, guesses.width, 0
        frame[NEXT], frame[N_GUESSES] = first, end
        stack.guesses[depth, first:end] = guesses.codes[first:end]
        stack.floors[depth, first:end] = guesses.floors[first:end]
        stack.control[BASE] = stack.control[DEPTH] = depth
        with self.team.changed:
            frame[BEST] = state.below(first)

    def _open(self, state: State) -> None:
        """Try guesses up to the first that needs a search below, and make it a branch."""
        board, _, terms, scratch, stack, memory = self.engine
        depth = len(state.path) + 1
        frame = stack.frames[depth]
        is_alive = True
        while is_alive and frame[STAGE] != DESCEND and not (state.is_dead or self.team.is_over):
            stack.control[LIMIT] = count_work(stack) + self.pace.units
            with self.pace:
                is_alive = try_guesses(board, terms, scratch, stack, memory, depth)
            with self.team.changed:
                if self.team.n_idle:
                    self._give_back(state, 2)
        if not is_alive or frame[STAGE] != DESCEND:
            return
        branch = _make_branch(stack, state)
        with self.team.changed:
            state.branches.append(branch)
            state.branches.sort(key=lambda branch: branch.at)
            self._give_back(state, 1)

    def _search(self, state: State, first: int) -> None:
        """Search below the guesses, in slices."""
        is_over = False
        while not is_over:
            is_over = self.engine.run(self.pace)
            with self.team.changed:
                is_over = self._share(state, first) or is_over

    def _share(self, state: State, first: int) -> bool:
        """Tell what was found, learn what the others found; True if the work is in vain."""
        depth, stack = len(state.path) + 1, self.engine.stack
        frame = stack.frames[depth]
        if frame[FOUND]:
            plan = stack.plans[depth, 0, : frame[N] - 1].copy()
            tried = stack.guesses[depth, first : frame[NEXT]]
            state.keep(int(frame[BEST]), first + int(np.flatnonzero(tried == plan[0])[0]), plan)
            frame[FOUND] = 0
        if self.team.is_over or state.is_dead:
            return True
        if self.team.n_idle:
            self._give_back(state, 2)
        tighten(stack, state.below(int(frame[NEXT]) - 1))
        return False

    def _give_back(self, state: State, divisor: int) -> None:
        """Let others try the last of the guesses that were not tried yet: all, half of them."""
        frame = self.engine.stack.frames[len(state.path) + 1]
        first, end = int(frame[NEXT]), int(frame[N_GUESSES])
        if first < end:
            first = end - (end - first + divisor - 1) // divisor
            state.returned.append((first, end))
            frame[N_GUESSES] = first
            self.team.changed.notify_all()

    def _load(self, state: State) -> int:
        """Put a state and the guesses before it on the stack; return its depth."""
        stack, n, depth = self.engine.stack, len(state.members), len(state.path) + 1
        if self.loaded is not state:
            for above, guess in enumerate(state.path, start=1):
                stack.frames[above, GUESS] = guess
            stack.members[depth - 1, :n] = state.members
            frame = stack.frames[depth]
            frame[START], frame[N] = 0, n
            frame[LEFT] = max(0, self.engine.stack.frames[0, LEFT] - (depth - 1))
            self.loaded = state
        return depth


def _make_branch(stack: Stack, state: State) -> Branch:
    """Return the guess that survived its trial in a state, which is on the stack."""
    depth = len(state.path) + 1
    frame = stack.frames[depth]
    plan: NDArray[np.int32] = stack.plans[depth, 1, : frame[N] - 1].copy()
    plan[0] = frame[GUESS]
    branch = Branch(state, int(frame[NEXT]) - 1, int(frame[COST]), plan)
    branch.parts = [
        State(
            stack.members[depth, cell[FIRST] : cell[FIRST] + cell[SIZE]].copy(),
            (*state.path, int(frame[GUESS])),
            state.n_root,
            parent=branch,
            slot=int(cell[SLOT]),
            floor=int(cell[FLOOR]),
        )
        for cell in stack.cells[depth, : frame[N_CELLS]]
        if not cell[SETTLED]
    ]
    return branch
