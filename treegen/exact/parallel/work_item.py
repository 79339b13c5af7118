"""Pieces of a search that any process can do: some guesses of one state, for a while."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...games import Game, from_description
from ..core.cost_model import UNLIMITED, Terms, make_terms
from ..core.engine import make_engine
from ..core.response_matrix import make_board
from ..core.stack import N_GUESSES, NEXT
from ..core.symmetry import make_group
from ..core.transposition_table import make_memory
from .nodes import Guesses
from .worker import Desk

_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Problem:
    """A search as plain values: what is made of them is made once in each process and kept.

    Attributes
    ----------
    description
        The game's description as JSON.
    past
        Guesses made before the root.
    candidates
        The root's candidates as 32-bit integers; None: all secrets.
    left, scale, last, candidates_only
        See `Terms`.
    """

    description: str
    past: tuple[int, ...] = ()
    candidates: bytes | None = None
    left: int = UNLIMITED
    scale: int = 1
    last: int = 0
    candidates_only: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Errand:
    """What is to be searched.

    Attributes
    ----------
    members : int32[n]
        Candidates of the state, by their places among the root's.
    path
        Guesses made since the root.
    window
        The cost to get below.
    guesses
        The guesses to try, in order; None: list them first.
    first
        So many of the guesses that are to be listed were tried before.
    is_search
        Whether the guesses are tried, or only listed.
    """

    members: NDArray[np.int32]
    path: tuple[int, ...]
    window: int
    guesses: Guesses | None = None
    first: int = 0
    is_search: bool = True


@dataclass(frozen=True, slots=True)
class Span:
    """How long an errand may take: no guess is begun after `last_guess_s`, all ends at `end_s`."""

    last_guess_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What came of an errand.

    Attributes
    ----------
    next
        The place of the first guess that is still to be tried.
    is_hard
        Whether that one was begun, and took too long.
    found
        The best cost below the window, the place of its guess, and the plan; None: none.
    listed
        The guesses, if they had to be listed.
    seconds, counts
        What it took; what was done, as `COUNTERS` names it.
    """

    next: int
    is_hard: bool
    found: tuple[int, int, NDArray[np.int32]] | None
    listed: Guesses | None
    seconds: float
    counts: dict[str, int]


def make_problem(
    game: Game, candidates: NDArray[np.int32], past: tuple[int, ...], left: int, terms: Terms
) -> Problem:
    """Return a search as a task carries it."""
    are_all = len(candidates) == game.n_secrets
    some = None if are_all else candidates.astype("<i4").tobytes()
    description, only = json.dumps(game.description), terms.candidates_only
    return Problem(description, past, some, left, terms.scale, terms.last, only)


def run_errand(problem: Problem, errand: Errand, span: Span) -> Outcome:
    """Do an errand at a desk of this process.

    What is found of a guess does not depend on the span; how many guesses are tried does.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> game = parse_game("p3c4r")
    >>> everything = np.arange(game.n_secrets, dtype=np.int32)
    >>> problem = make_problem(game, everything, (), 0, make_terms(64, 14))
    >>> outcome = run_errand(problem, Errand(everything, (), 1000), Span(60, 60))
    >>> cost, place, _ = outcome.found
    >>> cost, game.format_code(outcome.listed.codes[place])
    (206, '112')
    """
    with _prepare(problem).lend_desk() as desk:
        return do_errand(desk, errand, span)


def do_errand(desk: Desk, errand: Errand, span: Span) -> Outcome:
    """Do an errand at a desk."""
    start_s, before = time.perf_counter(), desk.count()
    depth = desk.load(errand.members, errand.path)
    listed = None if errand.guesses else desk.list_guesses(depth, errand.window)
    guesses = errand.guesses or listed
    assert guesses is not None
    first = min(errand.first, len(guesses.codes))
    end = len(guesses.codes) if errand.is_search else first
    desk.push(depth, guesses, first, end, errand.window)
    is_over, is_late = first == end, False
    while not (is_over or is_late):
        is_over = desk.run()
        elapsed_s = time.perf_counter() - start_s
        is_late = elapsed_s > span.end_s
        if elapsed_s > span.last_guess_s:
            desk.drop_guesses(depth)
    frame = desk.engine.stack.frames[depth]
    is_hard = not is_over and desk.is_trying(depth)
    return Outcome(
        int(frame[N_GUESSES] if is_over else frame[NEXT] - is_hard),
        is_hard,
        desk.take_found(depth, first),
        listed,
        time.perf_counter() - start_s,
        {name: count - before[name] for name, count in desk.count().items()},
    )


class _Room:
    """Desks for one problem, with one memory for all."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.game = from_description(json.loads(problem.description))
        candidates = np.arange(self.game.n_secrets, dtype=np.int32)
        if problem.candidates is not None:
            candidates = np.frombuffer(problem.candidates, "<i4").astype(np.int32)
        self.board = make_board(self.game, candidates)
        self.terms = make_terms(
            len(candidates),
            self.board.n_responses,
            problem.scale,
            problem.last,
            problem.left,
            candidates_only=problem.candidates_only,
        )
        self.memory = make_memory(len(candidates))
        self.desks: list[Desk] = []

    @contextmanager
    def lend_desk(self) -> Iterator[Desk]:
        """Give a desk to one thread, for a while."""
        try:
            desk = self.desks.pop()
        except IndexError:
            desk = self._make_desk()
        try:
            yield desk
        finally:
            self.desks.append(desk)

    def _make_desk(self) -> Desk:
        group, problem = make_group(self.game), self.problem
        return Desk(
            make_engine(self.board, group, self.terms, self.memory, problem.past, problem.left)
        )


def _prepare(problem: Problem) -> _Room:
    with _lock:
        return _make_room(problem)


@lru_cache(maxsize=1)
def _make_room(problem: Problem) -> _Room:
    return _Room(problem)
