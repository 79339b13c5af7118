"""How fast a tree closes in: states and candidates after each guess."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .tree import Tree


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """One guess number of a tree.

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
        Candidates left after it at worst; 0 when it always wins.
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
        below = tree.n_candidates[tree.first_child[begin] : tree.first_child[end]].astype(np.int64)
        found = int(np.count_nonzero(tree.is_winning[begin:end]))
        in_play = found + int(below.sum())
        mean = (found + int((below * below).sum())) / in_play
        rows.append(LevelSummary(number, end - begin, found, mean, int(below.max(initial=0))))
    return rows
