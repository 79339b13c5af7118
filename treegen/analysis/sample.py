"""How long games last: exactly, over every secret, or by a seeded sample."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..games import Game
from ..online import ONLINE, derive_key, start_online, warm_up
from ..strategies import Strategy, parse_strategy
from ..tasks import Workers
from .games import count_trees, lengths_of, load_builder, play_game, play_games
from .intervals import half_width

__all__ = [
    "Sample",
    "compare",
    "compare_openings",
    "count_exactly",
    "lengths_of",
    "play_game",
    "simulate",
]

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
    workers: Workers | None = None,
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
    workers
        Who plays the games, or builds the trees; None: this process. No length depends on it.

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
        return _simulate_online(game, strategy, n, seed, tables, progress, workers)
    rule = parse_strategy(strategy, game)
    n_trees = 1 if rule.is_deterministic else min(n, RANDOM_TREES)
    if workers is None:
        load_builder()
    started = time.perf_counter()
    rules = [_reseed(rule, seed, number) for number in range(n_trees)]
    lengths = [found for found, _, _ in count_trees(game, rules, jobs=jobs, workers=workers)]
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
    return _count_all(game, [rule], jobs, None)[0]


def compare(
    game: Game,
    strategies: Sequence[str],
    *,
    n: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    workers: Workers | None = None,
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
    workers
        Who plays the games and builds the trees, one a task; None: this process.
    """
    samples = []
    rules = [parse_strategy(name, game) for name in strategies if name not in ONLINE]
    exact = [rule for rule in rules if rule.is_deterministic]
    counted = iter(_count_all(game, exact, jobs, workers)) if workers is not None else None
    for number, name in enumerate(strategies):
        if progress is not None:
            progress(number, len(strategies))
        if name in ONLINE or not parse_strategy(name, game).is_deterministic:
            samples.append(simulate(game, name, n, seed, jobs=jobs, workers=workers))
        elif counted is not None:
            samples.append(next(counted))
        else:
            samples.append(count_exactly(game, name, jobs=jobs))
    return samples


def compare_openings(
    game: Game,
    strategies: Sequence[str],
    openings: Sequence[str],
    *,
    jobs: int = 1,
    workers: Workers | None = None,
) -> list[Sample]:
    """Return the exact lengths of each strategy without chance after each of some openings."""
    rules = [
        replace(rule, opening=(opening,), name=f"{rule.name} first={opening}")
        for rule in (parse_strategy(name, game) for name in strategies)
        for opening in openings
    ]
    return _count_all(game, rules, jobs, workers)


def _count_all(
    game: Game, rules: Sequence[Strategy], jobs: int, workers: Workers | None
) -> list[Sample]:
    """Return the exact lengths of strategies without chance."""
    for rule in rules:
        if not rule.is_deterministic:
            raise UsageError(f"{rule.name} chooses at random: sample it")
    counted = count_trees(game, rules, jobs=jobs, workers=workers)
    return [
        Sample(game.name, rule.name, lengths, None, build_s, play_s)
        for rule, (lengths, build_s, play_s) in zip(rules, counted, strict=True)
    ]


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
    workers: Workers | None,
) -> Sample:
    lengths = np.zeros(n, dtype=np.int64)
    tell = progress or (lambda _, __: None)
    started = time.perf_counter()
    start_online(name, game, seed, tables=tables)
    warm_up(name)
    warm = time.perf_counter()
    if workers is not None:
        lengths = play_games(workers, game, name, seed, n, tables, tell)
    for number in range(n if workers is None else 0):
        lengths[number] = play_game(game, name, seed, number, tables=tables)
        tell(number + 1, n)
    return Sample(game.name, name, lengths, seed, warm - started, time.perf_counter() - warm)
