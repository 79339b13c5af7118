"""The objectives of the weighted search: searches in sequence, each bounded by the last proof."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ...errors import TreeError
from ...tree import Tree
from .openings import Help, Outcome
from .problem import UNLIMITED, Choose, WeightedProblem
from .solver import INFINITE, TOTAL, LongestSolver, Price, Scope, WeightedSolver

Expand = Callable[[Choose, int], Tree]
"""Returns the tree of the guesses that a function chooses, with what may be spent in all."""


@dataclass(slots=True, eq=False)
class ObjectiveStage:
    """What the searches of an objective have come to; another thread may read it at any time.

    Attributes
    ----------
    name
        What is searched for.
    bound
        What is proved of the total.
    solver
        The search that runs.
    tree
        The best tree of the searches that are done.
    """

    name: str = "total"
    bound: int = 0
    solver: WeightedSolver | None = None
    tree: Tree | None = None

    def read_bound(self) -> int:
        """Return what is proved of the total by now."""
        if self.solver is None or self.name != "total":
            return self.bound
        return max(self.bound, self.solver.bound)


class _HelpWantedError(Exception):
    """One thread has searched long enough alone."""


class ObjectiveSearch:
    """Finds the best tree by an objective.

    Parameters
    ----------
    problem
        The game.
    left
        What may be spent in all; `UNLIMITED` for any sum.
    scope
        Which guesses are allowed.
    check
        Called at every state; it may raise to end the search.
    expand
        Makes trees.

    Attributes
    ----------
    stage
        What it has come to.
    upper
        A cost that the least total is below, if one is known.
    help
        Who else may search; None: nobody.
    """

    def __init__(
        self,
        problem: WeightedProblem,
        left: int,
        scope: Scope,
        check: Callable[[], object],
        expand: Expand,
        help_: Help | None = None,
    ) -> None:
        self.problem, self.left, self.scope = problem, left, scope
        self.check, self.expand = check, expand
        self.stage, self.upper, self.help = ObjectiveStage(), INFINITE, help_

    def run(self, objective: str) -> Tree | None:
        """Return the best tree by an objective; None if every tree costs more than is left."""
        if objective.startswith("worst"):
            if not self.lower_cap():
                return None
            if objective == "worst,n_worst,total":
                # A secret found at the last moment counts more than all guesses of all games.
                unit = int(self.problem.weights.sum()) * self.left + 1
                return self.search("n_worst", Price(1, unit))
            return self.search("total")
        tree = self.search("total", upper=self.upper)
        if tree is None or objective == "total":
            return tree
        self.stage.bound = tree.total
        return self.refine(tree)

    def search(self, name: str, price: Price = TOTAL, upper: int = INFINITE) -> Tree | None:
        """Return the best tree by a price below an upper bound; None if there is none."""
        solver = WeightedSolver(self.problem, price, self.check, self.scope)
        self.stage.name, self.stage.solver = name, solver
        value, choose = self.solve(solver, self.left, upper)
        if value is None or choose is None:
            return None
        self.stage.tree = tree = self.expand(choose, self.left)
        self.compare(tree, price, value)
        if name == "total":
            self.stage.bound = value
        return tree

    def solve(self, solver: WeightedSolver, left: int, upper: int = INFINITE) -> Outcome:
        """Search all items: alone, until there is work for more."""
        helpers, is_longest = self.help, isinstance(solver, LongestSolver)
        if helpers is None or not helpers.is_useful or self.problem.n == 1:
            return Outcome(solver.solve(solver.root, left, upper), solver.choose)
        if not helpers.is_needed:
            end_s = time.monotonic() + helpers.control.budget.alone_s
            solver.check = partial(self._check_alone, end_s)
            try:
                return Outcome(solver.solve(solver.root, left, upper), solver.choose)
            except _HelpWantedError:
                pass
            finally:
                solver.check = self.check

        def look(bound: int) -> None:
            if self.stage.name == "total":
                self.stage.bound = max(self.stage.bound, bound)
            self.check()

        def keep(choose: Choose) -> None:
            if not is_longest:
                self.stage.tree = self.expand(choose, left)

        return helpers.solve(solver, is_longest, left, upper, look, keep)

    def _check_alone(self, end_s: float) -> None:
        self.check()
        if time.monotonic() > end_s:
            raise _HelpWantedError

    def compare(self, tree: Tree, price: Price, cost: int) -> None:
        """Raise if a search claims another cost than its tree has: that is a fault of the search.

        Raises
        ------
        TreeError
            The claim is wrong.
        """
        n_last = 0
        if tree.worst == self.left:  # 0: the only candidate is announced, and has no histogram
            n_last = tree.histogram[-1] if self.left else int(self.problem.weights.sum())
        own = price.total * tree.total + price.last * n_last
        if own != cost or tree.worst > self.left != UNLIMITED:
            raise TreeError(
                f"{tree.game.name}: internal error: the search claims a cost of {cost}, but its"
                f" tree costs {own}, its worst path {tree.worst}; please report the command"
            )

    def lower_cap(self) -> bool:
        """Lower what may be spent to the least worst case; return whether it is allowed."""
        solver = LongestSolver(self.problem, check=self.check, scope=self.scope)
        self.stage.name, self.stage.solver = "worst", solver
        worst = self.solve(solver, UNLIMITED).cost
        if worst is None or (self.left != UNLIMITED and worst > self.left):
            return False
        self.left = worst
        return True

    def refine(self, tree: Tree) -> Tree:
        """Return the tree of the same total with the least worst case, then the fewest there."""
        total = tree.total
        while tree.worst > 0:
            self.left = tree.worst - 1
            shorter = self.search("worst", upper=total + 1)
            if shorter is None:
                break
            tree = shorter
        self.left = tree.worst
        # More than the weights that may need the last guess: the total goes first.
        scale = int(self.problem.weights.sum()) + 1
        n_worst = tree.histogram[-1] if tree.histogram else 0
        fewest = self.search("n_worst", Price(scale, 1), total * scale + n_worst)
        return tree if fewest is None else fewest
