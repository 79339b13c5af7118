"""The openings of a weighted search, and their cells, as parts for several workers.

A part travels with the search as plain values; each process keeps what it derives from these.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgpack
import numpy as np

from ...errors import SearchStoppedError
from ...tasks import keep_in_process
from ..parallel import (
    Opening,
    OpeningPart,
    PartResult,
    RootState,
)
from .problem import Choose, Items, make_problem
from .solver import LongestSolver, Price, Scope, WeightedSolver, WeightedState


@dataclass(frozen=True, slots=True)
class PlainWeightedSearch:
    """A search as plain values; what is derived from them is made once in each process and kept.

    Attributes
    ----------
    root
        Its root.
    price, scope
        See `WeightedSolver`.
    is_longest
        Whether the least worst case is wanted.
    left
        What may be spent in all.
    """

    root: RootState
    price: Price
    scope: Scope
    is_longest: bool
    left: int


def run_weighted_part(
    plain: PlainWeightedSearch, guess: int, cell: bytes, upper: int
) -> PartResult:
    """Search a part in this process, with what it keeps of the search; see `WeightedDesk.run`."""
    return _find_desk(plain).run(guess, cell, upper)


@keep_in_process(1)
def _find_desk(plain: PlainWeightedSearch) -> WeightedDesk:
    kind = LongestSolver if plain.is_longest else WeightedSolver
    solver = kind(make_problem(*plain.root.restore()), plain.price, scope=plain.scope)
    return WeightedDesk(solver, plain.left)


class WeightedDesk:
    """What the threads of one process need for one search, with one table for all.

    Attributes
    ----------
    solver
        Knows the problem and the table; a thread has a copy.
    state
        All items, with the bounds of their guesses.
    is_stopped
        Whether the search is over.
    """

    def __init__(self, solver: WeightedSolver, left: int) -> None:
        self.solver, self.left = solver, solver.simplify(solver.root, left)
        self.state: WeightedState = solver.analyze(solver.root, self.left)
        self.is_stopped = False

    def stop(self) -> None:
        """End what the threads do, at their next state."""
        self.is_stopped = True

    def run(self, guess: int, cell: bytes, upper: int) -> PartResult:
        """Search an opening, or one of its cells, below an upper bound.

        Parameters
        ----------
        guess
            The opening, by its number in the problem.
        cell
            The items of the cell, as 32-bit integers; empty: all of the opening.
        """
        solver = copy.copy(self.solver)
        solver.n_states, solver.check = 0, self._check
        items = np.frombuffer(cell, dtype="<i4").astype(np.int32)
        left = solver.spend(self.left, guess)
        if len(items):
            value, cells = solver.solve(items, left, upper), [items]
        else:
            value = solver.try_guess(self.state, guess, upper)
            cells = solver.list_items(solver.divide(self.state, guess))
        is_longest = isinstance(solver, LongestSolver)
        choices = [] if value is None or is_longest else list_choices(solver, cells, left)
        counts = {"states": solver.n_states}
        return PartResult(value, msgpack.packb(choices) if value is not None else b"", counts)

    def _check(self) -> None:
        if self.is_stopped:
            raise SearchStoppedError("the search is over")


def list_choices(solver: WeightedSolver, cells: list[Items], left: int) -> list[tuple[bytes, int]]:
    """Return the states of several items in the trees of solved states, with their guesses."""
    choices, states = [], [(items, left) for items in reversed(cells)]
    while states:
        items, left = states.pop()
        if len(items) > 1:
            guess = solver.choose(items, left)
            choices.append((items.astype("<i4").tobytes(), guess))
            answers = solver.problem.answers[guess][items]
            below = solver.spend(left, guess)
            states += [(items[answers == reply], below) for reply in set(answers.tolist()) - {-1}]
    return choices


class WeightedOpeningList:
    """The first guesses of a weighted search; see `OpeningList`.

    Parameters
    ----------
    desk
        What this process knows.
    plain
        The search.
    run
        Searches a part: here, or in another process.
    """

    def __init__(
        self, desk: WeightedDesk, plain: PlainWeightedSearch, run: Callable[..., PartResult]
    ) -> None:
        self.desk, self.plain, self.run, self.stop = desk, plain, run, desk.stop
        keys, ranked = desk.state.bounds.keys, dict[bytes, tuple[int, int]]()
        for bound, guess in desk.solver.rank(desk.state):
            # One that divides the items like a guess before it costs no less.
            ranked.setdefault(keys[guess].tobytes(), (bound, guess))
        self.guesses = [guess for _, guess in ranked.values()]
        self.bounds: Sequence[int] = [bound for bound, _ in ranked.values()]

    def keep_whole(self, at: int) -> Opening:
        """Return an opening that is its only part."""
        guess, bound = self.guesses[at], self.bounds[at]
        return Opening(at, 0, [OpeningPart(f"{guess}", bound, (guess, b""))])

    def split(self, at: int) -> Opening:
        """Return an opening with its cells of several items as parts."""
        if self.plain.is_longest:  # its cost is no sum over cells
            return self.keep_whole(at)
        solver, state, guess = self.desk.solver, self.desk.state, self.guesses[at]
        cells, left = solver.divide(state, guess), solver.spend(state.limits.left, guess)
        opening = Opening(at, solver.charge(state.items, cells, guess, left))
        for lower, items in solver.list_parts(cells, left):
            if len(items) == 1:
                opening.rest += solver.finish(int(items[0]), left)
                continue
            data = items.astype("<i4").tobytes()
            name = f"{guess} {int(items[0])} {len(items)}"
            opening.parts.append(OpeningPart(name, lower, (guess, data)))
        return opening

    def join(self, opening: Opening) -> Choose:
        """Return the guesses of the tree that begins with a solved opening."""
        root = self.desk.solver.root.astype("<i4").tobytes()
        guesses: dict[bytes, int] = {root: self.guesses[opening.at]}
        for part in opening.parts:
            guesses |= dict(msgpack.unpackb(part.plan or b"\x90", use_list=False))

        def choose(items: Items, _: int) -> int:
            return guesses[items.astype("<i4").tobytes()]

        return choose
