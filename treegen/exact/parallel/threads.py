"""Threads that share one search: its work, its best tree and its memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from ..core.branch_and_bound import tighten
from ..core.engine import Engine
from ..core.stack import COUNTERS, NEXT
from .nodes import Pick, State
from .worker import Desk

LOOK_S = 0.1
"""Time between two looks at the clock."""


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

    def assess(self) -> tuple[int, int]:
        """Return what is proved of the root's cost, and the best cost found."""
        with self.changed:
            return self.root.bound(), self.root.best

    @property
    def counts(self) -> dict[str, int]:
        """What all threads did so far, as `COUNTERS` names it."""
        sums = {}
        for name, field in COUNTERS.items():
            sums[name] = sum(int(engine.stack.control[field]) for engine in self.engines)
        return sums

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
                pick = self.root.pick(False) or self.root.pick(True)
                if pick is not None:
                    return partial(_do, member, pick)
                self.n_idle += 1
                self.changed.wait()
                self.n_idle -= 1
        return None


def _do(member: Member, pick: Pick) -> None:
    """Do what was picked."""
    if pick.state.guesses is None:
        member.list_guesses(pick.state)
    else:
        member.try_guesses(*pick)


class Member:
    """One thread of a team."""

    def __init__(self, team: Team, engine: Engine) -> None:
        self.team, self.desk = team, Desk(engine)

    def list_guesses(self, state: State) -> None:
        """List the guesses of a state, and try them."""
        depth = self.desk.load(state.members, state.path)
        with self.team.changed:
            window = state.window
        guesses = self.desk.list_guesses(depth, window)
        with self.team.changed:
            state.guesses = guesses
            state.running.remove(0)
            chosen = state.take_range() if state.has_range() else None
        if chosen is not None:
            self.try_guesses(state, *chosen)

    def try_guesses(self, state: State, first: int, end: int) -> None:
        """Try some guesses of a state."""
        assert state.guesses is not None
        depth = self.desk.load(state.members, state.path)
        with self.team.changed:
            window = state.below(first)
        self.desk.push(depth, state.guesses, first, end, window)
        if state.is_split:
            self._open(state, depth)
        else:
            self._search(state, depth, first)
        with self.team.changed:
            state.end_range(first)

    def _open(self, state: State, depth: int) -> None:
        """Try guesses up to the first that needs a search below, and make it a branch."""

        def look() -> bool:
            with self.team.changed:
                if self.team.n_idle:
                    self._give_back(state, depth, 2)
                return state.is_dead or self.team.is_over

        branch = self.desk.open(state, depth, look)
        if branch is not None:
            with self.team.changed:
                state.add_branch(branch)
                self._give_back(state, depth, 1)

    def _search(self, state: State, depth: int, first: int) -> None:
        """Search below the guesses, in slices."""
        is_over = False
        while not is_over:
            is_over = self.desk.run()
            with self.team.changed:
                is_over = self._share(state, depth, first) or is_over

    def _share(self, state: State, depth: int, first: int) -> bool:
        """Tell what was found, learn what the others found; True if the work is in vain."""
        found = self.desk.take_found(depth, first)
        if found is not None:
            state.keep(*found)
        if self.team.is_over or state.is_dead:
            return True
        if self.team.n_idle:
            self._give_back(state, depth, 2)
        stack = self.desk.engine.stack
        tighten(stack, state.below(int(stack.frames[depth, NEXT]) - 1))
        return False

    def _give_back(self, state: State, depth: int, divisor: int) -> None:
        """Let others try the last of the guesses that were not tried yet: all, half of them."""
        rest = self.desk.drop_guesses(depth, divisor)
        if rest is not None:
            state.returned.append(rest)
            self.team.changed.notify_all()
