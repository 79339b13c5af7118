"""Near-optimal trees: a beam of growing width, with small states solved exactly.

The beam tries, in every state, the guesses that tell most by cost; each wider beam looks only for
trees that are better than the one known of a state. A folder keeps the trees and the bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import msgpack
import numpy as np

from ...tasks import Checkpoint
from ..parallel import BestGuess
from .bounds import estimate_guesses
from .problem import NO_CAP, Items, WeightedProblem
from .solver import ALL, INFINITE, Scope, StateProof, WeightedSolver, WeightedState

EXACT_ITEMS, EXACT_ITEMS_PER_WIDTH = 5, 1
"""States of this many items, and of this many more for each guess of width, are solved exactly."""

COMPLETE = 1 << 40
"""The width of states that were solved exactly."""


@dataclass(slots=True)
class Best:
    """The best tree known of a state: its cost, its first guess, how wide it was searched."""

    value: int
    guess: int
    width: int


class WeightedBeam:
    """The beam search of a problem.

    Parameters
    ----------
    problem
        The game.
    check
        Called at every state; it may raise to end the search.
    scope
        Which guesses are allowed.
    """

    def __init__(
        self,
        problem: WeightedProblem,
        check: Callable[[], object] = lambda: None,
        scope: Scope = ALL,
    ) -> None:
        self.problem, self.check = problem, check
        self.solver = WeightedSolver(problem, check=check, scope=scope)
        self.known: dict[bytes, Best] = {}

    @property
    def value(self) -> int | None:
        """The cost of the best tree; None before there is one."""
        best = self.known.get(self.solver.root.tobytes())
        return None if best is None else best.value

    def widen(self, width: int) -> None:
        """Search with a width; what narrower beams found stays where nothing better is found."""
        self.improve(self.solver.root, width)

    def improve(self, items: Items, width: int) -> int:
        """Return the cost of the best tree of a state that a beam of a width finds."""
        key = items.tobytes()
        best = self.known.get(key)
        if best is not None and best.width >= width:
            return best.value
        if len(items) <= EXACT_ITEMS + EXACT_ITEMS_PER_WIDTH * width:
            return self.finish(items)
        self.check()
        state = self.solver.analyze(items)
        guesses = self.list_guesses(state, width)
        found = BestGuess(INFINITE, len(guesses))
        if best is not None:  # it bounds all others from above
            cost = self.try_guess(state, best.guess, width, best.value + 1)
            found = BestGuess(cost, guesses.index(best.guess))
        for place, tried in enumerate(guesses):
            # Of equally good ones the first counts: so the tree does not depend on what was known.
            upper = found.below_at(place)
            if place != found.at and int(state.bounds.totals[tried]) < upper:
                cost = self.try_guess(state, tried, width, upper)
                if cost < upper:
                    found = BestGuess(cost, place)
        self.known[key] = Best(found.cost, guesses[found.at], width)
        return found.cost

    def finish(self, items: Items) -> int:
        """Return the least cost of a small state."""
        value = self.solver.solve(items)
        assert value is not None  # every guess that tells something ends some day
        self.note(items)
        return value

    def note(self, items: Items) -> None:
        """Keep the tree of a state that was solved: the solver may forget it."""
        states, found = [items], dict[bytes, Best]()
        while states:
            items = states.pop()
            known = self.known.get(items.tobytes())
            if len(items) == 1 or (known is not None and known.width == COMPLETE):
                continue
            entry = self.solver.enter(items, NO_CAP)
            if entry.value is None:  # it is forgotten already
                self.solver.solve(items)
                entry = self.solver.enter(items, NO_CAP)
            assert entry.value is not None
            answers = self.problem.answers[entry.guess][items]
            states += [items[answers == reply] for reply in set(answers.tolist()) - {-1}]
            found[items.tobytes()] = Best(entry.value, entry.guess, COMPLETE)
        # All at once: what is known about a state tells its whole tree, whenever it is looked at.
        self.known |= found

    def try_guess(self, state: WeightedState, guess: int, width: int, upper: int) -> int:
        """Return the cost of the best tree found with a guess, or a bound of `upper` or more."""
        cells = self.solver.divide(state, guess)
        parts = self.solver.list_parts(cells, NO_CAP)
        total = self.solver.charge(state.items, cells, guess, NO_CAP)
        total += sum(lower for lower, _ in parts)
        for lower, items in parts:
            if total >= upper:
                break
            total += self.improve(items, width) - lower
        return total

    def list_guesses(self, state: WeightedState, width: int) -> list[int]:
        """Return the guesses that a beam tries: those that tell most by cost."""
        different: dict[bytes, int] = {}
        for guess in self.rank(state):
            different.setdefault(state.bounds.keys[guess].tobytes(), guess)
            if len(different) == width:
                break
        return list(different.values())

    def rank(self, state: WeightedState) -> list[int]:
        """Return the guesses of a state, those that tell most by cost first."""
        problem = self.problem
        gains = np.zeros(len(problem.answers), dtype=np.int64)
        weights = problem.weights
        if not weights[state.items].any():
            weights = np.ones_like(weights)
        estimate_guesses(problem.answers, weights, problem.n_cells, state.items, gains)
        possible = self.solver.list_allowed(state)
        rates = gains[possible] / problem.costs[possible]
        return [int(guess) for guess in possible[np.argsort(-rates, kind="stable")]]

    def choose(self, items: Items, left: int = NO_CAP) -> int:
        """Return the guess of a state in the best tree; what tells most where none is known."""
        best = self.known.get(items.tobytes())
        return best.guess if best is not None else self.rank(self.solver.analyze(items))[0]


TASK = "best"
"""The name of the record in its folder."""

PAUSE_FACTOR = 20
"""Between two records there is this many times the time that one takes."""


class Proved(NamedTuple):
    """A lower bound of the total, and how many guesses the search for it looked ahead.

    Attributes
    ----------
    bound
        No total is below it.
    n_ahead
        -1: it is not searched for yet.
    """

    bound: int = 0
    n_ahead: int = -1


class BeamRecord:
    """The record of a search: the best trees of its states, and what is proved of the total.

    Parameters
    ----------
    beam
        The search.
    checkpoint
        The folder; None: nothing is kept.
    pause_s
        The least time between two records.

    Notes
    -----
    The trees of a beam depend on its width alone, not on what was known before. The bound depends
    on the solver's table; so the table is kept, too, until the bound is proved, and a record of
    that time is written between two states, never in the middle of one. So a search that goes on
    ends with the tree and the bound of one that was never ended.
    """

    def __init__(
        self, beam: WeightedBeam, checkpoint: Checkpoint | None = None, pause_s: float = 0.0
    ) -> None:
        self.beam, self._checkpoint, self._pause_s = beam, checkpoint, pause_s
        self._next_s = time.monotonic() + pause_s

    def load(self) -> tuple[Proved, bool]:
        """Put what the folder has into the beam; return what is proved, and whether it has any."""
        body = None if self._checkpoint is None else self._checkpoint.find(TASK)
        if body is None:
            return Proved(), False
        proved, states, table = msgpack.unpackb(body)
        self.beam.known.update((key, Best(*best)) for key, *best in states)
        self.beam.solver.table.update(
            ((key, NO_CAP), StateProof(lower, value, guess)) for key, lower, value, guess in table
        )
        return Proved(*proved), True

    def save_if_due(self, proved: Proved) -> None:
        """Write what is known, if that was not done for some time."""
        if self._checkpoint is not None and time.monotonic() >= self._next_s:
            self.save(proved)

    def save(self, proved: Proved) -> None:
        """Write what is known."""
        if self._checkpoint is None:
            return
        start_s = time.monotonic()
        # A list at once: the search may be going on in its thread.
        known = list(self.beam.known.items())
        states = [(key, best.value, best.guess, best.width) for key, best in known]
        table = [] if proved.n_ahead >= 0 else list(self.beam.solver.table.items())
        entries = [(key, entry.lower, entry.value, entry.guess) for (key, _), entry in table]
        self._checkpoint.save(TASK, msgpack.packb((proved, states, entries)))
        end_s = time.monotonic()
        self._next_s = end_s + max(self._pause_s, PAUSE_FACTOR * (end_s - start_s))
