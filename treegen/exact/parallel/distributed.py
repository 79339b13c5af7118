"""A search by workers that share nothing: errands go out, and every result lowers the windows.

The thread that asks, the *client*, holds the states and their guesses as a team's threads do. What
takes a moment is done here; the rest goes out as errands of about a second. An errand carries the
window of its state as it is known by then. A guess that takes too long for one errand is split
into its cells, and these are errands in turn: so the work is cut where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ...tasks import Workers, run_growing
from ..core.stack import COUNTERS
from .checkpoint import Records
from .nodes import Guesses, Pick, State
from .work_item import Errand, Outcome, Problem, Span, do_errand, run_errand
from .worker import Desk

AWAY = Span(1.0, 3.0)
"""An errand's time: the windows that it carries are not much older, and little is sent."""

AT_HOME = Span(0.02, 0.03)
"""What is done in so much time is not worth sending."""

HOME_PAIRS = 20_000_000
"""States of so many pairs of guess and candidate are listed here; larger ones take a while."""

MAX_GUESSES = 1024
"""An errand carries so many guesses at most."""


AHEAD = 1
"""Errands for each worker besides the one that it does, so that none waits for the next."""


class Trip(NamedTuple):
    """An errand that is out, and what it was picked for."""

    pick: Pick
    errand: Errand


class Fleet:
    """Workers at one search.

    Parameters
    ----------
    root
        What is to be searched, changed in place; its guesses are listed.
    problem
        The search as tasks carry it.
    desk
        Where this thread does what is done here.
    workers
        Who does the rest.
    records
        Where it is written down how far the states are; None: nowhere.
    """

    def __init__(
        self,
        root: State,
        problem: Problem,
        desk: Desk,
        workers: Workers,
        records: Records | None = None,
    ) -> None:
        self.root, self.problem, self.desk, self.workers = root, problem, desk, workers
        self.records = records
        self.counts = dict.fromkeys(COUNTERS, 0)
        self.n_out = 0

    def run(self, look: Callable[[], None]) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""
        if self.records is not None:
            self.records.restore(self.root)
        next_errand = partial(self._send_next, look)
        try:
            for trip, outcome in run_growing(self.workers, run_errand, next_errand, look, AHEAD):
                self.n_out -= 1
                self._return_rest(self._take(trip, outcome), outcome.is_hard)
        except BaseException:
            if self.records is not None:
                self.records.write_open(self.root)
            raise
        self._note(self.root)

    def assess(self) -> tuple[int, int]:
        """Return what is proved of the root's cost, and the best cost found."""
        return self.root.bound(), self.root.best

    def _send_next(
        self, look: Callable[[], None]
    ) -> tuple[Trip, tuple[Problem, Errand, Span]] | None:
        """Return the next errand for others; None where nothing is to be done now."""
        while not self.root.tidy(self._note):
            look()
            is_eager = self.n_out < self.workers.count()
            pick = self.root.pick(False) or (self.root.pick(True) if is_eager else None)
            if pick is None:
                return None
            if pick.state.guesses is not None and _is_to_split(pick):
                self._open(pick)
                continue
            errand = self._try_at_home(pick)
            if errand is not None:
                self.n_out += 1
                return errand, (self.problem, errand.errand, AWAY)
        return None

    def _try_at_home(self, pick: Pick) -> Trip | None:
        """Do what takes a moment; return what is left to be sent."""
        trip = _pack(pick)
        n_pairs = len(pick.state.members) * len(self.desk.engine.board.by_guess)
        if n_pairs > HOME_PAIRS and trip.errand.guesses is None:
            return trip
        rest = self._take(trip, do_errand(self.desk, trip.errand, AT_HOME))
        if rest is None:
            return None
        rest.state.running.append(rest.first)
        return _pack(rest)

    def _take(self, trip: Trip, outcome: Outcome) -> Pick | None:
        """Take what came of an errand; return what is left of its guesses, nobody's now."""
        state, first, end = trip.pick
        for name, number in outcome.counts.items():
            self.counts[name] += number
        if outcome.found is not None:
            cost, at, plan = outcome.found
            state.keep(cost, first + at, plan)
        if outcome.listed is not None:
            state.guesses, state.next = outcome.listed, outcome.next
        state.end_range(first, outcome.next > 0)
        if self.records is not None:
            self.records.add_seconds(state, outcome.seconds)
        left = first + outcome.next
        return Pick(state, left, end) if left < end else None

    def _return_rest(self, rest: Pick | None, is_hard: bool) -> None:
        """Give guesses that were not tried to whoever comes; the first may be a hard one."""
        if rest is None:
            return
        state, first, end = rest
        if is_hard:
            state.hard.add(first)
            state.returned.append((first, first + 1))
            first += 1
        if first < end:
            state.returned.append((first, end))

    def _open(self, pick: Pick) -> None:
        """Split the next guess that needs a search into its cells; others wait for it."""
        state, first, end = pick
        assert state.guesses is not None
        depth = self.desk.load(state.members, state.path)
        self.desk.push(depth, state.guesses, first, end, state.below(first))
        branch = self.desk.open(state, depth, lambda: False)
        rest = self.desk.drop_guesses(depth)
        if rest is not None:
            state.returned.append(rest)
        if branch is not None:
            state.add_branch(branch)
            for part in branch.parts:
                if self.records is not None:
                    self.records.restore(part)
        state.end_range(first)

    def _note(self, state: State) -> None:
        """Write down what is complete."""
        if self.records is not None:
            self.records.write_done(state)


def _is_to_split(pick: Pick) -> bool:
    return pick.state.is_split or pick.first in pick.state.hard


def _pack(pick: Pick) -> Trip:
    """Return the errand of a pick; guesses that are too many for it are given back."""
    state, first, end = pick
    if state.guesses is None:
        is_search = not state.is_split
        errand = Errand(state.members, state.path, state.window, None, state.next, is_search)
        return Trip(pick, errand)
    if end - first > MAX_GUESSES:
        state.returned.append((first + MAX_GUESSES, end))
        end = first + MAX_GUESSES
    listed = state.guesses
    some = Guesses(listed.codes[first:end], listed.floors[first:end], listed.width)
    errand = Errand(state.members, state.path, state.below(first), some)
    return Trip(Pick(state, first, end), errand)
