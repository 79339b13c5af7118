"""A piece of a search that any process can do: some guesses of one state, below a cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...games import Game
from .solver import Solver, Watch
from .terms import UNLIMITED


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be searched.

    Attributes
    ----------
    history
        Guesses made and the responses to them: they say what the candidates are.
    guesses
        The guesses to try next, in the order of `list_guesses`; None: all that are worth it.
    window
        The cost to get below.
    left
        Guesses allowed from here on; `UNLIMITED`.
    scale, last
        See `Terms`.
    candidates_only
        Whether only candidates may be guessed.
    """

    history: tuple[tuple[int, int], ...]
    guesses: tuple[int, ...] | None
    window: int
    left: int = UNLIMITED
    scale: int = 1
    last: int = 0
    candidates_only: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best tree of a task: its cost below the window, and its plan (see `expand_plan`)."""

    cost: int
    plan: NDArray[np.int32]


def run_task(game: Game, task: Task, *, jobs: int = 1, watch: Watch | None = None) -> Found | None:
    """Search a task's guesses; None where no tree costs less than the window.

    The result is a function of the task alone. So a first guess may be split into its cells,
    one task each; where the costs of some are known, the window of the others is what is left.

    Raises
    ------
    SearchStoppedError
        The watch ended the search.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> game = parse_game("p3c4r")
    >>> run_task(game, Task((), (1,), 207)).cost
    206
    >>> run_task(game, Task((), (6,), 207)) is None
    True
    """
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    for guess, response in task.history:
        responses = game.respond(np.array([guess]), candidates)
        candidates = candidates[responses == response]
    past = tuple(guess for guess, _ in task.history)
    only = task.candidates_only
    solver = Solver(game, candidates, past=past, candidates_only=only, jobs=jobs, watch=watch)
    cost = solver.find_best(task.left, task.window, task.scale, task.last, task.guesses)
    if cost is None or solver.last_plan is None:
        return None
    return Found(cost, solver.last_plan)
