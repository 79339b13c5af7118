"""Lengths of games as a value: statistics, JSON, text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._printing import Block, Paragraph, Printable
from ..tree import tally
from .intervals import half_width


@dataclass(frozen=True)
class Sample(Printable):
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
        What each game counts; None: 1 each.

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
    build_s: float
    play_s: float
    n_trees: int | None = None
    bound: int | None = None
    source: str | None = None
    weights: NDArray[np.int64] | None = None

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
    def total(self) -> int:
        """Sum of all lengths, each as often as it counts."""
        if self.weights is not None:
            return int((self.lengths * self.weights).sum())
        return int(self.lengths.sum())

    @property
    def average(self) -> float:
        """Mean length."""
        return self.total / (self.n if self.weights is None else int(self.weights.sum()))

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
    def n_worst(self) -> int:
        """How many games last longest, or what they count."""
        if self.histogram:
            return self.histogram[-1]
        return self.n if self.weights is None else int(self.weights.sum())

    @cached_property
    def histogram(self) -> list[int]:
        """Games of each length 1 … worst, or what they count."""
        if self.weights is not None:
            return tally(self.lengths, self.weights)
        counts: list[int] = np.bincount(self.lengths)[1:].tolist()
        return counts

    @property
    def time_per_game_s(self) -> float:
        """Seconds for one game, on average."""
        return self.play_s / self.n

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON.

        `seed` is None if it is exact, `ci95` if a single game (or tree) says nothing about it,
        `bound` if nothing is proved about the total, `source` if no file was read.
        """
        return {
            "game": self.game,
            "strategy": self.strategy,
            "exact": self.is_exact,
            "n": self.n,
            "seed": self.seed,
            "total": self.total,
            "average": self.average,
            "ci95": self.ci95 if isfinite(self.ci95) else None,
            "worst": self.worst,
            "n_worst": self.n_worst,
            "histogram": self.histogram,
            "build_s": round(self.build_s, 4),
            "time_per_game_s": self.time_per_game_s,
            "bound": self.bound,
            "source": self.source,
        }

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
            yield Paragraph(value, f"{name:10} ")


class SampleInterrupt(KeyboardInterrupt):
    """Ctrl-C, with the games played before it.

    Attributes
    ----------
    sample
        The games played, at least one.
    """

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
    text = "/".join(map(str, sample.histogram))
    if len(text) <= width:
        return text
    lengths = sorted(sample.lengths.tolist())
    low, high = lengths[sample.n // 4], lengths[(3 * sample.n) // 4]
    return f"{lengths[0]} … {low} … {high} … {lengths[-1]} (quartiles)"
