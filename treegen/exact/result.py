"""The place that the tree of every search passes: what it claims, its own columns must bear out."""

from __future__ import annotations

from ..errors import TreeError
from ..games import Goal
from ..strategies import split_search
from ..tree import Tree
from ..verifier import find_illegal_guess
from .request import SearchSpec


def check_result(tree: Tree, spec: SearchSpec) -> Tree:
    """Return the tree of a search if it keeps to what was asked for and to what is proved.

    A search that has a fault may contradict itself: then it must not be believed. That no tree is
    better is the search's word; tests hold it against a plain recursion.

    Parameters
    ----------
    tree
        What a search found, with its bound.
    spec
        What was to be searched.

    Raises
    ------
    TreeError
        The bound is above the total, or below it where the tree is said to be optimal; a game is
        longer than allowed; a guess is not eligible, or the first one is none of those given.
    """
    fault = _find_fault(tree, spec)
    if fault:
        raise TreeError(f"{tree.game.name}: internal error: {fault}; please report the command")
    return tree


def _find_fault(tree: Tree, spec: SearchSpec) -> str:
    total, bound = tree.total, tree.provenance.bound
    if bound is None or bound > total:
        return f"the search proved the bound {bound}, and its tree has total {total}"
    if split_search(tree.provenance.strategy)[0] == "optimal" and bound < total:
        return f"the search calls a tree of total {total} optimal, and proved the bound {bound}"
    if spec.max_length is not None and tree.worst > spec.max_length:
        return f"games may have the length {spec.max_length}, and one has {tree.worst}"
    first = tree.game.name_guess(int(tree.guess[0]))
    is_announced = tree.game.goal == Goal.IDENTIFY and tree.n_nodes == 1
    if spec.first and not is_announced and first not in spec.first:
        return f"the first guess is {first}, which is none of those given"
    if spec.eligible == "all":
        return ""
    return find_illegal_guess(tree, spec.eligible, is_first_given=bool(spec.first))
