"""Expand a strategy into the complete tree, level by level."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..games import Game
from ..kernels.choose import Rule, choose_guess
from ..kernels.levels import Level, choose_guesses, split_level
from ..kernels.responses import Scoring, make_scoring
from ..strategies import Strategy
from ..tree import NULL, Provenance, Tree
from ..tree.provenance import History
from .plan import check_size, make_first_level, make_rule

Progress = Callable[[int, int], None]
"""Called with the number of secrets whose game is over and the number of all."""

STATES_PER_CALL = 64
"""States that one compiled call takes: often enough for Ctrl-C and the progress bar."""


def build_tree(
    game: Game,
    strategy: Strategy,
    *,
    history: History = (),
    jobs: int = 1,
    progress: Progress | None = None,
) -> Tree:
    """Build the complete tree of a strategy.

    Parameters
    ----------
    game
        The game.
    strategy
        How each guess is chosen.
    history
        Guesses already made and the responses to them; the tree starts behind them.
    jobs
        How many threads choose guesses. The tree does not depend on it.
    progress
        Called as the build goes on.

    Returns
    -------
    Tree
        Lengths in it count from its root: the guesses of the history are not counted.

    Raises
    ------
    GameError
        The game's tree would not fit memory; the message gives the estimate.
    UsageError
        No secret agrees with the history.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> from treegen.strategies import parse_strategy
    >>> game = parse_game("p2c3r")
    >>> build_tree(game, parse_strategy("knuth", game)).total
    24
    """
    if jobs < 1:
        raise UsageError(f"jobs is {jobs}; at least 1 is needed")
    check_size(game)
    scoring, rule = make_scoring(game), make_rule(game, strategy)
    level = make_first_level(game, strategy, history)
    opening = [] if history else strategy.opening_codes(game)
    n_secrets = len(level.candidates)
    columns: list[tuple[NDArray[np.int32], Level]] = []
    while len(level.starts) > 1:
        if progress is not None:
            progress(n_secrets - len(level.candidates), n_secrets)
        if opening:
            guesses = _choose_opening(game, scoring, rule, level, opening)
            opening = []
        else:
            guesses = _choose_level(game, scoring, rule, level, strategy.n_direct)
        columns.append((guesses, level))
        level = split_level(scoring, level, guesses, game.n_responses)
    if progress is not None:
        progress(n_secrets, n_secrets)
    return _assemble(game, Provenance(strategy.name, strategy.rule, history), columns)


def _choose_level(
    game: Game, scoring: Scoring, rule: Rule, level: Level, n_direct: int
) -> NDArray[np.int32]:
    """Return the guess of each state of a level."""
    guesses = np.empty(len(level.starts) - 1, dtype=np.int32)
    for first in range(0, len(guesses), STATES_PER_CALL):
        part = guesses[first : first + STATES_PER_CALL]
        choose_guesses(scoring, rule, level, first, n_direct, game.n_responses, part)
    return guesses


def _choose_opening(
    game: Game, scoring: Scoring, rule: Rule, level: Level, opening: list[int]
) -> NDArray[np.int32]:
    """Return the best of the opening's codes, whose own order stands for the order of codes."""
    if len(opening) > 1 and len(level.candidates) > 1:
        eligible = np.array(opening, dtype=np.int32)
        n_responses = game.n_responses
        best = choose_guess(scoring, rule, level.candidates, eligible, n_responses, level.keys[0])
        opening = [best]
    return np.array(opening[:1], dtype=np.int32)


def _assemble(
    game: Game, provenance: Provenance, columns: list[tuple[NDArray[np.int32], Level]]
) -> Tree:
    """Return the tree of the levels' guesses."""
    guess = np.concatenate([guesses for guesses, _ in columns])
    response = np.concatenate([level.responses for _, level in columns])
    sizes = np.concatenate([np.diff(level.starts) for _, level in columns]).astype(np.int32)
    n_children = [
        np.bincount(below.parents, minlength=len(guesses))
        for (guesses, _), (_, below) in pairwise(columns)
    ]
    n_children.append(np.zeros(len(columns[-1][0]), dtype=np.int64))
    first_child = 1 + np.concatenate(([0], np.cumsum(np.concatenate(n_children))))
    assert response[0] == NULL
    return Tree(game, provenance, guess, response, first_child.astype(np.int32), sizes)
