"""The nodes below a node: a range on each level, found from the column first_child alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .tree import Tree


def iter_ranges(tree: Tree, node: int = 0) -> Iterator[tuple[int, int]]:
    """Yield for each level from a node down the first node below it, and the one past the last."""
    begin, end = node, node + 1
    while begin < end:
        yield begin, end
        begin, end = int(tree.first_child[begin]), int(tree.first_child[end])


def count_below(tree: Tree, node: int) -> int:
    """Return the number of states from a node down, itself included."""
    return sum(end - begin for begin, end in iter_ranges(tree, node))


def count_levels(tree: Tree, node: int) -> int:
    """Return the number of levels from a node down: the longest game that begins there."""
    return sum(1 for _ in iter_ranges(tree, node))


def list_subtree(tree: Tree, node: int) -> tuple[list[int], list[int], list[int]]:
    """Return guesses, responses and first children from a node down, numbered from 0."""
    ranges = list(iter_ranges(tree, node))
    guesses: list[int] = []
    responses: list[int] = []
    first = [1]
    for begin, end in ranges:
        guesses += tree.guess[begin:end].tolist()
        responses += tree.response[begin:end].tolist()
        # Renumbered: the children of this range stand behind all nodes that are listed so far.
        ends = tree.first_child[begin + 1 : end + 1].astype(np.int64) - tree.first_child[begin]
        first += (ends + first[-1]).tolist()
    return guesses, responses, first
