"""The evil code-maker: it has no secret, and answers so that the most candidates are left."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..games.base import Game, Goal
from ..tree.tree import History, Tree
from ..tree.walk import describe_conflict, select_candidates


@dataclass
class EvilMaker:
    """An opponent that keeps the secret open as long as it can.

    Of all answers to a guess it gives the one that leaves the most candidates; of equal ones the
    first in the order of the responses. So the guess is the secret only if no other is possible.
    `history` holds guesses and answers before the first, `candidates`, int32[n], the secrets still
    possible; UsageError if there are none.

    >>> from treegen import open_game
    >>> maker = EvilMaker(open_game("p4c6r"))
    >>> maker.game.format_response(maker.answer(7)), len(maker.candidates)
    ('00', 256)
    """

    game: Game
    history: History = ()
    candidates: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.candidates = select_candidates(self.game, self.history)
        if not len(self.candidates):
            raise UsageError(describe_conflict(self.game, self.history))

    def answer(self, guess: int) -> int:
        """Return the response to a guess, and keep the candidates that it leaves."""
        responses = self.game.respond(np.array([guess]), self.candidates)
        response = int(np.bincount(responses).argmax())
        self.candidates = self.candidates[responses == response]
        return response

    def is_over(self, response: int | None = None) -> bool:
        """Whether the game is over after an answer, at the beginning after that of the history."""
        is_known = self.game.goal == Goal.IDENTIFY and len(self.candidates) == 1
        last = self.history[-1][1] if response is None and self.history else response
        return last == self.game.win or is_known


def find_evil_secret(tree: Tree) -> int:
    """Return the secret that a tree finds against the evil code-maker."""
    node = 0
    while len(children := tree.children(node)):
        sizes = tree.n_candidates[children[0] : children[-1] + 1]  # children are adjacent
        node = children[0] + int(sizes.argmax())
    return int(tree.guess[node])
