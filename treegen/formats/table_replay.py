"""Candidates of every state of a tree, one level at a time, by the plain definition of scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..games import Game
from ..tree import NULL, Provenance, Tree, select_candidates

MAX_CODES = 1 << 25
"""A game with more codes is not replayed: its codes alone would fill the memory."""


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
        The state of the level before, as an index into it.
    responses : int64[n_states]
        The response that led here.
    """

    candidates: NDArray[np.int32]
    starts: NDArray[np.int64]
    parents: NDArray[np.int64]
    responses: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of candidates of each state."""
        return np.diff(self.starts)


Guesser = Callable[[States], NDArray[np.integer]]
"""Gives the guesses of the states of a level."""


def generate_levels(
    game: Game, provenance: Provenance, guess: Guesser
) -> Iterator[tuple[States, NDArray[np.integer]]]:
    """Yield each level's states and guesses, from the root down.

    Raises
    ------
    FormatError
        The game has too many codes, or no secret agrees with the tree's start, or a guess tells
        nothing, so that the tree would not end.
    """
    if game.n_codes > MAX_CODES:
        raise FormatError(f"{game.name} has {game.n_codes:,} codes; at most {MAX_CODES:,} fit here")
    candidates = select_candidates(game, provenance.history)
    if not len(candidates):
        raise FormatError("no secret agrees with the guesses before the tree's start")
    root = np.array([0], dtype=np.int64)
    states = States(candidates, np.array([0, len(candidates)]), root, root + NULL)
    while len(states.sizes):
        guesses = guess(states)
        yield states, guesses
        states = _split(game, states, guesses)


def expand_tree(game: Game, provenance: Provenance, guess: Guesser) -> Tree:
    """Return the whole tree of what a guesser guesses."""
    columns: dict[str, list[NDArray[np.int64]]] = {
        "guess": [], "response": [], "n_children": [], "n_candidates": []
    }  # fmt: skip
    n_before = 0
    for states, guesses in generate_levels(game, provenance, guess):
        columns["guess"].append(guesses.astype(np.int64))
        columns["response"].append(states.responses)
        columns["n_candidates"].append(states.sizes)
        if n_before:
            columns["n_children"].append(np.bincount(states.parents, minlength=n_before))
        n_before = len(guesses)
    columns["n_children"].append(np.zeros(n_before, dtype=np.int64))
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    first_child = np.concatenate(([1], 1 + np.cumsum(joined["n_children"])))
    return Tree(
        game,
        provenance,
        guess=joined["guess"].astype(np.int32),
        response=joined["response"].astype(np.int16),
        first_child=first_child.astype(np.int32),
        n_candidates=joined["n_candidates"].astype(np.int32),
    )


def _split(game: Game, states: States, guesses: NDArray[np.integer]) -> States:
    """Return the states of the next level: each state's candidates by response."""
    owners = np.repeat(np.arange(len(guesses)), states.sizes)
    replies = game.respond(guesses[owners], states.candidates)
    going_on = replies != game.win
    keys = owners * game.n_responses + replies
    order = np.argsort(keys[going_on], kind="stable")
    keys = keys[going_on][order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    parents, responses = np.divmod(keys[begins], game.n_responses)
    starts = np.append(begins, len(keys))
    if np.any(np.diff(starts) == states.sizes[parents]):
        raise FormatError("a guess tells nothing: all candidates answer it alike")
    return States(states.candidates[going_on][order], starts, parents, responses)
