"""The least cost of the longest path: what a search for the least worst case proves first."""

from __future__ import annotations

from .solver import Solver, State


class LongestSolver(Solver):
    """Finds the least worst case of the states of a problem; `Solver.price` plays no part."""

    def rank(self, state: State) -> list[tuple[int, int]]:
        """Return (least longest path, guess) of the guesses of a state, the least first."""
        ranked = [(int(state.bounds.worsts[guess]), guess) for _, guess in super().rank(state)]
        return sorted(ranked, key=lambda pair: pair[0])

    def try_guess(self, state: State, guess: int, upper: int) -> int | None:
        """Return the least longest path of a state after a guess if it is below an upper bound."""
        cost = int(self.problem.costs[guess])
        cells, worst = self.divide(state, guess), cost
        # The largest cell first: it decides most often.
        for items in sorted(self.list_items(cells), key=len, reverse=True):
            value = self.solve(items, upper=upper - cost)
            if value is None:
                return None
            worst = max(worst, cost + value)
        return worst if worst < upper else None

    def finish(self, item: int, left: int) -> int:
        """Return what a single item costs."""
        return int(self.problem.ends[item])
