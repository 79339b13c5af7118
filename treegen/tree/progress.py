"""How fast the candidates decrease: states and candidates after each guess."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .pieces import iter_pieces, sum_candidates
from .tree import Tree


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """The states of a tree in which guess number `guess` is made.

    Attributes
    ----------
    guess
        Number of the guess, from 1.
    n_states
        States in which it is made.
    n_found
        Secrets that it finds.
    mean_left
        Candidates left after it, averaged over all secrets that are still in play.
    most_left
        Candidates left after it at worst; 0 if it always wins.
    """

    guess: int
    n_states: int
    n_found: int
    mean_left: float
    most_left: int


def summarize_levels(tree: Tree) -> list[LevelSummary]:
    """Return a summary of each guess number, from the first guess to the worst game's last."""
    rows = []
    starts = tree.level_starts
    for number, (begin, end) in enumerate(pairwise(starts), start=1):
        first, last = int(tree.first_child[begin]), int(tree.first_child[end])
        n_left, n_squared, most = _sum_cells(tree, first, last)
        in_play = sum_candidates(tree.n_candidates, begin, end)
        found = in_play - n_left
        mean = (found + n_squared) / in_play
        rows.append(LevelSummary(number, end - begin, found, mean, most))
    return rows


def _sum_cells(tree: Tree, begin: int, end: int) -> tuple[int, int, int]:
    """Return sum, sum of squares and largest of the candidates of some nodes."""
    total, squares, most = 0, 0, 0
    for first, last in iter_pieces(begin, end):
        sizes = tree.n_candidates[first:last].astype(np.int64)
        total += int(sizes.sum())
        squares += int((sizes * sizes).sum())
        most = max(most, int(sizes.max()))
    return total, squares, most
