"""Parts of a search by a rule of play, for threads of this process or for other processes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._rule_kinds import EligibleKind
from ...games import Game, from_description, select_eligible
from ...tasks import keep_in_process
from ...tree import History
from ..parallel import PartResult
from .board import Aim, Board, Search, Table, make_board, make_control
from .bounds import count_all_cells
from .search import try_guess
from .table import make_table

KINDS = {"hints": EligibleKind.HINTS, "consistent": EligibleKind.CONSISTENT}


@dataclass(frozen=True, slots=True)
class LegalProblem:
    """A search as plain values; what is derived from them is made once in each process and kept.

    Attributes
    ----------
    description
        The game's description as JSON.
    candidates
        Codes that are possible at the root, as 32-bit integers.
    eligible
        ``hints`` or ``consistent``.
    history
        Guesses made before the root, and the responses to them.
    left, aim
        Guesses allowed at the root; what is minimised.
    least
        The least cost of each number of candidates below the root, as 64-bit integers.
    """

    description: str
    candidates: bytes
    eligible: str
    history: History
    left: int
    aim: Aim
    least: bytes


class LegalDesk:
    """What the threads of one process need for one search, with one table for all.

    Attributes
    ----------
    board, table, legal, most
        The game, what was proved, the legal guesses at the root, those first that have many cells,
        and the most cells of one.
    is_stopped
        Whether the search is over, so that nobody begins anything.
    """

    def __init__(self, board: Board, table: Table, legal: NDArray[np.int32], most: int) -> None:
        self.board, self.table, self.legal, self.most = board, table, legal, most
        self.is_stopped = False
        self._controls: dict[int, Any] = {}

    def make_search(self, aim: Aim) -> Search:
        """Return a search for one thread."""
        control = make_control()
        self._controls[id(control)] = control
        control.stop = self.is_stopped
        return Search(self.board._replace(control=control), aim, self.table)

    def stop(self) -> None:
        """End what the threads do."""
        self.is_stopped = True
        for control in list(self._controls.values()):
            control.stop = 1

    def run(self, guess: int, response: int, problem: LegalProblem, upper_bound: int) -> PartResult:
        """Search an opening, or the cell of a response to it, below an upper bound.

        Parameters
        ----------
        guess, response
            The opening; -1 as the response stands for all of it.
        problem
            The search.
        """
        search = self.make_search(problem.aim)
        row, least = self.board.by_guess[guess], np.frombuffer(problem.least, "<i8").copy()
        is_cell = response >= 0
        members = np.flatnonzero((row == response) | (not is_cell)).astype(np.int32)
        # The guess is no part of its cell: neither what it costs nor its slot of the plan.
        own = is_cell * len(members) * problem.aim.scale
        plan = np.zeros(len(members) - (not is_cell), dtype=np.int32)
        # The type with which the kernel calls itself: of another one, numba's cache would lack it.
        code: Any = np.int32(guess)
        state = search, members, self.legal, code
        cost = try_guess(*state, least, problem.left, upper_bound + own, plan) - own
        del self._controls[id(search.board.control)]
        counts = count_work(search.board)
        if cost >= upper_bound:
            return PartResult(None, b"", counts)
        return PartResult(int(cost), plan[int(is_cell) :].tobytes(), counts)


def make_desk(
    game: Game, candidates: NDArray[np.int32], eligible: str, history: History
) -> LegalDesk:
    """Return what a search by a rule of play needs in one process."""
    board = make_board(game, candidates, KINDS[eligible])
    legal = select_eligible(game, eligible, history)
    counts = np.zeros(game.n_codes, dtype=np.int64)
    count_all_cells(board, np.arange(len(candidates), dtype=np.int32), counts)
    # With the most cells first, surveys end early. A candidate has its winning cell at least.
    legal = legal[np.argsort(-counts[legal], kind="stable")]
    return LegalDesk(board, make_table(len(candidates)), legal, int(counts[legal[0]]))


def describe_problem(
    game: Game,
    candidates: NDArray[np.int32],
    eligible: str,
    history: History,
    left: int,
    aim: Aim,
    least: NDArray[np.int64],
) -> LegalProblem:
    """Return a search in the form that tasks carry."""
    return LegalProblem(
        json.dumps(game.description),
        candidates.astype("<i4").tobytes(),
        eligible,
        history,
        left,
        aim,
        least.astype("<i8").tobytes(),
    )


def run_legal_part(
    guess: int, response: int, problem: LegalProblem, upper_bound: int
) -> PartResult:
    """Search a part in this process, with what it keeps of the problem; see `LegalDesk.run`."""
    return _find_desk(problem).run(guess, response, problem, upper_bound)


@keep_in_process(1)
def _find_desk(problem: LegalProblem) -> LegalDesk:
    candidates = np.frombuffer(problem.candidates, "<i4").astype(np.int32)
    game = from_description(json.loads(problem.description))
    return make_desk(game, candidates, problem.eligible, problem.history)


def count_work(board: Board) -> dict[str, int]:
    """Return what was done with a board."""
    control = board.control
    return {
        "states": int(control.n_states),
        "guesses": int(control.n_tried),
        "lookaheads": int(control.n_surveys),
        "table_hits": int(control.n_known),
    }
