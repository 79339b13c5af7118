"""Game lengths: exactly, over every secret, or by a seeded sample."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._cleanup import announce_saving
from .._options import check_seed, check_whole
from ..errors import TreeError, UsageError
from ..games import Game
from ..online import derive_key, start_online, warm_up
from ..strategies import Strategy, change_strategy, is_search, parse_strategy, plays_online
from ..tasks import Workers
from ..tree import Tree
from .drawing import make_drawing
from .games import count_tree, count_trees, lengths_of, load_builder, play_game, play_games
from .sample_value import Sample, SampleInterrupt

if TYPE_CHECKING:
    from ..exact import Watch

__all__ = [
    "Progress",
    "Sample",
    "SampleInterrupt",
    "count_exactly",
    "lengths_of",
    "play_game",
    "simulate",
]

Progress = Callable[[int, int], None]

RANDOM_TREES = 25
"""Trees, each with its own seed, along which a sample of a random strategy is played."""


def simulate(
    game: Game,
    strategy: str,
    n: int,
    seed: int = 0,
    *,
    eligible: str | None = None,
    jobs: int = 1,
    tables: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> Sample:
    """Play `n` games against secrets drawn by the seed, each as often as it weighs.

    Parameters
    ----------
    game
        The game.
    strategy
        Name of an online strategy or a search, or name or chain of one that builds trees.
    n
        Number of games.
    seed
        Of the secrets and of all random choices.
    eligible
        What may be guessed, a key of `treegen.games.ELIGIBLE`; None: as the strategy has it.
    jobs
        Threads that build a tree.
    tables
        Folder of compiled arrangements, for the online strategy `permutation`.
    progress
        Called with the number of games played and of all.
    workers
        They play the games, or build the trees; None: this process. No length depends on it.

    Raises
    ------
    UsageError
        `n` is not positive, or an online strategy is told what it may guess.
    StrategyError
        The strategy is unknown or does not fit the game.
    SampleInterrupt
        Ctrl-C came after at least one game; it holds the sample of the games played.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> sample = simulate(parse_game("p20c20r"), "one-by-one", 5, seed=1)
    >>> sample.n, sample.worst <= 20 * 21
    (5, True)
    """
    check_whole(n=n)
    check_seed(seed)
    if plays_online(strategy):
        refuse_eligible(strategy, eligible)
        if game.stakes:
            raise UsageError(f"{strategy} counts all codes and guesses alike: no weights, no costs")
        return _simulate_online(game, strategy, n, seed, tables, progress, workers)
    if is_search(strategy):
        return _draw(count_search(game, strategy, eligible=eligible, jobs=jobs), n, seed)
    rule = change_strategy(parse_strategy(strategy, game), eligible=eligible)
    return _simulate_trees(game, rule, n, seed, jobs, workers)


def refuse_eligible(strategy: str, eligible: str | None) -> None:
    """Raise UsageError if an online strategy is told what it may guess."""
    if eligible is not None:
        raise UsageError(f"--eligible belongs to rules and searches; {strategy} is neither")


def count_exactly(game: Game, strategy: Strategy | str, *, jobs: int = 1) -> Sample:
    """Play every secret along the tree of a deterministic strategy.

    Raises
    ------
    UsageError
        The strategy chooses at random: its average is that of its seed alone.
    """
    rule = parse_strategy(strategy, game) if isinstance(strategy, str) else strategy
    if not rule.is_deterministic:
        raise UsageError(f"{rule.name} chooses at random: sample it")
    lengths, build_s, play_s = count_tree(game, rule, jobs)
    weights = game.weights
    return Sample(game.name, rule.name, lengths, None, build_s, play_s, weights=weights)


def count_search(
    game: Game,
    name: str,
    *,
    eligible: str | None = None,
    jobs: int = 1,
    watch: Watch | None = None,
) -> Sample:
    """Play every secret along the tree that a search finds, ``optimal`` or ``best``.

    Parameters
    ----------
    game
        The game.
    name
        The search.
    eligible
        What may be guessed; None: all codes.
    jobs
        Its threads.
    watch
        Called several times a second with the search's progress; True ends it, and the best tree
        so far counts.
    """
    from ..exact import SearchControl, SearchSpec, run_search

    started = time.perf_counter()
    spec = SearchSpec(eligible=eligible or "all")
    control = SearchControl(jobs=jobs, watch=watch, keep_best=watch is not None)
    tree = run_search(game, name, spec, control)
    return replace(sample_tree(tree), build_s=time.perf_counter() - started)


def sample_tree(tree: Tree, source: str | None = None) -> Sample:
    """Return the length of each secret's game along a finished tree.

    Parameters
    ----------
    tree
        The tree of a whole game.
    source
        Its name in a comparison; its strategy if None.

    Raises
    ------
    UsageError
        The tree starts mid-game.
    TreeError
        The tree does not find every secret.

    Examples
    --------
    >>> from treegen.api import build
    >>> sample_tree(build("p4c6r")).total
    5801
    """
    name = source or tree.provenance.strategy
    if tree.provenance.history:
        raise UsageError(f"{name} starts mid-game: only trees of whole games are compared")
    started = time.perf_counter()
    lengths = lengths_of(tree)
    n_found = int(np.count_nonzero(lengths >= 0))
    if n_found < len(lengths):
        raise TreeError(f"{name} finds {n_found} of {len(lengths)} secrets")
    played = time.perf_counter() - started
    provenance = tree.provenance
    return Sample(
        tree.game.name,
        provenance.strategy,
        lengths,
        None,
        0.0,
        played,
        bound=provenance.bound,
        source=source,
        weights=tree.game.weights,
    )


def _reseed(rule: Strategy, seed: int, number: int) -> Strategy:
    if rule.is_deterministic:
        return rule
    return replace(rule, seed=int(derive_key(seed, number)))


def _simulate_trees(
    game: Game, rule: Strategy, n: int, seed: int, jobs: int, workers: Workers | None
) -> Sample:
    """Play a sample along one tree, or along several of a random strategy."""
    n_trees = 1 if rule.is_deterministic else min(n, RANDOM_TREES)
    if workers is None:
        load_builder()
    started = time.perf_counter()
    rules = [_reseed(rule, seed, number) for number in range(n_trees)]
    lengths: dict[int, NDArray[np.int64]] = {}
    drawn: list[int] = []
    choose = make_drawing(game.n_secrets, game.weights)
    built = started

    def draw() -> None:
        nonlocal built
        built = time.perf_counter()
        for number in range(n):
            if number % n_trees in lengths:
                secret = choose(int(derive_key(seed, number)))
                drawn.append(int(lengths[number % n_trees][secret]))

    def make_sample() -> Sample:
        times = built - started, time.perf_counter() - built
        # Without the unfinished trees, games of one tree are still equally far apart.
        groups = None if rule.is_deterministic else len(lengths)
        return Sample(game.name, rule.name, np.array(drawn), seed, *times, n_trees=groups)

    try:
        for number, counted in count_trees(game, rules, jobs=jobs, workers=workers):
            lengths[number] = counted[0]
        draw()
    except KeyboardInterrupt as stop:
        if lengths and not drawn:
            announce_saving("games along the trees that are there")
            draw()
        if drawn:
            raise SampleInterrupt(make_sample()) from stop
        raise
    return make_sample()


def _draw(exact: Sample, n: int, seed: int) -> Sample:
    """Draw games by the seed, of a strategy whose every game is known."""
    choose = make_drawing(exact.n, exact.weights)
    drawn = [choose(int(derive_key(seed, number))) for number in range(n)]
    return replace(exact, lengths=exact.lengths[drawn], seed=seed, weights=None)


def _simulate_online(
    game: Game,
    name: str,
    n: int,
    seed: int,
    tables: str | os.PathLike[str] | None,
    progress: Progress | None,
    workers: Workers | None,
) -> Sample:
    lengths = np.zeros(n, dtype=np.int64)
    tell = progress or (lambda _, __: None)
    started = time.perf_counter()
    start_online(name, game, seed, tables=tables)
    warm_up(name)
    warm = time.perf_counter()

    def make_sample() -> Sample:
        times = warm - started, time.perf_counter() - warm
        return Sample(game.name, name, lengths[lengths > 0], seed, *times)

    try:
        if workers is not None:
            play_games(workers, game, name, seed, tables, tell, lengths)
        for number in range(n if workers is None else 0):
            lengths[number] = play_game(game, name, seed, number, tables=tables)
            tell(number + 1, n)
    except KeyboardInterrupt as stop:
        if lengths.any():
            raise SampleInterrupt(make_sample()) from stop
        raise
    return make_sample()
