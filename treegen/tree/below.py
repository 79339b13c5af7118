"""What is below each node: the number of states, the longest game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .tree import Tree
from .weighted import sum_path_costs


def count_states(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the number of states from it down, itself included."""
    counts = np.ones(tree.n_nodes, dtype=np.int64)
    for nodes, begins in _parents_by_level(tree):
        # The children of a level's parents follow each other without a gap: one reduceat, whose
        # last segment ends at `stop`, sums them all.
        stop = int(tree.first_child[nodes[-1] + 1])
        start = int(begins[0])
        counts[nodes] += np.add.reduceat(counts[start:stop], begins - start)
    return counts


def find_longest(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the longest game through it, counted from the tree's root."""
    longest = tree.lengths.copy()
    for nodes, begins in _parents_by_level(tree):
        stop = int(tree.first_child[nodes[-1] + 1])
        start = int(begins[0])
        longest[nodes] = np.maximum.reduceat(longest[start:stop], begins - start)
    return longest


def sum_lengths(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the sum of the lengths of all games through it, from the root.

    Each game counts what its secret weighs.
    """
    return _sum_below(tree, np.where(tree.is_winning, tree.lengths, 0) * _weigh_wins(tree))


def measure_states(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each node the total and the worst of the tree that begins there.

    What the guesses before a state cost is in neither.

    Examples
    --------
    >>> from treegen.api import build
    >>> [figures.tolist() for figures in measure_states(build("p2c2r"))]
    [[8, 1, 3, 1], [3, 1, 2, 1]]
    """
    before = sum_path_costs(tree)
    totals = sum_lengths(tree) - before * _sum_below(tree, _weigh_wins(tree))
    return totals, find_longest(tree) - before


def average_lengths(tree: Tree) -> NDArray[np.float64]:
    """Return for each node the mean length of the games through it, from the root, by weight.

    Where no secret below weighs anything, each counts 1.
    """
    lengths = np.where(tree.is_winning, tree.lengths, 0)
    plain: NDArray[np.float64] = _sum_below(tree, lengths) / tree.n_candidates
    if tree.game.weights is None:
        return plain
    weights = _sum_below(tree, _weigh_wins(tree))
    return np.where(weights > 0, sum_lengths(tree) / np.maximum(weights, 1), plain)


def _weigh_wins(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the weight of the secret that is found there, 0 where none is."""
    found = np.flatnonzero(tree.is_winning)
    weights = np.zeros(tree.n_nodes, dtype=np.int64)
    weights[found] = 1 if tree.game.weights is None else tree.game.weights[tree.guess[found]]
    return weights


def _sum_below(tree: Tree, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each node the sum of a value over it and all below it."""
    sums = values.astype(np.int64)
    for nodes, begins in _parents_by_level(tree):
        stop = int(tree.first_child[nodes[-1] + 1])
        start = int(begins[0])
        sums[nodes] += np.add.reduceat(sums[start:stop], begins - start)
    return sums


def find_largest_cell(tree: Tree) -> NDArray[np.int64]:
    """Return for each node the candidates of its largest child; 0 at a leaf."""
    largest = np.zeros(tree.n_nodes, dtype=np.int64)
    for nodes, begins in _parents_by_level(tree):
        stop = int(tree.first_child[nodes[-1] + 1])
        start = int(begins[0])
        largest[nodes] = np.maximum.reduceat(tree.n_candidates[start:stop], begins - start)
    return largest


def _parents_by_level(tree: Tree) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int32]]]:
    """Yield, from the last level up, the nodes that have children and their first children."""
    starts = tree.level_starts
    for start, stop in zip(starts[-2::-1], starts[:0:-1], strict=True):
        first = tree.first_child[start : stop + 1]
        nodes = start + np.flatnonzero(first[1:] > first[:-1])
        if len(nodes):
            yield nodes, tree.first_child[nodes]
