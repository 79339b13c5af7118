"""A search split over threads: states, the guesses tried in them, and the cells of these.

The cost of a guess is a sum over its cells, the cost of a state a minimum over its guesses. So
the cells of one guess may be searched at once, and so may the guesses of one state: each search
works below a window, which every result lowers. Which tree is the result is a matter of the order
of the list alone: of equal costs the guess that stands first is kept, whoever is done first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.cost_model import INFEASIBLE

Note = Callable[["State"], None]
"""Is told of a state whose search is complete."""

SPLIT_SHARE = 8
"""States of an eighth of all candidates may have a guess split into cells."""

GRAIN = 16
"""Guesses that a thread takes at once in large states; in small ones it takes all."""

GRAIN_SHARE = 32
"""States of a 32nd of all candidates are large ones."""


def _note_nothing(_: State) -> None:
    """Be the note of those who keep none."""


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """The guesses of a state in the order of `list_guesses`, and what each costs at least."""

    codes: NDArray[np.int32]
    floors: NDArray[np.int64]
    width: int


@dataclass(slots=True, eq=False)
class State:
    """Candidates to be searched: who tries which guesses, and the best tree so far.

    Attributes
    ----------
    members
        The candidates.
    path
        The guesses made since the root.
    n_root
        Candidates of the root.
    limit
        The root's cost to get below.
    parent
        The guess whose cell this is; None at the root.
    slot, floor
        Where its plan goes in the parent's; the least that it can cost.
    guesses
        None before it was looked at.
    next, returned, running
        The first guess that nobody took; ranges that were given back; where the ranges at
        work begin.
    branches
        Guesses that are searched cell by cell, in order.
    best, at, plan
        The least cost found, the place of the guess that has it, and its plan.
    is_begun, is_done
        Whether the first guess was tried to its end; whether the cost is exact.
    hard
        Places of guesses that are to be split into cells in any case.
    spent_s
        Time that was spent here and below since it was last written down.
    """

    members: NDArray[np.int32]
    path: tuple[int, ...] = ()
    n_root: int = 0
    limit: int = INFEASIBLE
    parent: Branch | None = None
    slot: int = 0
    floor: int = 0
    guesses: Guesses | None = None
    next: int = 0
    returned: list[tuple[int, int]] = field(default_factory=list)
    running: list[int] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    best: int = INFEASIBLE
    at: int = -1
    plan: NDArray[np.int32] | None = None
    is_begun: bool = False
    is_done: bool = False
    hard: set[int] = field(default_factory=set)
    spent_s: float = 0.0

    @property
    def is_split(self) -> bool:
        """Whether the next guess is to be split into cells.

        Without a window all of these must be searched. With one, most guesses are refuted by
        one cell, and it is better to try several guesses at once.
        """
        is_large = len(self.members) * SPLIT_SHARE >= self.n_root
        has_window = self.is_begun or self.window < INFEASIBLE // 2
        return self.parent is None or (is_large and not has_window)

    @property
    def is_dead(self) -> bool:
        """Whether a guess above costs too much, so that nobody cares."""
        parent = self.parent
        return parent is not None and (parent.is_closed or parent.state.is_dead)

    @property
    def window(self) -> int:
        """The cost to get below."""
        if self.parent is None:
            return self.limit
        return self.parent.window - self.parent.cost + self.floor

    def below(self, at: int) -> int:
        """Return the cost that a guess must get below; an earlier one may cost as much."""
        return min(self.window, self.best + (at < self.at))

    def has_range(self) -> bool:
        """Whether a guess is left to try."""
        if self.guesses is None:
            return False
        floors = self.guesses.floors
        is_last = self.next >= len(floors) or floors[self.next] >= self.below(self.next)
        return bool(self.returned) or not is_last

    def take_range(self) -> tuple[int, int]:
        """Return guesses to try, as places from and to; `has_range` says that there are some.

        Who takes them gives back what others have time for.
        """
        assert self.guesses is not None
        if self.returned:
            self.returned.sort(reverse=True)
            first, end = self.returned.pop()
        else:
            first, end = self.next, len(self.guesses.floors)
            if len(self.members) * GRAIN_SHARE >= self.n_root:
                end = min(end, first + GRAIN)
            self.next = end
        self.running.append(first)
        return first, end

    def pick(self, is_eager: bool) -> Pick | None:
        """Take what is to be done first here and below, in the order of one thread alone.

        A state's second guess waits for the first, which gives the others their window; only
        the eager, who would have nothing to do, go ahead without.
        """
        if self.guesses is None:
            if self.running:
                return None
            self.running.append(0)
            return Pick(self, 0, 0)
        for branch in self.branches:
            for part in branch.parts:
                found = None if part.is_done else part.pick(is_eager)
                if found is not None:
                    return found
        is_first = not (self.running or self.branches)
        is_ready = is_first or is_eager or self.is_begun or not self.is_split
        return Pick(self, *self.take_range()) if is_ready and self.has_range() else None

    def add_branch(self, branch: Branch) -> None:
        """Have the cells of a guess searched."""
        self.branches.append(branch)
        self.branches.sort(key=lambda branch: branch.at)

    def end_range(self, first: int, is_tried: bool = True) -> None:
        """Note that nobody is at work on a range any more, and whether a guess of it was tried."""
        self.running.remove(first)
        self.is_begun = self.is_begun or (is_tried and not self.branches)

    def keep(self, cost: int, at: int, plan: NDArray[np.int32]) -> None:
        """Take a tree over, if it costs less than the best or as much at an earlier guess."""
        if cost < self.window and (cost, at) < (self.best, self.at):
            self.best, self.at, self.plan = cost, at, plan

    def tidy(self, note: Note = _note_nothing) -> bool:
        """Take the results that are complete; whether nothing is left to do.

        `note` is told of each state below that is complete, before that is taken.
        """
        for branch in list(self.branches):
            if branch.tidy(note):
                self.branches.remove(branch)
                self.is_begun = True
        is_busy = self.guesses is None or self.running or self.branches
        return not (is_busy or self.has_range())

    def count_tried(self) -> int:
        """Return the place of the first guess that is not tried to its end."""
        open_ranges = [*self.running, *(first for first, _ in self.returned)]
        return min([*open_ranges, *(branch.at for branch in self.branches), self.next])

    def bound(self) -> int:
        """Return what is proved of the cost, as long as it is below the window."""
        if self.guesses is None or self.is_done:
            return self.floor
        floors = self.guesses.floors
        begun = [*self.running, *(first for first, _ in self.returned)]
        bounds = [int(floors[first]) for first in begun]
        bounds += [branch.bound() for branch in self.branches]
        if self.next < len(floors):
            bounds.append(int(floors[self.next]))
        return max(self.floor, min([*bounds, self.best, self.window]))


class Pick(NamedTuple):
    """What somebody took to do: list a state's guesses where they are not, else try some."""

    state: State
    first: int
    end: int


@dataclass(slots=True, eq=False)
class Branch:
    """A guess whose cells are searched.

    Attributes
    ----------
    state, at
        The state that it is tried in, and its place among the guesses.
    cost
        The least that it can cost; its cost once all parts are done.
    plan
        The plan of the state's tree, the parts' own still open.
    parts
        The cells that need a search, smallest first.
    is_closed
        Whether it is settled, or is known to cost too much.
    """

    state: State
    at: int
    cost: int
    plan: NDArray[np.int32]
    parts: list[State] = field(default_factory=list)
    is_closed: bool = False

    @property
    def window(self) -> int:
        """The cost to get below."""
        return self.state.below(self.at)

    def tidy(self, note: Note = _note_nothing) -> bool:
        """Take the results of parts; whether the guess is settled."""
        for part in self.parts:
            if not (part.is_done or self.is_closed) and part.tidy(note):
                note(part)
                self._absorb(part)
        if not self.is_closed and all(part.is_done for part in self.parts):
            self.state.keep(self.cost, self.at, self.plan)
            self.is_closed = True
        self.is_closed = self.is_closed or self.cost >= self.window
        return self.is_closed

    def _absorb(self, part: State) -> None:
        """Take the exact cost of a part, or close where it is not below its window."""
        if part.plan is None or part.best >= part.window:
            self.is_closed = True
            return
        self.cost += part.best - part.floor
        part.floor, part.is_done = part.best, True
        self.plan[part.slot : part.slot + len(part.plan)] = part.plan

    def bound(self) -> int:
        """Return what is proved of the cost."""
        return self.cost + sum(part.bound() - part.floor for part in self.parts)
