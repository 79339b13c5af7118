"""What the search by a rule of play knows about its game, and what it minimises."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._rule_kinds import EligibleKind
from ...games import Game
from ...kernels import Scoring, make_scoring
from ..engine.cost import make_estimates
from ..engine.responses import make_response_matrix

CONTROL = np.dtype(
    [
        ("stop", np.int64),
        ("n_states", np.int64),
        ("n_tried", np.int64),
        ("n_surveys", np.int64),
        ("n_known", np.int64),
    ]
)
"""Fields of `Board.control`: whether to end, and what was done so far."""


class Board(NamedTuple):
    """A game by a rule of play; candidates are numbered ``0 … n_candidates - 1``.

    Attributes
    ----------
    scoring
        The game in the kernels' form.
    eligible : int
        The number of an `EligibleKind` that depends on the answers.
    by_guess : uint8[n_codes, n_candidates]
        Response of each (guess, candidate).
    code_of : int32[n_candidates]
        Code of each candidate, ascending.
    number_of : int32[n_codes]
        Number of each code among the candidates, -1 for others.
    n_responses : int
        Number of responses; the last one wins.
    estimates : int64[n_candidates + 1]
        The approximate cost of a cell: the least sum is tried first.
    keys : int64[n_codes, 2, 2]
        Random numbers of each code, as a candidate and as a legal guess.
    control
        One record, see `CONTROL`; another thread sets `stop`.
    """

    scoring: Scoring
    eligible: int
    by_guess: NDArray[np.unsignedinteger]
    code_of: NDArray[np.int32]
    number_of: NDArray[np.int32]
    n_responses: int
    estimates: NDArray[np.int64]
    keys: NDArray[np.int64]
    control: Any


class Aim(NamedTuple):
    """What is minimised: `scale` for each guess of each game, `last` for each longest game.

    Attributes
    ----------
    scale : int
        Cost of a guess.
    last : int
        Cost, besides, of a game that ends with the last guess allowed.
    beam, n_full : int
        States of more than `n_full` candidates try only `beam` guesses; 0: all.
    """

    scale: int
    last: int
    beam: int
    n_full: int


class Table(NamedTuple):
    """The table. A state is known by its candidates, its legal guesses and the guesses left.

    The candidates alone would not do: after other guesses, others are legal.

    Attributes
    ----------
    entries : int64[n_entries, 4]
        Each key has one place; the last one written stays.
    """

    entries: NDArray[np.int64]


class Search(NamedTuple):
    """A search: the game, what is minimised, what was proved."""

    board: Board
    aim: Aim
    table: Table


def make_board(
    game: Game,
    candidates: NDArray[np.int32],
    kind: EligibleKind,
) -> Board:
    """Return what a search of some candidates needs.

    Raises
    ------
    StrategyError
        The responses would not fit into memory.
    """
    number_of = np.full(game.n_codes, -1, dtype=np.int32)
    number_of[candidates] = np.arange(len(candidates), dtype=np.int32)
    keys = np.random.Generator(np.random.Philox(key=16)).integers(
        -(2**63), 2**63 - 1, (game.n_codes, 2, 2), dtype=np.int64
    )
    return Board(
        make_scoring(game),
        int(kind),
        make_response_matrix(game, candidates).by_guess,
        candidates.astype(np.int32),
        number_of,
        game.n_responses,
        make_estimates(len(candidates)),
        keys,
        make_control(),
    )


def make_control() -> Any:
    """Return the control record of one thread."""
    return np.zeros(1, dtype=CONTROL).view(np.recarray)[0]
