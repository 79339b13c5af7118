"""One game played along a tree: against a known secret, or answer by answer with undo."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import UnreachableError, UsageError
from ..tree import Tree, describe_conflict, describe_dead_end, find_child


@dataclass(frozen=True, slots=True)
class Turn:
    """One guess of a game.

    Attributes
    ----------
    guess
        Code that was guessed.
    response
        How it was answered.
    n_left
        Candidates left after the answer; the secret itself counts, so 1 at the end.
    """

    guess: int
    response: int
    n_left: int


@dataclass(slots=True)
class Session:
    """A game in progress along a tree.

    Examples
    --------
    >>> from treegen.api import build
    >>> session = Session(build("p2c3r"))
    >>> session.answer(session.tree.game.parse_response("10"))
    >>> len(session.turns), session.is_over
    (1, False)
    """

    tree: Tree
    turns: list[Turn] = field(default_factory=list)
    _nodes: list[int] = field(default_factory=lambda: [0])

    @property
    def is_over(self) -> bool:
        """Whether the last answer won."""
        return bool(self.turns) and self.turns[-1].response == self.tree.game.win

    @property
    def guess(self) -> int:
        """The code to guess now (after the end: the secret)."""
        return int(self.tree.guess[self._nodes[-1]])

    @property
    def n_left(self) -> int:
        """Candidates left now."""
        return self.turns[-1].n_left if self.turns else self.tree.n_secrets

    def answer(self, response: int) -> None:
        """Take the answer to the current guess.

        Raises
        ------
        UnreachableError
            No secret agrees with it and the answers before; the message says which contradict.
        UsageError
            The game is over.
        """
        if self.is_over:
            raise UsageError("the game is over; an answer may only be taken back")
        tree, node = self.tree, self._nodes[-1]
        if response == tree.game.win and tree.wins(node):
            self.turns.append(Turn(self.guess, response, 1))
            self._nodes.append(node)
            return
        child = find_child(tree, node, response)
        if child is None and not 0 <= response < tree.game.n_responses:
            raise UnreachableError(describe_dead_end(tree, node, response))
        if child is None:
            pairs = [(turn.guess, turn.response) for turn in self.turns]
            history = (*tree.provenance.history, *pairs, (self.guess, response))
            reason = describe_conflict(tree.game, history)
            raise UnreachableError(f"{describe_dead_end(tree, node, response)}. {reason}")
        self.turns.append(Turn(self.guess, response, int(tree.n_candidates[child])))
        self._nodes.append(child)

    def undo(self) -> None:
        """Take the last answer back; raise UsageError when there is none."""
        if not self.turns:
            raise UsageError("there is no answer to take back")
        self.turns.pop()
        self._nodes.pop()


def play_secret(tree: Tree, secret: int) -> list[Turn]:
    """Return the whole game that a tree plays against a secret.

    Raises
    ------
    UnreachableError
        The secret contradicts the history at which the tree starts, or the tree is wrong.
    """
    _check_history(tree, secret)
    session = Session(tree)
    while not session.is_over:
        session.answer(tree.game.score(session.guess, secret))
    return session.turns


def _check_history(tree: Tree, secret: int) -> None:
    """Raise UnreachableError where the tree starts behind answers that a secret does not give."""
    game = tree.game
    for guess, response in tree.provenance.history:
        given = game.score(guess, secret)
        if given != response:
            raise UnreachableError(
                f"the secret {game.format_code(secret)} answers {game.format_code(guess)} with"
                f" {game.format_response(given)}; the history says"
                f" {game.format_response(response)}"
            )
