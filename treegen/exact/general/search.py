"""The general search of a game, in its trees.

It answers as the engine's search does, with the recursion of `solver`, alone or with others,
and makes near-optimal trees with beams of growing width. A beam tries, in every state, the guesses
that tell most by cost, and solves small states exactly; each wider beam looks only for trees that
are better than the one known of a state. A folder keeps the trees and the bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace

import msgpack
import numpy as np

from ...errors import SearchStoppedError, TreeError
from ...games.base import Game
from ...strategies.named import name_search
from ...strategies.strategy import join_names
from ...tasks.background import DaemonExecutor
from ...tasks.run import Workers
from ...tree.tree import Provenance, Tree
from ..engine import Int32s
from ..parallel.nodes import BestGuess
from ..parallel.worker import PlainSearch
from ..request import Aim, Monitor, SearchControl, SearchSpec, describe_end
from .bounds import estimate_guesses
from .openings import PartDesk, PartRecords, SearchByOpening
from .problem import NO_CAP, Choose, GeneralProblem, Items, expand_choices, make_problem
from .solver import (
    INFINITE,
    LONGEST,
    GeneralSolver,
    GeneralState,
    StateProof,
    cap_of,
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


TASK = "best"
"""The name of the record in its folder."""

PAUSE_FACTOR = 20
"""Between two records there is this many times the time that one takes."""


class GeneralSearch:
    """A search of one game; another thread may take its best tree at any time.

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
        self.game, self.candidates = game, candidates
        self.spec, self.monitor, self.control = spec, monitor, control

        def look() -> None:
            if monitor(monitor.progress):
                raise SearchStoppedError(describe_end(0))

        self.problem = make_problem(game, candidates, spec, look)
        self.weight = int(self.problem.weights.sum())
        self.beam = GeneralBeam(self.problem, self.check)
        self.stage = "rules"
        self.incumbent: Tree | None = None
        self.bound, self.n_elsewhere = 0, 0
        self.n_ahead = -1  # guesses that the search for a bound looked ahead; -1: none is proved
        self._solver: GeneralSolver | None = None
        self._next_look_s = 0.0
        self._next_record_s = time.monotonic() + control.budget.record_s

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

    def find_best(self, aim: Aim) -> Tree | None:
        """Return the best tree; None if there is none."""
        if aim.left is not None and aim.left < 0:
            return None
        limit = INFINITE if aim.below is None else aim.below
        if aim.left is None and aim.below is None and self.beam.value is not None:
            limit = self.beam.value + 1
        cost, choose = self._solve(aim, limit)
        if cost is None or choose is None:
            return None
        self.incumbent = found = self._expand(choose, cap_of(aim))
        self._compare(found, aim, cost)
        if aim.below is None and aim.stage == "total":
            self.bound = cost
        return found

    def find_shortest(self, left: int | None) -> tuple[int, Tree | None] | None:
        """Return the least worst case, for which no tree is known; None: it is not allowed."""
        worst, _ = self._solve(LONGEST, INFINITE)
        if worst is None or (left is not None and worst > left):
            return None
        return worst, None

    def list_trees(self) -> list[Tree]:
        """Return the trees that there are by now."""
        found = [] if self.incumbent is None else [self.incumbent]
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
        if self.n_ahead >= 0:
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
            self.bound = self.beam.solver.finish(0, NO_CAP)
            return
        self.beam.check = self.check_and_save
        if not self._load():
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
        if self.n_ahead >= n_ahead:
            return
        self.save()
        self.stage = "bound"
        self.bound = max(self.read_bound(), look_ahead(self.beam.solver, n_ahead))
        self.n_ahead = n_ahead
        self.save()

    def check_and_save(self) -> None:
        """Do what `check` does; between two states the search may be written down."""
        self.check()
        if time.monotonic() >= self._next_record_s:
            self.save()

    def save(self) -> None:
        """Write the best trees of states, and what is proved of the total, into the folder.

        The trees of a beam depend on its width alone, not on what was known before. The bound
        depends on the solver's table; so the table is kept, too, until the bound is proved, and a
        record of that time is written between two states, never in the middle of one. So a search
        that goes on ends with the tree and the bound of one that was never ended.
        """
        if self.control.checkpoint is None:
            return
        start_s, beam = time.monotonic(), self.beam
        # A list at once: the search may be going on in its thread.
        known = list(beam.known.items())
        states = [(key, best.value, best.guess, best.width) for key, best in known]
        table = [] if self.n_ahead >= 0 else list(beam.solver.table.items())
        entries = [(key, entry.lower, entry.value, entry.guess) for (key, _), entry in table]
        proved = self.read_bound(), self.n_ahead
        self.control.checkpoint.save(TASK, msgpack.packb((proved, states, entries)))
        end_s = time.monotonic()
        pause_s = max(self.control.budget.record_s, PAUSE_FACTOR * (end_s - start_s))
        self._next_record_s = end_s + pause_s

    def _load(self) -> bool:
        """Take what the folder has into the beam; return whether it has anything."""
        body = self.control.checkpoint and self.control.checkpoint.find(TASK)
        if body is None:
            return False
        (self.bound, self.n_ahead), states, table = msgpack.unpackb(body)
        self.beam.known.update((key, Best(*best)) for key, *best in states)
        self.beam.solver.table.update(
            ((key, NO_CAP), StateProof(lower, value, guess)) for key, lower, value, guess in table
        )
        return True

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
        return max(self.beam.solver.bound, self.bound, own)

    @property
    def counts(self) -> dict[str, int]:
        """What was done by now."""
        alone = self.beam.solver.n_states + (0 if self._solver is None else self._solver.n_states)
        return {"states": alone + self.n_elsewhere}

    @property
    def total(self) -> int | None:
        """The least total known; None before there is a tree."""
        totals = [] if self.incumbent is None else [self.incumbent.share_total]
        return min([*totals, *([] if self.beam.value is None else [self.beam.value])], default=None)

    def _expand(self, choose: Choose, left: int = NO_CAP) -> Tree:
        """Return the tree of the guesses that a function chooses."""
        provenance = Provenance("", "", self.spec.history, self.spec.objective)
        return expand_choices(self.game, self.problem, choose, provenance, left)

    def _expand_begun(self) -> Tree | None:
        """Return the best tree of the search that was ended, if it has one."""
        solver = self._solver
        if solver is None or solver.incumbent is None or solver.is_longest:
            return None
        _, guess = solver.incumbent
        n = self.problem.n

        def choose(items: Int32s, left: int) -> int:
            return guess if len(items) == n else solver.choose(items, left)

        try:
            return self._expand(choose, cap_of(solver.aim))
        except SearchStoppedError:  # the table was emptied meanwhile: a state is not known any more
            return None

    def _solve(self, aim: Aim, below: int) -> tuple[int | None, Choose | None]:
        """Search all items, alone until there is work for more; return the least cost, the guesses.

        The cost is None if there is none below the upper bound.
        """
        if self._solver is not None:
            self.n_elsewhere += self._solver.n_states
        solver, left = GeneralSolver(self.problem, aim, self.check), cap_of(aim)
        self.stage, self._solver, control = aim.stage, solver, self.control
        is_shared = control.workers is not None or control.checkpoint is not None
        if self.is_trivial or not (is_shared or control.jobs > 1):
            return solver.solve(solver.root, left, below), solver.choose
        if not is_shared:
            end_s = time.monotonic() + control.budget.alone_s

            def check() -> None:
                self.check()
                if time.monotonic() > end_s:
                    raise TimeoutError

            solver.check = check
            try:
                return solver.solve(solver.root, left, below), solver.choose
            except TimeoutError:  # there is work for more
                pass
            finally:
                solver.check = self.check
        return self._solve_together(solver, below)

    def _solve_together(
        self, solver: GeneralSolver, below: int
    ) -> tuple[int | None, Choose | None]:
        """Let threads or workers search; keep the best tree if the search is ended."""
        control, aim, plain, records = self.control, solver.aim, None, None
        if control.workers is not None:
            plain = PlainSearch.of(self.game, self.candidates, self.spec, aim, control)
        if control.checkpoint is not None:
            name = f"{aim.left}-{aim.scale}-{aim.last}"
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
            shared = SearchByOpening(PartDesk(solver), plain, below, workers, records)
            try:
                best = shared.run(look)
            except BaseException:
                if shared.best is not None and not solver.is_longest:
                    self.incumbent = self._expand(shared.join(shared.best), cap_of(aim))
                raise
            finally:
                self.n_elsewhere += shared.n_states
        return (None, None) if best is None else (shared.cost, shared.join(best))

    def _compare(self, tree: Tree, aim: Aim, cost: int) -> None:
        """Raise TreeError if the search claims another cost than its tree has: it has a fault."""
        own = aim.scale * tree.total + aim.last * (tree.n_worst if tree.worst == aim.left else 0)
        if own != cost or tree.worst > cap_of(aim):
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


class GeneralBeam:
    """The beam search of a problem; `check` is called at every state, and may raise to end it."""

    def __init__(
        self,
        problem: GeneralProblem,
        check: Callable[[], object] = lambda: None,
    ) -> None:
        self.problem, self.check = problem, check
        self.solver = GeneralSolver(problem, check=check)
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

    def try_guess(self, state: GeneralState, guess: int, width: int, upper: int) -> int:
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

    def list_guesses(self, state: GeneralState, width: int) -> list[int]:
        """Return the guesses that a beam tries: those that tell most by cost."""
        different: dict[bytes, int] = {}
        for guess in self.rank(state):
            different.setdefault(state.bounds.keys[guess].tobytes(), guess)
            if len(different) == width:
                break
        return list(different.values())

    def rank(self, state: GeneralState) -> list[int]:
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
