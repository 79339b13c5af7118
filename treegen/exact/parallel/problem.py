"""A search as plain values, which tasks carry to any process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games import Game
from ..core import UNLIMITED, CostModel


class RootState(NamedTuple):
    """The state that is searched, as plain values.

    Attributes
    ----------
    description
        The game's description as JSON.
    candidates
        The candidates as 32-bit integers; None: all secrets.
    """

    description: str
    candidates: bytes | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A search as plain values: what is derived from them is made once in each process and kept.

    Attributes
    ----------
    root
        Its root.
    history
        Guesses made before the root.
    left, scale, last, candidates_only
        See `CostModel`.
    table_size, table_seed
        See `SearchControl`.
    """

    root: RootState
    history: tuple[int, ...] = ()
    left: int = UNLIMITED
    scale: int = 1
    last: int = 0
    candidates_only: bool = False
    table_size: int | None = None
    table_seed: int = 20


def make_root_state(game: Game, candidates: NDArray[np.int32]) -> RootState:
    """Return a root in the form that tasks carry."""
    are_all = len(candidates) == game.n_secrets
    return RootState(
        json.dumps(game.description), None if are_all else candidates.astype("<i4").tobytes()
    )


def make_problem(
    game: Game, candidates: NDArray[np.int32], history: tuple[int, ...], left: int, model: CostModel
) -> Problem:
    """Return a search in the form that tasks carry."""
    root = make_root_state(game, candidates)
    return Problem(root, history, left, model.scale, model.last, model.candidates_only)
