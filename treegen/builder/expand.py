"""Expand a strategy into the complete tree, level by level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._options import check_whole
from ..errors import TreeError
from ..games import Game
from ..kernels import Level, make_scoring, split_level
from ..strategies import Strategy
from ..tree import NULL, History, Part, Provenance, Tree, join_levels
from .choose import Chooser, choose_level, make_chooser
from .halt import Halt
from .plan import check_size, list_useful_openings, make_first_level, make_rule
from .progress import Progress, Reporter
from .weighing import make_weighing

Columns = dict[str, NDArray[Any]]
"""A level's columns, as in `treegen.tree.part.Part`."""


def build_tree(
    game: Game,
    strategy: Strategy,
    *,
    history: History = (),
    first: Sequence[int] = (),
    jobs: int = 1,
    symmetry: bool = True,
    quick_start: bool = False,
    progress: Progress | None = None,
    halt: Halt | None = None,
) -> Tree:
    """Build the complete tree of a strategy.

    Parameters
    ----------
    game
        The game.
    strategy
        How each guess is chosen.
    history
        Guesses already made and the responses to them; the tree starts after them.
    first
        Codes among which the tree's first guess is chosen; empty: the strategy's opening, if
        nothing was guessed before.
    jobs
        How many threads choose guesses. The tree does not depend on it.
    symmetry
        Whether only one of several symmetric guesses is tried. The tree does not depend on it.
    quick_start
        Whether a small game avoids kernels that hardly speed it up: the first build on a machine
        compiles less. The tree does not depend on it.
    progress
        Called with a `BuildState` during the build.
    halt
        Ends the build from another thread.

    Returns
    -------
    Tree
        Game lengths count from its root: the guesses of the history are not counted.

    Raises
    ------
    GameError
        The game's tree would not fit into memory; the message gives the estimate.
    UsageError
        No secret agrees with the history, or the opening gains no information.
    SearchStoppedError
        The halt was called.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> from treegen.strategies import parse_strategy
    >>> game = parse_game("p2c3r")
    >>> build_tree(game, parse_strategy("knuth", game)).total
    24
    """
    check_whole(jobs=jobs)
    check_size(game)
    scoring, rule = make_scoring(game), make_rule(game, strategy)
    chooser = make_chooser(
        game,
        scoring,
        rule,
        jobs=jobs,
        symmetry=symmetry,
        quick_start=quick_start,
        halt=halt,
        weighing=make_weighing(game, strategy),
        criteria=strategy.criteria,
    )
    level = make_first_level(game, strategy, history)
    paths = np.array([[guess for guess, _ in history]], dtype=np.int32)
    codes = list(first) or ([] if history else strategy.opening_codes(game))
    opening = list_useful_openings(game, level.candidates, codes)
    reporter = Reporter(progress, len(level.candidates))
    levels = generate_levels(chooser, level, paths, reporter, opening)
    part = join_levels(levels)
    reporter.start_level(0, 0)
    return _assemble(game, Provenance(strategy.name, strategy.rule, history), part)


def generate_levels(
    chooser: Chooser,
    level: Level,
    paths: NDArray[np.int32],
    reporter: Reporter,
    opening: Sequence[int] = (),
) -> Iterator[Columns]:
    """Yield the columns of a level and of all levels below it.

    Parameters
    ----------
    chooser
        Chooses the guesses.
    level
        Some states.
    paths : int32[n_states, n_guesses]
        The guesses that led to each of them.
    reporter
        Notified of each level and of finished tasks.
    opening
        Codes among which the only state's guess is chosen; if empty, among all.
    """
    while len(level.starts) > 1:
        chooser.halt.check()
        reporter.start_level(len(level.starts) - 1, len(level.candidates))
        if opening:
            guesses, opening = choose_opening(chooser, level, opening), ()
        else:
            guesses = choose_level(chooser, level, paths, reporter)
        columns, level = finish_level(chooser, level, guesses)
        yield columns
        paths = extend_paths(paths, guesses, level)


def finish_level(
    chooser: Chooser, level: Level, guesses: NDArray[np.int32]
) -> tuple[Columns, Level]:
    """Return the columns of a level whose guesses are chosen, and the next level."""
    below = split_level(chooser.scoring, level, guesses, chooser.n_responses)
    _check_progress(level, below)
    columns: Columns = {
        "guess": guesses,
        "n_candidates": np.diff(level.starts),
        "response": level.responses,
        "n_children": np.bincount(below.parents, minlength=len(guesses)),
    }
    return columns, below


def extend_paths(
    paths: NDArray[np.int32], guesses: NDArray[np.int32], below: Level
) -> NDArray[np.int32]:
    """Return the guesses that led to each state of the next level."""
    return np.column_stack((paths[below.parents], guesses[below.parents]))


def choose_opening(chooser: Chooser, level: Level, opening: Sequence[int]) -> NDArray[np.int32]:
    """Return the best of the opening's codes, whose own order replaces the order of codes."""
    if len(opening) > 1 and len(level.candidates) > 1:
        eligible = np.array(opening, dtype=np.int32)
        opening = [chooser.choose(level.candidates, eligible, level.keys[0])]
    return np.array(opening[:1], dtype=np.int32)


def _check_progress(level: Level, below: Level) -> None:
    """Raise TreeError if a guess left all candidates in one cell: the tree would never end."""
    stuck = np.diff(below.starts) == np.diff(level.starts)[below.parents]
    if stuck.any():
        state = int(below.parents[np.argmax(stuck)])
        raise TreeError(f"the guess of state {state} gains no information: a fault of treegen")


def _assemble(game: Game, provenance: Provenance, part: Part) -> Tree:
    """Return the tree of a part that begins with the root."""
    first_child = np.ones(part.n_nodes + 1, dtype=np.int32)
    np.cumsum(part.n_children, out=first_child[1:])
    first_child[1:] += 1
    assert part.response[0] == NULL
    return Tree(game, provenance, part.guess, part.response, first_child, part.n_candidates)
