"""The invariants of a tree's columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, TreeError
from ..games import MAX_CODES, Game, write_count
from .tree import Tree, iter_families, iter_pieces, list_columns, sum_below

MAX_RESPONSES = 2**16
"""Responses are numbers of 16 bits."""


def check_game(game: Game) -> None:
    """Raise GameError if a game has more codes or responses than a tree can hold."""
    for what, number, most in (
        ("codes", game.n_codes, MAX_CODES),
        ("responses", game.n_responses, MAX_RESPONSES),
    ):
        if number > most:
            raise GameError(
                f"{game.name} has {write_count(number)} {what}; a tree holds at most {most:,}"
            )


def check_columns(tree: Tree) -> None:
    """Raise TreeError, naming node and reason, unless the columns are one finite tree."""
    # The order matters: each check may rely on what those before it have found to hold.
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
    for name, dtype in list_columns(tree.game.n_responses).items():
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
    for begin, end in iter_pieces(0, n_nodes):
        _demand(first[begin + 1 : end + 1] >= first[begin:end], "first_child decreases", begin)
    for begin, end in iter_pieces(0, n_nodes):
        nodes = np.arange(begin, end)
        _demand(first[begin:end] > nodes, "its children do not come after it", begin)


def _check_ranges(tree: Tree) -> None:
    n_codes, win = tree.game.n_codes, tree.game.win
    last = write_count(n_codes - 1)
    first = tree.game.first_guess
    for begin, end in iter_pieces(0, tree.n_nodes):
        guesses = tree.guess[begin:end]
        if first:
            is_leaf = np.diff(tree.first_child[begin : end + 1]) == 0
            _demand(is_leaf | (guesses >= first), "it guesses a candidate", begin)
            _demand(~is_leaf | (guesses < first), "it announces no candidate", begin)
        _demand((guesses >= 0) & (guesses < n_codes), f"its guess is not in 0 … {last}", begin)
    if tree.response[0] != -1:
        raise TreeError(f"node 0: the root's response is {tree.response[0]}; -1 is needed")
    for begin, end in iter_pieces(1, tree.n_nodes):
        replies = tree.response[begin:end]
        _demand((replies >= 0) & (replies < win), f"its response is not in 0 … {win - 1}", begin)
    n_secrets, root = tree.game.n_secrets, tree.n_candidates[0]
    if not 1 <= root <= n_secrets or (root < n_secrets and not tree.provenance.history):
        raise TreeError(f"node 0: {root} candidates; the game has {write_count(n_secrets)} secrets")


def _check_siblings(tree: Tree) -> None:
    first = tree.first_child
    for begin, end in iter_pieces(1, tree.n_nodes):
        rises = tree.response[begin:end] > tree.response[begin - 1 : end - 1]
        # Only where a family begins may the response fall. first_child does not fall, so the
        # families that begin in this piece are found by bisection.
        low, high = np.searchsorted(first, np.array([begin, end], dtype=first.dtype))
        begins = np.zeros(end - begin, dtype=bool)
        begins[first[low:high] - begin] = True
        _demand(rises | begins, "its response does not follow its sibling's", begin)


def _check_counts(tree: Tree) -> None:
    for begin, end in iter_pieces(0, tree.n_nodes):
        _demand(tree.n_candidates[begin:end] >= 1, "no candidate is left", begin)
    families = list(iter_families(tree.first_child))
    for begin, end in families:
        here = tree.n_candidates[begin:end] - _sum_below(tree, begin, end)
        reason = "its candidates are not those of its children, and its own"
        _demand((here == 0) | (here == 1), reason, begin)
    for begin, end in families:
        below = _sum_below(tree, begin, end)
        here = tree.n_candidates[begin:end] - below
        _demand((below > 0) | (here == 1), "it has no children and does not win", begin)
    for begin, end in families:
        single = np.diff(tree.first_child[begin : end + 1]) == 1
        here = tree.n_candidates[begin:end] - _sum_below(tree, begin, end)
        reason = "its guess gains no information: all candidates stay in one cell"
        _demand(~(single & (here == 0)), reason, begin)


def _sum_below(tree: Tree, begin: int, end: int) -> NDArray[np.int64]:
    return sum_below(tree.n_candidates, tree.first_child, begin, end)


def _demand(holds: NDArray[np.bool_], reason: str, shift: int) -> None:
    if not holds.all():
        raise TreeError(f"node {int(np.argmin(holds)) + shift}: {reason}")
