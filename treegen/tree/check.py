"""The invariants of a tree's columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TreeError
from ..games.base import write_count

if TYPE_CHECKING:
    from .tree import Tree

COLUMN_DTYPES: dict[str, np.dtype[Any]] = {
    "guess": np.dtype(np.int32),
    "response": np.dtype(np.int16),
    "first_child": np.dtype(np.int32),
    "n_candidates": np.dtype(np.int32),
}


def check_columns(tree: Tree) -> None:
    """Raise TreeError, naming node and reason, unless the columns are one finite tree."""
    _check_shapes(tree)
    _check_links(tree)
    _check_ranges(tree)
    _check_siblings(tree)
    _check_counts(tree)
    _check_history(tree)


def _check_history(tree: Tree) -> None:
    for guess, response in tree.provenance.history:
        if not (0 <= guess < tree.game.n_codes and 0 <= response < tree.game.n_responses):
            raise TreeError(f"the history's guess {guess} or response {response} is out of range")


def _check_shapes(tree: Tree) -> None:
    n_nodes = len(tree.guess)
    if n_nodes == 0:
        raise TreeError("a tree has at least one node; this one has none")
    for name, dtype in COLUMN_DTYPES.items():
        column = getattr(tree, name)
        length = n_nodes + (name == "first_child")
        if column.dtype != dtype or column.shape != (length,):
            raise TreeError(
                f"column {name} is {column.dtype}{list(column.shape)}; {dtype}[{length}] is needed"
            )


def _check_links(tree: Tree) -> None:
    first = tree.first_child
    n_nodes = tree.n_nodes
    if first[0] != 1 or first[-1] != n_nodes:
        raise TreeError(
            f"column first_child runs from {first[0]} to {first[-1]}; 1 to {n_nodes} is needed"
        )
    _demand(np.diff(first) >= 0, "first_child falls")
    _demand(first[:-1] > np.arange(n_nodes), "its children do not come after it")


def _check_ranges(tree: Tree) -> None:
    n_codes, win = tree.game.n_codes, tree.game.win
    last = write_count(n_codes - 1)
    _demand((tree.guess >= 0) & (tree.guess < n_codes), f"its guess is not in 0 … {last}")
    responses = tree.response[1:]
    if tree.response[0] != -1:
        raise TreeError(f"node 0: the root's response is {tree.response[0]}; -1 is needed")
    _demand((responses >= 0) & (responses < win), f"its response is not in 0 … {win - 1}", shift=1)
    n_secrets, root = tree.game.n_secrets, tree.n_candidates[0]
    if not 1 <= root <= n_secrets or (root < n_secrets and not tree.provenance.history):
        raise TreeError(f"node 0: {root} candidates; the game has {write_count(n_secrets)} secrets")


def _check_siblings(tree: Tree) -> None:
    rises = np.diff(tree.response.astype(np.int64)) > 0
    begins = np.zeros(tree.n_nodes + 1, dtype=bool)
    begins[tree.first_child] = True
    _demand(rises | begins[1:-1], "its response does not follow its sibling's", shift=1)


def _check_counts(tree: Tree) -> None:
    counts = tree.n_candidates.astype(np.int64)
    _demand(counts >= 1, "no candidate is left")
    cumulated = np.concatenate(([0], np.cumsum(counts)))
    below = cumulated[tree.first_child[1:]] - cumulated[tree.first_child[:-1]]
    here = counts - below
    _demand((here == 0) | (here == 1), "its candidates are not those of its children, and its own")
    _demand((below > 0) | (here == 1), "it has no children and does not win")
    single = np.diff(tree.first_child) == 1
    _demand(~(single & (here == 0)), "its guess tells nothing: all candidates stay together")


def _demand(holds: NDArray[np.bool_], reason: str, shift: int = 0) -> None:
    if not holds.all():
        raise TreeError(f"node {int(np.argmin(holds)) + shift}: {reason}")
