"""Histograms of games with weights or costs: what each found secret counts, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..games import Game, Goal
from .tree import Tree


def sum_path_costs(tree: Tree) -> NDArray[np.int64]:
    """Return for each node what the guesses before it cost together.

    Examples
    --------
    >>> from treegen import build
    >>> sum_path_costs(build("p2c2r")).tolist()
    [0, 1, 1, 2]
    """
    costs = tree.game.costs[tree.guess]
    before = np.zeros(tree.n_nodes, dtype=np.int64)
    # Parents come first, level by level: each level reads the one above it.
    for begin, end in pairwise(tree.level_starts[1:]):
        parents = tree.parent[begin:end]
        before[begin:end] = before[parents] + costs[parents]
    return before


def sum_game_costs(tree: Tree) -> NDArray[np.int64]:
    """Return for each node what the game costs that ends there, where one does."""
    last = tree.game.costs[tree.guess]
    if tree.game.goal == Goal.IDENTIFY:
        last[tree.is_leaf] = 0  # it is announced, not guessed
    return sum_path_costs(tree) + last


def count_weights(tree: Tree) -> list[int]:
    """Return the weight of the secrets found at cost 1, 2, 3 … worst."""
    found = np.flatnonzero(tree.is_winning)
    return tally(tree.lengths[found], weigh_secrets(tree.game, tree.guess[found]))


def weigh_secrets(game: Game, secrets: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return what finding each of some secrets counts."""
    weights = game.weights
    return np.ones(len(secrets), dtype=np.int64) if weights is None else weights[secrets]


def tally(lengths: NDArray[np.int64], counts: NDArray[np.int64]) -> list[int]:
    """Return a histogram, from length 1 on, of lengths and what each of them counts.

    Examples
    --------
    >>> tally(np.array([1, 3, 3]), np.array([5, 2, 1]))
    [5, 0, 3]
    """
    histogram = np.zeros(int(lengths.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(histogram, lengths, counts)  # bincount would add floats
    counted: list[int] = histogram[1:].tolist()
    return counted


def iter_lengths(histogram: list[int]) -> Iterator[tuple[int, int]]:
    """Yield length and count of a histogram's entries that are not 0, and the last one.

    Examples
    --------
    >>> list(iter_lengths([0, 5, 0, 0]))
    [(2, 5), (4, 0)]
    """
    for length, count in enumerate(histogram, start=1):
        if count or length == len(histogram):
            yield length, count
