"""The search by a rule of play, behind the same interface as the search of all codes."""

from __future__ import annotations

from concurrent.futures import wait
from contextlib import ExitStack
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import SearchStoppedError
from ...games import Game
from ...tasks import DaemonExecutor
from ...tree import History
from ..engine.cost import INFEASIBLE
from ..engine.stack import count_nothing
from ..parallel import PartRecords, SearchByOpening, open_threads
from ..plan import Found, check_cost
from ..request import Progress
from .board import Aim, Board, Search, Table
from .openings import LegalOpenings
from .parts import LegalDesk, count_work, describe_problem, make_desk, run_legal_part
from .ranking import Ranking
from .search import rank_openings, search_root
from .table import make_table

if TYPE_CHECKING:
    from ..request import SearchControl


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
        How it is carried out; the watch, log, jobs, workers, checkpoint and budget count.
    beam, n_full
        As `Solver`: a beam is searched by one thread.

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
        self.eligible, self.history = eligible, history
        self.first, self.beam, self.n_full = np.array(first, dtype=np.int32), beam, n_full
        self.watch, self.budget = control.watch or (lambda _: False), control.budget
        self.control = control
        self.stage = "total"
        self.unit: int | None = None
        self.bound = 0
        self.counts = {} if control.log is None else control.log.counts
        self.counts.update(count_nothing())
        self.incumbent: Found | None = None
        self.desk = make_desk(game, candidates, eligible, history)
        self._kept: tuple[Aim, Table] | None = None

    @property
    def board(self) -> Board:
        """What the search knows of the game."""
        return self.desk.board

    def share(self) -> LegalSolver:
        """Return a solver of the same game for one more thread; its table is its own."""
        other = copy(self)
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
        shared = self.desk
        desk = LegalDesk(shared.board, self._give_table(aim), shared.legal, shared.most)
        if self.beam == 0 and self._has_help:
            return self._search_together(desk, aim, left, best)
        return self._search_alone(desk, aim, left, best)

    @property
    def _has_help(self) -> bool:
        """Whether openings are searched one by one: by several, or to be kept in a folder."""
        control = self.control
        return control.jobs > 1 or control.workers is not None or control.checkpoint is not None

    def _search_alone(self, desk: LegalDesk, aim: Aim, left: int, best: int) -> Found | None:
        """Search with one thread, which the calling one can end."""
        search, plan = desk.make_search(aim), np.zeros(self.n - 1, dtype=np.int32)
        progress, members = np.array([0, best], dtype=np.int64), self._list_members()

        def look() -> None:
            bound, cost = progress.tolist()
            n_states = int(search.board.control.n_states)
            self._look(bound, cost if cost < best else None, aim.scale, n_states)

        def take() -> Found | None:
            cost = int(progress[1])
            return self._take(Found(cost, plan), aim, left) if cost < best else None

        pool = DaemonExecutor(1)
        arguments = (search, members, desk.legal, self.first, desk.most, left, best, plan, progress)
        future = pool.submit(search_root, *arguments)
        try:
            while not wait([future], self.budget.look_s).done:
                look()
        except BaseException:
            desk.stop()
            pool.abandon()
            if future.done():
                take()
            raise
        finally:
            self._count(count_work(search.board))
        pool.shutdown()
        future.result()
        look()
        return take()

    def _search_together(self, desk: LegalDesk, aim: Aim, left: int, best: int) -> Found | None:
        """Let several search openings and their cells; keep what is done in the folder."""
        search = desk.make_search(aim)
        ranking = self._rank(search, left, best)
        problem = describe_problem(
            self.game, self.candidates, self.eligible, self.history, left, aim, ranking.least
        )
        control = self.control
        records = None
        if control.checkpoint is not None:
            name = f"{left}-{aim.scale}-{aim.last}"
            records = PartRecords(control.checkpoint, name, self.budget.record_s)
        with ExitStack() as stack:
            workers = control.workers or stack.enter_context(open_threads(control.jobs))
            run = desk.run if control.workers is None else run_legal_part
            openings = LegalOpenings(desk, search, problem, ranking, run)
            shared = SearchByOpening(openings, best, workers, records)
            return self._run(shared, openings, search)

    def _run(
        self, shared: SearchByOpening, openings: LegalOpenings, search: Search
    ) -> Found | None:
        """Search by openings; return the best tree, which is kept even if the search is ended."""

        def look() -> None:
            cost = None if shared.best is None else shared.cost
            self._look(shared.bound(), cost, search.aim.scale, shared.counts.get("states", 0))

        def take() -> Found | None:
            if shared.best is None:
                return None
            found = Found(shared.cost, openings.join(shared.best))
            return self._take(found, search.aim, openings.problem.left)

        try:
            shared.run(look)
        except BaseException:
            take()
            raise
        finally:
            self._count(shared.counts)
            self._count(count_work(search.board))
        look()
        return take()

    def _rank(self, search: Search, left: int, best: int) -> Ranking:
        """Return the openings in the order of preference."""
        given = self.first if len(self.first) else self.desk.legal
        members, most = self._list_members(), self.desk.most
        ranking = rank_openings(search, members, given, most, left, best)
        if not len(self.first):
            return ranking
        place_of = {int(code): place for place, code in enumerate(ranking.guesses)}
        order = [place_of[code] for code in self.first.tolist() if code in place_of]
        guesses, bounds = ranking.guesses[order], ranking.bounds[order]
        return Ranking(guesses, bounds, ranking.least, ranking.proved)

    def _list_members(self) -> NDArray[np.int32]:
        return np.arange(self.n, dtype=np.int32)

    def _take(self, found: Found, aim: Aim, left: int) -> Found:
        """Check what the tree costs that a search has found, keep and return it."""
        check_cost(self.game, self.candidates, found, left, aim.scale, aim.last)
        self.incumbent = found
        return found

    def _count(self, done: dict[str, int]) -> None:
        for name, number in done.items():
            self.counts[name] += number

    def _look(self, bound: int, best: int | None, scale: int, n_states: int) -> None:
        """Report the progress to the watch; raise SearchStoppedError if it ends the search."""
        unit = self.unit or scale
        bound = max(self.bound, bound // unit if bound < INFEASIBLE else 0)
        found = None if best is None else best // unit
        if self.stage == "total":
            self.bound = bound
        if self.watch(Progress(self.stage, bound, found, self.counts["states"] + n_states)):
            what = "number of longest games" if self.unit else "total"
            raise SearchStoppedError(
                f"{self.game.name}: the search was ended before the proof was complete; proved so"
                f" far: no {what} below {bound}" + ("" if found is None else f"; found: {found}")
            )
