"""Game lengths: exactly, over every secret, or by a seeded sample."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from math import ceil, cos, isfinite, pi, sin, sqrt
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from .._options import check_keywords, check_seed, check_whole, describe_parameters
from .._printing import Block, Listed, Paragraph, Tabular, are_equal
from ..builder.grow import build_tree
from ..errors import Interrupted, MissingFolderError, TimeLimitError, TreeError, UsageError
from ..formats.inputs import GameOptions, GameSource, Notice, open_game
from ..games.base import Game
from ..games.eligible import Eligible
from ..games.names import from_description, parse_game
from ..games.rules import Weight, weigh, write_weights
from ..online.named import draw_secret, play_online, start_online, warm_up
from ..online.player import derive_key
from ..strategies.named import is_search, parse_strategy, plays_online
from ..strategies.strategy import Strategy, change_strategy, default_rule, parse_chain, parse_rule
from ..tasks.cluster import open_cluster
from ..tasks.run import Workers, run_tasks
from ..tasks.work import (
    PROCESS,
    OnProgress,
    ProgressOption,
    Stop,
    count_jobs,
    end_in_time,
    open_progress,
    report_count,
)
from ..tree.tree import Tree, tally, weigh_secrets
from ..tree.walk import replay
from .options import SIMULATE
from .statistics import count_in_shares

if TYPE_CHECKING:
    from ..exact.request import Watch

NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
MANY = 200
"""From here on three terms of the expansion of t are exact to six decimals."""


def half_width(lengths: NDArray[np.int64], n_groups: int) -> float:
    """Return the half-width of the 95 % confidence interval of an average.

    Game i belongs to group i modulo `n_groups`. Groups are independent of each other, the games of
    one need not be; if all games are independent, there are as many groups as games. The result is
    t-quantile times standard error, from the deviations of whole groups (the linearised ratio
    estimator, as groups need not be equally large); infinite for a single group. W. G. Cochran,
    *Sampling Techniques*, 3rd edition (1977), chapter 9A.

    >>> round(half_width(np.array([2, 4, 2, 4]), 4), 3), round(half_width(np.array([2, 4] * 9), 2))
    (1.837, 13)
    """
    if n_groups < 2:
        return float("inf")
    groups = np.arange(len(lengths)) % n_groups
    deviations = np.bincount(groups, lengths - lengths.mean(), n_groups)
    variance = n_groups / (n_groups - 1) * float((deviations**2).sum()) / len(lengths) ** 2
    return t_quantile(n_groups - 1) * sqrt(variance)


@lru_cache(maxsize=64)
def t_quantile(n_free: int) -> float:
    """Return the 97.5 % quantile of Student's t with `n_free` degrees of freedom.

    Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964), 26.7.3, 26.7.4, 26.7.5.

    >>> [round(t_quantile(n_free), 3) for n_free in (1, 2, 24, 99, 10_000)]
    [12.706, 4.303, 2.064, 1.984, 1.96]
    """
    if n_free > MANY:
        cubic = (NORMAL**3 + NORMAL) / (4 * n_free)
        return NORMAL + cubic + (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / (96 * n_free**2)
    # The share grows with the angle, and t with its tangent; 60 halvings use up a float's digits.
    low, high = 0.0, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _central_share(middle, n_free) < 0.95 else (low, middle)
    return sqrt(n_free) * sin(low) / cos(low)


def _central_share(angle: float, n_free: int) -> float:
    """Return the probability that ``|t| < sqrt(n_free) * tan(angle)``."""
    is_odd = n_free % 2
    term = cos(angle) if is_odd else 1.0
    total = term if n_free > 1 else 0.0
    for step in range(2 + is_odd, n_free, 2):
        term *= cos(angle) ** 2 * (step - 1) / step
        total += term
    return (angle + sin(angle) * total) * 2 / pi if is_odd else sin(angle) * total


@dataclass(frozen=True)
class Sample(Tabular, Listed[int]):
    """Lengths of games, including the winning guess.

    Attributes
    ----------
    game, strategy
        Names.
    lengths
        Of each game.
    seed
        Seed of the secrets and random choices; None for one game with every secret.
    build_s, play_s
        Seconds spent before the first game, and in all games.
    n_trees
        Game i was played along tree i modulo this; None if games are independent.
    bound
        Proved lower bound of the total, if a search made the tree.
    source
        The file that the tree was read from, if it was.
    weights
        What each game counts; None: 1 each. Where answers are uncertain, a secret has a game for
        each way in which it is found, with its share.
    unit
        How many of `weights` weigh 1, where answers are uncertain; else 1.

    Examples
    --------
    >>> import treegen
    >>> sample = treegen.simulate("p4c6r", "knuth", n=20, seed=1)
    >>> sample.n, sample.worst
    (20, 5)
    """

    game: str
    strategy: str
    lengths: NDArray[np.int64]
    seed: int | None
    build_s: float = field(compare=False)
    play_s: float = field(compare=False)
    n_trees: int | None = None
    bound: Weight | None = None
    source: str | None = None
    weights: NDArray[np.int64] | None = None
    unit: int = 1

    def __eq__(self, other: object) -> bool:
        """Whether all but the seconds is the same, by value."""
        return are_equal(self, other)

    def _list(self) -> Sequence[int]:
        lengths: list[int] = self.lengths.tolist()
        return lengths

    @property
    def label(self) -> str:
        """Its name in a comparison: its file, or its strategy."""
        return self.source or self.strategy

    @property
    def is_exact(self) -> bool:
        """Whether every secret was played once by a deterministic strategy."""
        return self.seed is None

    @property
    def n(self) -> int:
        """Number of games."""
        return len(self.lengths)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """What each game counts, int64[n], in shares."""
        return np.ones(self.n, dtype=np.int64) if self.weights is None else self.weights

    @property
    def total(self) -> Weight:
        """Sum of all lengths, by weight; a Fraction where answers are uncertain."""
        return weigh(int((self.lengths * self.counts).sum()), self.unit)

    @property
    def average(self) -> float:
        """Mean length."""
        return int((self.lengths * self.counts).sum()) / int(self.counts.sum())

    @property
    def ci95(self) -> float:
        """Half-width of the 95 % confidence interval of the average; 0 if exact.

        Infinite for a single game or tree. Trees of a random strategy differ, so games along one of
        them give less information than as many independent ones.
        """
        return 0.0 if self.is_exact else half_width(self.lengths, self.n_trees or self.n)

    @property
    def worst(self) -> int:
        """Longest game."""
        return int(self.lengths.max())

    @property
    def n_worst(self) -> Weight:
        """How many games are the longest, or their weight."""
        return weigh(int(self.counts[self.lengths == self.worst].sum()), self.unit)

    @cached_property
    def histogram(self) -> list[Weight]:
        """Games of each length 1 … worst, or their weights."""
        return [weigh(count, self.unit) for count in tally(self.lengths, self.counts)]

    @property
    def time_per_game_s(self) -> float:
        """Seconds for one game, on average."""
        return self.play_s / self.n

    columns = (
        *("game", "strategy", "exact", "n", "seed", "total", "average", "ci95", "worst"),
        *("n_worst", "histogram", "build_s", "time_per_game_s", "bound", "source"),
    )

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON.

        `seed` is None if it is exact, `ci95` if a single game (or tree) says nothing about it,
        `bound` if nothing is proved about the total, `source` if no file was read.
        """
        return count_in_shares(self.list_rows()[0], self.unit)

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record of the statistics; sums of weights may be fractions."""
        own = {
            "exact": self.is_exact,
            "ci95": self.ci95 if isfinite(self.ci95) else None,
            "build_s": round(self.build_s, 4),
        }
        return [{name: own[name] if name in own else getattr(self, name) for name in self.columns}]

    def describe(self) -> Iterator[Block]:
        """Yield the statistics, one a line."""
        rows = {
            "game": self.game,
            "strategy": self.strategy,
            "games": str(self.n) if self.is_exact else f"{self.n} (seed {self.seed})",
            "average": format_average(self),
            "worst": str(self.worst),
            "histogram": format_histogram(self),
            "time": f"{self.time_per_game_s:.3g} s a game",
        }
        for name, value in rows.items():
            yield Paragraph(value, f"{name:10} ", self.histogram if name == "histogram" else ())


class SampleInterrupt(KeyboardInterrupt):
    """Ctrl-C, with the sample of the games played before it, at least one."""

    def __init__(self, sample: Sample) -> None:
        super().__init__()
        self.sample = sample


def format_average(sample: Sample) -> str:
    """Format an average: with four digits if exact, otherwise with its confidence interval."""
    if sample.is_exact:
        return f"{sample.average:.4f}"
    half_width = f"{sample.ci95:.2f}" if isfinite(sample.ci95) else "?"
    return f"{sample.average:.2f} ± {half_width}"


def format_histogram(sample: Sample, width: int = 40) -> str:
    """Format the number of games of each length, or the range of their middle half."""
    text = write_weights(sample.histogram)
    if len(text) <= width:
        return text
    lengths = sorted(sample.lengths.tolist())
    low, high = lengths[sample.n // 4], lengths[(3 * sample.n) // 4]
    return f"{lengths[0]} … {low} … {high} … {lengths[-1]} (quartiles)"


CHUNK_S = 0.5
"""Seconds that the games of a task take, estimated from the first game."""

Counted = tuple[NDArray[np.int64], NDArray[np.int64] | None, float, float]
"""Length of each game and what it counts (None: 1 each); seconds to build the tree and to count."""


def play_game(
    game: Game,
    name: str,
    seed: int,
    number: int,
    *,
    tables: str | os.PathLike[str] | None = None,
) -> int:
    """Return the length of one game of an online strategy's sample, which are numbered from 0."""
    player = start_online(name, game, int(derive_key(seed, number, 1)), tables=tables)
    return play_online(player, draw_secret(game, seed, number))


def play_chunk(
    description: str, name: str, seed: int, first: int, last: int, tables: str | None
) -> list[int]:
    """Return the lengths of the games `first` to `last - 1` of a sample."""
    game = from_description(json.loads(description))
    warm_up(name)
    return [play_game(game, name, seed, number, tables=tables) for number in range(first, last)]


@cache
def load_builder() -> None:
    """Load or compile the kernels that build trees of peg games, before a build is timed."""
    build_tree(parse_game("p2c2r"), parse_chain("max"))


def count_tree(game: Game, rule: Strategy, jobs: int = 1) -> Counted:
    """Build the tree of a strategy and return the lengths of its games."""
    load_builder()
    started = time.perf_counter()
    tree = build_tree(game, rule, jobs=jobs)
    built = time.perf_counter()
    games = list_games(tree)
    return *games, built - started, time.perf_counter() - built


def count_rule(description: str, rule: str) -> Counted:
    """Do the work of `count_tree` for a game and a strategy given as text."""
    return count_tree(from_description(json.loads(description)), parse_rule(rule))


def count_trees(
    game: Game, rules: Sequence[Strategy], *, jobs: int = 1, workers: Workers | None = None
) -> Iterator[tuple[int, Counted]]:
    """Yield a strategy's index and the result of `count_tree` for it, as each is done.

    With workers each tree is a task, and the indices come in any order.
    """
    if workers is None:
        for number, rule in enumerate(rules):
            yield number, count_tree(game, rule, jobs)
        return
    description = json.dumps(game.description)
    tasks = ((number, (description, rule.rule)) for number, rule in enumerate(rules))
    yield from run_tasks(workers, count_rule, tasks)


def lengths_of(tree: Tree) -> NDArray[np.int64]:
    """Return the length of the game for each secret of a whole game's tree, -1 if it has none."""
    wins = tree.is_winning
    lengths = np.full(tree.game.n_secrets, -1, dtype=np.int64)
    lengths[tree.guess[wins]] = tree.lengths[wins]
    return lengths


def list_games(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the length of each game of a whole game's tree, and what it counts; None: 1 each.

    Each secret has one game; where answers are uncertain, one for each way in which it is found.

    >>> [numbers.tolist() for numbers in list_games(build_tree(
    ...     parse_game("p2c2r").with_stakes([3, 1, 2, 0]), parse_chain("max")
    ... ))]
    [[1, 2, 3, 2], [3, 1, 2, 0]]
    """
    if tree.game.rules.shares is None:
        return lengths_of(tree), tree.game.weights
    found = []
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        nodes = np.repeat(np.arange(first, first + len(states.sizes)), states.sizes)
        is_found = tree.is_leaf[nodes] | (tree.guess[nodes] == states.candidates)
        shares = weigh_secrets(tree.game, states.candidates, states.shares)
        columns = states.candidates, tree.lengths[nodes], shares
        found.append(np.stack([column[is_found] for column in columns]))
    codes, lengths, shares = np.concatenate(found, axis=1)
    order = np.argsort(codes, kind="stable")
    return lengths[order], shares[order]


def make_drawing(n_secrets: int, weights: NDArray[np.int64] | None) -> Callable[[int], int]:
    """Return the function that turns a key, 64 random bits, into a secret.

    Secrets are drawn by `weights`, or all alike: so a plain average of games estimates the weighted
    one, and so does its confidence interval.

    >>> draw = make_drawing(3, np.array([2, 0, 1]))
    >>> [draw(key) for key in range(6)]
    [0, 0, 2, 0, 0, 2]
    """
    if weights is None:
        return lambda key: key % n_secrets
    ends = np.cumsum(weights)
    # Each secret has as many numbers as it weighs, up to but without its end.
    return lambda key: int(np.searchsorted(ends, key % int(ends[-1]), side="right"))


RANDOM_TREES = 25
"""Trees, each with its own seed, along which a sample of a random strategy is played."""


def play_sample(
    game: Game,
    strategy: str,
    n: int,
    seed: int = 0,
    *,
    eligible: str | None = None,
    jobs: int = 1,
    tables: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    workers: Workers | None = None,
) -> Sample:
    """Play `n` games against secrets drawn by the seed, each as often as it weighs.

    `strategy` names an online strategy, a search, or a rule, or is a chain; `tables` is the folder
    of compiled arrangements for ``permutation``. `workers` play the games or build the trees; None:
    this process. No length depends on it. UsageError and StrategyError if something does not fit;
    SampleInterrupt if Ctrl-C comes after at least one game.
    """
    check_whole(n=n)
    check_seed(seed)
    if plays_online(strategy):
        refuse_eligible(strategy, eligible)
        return _simulate_online(game, strategy, n, seed, tables, on_progress, workers)
    if is_search(strategy):  # every game is known
        exact = count_search(game, strategy, eligible=eligible, jobs=jobs)
        choose = make_drawing(exact.n, exact.weights)
        drawn = [choose(int(derive_key(seed, number))) for number in range(n)]
        lengths = exact.lengths[drawn]
        return replace(exact, lengths=lengths, seed=seed, weights=None, unit=1, bound=None)
    rule = change_strategy(parse_strategy(strategy, game), eligible=eligible)
    return _simulate_trees(game, rule, n, seed, jobs, workers)


def refuse_eligible(strategy: str, eligible: str | None) -> None:
    """Raise UsageError if `eligible` is given with an online strategy."""
    if eligible is not None:
        raise UsageError(f"`eligible` works only with rules and searches; {strategy} is neither")


def count_exactly(game: Game, strategy: Strategy | str, *, jobs: int = 1) -> Sample:
    """Play every secret along the tree of a strategy; raise UsageError for a random one."""
    rule = parse_strategy(strategy, game)
    return count_all(game, [rule], jobs=jobs)[0]


def count_all(
    game: Game, rules: Sequence[Strategy], *, jobs: int = 1, workers: Workers | None = None
) -> list[Sample]:
    """Play every secret along the trees of strategies; raise UsageError if one is random."""
    for rule in rules:
        if not rule.is_deterministic:
            raise UsageError(f"{rule.name} chooses at random: sample it")
    counted = sorted(count_trees(game, rules, jobs=jobs, workers=workers))  # as they were given
    return [
        _make_exact(game, rules[number].name, lengths, weights, build_s, play_s)
        for number, (lengths, weights, build_s, play_s) in counted
    ]


def _make_exact(game: Game, strategy: str, *counted: *Counted) -> Sample:
    """Return the sample of all games along a tree."""
    lengths, weights, build_s, play_s = counted
    unit = game.rules.share_unit
    return Sample(game.name, strategy, lengths, None, build_s, play_s, weights=weights, unit=unit)


def count_search(
    game: Game,
    name: str,
    *,
    eligible: str | None = None,
    jobs: int = 1,
    watch: Watch | None = None,
) -> Sample:
    """Play every secret along the tree that a search finds, ``optimal`` or ``best``.

    `watch` is called several times a second with the search's progress; True ends it, and the best
    tree so far counts.
    """
    from ..exact.request import SearchControl, SearchSpec
    from ..exact.run import run_search

    started = time.perf_counter()
    spec = SearchSpec(eligible=eligible or "all")
    control = SearchControl(jobs=jobs, watch=watch, keep_best=watch is not None)
    tree = run_search(game, name, spec, control)
    return replace(sample_tree(tree), build_s=time.perf_counter() - started)


def sample_tree(tree: Tree) -> Sample:
    """Return the lengths of the games along a finished tree of a whole game.

    UsageError if the tree starts mid-game, TreeError if it does not find every secret.
    """
    game, name = tree.game, tree.provenance.strategy
    if tree.provenance.history:
        raise UsageError(f"{name} starts mid-game: only trees of whole games are compared")
    started = time.perf_counter()
    lengths, weights = list_games(tree)
    n_found = int(np.count_nonzero(lengths >= 0))
    if n_found < len(lengths):
        raise TreeError(f"{name} finds {n_found} of {len(lengths)} secrets")
    played = time.perf_counter() - started
    return replace(
        _make_exact(game, name, lengths, weights, 0.0, played), bound=tree.provenance.bound
    )


def _simulate_trees(
    game: Game, rule: Strategy, n: int, seed: int, jobs: int, workers: Workers | None
) -> Sample:
    """Play a sample along one tree, or along several of a random strategy."""
    n_trees = 1 if rule.is_deterministic else min(n, RANDOM_TREES)
    if workers is None:
        load_builder()
    started = time.perf_counter()
    rules = [rule]
    if not rule.is_deterministic:
        seeds = (int(derive_key(seed, number)) for number in range(n_trees))
        rules = [replace(rule, seed=own) for own in seeds]
    games: dict[int, tuple[NDArray[np.int64], Callable[[int], int]]] = {}
    drawn: list[int] = []
    built = started

    def draw() -> None:
        nonlocal built
        built = time.perf_counter()
        for number in range(n):
            if number % n_trees in games:  # all of them, unless Ctrl-C came
                lengths, choose = games[number % n_trees]
                drawn.append(int(lengths[choose(int(derive_key(seed, number)))]))

    def make_sample() -> Sample:
        times = built - started, time.perf_counter() - built
        # Without the unfinished trees, games of one tree are still equally far apart.
        groups = None if rule.is_deterministic else len(games)
        return Sample(game.name, rule.name, np.array(drawn), seed, *times, n_trees=groups)

    try:
        for number, counted in count_trees(game, rules, jobs=jobs, workers=workers):
            lengths, weights, *_ = counted
            games[number] = lengths, make_drawing(len(lengths), weights)
        draw()
    except KeyboardInterrupt as stop:
        if games and not drawn:
            PROCESS.announce_saving()
            draw()
        if drawn:
            raise SampleInterrupt(make_sample()) from stop
        raise
    return make_sample()


def _simulate_online(
    game: Game,
    name: str,
    n: int,
    seed: int,
    tables: str | os.PathLike[str] | None,
    on_progress: OnProgress | None,
    workers: Workers | None,
) -> Sample:
    lengths = np.zeros(n, dtype=np.int64)
    started = time.perf_counter()
    start_online(name, game, seed, tables=tables)  # refuses what does not fit, before any game
    warm_up(name)
    warm = time.perf_counter()

    def make_sample() -> Sample:
        times = warm - started, time.perf_counter() - warm
        return Sample(game.name, name, lengths[lengths > 0], seed, *times)  # 0: not played

    try:
        if workers is None:
            for number in range(n):
                PROCESS.check_stop()
                lengths[number] = play_game(game, name, seed, number, tables=tables)
                report_count(on_progress, "games", number + 1, n)
        else:
            # A game depends only on the seed and its number: the chunks change nothing. The first
            # game, played here, says how many others a chunk may have.
            lengths[0] = play_game(game, name, seed, 0, tables=tables)
            most = ceil(n / max(1, workers.count()))
            size = min(most, ceil(CHUNK_S / max(time.perf_counter() - warm, 1e-6)))
            description, folder = json.dumps(game.description), tables and os.fspath(tables)
            chunks = [(first, min(first + size, n)) for first in range(1, n, size)]
            tasks = ((chunk, (description, name, seed, *chunk, folder)) for chunk in chunks)
            n_done = 1
            for (first, last), found in run_tasks(workers, play_chunk, tasks):
                lengths[first:last] = found
                n_done += last - first
                report_count(on_progress, "games", n_done, n)
    except KeyboardInterrupt as stop:
        if lengths.any():
            raise SampleInterrupt(make_sample()) from stop
        raise
    return make_sample()


@partial(describe_parameters, declared=SIMULATE)
def simulate(
    game: GameSource,
    strategy: str | None = None,
    *,
    eligible: Eligible | None = None,
    n: int = 100,
    seed: int = 0,
    tables: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    scheduler: str | None = None,
    patience: float | None = None,
    jobs: int | None = 1,
    progress: ProgressOption = None,
    notice: Notice | None = None,
    **rules: Unpack[GameOptions],
) -> Sample:
    """Play games against secrets drawn by a seed, with codes of any length.

    Parameters
    ----------
    game
        A game, its name, or the path of a codebook.
    {options}
    eligible, scheduler, patience, jobs, progress, notice, **rules
        See `build`.

    Raises
    ------
    StrategyError, GameError, UsageError
        The strategy or the game is unknown, or an option does not fit.
    TimeLimitError
        The time limit was over before a game was.
    Interrupted
        Ctrl-C; its `result` is the sample of the games that are over.

    Examples
    --------
    >>> import treegen
    >>> sample = treegen.simulate("p20c20r", "one-by-one", n=5, seed=1)
    >>> sample.n, sample.worst <= 20 * 21
    (5, True)
    """
    check_keywords(simulate, rules, GameOptions)
    check_whole(n=n, jobs=jobs)  # before kernels are compiled
    value = open_game(game, notice=notice, **rules)
    if tables is not None and not os.path.exists(tables):  # noqa: PTH110
        raise MissingFolderError(f"the folder {os.fspath(tables)!r:.300} does not exist")
    plays_adaptively = value.rules.symmetry.colors and value.rules.has_white
    usual = "adaptive" if plays_adaptively else default_rule(value)
    name = usual if strategy is None else strategy
    if not isinstance(name, str):
        raise UsageError(
            f"a name or a chain is simulated, not {name!r:.80}; compare takes any strategy's tree"
        )
    try:
        with (
            end_in_time(Stop(time_limit)),
            open_cluster(scheduler, patience, notice) as workers,
            open_progress(progress, f"{value.name} {name}") as on_progress,
        ):
            return play_sample(
                value,
                name,
                n,
                seed,
                eligible=eligible,
                jobs=count_jobs(jobs),
                tables=tables,
                on_progress=on_progress,
                workers=workers,
            )
    except TimeLimitError as stop:  # a limit ends the games as Ctrl-C does, which is its cause
        if isinstance(stop.__cause__, SampleInterrupt):
            return stop.__cause__.sample
        raise TimeLimitError(str(stop), "no game was finished") from stop
    except SampleInterrupt as stop:
        raise Interrupted(stop.sample) from stop
