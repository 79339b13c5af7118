"""Expand a strategy into the complete tree, level by level."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError, UsageError
from ..games import Game
from ..kernels.choose import choose_guess
from ..kernels.levels import Level, split_level
from ..kernels.responses import make_scoring
from ..strategies import Strategy
from ..tree import NULL, Provenance, Tree
from ..tree.provenance import History
from .choose import Chooser, choose_level, make_chooser
from .plan import check_size, list_useful_openings, make_first_level, make_rule
from .progress import Progress, Reporter


def build_tree(
    game: Game,
    strategy: Strategy,
    *,
    history: History = (),
    jobs: int = 1,
    symmetry: bool = True,
    quick_start: bool = False,
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
    symmetry
        Whether guesses that are equal by symmetry are tried once. The tree does not depend on it.
    quick_start
        Whether a small game goes without kernels that it is hardly quicker with: the first build
        on a machine compiles less. The tree does not depend on it.
    progress
        Called with a `BuildState` as the build goes on.

    Returns
    -------
    Tree
        Lengths in it count from its root: the guesses of the history are not counted.

    Raises
    ------
    GameError
        The game's tree would not fit memory; the message gives the estimate.
    UsageError
        No secret agrees with the history, or the opening tells nothing.

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
    chooser = make_chooser(
        game, scoring, rule, jobs=jobs, symmetry=symmetry, quick_start=quick_start
    )
    level = make_first_level(game, strategy, history)
    paths = np.array([[guess for guess, _ in history]], dtype=np.int32)
    codes = [] if history else strategy.opening_codes(game)
    opening = list_useful_openings(game, level, codes)
    reporter = Reporter(progress, len(level.candidates))
    columns: list[tuple[NDArray[np.int32], Level]] = []
    while len(level.starts) > 1:
        reporter.start_level(len(level.starts) - 1, len(level.candidates))
        if opening:
            guesses = _choose_opening(chooser, level, opening)
            opening = []
        else:
            guesses = choose_level(chooser, level, paths, reporter)
        columns.append((guesses, level))
        below = split_level(scoring, level, guesses, game.n_responses)
        _check_progress(level, below)
        level = below
        paths = np.column_stack((paths[level.parents], guesses[level.parents]))
    reporter.start_level(0, 0)
    return _assemble(game, Provenance(strategy.name, strategy.rule, history), columns)


def _choose_opening(chooser: Chooser, level: Level, opening: list[int]) -> NDArray[np.int32]:
    """Return the best of the opening's codes, whose own order stands for the order of codes."""
    if len(opening) > 1 and len(level.candidates) > 1:
        eligible = np.array(opening, dtype=np.int32)
        best = choose_guess(
            chooser.scoring,
            chooser.rule,
            level.candidates,
            eligible,
            chooser.n_responses,
            level.keys[0],
        )
        opening = [best]
    return np.array(opening[:1], dtype=np.int32)


def _check_progress(level: Level, below: Level) -> None:
    """Raise TreeError where a guess left all candidates together: the tree would never end."""
    stuck = np.diff(below.starts) == np.diff(level.starts)[below.parents]
    if stuck.any():
        state = int(below.parents[np.argmax(stuck)])
        raise TreeError(f"the guess of state {state} of a level tells nothing: a fault of treegen")


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
