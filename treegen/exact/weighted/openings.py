"""The openings of a weighted search, and their cells, as parts for several workers.

A part travels with the search as plain values; each process keeps what it derives from these.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

from ...errors import SearchStoppedError
from ...games import Game
from ...tasks import Workers, keep_in_process
from ..parallel import (
    Opening,
    OpeningPart,
    PartRecords,
    PartResult,
    RootState,
    SearchByOpening,
    open_threads,
)
from ..request import SearchControl
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


class Outcome(NamedTuple):
    """The least cost below an upper bound (None: there is none), and the guesses for it."""

    cost: int | None
    choose: Choose | None


class Help:
    """Searches by several: threads, workers, or one thread whose results are kept in a folder.

    Parameters
    ----------
    game, candidates
        What is searched.
    control
        Jobs, workers, checkpoint and budget count.

    Attributes
    ----------
    shared
        The search that runs.
    n_states
        States that were searched, besides those of `shared`.
    """

    def __init__(self, game: Game, candidates: NDArray[np.int32], control: SearchControl) -> None:
        self.game, self.candidates, self.control = game, candidates, control
        self.shared: SearchByOpening | None = None
        self.n_states = 0

    @property
    def is_useful(self) -> bool:
        """Whether anybody may help."""
        return self.control.jobs > 1 or self.is_needed

    @property
    def is_needed(self) -> bool:
        """Whether no search may be done without."""
        return self.control.workers is not None or self.control.checkpoint is not None

    def solve(
        self,
        solver: WeightedSolver,
        is_longest: bool,
        left: int,
        upper: int,
        look: Callable[[int], None],
        keep: Callable[[Choose], object],
    ) -> Outcome:
        """Search all items below an upper bound.

        Parameters
        ----------
        solver
            What is known so far.
        is_longest, left
            See `PlainWeightedSearch`.
        look
            Called now and then with what is proved; it may raise.
        keep
            Called with the best guesses if the search is ended.
        """
        control = self.control
        plain = PlainWeightedSearch(
            RootState.of(self.game, self.candidates),
            solver.price,
            solver.scope,
            is_longest,
            left,
        )
        desk = WeightedDesk(solver, left)
        run = desk.run if control.workers is None else partial(run_weighted_part, plain)
        openings = WeightedOpeningList(desk, plain, run)
        with ExitStack() as stack:
            workers = control.workers or stack.enter_context(open_threads(control.jobs))
            shared = self._share(openings, upper, workers)
            try:
                best = shared.run(lambda: look(shared.bound()))
            except BaseException:
                if shared.best is not None:
                    keep(openings.join(shared.best))
                raise
            finally:
                self.n_states += shared.counts.get("states", 0)
        if best is None:
            return Outcome(None, None)
        return Outcome(shared.cost, openings.join(best))

    def _share(
        self, openings: WeightedOpeningList, upper: int, workers: Workers
    ) -> SearchByOpening:
        """Return the search, with its records if they are kept."""
        plain, records = openings.plain, None
        if self.control.checkpoint is not None:
            kind = "longest" if plain.is_longest else "least"
            name = f"{kind}-{plain.left}-{plain.price.total}-{plain.price.last}"
            records = PartRecords(self.control.checkpoint, name, self.control.budget.record_s)
        return SearchByOpening(openings, upper, workers, records)
