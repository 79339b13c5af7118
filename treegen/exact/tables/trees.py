"""The search of a table, in its trees: early ones, beams, a bound, the proof."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...errors import SearchStoppedError, TreeError
from ...games.base import Game
from ...games.possible import PossibleRules
from ...games.rules import Weight, weigh
from ...jit.interpreter import runs_freely
from ...strategies.named import name_search
from ...strategies.stated import ROUNDED
from ...strategies.strategy import join_names
from ...tasks.background import DaemonExecutor
from ...tasks.run import Workers
from ...tasks.work import PROCESS
from ...tree.tree import Tree
from ..engine import INFINITE, Int32s
from ..parallel.worker import PlainSearch
from ..request import Aim, Monitor, SearchControl, SearchSpec, describe_end
from .grow import grow_tree
from .openings import PartDesk, PartRecords, SearchByOpening
from .problem import TableState, make_table
from .search import TableAim, search
from .solver import TableRun, TableSolver

LEAST = Aim()
"""The total is minimised."""

LONGEST = Aim(scale=0, stage="worst")
"""The dearest path is minimised, whatever the total is."""

N_FULL, N_FULL_UNCERTAIN = 5, 1
"""A beam solves states of this many items, and of one more for each question of its width.

A few uncertain items can be thousands of states of shares.
"""

EARLY_WIDTHS = (1, 2)
"""Beams before a proof: if that is ended, there is a tree."""

EARLY_PAIRS = 2000
"""Pairs of question and candidate up to which there are none: the proof is there as soon."""

BOUND_WIDTH = 2
"""A near-optimal search proves a bound after a beam of this width: first a good tree."""

OPEN_WIDTH = 4
"""Where a watch ends the search, wider beams, better bounds and the proof take turns."""

TURN_S = 1.0
"""How long the first turns are; each next round takes twice as long."""

AHEAD_TURNS = 3
"""A bound that looks further ahead has so many turns of a beam or the proof: it gains the most."""

SOON_S = 1.0
"""How long a search that was ended may choose with care where no tree is known."""

LOOK_S = 0.05
"""Time between two calls of the watch."""

RECORD = "table"
"""The name of the record in a folder: what is proved of states."""

PAUSE_FACTOR = 20
"""Between two records there is this many times the time that one takes."""


class TableSearch:
    """A search of one game; another thread may take its best tree at any time.

    `weight` is that of all candidates, in shares.
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

        self.table = make_table(game, candidates, spec, look)
        self.solver = TableSolver(self.table, self.check)
        self.weight = self.table.weight
        self.is_trivial = self.table.n == 1 or (
            isinstance(game.rules, PossibleRules)
            and not self.table.problem.is_win
            and game.rules.is_over(candidates)
        )
        self.cap = INFINITE if spec.max_length is None else spec.max_length
        self.trees: list[Tree] = []
        self.stage, self.bound = "rules", 0
        self._is_shifted = False  # whether shares at the last moment were counted in units
        self.n_elsewhere = 0  # states that workers have searched
        self._run: TableRun | None = None  # the proof; it may be ended, and gone on with
        self._shared: SearchByOpening | None = None  # the same by several
        self._ahead: TableRun | None = None  # the search for a bound, the same
        self._n_ahead = -1  # questions behind the first one that a search for a bound went
        self._next_look_s = 0.0
        self._next_record_s = time.monotonic() + control.budget.record_s
        body = None if control.checkpoint is None else control.checkpoint.find(RECORD)
        if body is not None:
            self.solver.unpack(bytes(body))

    def make_early_trees(self) -> None:
        """Make trees to return if the search ends early."""
        if self.table.n_pairs > EARLY_PAIRS and not self.is_trivial:
            for width in EARLY_WIDTHS:
                self.widen(width)

    def find_best(self, aim: Aim) -> Tree | None:
        """Return the best tree; None if there is none."""
        if aim.left is not None and aim.left < 0:
            return None
        if self.is_trivial:
            tree = self._grow(self.solver.make_aim(LEAST), INFINITE, -1)
            return tree if aim.left is None or tree.worst <= aim.left else None
        self.stage, own, below = aim.stage, self.solver.make_aim(aim), INFINITE
        self._is_shifted |= own.shift > 0
        left = self.solver.simplify(aim)
        if aim.below is not None:
            below = _join(own, *_split(aim, aim.below))
        elif aim.last == 0 and (aim.left or INFINITE) == self.cap and self.total is not None:
            below = self.total + 1
        found = self._solve(aim, own, left, below)
        if found is None:
            return None
        tree = self._grow_checked(own, left, *found)
        if aim.stage == "total":
            self.bound = tree.share_total
        if aim.below is None:
            return tree
        # Shares at the last moment may be counted in units: the tree may be no better after all.
        n_last = tree.share_n_worst if tree.worst == aim.left else 0
        return tree if aim.scale * tree.share_total + aim.last * n_last < aim.below else None

    def find_shortest(self, left: int | None) -> tuple[int, Tree | None] | None:
        """Return the least worst case, for which no tree is known; None: it is not allowed."""
        self.stage = LONGEST.stage
        if self.is_trivial:
            worst = self._grow(self.solver.make_aim(LEAST), INFINITE, -1).worst
        else:
            own = self.solver.make_aim(LONGEST)
            found = self._solve(LONGEST, own, INFINITE, INFINITE)
            if found is None:
                return None
            worst = found[0]
        return None if left is not None and worst > left else (worst, None)

    def _solve(self, aim: Aim, own: TableAim, left: int, below: int) -> tuple[int, int] | None:
        """Search all items, alone until there is work for more; return cost and first question."""
        self.check()
        control = self.control
        self._run = run = TableRun(self.solver)
        run.begin(self.table.root, own, left, below, self.table.first)
        has_help = control.workers is not None or (control.jobs > 1 and runs_freely(search))
        alone_s = control.budget.alone_s if has_help else math.inf
        found = run.finish(time.monotonic() + alone_s)
        if not run.is_done:
            if aim.stage == "total":
                self.bound = max(self.bound, run.bound)
            found = self._solve_together(aim, int(run.nodes.best[1]) + (run.found >= 0))
        self._save()
        return found

    def _solve_together(self, aim: Aim, below: int) -> tuple[int, int] | None:
        """Let threads or workers search; return the cost of the best tree and its question."""
        control, plain, records = self.control, None, None
        if control.workers is not None:
            plain = PlainSearch.of(self.game, self.candidates, self.spec, aim, control)
            if control.checkpoint is not None:
                name = f"{aim.left}-{aim.scale}-{aim.last}"
                records = PartRecords(control.checkpoint, name, control.budget.record_s)

        def look() -> None:
            if aim.stage == "total":
                self.bound = max(self.bound, shared.bound())
            self.check()

        with ExitStack() as stack:
            workers = control.workers
            if workers is None:  # threads that are abandoned if the search is ended
                pool = stack.enter_context(DaemonExecutor(control.jobs))
                workers = Workers(pool, lambda: control.jobs)
            desk = PartDesk(self.solver, aim)
            self._shared = shared = SearchByOpening(desk, plain, below, workers, records)
            best = shared.run(look)
            if plain is not None:
                self.n_elsewhere += shared.n_states
                self.solver.is_rounded |= self.table.may_round
        return None if best is None else (shared.cost, best.question)

    def _grow_checked(self, aim: TableAim, left: int, cost: int, question: int) -> Tree:
        """Return the tree that a search has found.

        Raise TreeError if the search claims another cost than its tree has: it has a fault.
        """
        tree, (total, _) = self._grow(aim, left, question), _split(aim, cost)
        if tree.share_total != total or tree.worst > left:
            raise TreeError(
                f"{self.game.name}: internal error: the search claims a total of {total}, but its"
                f" tree has {tree.share_total}, its worst path {tree.worst}; please report the"
                " command"
            )
        return tree

    def _grow(self, aim: TableAim, left: int, question: int, *, is_ended: bool = False) -> Tree:
        """Return the tree that a search has found, from its first question on; -1: none yet.

        If the search was ended, a beam chooses in the states whose question is not known; once that
        takes too long, any question that parts the heaviest two items.
        """
        run = TableRun(self.solver, (lambda: None) if is_ended else None)
        soon = self.solver.make_aim(LEAST, width=1, n_full=2)
        end_s = time.monotonic() + SOON_S

        def choose(state: TableState, left: int) -> int:
            run.begin(state, aim, left)
            if run.is_known():
                return run.found
            if time.monotonic() > end_s and self.table.problem.is_certain:
                return self._choose_any(state)
            run.begin(state, soon)
            run.finish()
            return run.found

        chosen = choose if is_ended else None
        return grow_tree(self.game, run, aim, left, question, self.spec.history, chosen)

    def _choose_any(self, state: TableState) -> int:
        """Return a question that parts two items, a guess of one of them if it may be guessed."""
        problem, items = self.table.problem, state.items[:2]
        own = np.flatnonzero(problem.owners == items[0])
        if (problem.is_win or problem.candidates_only) and len(own):
            return int(own[0])
        one, other = problem.cells[:, items].T
        return int(np.flatnonzero(one != other)[0])

    def list_trees(self) -> list[Tree]:
        """Return the trees that there are by now."""
        run, shared, trees = self._run, self._shared, list(self.trees)
        if shared is not None and shared.best is not None:
            question = shared.best.question
            trees.append(self._grow(shared.desk.aim, shared.desk.left, question, is_ended=True))
        elif run is not None and run.found >= 0 and not run.aim.is_longest:
            trees.append(self._grow(run.aim, run.left, run.found, is_ended=True))
        if not trees:
            first = self.table.first[0] if self.table.first else -1
            aim = self.solver.make_aim(LEAST)
            trees.append(self._grow(aim, INFINITE, first, is_ended=True))
        return trees

    def widen_beams(self, last_width: int) -> None:
        """Widen the beam; prove a bound in between, and what a gap asks for at the end."""
        if self.is_trivial:
            self.trees.append(self._grow(self.solver.make_aim(LEAST), INFINITE, -1))
            self.bound = self.trees[0].share_total
            return
        run = TableRun(self.solver)
        run.begin(self.table.root, self.solver.make_aim(LEAST), first=self.table.first)
        run.open()
        self.bound, width = max(self.bound, run.bound), 1
        while width <= last_width and not self.is_enough:
            self.widen(width)
            if self._n_ahead < 0 and (width >= BOUND_WIDTH or 2 * width > last_width):
                self._look_further(1 if self.spec.look_ahead is None else self.spec.look_ahead)
            width *= 2
            if self.spec.beam is None and width > OPEN_WIDTH:
                self._take_turns(width)
        turn_s = TURN_S
        while self.spec.gap is not None and not self.is_enough:
            self._prove(time.monotonic() + turn_s)
            self._look_further(self._n_ahead + 1, time.monotonic() + AHEAD_TURNS * turn_s)
            turn_s *= 2

    def widen(self, width: int) -> None:
        """Search with a beam of a width; keep its tree if it is better than those before."""
        self.stage = f"beam {width}"
        run, aim, below = TableRun(self.solver), self._make_beam(width), self.total or INFINITE
        run.begin(self.table.root, aim, self.cap, below, self.table.first, is_root=True)
        found = run.finish()
        if found is not None:
            self.trees.append(self._grow_checked(aim, self.cap, *found))

    def _make_beam(self, width: int) -> TableAim:
        least = N_FULL if self.table.problem.is_certain else N_FULL_UNCERTAIN
        aim = LEAST if self.cap == INFINITE else Aim(self.cap)
        return self.solver.make_aim(aim, width=width, n_full=least + width)

    def _take_turns(self, width: int) -> None:
        """Go on until a watch ends the search, or the best tree is proved."""
        beam, turn_s = TableRun(self.solver), TURN_S
        root, first = self.table.root, self.table.first
        while not self.is_enough:
            self.stage = f"beam {width}"
            if beam.is_done:
                aim, below = self._make_beam(width), self.total or INFINITE
                beam.begin(root, aim, INFINITE, below, first, is_root=True)
            found = beam.finish(time.monotonic() + turn_s)
            if beam.is_done:
                width *= 2
            if found is not None:
                self.trees.append(self._grow_checked(beam.aim, INFINITE, *found))
            self._look_further(self._n_ahead + 1, time.monotonic() + AHEAD_TURNS * turn_s)
            self._prove(time.monotonic() + turn_s)
            turn_s *= 2

    def _look_further(self, n_ahead: int, until_s: float = math.inf) -> None:
        """Search some questions behind the first one in full: the total is no less."""
        if self.is_enough:
            return
        self.stage = "bound"
        if self._ahead is None:
            self._ahead = TableRun(self.solver)
            aim = self.solver.make_aim(LEAST, n_ahead=n_ahead)
            below = self.total or INFINITE
            self._ahead.begin(self.table.root, aim, below=below, first=self.table.first)
        found = self._ahead.finish(until_s)
        if self._ahead.is_done:
            bound = self._ahead.below if found is None else found[0]
            if self._n_ahead >= 0:
                # Whether a turn of the proof ends first depends on the time; the bound must not.
                bound = min(bound, self._least_bound)
            self.bound = max(self.bound, bound)
            self._ahead, self._n_ahead = None, n_ahead

    def _prove(self, until_s: float = math.inf) -> None:
        """Prove that no tree is better by more than the gap allows; or find the best tree."""
        if self.is_enough:
            return
        self.stage, below = "proof", self._least_bound
        if self._run is None:
            self._run = TableRun(self.solver)
            aim, first = self.solver.make_aim(LEAST), self.table.first
            self._run.begin(self.table.root, aim, below=below, first=first)
        self._run.lower_limit(below)
        found = self._run.finish(until_s)
        self.bound = self._floor
        if found is not None:
            self.trees.append(self._grow_checked(self._run.aim, INFINITE, *found))

    @property
    def _least_bound(self) -> int:
        """The bound that is to be proved: as near to the total as the gap asks."""
        assert self.total is not None
        return math.ceil(self.total * 100 / (100 + Fraction(self.spec.gap or 0)))

    @property
    def is_enough(self) -> bool:
        """Whether the bound is as near to the total as was asked for."""
        return self.total is not None and self._floor >= self._least_bound

    def finish(self, width: str) -> Tree:
        """Return the best tree; `width`: of the beams, for its rule."""
        tree, spec = min(self.list_trees(), key=lambda tree: tree.share_total), self.spec
        given = f"first={join_names(spec.first)}; " if spec.first else ""
        name = name_search("best", spec.first)
        bound = None if self.is_rounded else self._weigh(self.read_bound())
        width += ROUNDED * self.is_rounded
        if self.control.log is not None:
            self.control.log.counts = self.counts
        provenance = replace(
            tree.provenance,
            strategy=name,
            rule=f"{given}{width}",
            objective=spec.objective,
            bound=bound,
        )
        return replace(tree, provenance=provenance)

    def check(self) -> None:
        """Report the progress; raise SearchStoppedError if the search must end."""
        now_s = time.perf_counter()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            bound = self.read_bound()
            try:
                best = None if self.total is None else self._weigh(self.total)
                self.monitor.check(self.stage, self._weigh(bound), best)
            except SearchStoppedError:
                self._save()
                raise SearchStoppedError(describe_end(self._weigh(bound))) from None
            if time.monotonic() >= self._next_record_s:
                self._save()

    def _save(self) -> None:
        """Keep what is proved of states in the folder.

        A search that goes on begins anew, but finds all that in its table, which changes no tree.
        """
        if self.control.checkpoint is None:
            return
        begun_s = time.monotonic()
        with PROCESS.owe_saving("what is proved of states"):
            self.control.checkpoint.save(RECORD, self.solver.pack())
        end_s = time.monotonic()
        pause_s = max(self.control.budget.record_s, PAUSE_FACTOR * (end_s - begun_s))
        self._next_record_s = end_s + pause_s

    def read_bound(self) -> int:
        """Return what is proved of the total by now: nothing, if shares were rounded."""
        return 0 if self.solver.is_rounded else self._floor

    @property
    def is_rounded(self) -> bool:
        """Whether shares were rounded: what is proved is proved but for that."""
        return self.solver.is_rounded or self._is_shifted

    @property
    def _floor(self) -> int:
        """No tree has a smaller total, but for rounded shares."""
        is_proof = self._run is not None and self.stage in ("total", "proof")
        return max(self.bound, self._run.bound if is_proof and self._run is not None else 0)

    @property
    def total(self) -> int | None:
        """The least total of the trees, in shares; None before there is one."""
        return min((tree.share_total for tree in self.trees), default=None)

    @property
    def counts(self) -> dict[str, int]:
        """What was done by now."""
        return {"states": self.solver.n_states + self.n_elsewhere}

    def _weigh(self, shares: int) -> Weight:
        return weigh(shares, self.game.rules.share_unit)


def _split(aim: Aim | TableAim, cost: int) -> tuple[int, int]:
    """Return the total of a cost, and the shares that are found at the last moment."""
    if not aim.last:
        return cost // max(aim.scale, 1), 0
    more, less = divmod(cost, max(aim.scale, aim.last))
    return (more, less) if aim.scale > aim.last else (less, more)


def _join(aim: TableAim, total: int, n_last: int) -> int:
    """Return the cost of a total and of shares that are found at the last moment."""
    return min(aim.scale * total + aim.last * (n_last >> aim.shift), INFINITE)
