"""How long games last: exactly, over every secret, or by a seeded sample."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..builder import build_tree
from ..errors import UsageError
from ..games import Game
from ..online import ONLINE, derive_key, draw_secret, play_online, start_online, warm_up
from ..strategies import Strategy, parse_strategy
from ..tree import Tree
from .intervals import half_width

Progress = Callable[[int, int], None]

RANDOM_TREES = 25
"""Trees, each of another seed, over which the sample of a random strategy goes."""


@dataclass(frozen=True)
class Sample:
    """Lengths of games, the winning guess counted.

    Attributes
    ----------
    game, strategy
        Names.
    lengths
        Of each game.
    seed
        From which secrets and random choices were drawn; None for one game with every secret.
    build_s, play_s
        Seconds spent before the first game, and in all games.
    n_trees
        Game i was played along tree i modulo this; None where each game is by itself.
    """

    game: str
    strategy: str
    lengths: NDArray[np.int64]
    seed: int | None
    build_s: float
    play_s: float
    n_trees: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether every secret was played once by a strategy without chance."""
        return self.seed is None

    @property
    def n(self) -> int:
        """Number of games."""
        return len(self.lengths)

    @cached_property
    def total(self) -> int:
        """Sum of all lengths."""
        return int(self.lengths.sum())

    @property
    def average(self) -> float:
        """Mean length."""
        return self.total / self.n

    @property
    def ci95(self) -> float:
        """Half-width of the 95 % confidence interval of the average; 0 when exact.

        Infinite for a single game or tree. Trees of a random strategy differ, so that games
        along one of them tell less than as many by themselves.
        """
        return 0.0 if self.is_exact else half_width(self.lengths, self.n_trees or self.n)

    @property
    def worst(self) -> int:
        """Longest game."""
        return int(self.lengths.max())

    @property
    def n_worst(self) -> int:
        """How many games last longest."""
        return self.histogram[-1]

    @cached_property
    def histogram(self) -> list[int]:
        """Games of each length 1 … worst."""
        counts: list[int] = np.bincount(self.lengths)[1:].tolist()
        return counts

    @property
    def time_per_game_s(self) -> float:
        """Seconds for one game, on average."""
        return self.play_s / self.n


def simulate(
    game: Game,
    strategy: str,
    n: int,
    seed: int = 0,
    *,
    jobs: int = 1,
    tables: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Sample:
    """Play `n` games against secrets drawn by the seed.

    Parameters
    ----------
    game
        The game.
    strategy
        Name of an online strategy, or name or chain of one that builds trees.
    n
        Number of games.
    seed
        Of the secrets and of all random choices.
    jobs
        Threads that build a tree.
    tables
        Folder of compiled arrangements, for the online strategy `permutation`.
    progress
        Called with the number of games played and of all.

    Raises
    ------
    UsageError
        `n` is not positive.
    StrategyError
        The strategy is unknown or does not fit the game.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> sample = simulate(parse_game("p20c20r"), "one-by-one", 5, seed=1)
    >>> sample.n, sample.worst <= 20 * 21
    (5, True)
    """
    if n < 1:
        raise UsageError(f"a sample has at least one game, not {n}")
    if strategy in ONLINE:
        return _simulate_online(game, strategy, n, seed, tables, progress)
    rule = parse_strategy(strategy, game)
    n_trees = 1 if rule.is_deterministic else min(n, RANDOM_TREES)
    started = time.perf_counter()
    lengths = [
        lengths_of(build_tree(game, _reseed(rule, seed, number), jobs=jobs))
        for number in range(n_trees)
    ]
    built = time.perf_counter()
    drawn = [
        lengths[number % n_trees][int(derive_key(seed, number)) % game.n_secrets]
        for number in range(n)
    ]
    played = time.perf_counter()
    groups = None if rule.is_deterministic else n_trees
    times = built - started, played - built
    return Sample(game.name, rule.name, np.array(drawn), seed, *times, n_trees=groups)


def count_exactly(game: Game, strategy: Strategy | str, *, jobs: int = 1) -> Sample:
    """Play every secret along the tree of a strategy without chance.

    Raises
    ------
    UsageError
        The strategy chooses at random: its average is that of its seed alone.
    """
    rule = parse_strategy(strategy, game) if isinstance(strategy, str) else strategy
    if not rule.is_deterministic:
        raise UsageError(f"{rule.name} chooses at random: sample it")
    started = time.perf_counter()
    tree = build_tree(game, rule, jobs=jobs)
    built = time.perf_counter()
    lengths = lengths_of(tree)
    played = time.perf_counter()
    return Sample(game.name, rule.name, lengths, None, built - started, played - built)


def compare(
    game: Game,
    strategies: Sequence[str],
    *,
    n: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Sample]:
    """Return the lengths of several strategies' games, exact wherever a tree tells.

    Parameters
    ----------
    game
        The game.
    strategies
        Names or chains.
    n, seed
        Of the samples of online and random strategies.
    jobs
        Threads that build a tree.
    progress
        Called with the number of strategies done and of all.
    """
    samples = []
    for number, name in enumerate(strategies):
        if progress is not None:
            progress(number, len(strategies))
        if name in ONLINE or not parse_strategy(name, game).is_deterministic:
            samples.append(simulate(game, name, n, seed, jobs=jobs))
        else:
            samples.append(count_exactly(game, name, jobs=jobs))
    return samples


def compare_openings(
    game: Game, strategies: Sequence[str], openings: Sequence[str], *, jobs: int = 1
) -> list[Sample]:
    """Return the exact lengths of each strategy without chance after each of some openings."""
    samples = []
    for name in strategies:
        for opening in openings:
            rule = parse_strategy(name, game)
            rule = replace(rule, opening=(opening,), name=f"{rule.name} first={opening}")
            samples.append(count_exactly(game, rule, jobs=jobs))
    return samples


def play_game(
    game: Game,
    name: str,
    seed: int,
    number: int,
    *,
    tables: str | os.PathLike[str] | None = None,
) -> int:
    """Return the length of one game of an online strategy's sample: number 0 is its first."""
    player = start_online(name, game, int(derive_key(seed, number, 1)), tables=tables)
    return play_online(player, draw_secret(game, seed, number))


def lengths_of(tree: Tree) -> NDArray[np.int64]:
    """Return the length of the game for each secret of a whole game's tree."""
    wins = tree.is_winning
    lengths = np.zeros(tree.game.n_secrets, dtype=np.int64)
    lengths[tree.guess[wins]] = tree.depth[wins].astype(np.int64) + 1
    return lengths


def _reseed(rule: Strategy, seed: int, number: int) -> Strategy:
    if rule.is_deterministic:
        return rule
    return replace(rule, seed=int(derive_key(seed, number)))


def _simulate_online(
    game: Game,
    name: str,
    n: int,
    seed: int,
    tables: str | os.PathLike[str] | None,
    progress: Progress | None,
) -> Sample:
    lengths = np.zeros(n, dtype=np.int64)
    started = time.perf_counter()
    start_online(name, game, seed, tables=tables)
    warm_up(name)
    warm = time.perf_counter()
    for number in range(n):
        lengths[number] = play_game(game, name, seed, number, tables=tables)
        if progress is not None:
            progress(number + 1, n)
    return Sample(game.name, name, lengths, seed, warm - started, time.perf_counter() - warm)
