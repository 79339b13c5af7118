"""The search of a game, exact or near-optimal: its trees, what it proves, how it ends, its name.

One driver for two kernels, which `choose_search_kernel` tells apart: the engine, for pegs and
words, and that of tables, for everything else. A search makes trees by a few rules, so that it has
one however early it is ended. Then an exact search asks its kernel for one criterion after the
other, each bounded by what the last one proved; a near-optimal one widens a beam, with bounds and
proofs in between.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from ..builder.choose import check_size
from ..builder.grow import build_tree
from ..errors import SearchStoppedError, StrategyError, UsageError
from ..games.base import Game, select_candidates
from ..games.eligible import is_rule_of_play
from ..games.notation import count_steps
from ..games.rules import Goal, Weight, weigh
from ..jit.compiler import is_compiling
from ..jit.interpreter import mark_search
from ..strategies.named import (
    ENDED,
    OPTIMAL,
    ROUNDED,
    SEARCHES,
    UNPROVED,
    measure,
    name_search,
    read_provenance,
)
from ..strategies.strategy import join_names, parse_chain
from ..tasks.background import DaemonExecutor, run_in_background
from ..tasks.work import PROCESS, Stop
from ..tree.tree import Provenance, Tree
from ..tree.walk import describe_conflict
from .engine import INFINITE, Int32s
from .engine_kernel import MIN_PAIRS, EngineKernel
from .openings import list_first
from .request import (
    Aim,
    Monitor,
    SearchControl,
    SearchLog,
    SearchProgress,
    SearchSpec,
    check_near_optimal,
    check_result,
    check_rule_of_play,
    open_folder,
    write_first,
)
from .tables.kernel import TableKernel

T = TypeVar("T")

KNUTH = "max,consistent"
"""Knuth's rule."""

CHAINS = (KNUTH, "parts,consistent", "entropy,consistent")
"""Rules that make early trees; the others' have lower totals in most games."""

SOON_S = 1.5
"""How long a search that was ended may take to make a tree."""

RULES_S = 5.0
"""An exact search that takes longer makes trees by rules, to have some when it is ended."""

MANY_PAIRS = 300_000_000
"""Games of more pairs of guess and candidate take minutes to prove, and trees by rules a second."""

DEFAULT_BEAM = 8
"""Default width of the beam, without a time limit."""

OPEN_WIDTH = 4
"""Where a watch ends the search, wider beams, better bounds and the proof take turns."""

TURN_S = 1.0
"""How long the first turns of beam, bound and proof are; each next round takes twice as long."""

AHEAD_TURNS = 3
"""Turns of a beam or the proof for a bound that looks further ahead: it gains the most."""


FEWEST = Aim(scale=0, stage="nodes", step=1)
"""The states of the tree are minimised, whatever its total is."""


SearchKernel = EngineKernel | TableKernel
"""What searches the trees of one game, and keeps the best; any thread may ask for them.

Totals, bounds and costs count shares. Its watch gets the stage, the proved bound of the total, and
the best total; it raises SearchStoppedError where the watch ends it. A time until when it may
search is a wish.
"""


def choose_search_kernel(
    game: Game, objective: str = "total"
) -> type[EngineKernel] | type[TableKernel]:
    """Return the kernel that searches a game: the engine counts guesses until the win.

    Weights it takes as well. That of tables alone counts states.

    >>> from treegen.games import parse_game
    >>> choose_search_kernel(parse_game("p2c2r")).__name__
    'EngineKernel'
    >>> choose_search_kernel(parse_game("p2c2r").with_goal("identify")).__name__
    'TableKernel'
    """
    is_won_by_guesses = game.goal == Goal.WIN and not game.notation.asks_questions
    is_counted = is_won_by_guesses and game.rules.given_costs is None
    return EngineKernel if is_counted and "nodes" not in objective else TableKernel


class Driver:
    """The search of one game by its kernel; another thread may take its best tree at any time.

    With `is_best` it is near-optimal, else exact.
    """

    def __init__(
        self,
        game: Game,
        candidates: Int32s,
        spec: SearchSpec,
        control: SearchControl,
        *,
        is_best: bool = False,
    ) -> None:
        self.game, self.spec, self.control, self.is_best = game, spec, control, is_best
        self.n, self.n_pairs = len(candidates), game.rules.n_guesses * len(candidates)
        self.first = list_first(game, candidates, spec)
        self.monitor = Monitor(control)
        self.at_once: list[Tree] = []
        self.by_rules: list[Tree] = []
        self.is_ended = self._are_rules_tried = False
        self._rules_s, self._aside = math.inf, DaemonExecutor(1)  # when they are tried, and by whom
        make = choose_search_kernel(game, spec.objective)
        listening = replace(control, watch=self._watch)
        self.kernel: SearchKernel = make(game, candidates, spec, listening, is_best=is_best)
        self.monitor.progress = SearchProgress("rules", self.kernel.bound, None, 0)

    def _watch(self, progress: SearchProgress) -> bool:
        """Show what the kernel and the rules have found; return whether the search must end."""
        if time.monotonic() > self._rules_s:
            self._rules_s = math.inf
            self._aside.submit(self.try_rules, self.monitor.halt)
        if self.is_best or progress.stage == "total":
            made = [*self.at_once, *self.by_rules] if self.is_best else self.by_rules
            progress = replace(progress, best=_find_least(made, progress.best))
        unit = self.game.rules.share_unit
        if unit > 1:
            best = None if progress.best is None else weigh(progress.best, unit)
            progress = replace(progress, bound=weigh(progress.bound, unit), best=best)
        return self.monitor(progress)

    def _check(self, stage: str) -> None:
        """Show what was found; raise SearchStoppedError if the search must end."""
        n_states = self.monitor.progress.n_states
        progress = SearchProgress(stage, self.kernel.bound, self.kernel.total, n_states)
        if self._watch(progress):
            raise SearchStoppedError(f"the search was ended: {stage}")

    def try_rules(self, halt: Stop) -> None:
        """Make the trees of some rules, once; the halt ends it: SearchStoppedError."""
        self._rules_s = math.inf
        if self._are_rules_tried or not self.kernel.has_rules:
            return
        for tree in generate_rule_trees(self.game, self.spec, self.first, self.control.jobs, halt):
            self.by_rules.append(tree)
            if self.is_best and halt is self.monitor.halt:
                self._check("rules")
        self._are_rules_tried = True

    def _make_first_tree(self) -> None:
        """Make a tree at once, if there is none; its kernels are compiled before all others."""
        first = None if self.at_once else self.kernel.make_first_tree()
        if first is not None:
            self.at_once.append(first)

    def make_early_trees(self) -> None:
        """Make trees before a proof: rules' after a while, where most searches are done.

        Then a thread makes them aside. In a large game they take a moment of the whole, and are
        made at once.
        """
        self._rules_s = time.monotonic() + RULES_S
        if self.n_pairs >= MIN_PAIRS:
            self._make_first_tree()
        if self.n_pairs > MANY_PAIRS:
            self.try_rules(self.monitor.halt)
        for width in self.kernel.early_widths:
            self.kernel.widen(width, None, math.inf)

    def prove(self) -> Tree | None:
        """Return the best tree by the objective, proved; None if all have a game that is too long.

        One criterion after the other is searched for, each bounded by what the last one proved.
        """
        kernel, objective, left = self.kernel, self.spec.objective, self.spec.max_length
        if self.control.keep_best:
            self.make_early_trees()
        if objective.startswith("worst"):
            shortest = kernel.find_shortest(left)
            if shortest is None:
                return None
            longest, tree = shortest
            if objective == "worst,n_worst,total":
                # A longest game costs more than all guesses of all games.
                unit = kernel.weight * longest + 1
                below = None if tree is None else tree.share_n_worst * unit + tree.share_total
                return kernel.solve(Aim(longest, below, 1, unit, "n_worst")) or tree
            if objective == "worst,nodes":
                return kernel.solve(FEWEST._replace(left=longest))
            return tree or kernel.solve(Aim(longest))
        if objective.startswith("nodes"):
            tree = kernel.solve(FEWEST._replace(left=left))
            if tree is None or objective == "nodes":
                return tree
            # One more state costs more than all games of the tree that is known.
            step = tree.share_total + 1
            below = step * tree.n_nodes + tree.share_total
            if 2 * below >= INFINITE:  # bounds of two cells may add up to twice as much
                raise StrategyError(
                    f"{objective}: nodes times weights times costs pass 64 bits: round the weights"
                )
            return kernel.solve(Aim(left, below, stage=FEWEST.stage, step=step)) or tree
        tree = kernel.solve(Aim(left))
        if tree is None or objective == "total":
            return tree
        total = tree.share_total
        while tree.worst:
            shorter = kernel.solve(Aim(tree.worst - 1, total + 1, stage="worst"))
            if shorter is None:
                break
            tree = shorter
        # More than the secrets that may need the last guess: the total goes first. Weights, which
        # may be large, are multiplied by no more than needed.
        most = kernel.weight if self.game.weights is None else tree.share_n_worst
        below = total * (most + 1) + tree.share_n_worst
        return kernel.solve(Aim(tree.worst, below, most + 1, 1, "n_worst")) or tree

    def improve(self) -> Tree:
        """Widen the beam; bound the total meanwhile, and prove what is asked for at the end.

        Without a width that was asked for, wider beams, better bounds and the proof take turns
        until a watch ends the search, or the best tree is proved.
        """
        kernel, spec, is_open, turn_s = self.kernel, self.spec, self.spec.beam is None, 0.0
        last, is_bounded = spec.beam or kernel.widest, False
        self._make_first_tree()
        self.try_rules(self.monitor.halt)
        width = kernel.begin(last)
        while width <= last:
            turn_s = _double(turn_s) if is_open and width > OPEN_WIDTH else 0.0
            is_widened = kernel.widen(width, self.total, _end_after(turn_s))
            self._check(f"beam {width}")
            is_due = width >= kernel.bound_width or 2 * width > last
            if turn_s or (is_due and not is_bounded):
                is_bounded = True
                self._look_ahead(0, AHEAD_TURNS * turn_s)
            if turn_s and kernel.pays(is_last=False):
                self._prove(0, turn_s)
            # A width that is asked for gives a beam's tree, if that is as good as those of rules.
            total = self.total if is_open else kernel.total
            if total is not None and kernel.floor >= total:
                break
            width *= 2 if is_widened else 1
        gap = spec.gap or 0
        is_asked = spec.gap is not None or (is_open and kernel.pays(is_last=True))
        while is_asked and not self._is_close(gap):
            turn_s = _double(turn_s)
            self._prove(gap, turn_s)
            self._look_ahead(gap, AHEAD_TURNS * turn_s)
        return self.choose(self._list_trees())

    @property
    def total(self) -> int | None:
        """The least total of the trees made at once, by rules and by beams, in shares."""
        return _find_least([*self.at_once, *self.by_rules], self.kernel.total)

    def _find_open_bound(self, gap: float) -> int | None:
        """Return the bound that a gap asks for; None: it is proved, or there is no tree yet."""
        total = self.total
        least = 0 if total is None else find_least_bound(total, gap)
        return least if self.kernel.floor < least else None

    def _is_close(self, gap: float) -> bool:
        """Whether the bound is as near to the total as a gap asks."""
        return self.total is not None and self._find_open_bound(gap) is None

    def _prove(self, gap: float, turn_s: float) -> None:
        """Prove for a while that no tree is better than the gap allows; or find the best tree."""
        below = self._find_open_bound(gap)
        if below is not None:
            self.kernel.prove(below, _end_after(turn_s))
            self._check("proof")

    def _look_ahead(self, gap: float, turn_s: float) -> None:
        """Bound the total for a while, by no more than the gap asks for."""
        below = self._find_open_bound(gap)
        if below is not None:
            self.kernel.look_ahead(below, _end_after(turn_s))
            self._check("bound")

    def end(self, stop: BaseException) -> Tree:
        """Return the best tree of a search that was ended; raise `stop` if there is none.

        If the rules were not tried, they are, for a moment; after Ctrl-C nobody waits for a better
        tree of a large game than the first, nor for a compiler.
        """
        is_interrupted, total = isinstance(stop, KeyboardInterrupt), self.total
        if is_interrupted and not is_compiling():
            PROCESS.announce_saving()
        self._make_first_tree()
        if not is_interrupted or (self.n_pairs < MIN_PAIRS and total is None):
            run_soon(self._try_soon, waits=not is_interrupted)
        trees = self._list_trees()
        if not trees:
            PROCESS.forget_saving()
            raise stop
        if is_interrupted:
            PROCESS.announce_saving()
        return self.choose(trees)

    def _try_soon(self, halt: Stop) -> None:
        if self._are_rules_tried:
            return
        if not self.is_best and self.monitor.progress.best is None:
            self.monitor.report(SearchProgress("greedy", self.monitor.progress.bound, None, 0))
        self.try_rules(halt)
        if not self._fit(self.by_rules):
            self.kernel.search_soon(halt)

    def _list_trees(self) -> list[Tree]:
        """Return the trees that there are by now and that have no game that is too long."""
        return self._fit([*self.kernel.list_trees(), *self.at_once, *self.by_rules])

    def _fit(self, trees: Sequence[Tree]) -> list[Tree]:
        longest = self.spec.max_length
        return [tree for tree in trees if longest is None or tree.worst <= longest]

    def choose(self, trees: Sequence[Tree]) -> Tree:
        """Return the best of some trees by the objective: of equal ones, a rule's gives way."""

        def grade(tree: Tree) -> tuple[list[Weight], bool, bool]:
            figures = [*measure(tree, self.spec.objective).values()]
            rule = tree.provenance
            return figures, bool(rule.strategy), KNUTH in rule.rule

        return min(trees, key=grade)

    def run(self) -> Tree:
        """Return the tree of the search, named; see `run_search`."""
        make: Callable[[], Tree | None] = self.improve if self.is_best else self.prove
        try:
            tree = self.monitor.run(make)
        except (SearchStoppedError, KeyboardInterrupt) as stop:
            if not (self.is_best or self.control.keep_best):
                raise
            self.is_ended, tree = True, self.end(stop)
        finally:
            self.monitor.halt.call()
            self._aside.abandon()
            self.kernel.finish()
        if tree is None:
            spec, most = self.spec, self.spec.max_length
            given = f" with the first guess {' or '.join(spec.first)}" if spec.first else ""
            raise UsageError(
                f"{self.game.name}: no tree{given} finds all {count_steps(self.n, 'secret')}"
                f" {self.kernel.length.format(most, 'es' * (most != 1))} (proved)"
            )
        return self.name(tree, is_proved=not self.is_ended)

    def name(self, tree: Tree, *, is_proved: bool) -> Tree:
        """Return a tree with the provenance of the search; the bound counts shares in it."""
        spec, kernel, made = self.spec, self.kernel, tree.provenance
        bound: int | None = kernel.bound
        if self.is_best:
            search, note = "best", ROUNDED * kernel.is_rounded
            rule = self._name_rule(made) + note
            bound = None if kernel.is_rounded else bound
        elif not is_proved:
            search, rule = UNPROVED, spec.rule + ENDED
        elif kernel.is_rounded and "total" in spec.objective:
            search, rule, bound = UNPROVED, spec.rule + ROUNDED, bound or None
        else:
            search, rule, bound = OPTIMAL.name, spec.rule, tree.share_total
        if "nodes" in spec.objective and not (is_proved and spec.objective.endswith("total")):
            bound = None  # no total was bounded
        proved = None if bound is None else weigh(bound, self.game.rules.share_unit)
        name = name_search(search, spec.first, spec.eligible)
        provenance = Provenance(name, rule, spec.history, spec.objective, proved)
        return replace(tree, game=self.game, provenance=provenance)

    def _name_rule(self, made: Provenance) -> str:
        """Return by what rule the tree of a near-optimal search was made: a beam's, or its own."""
        spec = self.spec
        given = f"first={join_names(spec.first)}; " if spec.first else ""
        if not made.strategy:
            return f"{given}{made.rule}beam={spec.beam or 'until stopped'}"
        if read_provenance(made, self.game).eligible not in ("all", spec.eligible):
            return f"{given}eligible={spec.eligible}; most parts among the candidates"
        # Without a history it tells its first guess itself.
        return f"{given if spec.history else ''}{made.rule}"


def _find_least(trees: Iterable[Tree], best: Weight | None) -> int | None:
    """Return the least total of some trees, and of others whose best is known."""
    known = [] if best is None else [int(best)]
    return min([*known, *(tree.share_total for tree in trees)], default=None)


def _double(turn_s: float) -> float:
    return 2 * turn_s or TURN_S


def _end_after(turn_s: float) -> float:
    """Return when a turn ends that begins now; a turn of no time has no end."""
    return time.monotonic() + turn_s if turn_s else math.inf


def find_least_bound(total: int, gap: float) -> int:
    """Return the least bound of which a total is within this many percent.

    >>> find_least_bound(178368, 1), find_least_bound(5625, 0)
    (176602, 5625)
    """
    return math.ceil(total * 100 / (100 + Fraction(gap)))


def generate_rule_trees(
    game: Game,
    spec: SearchSpec,
    first: Sequence[int] = (),
    jobs: int = 1,
    halt: Stop | None = None,
) -> Iterator[Tree]:
    """Yield the trees of some rules, the first guess one of `first`; empty: any.

    By a rule of play the first tree guesses candidates alone: they are legal by every rule, and
    what makes it compiles in half the time. The halt ends the current build: SearchStoppedError.
    """
    kinds = [(chain, spec.eligible) for chain in CHAINS]
    if is_rule_of_play(spec.eligible):
        kinds.insert(0, ("parts,consistent", "candidates"))
    for chain, kind in kinds:
        strategy = replace(parse_chain(chain), eligible=kind)
        if not spec.history:
            # As a part of the rule it is in the file.
            own = game.with_symbols(None)
            strategy = replace(strategy, opening=tuple(map(own.notation.name_guess, first)))
        yield build_tree(game, strategy, history=spec.history, first=first, jobs=jobs, halt=halt)


def run_soon(make: Callable[[Stop], T], *, waits: bool) -> T | None:
    """Return the result of `make` if it is ready within `SOON_S`, else None.

    If it `waits`, time in which kernels are compiled does not count: it is spent once, and the
    cache keeps what it gives.
    """
    halt, end_s = Stop(), time.monotonic() + SOON_S

    def look() -> None:
        nonlocal end_s
        if waits and is_compiling():
            end_s = time.monotonic() + SOON_S
        if time.monotonic() > end_s:
            raise SearchStoppedError("the trees of rules take too long")

    with suppress(SearchStoppedError):
        return run_in_background(partial(make, halt), look, halt.call)
    return None


def check_search(game: Game, name: str, spec: SearchSpec, table_size: int | None = None) -> None:
    """Raise what `run_search` would raise for a spec that does not fit the game, before the work.

    >>> from treegen.games import parse_game
    >>> check_search(parse_game("p3c4r"), "best", SearchSpec(max_length=4))
    Traceback (most recent call last):
        ...
    treegen.errors.UsageError: best minimises the total, with all guesses eligible or by a rule of \
play; eligible=all; objective=total; max-length=4 is for optimal
    """
    check_size(game)
    spec = write_first(game, spec)
    if name == "best":
        check_near_optimal(game, spec)
    else:
        check_rule_of_play(game, spec)
    choose_search_kernel(game, spec.objective).refuse(game, spec, table_size)


def run_search(
    game: Game, name: str, spec: SearchSpec | None = None, control: SearchControl | None = None
) -> Tree:
    """Return the tree of a search, ``optimal`` or ``best``.

    With `keep_best`, an exact search that is ended by the watch or Ctrl-C returns its best tree, as
    ``optimal-unproved``; a near-optimal one always does.

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
    with mark_search(game.rules.n_guesses, len(candidates)):
        return check_result(_run(game, candidates, name, spec, control), spec)


def _run(
    game: Game, candidates: Int32s, name: str, spec: SearchSpec, control: SearchControl
) -> Tree:
    """Return the tree of a search, kept and named, with its log; see `run_search`."""
    make, log = choose_search_kernel(game, spec.objective), control.log or SearchLog()
    is_best = name == "best"
    if is_best and len(candidates) < make.fewest:
        name, is_best = OPTIMAL.name, False
        spec = SearchSpec(eligible=spec.eligible, history=spec.history, first=spec.first)
        control = SearchControl()
    if is_best and spec.beam is None and (control.watch is None or spec.gap is not None):
        # The widest beams take longer than the proof of a gap, which begins after them.
        spec = replace(spec, beam=DEFAULT_BEAM)
    names = ("beam", "look_ahead", "gap") if is_best else ("objective", "max_length")
    settings = {name: getattr(spec, name) for name in ("eligible", *names)}
    log.start(game, name, spec.history, first=list(spec.first), **settings, jobs=control.jobs)
    control = replace(control, log=log)
    # Earlier versions kept other records of some games.
    work = name + make.name_records(game)
    if is_best:
        legal = f"; eligible={spec.eligible}" if spec.eligible != "all" else ""
        work += legal + (f"; first={join_names(spec.first)}" if spec.first else "")
    else:
        work += f"; {spec.rule}"
    try:
        with ExitStack() as stack:
            folder = open_folder(game, work, spec, control)
            control = replace(control, checkpoint=stack.enter_context(folder))
            if control.checkpoint and not is_best and make.keeps_tasks:
                workers = stack.enter_context(control.open_workers(control.jobs))
                control = replace(control, workers=workers)
            search = Driver(game, candidates, spec, control, is_best=is_best)
            tree = search.run()
    except BaseException as error:
        log.end(repr(error))
        raise
    bound = tree.provenance.bound
    if is_best:
        log.settings["first_guess"] = int(tree.guess[0])
    if bound == tree.total if is_best else spec.is_proved(tree):
        outcome = "proved"
    elif search.is_ended or not is_best:
        outcome = "stopped"
    else:
        outcome = "widest beam done" if spec.gap is None else "gap proved"
    log.end(outcome, bound, tree.total)
    return tree


def solve(game: Game, candidates: Int32s, spec: SearchSpec) -> Tree:
    """Return the best tree of some candidates that are possible after the history, ascending."""
    return Driver(game, candidates, spec, SearchControl()).run()
