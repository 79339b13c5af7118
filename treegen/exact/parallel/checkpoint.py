"""How far a search's states are, written down so that a search that was killed goes on."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Protocol

import msgpack
import numpy as np

from ..core.cost_model import INFEASIBLE
from .nodes import Guesses, State

INTERVAL_S = 10.0
"""A state is written down again when so much work was done in it, or below."""

NO_GUESSES = Guesses(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), 0)


class Archive(Protocol):
    """A place for named results, whole or absent."""

    def find(self, task: str) -> bytes | memoryview | None:
        """Return a result, None where there is none."""

    def save(self, task: str, body: bytes) -> None:
        """Keep a result, in place of an older one."""

    def drop(self, task: str) -> None:
        """Forget a result."""


class Records:
    """The states of one search in an archive.

    A record says: below this window, the first so many guesses were tried, and this is the best
    that they gave. It holds wherever the window is no larger, and everywhere once the cost is
    exact. A state's guesses, their order and its best tree depend on its candidates and the guesses
    before it alone, so the search that goes on ends in the same tree.

    Parameters
    ----------
    archive
        Where they are.
    search
        Which of the archive's searches it is.
    """

    def __init__(self, archive: Archive, search: str) -> None:
        self._archive, self._search = archive, search
        self._below: dict[State, set[str]] = defaultdict(set)

    def restore(self, state: State) -> None:
        """Begin a state where its record ends, if there is one for such a window."""
        body = self._archive.find(self._name(state))
        if body is None:
            return
        window, n_tried, is_done, hard, best, at, plan = msgpack.unpackb(body)
        is_exact = is_done and plan is not None
        if window < state.window and not is_exact:
            return
        self._note_below(state)
        state.next = n_tried
        state.is_begun, state.hard = n_tried > 0, set(hard)
        if plan is not None and best < state.window:
            state.best, state.at, state.plan = best, at, np.frombuffer(plan, "<i4").copy()
        if is_done:
            state.guesses, state.next = NO_GUESSES, 0

    def add_seconds(self, state: State, seconds: float) -> None:
        """Count work in a state and in those above it, and write down where it is much."""
        for each in _list_upwards(state):
            each.spent_s += seconds
            if each.spent_s > INTERVAL_S:
                self._write(each, is_done=False)

    def write_done(self, state: State) -> None:
        """Write down a state that is complete, unless it is soon done again."""
        if state.spent_s > INTERVAL_S / 10 or self._below[state]:
            self._write(state, is_done=True)
            for name in self._below[state] - {self._name(state)}:
                self._archive.drop(name)
        del self._below[state]

    def write_open(self, state: State) -> None:
        """Write down a state and those below it, as far as they are."""
        for branch in state.branches:
            for part in branch.parts:
                if not part.is_done:
                    self.write_open(part)
        if state.spent_s > 0:
            self._write(state, is_done=False)

    def _write(self, state: State, *, is_done: bool) -> None:
        plan = None if state.plan is None else state.plan.astype("<i4").tobytes()
        best = min(state.best, INFEASIBLE)
        n_tried, hard = state.count_tried(), sorted(state.hard)
        record = [state.window, n_tried, is_done, hard, best, state.at, plan]
        self._archive.save(self._name(state), msgpack.packb(record))
        state.spent_s = 0.0
        self._note_below(state)

    def _note_below(self, state: State) -> None:
        """Note for all states above that there is a record, which they make needless one day."""
        name = self._name(state)
        for above in _list_upwards(state):
            self._below[above].add(name)

    def _name(self, state: State) -> str:
        """Return the name of a state: what it was made of, hashed."""
        text = f"{self._search} {state.path} ".encode("ascii")
        data = text + state.members.astype("<i4").tobytes()
        return f"search-{hashlib.sha256(data).hexdigest()[:32]}"


def _list_upwards(state: State) -> Iterator[State]:
    """Yield a state and those above it."""
    yield state
    while state.parent is not None:
        state = state.parent.state
        yield state
