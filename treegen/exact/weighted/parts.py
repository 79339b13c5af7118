"""Parts of a weighted search, for threads of this process or for other processes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass

import msgpack
import numpy as np

from ...errors import SearchStoppedError
from ...games import from_description
from ...tasks import keep_in_process
from ..parallel import PartResult
from .longest import LongestSolver
from .problem import Problem, make_problem
from .solver import Items, Price, Scope, Solver, State


@dataclass(frozen=True, slots=True)
class WeightedProblem:
    """A search as plain values; what is derived from them is made once in each process and kept.

    Attributes
    ----------
    description
        The game's description as JSON.
    candidates
        Codes that are possible at the root, as 32-bit integers.
    price, scope
        See `Solver`.
    is_longest
        Whether the least worst case is wanted.
    left
        What may be spent in all.
    """

    description: str
    candidates: bytes
    price: Price
    scope: Scope
    is_longest: bool
    left: int


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

    def __init__(self, solver: Solver, left: int) -> None:
        self.solver, self.left = solver, solver.simplify(solver.root, left)
        self.state: State = solver.analyze(solver.root, self.left)
        self.is_stopped = False

    def stop(self) -> None:
        """End what the threads do, at their next state."""
        self.is_stopped = True

    def run(self, guess: int, cell: bytes, problem: WeightedProblem, upper: int) -> PartResult:
        """Search an opening, or one of its cells, below an upper bound.

        Parameters
        ----------
        guess
            The opening, by its number in the problem.
        cell
            The items of the cell, as 32-bit integers; empty: all of the opening.
        problem
            The search; this desk is made for it.
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
        choices = [] if value is None or problem.is_longest else list_choices(solver, cells, left)
        counts = {"states": solver.n_states}
        return PartResult(value, msgpack.packb(choices) if value is not None else b"", counts)

    def _check(self) -> None:
        if self.is_stopped:
            raise SearchStoppedError("the search is over")


def list_choices(solver: Solver, cells: list[Items], left: int) -> list[tuple[bytes, int]]:
    """Return the states of several items in the trees of solved states, with their guesses."""
    return [
        (items.astype("<i4").tobytes(), guess)
        for cell in cells
        for items, guess in _walk(solver, cell, left)
    ]


def _walk(solver: Solver, items: Items, left: int) -> Iterator[tuple[Items, int]]:
    """Yield the states of several items below a solved state, with their guesses."""
    states = [(items, left)]
    while states:
        items, left = states.pop()
        if len(items) > 1:
            guess = solver.choose(items, left)
            yield items, guess
            answers = solver.problem.answers[guess][items]
            below = solver.spend(left, guess)
            states += [(items[answers == reply], below) for reply in set(answers.tolist()) - {-1}]


def make_solver(problem: Problem, price: Price, scope: Scope, is_longest: bool) -> Solver:
    """Return the solver of a search."""
    kind = LongestSolver if is_longest else Solver
    return kind(problem, price, scope=scope)


def run_weighted_part(guess: int, cell: bytes, problem: WeightedProblem, upper: int) -> PartResult:
    """Search a part in this process, with what it keeps of the search; see `WeightedDesk.run`."""
    return _find_desk(problem).run(guess, cell, problem, upper)


@keep_in_process(1)
def _find_desk(problem: WeightedProblem) -> WeightedDesk:
    game = from_description(json.loads(problem.description))
    candidates = np.frombuffer(problem.candidates, "<i4").astype(np.int32)
    made = make_problem(game, candidates)
    solver = make_solver(made, problem.price, problem.scope, problem.is_longest)
    return WeightedDesk(solver, problem.left)
