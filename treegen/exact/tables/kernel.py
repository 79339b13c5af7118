"""Tables as the kernel of a search: their beams, bounds and proofs, and the trees of these.

Workers that share no table take its parts: an opening, or one of its cells. A part travels with the
search as plain values; what was proved of it and of the states of its tree comes back into the
table. So an ended search continues where the table is kept.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate

import msgpack
import numpy as np

from ..._options import LARGEST_BEAM
from ...errors import SearchStoppedError, TreeError, UsageError
from ...games.base import Game
from ...games.rules import weigh
from ...jit.interpreter import runs_freely
from ...tasks.run import Pool, Task, Workers, keep_in_process, run_growing
from ...tasks.work import PROCESS, Look, Stop
from ...tree.tree import Tree
from ..engine import INFINITE, Int32s, UInt64s
from ..engine.cost import spend
from ..parallel.nodes import BestGuess
from ..parallel.worker import PlainSearch
from ..request import (
    IN_GENERAL,
    Aim,
    SearchControl,
    SearchProgress,
    SearchSpec,
    describe_end,
    make_look,
    refuse_eligible,
)
from .problem import TableState, make_table
from .search import TableAim, search
from .solver import (
    BoundedQuestion,
    TableRun,
    TableSolver,
    divide_state,
    grow_tree,
    list_entries,
)

LEAST = Aim()
"""The total is minimised."""

LONGEST = Aim(scale=0, stage="worst")
"""The dearest path is minimised, whatever the total is."""

N_FULL, N_FULL_UNCERTAIN = 5, 1
"""A beam solves states of this many items, and of one more for each question of its width.

A few uncertain items can be thousands of states of shares.
"""

EARLY_PAIRS = 2000
"""Pairs of question and candidate up to which a proof is there as soon as early beams."""

SOON_S = 1.0
"""How long a search that was ended may choose with care where no tree is known."""

LOOK_S = 0.05
"""Time between two calls of the watch."""

RECORD = "table"
"""The name of the record in a folder: what is proved of states."""

BOUNDS = "bounds"
"""The name of another: what a near-optimal search had proved of the total when it first asked."""

PAUSE_FACTOR = 20
"""Between two records there is this many times the time that one takes."""


class TableKernel:
    """See `SearchKernel`. Beams and proofs may be ended, and gone on with.

    The control's checkpoint keeps what is proved of states.
    """

    length = "at a cost of {}"
    bound_width, widest, fewest = 2, LARGEST_BEAM, 0
    keeps_tasks, most_judged = False, 128

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        control: SearchControl,
        *,
        is_best: bool = False,
    ) -> None:
        self.game, self.candidates, self.spec, self.control = game, candidates, spec, control
        self.stage, self._bound = "rules", 0

        def look() -> None:
            progress = SearchProgress(self.stage, 0, None, 0)
            if control.must_end(progress):
                raise SearchStoppedError(describe_end(0))

        self.trees: list[Tree] = []
        # Until then one thread searches alone: small tables need no help.
        self._alone_s = time.monotonic() + control.budget.alone_s
        self.table = make_table(game, candidates, spec, look)
        self.solver = TableSolver(self.table, self.check)
        # The rules are for cells that share nothing.
        self.weight, self.has_rules = self.table.weight, game.rules.shares is None
        is_soon = self.table.n_pairs <= EARLY_PAIRS
        self.early_widths: tuple[int, ...] = () if is_soon else (1, 2)
        self.cap = INFINITE if spec.max_length is None else spec.max_length
        self._is_shifted = False  # whether shares at the last moment were counted in units
        self.n_elsewhere = 0  # states that workers have searched
        self._run: TableRun | None = None  # the proof
        self._shared: SearchByOpening | None = None  # the same by several
        self._beam, self._ahead = TableRun(self.solver), TableRun(self.solver)
        # Questions behind the first one that the next search for a bound goes.
        self._n_ahead = 1 if spec.look_ahead is None else spec.look_ahead
        self._bounds: list[int] = []  # by the first questions alone, then by each look ahead
        self._kept_bounds = self._find_bounds()
        self._next_look_s = 0.0
        self._next_record_s = time.monotonic() + control.budget.record_s
        body = None if control.checkpoint is None else control.checkpoint.find(RECORD)
        if body is not None:
            self.solver.unpack(bytes(body))

    @staticmethod
    def name_records(game: Game) -> str:
        """Return the suffix of a work folder's name: empty."""
        return ""

    @staticmethod
    def search_openings(
        game: Game, candidates: Int32s, spec: SearchSpec, control: SearchControl
    ) -> TableOpenings:
        """Return a search below one first guess after another, which the watch ends."""
        look = make_look(game, control, "openings")
        solver = TableSolver(make_table(game, candidates, spec, look), look)
        return TableOpenings(solver, game, spec)

    @staticmethod
    def make_root(game: Game, candidates: Int32s, spec: SearchSpec) -> None:
        """Return nothing: lemmas are searched in the table."""

    @staticmethod
    def proves_without_gap(game: Game) -> bool:
        """Return whether a near-optimal search that no gap is asked of proves a bound."""
        return True

    @staticmethod
    def refuse(game: Game, spec: SearchSpec, table_size: int | None) -> None:
        """Raise UsageError for an option without effect, and for guesses that it cannot keep to."""
        if table_size is not None:
            raise UsageError(
                f"`table_size` has no effect {IN_GENERAL}: its table has no size to choose"
            )
        refuse_eligible(game, spec)

    def solve(self, aim: Aim) -> Tree | None:
        """Return the best tree; None if there is none."""
        self.stage, own, below = aim.stage, self.solver.make_aim(aim), INFINITE
        self._is_shifted |= own.shift > 0
        left = self.solver.simplify(aim)
        if aim.below is not None:
            below = _join(own, *_split(aim, aim.below)) if aim.last else aim.below
        elif aim.last == 0 and (aim.left or INFINITE) == self.cap and self.trees:
            below = min(map(aim.cost_of, self.trees)) + 1
        found = self._solve(aim, own, left, below)
        if found is None:
            return None
        tree = self._grow_checked(own, left, *found)
        if aim.stage == "total":
            self._bound = tree.share_total
        if aim.below is None:
            return tree
        # Shares at the last moment may be counted in units: the tree may be no better after all.
        return tree if aim.cost_of(tree) < aim.below else None

    def find_shortest(self, left: int | None) -> tuple[int, Tree | None] | None:
        """Return the least worst case, for which no tree is known; None: it is not allowed."""
        self.stage = LONGEST.stage
        found = self._solve(LONGEST, self.solver.make_aim(LONGEST), INFINITE, INFINITE)
        if found is None or (left is not None and found[0] > left):
            return None
        return found[0], None

    def _solve(self, aim: Aim, own: TableAim, left: int, below: int) -> tuple[int, int] | None:
        """Search all items; return cost and first question."""
        self.check()
        control = self.control
        self._run = run = TableRun(self.solver)
        run.begin(self.table.root, own, left, below, self.table.first)
        if control.workers is None:
            return self._finish(run)
        found = run.finish(time.monotonic() + control.budget.alone_s)
        if run.is_done:
            return found
        if aim.stage == "total":
            self._bound = max(self._bound, run.bound)
        self._shared = shared = self._share(aim, int(run.nodes.best[1]) + (run.found >= 0))
        self._run_elsewhere(shared, math.inf)
        return None if shared.best is None else (shared.cost, shared.best.question)

    def _finish(self, run: TableRun, until_s: float = math.inf) -> tuple[int, int] | None:
        """Search to the end or for a time; after a moment alone by several threads."""
        n_threads = self.control.jobs if runs_freely(search) else 1
        found = run.finish(until_s if n_threads == 1 else min(until_s, self._alone_s))
        if run.is_done or n_threads == 1:
            return found
        return run.finish_together(n_threads, until_s)

    def _share(self, aim: Aim, below: int) -> SearchByOpening:
        """Return a search below a cost for the workers."""
        control = self.control
        assert control.workers is not None
        plain = PlainSearch.of(self.game, self.candidates, self.spec, aim, control)
        return SearchByOpening(PartDesk(self.solver, aim), plain, below, control.workers)

    def _run_elsewhere(self, shared: SearchByOpening, until_s: float) -> bool:
        """Let workers search to the end, or for a time; return whether they have come to it."""
        n_before, is_total = shared.n_states, self.stage in ("total", "proof")

        def look() -> None:
            if is_total:
                self._bound = max(self._bound, shared.bound())
            self.check()

        is_done = shared.run(look, until_s)
        self.n_elsewhere += shared.n_states - n_before
        self.solver.is_rounded |= self.table.may_round
        return is_done

    def _grow_checked(self, aim: TableAim, left: int, cost: int, question: int) -> Tree:
        """Return the tree that a search has found.

        Raise TreeError if the search claims another cost than its tree has: it has a fault.
        """
        tree = self._grow(aim, left, question)
        own = aim.scale * tree.share_total + aim.step * tree.n_nodes
        if aim.last:  # it is known apart from what it may be shifted by
            own, cost = tree.share_total, _split(aim, cost)[0]
        if own != cost or tree.worst > left:
            raise TreeError(
                f"{self.game.name}: internal error: the search claims a cost of {cost}, but its"
                f" tree has {own}, its worst path {tree.worst}; please report the command"
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
            if run.recall() and run.found >= 0:
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
        elif run is not None and run.found >= 0 and run.aim.scale + run.aim.step > 0:
            trees.append(self._grow(run.aim, run.left, run.found, is_ended=True))
        if not trees:
            first = self.table.first[0] if self.table.first else -1
            aim = self.solver.make_aim(LEAST)
            trees.append(self._grow(aim, INFINITE, first, is_ended=True))
        return trees

    def make_first_tree(self) -> None:
        """Make none: what is asked in a table takes some choosing."""

    def search_soon(self, halt: Stop) -> None:
        """Look for nothing: where a game may not be long, early beams have kept to that."""

    def begin(self, last: int) -> int:
        """List the first questions; they bound the total."""
        self._ahead.begin(self.table.root, self.solver.make_aim(LEAST), first=self.table.first)
        self._ahead.open()
        self._bound = max(self._bound, self._note_bound(self._ahead.bound))
        self._ahead.is_done = True
        return 1

    def widen(self, width: int, below: int | None, until_s: float) -> bool:
        """Search with a beam of a width; keep its tree if it is better than those before."""
        self.stage, table, beam = f"beam {width}", self.table, self._beam
        if beam.is_done:
            least = N_FULL if table.problem.is_certain else N_FULL_UNCERTAIN
            aim = LEAST if self.cap == INFINITE else Aim(self.cap)
            own = self.solver.make_aim(aim, width=width, n_full=least + width)
            upper = self.total or INFINITE
            beam.begin(table.root, own, self.cap, upper, table.first, is_root=True)
        self._keep(beam, self.cap, self._finish(beam, until_s))
        return beam.is_done

    def _keep(self, run: TableRun, left: int, found: tuple[int, int] | None) -> None:
        if found is not None:
            self.trees.append(self._grow_checked(run.aim, left, *found))

    def look_ahead(self, below: int, until_s: float) -> None:
        """Search some questions behind the first one in full: the total is no less.

        Each time it has ended, the next goes one question further.
        """
        self.stage, ahead = "bound", self._ahead
        if len(self._bounds) < len(self._kept_bounds):
            self._n_ahead += 1
            self._bound = max(self._bound, min(self._note_bound(0), below))
            return
        if ahead.is_done:
            aim = self.solver.make_aim(LEAST, n_ahead=self._n_ahead)
            upper = self.total or INFINITE
            ahead.begin(self.table.root, aim, below=upper, first=self.table.first)
            self._n_ahead += 1
        found = self._finish(ahead, until_s)
        if ahead.is_done:
            bound = self._note_bound(ahead.below if found is None else found[0])
            # Whether a turn of the proof ends first depends on the time; the bound must not.
            self._bound = max(self._bound, min(bound, below))

    def pays(self, *, is_last: bool) -> bool:
        """Whether a proof pays that nobody asked for: it takes turns with the beams."""
        return True

    def prove(self, below: int, until_s: float) -> None:
        """Prove for a while that no total is below one; or find the best tree."""
        self.stage = "proof"
        if self.control.workers is not None:
            self._prove_elsewhere(below, until_s)
            return
        if self._run is None:
            self._run = TableRun(self.solver)
            aim, first = self.solver.make_aim(LEAST), self.table.first
            self._run.begin(self.table.root, aim, below=below, first=first)
        self._run.lower_limit(below)
        found = self._finish(self._run, until_s)
        self._bound = self.floor
        self._keep(self._run, INFINITE, found)

    def _prove_elsewhere(self, below: int, until_s: float) -> None:
        """Let workers prove for a while; their best tree counts at the end."""
        shared = self._shared = self._shared or self._share(LEAST, below)
        shared.lower_limit(below)
        if self._run_elsewhere(shared, until_s):
            self._bound = max(self._bound, shared.cost)
            if shared.best is not None:
                found = shared.cost, shared.best.question
                self.trees.append(self._grow_checked(shared.desk.aim, INFINITE, *found))

    def finish(self) -> None:
        """Keep what is proved of states in the folder; write into the log how much was done."""
        self._save()
        if self.control.log is not None:
            self.control.log.counts = {"states": self.solver.n_states + self.n_elsewhere}

    def check(self) -> None:
        """Report the progress; raise SearchStoppedError if the search must end."""
        now_s = time.perf_counter()
        if now_s >= self._next_look_s:
            self._next_look_s = now_s + LOOK_S
            n_states = self.solver.n_states + self.n_elsewhere
            progress = SearchProgress(self.stage, self.bound, self.total, n_states)
            if self.control.must_end(progress):
                bound = weigh(self.bound, self.game.rules.share_unit)
                raise SearchStoppedError(describe_end(bound))
            if time.monotonic() >= self._next_record_s:
                self._save()

    def _save(self) -> None:
        """Keep what is proved of states in the folder.

        A search that resumes begins anew, but finds all that in its table, which changes no tree.
        """
        if self.control.checkpoint is None:
            return
        begun_s = time.monotonic()
        with PROCESS.owe_saving("what is proved of states"):
            self.control.checkpoint.save(RECORD, self.solver.pack())
            if len(self._bounds) > len(self._kept_bounds):
                record = [self._settings, self._bounds]
                self.control.checkpoint.save(BOUNDS, msgpack.packb(record))
        end_s = time.monotonic()
        pause_s = max(self.control.budget.record_s, PAUSE_FACTOR * (end_s - begun_s))
        self._next_record_s = end_s + pause_s

    @property
    def _settings(self) -> list[float | None]:
        """The options on which the bounds of a near-optimal search depend."""
        return [self.spec.beam, self.spec.look_ahead, self.spec.gap]

    def _find_bounds(self) -> list[int]:
        """Return the bounds that the same search has kept in the folder."""
        body = None if self.control.checkpoint is None else self.control.checkpoint.find(BOUNDS)
        settings, bounds = (None, []) if body is None else msgpack.unpackb(bytes(body))
        return list(bounds) if settings == self._settings else []

    def _note_bound(self, bound: int) -> int:
        """Return the next bound: that of the search which is resumed, if it was that far.

        It knew less of other states then; with what it has proved since, the bound may be better,
        and the tree's file another one.
        """
        place = len(self._bounds)
        self._bounds.append(self._kept_bounds[place] if place < len(self._kept_bounds) else bound)
        return self._bounds[place]

    @property
    def bound(self) -> int:
        """What is proved of the total by now: nothing, if shares were rounded."""
        return 0 if self.solver.is_rounded else self.floor

    @property
    def is_rounded(self) -> bool:
        """Whether shares were rounded: what is proved is proved but for that."""
        return self.solver.is_rounded or self._is_shifted

    @property
    def floor(self) -> int:
        """No tree has a smaller total, but for rounded shares."""
        run = self._run if self.stage in ("total", "proof") else None
        return max(self._bound, 0 if run is None else run.bound)

    @property
    def total(self) -> int | None:
        """The least total of the trees, in shares; None before there is one."""
        return min((tree.share_total for tree in self.trees), default=None)


def _split(aim: Aim | TableAim, cost: int) -> tuple[int, int]:
    """Return the total of a cost, and the shares that are found at the last moment."""
    if not aim.last:
        return cost // max(aim.scale, 1), 0
    more, less = divmod(cost, max(aim.scale, aim.last))
    return (more, less) if aim.scale > aim.last else (less, more)


def _join(aim: TableAim, total: int, n_last: int) -> int:
    """Return the cost of a total and of shares that are found at the last moment."""
    return min(aim.scale * total + aim.last * (n_last >> aim.shift), INFINITE)


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
