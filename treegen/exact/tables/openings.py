"""A search by workers that share no table: an opening, or one of its cells, is a part for anybody.

A part travels with the search as plain values; what was proved of the states of its tree comes
back. What is known of the parts is recorded, so that an ended search goes on.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate

import msgpack
import numpy as np

from ...games.base import Game
from ...tasks.checkpoint import Checkpoint
from ...tasks.run import Pool, Workers, keep_in_process, run_growing
from ...tasks.work import Look
from ..engine import INFINITE, Int32s
from ..parallel.nodes import BestGuess
from ..parallel.worker import PlainSearch
from ..request import Aim, SearchSpec
from .grow import divide_state, grow_tree, list_entries
from .problem import TableState, make_table
from .solver import BoundedQuestion, TableRun, TableSolver

AHEAD = 1
"""Parts for each worker besides its current one, so that none waits for the next."""

PartResult = tuple[int | None, bytes, int]
"""The least cost of a part (None: not below the upper bound), entries of the table of states that
hold its tree, the states searched."""


def run_part(plain: PlainSearch, question: int, cell: bytes, upper: int) -> PartResult:
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
        run, table = TableRun(self.solver), self.solver.table
        run.begin(table.root, self.aim, self.left, upper, table.first)
        return run.open()

    def run(self, question: int, cell: bytes, upper: int) -> PartResult:
        """Search an opening or one of its cells below an upper bound; empty: all of the opening."""
        with self._runs.lend() as run:
            return self._run(run, question, cell, upper)

    def _run(self, run: TableRun, question: int, cell: bytes, upper: int) -> PartResult:
        table = self.solver.table
        state, left = table.root, self.left
        if cell:
            state, left = unpack_state(cell), self.spend(question)
            run.begin(state, self.aim, left, upper)
        else:
            run.begin(state, self.aim, left, upper, (question,))
        before = run.n_states
        found = run.finish()
        n_states, plan = run.n_states - before, b""
        if found is not None and self.aim.scale + self.aim.step > 0:
            given = -1 if cell else question
            plan = list_entries(run, state, self.aim, left, given).tobytes()
        return (None if found is None else found[0]), plan, n_states

    def spend(self, question: int) -> int:
        """Return what may be spent after a question of the root."""
        cost = int(self.solver.table.problem.costs[question])
        return self.left - cost * (self.left < INFINITE)

    def open(self, at: int, listed: BoundedQuestion, *, is_split: bool) -> Opening:
        """Return an opening with its cells of several items as parts, or with one part in all."""
        solver, question, aim = self.solver, listed.question, self.aim
        table, left = solver.table, self.spend(question)
        if not is_split or aim.scale == aim.step == 0:  # whose cost is no sum over cells
            return Opening(at, question, 0, [OpeningPart(f"{question}", listed.bound, b"")])
        cost = aim.scale * int(table.problem.costs[question]) * table.weight + aim.step
        opening, run = Opening(at, question, cost), TableRun(solver)
        for number, (state, is_won) in enumerate(divide_state(table, table.root, question)):
            end = solver.cost_end(state, aim, left, is_won=is_won)
            if end is not None:
                opening.rest += end
                continue
            run.begin(state, aim, left)
            run.open()
            name = f"{question} {number}"
            opening.parts.append(OpeningPart(name, run.bound, pack_state(state)))
        opening.parts.sort(key=lambda part: len(part.cell))
        return opening


def pack_state(state: TableState) -> bytes:
    """Return a state as bytes."""
    items, shares = state.items.astype("<i4").tobytes(), state.shares.astype("<i8").tobytes()
    return bytes(msgpack.packb((items, shares, state.asked)))


def unpack_state(body: bytes) -> TableState:
    """Return the state of some bytes."""
    items, shares, asked = msgpack.unpackb(body)
    return TableState(
        np.frombuffer(items, "<i4").astype(np.int32),
        np.frombuffer(shares, "<i8").astype(np.int64),
        tuple(asked),
    )


@dataclass(slots=True, eq=False)
class OpeningPart:
    """A piece of an opening: one of its cells, or all of it."""

    name: str  # what it is called in records
    lower: int  # the least that it can cost; its cost once there is a plan
    cell: bytes  # its state; empty: all of the opening
    plan: bytes | None = None  # see `PartResult`; None before it is solved
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


class PartRecords:
    """What is known about the parts of one search, in one file of a checkpoint.

    It is written again after `record_s` seconds.
    """

    def __init__(self, checkpoint: Checkpoint, search: str, record_s: float) -> None:
        self._checkpoint, self._name, self._record_s = checkpoint, f"parts-{search}", record_s
        body = checkpoint.find(self._name)
        self._known = {} if body is None else msgpack.unpackb(body)
        self._is_saved, self._saved_s = True, time.monotonic()

    def find(self, part: str, upper_bound: int) -> tuple[int | None, bytes] | None:
        """Return the cost of a part (None: not below the upper bound) and its plan, if known."""
        value, plan = self._known.get(part, (0, None))
        if plan is None:
            return (None, b"") if value >= upper_bound else None
        return (value, plan) if value < upper_bound else (None, b"")

    def add(self, part: str, upper_bound: int, cost: int | None, plan: bytes) -> None:
        """Record a result; write all of them if that was not done for long."""
        self._known[part] = [upper_bound, None] if cost is None else [cost, plan]
        self._is_saved = False
        if time.monotonic() - self._saved_s >= self._record_s:
            self.save()

    def save(self) -> None:
        """Write what was not written yet."""
        if not self._is_saved:
            self._checkpoint.save(self._name, msgpack.packb(self._known))
            self._is_saved, self._saved_s = True, time.monotonic()


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
        records: PartRecords | None,
    ) -> None:
        self.desk, self.workers, self.records = desk, workers, records
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
                part.is_sent = part.is_sent and part.plan is not None
        self._n_in_flight = 0
        try:
            sent = run_growing(self.workers, self.run_part, self._send_next, look, AHEAD)
            for (opening, part, upper_bound), (cost, plan, n_states) in sent:
                self._n_in_flight -= 1
                self.n_states += n_states
                if self.records is not None:
                    self.records.add(part.name, upper_bound, cost, plan)
                self._take(opening, part, cost, plan)
                if time.monotonic() > until_s:
                    return False
        finally:
            if self.records is not None:
                self.records.save()
        return True

    def bound(self) -> int:
        """Return what is proved about the cost so far."""
        begun = [opening.cost for opening in self._begun if not opening.is_closed]
        return min([self.cost, self._floors[self._next_at], *begun])

    def _upper_bound_at(self, at: int) -> int:
        """Return the cost that an opening must get below."""
        return BestGuess(self.cost, -1 if self.best is None else self.best.at).below_at(at)

    def _send_next(self) -> tuple[tuple[Opening, OpeningPart, int], tuple[int, bytes, int]] | None:
        """Return the next part for a worker; None if there is nothing to do now."""
        while (found := self._find_part()) is not None:
            opening, part = found
            part.is_sent = True
            upper_bound = self._upper_bound_at(opening.at) - opening.cost + part.lower
            known = None if self.records is None else self.records.find(part.name, upper_bound)
            if known is None:
                self._n_in_flight += 1
                return (opening, part, upper_bound), (opening.question, part.cell, upper_bound)
            self._take(opening, part, *known)
        return None

    def _find_part(self) -> tuple[Opening, OpeningPart] | None:
        """Return the first part that nobody has."""
        while True:
            for opening in self._begun:
                for part in opening.parts:
                    if not (part.is_sent or opening.is_closed):
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

    def _take(self, opening: Opening, part: OpeningPart, cost: int | None, plan: bytes) -> None:
        """Add what was found out about a part."""
        if opening.is_closed:
            return
        if cost is None:
            opening.is_closed = True
            return
        part.lower, part.plan = cost, plan
        self._close(opening)

    def _close(self, opening: Opening) -> None:
        """Close an opening that is solved, or that costs too much."""
        cost, is_solved = opening.cost, all(part.plan is not None for part in opening.parts)
        if cost >= self._upper_bound_at(opening.at):
            opening.is_closed = True
        elif is_solved:
            opening.is_closed = True
            self.cost, self.best = cost, opening
            for part in opening.parts:
                self.desk.solver.add_entries(part.plan or b"")


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
