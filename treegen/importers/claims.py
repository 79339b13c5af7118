"""What a text claims about its tree, compared with the tree read: statistics, short forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..tree import Tree, find_longest, sum_lengths
from .sketch import Claim, Sketch

TOLERANCE = 5e-5
"""An average is compared as printed, with at least four decimals."""


class Doubts:
    """Untrusted short forms that turned out to be wrong."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.wins: set[int] = set()
        self.cells: set[int] = set()

    def is_about_win(self, state: int) -> bool:
        """Record a wrong claim about a state's win; return whether it is tolerated."""
        return self._note(state, self.sketch.doubtful.wins, self.wins)

    def is_about_cells(self, state: int) -> bool:
        """Record a wrong claim about cells left out; return whether it is tolerated."""
        return self._note(state, self.sketch.doubtful.cells, self.cells)

    def describe(self) -> Iterator[str]:
        """Yield a sentence for each kind of claim that was tolerated."""
        for states, told in (
            (self.wins, "though g cannot win: read as n (g*)"),
            (self.cells, "though a cell holds two: read as n (gx)"),
        ):
            if states:
                first = self.sketch.locate(self.sketch.place[min(states)])
                kind = "state is" if len(states) == 1 else "states are"
                yield f"{len(states)} {kind} written n (g) {told}; the first at {first}"

    @staticmethod
    def _note(state: int, doubtful: set[int], wrong: set[int]) -> bool:
        if state in doubtful:
            wrong.add(state)
        return state in doubtful


def check_claims(sketch: Sketch, tree: Tree, states: NDArray[np.int64]) -> None:
    """Compare what a text says of its tree and of single states with the facts.

    Parameters
    ----------
    sketch
        The text's states and claims.
    tree
        The tree that was read.
    states : int64[n_nodes]
        For each node its state in the sketch, `Sketch.NULL` where the text leaves it out.

    Raises
    ------
    FormatError
        A claim is wrong; the message says where it is.
    """
    for name, claim in sketch.claims.items():
        _compare(sketch, name, claim, getattr(tree, name), "its tree")
    if not sketch.claims_of:
        return
    facts = _Facts(tree)
    for node, state in enumerate(states.tolist()):
        for name, claim in sketch.claims_of.get(state, {}).items() if state != Sketch.NULL else ():
            whose = "that state" if node else "its tree"
            _compare(sketch, name, claim, facts.find(node, name), whose)


class _Facts:
    """Statistics of single states, with lengths counted from there.

    Other programs know no weights and no costs: a guess counts 1, whatever the game says.
    """

    def __init__(self, tree: Tree) -> None:
        tree = replace(tree, game=tree.game.with_stakes())
        self.tree = tree
        depth = tree.depth.astype(np.int64)
        sizes = tree.n_candidates.astype(np.int64)
        totals = sum_lengths(tree) - depth * sizes
        self.columns: Mapping[str, NDArray[Any]] = {
            "depth": depth,
            "wins": tree.is_winning,
            "total": totals,
            "average": totals / sizes,
            "worst": find_longest(tree) - depth,
        }
        self.histograms: list[list[int]] = []

    def find(self, node: int, name: str) -> Any:
        """Return a statistic of a node."""
        if name == "histogram":
            self.histograms = self.histograms or _list_histograms(self.tree)
            return self.histograms[node]
        return self.columns[name][node].item()


def _list_histograms(tree: Tree) -> list[list[int]]:
    """Return for each node how many secrets are found with 1, 2, 3 … guesses from there."""
    histograms = [[int(wins)] for wins in tree.is_winning]
    parents = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        above, below = histograms[parents[node]], histograms[node]
        above += [0] * (len(below) + 1 - len(above))
        for length, count in enumerate(below, start=1):
            above[length] += count
    return histograms


def _compare(sketch: Sketch, name: str, claim: Claim, fact: Any, whose: str) -> None:
    is_true = claim.value == fact
    if name == "average" and isinstance(claim.value, (int, float)):
        is_true = abs(claim.value - fact) <= TOLERANCE
    if not is_true:
        told = f"the text claims {name} {claim.value}; {whose} has {fact}"
        raise FormatError(f"{sketch.locate(claim.place)}: {told}")
