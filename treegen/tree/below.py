"""What is below each node: the number of states, the longest game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .tree import Tree


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
    sums = np.where(tree.is_winning, tree.lengths, 0)
    if tree.game.weights is not None:
        found = np.flatnonzero(tree.is_winning)
        sums[found] *= tree.game.weights[tree.guess[found]]
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
