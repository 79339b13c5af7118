"""A game as the general search sees it: a matrix of answers, weights, costs; and the way back.

A guess has a number in the matrix, and so has each candidate, an *item*: by descending weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError
from ...games.base import Game, Goal
from ...tree.tree import Provenance, Tree, list_columns, tally
from ..engine import Int32s, Int64s
from ..engine.cost import INFEASIBLE
from ..first_guesses import list_first
from ..request import SearchSpec, refuse_eligible

PAIRS_PER_BLOCK = 1 << 22
"""Answers that are computed at a time."""

MAX_PAIRS = 2**31
"""More answers than these are not kept: 4 GiB."""

Items = Int32s
"""Items of a problem, ascending."""

NO_CAP = INFEASIBLE
"""What may be spent where nothing limits it: no path costs as much."""

Choose = Callable[[Items, int], int]
"""Returns the guess, by its number in the problem, of a state of several items."""


@dataclass(frozen=True, eq=False)
class GeneralProblem:
    """A game from some candidates on."""

    # [n_guesses, n]: each item's answer, below `n_cells`; -1 where the guess wins.
    answers: NDArray[np.int16]
    costs: Int64s  # [n_guesses]
    weights: Int64s  # [n], descending
    ends: Int64s  # [n]: cost of an item that alone is left: 0 if it is announced, else its guess
    codes: Int32s  # [n_guesses]: the code of each guess
    members: Int32s  # [n]: the code of each item: a candidate
    # The guesses allowed in the state of all items, the preferred one first; empty: as in others.
    first: tuple[int, ...]
    candidates_only: bool  # whether only items that are still possible may be guessed otherwise

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.members)

    @cached_property
    def n_cells(self) -> int:
        """One more than the largest answer."""
        return int(self.answers.max(initial=0)) + 1

    @property
    def is_announced(self) -> bool:
        """Whether a game is over when one item is left."""
        return not self.ends.any()

    @cached_property
    def owners(self) -> Int32s:
        """The item that each guess wins; -1 for guesses that cannot win."""
        owners = np.full(len(self.answers), -1, dtype=np.int32)
        guesses, items = np.nonzero(self.answers < 0)
        owners[guesses] = items
        return owners

    @property
    def longest(self) -> int:
        """A cost that no path exceeds in a tree whose guesses all tell something."""
        return int(self.costs.max(initial=1)) * self.n + int(self.ends.max(initial=0))


def make_problem(
    game: Game,
    candidates: Int32s,
    spec: SearchSpec | None = None,
    look: Callable[[], object] = lambda: None,
) -> GeneralProblem:
    """Return the problem of some candidates of a game; `look` is called meanwhile, and may raise.

    The spec says what may be guessed; None: all. StrategyError: there are more answers than memory
    should hold. UsageError: the search cannot keep to the spec.
    """
    spec = spec or SearchSpec()
    refuse_eligible(game, spec)
    n_pairs = game.n_guesses * len(candidates)
    if n_pairs > MAX_PAIRS:
        raise StrategyError(
            f"{game.name} has {n_pairs:,} pairs of guess and candidate; with"
            f" weights, costs or the goal identify a search takes at most {MAX_PAIRS:,}"
        )
    weights = np.ones(len(candidates), dtype=np.int64)
    if game.weights is not None:
        weights = game.weights[candidates]
    order = np.argsort(-weights, kind="stable")
    members, weights = candidates[order].astype(np.int32), weights[order]
    codes = np.arange(game.first_guess, game.n_codes, dtype=np.int32)
    answers = _answer(game, codes, members, look)
    is_useful = (answers != answers[:, :1]).any(axis=1) | (answers[:, 0] < 0)
    costs, codes = game.costs, codes[is_useful]
    first = list_first(game, candidates, spec)
    return GeneralProblem(
        np.ascontiguousarray(answers[is_useful]),
        costs[codes],
        weights,
        costs[members] * (game.goal != Goal.IDENTIFY),
        codes,
        members,
        tuple(np.searchsorted(codes, first).tolist()),
        spec.is_for_candidates(game),
    )


def _answer(
    game: Game, codes: Int32s, members: Int32s, look: Callable[[], object]
) -> NDArray[np.int16]:
    """Return the answers of all items to all guesses, -1 for the win."""
    answers = np.empty((len(codes), len(members)), dtype=np.int16)
    step = max(1, PAIRS_PER_BLOCK // len(members))
    for begin in range(0, len(codes), step):
        if begin > 0:
            look()
        replies = game.respond(codes[begin : begin + step, None], members[None, :])
        is_win = replies == game.win
        if game.win > len(members):
            replies = _renumber(replies)
        answers[begin : begin + step] = np.where(is_win, -1, replies)
    return answers


def _renumber(replies: Int64s) -> Int64s:
    """Return replies numbered without gaps in each row: no more numbers than items."""
    for row in replies:
        row[:] = np.unique(row, return_inverse=True)[1]
    return replies


def expand_choices(
    game: Game, problem: GeneralProblem, choose: Choose, provenance: Provenance, left: int = NO_CAP
) -> Tree:
    """Return the tree of the guesses that a function chooses; `left` may be spent in all.

    The function is called for each state of the tree with several items, and what may still be
    spent there.
    """
    guess, response, n_candidates, n_children = [], [-1], [], []
    states: list[tuple[Items, int]] = [(np.arange(problem.n, dtype=np.int32), left)]
    for items, spare in states:  # the list grows while it is read: level order
        n_candidates.append(len(items))
        if len(items) == 1:
            guess.append(int(problem.members[items[0]]))
            n_children.append(0)
            continue
        chosen = choose(items, spare)
        guess.append(int(problem.codes[chosen]))
        spare -= int(problem.costs[chosen])
        replies = game.respond(np.array([guess[-1]]), problem.members[items])
        found = [int(reply) for reply in np.unique(replies) if reply != game.win]
        n_children.append(len(found))
        response += found
        states += [(items[replies == reply], spare) for reply in found]
    types = list_columns(game.n_responses)
    first_child = np.concatenate(([1], 1 + np.cumsum(n_children)))
    return Tree(
        game,
        provenance,
        np.array(guess, dtype=types["guess"]),
        np.array(response, dtype=types["response"]),
        first_child.astype(types["first_child"]),
        np.array(n_candidates, dtype=types["n_candidates"]),
    )


def count_single(game: Game, candidate: int) -> tuple[int, list[int]]:
    """Return what the only candidate costs, and its histogram: nothing where it is announced."""
    weight = 1 if game.weights is None else int(game.weights[candidate])
    cost = 0 if game.goal == Goal.IDENTIFY else int(game.costs[candidate])
    return cost * weight, tally(np.array([cost]), np.array([weight]))
