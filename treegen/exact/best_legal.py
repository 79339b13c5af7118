"""Near-optimal trees by a rule of play: a greedy tree, beams of growing width, then the proof."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._cleanup import announce_saving
from ..errors import SearchStoppedError
from ..games import Game
from ..strategies import join_names, name_search
from ..tree import Provenance, Tree
from .engine.cost import UNLIMITED
from .first_guesses import list_first
from .greedy import generate_greedy_trees, make_first_tree
from .monitor import Monitor
from .openings import bound_by_size
from .plan import TreeColumns, expand_plan
from .request import SearchControl, SearchSpec
from .rule_of_play import AnySolver, choose_solver
from .search_log import Progress, SearchLog

DEFAULT_BEAM = 8
"""Default width of the beam, without a time limit."""

N_FULL = 8
"""States of so many candidates try all guesses."""

PROVED = 0
"""As a width: all guesses, so that the result is proved."""


def search_best_legal(
    game: Game,
    candidates: NDArray[np.int32],
    spec: SearchSpec,
    control: SearchControl,
    log: SearchLog,
) -> Tree:
    """Return the best tree that a time limit or a width of beam allows.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible after the history, at least three, ascending.
    spec
        What to search: eligible guesses, history, first guesses, beam.
    control
        How it is carried out. A watch ends the search; there is a complete tree from the beginning.
    log
        The log, in which the search was started.

    Returns
    -------
    Tree
        Its provenance carries the proved lower bound of the total: the total itself where the
        search came to its end.
    """
    monitor = Monitor(log.listen(control.watch), bound=bound_by_size(game, len(candidates)))
    search = _Search(game, candidates, spec, control, monitor)
    outcome = "widest beam done"
    try:
        monitor.run(lambda: search.run(list_widths(spec.beam, ends=control.watch is not None)))
    except SearchStoppedError:
        outcome = "stopped"
    except KeyboardInterrupt:
        outcome = "stopped"
        announce_saving("the best tree so far")
    tree = search.make_tree()
    log.end("proved" if tree.provenance.bound == tree.total else outcome, search.bound, tree.total)
    return tree


def list_widths(beam: int | None, *, ends: bool) -> list[int]:
    """Return the widths to search, up to the given one; `ends`: whether a watch ends the search.

    Examples
    --------
    >>> list_widths(5, ends=True), list_widths(None, ends=False), list_widths(None, ends=True)
    ([1, 2, 4, 5], [1, 2, 4, 8], [1, 2, 4, 8, 0])
    """
    widest = beam or DEFAULT_BEAM
    widths = [1 << i for i in range(widest.bit_length()) if 1 << i < widest] + [widest]
    return [*widths, PROVED] if beam is None and ends else widths


class _Search:
    """A near-optimal search: another thread may take its best tree at any time."""

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        spec: SearchSpec,
        control: SearchControl,
        monitor: Monitor,
    ) -> None:
        self.game, self.candidates, self.spec = game, candidates, spec
        self.control, self.monitor = control, monitor
        self.first = list_first(game, candidates, spec)
        self.bound = bound_by_size(game, len(candidates))
        first = make_first_tree(game, candidates, spec.history, self.first)
        self.columns, self.rule = TreeColumns.of(first), first.provenance.rule
        self.solver: AnySolver | None = None
        self.width = PROVED

    def run(self, widths: list[int]) -> None:
        """Search to the end; SearchStoppedError where the monitor ends it."""
        spec = self.spec
        for tree in generate_greedy_trees(
            self.game,
            spec.history,
            first=self.first,
            eligible=spec.eligible,
            jobs=self.control.jobs,
            halt=self.monitor.halt,
        ):
            if tree.total < self.columns.total:
                self.columns, self.rule = TreeColumns.of(tree), self.name_rule(tree)
            self.monitor.check("rules", self.bound, self.columns.total)
        control = replace(self.control, watch=self.watch)
        self.solver = solver = choose_solver(
            self.game, self.candidates, spec, self.first, control=control, n_full=N_FULL
        )
        for self.width in widths:
            solver.beam = self.width
            solver.stage = f"beam {self.width}" if self.width else "total"
            # Below the total: an equal tree is no better than the one that is there.
            solver.find_best(UNLIMITED, self.columns.total)
            self.take()
            if self.width == PROVED:
                self.bound = self.columns.total
            self.monitor.check(solver.stage, self.bound, self.columns.total)

    def name_rule(self, tree: Tree) -> str:
        """Return how a greedy tree came about, and the rule of play that it keeps to."""
        rule = tree.provenance.rule
        if rule.startswith(f"eligible={self.spec.eligible};"):
            return rule
        return f"eligible={self.spec.eligible}; most parts among the candidates"

    def watch(self, progress: Progress) -> bool:
        """Report the progress of a search; return whether it must end."""
        self.bound = max(self.bound, progress.bound if self.width == PROVED else 0)
        total = self.columns.total
        best = total if progress.best is None else min(total, progress.best)
        return self.monitor(replace(progress, bound=self.bound, best=best))

    def take(self) -> None:
        """Keep the tree that the solver has found if it is the best."""
        found = None if self.solver is None else self.solver.incumbent
        if found is None or found.cost >= self.columns.total:
            return
        self.columns = expand_plan(self.game, self.candidates, found.plan)
        given = f"; first={join_names(self.spec.first)}" if self.first else ""
        width = f"beam={self.width}" if self.width else "search of all guesses"
        self.rule = f"eligible={self.spec.eligible}{given}; {width}"

    def make_tree(self) -> Tree:
        """Return the best tree."""
        self.take()
        name = name_search("best", self.spec.first, self.spec.eligible)
        provenance = Provenance(name, self.rule, self.spec.history, "total", self.bound)
        return Tree(self.game, provenance, *self.columns)
