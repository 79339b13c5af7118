"""The engine as the kernel of a search: pegs and words, weighted or not, without costs.

Its trees come from beams of growing width below the most promising first guesses, cell by cell,
each a task for any process; with many responses from a sweep, which searches one first guess after
the other; and from the exact search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgpack
import numpy as np

from ..errors import SearchStoppedError, StrategyError, UsageError
from ..games.base import Game
from ..kernels.rule_kinds import EligibleKind
from ..strategies.strategy import join_names
from ..tasks.run import AHEAD, Pool, run_growing
from ..tasks.work import Look, Stop
from ..tree.tree import Provenance, Tree
from .engine import INFINITE, Int32s, Int64s
from .engine.cost import MAX_COST, make_cost_model
from .engine.lookahead import look_ahead
from .engine.plan import Found, expand_plan
from .engine.responses import FEW_RESPONSES, make_response_matrix, make_scratch
from .engine.search import advance
from .engine.table import describe_table
from .estimates import estimate_proof
from .openings import (
    bound_by_size,
    find_dearest,
    list_first,
    list_openings,
    list_openings_of,
    make_estimates,
    make_size_costs,
    measure_openings,
    weigh_candidates,
)
from .parallel.nodes import BestGuess
from .parallel.worker import PlainSearch
from .request import Aim, SearchControl, SearchProgress, SearchSpec, make_look, open_folder
from .solver import OpeningSearch, Reach, Root, Solver, find_below, make_solver

N_OPENINGS = 3
"""First guesses that are tried with the narrowest beam; the best of them is widened."""

WHOLE = 1 << 40
"""As the width of a cell: nothing is left out."""

N_FULL_BASE = 8
N_FULL_PER_WIDTH = 3
"""A beam of width w searches states of ``N_FULL_BASE + w * N_FULL_PER_WIDTH`` in full."""


NOTHING_FOUND = Found(INFINITE, np.zeros(0, dtype=np.int32))
"""What a cell has before its first search."""


@dataclass(slots=True, eq=False)
class Cell:
    """The candidates that one response to the first guess leaves, and their best tree so far."""

    spec: SearchSpec  # its history ends with that guess
    candidates: Int32s  # codes, ascending
    # Total of the best tree known below the first guess, and its plan: one value, so that any
    # thread may read it at any time.
    best: Found = NOTHING_FOUND
    width: int = 0  # widest beam that has been searched to its end

    @property
    def response(self) -> int:
        """The answer to the first guess."""
        return self.spec.history[-1][1]

    def offer(self, found: Found | None) -> None:
        """Keep a tree that is better."""
        if found is not None and found.cost < self.best.cost:
            self.best = found


def split_by(game: Game, candidates: Int32s, spec: SearchSpec, guess: int) -> list[Cell]:
    """Return the cells of a first guess by response, without the winning one."""
    responses = game.respond(np.array([guess]), candidates)
    found = [int(response) for response in np.unique(responses) if response != game.win]
    histories = [(*spec.history, (guess, response)) for response in found]
    return [
        Cell(SearchSpec(eligible=spec.eligible, history=history), candidates[responses == response])
        for history, response in zip(histories, found, strict=True)
    ]


def run_cell_search(plain: PlainSearch, reach: Reach) -> tuple[Found | None, dict[str, int]]:
    """Return the best tree of a cell below the aim's cost, if there is one, and the work done."""
    solver = make_solver(*plain.restore(), plain.spec, SearchControl(), reach)
    return solver.find_best(plain.aim), solver.counts


def search_cells(
    control: SearchControl, game: Game, cells: Sequence[Cell], reach: Reach
) -> Iterator[tuple[Cell, Found | None]]:
    """Yield each cell with what is found in it, in any order; the watch may end it.

    Only trees that cost less than the cell's best one are looked for. Cells are independent of each
    other, so the result does not depend on who searches them.
    """
    alone = control.workers is None and control.jobs == 1
    # Alone, the small ones first give an early tree; else nobody ends up with a large one at last.
    waiting = iter(sorted(cells, key=lambda cell: len(cell.candidates), reverse=not alone))

    def search_here(cell: Cell, reach: Reach) -> tuple[Found | None, dict[str, int]]:
        solver = make_solver(game, cell.candidates, cell.spec, replace(control, log=None), reach)
        try:
            return solver.find_best(Aim(below=cell.best.cost)), solver.counts
        finally:
            if not reach.deepest:  # a tree counts even if the watch has ended the search
                cell.offer(solver.incumbent)

    def find_next() -> tuple[Cell, tuple[Cell | PlainSearch, Reach]] | None:
        cell = next(waiting, None)
        if cell is None:
            return None
        if control.workers is None:
            return cell, (cell, reach)
        aim = Aim(below=cell.best.cost)
        plain = PlainSearch.of(game, cell.candidates, cell.spec, aim, SearchControl())
        return cell, (plain, reach)

    function = search_here if control.workers is None else run_cell_search
    with control.open_workers(len(cells)) as workers:
        look = make_look(game, control)
        for cell, (found, counts) in run_growing(workers, function, find_next, look):
            if control.log is not None:
                control.log.count(counts)
            yield cell, found


def reach_of(width: int) -> Reach:
    """Return the reach of a beam of some width in a cell."""
    return Reach(width, N_FULL_BASE + N_FULL_PER_WIDTH * width)


class Beam:
    """The search of one game's candidates after one first guess."""

    def __init__(self, game: Game, candidates: Int32s, spec: SearchSpec, opening: int) -> None:
        self.game, self.opening = game, opening
        self.weight = weigh_candidates(game, candidates)
        self.cells = split_by(game, candidates, spec, opening)

    @property
    def total(self) -> int | None:
        """Total of the tree so far; None until all cells have one."""
        total = self.weight + sum(cell.best.cost for cell in self.cells)
        return None if total >= INFINITE else total

    @property
    def widths(self) -> dict[str, int | None]:
        """How wide each cell was searched, by response; None: in full."""
        return {
            str(cell.response): cell.width if cell.width < WHOLE else None for cell in self.cells
        }

    def widen(self, width: int, control: SearchControl) -> None:
        """Search all cells with a beam of `width`; the watch may end it."""
        todo = [cell for cell in self.cells if cell.width < width]
        for cell, found in search_cells(control, self.game, todo, reach_of(width)):
            cell.offer(found)
            cell.width = width

    def adopt(self, plan: Int32s) -> None:
        """Take a tree of all cells, below which there is none better after this first guess."""
        slot = 1
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n = len(cell.candidates)
            # Of one or two candidates the first is guessed, whatever the plan holds for them.
            part = plan[slot : slot + n - 1] if n > 2 else plan[:0]
            slot += n - 1
            cell.best = Found(expand_plan(self.game, cell.candidates, part).share_total, part)
            cell.width = WHOLE

    def plan(self) -> Int32s:
        """Return the plan of the whole tree."""
        parts = [np.array([self.opening], dtype=np.int32)]
        for cell in sorted(self.cells, key=lambda cell: cell.response):
            n_slots = len(cell.candidates) - 1
            parts.append(np.resize(cell.best.plan, n_slots).astype(np.int32))
        return np.concatenate(parts)


N_SOON_FULL = 8
"""A tree that is needed soon has its states of this many candidates searched in full."""

FIRST_BEAM = 4
"""A beam of this width precedes the proof of a lower bound: first a good tree."""

MAX_BEAM = 1024
"""Width at which a search without a given width ends in any case."""

OPENINGS_PER_WIDTH = 10
"""With many responses a beam of width w searches below this many times w first guesses."""

SOON_PROVED_S = 60.0
"""Without a width asked for, a proof that likely takes no longer precedes wider beams than 8."""

MAX_BYTES = 1 << 30
"""Without a gap that is asked for, larger response matrices are not made: a beam needs far less."""

RECORD = "beam"
"""The name of the cells in a checkpoint."""

FOLDER = "proof"
"""Where the table of proofs is, in the folder that keeps the cells of a near-optimal search."""

MIN_PAIRS = 30_000_000
"""Games of fewer pairs of guess and candidate are proved in a few seconds, whatever comes first."""


Measure = Callable[[Int32s, Int64s], Int64s]
"""What `measure_openings` returns for openings and values."""


class EngineKernel:
    """See `SearchKernel`. The control's checkpoint keeps the cells of the best beam.

    What an earlier search has left there is known from the beginning.
    """

    has_rules, is_rounded = True, False  # whether rules make trees of the game, shares are rounded
    length = "in {} guess{}"  # how long a game may be, in a sentence
    early_widths = ()  # of beams that pay before an exact search
    bound_width = FIRST_BEAM  # a beam of this width precedes the first bound
    widest = MAX_BEAM  # a beam without a width that was asked for ends there
    # With fewer candidates a near-optimal search is an exact one.
    fewest = 3
    keeps_tasks = True  # what it keeps of a proof are the results of tasks
    most_judged = INFINITE  # candidates of a state that is searched to judge one guess

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        control: SearchControl,
        *,
        is_best: bool = False,
    ) -> None:
        self.game, self.candidates, self.spec = game, candidates, spec
        self.control = control
        self.first = list_first(game, candidates, spec)
        self.weight = weigh_candidates(game, candidates)
        self._bound = bound_by_size(game, candidates)
        self._beams: dict[int, Beam] = {}
        self._sweep: OpeningSearch | None = None  # what searches below first guesses, if not beams
        self._is_bounded = False
        self._solver: Solver | None = None
        self._trees: list[Tree] = []  # besides those of beams and solver
        if control.log is not None and not is_best:
            table = describe_table(len(candidates), control.table_size)
            control.log.settings["table"] = {**table, "seed": control.table_seed}
        self._load()

    def _load(self) -> None:
        """Take the cells that an earlier search has left in the folder."""
        checkpoint = self.control.checkpoint
        record = None if checkpoint is None else checkpoint.find(RECORD)
        if record is not None:
            opening, cells = msgpack.unpackb(record)
            if opening in self.first or not self.first:
                known = {response: known for response, *known in cells}
                for cell in self._open(opening).cells:
                    cost, cell.width, plan = known[cell.response]
                    cell.best = Found(cost, np.frombuffer(plan, "<i4").astype(np.int32))

    @staticmethod
    def name_records(game: Game) -> str:
        """Return the suffix of a work folder's name: earlier versions kept other records."""
        return "" if game.weights is None else " by weight"

    @staticmethod
    def search_openings(
        game: Game, candidates: Int32s, spec: SearchSpec, control: SearchControl
    ) -> OpeningSearch:
        """Return a search below one first guess after another, which the watch ends."""
        return OpeningSearch(make_solver(game, candidates, spec, control), spec.max_length)

    @staticmethod
    def make_root(game: Game, candidates: Int32s, spec: SearchSpec) -> Root:
        """Return the search's root for lemmas about a game."""
        return Root(game, candidates, spec, SearchControl())

    @staticmethod
    def proves_without_gap(game: Game) -> bool:
        """Return whether a near-optimal search that no gap is asked of proves a bound."""
        return game.weights is not None

    @staticmethod
    def refuse(game: Game, spec: SearchSpec, table_size: int | None) -> None:
        """Raise UsageError for an option that has no effect."""
        if game.n_responses > FEW_RESPONSES and spec.look_ahead is not None:
            raise UsageError(
                f"`look_ahead` has no effect where there are more than {FEW_RESPONSES} answers: the"
                " bound comes from whole first guesses there"
            )

    @property
    def bound(self) -> int:
        """What is proved of the total by now."""
        return max(self._bound, 0 if self._solver is None else self._solver.bound)

    floor = bound

    @property
    def solver(self) -> Solver:
        """The exact search, made when it is first asked for."""
        if self._solver is None:
            self._solver = make_solver(self.game, self.candidates, self.spec, self.control)
        return self._solver

    def _listen(self, stage: str) -> SearchControl:
        """Return the control of a part of a near-optimal search, which shows what all has found."""

        def watch(progress: SearchProgress) -> bool:
            shown = SearchProgress(stage, self.bound, self.total, progress.n_states)
            return self.control.must_end(shown)

        return replace(self.control, watch=watch, checkpoint=None)

    def solve(self, aim: Aim) -> Tree | None:
        """Return the best tree, the most promising first guess ahead of all; None: none."""
        if aim.left is not None:
            if aim.left < 1:
                return None
            if aim.left >= len(self.candidates) and aim.last == 0:
                aim = aim._replace(left=None)
        self._refuse_large(aim)
        is_free = aim.below is None and aim.last == 0
        lead = find_lead(self.solver, aim.left) if is_free else None
        found = self.solver.find_best(aim, lead)
        if found is not None and aim.below is None:
            self.solver.bound = found.cost
        return None if found is None else self._expand(found.plan)

    def _refuse_large(self, aim: Aim) -> None:
        """Raise StrategyError if the kernels' numbers may not hold the costs of an aim."""
        if self.game.weights is None:
            return
        most = find_dearest(self.game, self.candidates, aim.scale, aim.last)
        if most >= MAX_COST << 5 or min(most, aim.below or most) >= MAX_COST:
            raise StrategyError(
                f"the weights sum up to {self.weight:,}, and objective={self.spec.objective} takes"
                " products of them that 64 bits do not hold: give smaller weights, rounded"
            )

    def find_shortest(self, left: int | None) -> tuple[int, Tree | None] | None:
        """Return the least longest game with the best tree within; None: it is not allowed.

        The longest game allowed is raised until a tree fits. Weights do not matter for that, and
        without them symmetries help.
        """
        is_weighted, solver = self.game.weights is not None, self.solver
        if is_weighted:
            plain = self.game.with_stakes(None, None)
            solver = make_solver(plain, self.candidates, self.spec, solver.control)
        for longest in range(1, (left or len(self.candidates)) + 1):
            found = solver.find_best(Aim(longest, stage=f"worst {longest}"))
            if found is not None:
                best = self.solve(Aim(longest)) if is_weighted else self._expand(found.plan)
                return longest, best
        return None

    def search_soon(self, halt: Stop) -> None:
        """Look for a tree that has no game that is too long, by a narrow beam."""
        control, reach = SearchControl(watch=lambda _: halt.is_called), Reach(1, N_SOON_FULL)
        solver = make_solver(self.game, self.candidates, self.spec, control, reach)
        found = solver.find_best(Aim(self.spec.max_length))
        if found is not None:
            self._trees.append(self._expand(found.plan))

    def make_first_tree(self) -> Tree:
        """Return the tree that guesses the first candidate in each state, after a given guess."""
        tree = self._expand(np.array(self.first[:1], dtype=np.int32))
        rule = f"direct={self.game.n_codes}"
        return replace(tree, provenance=Provenance("first candidate", rule, self.spec.history))

    def _expand(self, plan: Int32s) -> Tree:
        return expand_plan(self.game, self.candidates, plan, self.spec.history)

    @property
    def _best_beam(self) -> Beam | None:
        """The beam with the best complete tree; None before there is one."""
        complete = [beam for beam in list(self._beams.values()) if beam.total is not None]
        return min(complete, key=lambda beam: beam.total or 0, default=None)

    @property
    def total(self) -> int | None:
        """The least total of the beams; None before there is one."""
        best = self._best_beam
        return None if best is None else best.total

    def list_trees(self) -> list[Tree]:
        """Return the best tree of the beams, that of the solver, and those made at once."""
        trees, best = list(self._trees), self._best_beam
        found = None if self._solver is None else self._solver.incumbent
        if found is not None:
            trees.append(self._expand(found.plan))
        if best is not None:
            rule = f"first guess {join_names([self.game.format_code(best.opening)])}; "
            made = Provenance("", rule, self.spec.history)
            trees.append(replace(self._expand(best.plan()), provenance=made))
        return trees

    def _open(self, guess: int) -> Beam:
        """Return the beam after a first guess."""
        if guess not in self._beams:
            self._beams[guess] = Beam(self.game, self.candidates, self.spec, guess)
        return self._beams[guess]

    def _adopt(self, found: Found) -> None:
        """Keep a tree found by another search, if it is the best one below its first guess."""
        self._open(int(found.plan[0])).adopt(found.plan)

    def begin(self, last: int) -> int:
        """Rank the first guesses, and bound the total by the sizes of their cells.

        Return the width of the first beam, `last` at most.
        """
        game, candidates, n = self.game, self.candidates, len(self.candidates)
        if game.n_responses > FEW_RESPONSES:
            control = self._listen("first guesses")
            self._sweep = OpeningSearch(make_solver(game, candidates, self.spec, control))
            most, measure = self._sweep.most + 1, self._sweep.measure
        else:
            look, most = make_look(game, self._listen("openings")), game.n_responses
            measure = partial(measure_openings, game, candidates, look=look)
        openings = list_openings_of(game, self.spec)
        values = make_estimates(game, n), make_size_costs(n, most)
        estimates, size_bounds = (measure(openings, each) for each in values)
        ranked = np.lexsort((np.arange(len(openings)), estimates))
        ranked = ranked[estimates[ranked] >= 0]
        self._openings, self._size_bounds = openings[ranked], size_bounds[ranked]
        self._bound = max(self._bound, self.weight + int(self._size_bounds.min()))
        return 1 if self._sweep is None else last

    def widen(self, width: int, below: int | None, until_s: float) -> bool:
        """Search below the most promising first guesses: one after another, or by a beam.

        The beams of some are begun, the best is widened; not where it has searched all in full.
        """
        best = self._best_beam
        if self._sweep is not None:
            self._sweep_openings(self._sweep, width, below or INFINITE)
        elif width == 1:
            for guess in self._openings[:N_OPENINGS].tolist():
                self._open(guess).widen(1, self._listen("beam 1"))
        elif best is not None:
            largest = max((len(cell.candidates) for cell in best.cells), default=0)
            if reach_of(width // 2).n_full < largest:
                best.widen(width, self._listen(f"beam {width}"))
        self._save()
        return True

    def _sweep_openings(self, search: OpeningSearch, width: int, below: int) -> None:
        """Search below the most promising first guesses; all, until a watch ends it."""
        openings = self._openings.tolist()
        # A width that is given is only ever a width.
        n_tried = len(openings) if self.spec.beam is None else OPENINGS_PER_WIDTH * width
        best = sweep(search, openings[:n_tried], below, search.solver.control, self._adopt)
        if n_tried >= len(openings):
            self._bound = best.cost

    def look_ahead(self, below: int, until_s: float) -> None:
        """Examine the first guesses with the least bounds, once."""
        if self._is_bounded or self._sweep is not None:
            return
        game, spec = self.game, self.spec
        n_ahead = spec.look_ahead
        if n_ahead is None:
            n_ahead = choose_depth(game, len(self._openings), len(self.candidates))
        args = self.candidates, spec, self._openings, self._size_bounds, n_ahead
        for bound in bound_openings(game, *args, self._listen("bound")):
            self._bound = max(self._bound, bound)
        self._is_bounded = True

    def pays(self, *, is_last: bool) -> bool:
        """Whether a proof likely takes a minute; at last, whether its responses fit in memory."""
        if is_last:
            return 2 * self.game.n_codes * len(self.candidates) <= MAX_BYTES
        estimate = estimate_proof(self.game)
        return estimate is not None and estimate.seconds <= SOON_PROVED_S

    def prove(self, below: int, until_s: float) -> None:
        """Prove that no total is below one, or find the best tree."""
        what, control = f"gap; {self.spec.rule}", self._listen("proof")
        with open_folder(self.game, what, self.spec, self.control, FOLDER) as checkpoint:

            def watch(progress: SearchProgress) -> bool:
                self._bound = max(self._bound, min(int(progress.bound), below))
                return control.must_end(progress)

            listening = replace(control, checkpoint=checkpoint, watch=watch)
            solver = make_solver(self.game, self.candidates, self.spec, listening)
            try:
                found = solver.find_best(Aim(below=below), keeps_table=True)
            except SearchStoppedError:
                if solver.incumbent is not None:
                    self._adopt(solver.incumbent)
                raise
        if found is not None:
            self._adopt(found)
        self._bound = below if found is None else found.cost

    def _save(self) -> None:
        """Keep the trees of the cells after the best first guess."""
        best, checkpoint = self._best_beam, self.control.checkpoint
        if checkpoint is not None and best is not None:
            cells = [
                (cell.response, cell.best.cost, cell.width, cell.best.plan.astype("<i4").tobytes())
                for cell in best.cells
            ]
            checkpoint.save(RECORD, msgpack.packb((best.opening, cells)))

    def finish(self) -> None:
        """Keep the trees of the best beam; write how wide it was into the log."""
        best, log = self._best_beam, self.control.log
        self._save()
        if best is not None and log is not None:
            log.settings["widths"] = best.widths


def sweep(
    search: OpeningSearch,
    openings: list[int],
    total: int,
    control: SearchControl,
    adopt: Callable[[Found], None] | None = None,
) -> BestGuess:
    """Search below one first guess after another exactly, below the best total so far; return it.

    With many responses most states are small, so that the search below a first guess takes a
    fraction of a second: quicker than a beam, and nothing is left to improve there. After all first
    guesses the best tree is proved to be optimal. Of equal totals the first opening's is the last
    to be adopted, whatever the threads do. The openings gain information; only trees below `total`
    are looked for; each that is adopted is better than the last.
    """
    solver, best, places = search.solver, BestGuess(total, -1), iter(range(len(openings)))
    plain = None if control.workers is None else solver.make_plain(Aim())
    pool = Pool(search.share, search)

    def find_here(code: int, below: int) -> tuple[Found | None, dict[str, int]]:
        with pool.lend() as mine:
            found = mine.find(code, below)
            if found is not None and adopt is not None:
                mine.complete(found.plan)
            return found, mine.count_new()

    def find_next() -> tuple[int, tuple[int, int]] | None:
        place = next(places, None)
        return None if place is None else (place, (openings[place], best.below_at(place)))

    function = find_here if plain is None else partial(find_below, plain)
    ahead = 0 if plain is None else AHEAD  # a task that waits has an upper bound that grows old
    try:
        with control.open_workers(len(openings)) as workers:
            sent = run_growing(workers, function, find_next, solver.look, ahead)
            for place, (found, counts) in sent:
                solver.count(counts)
                if found is not None and BestGuess(found.cost, place) < best:
                    best = BestGuess(found.cost, place)
                    if adopt is not None:
                        adopt(found)
    finally:
        for each in pool.made:  # what ended early
            solver.count(each.count_new())
    return best


BY_SIZE, BY_LOOKAHEAD = -1, 0
"""Depths to which a first guess is examined before any guess after it is tried."""

MIN_LOOKS = 100
MAX_PAIRS = 4_000_000_000
"""At least this many first guesses are examined, and more while they score so few pairs of
guess and candidate. Games with symmetries have fewer first guesses; a codebook has thousands."""


FEW_OPENINGS = 100
FEW_TRIPLES = 1_000_000_000
"""With more first guesses, and more triples of them, guesses and candidates, no game is searched
further unless requested: it would take hours for a list of thousands of words."""


MAX_AHEAD = 30
"""Looking further ahead than the depth of any tree changes nothing."""


def choose_depth(game: Game, n_openings: int, n: int) -> int:
    """Return the default number of guesses to look ahead."""
    is_small = n_openings <= FEW_OPENINGS or n_openings * game.n_codes * n <= FEW_TRIPLES
    return 1 if is_small else BY_LOOKAHEAD


def bound_by_lookahead(game: Game, cell: Cell, look: Look = lambda: None) -> int:
    """Return a lower bound of a cell's cost, from a lookahead at all guesses in it."""
    n = len(cell.candidates)
    if game.weights is not None:
        return _bound_by_guesses(make_solver(game, cell.candidates, cell.spec, SearchControl()))
    if n < 3:
        return 2 * n - 1
    matrix = make_response_matrix(game.rules, cell.candidates, look)
    scratch = make_scratch(game.n_codes, game.n_responses, n)
    members = np.arange(n, dtype=np.int32)
    model = make_cost_model(n, game.n_responses)
    return int(look_ahead(matrix, model, scratch, members, INFINITE)[0])


def _bound_by_guesses(solver: Solver) -> int:
    """Return the least bound of all guesses of a root."""
    small = solver.find_best(Aim()) if solver.root.n < 3 else None
    if small is not None:
        return small.cost
    search = solver.make_search(solver.make_model(Aim()), solver.make_table(), Aim())
    advance(search, 1)
    frames = search.stack.frames
    return int(search.stack.lower_bounds[1, : frames.n_guesses[1]].min())


def bound_openings(
    game: Game,
    candidates: Int32s,
    spec: SearchSpec,
    openings: Int32s,
    size_bounds: Int64s,
    n_ahead: int,
    control: SearchControl,
) -> Iterator[int]:
    """Yield ever better lower bounds of the total, whatever the first guess.

    The first guess with the least bound is examined one guess deeper, up to `n_ahead`, or until too
    many were examined; 0: by a lookahead alone. The openings, up to symmetry, split the candidates;
    `size_bounds` are lower bounds of their cells' cost, by size.
    """
    look = make_look(game, control)
    n, weight = len(candidates), weigh_candidates(game, candidates)
    n_ahead = min(n_ahead, MAX_AHEAD)
    bounds = [weight + int(bound) for bound in size_bounds]
    depths = [BY_SIZE] * len(bounds)
    n_looks = max(MIN_LOOKS, MAX_PAIRS // (game.n_codes * n))
    while True:
        at = bounds.index(min(bounds))
        yield bounds[at]
        if depths[at] >= n_ahead or n_looks == 0:
            return
        n_looks -= 1
        depths[at] += 1
        cells = split_by(game, candidates, spec, int(openings[at]))
        if depths[at] == BY_LOOKAHEAD:
            bound = sum(bound_by_lookahead(game, cell, look) for cell in cells)
        else:
            # All guesses and all cells, except that cells this many guesses below are not searched.
            sent = search_cells(control, game, cells, Reach(deepest=depths[at]))
            bound = sum(found.cost for _, found in sent if found is not None)
        bounds[at] = max(bounds[at], weight + bound)


N_COMPARED = 8
"""This many guesses, those with the least estimates, are compared by what a beam finds."""

BEAM, N_FULL = 2, 30
"""States of more than `N_FULL` candidates try this many guesses in that beam."""


def find_lead(solver: Solver, left: int | None = None) -> tuple[int, int] | None:
    """Return the first guess to be searched ahead of all others; None: it would not pay.

    With it comes what a tree costs that begins with it.

    To refute a first guess takes less than to find out what it costs. So a search should begin with
    the guess that turns out to be the best one: its cost bounds all others. The lookahead's bounds,
    by whose order the first of equally good guesses is kept, say little about that. A narrow beam
    below each promising guess takes a moment and says more.
    """
    # With many responses the guesses are listed by their estimates anyway.
    root, control = solver.root, solver.control
    if root.matrix.by_guess.size < MIN_PAIRS or root.matrix.n_responses > FEW_RESPONSES:
        return None
    if root.first or root.eligible != EligibleKind.ALL:
        return None
    narrow = Solver(root, replace(control, log=None), Reach(BEAM, min(N_FULL, root.n)))
    search = OpeningSearch(narrow, left)
    codes = search.rank(list_openings(root.game, root.history))[:N_COMPARED].tolist()
    if len(codes) < 2:
        return None
    best = sweep(search, codes, INFINITE, SearchControl(jobs=control.jobs))
    return (codes[best.at], best.cost) if best.cost < INFINITE else None
