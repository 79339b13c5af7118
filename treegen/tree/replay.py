"""The states of a tree, level by level, derived by the plain definition of scoring.

It reconstructs the other columns of a tree of which only the guesses are known (a small table, a
text). No kernel is used, so this also runs where none can be compiled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games import Game
from .provenance import Provenance
from .tree import NULL, Tree, list_columns


@dataclass(frozen=True, slots=True)
class States:
    """The states of one level.

    Attributes
    ----------
    candidates : int32[n]
        The candidates of the states, one state after the other, ascending within each.
    starts : int64[n_states + 1]
        Where each state's candidates begin.
    parents : int64[n_states]
        The state of the level before, as an index into it; `NULL` at the root.
    responses : int64[n_states]
        The response that led here; `NULL` at the root.
    """

    candidates: NDArray[np.int32]
    starts: NDArray[np.int64]
    parents: NDArray[np.int64]
    responses: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of candidates of each state."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True)
class Split:
    """What the guesses of a level lead to.

    Attributes
    ----------
    below
        The states of the next level, those that win left out.
    may_win : bool[n_states]
        Whether each state's guess is one of its candidates.
    stalled : int64[…]
        The states below that have all candidates of their parents: the guess gains no information,
        and a tree with it would not end. The caller must refuse them before the next split.
    """

    below: States
    may_win: NDArray[np.bool_]
    stalled: NDArray[np.intp]


def start_states(candidates: NDArray[np.int32]) -> States:
    """Return the level that is the root alone, with these candidates."""
    root = np.full(1, NULL, dtype=np.int64)
    return States(candidates, np.array([0, len(candidates)], dtype=np.int64), root, root)


def split_states(game: Game, states: States, guesses: NDArray[np.integer]) -> Split:
    """Split the states of a level by their guesses.

    Parameters
    ----------
    game
        The game, which scores the guesses.
    states
        The states of a level.
    guesses : integer[n_states]
        The guess of each: a code's index.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> game = parse_game("p2c2r")
    >>> split = split_states(game, start_states(np.arange(4, dtype=np.int32)), np.array([1]))
    >>> split.below.responses.tolist(), split.below.sizes.tolist(), split.may_win.tolist()
    ([2, 3], [1, 2], [True])
    """
    owners = np.repeat(np.arange(len(guesses), dtype=np.int64), states.sizes)
    replies = game.respond(guesses[owners], states.candidates)
    goes_on = replies != game.win
    may_win = np.bincount(owners[~goes_on], minlength=len(guesses)) > 0
    # Sorted by state, then response, the cells stand in the level order of the tree. The sort
    # is stable, so the candidates of each cell stay ascending.
    keys = (owners * game.n_responses + replies)[goes_on]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    parents, responses = np.divmod(keys[begins], game.n_responses)
    starts = np.append(begins, len(keys))
    below = States(states.candidates[goes_on][order], starts, parents, responses)
    return Split(below, may_win, np.flatnonzero(below.sizes == states.sizes[parents]))


class Columns:
    """The columns of a tree, gathered level by level; the candidates themselves are not kept."""

    def __init__(self) -> None:
        self._guess: list[NDArray[np.int32]] = []
        self._response: list[NDArray[np.int32]] = []
        self._n_candidates: list[NDArray[np.int32]] = []
        self._n_children: list[NDArray[np.int64]] = []

    def add(self, states: States, guesses: NDArray[np.integer]) -> None:
        """Append the states of the next level, with their guesses."""
        if self._guess:
            # Only now do we know which states of the level above have children.
            n_above = len(self._guess[-1])
            self._n_children.append(np.bincount(states.parents, minlength=n_above))
        self._guess.append(guesses.astype(np.int32))
        self._response.append(states.responses.astype(np.int32))
        self._n_candidates.append(states.sizes.astype(np.int32))

    def make_tree(self, game: Game, provenance: Provenance) -> Tree:
        """Return the tree of all levels; `Tree.check` is left to the caller."""
        narrow = list_columns(game.n_responses)["response"]
        last = np.zeros(len(self._guess[-1]), dtype=np.int64)
        n_children = np.concatenate([*self._n_children, last])
        return Tree(
            game,
            provenance,
            guess=np.concatenate(self._guess),
            response=np.concatenate(self._response).astype(narrow),
            first_child=np.concatenate(([1], 1 + np.cumsum(n_children))).astype(np.int32),
            n_candidates=np.concatenate(self._n_candidates),
        )
