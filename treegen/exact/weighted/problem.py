"""What the weighted search knows of a game: a matrix of answers, weights, costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError
from ...games import Game, Goal

PAIRS_PER_BLOCK = 1 << 22
"""Answers that are computed at a time."""

MAX_PAIRS = 2**31
"""More answers than these are not kept: 4 GiB."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A game from some candidates on.

    Attributes
    ----------
    answers : int16[n_guesses, n]
        Each item's answer to each guess, below `n_cells`; -1 where the guess wins.
    costs : int64[n_guesses]
        Of the guesses.
    weights : int64[n]
        Of the items, descending.
    ends : int64[n]
        What an item costs when it alone is left: 0 if it is announced, else its guess.
    n_cells : int
        One more than the largest answer.
    codes : int32[n_guesses]
        The code of each guess.
    members : int32[n]
        The code of each item: a candidate.
    is_announced
        Whether a game is over when one item is left.
    """

    answers: NDArray[np.int16]
    costs: NDArray[np.int64]
    weights: NDArray[np.int64]
    ends: NDArray[np.int64]
    n_cells: int
    codes: NDArray[np.int32]
    members: NDArray[np.int32]
    is_announced: bool

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.members)

    @cached_property
    def owners(self) -> NDArray[np.int32]:
        """The item that each guess wins; -1 for guesses that cannot win."""
        owners = np.full(len(self.answers), -1, dtype=np.int32)
        guesses, items = np.nonzero(self.answers < 0)
        owners[guesses] = items
        return owners

    @property
    def longest(self) -> int:
        """A cost that no path exceeds in a tree whose guesses all tell something."""
        return int(self.costs.max(initial=1)) * self.n + int(self.ends.max(initial=0))


def make_problem(game: Game, candidates: NDArray[np.int32]) -> Problem:
    """Return the problem of some candidates of a game.

    Parameters
    ----------
    game
        The game, with or without weights and costs.
    candidates
        Codes that are still possible.

    Raises
    ------
    StrategyError
        There are more answers than memory should hold.
    """
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
    answers = _answer(game, codes, members)
    is_useful = (answers != answers[:, :1]).any(axis=1) | (answers[:, 0] < 0)
    costs = game.costs
    is_announced = game.goal == Goal.IDENTIFY
    return Problem(
        np.ascontiguousarray(answers[is_useful]),
        costs[codes[is_useful]],
        weights,
        np.zeros(len(members), dtype=np.int64) if is_announced else costs[members],
        int(answers.max(initial=0)) + 1,
        codes[is_useful],
        members,
        is_announced,
    )


def _answer(game: Game, codes: NDArray[np.int32], members: NDArray[np.int32]) -> NDArray[np.int16]:
    """Return the answers of all items to all guesses, -1 for the win."""
    answers = np.empty((len(codes), len(members)), dtype=np.int16)
    step = max(1, PAIRS_PER_BLOCK // len(members))
    for begin in range(0, len(codes), step):
        replies = game.respond(codes[begin : begin + step, None], members[None, :])
        is_win = replies == game.win
        if game.win > len(members):
            replies = _renumber(replies)
        answers[begin : begin + step] = np.where(is_win, -1, replies)
    return answers


def _renumber(replies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return replies numbered without gaps in each row: no more numbers than items."""
    for row in replies:
        row[:] = np.unique(row, return_inverse=True)[1]
    return replies
