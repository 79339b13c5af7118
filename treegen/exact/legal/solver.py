"""The search by a rule of play, behind the same interface as the search of all codes."""

from __future__ import annotations

from concurrent.futures import wait
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..._rule_kinds import EligibleKind
from ...errors import SearchStoppedError
from ...games import Game, select_eligible
from ...tasks import DaemonExecutor
from ...tree import History
from ..core import INFEASIBLE, count_nothing
from ..plan import Found
from ..search_log import Progress
from .board import Aim, Search, Table, make_board, make_control
from .bounds import count_all_cells
from .search import search_root
from .table import make_table

if TYPE_CHECKING:
    from ..request import SearchControl

KINDS = {"hints": EligibleKind.HINTS, "consistent": EligibleKind.CONSISTENT}


class LegalSolver:
    """Exact search of one game's candidates where a rule of play says what may be guessed.

    Parameters
    ----------
    game
        The game.
    candidates
        Codes that are possible at the root, at least three, ascending.
    eligible
        ``hints`` or ``consistent``.
    history
        Guesses made before the root, and the responses to them.
    first
        The legal guesses that may be made at the root, the preferred one first; empty: any.
    control
        How it is carried out; the watch, log and budget count. One thread searches.
    beam, n_full
        As `Solver`.

    Attributes
    ----------
    incumbent
        The result of the last search that found a tree.
    """

    def __init__(
        self,
        game: Game,
        candidates: NDArray[np.int32],
        *,
        eligible: str,
        history: History = (),
        first: tuple[int, ...] = (),
        control: SearchControl,
        beam: int = 0,
        n_full: int = 0,
    ) -> None:
        self.game, self.candidates, self.n = game, candidates, len(candidates)
        self.first, self.beam, self.n_full = np.array(first, dtype=np.int32), beam, n_full
        self.watch, self.budget = control.watch or (lambda _: False), control.budget
        self.stage = "total"
        self.unit: int | None = None
        self.bound = 0
        self.counts = {} if control.log is None else control.log.counts
        self.counts.update(count_nothing())
        self.incumbent: Found | None = None
        self.board = make_board(game, candidates, KINDS[eligible])
        self.legal, self.most = self._sort(select_eligible(game, eligible, history))
        self._kept: tuple[Aim, Table] | None = None

    def _sort(self, legal: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
        """Return codes by their number of cells, most first, so that surveys end early; the most.

        A candidate that wins has its winning cell, so there is a code.
        """
        counts = np.zeros(self.game.n_codes, dtype=np.int64)
        count_all_cells(self.board, np.arange(self.n, dtype=np.int32), counts)
        ordered = legal[np.argsort(-counts[legal], kind="stable")]
        return ordered, int(counts[ordered[0]])

    def share(self) -> LegalSolver:
        """Return a solver of the same game for one more thread; its table is its own."""
        other = copy(self)
        other.board = self.board._replace(control=make_control())
        other.counts, other._kept = count_nothing(), None
        return other

    def _give_table(self, aim: Aim) -> Table:
        """Return the table: what was proved holds for all searches of one aim."""
        if self._kept is None or self._kept[0] != aim:
            self._kept = aim, make_table(self.n)
        return self._kept[1]

    def find_best(self, left: int, best: int, scale: int = 1, last: int = 0) -> Found | None:
        """Search for the tree of least cost below `best`; see `Solver.find_best`.

        Raises
        ------
        SearchStoppedError
            The watch ended it; `incumbent` is the best so far, if there is one.
        """
        if left == 1:
            return None
        aim = Aim(scale, last, self.beam, self.n_full)
        search = Search(self.board, aim, self._give_table(aim))
        plan = np.zeros(self.n - 1, dtype=np.int32)
        progress = np.array([0, best], dtype=np.int64)
        self.board.control.stop = 0
        members = np.arange(self.n, dtype=np.int32)
        arguments = (search, members, self.legal, self.first, self.most, left, best, plan, progress)
        pool = DaemonExecutor(1)
        future = pool.submit(search_root, *arguments)
        try:
            while not wait([future], self.budget.look_s).done:
                self._look(progress, best, scale)
        except BaseException:
            self.board.control.stop = 1
            pool.abandon()
            if future.done():
                self._take(progress, best, plan)
            raise
        finally:
            self._count()
        pool.shutdown()
        future.result()
        self._look(progress, best, scale)
        return self._take(progress, best, plan)

    def _take(
        self, progress: NDArray[np.int64], best: int, plan: NDArray[np.int32]
    ) -> Found | None:
        """Keep the tree that a search has found, and return it."""
        cost = int(progress[1])
        if cost >= best:
            return None
        self.incumbent = Found(cost, plan)
        return self.incumbent

    def _count(self) -> None:
        control = self.board.control
        self.counts["states"] = int(control.n_states)
        self.counts["guesses"] = int(control.n_tried)
        self.counts["lookaheads"] = int(control.n_surveys)
        self.counts["table_hits"] = int(control.n_known)

    def _look(self, progress: NDArray[np.int64], beta: int, scale: int) -> None:
        """Report the progress to the watch; raise SearchStoppedError if it ends the search."""
        unit = self.unit or scale
        bound, best = (int(value) for value in progress)
        bound = max(self.bound, bound // unit if bound < INFEASIBLE else 0)
        found = best // unit if best < beta else None
        if self.stage == "total":
            self.bound = bound
        n_states = int(self.board.control.n_states)
        if self.watch(Progress(self.stage, bound, found, n_states)):
            what = "number of longest games" if self.unit else "total"
            raise SearchStoppedError(
                f"{self.game.name}: the search was ended before the proof was complete; proved so"
                f" far: no {what} below {bound}" + ("" if found is None else f"; found: {found}")
            )
