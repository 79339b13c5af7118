"""Searches of games with weights, costs, questions or the goal to identify."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..._process import announce_saving
from ...errors import SearchStoppedError, UsageError
from ...games import Game
from ...strategies import join_names, name_search
from ...tree import Provenance, Tree
from ..beam import open_beam_folder
from ..first_guesses import list_first, name_given
from ..request import Monitor, SearchControl, SearchLog, SearchSpec, describe_end
from .beam import BeamRecord, Proved, WeightedBeam
from .objectives import ObjectiveSearch
from .openings import Help
from .problem import UNLIMITED, Choose, expand_choices, make_problem, refuse_eligible
from .solver import Scope, WeightedSolver, look_ahead

LOOK_S = 0.05
"""Time between two calls of the watch."""

EARLY_WIDTH = 2
"""A search that keeps the best tree begins with a beam of this width."""

BOUND_WIDTH = 2
"""A near-optimal search proves its bound after a beam of this width: first a good tree."""

DEFAULT_BEAM, MAX_BEAM = 8, 1 << 20

AHEAD_PAIRS = 2_000_000
"""Pairs of guess and candidate up to which a bound looks a guess ahead unless told otherwise."""


class WeightedSearch:
    """A search of one game; another thread may take its best tree at any time.

    Parameters
    ----------
    game, candidates
        The game, and the codes that agree with the history.
    spec
        What to search.
    monitor
        Asked several times a second; it ends the search.
    control
        Its jobs, workers, checkpoint and budget count.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        monitor: Monitor,
        control: SearchControl,
    ) -> None:
        refuse_eligible(game, spec)
        self.game, self.spec, self.monitor = game, spec, monitor
        self.problem = make_problem(game, candidates)
        number_of = {int(code): guess for guess, code in enumerate(self.problem.codes)}
        first = tuple(number_of[code] for code in list_first(game, candidates, spec))
        self.scope = Scope(first, spec.is_for_candidates(game))
        self.left = UNLIMITED if spec.max_length is None else spec.max_length
        self.beam = WeightedBeam(self.problem, self.check, self.scope)
        self.help = Help(game, candidates, control)
        self.exact = ObjectiveSearch(
            self.problem, self.left, self.scope, self.check, self.expand, self.help
        )
        self.record = BeamRecord(self.beam)
        self.proved, self.stage, self._next_look_s = Proved(), "rules", 0.0

    @property
    def is_trivial(self) -> bool:
        """Whether there is nothing to choose: one candidate is left."""
        return self.problem.n == 1

    def expand(self, choose: Choose, left: int = UNLIMITED) -> Tree:
        """Return the tree of the guesses that a function chooses."""
        provenance = Provenance("", "", self.spec.history, self.spec.objective)
        return expand_choices(self.game, self.problem, choose, provenance, left)

    def run_optimal(self, keep_best: bool) -> Tree | None:
        """Search to the proof; None if every tree costs more than is allowed."""
        if keep_best and not self.is_trivial:
            for width in range(1, EARLY_WIDTH + 1):
                self.beam.widen(width)
            if self.left == UNLIMITED and self.beam.value is not None:
                self.exact.upper = self.beam.value + 1
        self.stage = ""
        return self.exact.run(self.spec.objective)

    def run_best(self, last_width: int) -> None:
        """Widen the beam; prove a bound in between."""
        if self.is_trivial:
            self.proved = Proved(self.beam.solver.finish(0, UNLIMITED))
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
                self.monitor.check(self.stage or self.exact.stage.name, bound, self.total)
            except SearchStoppedError:
                raise SearchStoppedError(describe_end(bound)) from None

    def read_bound(self) -> int:
        """Return what is proved of the total by now."""
        proved = max(self.proved.bound, self.beam.solver.bound)
        return max(proved, self.exact.stage.read_bound())

    @property
    def n_states(self) -> int:
        """States searched by now."""
        solver = self.exact.stage.solver
        alone = self.beam.solver.n_states + (0 if solver is None else solver.n_states)
        return alone + self.help.n_states

    @property
    def total(self) -> int | None:
        """The least total known; None before there is a tree."""
        found = self.exact.stage.tree
        totals = [] if found is None else [found.total]
        return min([*totals, *([] if self.beam.value is None else [self.beam.value])], default=None)

    def find_best(self) -> Tree | None:
        """Return the best tree known that is not too long; None if there is none."""
        known = [self.exact.stage.tree, self.expand(self.beam.choose), self._expand_begun()]
        trees = [tree for tree in known if tree is not None]
        if self.left != UNLIMITED:
            trees = [tree for tree in trees if tree.worst <= self.left]
        return min(trees, key=self._value, default=None)

    def _expand_begun(self) -> Tree | None:
        """Return the best tree of the search that was ended, if it has one."""
        solver = self.exact.stage.solver
        if solver is None or solver.incumbent is None or type(solver) is not WeightedSolver:
            return None
        _, guess = solver.incumbent
        n = self.problem.n

        def choose(items: NDArray[np.int32], left: int) -> int:
            return guess if len(items) == n else solver.choose(items, left)

        try:
            return self.expand(choose, self.exact.left)
        except SearchStoppedError:  # the table was emptied meanwhile: a state is not known any more
            return None

    def _value(self, tree: Tree) -> tuple[int, ...]:
        last = tree.histogram[-1] if tree.histogram else 0
        values = {"total": tree.total, "worst": tree.worst, "n_worst": last}
        return tuple(values[name] for name in self.spec.objective.split(","))


def search_weighted(
    game: Game,
    candidates: NDArray[np.int32],
    name: str,
    spec: SearchSpec,
    control: SearchControl,
) -> Tree:
    """Return the tree of a search for a game that `is_weighted`.

    Parameters
    ----------
    game, candidates
        The game, and the codes that agree with the history, at least one.
    name
        ``optimal`` or ``best``.
    spec, control
        See `SearchSpec` and `SearchControl`. One thread searches for ``best``.

    Raises
    ------
    StrategyError
        There are too many guesses and candidates.
    UsageError
        Every tree costs more than allowed: that is proved. Workers are given for ``best``, or the
        folder of another search. The guesses are to be eligible by a rule of play.
    SearchStoppedError
        The watch ended it, and no tree is kept.
    """
    if name == "best" and control.workers is not None:
        raise UsageError(
            "with weights, costs, questions or the goal to identify, best searches in one thread:"
            " --scheduler is for optimal there"
        )
    log = control.log or SearchLog()
    search_by_name = _search_best if name == "best" else _search_optimal
    try:
        monitor = Monitor(control.watch or (lambda _: False))
        search = WeightedSearch(game, candidates, spec, monitor, control)
        tree = search_by_name(search, spec, control)
    except BaseException as error:
        log.end(repr(error))
        raise
    log.counts = {"states": search.n_states}
    is_proved = tree.provenance.bound == tree.total
    log.end("proved" if is_proved else "stopped", tree.provenance.bound, tree.total)
    return tree


def _search_optimal(search: WeightedSearch, spec: SearchSpec, control: SearchControl) -> Tree:
    try:
        tree = search.monitor.run(lambda: search.run_optimal(control.keep_best))
    except (SearchStoppedError, KeyboardInterrupt) as stop:
        kept = search.find_best() if control.keep_best else None
        if kept is None:
            raise
        if isinstance(stop, KeyboardInterrupt):
            announce_saving("the best tree so far")
        rule = f"{spec.rule}; search ended before the proof"
        return _name(kept, spec, "optimal-unproved", rule, search.read_bound())
    if tree is None:
        raise UsageError(
            f"{search.game.name}: no tree{name_given(spec)} finds all {search.problem.n} secrets at"
            f" a cost of {spec.max_length} (proved)"
        )
    bound = search.exact.stage.bound if spec.objective != "worst,n_worst,total" else tree.total
    return _name(tree, spec, "optimal", spec.rule, bound)


def _search_best(search: WeightedSearch, spec: SearchSpec, control: SearchControl) -> Tree:
    last_width = spec.beam or (MAX_BEAM if control.watch else DEFAULT_BEAM)
    with open_beam_folder(search.game, spec, control) as folder:
        search.record = BeamRecord(search.beam, folder, control.budget.record_s)
        try:
            search.monitor.run(lambda: search.run_best(last_width))
        except SearchStoppedError:
            pass
        except KeyboardInterrupt:
            announce_saving("the best tree so far")
        if search.proved.n_ahead >= 0:
            search.save()
    tree = search.find_best()
    assert tree is not None  # there is no longest game allowed that could refuse it
    given = f"first={join_names(spec.first)}; " if spec.first else ""
    rule = f"{given}beam={spec.beam or 'until stopped'}"
    return _name(tree, spec, "best", rule, search.read_bound())


def _name(tree: Tree, spec: SearchSpec, name: str, rule: str, bound: int) -> Tree:
    """Return a tree with its provenance."""
    provenance = replace(
        tree.provenance, strategy=name_search(name, spec.first), rule=rule, bound=bound
    )
    return replace(tree, provenance=provenance)
