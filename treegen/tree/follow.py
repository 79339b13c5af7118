"""States by what was guessed and answered, or all of them in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ..errors import GameError, UnreachableError, UsageError
from ..games import parse_history, read_json_list, read_pairs
from .node import Node
from .provenance import History, Steps
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


def follow_history(tree: Tree, history: Steps) -> int:
    """Return the state after answers, ``02/11``, or guesses with answers, ``1122:02/2344:11``.

    Parameters
    ----------
    tree
        The tree.
    history
        A text, or a list: of answers, or of pairs of guess and answer.

    Raises
    ------
    GameError
        A part is no answer of the game; UsageError if the text can be read in two ways.
    UnreachableError
        The tree has no such state, or guesses something else on the way.

    Examples
    --------
    >>> import treegen
    >>> tree = treegen.build("p4c6r")
    >>> follow_history(tree, "02") == follow_history(tree, [("1122", "02")])
    True
    """
    if not isinstance(history, str):
        if isinstance(history, Sequence) and all(isinstance(part, str) for part in history):
            return find_answers(tree, cast(Sequence[str], history))
        return _follow(tree, read_pairs(tree.game, history))
    try:
        return find_answers(tree, history)
    except (GameError, UnreachableError) as error:
        if ":" not in history and read_json_list(history) is None:
            raise
        try:  # 11/:02 begins like an answer
            pairs = parse_history(history, tree.game)
        except (GameError, UsageError):
            if isinstance(error, UnreachableError):
                raise error from None
            raise
    return _follow(tree, pairs)


def _follow(tree: Tree, history: History) -> int:
    node = 0
    for step, (code, response) in enumerate(history, start=1):
        if code != tree.guess[node]:
            wanted, given = map(tree.game.format_code, (int(tree.guess[node]), code))
            raise UnreachableError(f"step {step}: the tree guesses {wanted}, not {given}")
        child = find_child(tree, node, response)
        if child is None:
            raise UnreachableError(f"step {step}: {describe_dead_end(tree, node, response)}")
        node = child
    return node
