"""The openings of a weighted search, and their cells, as parts for several workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

from ...games import Game
from ...tasks import Workers
from ..parallel import Opening, OpeningPart, PartRecords, PartResult, SearchByOpening, open_threads
from ..request import SearchControl
from .parts import WeightedDesk, WeightedProblem, run_weighted_part
from .plan import Choose
from .solver import Items, Solver


class WeightedOpenings:
    """The first guesses of a weighted search; see `OpeningList`.

    Parameters
    ----------
    desk
        What this process knows.
    problem
        The search.
    run
        Searches a part: here, or in another process.
    """

    def __init__(
        self, desk: WeightedDesk, problem: WeightedProblem, run: Callable[..., PartResult]
    ) -> None:
        self.desk, self.problem, self.run, self.stop = desk, problem, run, desk.stop
        keys, ranked = desk.state.bounds.keys, dict[bytes, tuple[int, int]]()
        for bound, guess in desk.solver.rank(desk.state):
            # One that divides the items like a guess before it costs no less.
            ranked.setdefault(keys[guess].tobytes(), (bound, guess))
        self.guesses = [guess for _, guess in ranked.values()]
        self.bounds: Sequence[int] = [bound for bound, _ in ranked.values()]

    def keep_whole(self, at: int) -> Opening:
        """Return an opening that is its only part."""
        guess, bound = self.guesses[at], self.bounds[at]
        return Opening(at, 0, [OpeningPart(f"{guess}", bound, (guess, b"", self.problem))])

    def split(self, at: int) -> Opening:
        """Return an opening with its cells of several items as parts."""
        if self.problem.is_longest:  # its cost is no sum over cells
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
            opening.parts.append(OpeningPart(name, lower, (guess, data, self.problem)))
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
        solver: Solver,
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
            See `WeightedProblem`.
        look
            Called now and then with what is proved; it may raise.
        keep
            Called with the best guesses if the search is ended.
        """
        control = self.control
        problem = WeightedProblem(
            json.dumps(self.game.description),
            self.candidates.astype("<i4").tobytes(),
            solver.price,
            solver.scope,
            is_longest,
            left,
        )
        desk = WeightedDesk(solver, left)
        run = desk.run if control.workers is None else run_weighted_part
        openings = WeightedOpenings(desk, problem, run)
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

    def _share(self, openings: WeightedOpenings, upper: int, workers: Workers) -> SearchByOpening:
        """Return the search, with its records if they are kept."""
        problem, records = openings.problem, None
        if self.control.checkpoint is not None:
            kind = "longest" if problem.is_longest else "least"
            name = f"{kind}-{problem.left}-{problem.price.total}-{problem.price.last}"
            records = PartRecords(self.control.checkpoint, name, self.control.budget.record_s)
        return SearchByOpening(openings, upper, workers, records)
