"""One game played along a tree: against a known secret, or answer by answer with undo.

A player may guess something else than the tree does. Then the tree no longer applies, and the game
continues along another one that starts after the guesses actually made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .._options import check_whole
from ..errors import GameError, StrategyError, UnreachableError, UsageError
from ..games import (
    Game,
    describe_breach,
    is_rule_of_play,
    parse_pair,
    parse_symbols,
    read_answer,
    read_code,
    read_json_list,
)
from ..tree import (
    History,
    Pairs,
    PlayedGame,
    Tree,
    Turn,
    describe_conflict,
    describe_dead_end,
    find_child,
    is_announced,
    select_candidates,
    write_pairs,
)

if TYPE_CHECKING:
    from ..strategies import Strategy
    from .advice import Advice


def play_tree(
    tree: Tree,
    secret: str | None = None,
    *,
    index: int | None = None,
    limit: int | None = None,
    symbols: str | Sequence[str] | None = None,
) -> PlayedGame:
    """Return the game of a tree against a secret.

    Parameters
    ----------
    tree
        The tree.
    secret
        The secret, as people write it; or else
    index
        its place among the secrets, from 0.
    limit
        Stop after so many guesses.
    symbols
        How colors are written: ``"abcdef"``, or a list; as the game does if None.

    Raises
    ------
    GameError, UsageError
        The secret is no code of the game, or never secret; neither or both of `secret` and `index`
        are given.
    TypeError
        The secret is no text.
    UnreachableError
        It contradicts the history at which the tree starts.

    Examples
    --------
    >>> import treegen
    >>> played = play_tree(treegen.build("p2c3r"), "32")
    >>> len(played), played.is_found
    (4, True)
    """
    check_whole(limit=limit)
    game = tree.game
    names = _choose_symbols(game, symbols)
    if (secret is None) == (index is None):
        raise UsageError("a game is played against a secret or against the secret of an index")
    if index is not None and not 0 <= index < game.n_secrets:
        raise UsageError(
            f"index {index} is out of range: the secrets are 0 to {game.n_secrets - 1}"
        )
    code = read_code(game, secret, names, is_secret=True) if index is None else int(index)
    found = game.format_code(code, names)
    if code >= game.n_secrets:
        raise UsageError(f"{secret!r} may be guessed but is not one of the secrets")
    turns = tuple(play_secret(tree, code))
    shown = turns[:limit]
    is_found = len(shown) == len(turns)
    return PlayedGame(
        game, tree.provenance.strategy, secret or found, shown, is_found, names, found
    )


def _choose_symbols(game: Game, symbols: str | Sequence[str] | None) -> tuple[str, ...]:
    if symbols is None or tuple(symbols) == game.symbols:
        return game.symbols
    return parse_symbols(symbols, game.n_colors)


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
    >>> session.answer("10")
    >>> session.guess, len(session.turns), session.is_over
    ('12', 1, False)
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
    def guess(self) -> str:
        """What to guess now, as people write it (after the end: the secret)."""
        return self.tree.game.format_code(self.code)

    @property
    def code(self) -> int:
        """Index of the code to guess now (after the end: of the secret)."""
        if self.turns and self.turns[-1].response == self.tree.game.win:
            return self.turns[-1].code
        tree, node = self._places[-1]
        return int(tree.guess[node])

    @property
    def n_left(self) -> int:
        """Candidates left now."""
        return self.turns[-1].n_left if self.turns else self.tree.n_secrets

    @property
    def history(self) -> Pairs:
        """All guesses with their answers, including those before the tree."""
        return write_pairs(self.tree.game, self._past)

    @property
    def candidates(self) -> list[str]:
        """The codes that are still possible; after the end the secret alone."""
        codes = select_candidates(self.tree.game, self._past)
        return [self.tree.game.format_code(code) for code in codes.tolist()]

    @property
    def _past(self) -> History:
        pairs = ((turn.code, turn.response) for turn in self.turns)
        return (*self.tree.provenance.history, *pairs)

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
        >>> session.answer("30")
        >>> advice = session.advise(n_top=1)
        >>> [(row.guess == session.guess, row.sizes) for row in advice.guesses]
        [(True, (5, 4, 4, 3, 2, 1, 1))]
        """
        from .advice import advise

        self._refuse_after_the_end()
        rule = keep_rule_of_play(self.tree, strategy) if strategy else choose_rule(self.tree)
        return advise(self.tree.game, rule, history=self._past, n_top=n_top)

    def answer(self, answer: str, guess: str | None = None) -> None:
        """Take the answer to the current guess, or to another.

        Parameters
        ----------
        answer
            The answer, as people write it; ``"1234:11"`` is the answer to another guess.
        guess
            What was guessed, if it was not the proposed guess.

        Raises
        ------
        UnreachableError
            No secret agrees with it and the answers before; the message says which contradict.
        UsageError
            The game is over, or the guess breaks the rule by which it is played (hard mode).
        GameError
            A text is no answer or no code of the game.
        TypeError
            An argument is no text.

        Examples
        --------
        >>> from treegen.api import build
        >>> session = Session(build("p4c6r"))
        >>> session.answer("11", guess="1234")
        >>> session.n_left
        252
        """
        game = self.tree.game
        if guess is not None:
            code = read_code(game, guess)
            self.respond(read_answer(game, answer, code), code)
            return
        try:
            response, code = read_answer(game, answer, self.code), self.code
        except GameError:
            if ":" not in answer and read_json_list(answer) is None:
                raise
            code, response = parse_pair(answer, game)
        self.respond(response, code)

    def respond(self, response: int, code: int | None = None) -> None:
        """Take the answer to the current guess, or to another code, like `answer`, by index."""
        self._refuse_after_the_end()
        if code is not None and code != self.code:
            self._respond_to(code, response)
            return
        tree, node = self._places[-1]
        if response == tree.game.win and tree.wins(node):
            self._go_on(self.code, response, 1, tree, node)
            return
        child = find_child(tree, node, response)
        if child is None and not 0 <= response < tree.game.n_responses:
            raise UnreachableError(describe_dead_end(tree, node, response))
        if child is None:
            reason = describe_conflict(tree.game, (*self._past, (self.code, response)))
            raise UnreachableError(f"{describe_dead_end(tree, node, response)}. {reason}")
        self._go_on(self.code, response, int(tree.n_candidates[child]), tree, child)

    def _respond_to(self, code: int, response: int) -> None:
        """Take a guess that is not the tree's, and the answer to it."""
        self._refuse_breach(code)
        game, history = self.tree.game, (*self._past, (code, response))
        n_left = len(select_candidates(game, history))
        if not n_left:
            raise UnreachableError(describe_conflict(game, history))
        if response == game.win:
            tree, node = self._places[-1]
        elif self.rebuild is not None:
            tree, node = self.rebuild(history), 0
        else:
            # A game that follows its tree needs no compiler.
            from ..builder import build_tree

            tree, node = build_tree(game, choose_rule(self.tree), history=history), 0
        self._go_on(code, response, n_left, tree, node)

    def undo(self) -> None:
        """Take the last answer back; raise UsageError if there is none."""
        if not self.turns:
            raise UsageError("there is no answer to take back")
        self.turns.pop()
        self._places.pop()

    def _go_on(self, code: int, response: int, n_left: int, tree: Tree, node: int) -> None:
        [(guess, answer)] = write_pairs(self.tree.game, ((code, response),))
        self.turns.append(Turn(guess, answer, n_left, code, response))
        self._places.append((tree, node))

    def _refuse_breach(self, guess: int) -> None:
        """Raise UsageError if the rule of play, such as hard mode, forbids a guess now."""
        eligible = self.tree.provenance.eligible
        if is_rule_of_play(eligible):
            breach = describe_breach(self.tree.game, eligible, self._past, guess)
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
        session.respond(tree.game.score(session.code, secret))
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
