"""The openings of a search by a rule of play, and their cells, as parts for several workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..engine.cost import INFEASIBLE
from ..parallel import Opening, OpeningPart, PartResult
from .board import Search
from .parts import LegalDesk, LegalProblem
from .ranking import Ranking
from .search import open_cells

WHOLE = -1
"""As the response of a part: all of the opening."""


class LegalOpenings:
    """The first guesses of a search by a rule of play; see `OpeningList`.

    Parameters
    ----------
    desk, search
        What this process knows; for work done here.
    problem
        The search.
    ranking
        Its first guesses, in the order of preference.
    run
        Searches a part: here, or in another process.
    """

    def __init__(
        self,
        desk: LegalDesk,
        search: Search,
        problem: LegalProblem,
        ranking: Ranking,
        run: Callable[..., PartResult],
    ) -> None:
        self.desk, self.search, self.problem, self.ranking = desk, search, problem, ranking
        self.run, self.stop = run, desk.stop
        self.bounds: Sequence[int] = ranking.bounds.tolist()
        self._plans: dict[int, NDArray[np.int32]] = {}

    def keep_whole(self, at: int) -> Opening:
        """Return an opening that is its only part."""
        guess, bound = int(self.ranking.guesses[at]), self.bounds[at]
        return Opening(at, 0, [OpeningPart(f"{guess}", bound, (guess, WHOLE, self.problem))])

    def split(self, at: int) -> Opening:
        """Return an opening with those cells as parts that need a search."""
        guess, n = int(self.ranking.guesses[at]), len(self.desk.board.code_of)
        plan = self._plans[at] = np.zeros(n - 1, dtype=np.int32)
        members, left = np.arange(n, dtype=np.int32), self.problem.left
        state = self.search, members, self.desk.legal, guess
        cells = open_cells(*state, self.ranking.least, left, plan)
        parts = []
        for cell in np.flatnonzero(~cells.is_exact).tolist():
            bound, response = int(cells.bounds[cell]), int(cells.responses[cell])
            parts.append(OpeningPart(f"{guess} {response}", bound, (guess, response, self.problem)))
        # The sizes say what all other cells cost, and the bounds that of those without a search.
        raised = int((cells.bounds - self.ranking.least[cells.size]).sum())
        rest = min(INFEASIBLE, cells.least + raised) - sum(part.lower for part in parts)
        return Opening(at, rest, parts)

    def join(self, opening: Opening) -> NDArray[np.int32]:
        """Return the plan of a solved opening."""
        plans = [np.frombuffer(part.plan or b"", dtype=np.int32) for part in opening.parts]
        if opening.at not in self._plans:
            return plans[0].copy()
        plan = self._plans[opening.at].copy()
        row = self.desk.board.by_guess[self.ranking.guesses[opening.at]]
        sizes = np.bincount(row, minlength=self.desk.board.n_responses)
        slots = 1 + np.concatenate(([0], np.cumsum(np.maximum(sizes - 1, 0))))
        for part, own in zip(opening.parts, plans, strict=True):
            slot = int(slots[part.task[1]])
            plan[slot : slot + len(own)] = own
        return plan
