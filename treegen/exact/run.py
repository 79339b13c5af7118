"""Optimal trees: objectives as searches in sequence, each bounded by what the last one proved.

`minimise` asks for one criterion after the other; the engine answers (`EngineSearch`), or the
search of tables. `find_lead` says which first guess is searched ahead of all others.
"""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import replace

from ..errors import SearchStoppedError, StrategyError, UsageError
from ..games.base import Game
from ..games.rules import weigh
from ..jit.interpreter import mark_search
from ..kernels.rule_kinds import EligibleKind
from ..strategies.named import OPTIMAL, SEARCHES, name_search
from ..strategies.stated import ENDED, ROUNDED, UNPROVED
from ..tasks.cluster import open_workers
from ..tasks.work import PROCESS, Stop
from ..tree.tree import Provenance, Tree
from ..tree.walk import describe_conflict, select_candidates
from .best import Sweep, search_near_optimal
from .engine import INFINITE, Int32s
from .engine.cost import MAX_COST
from .engine.responses import FEW_RESPONSES
from .engine.table import describe_table
from .first_guesses import (
    generate_greedy_trees,
    list_first,
    make_first_tree,
    run_soon,
    try_rules_soon,
)
from .openings import bound_by_size, find_dearest, list_openings, weigh_candidates
from .plan import Found, expand_plan
from .request import (
    Aim,
    Monitor,
    SearchControl,
    SearchLog,
    SearchProgress,
    SearchSpec,
    check_result,
    check_search,
    is_general,
    open_folder,
    write_first,
)
from .solver import OpeningSearch, Reach, Solver, make_solver
from .tables.trees import TableSearch

N_GREEDY_FULL = 8
"""A greedy tree has its states of this many candidates searched in full."""

GREEDY_S = 5.0
"""A search that takes longer makes greedy trees, to have some when it is ended."""


def minimise(searcher: EngineSearch | TableSearch, objective: str, left: int | None) -> Tree | None:
    """Return the best tree by an objective; None if all have a game that is too long.

    One criterion after the other is searched for, each bounded by what the last one proved.
    """
    if objective.startswith("worst"):
        shortest = searcher.find_shortest(left)
        if shortest is None:
            return None
        longest, tree = shortest
        if objective == "worst,n_worst,total":
            # A longest game costs more than all guesses of all games.
            unit = searcher.weight * longest + 1
            below = None if tree is None else tree.share_n_worst * unit + tree.share_total
            return searcher.find_best(Aim(longest, below, 1, unit, "n_worst")) or tree
        return tree or searcher.find_best(Aim(longest))
    tree = searcher.find_best(Aim(left))
    if tree is None or objective == "total":
        return tree
    total = tree.share_total
    while tree.worst:
        shorter = searcher.find_best(Aim(tree.worst - 1, total + 1, stage="worst"))
        if shorter is None:
            break
        tree = shorter
    # More than the secrets that may need the last guess: the total goes first. With weights, which
    # may be large, it is no more than needed.
    is_weighted = isinstance(searcher, EngineSearch) and searcher.game.weights is not None
    scale = (tree.share_n_worst if is_weighted else searcher.weight) + 1
    below = total * scale + tree.share_n_worst
    return searcher.find_best(Aim(tree.worst, below, scale, 1, "n_worst")) or tree


def solve(
    game: Game, candidates: Int32s, spec: SearchSpec, control: SearchControl | None = None
) -> Tree:
    """Find the best tree by an objective, and prove that it is.

    The candidates, ascending, are those that are possible after the history. With `keep_best`, some
    trees are made before the search, and the best one so far is returned when the watch or Ctrl-C
    ends it, as ``optimal-unproved``; otherwise SearchStoppedError is raised. UsageError: no tree is
    within the longest game allowed (proved). StrategyError: the game is too large.
    """
    control, weighs = control or SearchControl(), is_general(game)
    least = 0 if weighs else bound_by_size(game, candidates)
    monitor = Monitor(control.watch or (lambda _: False), bound=least)
    make_searcher = TableSearch if weighs else EngineSearch
    searcher = make_searcher(game, candidates, spec, monitor, control)

    def search() -> Tree | None:
        if control.keep_best:
            searcher.make_early_trees()
        return minimise(searcher, spec.objective, spec.max_length)

    try:
        tree = monitor.run(search)
    except (SearchStoppedError, KeyboardInterrupt) as stop:
        if not control.keep_best:
            raise
        longest = spec.max_length or math.inf
        trees = [tree for tree in searcher.list_trees() if tree.worst <= longest]
        is_interrupted = isinstance(stop, KeyboardInterrupt)
        # After Ctrl-C nobody waits for a better tree of a large game than the first.
        if isinstance(searcher, EngineSearch) and (
            not is_interrupted or (searcher.is_quick and not trees)
        ):
            soon = searcher.find_soon(waits=not is_interrupted)
            trees += [tree for tree in soon if tree.worst <= longest]
        elif not is_interrupted:
            soon = try_rules_soon(game, candidates, spec, jobs=control.jobs)
            trees += [tree for tree in soon if tree.worst <= longest]
        if trees and is_interrupted:
            PROCESS.announce_saving("the best tree so far")
        if not trees:
            raise
        bound = max(least, searcher.read_bound())
        names = spec.objective.split(",")
        tree = min(trees, key=lambda tree: [getattr(tree, name) for name in names])
        return _name(tree, spec, UNPROVED, ENDED, bound)
    finally:
        if control.log is not None:
            control.log.counts = searcher.counts
    if tree is None:
        unit = "at a cost of {}" if weighs else "in {} guesses"
        given = f" with the first guess {' or '.join(spec.first)}" if spec.first else ""
        raise UsageError(
            f"{game.name}: no tree{given} finds all {len(candidates)} secrets"
            f" {unit.format(spec.max_length)} (proved)"
        )
    if isinstance(searcher, TableSearch) and searcher.is_rounded:
        return _name(tree, spec, UNPROVED, ROUNDED, searcher.read_bound() or None)
    return _name(tree, spec, OPTIMAL.name, "", tree.share_total)


def _name(tree: Tree, spec: SearchSpec, search: str, note: str, bound: int | None) -> Tree:
    """Return a tree with the provenance of an exact search; the bound counts shares."""
    proved = None if bound is None else weigh(bound, tree.game.rules.share_unit)
    name = name_search(search, spec.first, spec.eligible)
    provenance = Provenance(name, spec.rule + note, spec.history, spec.objective, proved)
    return replace(tree, provenance=provenance)


class EngineSearch:
    """The engine's search of a game, in its trees; another thread may take the best at any time.

    `weight` is that of all candidates: their number where each weighs 1.
    """

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        monitor: Monitor,
        control: SearchControl,
    ) -> None:
        self.game, self.candidates, self.spec = game, candidates, spec
        self.control, self.monitor = control, monitor
        self.first, self.weight = (
            list_first(game, candidates, spec),
            weigh_candidates(game, candidates),
        )
        self.is_quick = game.rules.n_guesses * len(candidates) < MIN_PAIRS
        self.first_trees: list[Tree] = []
        self.greedy_trees: list[Tree] = []
        self._greedy_s = math.inf  # when they are made
        self._are_rules_tried = False
        self._solver: Solver | None = None

    @property
    def solver(self) -> Solver:
        """The engine's solver, made when it is first asked for."""
        if self._solver is None:
            listening = replace(self.control, watch=self._watch)
            self._solver = make_solver(self.game, self.candidates, self.spec, listening)
        return self._solver

    def make_early_trees(self) -> None:
        """Make a tree at once, then greedy ones: after a while where most searches are done before.

        In a large game their kernels are compiled before those of the search.
        """
        self._greedy_s = time.monotonic() + GREEDY_S
        if not self.is_quick:
            self._make_first_tree()
        if self.game.rules.n_guesses * self.weight > MANY_PAIRS:
            self._make_greedy_trees(self.monitor.halt)

    def _make_first_tree(self) -> None:
        first = make_first_tree(self.game, self.candidates, self.spec.history, self.first)
        self.first_trees = [first]

    def _make_greedy_trees(self, halt: Stop | None = None) -> None:
        """Make trees by greedy rules; those that are too long do not count."""
        self._greedy_s, self.greedy_trees = math.inf, []
        for tree in generate_greedy_trees(
            self.game,
            self.spec.history,
            first=self.first,
            eligible=self.spec.eligible,
            jobs=self.control.jobs,
            halt=halt,
        ):
            if self.spec.max_length is None or tree.worst <= self.spec.max_length:
                self.greedy_trees.append(tree)
        self._are_rules_tried = True

    def find_best(self, aim: Aim) -> Tree | None:
        """Return the best tree; None if there is none. SearchStoppedError: the watch ended it.

        The most promising first guess comes ahead of all.
        """
        if aim.left is not None:
            if aim.left < 1:
                return None
            if aim.left >= len(self.candidates) and aim.last == 0:
                aim = aim._replace(left=None)
        self._refuse_large(aim)
        is_free = aim.below is None and aim.last == 0
        solver = self.solver
        found = solver.find_best(aim, find_lead(solver, aim.left) if is_free else None)
        if found is None:
            return None
        if aim.below is None:
            solver.bound = found.cost
        return self._expand(found)

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
        """Return the least longest game, and the best tree within; None: it is not allowed.

        The longest game allowed is raised until a tree fits. Weights do not matter for that, and
        without them symmetries help.
        """
        is_weighted, solver = self.game.weights is not None, self.solver
        if is_weighted:
            plain = self.game.with_stakes(None, None)
            solver = make_solver(plain, self.candidates, self.spec, solver.control)
        for longest in range(1, (left or len(self.candidates)) + 1):
            found = solver.find_best(Aim(longest, stage=f"worst {longest}"))
            if found is not None and is_weighted:
                self.solver.count(solver.counts)
                return longest, self.find_best(Aim(longest))
            if found is not None:
                return longest, self._expand(found)
        return None

    @property
    def _incumbent(self) -> Found | None:
        return None if self._solver is None else self._solver.incumbent

    def list_trees(self) -> list[Tree]:
        """Return the first tree, the greedy ones, and what the solver has found."""
        found = self._incumbent
        solved = [] if found is None else [self._expand(found)]
        return [*self.first_trees, *self.greedy_trees, *solved]

    def read_bound(self) -> int:
        """Return what is proved of the total by now."""
        return 0 if self._solver is None else self._solver.bound

    @property
    def counts(self) -> dict[str, int]:
        """What was done by now."""
        return {} if self._solver is None else self._solver.counts

    def find_soon(self, *, waits: bool) -> list[Tree]:
        """Return trees for a search that is ended before all rules were tried.

        They are greedy ones; a beam's if these are too long; the first tree if they take too long.
        If it `waits`, kernels of the rules are compiled without a limit.
        """
        if self._are_rules_tried:
            return []
        if not self.greedy_trees and self._incumbent is None:
            self.monitor.tell(SearchProgress("greedy", self.monitor.progress.bound, None, 0))
        kept = self.greedy_trees  # another thread may still have it
        found = run_soon(self._find_greedily, waits=waits)
        if found is not None:
            return [*kept, *found]
        if not self.first_trees:
            self._make_first_tree()
        return [*kept, *self.greedy_trees, *self.first_trees]

    def _find_greedily(self, halt: Stop) -> list[Tree]:
        self._make_greedy_trees(halt)
        if self.greedy_trees:
            return self.greedy_trees
        control, reach = SearchControl(watch=lambda _: halt.is_called), Reach(1, N_GREEDY_FULL)
        solver = make_solver(self.game, self.candidates, self.spec, control, reach)
        found = solver.find_best(Aim(self.spec.max_length))
        return [] if found is None else [self._expand(found)]

    def _expand(self, found: Found) -> Tree:
        return expand_plan(self.game, self.candidates, found.plan, self.spec.history)

    def _watch(self, progress: SearchProgress) -> bool:
        """Report the progress, with the totals of the greedy trees; make them when it is time."""
        if time.monotonic() > self._greedy_s:
            self._make_greedy_trees(self.monitor.halt)
        totals = [tree.share_total for tree in self.greedy_trees]
        if progress.stage == "total" and totals:
            best = min(totals) if progress.best is None else min(*totals, progress.best)
            progress = replace(progress, best=best)
        return self.monitor(progress)


MANY_PAIRS = 300_000_000
"""Games of more pairs of guess and candidate take minutes to prove, and greedy trees a second."""

MIN_PAIRS = 30_000_000
"""Games of fewer pairs of guess and candidate are proved in a few seconds, whatever comes first."""

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
    sweep = Sweep(search, codes, INFINITE)
    sweep.run(SearchControl(jobs=control.jobs))
    best = sweep.best
    return (codes[best.at], best.cost) if best.cost < INFINITE else None


def run_search(
    game: Game, name: str, spec: SearchSpec | None = None, control: SearchControl | None = None
) -> Tree:
    """Return the tree of a search, ``optimal`` or ``best``.

    GameError: the game's tree fits into no memory, `first` holds no code of it, or it cannot be
    played by the rule `eligible`. StrategyError: there is no such search, or the game is too large.
    UsageError: no secret agrees with the history; no tree is short enough (proved); no first guess
    gains information; the folder is that of another search; an option has no effect.
    SearchStoppedError: the watch ended it, and no tree is kept. ClusterError: the workers are lost.

    >>> from treegen.games import parse_game
    >>> run_search(parse_game("p3c4r"), "optimal", SearchSpec(max_length=4)).total
    206
    """
    spec, control = spec or SearchSpec(), control or SearchControl()
    if name not in SEARCHES:
        known = " and ".join(SEARCHES)
        raise StrategyError(f"unknown search {name!r}: there are {known}")
    spec = write_first(game, spec)
    check_search(game, name, spec, control.table_size)
    candidates = select_candidates(game, spec.history)
    if not len(candidates):
        raise UsageError(describe_conflict(game, spec.history))
    log = control.log or SearchLog()
    with mark_search(game.rules.n_guesses, len(candidates)):
        if SEARCHES[name] is OPTIMAL:
            tree = search_optimal(game, candidates, spec, control, log)
        elif len(candidates) < 3 and not is_general(game):
            log.start(game, OPTIMAL.name, spec.history)
            small = SearchSpec(eligible=spec.eligible, history=spec.history, first=spec.first)
            tree = solve(game, candidates, small)
            log.end("proved", tree.total, tree.total)
        else:
            tree = search_near_optimal(game, candidates, spec, control, log)
    return check_result(tree, spec)


def search_optimal(
    game: Game, candidates: Int32s, spec: SearchSpec, control: SearchControl, log: SearchLog
) -> Tree:
    """Return the best tree by an objective, proved; see `run_search`."""
    settings = {name: getattr(spec, name) for name in ("objective", "max_length", "eligible")}
    log.start(game, OPTIMAL.name, spec.history, **settings, first=list(spec.first))
    log.settings["jobs"] = control.jobs
    if not is_general(game):
        table = describe_table(len(candidates), control.table_size)
        log.settings["table"] = {**table, "seed": control.table_seed}
    control = replace(control, log=log, watch=log.listen(control.watch))
    try:
        with ExitStack() as stack:
            # Earlier versions kept other records of games with weights.
            by_weight = game.weights is not None and not is_general(game)
            name = f"{OPTIMAL.name} by weight" if by_weight else OPTIMAL.name
            folder = open_folder(game, f"{name}; {spec.rule}", spec, control)
            control = replace(control, checkpoint=stack.enter_context(folder))
            # The search of tables has threads of its own.
            if control.checkpoint and control.workers is None and not is_general(game):
                workers = stack.enter_context(open_workers(jobs=control.jobs))
                control = replace(control, workers=workers)
            tree = solve(game, candidates, spec, control)
    except BaseException as error:
        log.end(repr(error))
        raise
    log.end("proved" if spec.is_proved(tree) else "stopped", tree.provenance.bound, tree.total)
    return tree
