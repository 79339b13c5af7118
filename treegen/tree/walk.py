"""Paths through a tree: from responses to a node and back, in depth-first order, to a part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UnreachableError, UsageError
from ..games import (
    Game,
    Goal,
    count_in_answers,
    list_readings,
    read_answer,
    read_json_list,
    refuse_two,
)
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


def find_answers(tree: Tree, path: str | Sequence[str]) -> int:
    """Return the node that written answers lead to; the root for none.

    Parameters
    ----------
    tree
        The tree.
    path
        The answers: a list of texts, as a JSON list too, or a text in which ``/`` joins them. An
        answer may hold a slash itself: it separates only where answers stand around it.

    Raises
    ------
    GameError
        One is no answer to the guess of its state; UsageError if the text can be read in two ways.
    UnreachableError
        The tree has no such state.

    Examples
    --------
    >>> from treegen.api import build
    >>> find_answers(build("p2c3r"), "00/00"), find_answers(build("p2c3r"), ["00", "00"])
    (3, 3)
    """
    if not isinstance(path, str):
        return _follow_all(tree, path)
    listed = read_json_list(path)
    if listed is not None and all(isinstance(answer, str) for answer in listed):
        return _follow_all(tree, listed)
    if not path.strip():
        return 0
    n_slashes = count_in_answers(tree.game, "/")
    if not n_slashes or _parse_answer(tree, 0, path) is not None:
        return _follow_all(tree, [path] if n_slashes else path.strip().split("/"))

    def take(node: int, part: str) -> Iterator[tuple[str, int]]:
        response = _parse_answer(tree, node, part)
        child = None if response is None else find_child(tree, node, response)
        if response is not None and child is not None:
            yield tree.game.format_response(response, int(tree.guess[node])), child

    readings, _ = list_readings(path, "/", n_slashes, 0, take)
    if len(readings) > 1:
        shown = [json.dumps(answers, ensure_ascii=False) for answers in readings]
        raise refuse_two("path", path, shown)
    return _follow_all(tree, readings[0] if readings else _split_greedily(tree, path))


def _follow_all(tree: Tree, answers: Sequence[str]) -> int:
    """Return the node that answers lead to; say which leads nowhere."""
    node = 0
    for step, text in enumerate(answers, start=1):
        node = find_after(tree, node, text, f"step {step}: ")
    return node


def find_after(tree: Tree, node: int, answer: str, place: str = "") -> int:
    """Return the child that a written answer leads to.

    Parameters
    ----------
    tree, node
        The state.
    answer
        As people write it.
    place
        What precedes the message of an error.

    Raises
    ------
    GameError
        It is no answer to the state's guess.
    UnreachableError
        The tree has no such state.

    Examples
    --------
    >>> from treegen.api import build
    >>> find_after(build("p2c3r"), 0, "10")
    2
    """
    response = read_answer(tree.game, answer, int(tree.guess[node]))
    child = find_child(tree, node, response)
    if child is None:
        raise UnreachableError(place + describe_dead_end(tree, node, response))
    return child


def _parse_answer(tree: Tree, node: int, text: str) -> int | None:
    try:
        return tree.game.parse_response(text, int(tree.guess[node]))
    except GameError:
        return None


def _split_greedily(tree: Tree, path: str) -> list[str]:
    """Return the parts of a path that leads nowhere, up to the one that does not fit."""
    node, parts, answers = 0, path.split("/"), []
    while parts:
        n_parts = next(
            (
                n
                for n in range(len(parts), 0, -1)
                if _parse_answer(tree, node, "/".join(parts[:n])) is not None
            ),
            1,
        )
        answers.append("/".join(parts[:n_parts]))
        response = _parse_answer(tree, node, answers[-1])
        child = None if response is None else find_child(tree, node, response)
        if child is None:
            break
        node, parts = child, parts[n_parts:]
    return answers


def write_answers(tree: Tree, node: int) -> str:
    """Return the answers that lead to a node as `find_answers` reads them."""
    pairs = history_of(tree, node)
    answers = [tree.game.format_response(response, guess) for guess, response in pairs]
    text = "/".join(answers)
    if count_in_answers(tree.game, "/") or text.startswith("["):
        try:
            is_clear = find_answers(tree, text) == node
        except (GameError, UsageError):
            is_clear = False
        return text if is_clear else json.dumps(answers, ensure_ascii=False)
    return text


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
