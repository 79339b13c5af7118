"""A general search by several: an opening, or one of its cells, is a part for anybody.

A part travels with the search as plain values; each process keeps what it derives from these. What
is known of the parts is recorded, so that an ended search goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate

import msgpack
import numpy as np

from ...errors import SearchStoppedError
from ...games.base import Game
from ...tasks.checkpoint import Checkpoint
from ...tasks.run import Workers, keep_in_process, run_growing
from ...tasks.work import Stop
from ...tree.tree import Provenance
from ..engine import Int32s
from ..parallel.nodes import BestGuess
from ..parallel.worker import PlainSearch
from ..request import Aim, SearchSpec
from .bounds import IMPOSSIBLE
from .problem import Choose, Items, expand_choices, make_problem
from .solver import GeneralSolver, GeneralState, cap_of

AHEAD = 1
"""Parts for each worker besides its current one, so that none waits for the next."""


PartResult = tuple[int | None, bytes, int]
"""The least cost of a part (None: not below the upper bound), its plan, the states searched.

A plan has the states of a tree with their guesses, packed.
"""


def run_part(plain: PlainSearch, guess: int, cell: bytes, upper: int) -> PartResult:
    """Search a part in this process, with what it keeps of the search; see `PartDesk.run`."""
    return _find_desk(plain).run(guess, cell, upper)


@keep_in_process(1)
def _find_desk(plain: PlainSearch) -> PartDesk:
    problem = make_problem(*plain.restore(), plain.spec)
    return PartDesk(GeneralSolver(problem, plain.aim))


class PartDesk:
    """What the threads of one process need for one search, with one table for all.

    `solver` knows the problem and the table; a thread has one like it. `state` has all items, with
    the bounds of their guesses. When `is_stopped`, threads end what they do at their next state.
    """

    def __init__(self, solver: GeneralSolver) -> None:
        self.solver, self.left = solver, solver.simplify(solver.root, cap_of(solver.aim))
        self.state: GeneralState = solver.analyze(solver.root, self.left)
        self.is_stopped = False

    def run(self, guess: int, cell: bytes, upper: int) -> PartResult:
        """Search an opening, a number in the problem, or one of its cells, below an upper bound.

        The cell has its items as 32-bit integers; empty: all of the opening.
        """
        own = self.solver
        solver = GeneralSolver(own.problem, own.aim, self._check, like=own)
        items = np.frombuffer(cell, dtype="<i4").astype(np.int32)
        left = solver.spend(self.left, guess)
        if len(items):
            value, cells = solver.solve(items, left, upper), [items]
        else:
            value = solver.try_guess(self.state, guess, upper)
            cells = solver.list_items(solver.divide(self.state, guess))
        if value is None:
            return None, b"", solver.n_states
        choices = [] if solver.is_longest else list_choices(solver, cells, left)
        return value, msgpack.packb(choices), solver.n_states

    def open(self, at: int, bound: int, guess: int, *, is_split: bool) -> Opening:
        """Return an opening with its cells of several items as parts, or with one part in all."""
        solver, state = self.solver, self.state
        if not is_split or solver.is_longest:  # whose cost is no sum over cells
            return Opening(at, guess, 0, [OpeningPart(f"{guess}", bound, b"")])
        cells, left = solver.divide(state, guess), solver.spend(state.limits.left, guess)
        opening = Opening(at, guess, solver.charge(state.items, cells, guess, left))
        for lower, items in solver.list_parts(cells, left):
            if len(items) == 1:
                opening.rest += solver.finish(int(items[0]), left)
                continue
            name = f"{guess} {int(items[0])} {len(items)}"
            opening.parts.append(OpeningPart(name, lower, items.astype("<i4").tobytes()))
        return opening

    def _check(self) -> None:
        if self.is_stopped:
            raise SearchStoppedError("the search is over")


def list_choices(solver: GeneralSolver, cells: list[Items], left: int) -> list[tuple[bytes, int]]:
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


@dataclass(slots=True, eq=False)
class OpeningPart:
    """A piece of an opening: one of its cells, or all of it."""

    name: str  # what it is called in records
    lower: int  # the least that it can cost; its cost once there is a plan
    cell: bytes  # its items, as 32-bit integers; empty: all of the opening
    plan: bytes | None = None  # its guesses; None before it is solved
    is_sent: bool = False  # whether somebody has it or had it


@dataclass(slots=True, eq=False)
class Opening:
    """A first guess under trial."""

    at: int  # its place in the list
    guess: int  # its number in the problem
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
        text, plan = self._known.get(part, ("0", None))
        value = int(text)
        if plan is None:
            return (None, b"") if value >= upper_bound else None
        return (value, plan) if value < upper_bound else (None, b"")

    def add(self, part: str, upper_bound: int, cost: int | None, plan: bytes) -> None:
        """Record a result; write all of them if that was not done for long."""
        # As texts: no limit keeps a cost to 64 bits.
        self._known[part] = [str(upper_bound), None] if cost is None else [str(cost), plan]
        self._is_saved = False
        if time.monotonic() - self._saved_s >= self._record_s:
            self.save()

    def save(self) -> None:
        """Write what was not written yet."""
        if not self._is_saved:
            self._checkpoint.save(self._name, msgpack.packb(self._known))
            self._is_saved, self._saved_s = True, time.monotonic()


class SearchByOpening:
    """A search by its openings: a first guess, or one of its cells, is a piece of work for anybody.

    So games are shared whose searches cannot be ended and resumed in the middle. The first opening
    is split into its cells, since without the cost of a tree all others would search too much; the
    rest are tried whole, each below the best cost known when it is sent, and split when few are
    left. Of equal costs the first opening in the list is kept, whoever finishes first: the tree is
    that of one thread.

    `plain` is the search for other processes; None: threads of this one do it. `best` is the best
    opening so far, whose parts have plans; `cost`, what it costs, or the first upper bound.
    """

    def __init__(
        self,
        desk: PartDesk,
        plain: PlainSearch | None,
        upper_bound: int,
        workers: Workers,
        records: PartRecords | None,
    ) -> None:
        self.desk, self.workers, self.records = desk, workers, records
        # A part that waits here has an upper bound that grows old.
        self.ahead = 0 if plain is None else AHEAD
        self.run_part = desk.run if plain is None else partial(run_part, plain)
        self.cost = upper_bound
        self.best: Opening | None = None
        self.n_states = 0
        self._begun: list[Opening] = []
        self._next_at = self._n_in_flight = 0
        keys, ranked = desk.state.bounds.keys, dict[bytes, tuple[int, int]]()
        for bound, guess in desk.solver.rank(desk.state):
            # One that divides the items like a guess before it costs no less.
            ranked.setdefault(keys[guess].tobytes(), (bound, guess))
        self.openings = list(ranked.values())
        # The least bound of the openings from each place on: given ones are not sorted by it.
        bounds = reversed([bound for bound, _ in self.openings])
        self._floors = list(accumulate([upper_bound, *bounds], min))[::-1]

    def run(self, look: Callable[[], None]) -> Opening | None:
        """Search to the end; `look` is called now and then, and may raise to end it early.

        Return the first of the best openings; None if none costs less than the upper bound.
        """
        try:
            sent = run_growing(self.workers, self.run_part, self._send_next, look, self.ahead)
            for (opening, part, upper_bound), (cost, plan, n_states) in sent:
                self._n_in_flight -= 1
                self.n_states += n_states
                if self.records is not None:
                    self.records.add(part.name, upper_bound, cost, plan)
                self._take(opening, part, cost, plan)
        except BaseException:
            self.desk.is_stopped = True
            raise
        finally:
            if self.records is not None:
                self.records.save()
        return self.best

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
                return (opening, part, upper_bound), (opening.guess, part.cell, upper_bound)
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
            at, (bound, guess) = self._next_at, self.openings[self._next_at]
            self._next_at += 1
            if bound < self._upper_bound_at(at):
                is_split = self.best is None or n - at < 2 * self.workers.count()
                opening = self.desk.open(at, bound, guess, is_split=is_split)
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

    def join(self, opening: Opening) -> Choose:
        """Return the guesses of the tree that begins with a solved opening."""
        guesses = {self.desk.solver.root.astype("<i4").tobytes(): opening.guess}
        for part in opening.parts:
            guesses |= dict(msgpack.unpackb(part.plan or b"\x90", use_list=False))

        def choose(items: Items, _: int) -> int:
            return guesses[items.astype("<i4").tobytes()]

        return choose


class GeneralOpenings:
    """Openings in the general search; see `OpeningSearch`.

    There are two candidates or more. The errors are those of `make_problem`.
    """

    def __init__(self, game: Game, candidates: Int32s, spec: SearchSpec, halt: Stop) -> None:
        any_first = replace(spec, first=())
        self.game, self.problem = game, make_problem(game, candidates, any_first, halt.check)
        self.solver = GeneralSolver(self.problem, Aim(spec.max_length), halt.check)
        self.left = self.solver.simplify(self.solver.root, cap_of(self.solver.aim))
        self.state = self.solver.analyze(self.solver.root, self.left)

    def rank(self, openings: Int32s) -> Int32s:
        """Return the openings that gain information, those of the least bound first."""
        ranked = self.solver.rank(self.solver.analyze(self.solver.root))
        codes = self.problem.codes[[guess for _, guess in ranked]]
        return codes[np.isin(codes, openings)]

    def share(self) -> GeneralOpenings:
        """Return the search of one more thread: this one, since nothing but its table is kept."""
        return self

    def find_lengths(self, code: int, below: int) -> tuple[int, list[int]] | None:
        """Return the least total after an opening, and its histogram; None: it is not below."""
        solver, opening = self.solver, int(np.searchsorted(self.problem.codes, code))
        if self.state.bounds.totals[opening] == IMPOSSIBLE:  # it leads to too long games
            return None
        total = solver.try_guess(self.state, opening, below)
        if total is None:
            return None

        def choose(items: Items, left: int) -> int:
            return opening if len(items) == self.problem.n else solver.choose(items, left)

        tree = expand_choices(self.game, self.problem, choose, Provenance(""), self.left)
        return total, tree.share_histogram
