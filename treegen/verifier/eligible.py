"""Whether every guess of a tree may be made by a rule of play, such as Wordle's hard mode."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..games import (
    describe_breach,
    describe_first_breach,
    is_rule_of_play,
    may_follow,
    resolve_eligible,
)
from ..tree import History, Tree, history_of, path_of
from .report import Report

NODES_PER_BLOCK = 1 << 16
"""Nodes that are compared with a guess above them at a time: bounds the memory of a large tree."""


def check_eligible(tree: Tree, report: Report, asked: str | None) -> None:
    """Check the rule that a tree states for its guesses, and the one that is asked for.

    Parameters
    ----------
    asked
        A key of `treegen.games.ELIGIBLE`; None: only what the tree states.

    Raises
    ------
    GameError
        The tree's game cannot be played by the rule that is asked for.
    """
    if asked is not None:
        resolve_eligible(tree.game, asked)
    if tree.provenance.eligible not in ("all", asked):
        report.add("eligible", tree.provenance.eligible, _find_fault(tree))
    if asked not in (None, "all"):
        report.add("eligible", asked, find_illegal_guess(tree, asked))


def _find_fault(tree: Tree) -> str:
    """Compare a tree with its own rule, whose first guess may be given instead of chosen."""
    is_given = any(word in tree.provenance.rule for word in ("opening=", "first="))
    try:
        return find_illegal_guess(tree, tree.provenance.eligible, is_first_given=is_given)
    except GameError as error:  # a rule that no tree of this game can have
        return f"the rule does not fit the game: {error}"


def find_illegal_guess(tree: Tree, eligible: str, *, is_first_given: bool = False) -> str:
    """Return a sentence on the first state whose guess a rule does not allow, or ``""``.

    Each guess is compared with every guess and answer before it, those of the tree's history
    included, by the definition of the rule. The history's own guesses are bound by a rule of play
    alone: whatever led to a tree, it may go on with candidates.

    Parameters
    ----------
    tree
        A tree whose structure is sound.
    eligible
        A key of `treegen.games.ELIGIBLE`.
    is_first_given
        Whether the root's guess may be any code.

    Raises
    ------
    GameError
        The tree's game cannot be played by the rule.

    Examples
    --------
    >>> from treegen import build
    >>> from treegen.games import CodebookGame
    >>> words = ["batch", "catch", "hatch", "latch", "match", "patch"]
    >>> tree = build(CodebookGame(words, ["blimp"], rule="position"), "most-parts")
    >>> find_illegal_guess(tree, "hints")
    ''
    >>> find_illegal_guess(tree, "candidates")
    'in the state after no answers, blimp breaks eligible=candidates: it is none of the secrets'
    """
    resolve_eligible(tree.game, eligible)
    if is_rule_of_play(eligible):  # candidates binds what the tree chooses, not what led to it
        fault = describe_first_breach(tree.game, eligible, tree.provenance.history)
        if fault:
            return f"in the tree's history, {fault}"
    parents = tree.parent
    for first, end in zip(tree.level_starts, tree.level_starts[1:], strict=False):
        for begin in range(first, end, NODES_PER_BLOCK):
            nodes = np.arange(begin, min(begin + NODES_PER_BLOCK, end))
            illegal = ~_are_legal(tree, eligible, parents, nodes)
            illegal &= (nodes > 0) | (not is_first_given)
            if illegal.any():
                return _describe(tree, eligible, int(nodes[np.argmax(illegal)]))
    return ""


def _are_legal(
    tree: Tree, eligible: str, parents: NDArray[np.int32], nodes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return whether the guesses of some nodes of one level are allowed."""
    game, guesses = tree.game, tree.guess[nodes]
    legal = np.ones(len(nodes), dtype=bool)
    if eligible == "candidates":
        legal = guesses < game.n_secrets
    for guess, response in tree.provenance.history:
        legal &= may_follow(game, eligible, np.array(guess), np.array(response), guesses)
    below: NDArray[np.integer] = nodes
    while below[0] > 0:
        above = parents[below]
        legal &= may_follow(game, eligible, tree.guess[above], tree.response[below], guesses)
        below = above
    return legal


def _describe(tree: Tree, eligible: str, node: int) -> str:
    game = tree.game
    answers = "/".join(game.format_response(reply) for reply in path_of(tree, node))
    history: History = (*tree.provenance.history, *history_of(tree, node))
    breach = describe_breach(game, eligible, history, int(tree.guess[node]))
    return f"in the state after {answers or 'no answers'}, {breach}"
