"""First guesses that the user gives: a search then finds the best tree that begins with one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..builder import list_useful_openings
from ..games import Game
from .request import SearchSpec


def write_first(game: Game, spec: SearchSpec) -> SearchSpec:
    """Return a spec with its first guesses as the game writes them, each of them once.

    Raises
    ------
    GameError
        One is not a code of the game.

    Examples
    --------
    >>> from treegen.games import CodebookGame
    >>> words = CodebookGame(["crane", "salet"], rule="position")
    >>> write_first(words, SearchSpec(first=("salet", "crane", "salet"))).first
    ('salet', 'crane')
    """
    codes = dict.fromkeys(game.parse_code(text) for text in spec.first)
    return replace(spec, first=tuple(map(game.name_guess, codes)))


def list_first(game: Game, candidates: NDArray[np.int32], spec: SearchSpec) -> tuple[int, ...]:
    """Return the codes of those first guesses that gain information; empty if none is given.

    Raises
    ------
    UsageError
        None of them does.
    """
    codes = [game.parse_code(text) for text in spec.first]
    return tuple(list_useful_openings(game, candidates, codes))


def name_given(spec: SearchSpec) -> str:
    """Return which first guesses were given, in words, as a message goes on."""
    return f" with the first guess {' or '.join(spec.first)}" if spec.first else ""
