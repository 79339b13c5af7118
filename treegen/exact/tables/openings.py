"""A search by workers that share no table: an opening, or one of its cells, is a part for anybody.

A part travels with the search as plain values; what was proved of it and of the states of its tree
comes back into the table. So an ended search continues where the table is kept.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate

from ...games.base import Game
from ...tasks.run import Pool, Task, Workers, keep_in_process, run_growing
from ...tasks.work import Look
from ..engine import INFINITE, Int32s, UInt64s
from ..engine.cost import spend
from ..parallel.nodes import BestGuess
from ..parallel.worker import PlainSearch
from ..request import Aim, SearchSpec
from .grow import divide_state, grow_tree, list_entries
from .problem import TableState, make_table
from .solver import BoundedQuestion, TableRun, TableSolver

AHEAD = 1
"""Parts for each worker besides its current one, so that none waits for the next."""

PartResult = tuple[int | None, list[UInt64s], int]
"""The least cost of a part (None: not below the upper bound), entries of the table of states, and
how many states were searched."""


def run_part(plain: PlainSearch, question: int, cell: TableState | None, upper: int) -> PartResult:
    """Search a part in this process, with what it keeps of the search; see `PartDesk.run`."""
    return _find_desk(plain).run(question, cell, upper)


@keep_in_process(1)
def _find_desk(plain: PlainSearch) -> PartDesk:
    solver = TableSolver(make_table(*plain.restore(), plain.spec))
    return PartDesk(solver, plain.aim)


class PartDesk:
    """What the threads of one process need for one search, with one table of states for all."""

    def __init__(self, solver: TableSolver, aim: Aim) -> None:
        self.solver = solver
        self.aim, self.left = solver.make_aim(aim), solver.simplify(aim)
        self._runs = Pool(lambda: TableRun(self.solver))

    def list_openings(self, upper: int) -> list[BoundedQuestion]:
        """Return the questions of the root that may cost less, in the order of trying them."""
        with self._runs.lend() as run:
            table = self.solver.table
            run.begin(table.root, self.aim, self.left, upper, table.first)
            return run.open()

    def run(self, question: int, cell: TableState | None, upper: int) -> PartResult:
        """Search an opening or one of its cells below an upper bound; None: all of the opening."""
        with self._runs.lend() as run:
            before, state, left = run.n_states, *self._begin(run, question, cell, upper)
            found = run.finish()
            n_states, rows = run.n_states - before, [run.write_entry()]
            if found is not None and self.aim.scale + self.aim.step > 0:
                rows += list_entries(run, state, self.aim, left, found[1])
        return (None if found is None else found[0]), rows, n_states

    def recall(self, question: int, cell: TableState | None, upper: int) -> PartResult | None:
        """Return the result of a part from the table of states; None if the table lacks it."""
        with self._runs.lend() as run:
            self._begin(run, question, cell, upper)
            return (run.cost, [], 0) if run.recall() else None

    def _begin(
        self, run: TableRun, question: int, cell: TableState | None, upper: int
    ) -> tuple[TableState, int]:
        """Begin with a part; return its state and what may be spent there."""
        if cell is None:
            run.begin(self.solver.table.root, self.aim, self.left, upper, (question,))
        else:
            run.begin(cell, self.aim, self._spend(question), upper)
        return run.state, run.left

    def _spend(self, question: int) -> int:
        return spend(self.left, int(self.solver.table.problem.costs[question]))

    def open(self, at: int, listed: BoundedQuestion, *, is_split: bool) -> Opening:
        """Return an opening with its cells of several items as parts, or with one part in all."""
        question, aim, table = listed.question, self.aim, self.solver.table
        if not is_split or aim.scale == aim.step == 0:  # whose cost is no sum over cells
            return Opening(at, question, 0, [OpeningPart(None, listed.bound)])
        left, price = self._spend(question), int(table.problem.costs[question])
        opening = Opening(at, question, aim.scale * price * table.weight + aim.step)
        with self._runs.lend() as run:
            for state, is_won in divide_state(table, table.root, question):
                if is_won:
                    share = int(state.shares[0]) >> aim.shift
                    opening.rest += aim.last * share * (left == 0)
                    continue
                run.begin(state, aim, left)
                run.open()
                opening.parts.append(OpeningPart(state, run.bound, run.is_done))
        opening.parts.sort(key=lambda part: len(part.cell.items) if part.cell else 0)
        return opening


@dataclass(slots=True, eq=False)
class OpeningPart:
    """A piece of an opening: one of its cells, or all of it."""

    cell: TableState | None  # None: all of the opening
    lower: int  # the least that it can cost; its cost once it is solved
    is_solved: bool = False
    is_sent: bool = False  # whether somebody has it or had it


@dataclass(slots=True, eq=False)
class Opening:
    """A first question under trial."""

    at: int  # its place in the list
    question: int
    rest: int = 0  # what it costs besides its parts
    parts: list[OpeningPart] = field(default_factory=list)  # what is to be searched
    is_closed: bool = False  # whether its cost is known, or known to be too high

    @property
    def cost(self) -> int:
        """The least that it can cost by what is known about its parts."""
        return self.rest + sum(part.lower for part in self.parts)


class SearchByOpening:
    """A search by its openings: a first question, or one of its cells, is a piece of work.

    The first opening is split into its cells, since without the cost of a tree all others would
    search too much; the rest are tried whole, each below the best cost known when it is sent, and
    split when few are left. Of equal costs the first opening in the list is kept, whoever finishes
    first: the tree is that of one thread.

    `plain` is the search as it travels. `best` is the best opening so far; `cost`, what it costs,
    or the first upper bound.
    """

    def __init__(
        self,
        desk: PartDesk,
        plain: PlainSearch,
        upper_bound: int,
        workers: Workers,
    ) -> None:
        self.desk, self.workers = desk, workers
        self.run_part = partial(run_part, plain)
        self.cost = upper_bound
        self.best: Opening | None = None
        self.n_states = 0
        self._begun: list[Opening] = []
        self._next_at = self._n_in_flight = 0
        self.openings = desk.list_openings(upper_bound)
        # The least bound of the openings from each place on: given ones are not sorted by it.
        bounds = reversed([listed.bound for listed in self.openings])
        self._floors = list(accumulate([upper_bound, *bounds], min))[::-1]

    def lower_limit(self, upper_bound: int) -> None:
        """Look for better trees only from now on."""
        if upper_bound < self.cost:
            self.cost, self.best = upper_bound, None

    def run(self, look: Look, until_s: float = math.inf) -> bool:
        """Search to the end, or for a time; return whether the end is reached.

        `look` is called now and then, and may raise to end it early. `best` is the first of the
        best openings then; None if none costs less than the upper bound.
        """
        for opening in self._begun:  # what was under way when its time was over
            for part in opening.parts:
                part.is_sent = False
        self._n_in_flight = 0
        sent = run_growing(self.workers, self.run_part, self._send_next, look, AHEAD)
        for (opening, part), result in sent:
            self._n_in_flight -= 1
            self._take(opening, part, *result)
            if time.monotonic() > until_s:
                return False
        return True

    def bound(self) -> int:
        """Return the lower bound of the cost proved so far."""
        begun = [opening.cost for opening in self._begun if not opening.is_closed]
        return min([self.cost, self._floors[self._next_at], *begun])

    def _upper_bound_at(self, at: int) -> int:
        """Return the cost that an opening must get below."""
        return BestGuess(self.cost, -1 if self.best is None else self.best.at).below_at(at)

    def _send_next(self) -> Task[tuple[Opening, OpeningPart]] | None:
        """Return the next part for a worker; None if there is nothing to do now."""
        while (found := self._find_part()) is not None:
            opening, part = found
            part.is_sent = True
            upper_bound = self._upper_bound_at(opening.at) - opening.cost + part.lower
            task = opening.question, part.cell, upper_bound
            known = self.desk.recall(*task)
            if known is None:
                self._n_in_flight += 1
                return (opening, part), task
            self._take(opening, part, *known)
        return None

    def _find_part(self) -> tuple[Opening, OpeningPart] | None:
        """Return the first part that nobody has."""
        while True:
            for opening in self._begun:
                for part in opening.parts:
                    if not (part.is_sent or part.is_solved or opening.is_closed):
                        return opening, part
            if not self._begin_next():
                return None

    def _begin_next(self) -> bool:
        """Begin with the next opening that may be best, if there is one now."""
        self._begun = [opening for opening in self._begun if not opening.is_closed]
        is_eager, n = self._n_in_flight < self.workers.count(), len(self.openings)
        if self.best is None and self._begun and not is_eager:
            return False  # its cost spares the others much work
        while self._next_at < n:
            at, listed = self._next_at, self.openings[self._next_at]
            self._next_at += 1
            if listed.bound < self._upper_bound_at(at):
                is_split = self.best is None or n - at < 2 * self.workers.count()
                opening = self.desk.open(at, listed, is_split=is_split)
                self._begun.append(opening)
                self._close(opening)
                return True
        return False

    def _take(
        self,
        opening: Opening,
        part: OpeningPart,
        cost: int | None,
        rows: list[UInt64s],
        n_states: int,
    ) -> None:
        """Add what was found out about a part."""
        self.n_states += n_states
        self.desk.solver.add_entries(rows)
        if cost is None:
            opening.is_closed = True
        else:
            part.lower, part.is_solved = cost, True
            self._close(opening)

    def _close(self, opening: Opening) -> None:
        """Close an opening that is solved, or that costs too much."""
        if opening.is_closed:
            return
        cost, are_solved = opening.cost, all(part.is_solved for part in opening.parts)
        opening.is_closed = are_solved or cost >= self._upper_bound_at(opening.at)
        if cost < self._upper_bound_at(opening.at) and are_solved:
            self.cost, self.best = cost, opening


class TableOpenings:
    """One thread's search of a game below one opening after the other; see `OpeningSearch`.

    There are two candidates or more.
    """

    def __init__(self, solver: TableSolver, game: Game, spec: SearchSpec) -> None:
        self.game, self.spec, aim = game, spec, Aim(spec.max_length)
        self.solver, self.run = solver, TableRun(solver)
        self.aim, self.left = solver.make_aim(aim), solver.simplify(aim)

    def rank(self, openings: Int32s) -> Int32s:
        """Return the openings that exclude somebody, those of the least bound first."""
        table, free = self.solver.table, self.solver.make_aim(Aim())
        wanted = tuple(q for q in map(table.find, openings.tolist()) if q >= 0)
        listed: list[BoundedQuestion] = []
        for question in wanted:
            self.run.begin(table.root, free, first=(question,))
            listed += self.run.open()
        return table.codes[[question for _, question in sorted(listed)]]

    def share(self) -> TableOpenings:
        """Return the search of one more thread."""
        return TableOpenings(self.solver, self.game, self.spec)

    def find_lengths(self, code: int, below: int) -> tuple[int, list[int]] | None:
        """Return the least total after an opening, and its histogram; None: it is not below."""
        table, question = self.solver.table, self.solver.table.find(code)
        self.run.begin(table.root, self.aim, self.left, min(below, INFINITE), (question,))
        found = self.run.finish()
        if found is None:
            return None
        tree = grow_tree(self.game, self.run, self.aim, self.left, question, self.spec.history)
        return found[0], tree.share_histogram
