"""The search of a game with weights, costs, questions or the goal to identify, in its trees.

It answers the shell's questions (`Searcher`) with the recursion of `solver`, alone or with others,
and makes near-optimal trees with beams of growing width. A beam tries, in every state, the guesses
that tell most by cost, and solves small states exactly; each wider beam looks only for trees that
are better than the one known of a state. A folder keeps the trees and the bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgpack
import numpy as np

from ...errors import SearchStoppedError, TreeError
from ...games.base import Game
from ...strategies.named import name_search
from ...strategies.strategy import join_names
from ...tasks.background import DaemonExecutor
from ...tasks.checkpoint import Checkpoint
from ...tasks.run import Workers
from ...tree.tree import Provenance, Tree
from ..engine import Int32s
from ..first_guesses import list_first
from ..parallel.nodes import BestGuess
from ..parallel.worker import RootState
from ..plan import FoundTree
from ..request import Aim, Monitor, SearchControl, SearchSpec, describe_end, refuse_eligible
from .bounds import estimate_guesses
from .openings import PartRecords, PlainWeightedSearch, SearchByOpening, WeightedDesk
from .problem import NO_CAP, Choose, Items, WeightedProblem, expand_choices, make_problem
from .solver import (
    ALL,
    INFINITE,
    LongestSolver,
    Price,
    Scope,
    StateProof,
    WeightedSolver,
    WeightedState,
    look_ahead,
)

SOON_S = 1.0
"""How long a search that was ended may choose with care where no tree is known."""

LOOK_S = 0.05
"""Time between two calls of the watch."""

EARLY_WIDTH = 2
"""A search that keeps the best tree begins with a beam of this width."""

EARLY_PAIRS = 2000
"""Pairs of guess and candidate up to which it does without: the proof is there as soon."""

MOST_THREADS = 2
"""More would wait for each other: two thirds of the work is Python, for one thread at a time."""

BOUND_WIDTH = 2
"""A near-optimal search proves its bound after a beam of this width: first a good tree."""

AHEAD_PAIRS = 2_000_000
"""Pairs of guess and candidate up to which a bound looks a guess ahead by default."""


class _HelpWantedError(Exception):
    """One thread has searched long enough alone."""


class WeightedSearch:
    """A search of one game; another thread may take its best tree at any time. See `Searcher`.

    Its candidates are the codes that agree with the history. `stage` is what is searched for,
    `incumbent` the result of the last search that found a tree, `weight` that of all candidates.
    """

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        monitor: Monitor,
        control: SearchControl,
    ) -> None:
        refuse_eligible(game, spec)
        self.game, self.candidates = game, candidates
        self.spec, self.monitor, self.control = spec, monitor, control

        def look() -> None:
            if monitor(monitor.progress):
                raise SearchStoppedError(describe_end(0))

        self.problem = make_problem(game, candidates, look)
        number_of = {int(code): guess for guess, code in enumerate(self.problem.codes)}
        first = tuple(number_of[code] for code in list_first(game, candidates, spec))
        self.scope = Scope(first, spec.is_for_candidates(game))
        self.weight = int(self.problem.weights.sum())
        self.beam = WeightedBeam(self.problem, self.check, self.scope)
        self.record = BeamRecord(self.beam, control.checkpoint, control.budget.record_s)
        self.stage = "rules"
        self.incumbent: FoundTree | None = None
        self.proved, self.bound, self.n_elsewhere = Proved(), 0, 0
        self._solver: WeightedSolver | None = None
        self._left, self._next_look_s = NO_CAP, 0.0

    @property
    def is_trivial(self) -> bool:
        """Whether there is nothing to choose: one candidate is left."""
        return self.problem.n == 1

    def make_early_trees(self) -> None:
        """Make trees to return if the search ends early.

        A small search has the tree of what tells most by cost, whenever it ends.
        """
        if self.problem.answers.size > EARLY_PAIRS:
            for width in range(1, EARLY_WIDTH + 1):
                self.beam.widen(width)

    def find_best(self, aim: Aim) -> FoundTree | None:
        """Return the best tree; None if there is none."""
        self.stage, left, below = aim.stage, aim.left, aim.below
        if left is not None and left < 0:
            return None
        limit = INFINITE if below is None else below
        if left is None and below is None and self.beam.value is not None:
            limit = self.beam.value + 1
        self._left = NO_CAP if left is None else left
        price = Price(aim.scale, aim.last)
        solver = WeightedSolver(self.problem, price, self.check, self.scope)
        cost, choose = self._solve(solver, self._left, limit)
        if cost is None or choose is None:
            return None
        self.incumbent = found = FoundTree(cost, self._expand(choose, self._left))
        self._compare(found.tree, solver.price, cost)
        if below is None and aim.stage == "total":
            self.bound = cost
        return found

    def find_shortest(self, left: int | None) -> tuple[int, FoundTree | None] | None:
        """Return the least worst case, if it is allowed; see `Searcher.find_shortest`."""
        self.stage = "worst"
        worst, _ = self._solve(
            LongestSolver(self.problem, check=self.check, scope=self.scope), NO_CAP, INFINITE
        )
        if worst is None or (left is not None and worst > left):
            return None
        return worst, None

    def list_trees(self) -> list[Tree]:
        """Return the trees that there are by now."""
        found = [] if self.incumbent is None else [self.incumbent.tree]
        begun = self._expand_begun()
        choose = self._choose_soon() if self.monitor.halt.is_called else self.beam.choose
        return [*found, self._expand(choose), *([] if begun is None else [begun])]

    def _choose_soon(self) -> Choose:
        """Return what chooses as the beam does; once that takes too long, any useful guess."""
        end_s = time.monotonic() + SOON_S

        def choose(items: Items, left: int) -> int:
            is_known = items.tobytes() in self.beam.known or len(items) == self.problem.n
            if is_known or time.monotonic() < end_s:
                return self.beam.choose(items, left)
            one, other = self.problem.answers[:, items[:2]].T
            useful = np.flatnonzero(one != other)
            return int(useful[np.argmin(one[useful])])  # one that wins, if there is any

        return choose

    def finish(self, width: str) -> Tree:
        """Return the best tree and keep it in the folder; `width`: of the beams, for its rule."""
        if self.proved.n_ahead >= 0:
            self.save()
        tree, spec = min(self.list_trees(), key=lambda tree: tree.total), self.spec
        given = f"first={join_names(spec.first)}; " if spec.first else ""
        name, bound = name_search("best", spec.first), self.read_bound()
        if self.control.log is not None:
            self.control.log.counts = self.counts
        provenance = Provenance(name, f"{given}{width}", spec.history, spec.objective, bound)
        return replace(tree, provenance=provenance)

    def widen_beams(self, last_width: int) -> None:
        """Widen the beam; prove a bound in between."""
        if self.is_trivial:
            self.proved = Proved(self.beam.solver.finish(0, NO_CAP))
            return
        self.proved, is_begun = self.record.load()
        self.beam.check = self.check_and_save
        if not is_begun:
            self.stage = "bound"
            look_ahead(self.beam.solver, 0)
        width = 1
        while width <= last_width:
            self.stage = f"beam {width}"
            self.beam.widen(width)
            if width == min(BOUND_WIDTH, last_width) or width * 2 > last_width:
                self.prove_bound()
            if self.beam.value is not None and self.beam.value <= self.read_bound():
                return
            width *= 2

    def prove_bound(self) -> None:
        """Prove a lower bound of the total, by looking some guesses ahead."""
        n_ahead = self.spec.look_ahead
        if n_ahead is None:
            n_ahead = 1 if self.problem.answers.size <= AHEAD_PAIRS else 0
        if self.proved.n_ahead >= n_ahead:
            return
        self.save()
        self.stage = "bound"
        bound = look_ahead(self.beam.solver, n_ahead)
        self.proved = Proved(max(self.read_bound(), bound), n_ahead)
        self.save()

    def check_and_save(self) -> None:
        """Do what `check` does; between two states the search may be written down."""
        self.check()
        self.record.save_if_due(self.proved._replace(bound=self.read_bound()))

    def save(self) -> None:
        """Write what is known into the folder, if there is one."""
        self.record.save(self.proved._replace(bound=self.read_bound()))

    def check(self) -> None:
        """Report the progress; raise SearchStoppedError if the search must end."""
        now_s = time.perf_counter()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            bound = self.read_bound()
            try:
                self.monitor.check(self.stage, bound, self.total)
            except SearchStoppedError:
                raise SearchStoppedError(describe_end(bound)) from None

    def read_bound(self) -> int:
        """Return what is proved of the total by now."""
        own = 0 if self._solver is None or self.stage != "total" else self._solver.bound
        return max(self.proved.bound, self.beam.solver.bound, self.bound, own)

    @property
    def counts(self) -> dict[str, int]:
        """What was done by now."""
        alone = self.beam.solver.n_states + (0 if self._solver is None else self._solver.n_states)
        return {"states": alone + self.n_elsewhere}

    @property
    def total(self) -> int | None:
        """The least total known; None before there is a tree."""
        totals = [] if self.incumbent is None else [self.incumbent.tree.total]
        return min([*totals, *([] if self.beam.value is None else [self.beam.value])], default=None)

    def _expand(self, choose: Choose, left: int = NO_CAP) -> Tree:
        """Return the tree of the guesses that a function chooses."""
        provenance = Provenance("", "", self.spec.history, self.spec.objective)
        return expand_choices(self.game, self.problem, choose, provenance, left)

    def _expand_begun(self) -> Tree | None:
        """Return the best tree of the search that was ended, if it has one."""
        solver = self._solver
        if solver is None or solver.incumbent is None or type(solver) is not WeightedSolver:
            return None
        _, guess = solver.incumbent
        n = self.problem.n

        def choose(items: Int32s, left: int) -> int:
            return guess if len(items) == n else solver.choose(items, left)

        try:
            return self._expand(choose, self._left)
        except SearchStoppedError:  # the table was emptied meanwhile: a state is not known any more
            return None

    def _solve(
        self, solver: WeightedSolver, left: int, below: int
    ) -> tuple[int | None, Choose | None]:
        """Search all items, alone until there is work for more; return the least cost, the guesses.

        The cost is None if there is none below the upper bound.
        """
        if self._solver is not None:
            self.n_elsewhere += self._solver.n_states
        self._solver, control = solver, self.control
        is_shared = control.workers is not None or control.checkpoint is not None
        if self.is_trivial or not (is_shared or control.jobs > 1):
            return solver.solve(solver.root, left, below), solver.choose
        if not is_shared:
            end_s = time.monotonic() + control.budget.alone_s

            def check() -> None:
                self.check()
                if time.monotonic() > end_s:
                    raise _HelpWantedError

            solver.check = check
            try:
                return solver.solve(solver.root, left, below), solver.choose
            except _HelpWantedError:
                pass
            finally:
                solver.check = self.check
        return self._solve_together(solver, left, below)

    def _solve_together(
        self, solver: WeightedSolver, left: int, below: int
    ) -> tuple[int | None, Choose | None]:
        """Let threads or workers search; keep the best tree if the search is ended."""
        control, is_longest = self.control, isinstance(solver, LongestSolver)
        plain, records = None, None
        if control.workers is not None:
            root = RootState.of(self.game, self.candidates)
            plain = PlainWeightedSearch(root, solver.price, solver.scope, is_longest, left)
        if control.checkpoint is not None:
            kind = "longest" if is_longest else "least"
            name = f"{kind}-{left}-{solver.price.total}-{solver.price.last}"
            records = PartRecords(control.checkpoint, name, control.budget.record_s)

        def look() -> None:
            if self.stage == "total":
                self.bound = max(self.bound, shared.bound())
            self.check()

        with ExitStack() as stack:
            workers = control.workers
            if workers is None:  # threads that are abandoned if the search is ended
                n_threads = min(control.jobs, MOST_THREADS)
                pool = stack.enter_context(DaemonExecutor(n_threads))
                workers = Workers(pool, lambda: n_threads)
            shared = SearchByOpening(WeightedDesk(solver, left), plain, below, workers, records)
            try:
                best = shared.run(look)
            except BaseException:
                if shared.best is not None and not is_longest:
                    tree = self._expand(shared.join(shared.best), left)
                    self.incumbent = FoundTree(shared.cost, tree)
                raise
            finally:
                self.n_elsewhere += shared.counts.get("states", 0)
        return (None, None) if best is None else (shared.cost, shared.join(best))

    def _compare(self, tree: Tree, price: Price, cost: int) -> None:
        """Raise TreeError if the search claims another cost than its tree has: it has a fault."""
        n_last = 0
        if tree.worst == self._left:  # 0: the only candidate is announced, and has no histogram
            n_last = tree.histogram[-1] if self._left else self.weight
        own = price.total * tree.total + price.last * n_last
        if own != cost or tree.worst > self._left != NO_CAP:
            raise TreeError(
                f"{tree.game.name}: internal error: the search claims a cost of {cost}, but its"
                f" tree costs {own}, its worst path {tree.worst}; please report the command"
            )


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
    """The beam search of a problem; `check` is called at every state, and may raise to end it."""

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
    """A lower bound of the total, and how many guesses the search for it looked ahead."""

    bound: int = 0  # no total is below it
    n_ahead: int = -1  # -1: it is not searched for yet


class BeamRecord:
    """The record of a search: the best trees of its states, and what is proved of the total.

    The trees of a beam depend on its width alone, not on what was known before. The bound depends
    on the solver's table; so the table is kept, too, until the bound is proved, and a record of
    that time is written between two states, never in the middle of one. So a search that goes on
    ends with the tree and the bound of one that was never ended. There are `pause_s` at least
    between two records.
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
