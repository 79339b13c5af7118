"""Paths through a tree: from responses to a node and back, in depth-first order, to a part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UnreachableError
from ..games import Game, Goal
from .check import check_game
from .provenance import History
from .tree import Tree


def find_node(tree: Tree, responses: Sequence[int]) -> int:
    """Return the node that a sequence of responses leads to from the root.

    Raises
    ------
    UnreachableError
        The tree has no such state; the message gives the first response that leads nowhere.
    """
    node = 0
    for step, response in enumerate(responses, start=1):
        child = find_child(tree, node, response)
        if child is None:
            raise UnreachableError(f"step {step}: {describe_dead_end(tree, node, response)}")
        node = child
    return node


def find_child(tree: Tree, node: int, response: int) -> int | None:
    """Return the child that a response leads to; None if there is none."""
    children = tree.children(node)
    at = int(np.searchsorted(tree.response[children.start : children.stop], response))
    if at < len(children) and tree.response[children[at]] == response:
        return children[at]
    return None


def is_announced(tree: Tree, node: int) -> bool:
    """Whether the game is over at a node without a guess: one candidate is left to identify."""
    return tree.game.goal == Goal.IDENTIFY and not len(tree.children(node))


def find_answers(tree: Tree, text: str) -> int:
    """Return the node that written answers lead to, joined by ``/``; the root for no text.

    Raises
    ------
    GameError
        One is no answer to the guess of its state.
    UnreachableError
        The tree has no such state.

    Examples
    --------
    >>> from treegen.api import build
    >>> find_answers(build("p2c3r"), "00/00")
    3
    """
    node = 0
    parts = text.strip().split("/") if text.strip() else []
    step = 0
    while parts:
        step += 1
        response, n_parts = _parse_answer(tree, node, parts)
        child = find_child(tree, node, response)
        if child is None:
            raise UnreachableError(f"step {step}: {describe_dead_end(tree, node, response)}")
        node, parts = child, parts[n_parts:]
    return node


def _parse_answer(tree: Tree, node: int, parts: list[str]) -> tuple[int, int]:
    """Return the next answer, and how many parts it takes: a label may hold a slash itself."""
    game, guess = tree.game, int(tree.guess[node])
    for n_parts in range(1, len(parts)):
        try:
            return game.parse_response("/".join(parts[:n_parts]), guess), n_parts
        except GameError:
            if game.kind != "questions":
                raise
    return game.parse_response("/".join(parts), guess), len(parts)


def write_answers(tree: Tree, node: int) -> str:
    """Return the answers that lead to a node as `find_answers` reads them."""
    pairs = history_of(tree, node)
    return "/".join(tree.game.format_response(response, guess) for guess, response in pairs)


def parent_of(tree: Tree, node: int) -> int:
    """Return the parent of a node, `NULL` for the root, without computing all parents."""
    # Bisection in the column's own type: another type would copy the column.
    return int(np.searchsorted(tree.first_child, np.int32(node), side="right")) - 1


def path_of(tree: Tree, node: int) -> list[int]:
    """Return the responses that lead from the root to a node."""
    path = []
    while node > 0:
        path.append(int(tree.response[node]))
        node = parent_of(tree, node)
    return path[::-1]


def history_of(tree: Tree, node: int) -> History:
    """Return the guesses and responses that lead from the root to a node."""
    pairs = []
    while node > 0:
        parent = parent_of(tree, node)
        pairs.append((int(tree.guess[parent]), int(tree.response[node])))
        node = parent
    return tuple(reversed(pairs))


def iter_preorder(tree: Tree, node: int = 0) -> Iterator[int]:
    """Yield the nodes from `node` down, each before its children, by ascending response."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(tree.children(node)))


def select_candidates(game: Game, history: History) -> NDArray[np.int32]:
    """Return the secrets that agree with every (guess, response) of a history, ascending.

    Raises
    ------
    GameError
        The game has more codes or responses than a tree can hold.
    """
    check_game(game)
    candidates = np.arange(game.n_secrets, dtype=np.int32)
    for guess, response in history:
        replies = game.respond(np.array([guess]), candidates)
        candidates = candidates[replies == response]
    return candidates


def subtree(tree: Tree, node: int = 0, n_levels: int | None = None) -> NDArray[np.int32]:
    """Return the nodes below and including `node`, in level order.

    Parameters
    ----------
    n_levels
        The number of levels, that of `node` included; all if None.
    """
    levels = [np.array([node], dtype=np.int32)]
    while n_levels is None or len(levels) < n_levels:
        starts = tree.first_child[levels[-1]]
        counts = tree.first_child[levels[-1] + 1] - starts
        if not counts.sum():
            break
        # An entry's place in this level, plus the offset of its parent, is its number in the tree.
        offsets = np.repeat(starts - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
        levels.append((offsets + np.arange(counts.sum())).astype(np.int32))
    return np.concatenate(levels)


def cut_at(tree: Tree, node: int) -> Tree:
    """Return the part of a tree from a node down as a tree that starts mid-game."""
    nodes = subtree(tree, node)
    counts = tree.first_child[nodes + 1] - tree.first_child[nodes]
    first_child = np.concatenate(([1], 1 + np.cumsum(counts))).astype(np.int32)
    response = tree.response[nodes].copy()
    response[0] = -1
    history = (*tree.provenance.history, *history_of(tree, node))
    provenance = replace(tree.provenance, history=history, objective="", bound=None)
    return replace(
        tree,
        provenance=provenance,
        guess=tree.guess[nodes],
        response=response,
        first_child=first_child,
        n_candidates=tree.n_candidates[nodes],
    )


def describe_dead_end(tree: Tree, node: int, response: int) -> str:
    """Return a sentence that says why a response is impossible, and which ones are possible."""
    game = tree.game
    if not 0 <= response < game.n_responses:
        return f"response {response} is out of range 0 … {game.win}"
    asked = int(tree.guess[node])
    written, guess = game.format_response(response, asked), game.format_code(asked)
    if response == game.win and tree.wins(node):
        return f"{written} ends the game: {guess} is the secret"
    replies = [int(tree.response[child]) for child in tree.children(node)]
    known = [game.format_response(reply, asked) for reply in replies]
    if tree.wins(node) and not is_announced(tree, node):
        known.append(game.format_response(game.win, asked))
    return f"no secret answers {guess} with {written}; possible here: {' '.join(known)}"
