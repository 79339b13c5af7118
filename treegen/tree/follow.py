"""States by what was guessed and answered, or all of them in turn."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import GameError, UnreachableError
from .node import Node
from .tree import Tree
from .walk import describe_dead_end, find_answers, find_child


def list_nodes(tree: Tree) -> Iterator[Node]:
    """Yield the states of a tree in level order.

    Examples
    --------
    >>> import treegen
    >>> [node.guess for node in list_nodes(treegen.build("p2c3r"))][:3]
    ['11', '22', '12']
    """
    for number in range(tree.n_nodes):
        yield Node(tree, number)


def follow_history(tree: Tree, history: str) -> int:
    """Return the state after answers, ``02/11``, or guesses with answers, ``1122:02/2344:11``.

    Raises
    ------
    GameError
        A part is no answer of the game.
    UnreachableError
        The tree has no such state, or guesses something else on the way.

    Examples
    --------
    >>> import treegen
    >>> tree = treegen.build("p4c6r")
    >>> follow_history(tree, "02") == follow_history(tree, "1122:02")
    True
    """
    try:
        return find_answers(tree, history)
    except GameError:
        if ":" not in history:
            raise
    node = 0
    for step, part in enumerate(history.strip().split("/"), start=1):
        node = _follow(tree, node, part, f"step {step}")
    return node


def _follow(tree: Tree, node: int, part: str, where: str) -> int:
    game = tree.game
    guess, _, reply = part.rpartition(":")
    code = game.parse_code(guess)
    if code != tree.guess[node]:
        wanted = game.format_code(int(tree.guess[node]))
        raise UnreachableError(f"{where}: the tree guesses {wanted}, not {guess.strip()}")
    response = game.parse_response(reply, code)
    child = find_child(tree, node, response)
    if child is None:
        raise UnreachableError(f"{where}: {describe_dead_end(tree, node, response)}")
    return child
