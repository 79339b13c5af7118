"""A state of a tree as people see it: its guess, the answers that lead there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .._late import call_late
from ..games import Game


class HasNodes(Protocol):
    """What a node needs of its tree: `treegen.Tree` has it."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def guess(self) -> NDArray[np.int32]:
        """What is guessed in each node."""

    @property
    def response(self) -> NDArray[np.int16]:
        """The response that leads to each node."""

    @property
    def n_candidates(self) -> NDArray[np.int32]:
        """Secrets that are possible in each node."""

    @property
    def depth(self) -> NDArray[np.int16]:
        """Guesses made before each node."""

    def children(self, node: SupportsIndex) -> range:
        """Return the children of a node."""


@dataclass(frozen=True, slots=True)
class Node:
    """A state of a tree; what takes a node's number takes it, too.

    Attributes
    ----------
    tree
        The tree.
    number
        Its place in level order, from 0.

    Examples
    --------
    >>> import treegen
    >>> root = treegen.build("p2c3r").root
    >>> [(node.answer, node.guess, node.n_candidates) for node in root.children]
    [('00', '22', 4), ('10', '12', 4)]
    >>> root.after("10").history
    '11:10'
    """

    tree: HasNodes
    number: int

    @property
    def guess(self) -> str:
        """What is guessed."""
        return self.tree.game.format_code(int(self.tree.guess[self.number]))

    @property
    def answer(self) -> str | None:
        """The answer that leads here from the parent; None at the root."""
        if self.number == 0:
            return None
        asked = int(self.tree.guess[call_late("parent_of", self.tree, self.number)])
        return self.tree.game.format_response(int(self.tree.response[self.number]), asked)

    @property
    def history(self) -> str:
        """The guesses that lead here with their answers: ``1122:02/2344:11``."""
        pairs = call_late("history_of", self.tree, self.number)
        return self.tree.game.format_history(pairs)

    @property
    def n_candidates(self) -> int:
        """Secrets that are still possible."""
        return int(self.tree.n_candidates[self.number])

    @property
    def depth(self) -> int:
        """Guesses made before."""
        return int(self.tree.depth[self.number])

    @property
    def children(self) -> list[Node]:
        """The states after each answer that does not win."""
        return [Node(self.tree, child) for child in self.tree.children(self.number)]

    def after(self, answer: str) -> Node:
        """Return the state after an answer to this state's guess.

        Raises
        ------
        GameError
            It is no answer to the guess.
        UnreachableError
            No secret that is possible here answers so, or the answer ends the game.
        """
        return Node(self.tree, call_late("find_after", self.tree, self.number, answer))

    @property
    def is_leaf(self) -> bool:
        """Whether no answer leads further: one candidate is left."""
        return not self.tree.children(self.number)

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"<Node {self.number}: guess {self.guess}, {self.n_candidates} candidates>"
