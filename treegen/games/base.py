"""A game: its rules, which are facts, and its notation, by which people write it.

A history of guesses and answers leaves some of its secrets: see `follow`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from fractions import Fraction
from operator import index
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .._options import check_lists, show_value
from ..errors import GameError
from .feedback import FeedbackRule
from .notation import Notation, check_guess, parse_symbols, read_answer, read_code
from .rules import (
    GROUP_MARK,
    MAX_CODES,
    Description,
    Goal,
    GoalName,
    Number,
    Rules,
    write_count,
)


def _check_number(
    what: str, number: SupportsIndex, end: int, error: type[Exception] = IndexError
) -> None:
    """Raise TypeError for what is no whole number, another error for one not below `end`."""
    try:
        place = None if isinstance(number, bool) else index(number)
    except TypeError:
        place = None
    if place is None:
        raise TypeError(f"a {what} is a whole number here, not {show_value(number)}")
    if not 0 <= place < end:
        raise error(f"{what} {place} is out of range: 0 to {end - 1:,}")


def _rename(notation: Notation, symbols: Sequence[str] | None) -> Notation:
    return notation.with_symbols(symbols) if symbols else notation


class Game:
    """A code-breaking game: what is guessed, what is secret, what is answered.

    Codes are indices into `codes`. Secrets are the codes ``0 … n_secrets - 1``. Responses are
    indices ``0 … n_responses - 1``; the last one says that the guess is the secret, and ends the
    game. With the goal `Goal.IDENTIFY` a game is also over, without a guess, when one candidate is
    left.

    Parameters
    ----------
    notation
        How people write the game, and with it the rules.

    Attributes
    ----------
    rules : Rules
        What the game is: facts as numbers and arrays. What computes takes these alone.
    notation : Notation
        How people write it: codes, answers, steps, titles.
    kind : str
        The family, such as ``pegs`` or ``codebook``.
    name : str
        Short name, such as ``p4c6r``.
    n_pegs, n_colors : int
        Length of a code; number of values on a peg.
    n_codes, n_secrets : int
        Number of codes; how many of them, from the first, may be secret.
    n_responses, win : int
        Number of responses; the one that ends the game.
    goal : Goal
        When a game is over.
    feedback : FeedbackRule
        How a guess is answered; `rule` is its name.
    reading : str
        For people: how the game's file was read, if its kind was guessed.

    Notes
    -----
    The methods take and return what users have: `answer` takes texts, `score` and `respond` take
    indices. Parts and what they hold are treegen's own, and may change with it.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.open_game("p4c6r")
    >>> game.n_secrets, game.n_responses, game.format_code(0)
    (1296, 14, '1111')
    """

    rules: Rules
    notation: Notation
    kind: str
    name: str
    n_pegs: int
    n_colors: int
    n_codes: int
    n_secrets: int
    n_responses: int
    win: int
    goal: Goal
    feedback: FeedbackRule
    rule: str
    reading: str = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "make_codes" in vars(cls):
            raise TypeError(
                f"{cls.__name__} is written for an older treegen: make it a subclass of"
                " treegen.Rules, and return treegen.Game(treegen.Notation(rules, symbols)), as"
                " docs/notes/plug-ins.md says"
            )

    def __init__(self, notation: Notation) -> None:
        rules = notation.rules
        self.rules, self.notation = rules, notation
        self.kind, self.name, self.goal = rules.kind, rules.name, rules.goal
        self.n_pegs, self.n_colors = rules.n_pegs, rules.n_colors
        self.n_codes, self.n_secrets = rules.n_codes, rules.n_secrets
        self.n_responses, self.win = rules.n_responses, rules.win
        self.feedback, self.rule = rules.feedback, rules.feedback.name

    def with_notation(self, notation: Notation) -> Self:
        """Return this game with another notation, and its rules."""
        other = copy(self)
        Game.__init__(other, notation)
        return other

    @property
    def codes(self) -> NDArray[np.unsignedinteger]:
        """All codes, one a row (read-only), in the smallest type that holds the colors."""
        return self.rules.codes

    @property
    def weights(self) -> NDArray[np.int64] | None:
        """What finding each secret counts, int64[n_secrets]; None if every secret counts 1."""
        return None if self.rules.weights is None else self.rules.weights.copy()

    @property
    def costs(self) -> NDArray[np.int64]:
        """What guessing each code costs, int64[n_codes]; 1 each unless given."""
        return self.rules.costs

    @property
    def description(self) -> Description:
        """Return ``[kind, parameters …]``, from which the game can be recreated.

        Weights and costs begin it, ``"weighted", weights, costs``; a goal, ``"goal identify"``,
        ends it.
        """
        return self.rules.description

    def score(self, guess: int, secret: int) -> int:
        """Return the response to a guess, by the plain definition; `answer` takes texts."""
        _check_number("code", guess, self.n_codes)
        _check_number("secret", secret, self.n_codes)
        return self.rules.score(guess, secret)

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to guesses (indices), broadcast against the secrets (indices)."""
        return self.rules.respond(guesses, secrets)

    def answer(self, guess: str, secret: str) -> str:
        """Return the answer to a guess, all as texts; if a secret may give several, ``no | yes``.

        Parameters
        ----------
        guess
            A code, or a question.
        secret
            A code that may be secret.

        Raises
        ------
        GameError
            One of them is no such code.

        Examples
        --------
        >>> import treegen
        >>> treegen.open_game("p4c6r").answer("1122", "3163")
        '10'
        """
        return GROUP_MARK.join(self.answers(guess, secret))

    def answers(self, guess: str, secret: str) -> dict[str, Fraction]:
        """Return all answers that a secret may give to a guess, with their shares.

        Parameters and errors are those of `answer`. The shares are positive and add up to 1.

        Examples
        --------
        >>> import treegen
        >>> names, cells = ["ant", "bee", "eel"], ["no", "yes", {"no", "yes"}]
        >>> rows = [{"name": name, "Wet?": cell} for name, cell in zip(names, cells)]
        >>> treegen.open_game(rows).answers("Wet?", "eel")
        {'no': Fraction(1, 2), 'yes': Fraction(1, 2)}
        """
        asked = check_guess(self.notation, read_code(self.notation, guess))
        code = read_code(self.notation, secret, is_secret=True)
        possible = self.rules.spread(np.array([asked]), np.array([code])).answers.tolist()
        share = Fraction(1, len(possible))
        return {self.format_response(each, asked): share for each in possible}

    def format_code(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Write a code with the game's symbols or with the given ones."""
        _check_number("code", code, self.n_codes)
        return _rename(self.notation, symbols).format_code(code)

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written code.

        Raises
        ------
        GameError
            The text is not a code of this game; the message says why.
        TypeError
            It is not a text.
        """
        return read_code(_rename(self.notation, symbols), text)

    def parse_secret(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written code that may be secret; raise GameError otherwise."""
        return read_code(_rename(self.notation, symbols), text, is_secret=True)

    def format_response(self, response: int, guess: int | None = None) -> str:
        """Write a response as people do: ``02`` for no black and two white pegs.

        A question's answers are written in its own words if `guess` is given, else as numbers,
        unless all questions have the same answers.
        """
        _check_number("response", response, self.n_responses, GameError)
        return self.notation.format_response(response, guess)

    def parse_response(self, text: str, guess: int | None = None) -> int:
        """Return the response of a written feedback; raise GameError if there is none."""
        return read_answer(self.notation, text, guess)

    def with_goal(self, goal: GoalName | Goal) -> Self:
        """Return the same game with another goal, ``"win"`` or ``"identify"``.

        Raises
        ------
        GameError
            There is no such goal, or costs were given for other guesses than it has.

        Examples
        --------
        >>> from treegen.games import parse_game
        >>> parse_game("p4c6r").with_goal("identify").description
        ['pegs', 4, 6, 1, 'pegs', 'goal identify']
        """
        rules = self.rules.with_goal(goal)
        if rules.given_costs is not None and rules.first_guess != self.rules.first_guess:
            raise GameError(f"costs were given for the goal to {self.goal}: choose the goal first")
        return self.with_notation(self.notation.of(rules))

    def with_stakes(
        self, weights: Iterable[Number] | None = None, costs: Iterable[Number] | None = None
    ) -> Self:
        """Return this game with other weights of its secrets and costs of its codes.

        Parameters
        ----------
        weights
            For each secret a non-negative number, read exactly: integers, decimals as text,
            `Decimal` or `Fraction`, in any iterable. A common factor is taken out. None: 1 each.
        costs
            For each code a positive integer; a common factor is taken out. None: 1 each.

        Raises
        ------
        GameError
            A number is negative, not finite or too large; all weights are 0; there are more or
            fewer numbers than secrets or codes.

        Examples
        --------
        >>> from treegen.games import parse_game
        >>> game = parse_game("p2c2r").with_stakes(["0.5", "1.5", "0", "1"])
        >>> game.weights.tolist(), game.costs.tolist()
        ([1, 3, 0, 2], [1, 1, 1, 1])
        """
        return self.with_notation(self.notation.of(self.rules.with_stakes(weights, costs)))

    def with_symbols(self, symbols: str | Sequence[str] | None) -> Self:
        """Return this game with its colors read and written in another way; None: in its own.

        It is the same game. GameError if the symbols do not fit it.

        >>> from treegen.games import parse_game
        >>> game = parse_game("p2c3r").with_symbols("abc")
        >>> game.format_code(1), game.parse_code("cb"), game.name
        ('ab', 7, 'p2c3r')
        """
        check_lists(symbols=symbols)
        names = self.notation.own_symbols
        if symbols is not None and tuple(symbols) != names:
            names = parse_symbols(symbols, self.n_colors)
        elif self.notation.symbols == names:
            return self
        return self.with_notation(self.notation.with_symbols(names))

    def __eq__(self, other: object) -> bool:
        return self.rules == other.rules if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.rules)

    def __repr__(self) -> str:
        secrets, codes = ("s"[: n != 1] for n in (self.n_secrets, self.n_codes))
        return f"<Game {self.name}: {self.n_secrets} secret{secrets}, {self.n_codes} code{codes}>"


MAX_RESPONSES = 2**16
"""Responses are numbers of 16 bits."""


def check_game(game: Game) -> None:
    """Raise GameError if a game has more codes or responses than a tree can hold."""
    for what, number, most in (
        ("codes", game.n_codes, MAX_CODES),
        ("responses", game.n_responses, MAX_RESPONSES),
    ):
        if number > most:
            raise GameError(
                f"{game.name} has {write_count(number)} {what}; a tree holds at most {most:,}"
            )


def select_candidates(game: Game, history: Iterable[tuple[int, int]]) -> NDArray[np.int32]:
    """Return the secrets that agree with every (guess, response) of a history, ascending.

    GameError as in `follow`.
    """
    return follow(game, history)[0]


def follow(
    game: Game, history: Iterable[tuple[int, int]]
) -> tuple[NDArray[np.int32], NDArray[np.int64] | None]:
    """Return the secrets that may have given the answers of a history, ascending, and their shares.

    There are none where no secret's weight is divided. GameError if the game has more codes or
    responses than a tree can hold.
    """
    check_game(game)
    candidates, shares = np.arange(game.n_secrets, dtype=np.int32), game.rules.shares
    for guess, response in history:
        spread = game.rules.spread(np.array([guess]), candidates, shares)
        fits = spread.answers == response
        candidates = candidates[spread.source][fits]
        shares = None if spread.shares is None else spread.shares[fits]
    return candidates, shares


def excludes_any(game: Game, guess: int, candidates: NDArray[np.int32]) -> bool:
    """Return whether some answer to a guess excludes a candidate."""
    sizes = np.bincount(game.rules.spread(np.array([guess]), candidates).answers)
    return bool(((sizes > 0) & (sizes < len(candidates))).any())
