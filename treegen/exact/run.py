"""Optimal trees: objectives as searches in sequence, each bounded by what the last one proved.

The guess that likely begins the best tree is searched first: it gives the others a bound. To refute
a first guess takes less than to find out what it costs. So a search should begin with the guess
that turns out to be the best one; the order of the lookahead's bounds, by which of equally good
guesses the first is kept, says little about that. A narrow beam below each first guess takes a
moment and says more.

"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._process import announce_saving
from ..builder import Halt, check_size
from ..errors import SearchStoppedError, UsageError
from ..games import Game, is_rule_of_play, resolve_eligible
from ..strategies import name_search
from ..tasks import (
    Notice,
    Workers,
    describe_work,
    open_checkpoint,
    open_workers,
    run_in_background,
    run_together,
)
from ..tree import History, Provenance, Tree, describe_conflict, select_candidates
from .engine.canonical_state import make_canonizer, make_group
from .engine.cost import INFEASIBLE, UNLIMITED, make_cost_model, make_estimates
from .engine.pace import Pace, TimeBudget
from .engine.problem import Search
from .engine.responses import FEW_RESPONSES
from .engine.search import give_guesses, make_search, measure_guesses, run_slice
from .engine.table import describe_table, make_table
from .first_guesses import (
    generate_greedy_trees,
    list_first,
    make_first_tree,
    name_given,
    write_first,
)
from .openings import bound_by_size, list_openings
from .plan import Found, TreeColumns, expand_plan
from .request import Monitor, Progress, SearchControl, SearchLog, SearchSpec, Watch, check_result
from .solver import AnySolver, BestGuess, Solver, check_rule_of_play, choose_solver
from .weighted.problem import is_weighted
from .weighted.search import search_weighted

N_GREEDY_FULL = 8
"""A greedy tree has its states of so many candidates searched in full."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The tree that a search found.

    Attributes
    ----------
    columns
        Its columns.
    total, bound
        Its total; what was proved about the total under the objective's constraints.
    proved
        Whether the search ran to its end: nothing is better by the objective.
    """

    columns: TreeColumns
    total: int
    bound: int
    proved: bool

    def describe(self, spec: SearchSpec) -> Provenance:
        """Return the provenance of the tree: strategy, rule, objective, bound."""
        search, rule = "optimal", spec.rule
        if not self.proved:
            search, rule = "optimal-unproved", f"{rule}; search ended before the proof"
        return Provenance(
            name_search(search, spec.first, spec.eligible),
            rule,
            spec.history,
            spec.objective,
            self.bound,
        )


def solve(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl | None = None,
) -> Solution:
    """Find the best tree by an objective, and prove that it is.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible after the history, ascending.
    spec
        What to search; see `SearchSpec`.
    control
        How it is carried out. With `keep_best`, some greedy trees are made before the search, and
        the best tree so far is returned when the watch or Ctrl-C ends it.

    Raises
    ------
    StrategyError
        The game is too large.
    UsageError
        No tree is within the longest game allowed: that is proved.
    SearchStoppedError
        The watch ended it.
    """
    control = control or SearchControl()
    n = len(candidates)
    left = UNLIMITED if spec.max_length is None or spec.max_length >= n else spec.max_length
    first = list_first(game, candidates, spec)
    make_solver = partial(choose_solver, game, candidates, spec, first)
    monitor = Monitor(control.watch or (lambda _: False), bound=bound_by_size(game, n))
    stock = _Stock(spec.objective, left)

    def search() -> int | None:
        if control.keep_best:
            stock.fill(game, candidates, first, spec, control.jobs, monitor.halt)
        stock.solver = make_solver(control=replace(control, watch=stock.listen(monitor)))
        return _run(stock.solver, spec.objective, left)

    try:
        bound = monitor.run(search)
    except (SearchStoppedError, KeyboardInterrupt) as stop:
        if not control.keep_best:
            raise
        columns = stock.find_best()
        if isinstance(stop, KeyboardInterrupt):
            announce_saving("the best tree so far")
        elif columns is None:
            columns = _search_greedily(monitor, make_solver, left)
        if columns is None:
            raise
        known = stock.solver.bound if stock.solver else 0
        return Solution(columns, columns.total, max(known, bound_by_size(game, n)), False)
    columns = stock.find_solved()
    if bound is None or columns is None:
        raise UsageError(
            f"{game.name}: no tree{name_given(spec)} finds all {n} secrets in {spec.max_length}"
            " guesses (proved)"
        )
    return Solution(columns, columns.total, bound, proved=True)


class _Stock:
    """The trees available when a search is ended; several threads use it."""

    def __init__(self, objective: str, left: int) -> None:
        self.objective, self.left = objective, left
        self.trees: list[TreeColumns] = []
        self.solver: AnySolver | None = None

    def add(self, columns: TreeColumns) -> None:
        """Keep a tree unless its games are too long."""
        if not 0 < self.left < len(columns.count_lengths()):
            self.trees.append(columns)

    def fill(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        first: tuple[int, ...],
        spec: SearchSpec,
        jobs: int,
        halt: Halt,
    ) -> None:
        """Make some greedy trees; raise SearchStoppedError if the halt is called."""
        self.add(TreeColumns.of(make_first_tree(game, candidates, spec.history, first)))
        for tree in generate_greedy_trees(
            game, spec.history, first=first, eligible=spec.eligible, jobs=jobs, halt=halt
        ):
            self.add(TreeColumns.of(tree))

    def find_solved(self) -> TreeColumns | None:
        """Return the tree that the search found; None if there is none."""
        found = None if self.solver is None else self.solver.incumbent
        return None if self.solver is None or found is None else _expand(self.solver, found)

    def find_best(self) -> TreeColumns | None:
        """Return the best tree of all; None if there is none."""
        solved = self.find_solved()
        trees = [*self.trees, *([] if solved is None else [solved])]
        return min(trees, key=self._value, default=None)

    def listen(self, monitor: Monitor) -> Watch:
        """Return a watch that knows the totals of these trees, too."""
        totals = [columns.total for columns in self.trees]

        def watch(progress: Progress) -> bool:
            if progress.stage == "total" and totals:
                best = min(totals) if progress.best is None else min(*totals, progress.best)
                progress = replace(progress, best=best)
            return monitor(progress)

        return watch

    def _value(self, columns: TreeColumns) -> tuple[int, ...]:
        lengths = columns.count_lengths()
        values = {"total": columns.total, "worst": len(lengths), "n_worst": lengths[-1]}
        return tuple(values[name] for name in self.objective.split(","))


def _search_greedily(
    monitor: Monitor, make_solver: Callable[..., AnySolver], left: int
) -> TreeColumns | None:
    """Find some tree within the longest game allowed; a Ctrl-C ends that."""
    monitor.tell(Progress("greedy", monitor.progress.bound, None, 0))

    def search() -> TreeColumns | None:
        solver = make_solver(control=SearchControl(), beam=1, n_full=N_GREEDY_FULL)
        found = solver.find_best(left, INFEASIBLE)
        return None if found is None else _expand(solver, found)

    return run_in_background(search)


def _run(solver: AnySolver, objective: str, left: int) -> int | None:
    """Search by the objective; return the least total, None if the cap is too low."""
    if objective == "worst,total":
        found = _run_worst_first(solver, left)
        return None if found is None else found.cost
    if objective == "worst,n_worst,total":
        return _run_fewest_longest(solver, left)
    found = _find_least(solver, left)
    if found is None or objective == "total":
        return None if found is None else found.cost
    total = solver.bound = found.cost
    lengths = _count_lengths(solver, found)
    solver.stage = "worst"
    while len(lengths) > 1:
        found = solver.find_best(len(lengths) - 1, total + 1)
        if found is None:
            break
        lengths = _count_lengths(solver, found)
    solver.stage = "n_worst"
    # More than the secrets that may need the last guess: the total goes first.
    scale = solver.n + 1
    solver.find_best(len(lengths), total * scale + lengths[-1], scale, 1)
    return total


def _find_least(solver: AnySolver, left: int) -> Found | None:
    """Find the tree of least total, the most promising first guess ahead of all."""
    if isinstance(solver, Solver):
        return solver.find_best(left, INFEASIBLE, lead=find_lead(solver, left))
    return solver.find_best(left, INFEASIBLE)


def _run_worst_first(solver: AnySolver, left: int) -> Found | None:
    """Raise the cap until a tree fits it; return the one of least total under that cap."""
    for cap in range(1, (left or solver.n) + 1):
        solver.stage = f"worst {cap}"
        found = solver.find_best(cap, INFEASIBLE)
        if found is not None:
            return found
    return None


def _run_fewest_longest(solver: AnySolver, left: int) -> int | None:
    """Lower the number of longest games under the least cap; return the total of that tree."""
    first = _run_worst_first(solver, left)
    if first is None:
        return None
    lengths = _count_lengths(solver, first)
    # A longest game costs more than all guesses of all games.
    solver.stage, solver.unit = "n_worst", solver.n * len(lengths) + 1
    upper_bound = lengths[-1] * solver.unit + first.cost
    found = solver.find_best(len(lengths), upper_bound, 1, solver.unit)
    return first.cost if found is None else found.cost % solver.unit


def _expand(solver: AnySolver, found: Found) -> TreeColumns:
    """Return the columns of what a solver has found."""
    return expand_plan(solver.game, solver.candidates, found.plan)


def _count_lengths(solver: AnySolver, found: Found) -> list[int]:
    """Return the histogram of a tree: secrets found at guess 1, 2, 3 …."""
    return _expand(solver, found).count_lengths()


MIN_PAIRS = 30_000_000
"""Games of fewer pairs of guess and candidate are proved in a few seconds, whatever comes first."""

N_COMPARED = 8
"""So many guesses, those with the least estimates, are compared by what a beam finds."""

BEAM, N_FULL = 2, 30
"""States of more than `N_FULL` candidates try so many guesses in that beam."""


def find_lead(solver: Solver, left: int = UNLIMITED) -> int | None:
    """Return the first guess to be searched ahead of all others; None: it would not pay.

    Parameters
    ----------
    solver
        Of the search.
    left
        Guesses allowed.

    Raises
    ------
    SearchStoppedError
        The solver's watch ended it.
    """
    # With many responses the guesses are listed by their estimates anyway.
    if solver.matrix.by_guess.size < MIN_PAIRS or solver.matrix.n_responses > FEW_RESPONSES:
        return None
    if solver.first or solver.candidates_only:
        return None
    codes = _list_promising(solver)
    if len(codes) < 2:
        return None
    contest = _Contest(solver, left, codes.tolist())
    run_together([contest.take_part] * min(solver.jobs, len(codes)))
    return contest.lead


def _list_promising(solver: Solver) -> NDArray[np.int32]:
    """Return the first guesses, up to symmetry, with the least estimates, the least one first."""
    codes, matrix = list_openings(solver.game, solver.history), solver.matrix
    sums = np.empty(len(codes), dtype=np.int64)
    sizes = np.zeros(matrix.n_responses, dtype=np.int64)
    measure_guesses(matrix.by_guess, codes, make_estimates(solver.n), sizes, sums)
    order = np.argsort(sums, kind="stable")
    chosen: NDArray[np.int32] = codes[order[sums[order] >= 0]][:N_COMPARED]
    return chosen


class _Contest:
    """First guesses that threads compare: the least cost wins, of equal ones the first guess."""

    def __init__(self, solver: Solver, left: int, codes: list[int]) -> None:
        self.solver, self.left, self.codes = solver, left, codes
        self.untried = iter(enumerate(codes))
        self.best = BestGuess(INFEASIBLE, -1)
        self.changed = threading.Lock()

    @property
    def lead(self) -> int | None:
        """The winner so far; None: no guess has a tree."""
        return self.codes[self.best.at] if self.best.cost < INFEASIBLE else None

    def take_part(self) -> None:
        """Search below one guess after another, as long as there are untried ones."""
        while (chosen := self._take()) is not None:
            self.solver.look()
            at, code, upper_bound = chosen
            cost = _search_beam(self.solver, code, self.left, upper_bound)
            with self.changed:
                self.best = min(self.best, BestGuess(cost, at)) if cost < upper_bound else self.best

    def _take(self) -> tuple[int, int, int] | None:
        """Return the place of the next guess, the guess, and the cost to get below."""
        with self.changed:
            at, code = next(self.untried, (-1, -1))
            return None if at < 0 else (at, code, self.best.below_at(at))


def _search_beam(solver: Solver, code: int, left: int, best: int) -> int:
    """Return the cost of the tree that a beam finds below a first guess, `best` if not below it."""
    search = _begin_beam(solver, code, left, best)
    pace = Pace()
    while not run_slice(search, pace):
        solver.look()
    frames = search.stack.frames
    return int(frames.upper_bound[1]) if frames.has_incumbent[1] else best


def _begin_beam(solver: Solver, code: int, left: int, best: int) -> Search:
    """Return the beginning of a beam below a first guess."""
    game, matrix = solver.game, solver.matrix
    model = make_cost_model(
        solver.n, matrix.n_responses, left=left, beam=BEAM, n_full=min(N_FULL, solver.n)
    )
    # What a beam finds holds for a set, not for its images.
    canonizer = make_canonizer(game, solver.candidates, is_symmetric=False)
    table = make_table(canonizer)
    search = make_search(matrix, make_group(game), model, table, solver.history, left, best)
    give_guesses(search, (code,))
    return search


def build_optimal(
    game: Game,
    *,
    objective: str = "total",
    max_length: int | None = None,
    eligible: str = "all",
    history: History = (),
    first: tuple[str, ...] = (),
    watch: Watch | None = None,
    keep_best: bool = False,
    jobs: int = 1,
    log: SearchLog | None = None,
    workers: Workers | None = None,
    folder: str | os.PathLike[str] | None = None,
    notice: Notice | None = None,
    budget: TimeBudget | None = None,
    table_size: int | None = None,
    table_seed: int = 20,
) -> Tree:
    """Build the best tree by an objective; the search proves that none is better.

    Parameters
    ----------
    game
        The game.
    objective
        What is minimised, criteria in order: ``total``; ``total,worst,n_worst``;
        ``worst,total``; ``worst,n_worst,total``.
    max_length
        The longest game allowed; None: no limit.
    eligible
        What may be guessed, a key of `treegen.games.ELIGIBLE`; ``hints`` is Wordle's hard mode.
    history
        Guesses already made and the responses to them; lengths count after them.
    first
        The first guesses allowed after the history, in the game's notation; of equally good ones
        the one that stands first here is made. What is proved then holds for trees that begin
        with one of them. Empty: all that are eligible.
    watch
        Called several times a second with the progress; True ends the search within half a second.
    keep_best
        Whether a search that is ended returns the best tree so far, marked as not proved. Some
        greedy ones are made before the search.
    jobs
        Threads; the tree does not depend on them.
    log
        Where to write the settings and the history of the search.
    workers
        They search instead of threads of this process; the tree does not depend on them.
    folder
        Where the progress of the search is kept; absent or empty at first. An ended search resumes
        from it.
    notice
        Called with what the user should know: damaged files in that folder.
    budget
        The times of the search; the tree does not depend on them.
    table_size
        MiB of the table of proofs, at most; None: by the game's size, up to 256. The tree
        does not depend on it.
    table_seed
        Of the random numbers in the table's keys. With another one a proof is independent of what
        the first one's keys, which are not unique, might have hidden.

    Returns
    -------
    Tree
        Its provenance carries the objective and the proved bound of the total. Where several trees
        are best, it is the first in the order of the search (docs/how-the-search-works.md), on
        every machine.

    Raises
    ------
    GameError
        A tree of the game fits into no memory, or `first` holds no code of the game.
    GameError
        The game cannot be played by the rule `eligible`.
    StrategyError
        Unknown objective, or a game too large for the search's tables.
    UsageError
        No secret agrees with the history, or no tree is short enough: that is proved. The folder
        belongs to another search. No first guess that is given gains information.
    ClusterError
        The workers are lost.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> tree = build_optimal(parse_game("p3c4r"))
    >>> tree.total, tree.provenance.bound
    (206, 206)
    """
    spec = SearchSpec(objective, max_length, eligible, history, first)
    control = SearchControl(
        jobs,
        workers,
        folder,
        notice,
        watch,
        keep_best,
        log,
        budget or TimeBudget(),
        table_size,
        table_seed,
    )
    return search_optimal(game, spec, control)


def search_optimal(game: Game, spec: SearchSpec, control: SearchControl) -> Tree:
    """Do the work of `build_optimal`, given a spec and a control."""
    check_size(game)
    spec = write_first(game, spec)
    candidates = select_candidates(game, spec.history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, spec.history))
    log = control.log or SearchLog()
    log.start(
        game,
        "optimal",
        spec.history,
        objective=spec.objective,
        max_length=spec.max_length,
        eligible=spec.eligible,
        first=list(spec.first),
    )
    log.settings["jobs"] = control.jobs
    has_table = not (is_weighted(game) or is_rule_of_play(resolve_eligible(game, spec.eligible)))
    if has_table:
        table = describe_table(len(candidates), control.table_size)
        log.settings["table"] = {**table, "seed": control.table_seed}
    control = replace(control, log=log, watch=log.listen(control.watch))
    check_rule_of_play(game, spec)
    try:
        with _open_help(game, spec, control) as helped:
            if is_weighted(game):
                tree = search_weighted(game, candidates, "optimal", spec, helped)
                return check_result(tree, spec)
            solution = solve(game, candidates, spec, helped)
    except BaseException as error:
        log.end(repr(error))
        raise
    log.end("proved" if solution.proved else "stopped", solution.bound, solution.total)
    return check_result(Tree(game, solution.describe(spec), *solution.columns), spec)


def describe_search(game: Game, spec: SearchSpec) -> dict[str, Any]:
    """Return the description of a search in its folder: everything that determines its result."""
    return describe_work(game.digest_name, f"optimal; {spec.rule}", spec.history)


@contextmanager
def _open_help(game: Game, spec: SearchSpec, control: SearchControl) -> Iterator[SearchControl]:
    """Open the folder of a search, and workers for it if none are given."""
    if control.folder is None:
        yield control
        return
    with ExitStack() as stack:
        folder = open_checkpoint(control.folder, describe_search(game, spec), control.notice)
        helped = replace(control, checkpoint=stack.enter_context(folder))
        # Searches by openings have threads of their own.
        is_by_opening = is_weighted(game) or is_rule_of_play(resolve_eligible(game, spec.eligible))
        if helped.workers is None and not is_by_opening:
            workers = stack.enter_context(open_workers(jobs=control.jobs))
            helped = replace(helped, workers=workers)
        yield helped
