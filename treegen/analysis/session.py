"""One game played along a tree: against a known secret, or answer by answer with undo.

A player may guess something else than the tree does. Then the tree no longer applies, and the game
continues along another one that starts after the guesses actually made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, StrategyError, UnreachableError, UsageError
from ..games import describe_breach, is_rule_of_play
from ..tree import (
    History,
    Tree,
    Turn,
    describe_conflict,
    describe_dead_end,
    find_child,
    is_announced,
    select_candidates,
)

if TYPE_CHECKING:
    from ..strategies import Strategy
    from .advice import Advice

FALLBACK = "knuth"
"""The strategy that takes over if a tree has no rule."""


@dataclass(slots=True)
class Session:
    """A game in progress along a tree.

    Attributes
    ----------
    tree
        The tree at the start.
    turns
        The guesses so far, the tree's own or not, with their answers.
    rebuild
        Makes the tree after a history, if something else was guessed than the tree's guess. None:
        by `choose_rule`.

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
    rebuild: Callable[[History], Tree] | None = None
    _places: list[tuple[Tree, int]] = field(init=False)

    def __post_init__(self) -> None:
        self._places = [(self.tree, 0)]

    @property
    def is_over(self) -> bool:
        """Whether the last answer won, or one candidate is left to identify."""
        if self.turns and self.turns[-1].response == self.tree.game.win:
            return True
        return is_announced(*self._places[-1])

    @property
    def guess(self) -> int:
        """The code to guess now (after the end: the secret)."""
        if self.turns and self.turns[-1].response == self.tree.game.win:
            return self.turns[-1].guess
        tree, node = self._places[-1]
        return int(tree.guess[node])

    @property
    def guess_text(self) -> str:
        """The code to guess now, as people write it."""
        return self.tree.game.format_code(self.guess)

    @property
    def n_left(self) -> int:
        """Candidates left now."""
        return self.turns[-1].n_left if self.turns else self.tree.n_secrets

    @property
    def history(self) -> History:
        """All guesses with their answers, including those before the tree."""
        pairs = ((turn.guess, turn.response) for turn in self.turns)
        return (*self.tree.provenance.history, *pairs)

    @property
    def candidates(self) -> NDArray[np.int32]:
        """The codes that are still possible, ascending; after the end the secret alone."""
        return select_candidates(self.tree.game, self.history)

    def advise(self, strategy: Strategy | None = None, *, n_top: int = 10) -> Advice:
        """Return the candidates and the best guesses now, with what each leaves.

        Parameters
        ----------
        strategy
            The rule that ranks the guesses, of those that the tree's rule of play allows; None: by
            `choose_rule`.
        n_top
            How many guesses are ranked.

        Raises
        ------
        UsageError
            The game is over.

        Examples
        --------
        >>> from treegen.api import build
        >>> session = Session(build("p4c6r"))
        >>> session.answer(session.tree.game.parse_response("30"))
        >>> advice = session.advise(n_top=1)
        >>> [(row.guess == session.guess, row.sizes) for row in advice.guesses]
        [(True, (5, 4, 4, 3, 2, 1, 1))]
        """
        from .advice import advise

        self._refuse_after_the_end()
        rule = keep_rule_of_play(self.tree, strategy) if strategy else choose_rule(self.tree)
        return advise(self.tree.game, rule, history=self.history, n_top=n_top)

    def answer(self, response: int | str) -> None:
        """Take the answer to the current guess.

        Parameters
        ----------
        response
            The answer, as people write it or as an index; ``"1234:11"`` is the answer to another
            guess than the proposed one, as `answer_other` takes it.

        Raises
        ------
        UnreachableError
            No secret agrees with it and the answers before; the message says which contradict.
        UsageError
            The game is over.
        GameError
            The text is no answer of the game.
        """
        if isinstance(response, str):
            self._answer_text(response)
            return
        self._refuse_after_the_end()
        tree, node = self._places[-1]
        if response == tree.game.win and tree.wins(node):
            self._go_on(Turn(self.guess, response, 1), tree, node)
            return
        child = find_child(tree, node, response)
        if child is None and not 0 <= response < tree.game.n_responses:
            raise UnreachableError(describe_dead_end(tree, node, response))
        if child is None:
            reason = describe_conflict(tree.game, (*self.history, (self.guess, response)))
            raise UnreachableError(f"{describe_dead_end(tree, node, response)}. {reason}")
        self._go_on(Turn(self.guess, response, int(tree.n_candidates[child])), tree, child)

    def answer_other(self, guess: int, response: int) -> None:
        """Take a guess that is not the tree's, and the answer to it.

        Parameters
        ----------
        guess
            Any code of the game; the tree's own guess is handled as by `answer`.
        response
            How it was answered.

        Raises
        ------
        UnreachableError
            No secret agrees with it and the answers before; the message says which contradict.
        UsageError
            The game is over, or the guess breaks the rule by which it is played (hard mode).

        Examples
        --------
        >>> from treegen.api import build
        >>> session = Session(build("p4c6r"))
        >>> game = session.tree.game
        >>> session.answer_other(game.parse_code("1234"), game.parse_response("11"))
        >>> session.n_left
        252
        """
        self._refuse_after_the_end()
        if guess == self.guess:
            self.answer(response)
            return
        self._refuse_breach(guess)
        game, history = self.tree.game, (*self.history, (guess, response))
        n_left = len(select_candidates(game, history))
        if not n_left:
            raise UnreachableError(describe_conflict(game, history))
        turn = Turn(guess, response, n_left)
        if response == game.win:
            self._go_on(turn, *self._places[-1])
        elif self.rebuild is not None:
            self._go_on(turn, self.rebuild(history), 0)
        else:
            # A game that follows its tree needs no compiler.
            from ..builder import build_tree

            tree = build_tree(game, choose_rule(self.tree), history=history)
            self._go_on(turn, tree, 0)

    def _answer_text(self, text: str) -> None:
        """Take a written answer, or a guess with its answer."""
        game = self.tree.game
        try:
            self.answer(game.parse_response(text, self.guess))
        except GameError:
            guess, colon, reply = text.rpartition(":")
            if not colon:
                raise
            code = game.parse_code(guess.strip())
            self.answer_other(code, game.parse_response(reply.strip(), code))

    def undo(self) -> None:
        """Take the last answer back; raise UsageError if there is none."""
        if not self.turns:
            raise UsageError("there is no answer to take back")
        self.turns.pop()
        self._places.pop()

    def _go_on(self, turn: Turn, tree: Tree, node: int) -> None:
        self.turns.append(turn)
        self._places.append((tree, node))

    def _refuse_breach(self, guess: int) -> None:
        """Raise UsageError if the rule of play, such as hard mode, forbids a guess now."""
        eligible = self.tree.provenance.eligible
        if is_rule_of_play(eligible):
            breach = describe_breach(self.tree.game, eligible, self.history, guess)
            if breach:
                raise UsageError(breach)

    def _refuse_after_the_end(self) -> None:
        if self.is_over:
            raise UsageError("the game is over; an answer may only be taken back")


def choose_rule(tree: Tree) -> Strategy:
    """Return the rule by which a tree was built, or `FALLBACK` if it has none.

    What the tree says of the guesses allowed, such as hard mode, holds for `FALLBACK` too.

    Examples
    --------
    >>> from treegen.api import build
    >>> choose_rule(build("p3c4r", "entropy")).name, choose_rule(build("p3c4r", "optimal")).name
    ('entropy', 'knuth')
    """
    from ..strategies import parse_rule, parse_strategy

    try:
        return parse_rule(tree.provenance.rule, tree.provenance.strategy)
    except StrategyError:
        return keep_rule_of_play(tree, parse_strategy(FALLBACK, tree.game))


def keep_rule_of_play(tree: Tree, strategy: Strategy) -> Strategy:
    """Return a strategy that guesses what a tree's rule of play, such as hard mode, allows.

    Examples
    --------
    >>> from treegen.api import build
    >>> from treegen.strategies import parse_chain
    >>> keep_rule_of_play(build("p2c3r"), parse_chain("max")).name
    'max,lowest'
    """
    from ..strategies import change_strategy

    eligible = tree.provenance.eligible
    return change_strategy(strategy, eligible=eligible if is_rule_of_play(eligible) else None)


def play_secret(tree: Tree, secret: int) -> list[Turn]:
    """Return the whole game of a tree against a secret.

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
    """Raise UnreachableError if the tree starts after answers that a secret does not give."""
    game = tree.game
    for guess, response in tree.provenance.history:
        given = game.score(guess, secret)
        if given != response:
            raise UnreachableError(
                f"the secret {game.format_code(secret)} answers {game.format_code(guess)} with"
                f" {game.format_response(given, guess)}; the history says"
                f" {game.format_response(response, guess)}"
            )
