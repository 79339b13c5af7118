"""Putting one state of a search on a thread's stack, and taking from it what was found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..core.branch_and_bound import count_work, enter, try_guesses
from ..core.engine import Engine, Pace
from ..core.stack import (
    BASE,
    BEST,
    COST,
    COUNTERS,
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
from .nodes import Branch, Guesses, State


class Desk:
    """A thread's place at work: its engine, with one state at a time on the stack.

    Attributes
    ----------
    engine
        Its arrays.
    pace
        How much work it does between two looks around.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.pace = Pace()
        self.loaded: NDArray[np.int32] | None = None

    def load(self, members: NDArray[np.int32], path: tuple[int, ...]) -> int:
        """Put a state and the guesses before it on the stack; return its depth."""
        stack, n, depth = self.engine.stack, len(members), len(path) + 1
        if self.loaded is not members:
            for above, guess in enumerate(path, start=1):
                stack.frames[above, GUESS] = guess
            stack.members[depth - 1, :n] = members
            frame = stack.frames[depth]
            frame[START], frame[N] = 0, n
            frame[LEFT] = max(0, stack.frames[0, LEFT] - (depth - 1))
            self.loaded = members
        return depth

    def list_guesses(self, depth: int, window: int) -> Guesses:
        """List the guesses of the loaded state that may cost less than the window."""
        stack = self.engine.stack
        frame = stack.frames[depth]
        frame[BEST] = window
        enter(*self.engine[:5], depth)
        n_guesses = frame[N_GUESSES]
        return Guesses(
            stack.guesses[depth, :n_guesses].copy(),
            stack.floors[depth, :n_guesses].copy(),
            int(frame[WIDTH]),
        )

    def push(self, depth: int, guesses: Guesses, first: int, end: int, window: int) -> None:
        """Let the search begin with the loaded state and some of its guesses."""
        stack = self.engine.stack
        frame = stack.frames[depth]
        frame[STAGE], frame[WIDTH], frame[FOUND] = TRY, guesses.width, 0
        frame[NEXT], frame[N_GUESSES], frame[BEST] = first, end, window
        stack.guesses[depth, first:end] = guesses.codes[first:end]
        stack.floors[depth, first:end] = guesses.floors[first:end]
        stack.control[BASE] = stack.control[DEPTH] = depth

    def take_found(self, depth: int, first: int) -> tuple[int, int, NDArray[np.int32]] | None:
        """Return what was found since the last time: cost, place of the guess, plan."""
        stack = self.engine.stack
        frame = stack.frames[depth]
        if not frame[FOUND]:
            return None
        plan = stack.plans[depth, 0, : frame[N] - 1].copy()
        tried = stack.guesses[depth, first : frame[NEXT]]
        frame[FOUND] = 0
        return int(frame[BEST]), first + int(np.flatnonzero(tried == plan[0])[0]), plan

    def is_trying(self, depth: int) -> bool:
        """Whether a guess of the loaded state is under trial."""
        is_below = self.engine.stack.control[DEPTH] > depth
        return bool(is_below or self.engine.stack.frames[depth, STAGE] == DESCEND)

    def drop_guesses(self, depth: int, divisor: int = 1) -> tuple[int, int] | None:
        """Leave out the last of the guesses that were not tried yet; return their places.

        All are left out, or one in `divisor`; None where nothing is left.
        """
        frame = self.engine.stack.frames[depth]
        first, end = int(frame[NEXT]), int(frame[N_GUESSES])
        if first >= end:
            return None
        first = end - (end - first + divisor - 1) // divisor
        frame[N_GUESSES] = first
        return first, end

    def count(self) -> dict[str, int]:
        """Return what was done here so far, as `COUNTERS` names it."""
        control = self.engine.stack.control
        return {name: int(control[field]) for name, field in COUNTERS.items()}

    def run(self) -> bool:
        """Search for a slice; whether it is over."""
        return self.engine.run(self.pace)

    def open(self, state: State, depth: int, look: Callable[[], bool]) -> Branch | None:
        """Try guesses of the pushed state up to the first that needs a search below.

        Parameters
        ----------
        state, depth
            The state that is on the stack, and where.
        look
            Called between slices; True ends it.

        Returns
        -------
        Branch | None
            That guess with its cells; None where no guess is left.
        """
        board, _, terms, scratch, stack, memory = self.engine
        frame = stack.frames[depth]
        is_alive = True
        while is_alive and frame[STAGE] != DESCEND and not look():
            stack.control[LIMIT] = count_work(stack) + self.pace.units
            with self.pace:
                is_alive = try_guesses(board, terms, scratch, stack, memory, depth)
        if not is_alive or frame[STAGE] != DESCEND:
            return None
        return _make_branch(stack, state, depth)


def _make_branch(stack: Stack, state: State, depth: int) -> Branch:
    """Return the guess that survived its trial in a state, which is on the stack."""
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
