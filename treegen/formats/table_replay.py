"""The tree of a table that stores only guesses: its levels are replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..games import Game
from ..tree import Columns, Provenance, States, Tree, select_candidates, split_states, start_states

MAX_CODES = 1 << 25
"""A game with more codes is not replayed: its codes alone would fill memory."""

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
    states = start_states(candidates)
    while len(states.sizes):
        guesses = guess(states)
        yield states, guesses
        split = split_states(game, states, guesses)
        if len(split.stalled):
            raise FormatError("a guess gains no information: all candidates answer it alike")
        states = split.below


def expand_tree(game: Game, provenance: Provenance, guess: Guesser) -> Tree:
    """Return the whole tree of a guesser's guesses."""
    columns = Columns()
    for states, guesses in generate_levels(game, provenance, guess):
        columns.add(states, guesses)
    return columns.make_tree(game, provenance)
