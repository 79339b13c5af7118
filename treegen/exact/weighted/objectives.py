"""The objectives of the weighted search: searches in sequence, each bounded by the last proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...tree import Tree
from .longest import LongestSolver, find_least_longest
from .plan import Choose
from .problem import Problem
from .solver import INFINITE, TOTAL, UNLIMITED, Price, Scope, Solver

Expand = Callable[[Choose, int], Tree]
"""Returns the tree of the guesses that a function chooses, with what may be spent in all."""


@dataclass(slots=True, eq=False)
class Stage:
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
    solver: Solver | None = None
    tree: Tree | None = None

    def read_bound(self) -> int:
        """Return what is proved of the total by now."""
        if self.solver is None or self.name != "total":
            return self.bound
        return max(self.bound, self.solver.bound)


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
    """

    def __init__(
        self,
        problem: Problem,
        left: int,
        scope: Scope,
        check: Callable[[], object],
        expand: Expand,
    ) -> None:
        self.problem, self.left, self.scope = problem, left, scope
        self.check, self.expand = check, expand
        self.stage, self.upper = Stage(), INFINITE

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
        solver = Solver(self.problem, price, self.check, self.scope)
        self.stage.name, self.stage.solver = name, solver
        value = solver.solve(solver.root, self.left, upper)
        if value is None:
            return None
        self.stage.tree = self.expand(solver.choose, self.left)
        if name == "total":
            self.stage.bound = value
        return self.stage.tree

    def lower_cap(self) -> bool:
        """Lower what may be spent to the least worst case; return whether it is allowed."""
        solver = LongestSolver(self.problem, check=self.check, scope=self.scope)
        self.stage.name, self.stage.solver = "worst", solver
        worst = find_least_longest(solver)
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
