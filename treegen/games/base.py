"""What every game offers: codes, secrets, responses, symmetries, a description.

Its weights and costs are integers without a common factor. Equal numbers have no effect and are
dropped, so that a game has one description, however its weights were written.
"""

from __future__ import annotations

import hashlib
import json
import re
import string
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import gcd, lcm, log10
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self, SupportsIndex, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UsageError
from ..jit.memory import read_available_bytes
from .feedback import FeedbackRule
from .histories import format_history, read_json_list
from .text import Names, are_joined, clean, fold, normalize, split_letters

_MARK = "goal "
"""How a description ends if it has a goal; no other entry has a space there."""


class Goal(StrEnum):
    """When a game is over."""

    WIN = "win"
    """When the secret is guessed."""
    IDENTIFY = "identify"
    """Also when one candidate is left, which is announced without a guess."""

    def describe(self) -> Description:
        """Return how a game's description ends: nothing for the usual goal."""
        return [] if self == Goal.WIN else [f"{_MARK}{self.value}"]

    @property
    def digest_suffix(self) -> str:
        """Return what follows the rules' name in a digest; empty for the usual goal."""
        return "".join(f" {entry}" for entry in self.describe())


GoalName = Literal["win", "identify"]
"""How a `Goal` is given."""


def parse_goal(text: str) -> Goal:
    """Return the goal of a name; raise GameError if there is none."""
    if text not in tuple(Goal):
        raise GameError(f"unknown goal {text!r:.80}: there are {', '.join(Goal)}")
    return Goal(text)


def split_goal(description: Sequence[int | str]) -> tuple[Sequence[int | str], Goal]:
    """Return a description without the goal at its end, and the goal.

    GameError if there is no such goal, or if it is the usual one, which is never written.
    """
    last = description[-1] if description else ""
    if not isinstance(last, str) or not last.startswith(_MARK):
        return description, Goal.WIN
    goal = parse_goal(last.removeprefix(_MARK))
    if goal == Goal.WIN:
        raise GameError("the usual goal is not part of a game's description")
    return description[:-1], goal


MAX_SINGLE_SYMBOLS = 35  # 1 to 9, A to Z
"""More colors than this are written as numbers joined by dots."""


def default_symbols(n_colors: int, first: int) -> tuple[str, ...]:
    """Return the digits from `first`, then A to Z; numbers if there are over 35 colors."""
    if n_colors > MAX_SINGLE_SYMBOLS:
        return tuple(str(number) for number in range(first, first + n_colors))
    alphabet = string.digits[first:] + string.ascii_uppercase
    return tuple(alphabet[:n_colors])


def parse_symbols(text: str | Sequence[str], n_colors: int) -> tuple[str, ...]:
    """Return the symbols of a text, ``abcdef`` or names ``red,green,blue``, or of a list.

    Names with commas are given as a JSON list. GameError unless there are `n_colors` different
    ones.
    """
    names = [clean(name) for name in _split_names(text)]
    if len(names) != n_colors or len({fold(name) for name in names}) != len(names):
        raise GameError(
            f"symbols {text!r:.80} do not fit: {n_colors} different ones are needed, as"
            " abcdef or red,green,blue"
        )
    if any(re.search(r"[\s.]", name) or not name for name in names):  # these stand between names
        raise GameError(
            f"symbols {text!r:.80} do not fit: none may be empty or hold a space or a dot"
        )
    return tuple(names)


def _split_names(text: str | Sequence[str]) -> Sequence[str]:
    if not isinstance(text, str):
        return text
    listed = read_json_list(text)
    if listed is not None and all(isinstance(name, str) for name in listed):
        return listed
    return text.split(",") if "," in text else split_letters(normalize(text))


def write_symbols(symbols: Sequence[str]) -> str:
    """Return symbols as `parse_symbols` reads them: ``a,b``, or a JSON list if one has a comma."""
    if any("," in symbol or symbol.startswith("[") for symbol in symbols):
        return json.dumps(list(symbols), ensure_ascii=False)
    return ",".join(symbols)


def join_symbols(colors: Sequence[int], symbols: Sequence[str]) -> str:
    """Write the colors of one code."""
    separator = "" if are_joined(tuple(symbols)) else "."
    return separator.join(symbols[color] for color in colors)


def split_symbols(text: str, symbols: Sequence[str]) -> list[int]:
    """Read the colors of one code; raise GameError at the first that is not one of the symbols."""
    names, separators = _know_symbols(tuple(symbols))
    parts = separators.split(text.strip()) if separators else split_letters(normalize(text))
    colors = []
    for part in parts:
        color = names.place_of.get(part)  # most are spelled so, and `find` is slow
        color = names.find(part) if color is None else color
        if color is None:
            raise GameError(
                f"{part!r:.80} in the code {text!r:.80} is not one of {list_symbols(symbols)}"
            )
        colors.append(color)
    return colors


@lru_cache(maxsize=16)
def _know_symbols(symbols: tuple[str, ...]) -> tuple[Names, re.Pattern[str] | None]:
    """Return what finds a symbol, and what stands between two; None: nothing does."""
    if are_joined(symbols):
        return Names(symbols), None
    has_comma = any("," in symbol for symbol in symbols)
    return Names(symbols), re.compile(r"[.\s]+" if has_comma else r"[.,\s]+")


def list_symbols(symbols: Sequence[str]) -> str:
    """Return symbols for a message, the first and the last of many."""
    return f"{symbols[0]} … {symbols[-1]}" if len(symbols) > 10 else " ".join(symbols)


def smallest_type(n_values: int) -> type[np.unsignedinteger]:
    """Return the smallest type of up to 16 bits for the numbers below `n_values`."""
    return np.uint8 if n_values <= 256 else np.uint16


MOST_NAMED = 5
"""A message names at most this many of the guesses that may be made."""

MAX_CODES = 2**31 - 1
"""Code indices have 32 bits."""

BYTES_PER_CODE = 32
"""Bytes per code that making the table of codes takes besides two copies of it."""


Number = int | str | Decimal | Fraction
"""A number that is read exactly."""

GROUP_MARK = " | "
"""Between the names of candidates that no question tells apart."""

KIND = "weighted"
"""The kind with which the description of a game with weights or costs begins."""

MAX_TOTAL_WEIGHT = 10**12
"""The most that weights may sum up to: with it, totals of long games keep within 64 bits."""

MAX_COST = 10_000
"""The most that a guess may cost: histograms have an entry for each cost of a game."""

_DECIMAL = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,2})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stakes:
    """Weights of secrets and costs of codes; None where each is 1.

    Attributes
    ----------
    weights
        For each secret a non-negative integer.
    costs
        For each code a positive integer; 0 for codes that are announced and not asked.
    """

    weights: tuple[int, ...] | None = None
    costs: tuple[int, ...] | None = None

    def __bool__(self) -> bool:
        return self.weights is not None or self.costs is not None

    def describe(self) -> list[str]:
        """Return the first entries of the game's description; none without weights and costs."""
        return [KIND, _join(self.weights), _join(self.costs)] if self else []

    @property
    def digest_suffix(self) -> str:
        """Return what follows the rules' name in a digest; empty without weights and costs."""
        if not self:
            return ""
        text = f"{_join(self.weights)} {_join(self.costs)}"
        return " weighted:" + hashlib.sha256(text.encode()).hexdigest()


def parse_stakes(weights: object, costs: object) -> tuple[list[int] | None, list[int] | None]:
    """Return weights and costs of the texts in a description; raise GameError for wrong ones."""
    return _split(weights), _split(costs)


def read_number(number: Number) -> Fraction:
    """Return a number exactly; raise GameError for anything else, such as a rounded float."""
    if isinstance(number, str):
        if re.fullmatch(r"[+-]?\d{1,40},\d{1,40}", number.strip(), re.ASCII):
            raise GameError(
                f"{number.strip()!r:.60} has a comma: write decimals with a point,"
                f" {number.strip().replace(',', '.'):.60}, and thousands without a sign"
            )
        if not _DECIMAL.fullmatch(number.strip()):
            raise GameError(f"{number.strip()!r:.60} is not a number: 3, 0.125 or 1.5e-3 are")
        return Fraction(number.strip())
    if isinstance(number, Decimal) and not number.is_finite():
        raise GameError(f"{number} is not a number that can be counted")
    if isinstance(number, (float, np.floating)):
        if number != number:
            raise GameError(f"{number} is not a number")
        if float(number).is_integer() and abs(number) < 2**53:  # which floats hold exactly
            return Fraction(int(number))
        raise GameError(f"{number} is a binary float, which is rounded; give the text or Decimal")
    if isinstance(number, bool) or not isinstance(number, (int, np.integer, Decimal, Fraction)):
        raise GameError(f"{number!r:.60} is not a number")
    return Fraction(int(number) if isinstance(number, np.integer) else number)


def list_numbers(numbers: Iterable[Number], what: str) -> list[Number]:
    """Return the numbers of a list, an array or another iterable; GameError if it is not one."""
    is_ordered = not isinstance(numbers, (str, bytes, Mapping, Set)) and hasattr(
        numbers, "__iter__"
    )
    if not is_ordered or getattr(numbers, "ndim", 1) != 1:
        raise GameError(
            f"{what} are numbers in order, not {numbers!r:.60}; open_game takes them by name and"
            " from files, too"
        )
    return list(numbers)


def read_weight(number: Number) -> Fraction:
    """Return a weight exactly; raise GameError if it is negative or no number."""
    weight = read_number(number)
    if weight < 0:
        raise GameError(f"the weight {number} is negative; weights are 0 or more")
    return weight


def read_cost(number: Number) -> Fraction:
    """Return a cost; raise GameError if it is not a positive integer."""
    cost = read_number(number)
    if cost.denominator != 1 or cost < 1:
        raise GameError(f"the cost {number} is not a positive integer")
    return cost


def scale_weights(weights: Sequence[Number], n_secrets: int) -> tuple[int, ...] | None:
    """Return weights as integers without a common factor, None if all are equal."""
    if len(weights) != n_secrets:
        raise GameError(f"{len(weights):,} weights are given; there are {n_secrets:,} secrets")
    numbers = [read_weight(weight) for weight in weights]
    if not any(numbers):
        raise GameError("all weights are 0: at least one secret must count")
    whole = _drop_factor(numbers)
    if sum(whole) > MAX_TOTAL_WEIGHT:
        raise GameError(
            f"without their common factor the weights sum up to {write_count(sum(whole))}; at most"
            f" {MAX_TOTAL_WEIGHT:,} is allowed: round them to fewer digits"
        )
    return None if set(whole) == {1} else whole


def scale_costs(costs: Sequence[Number], plain: NDArray[np.int64]) -> tuple[int, ...] | None:
    """Return costs as integers without a common factor, None if they are the `plain` ones.

    `plain`, int64[n_codes], has 1, or 0 for codes that are only announced, whatever their cost.
    """
    asked = plain.tolist()  # 0 is false: a cost of what is only announced is not even read
    pairs = zip(costs, asked, strict=True)
    whole = _drop_factor([read_cost(cost) if is_asked else Fraction() for cost, is_asked in pairs])
    if max(whole) > MAX_COST:
        raise GameError(
            f"without their common factor the largest cost is {max(whole):,}; at most"
            f" {MAX_COST:,} is allowed"
        )
    return None if whole == tuple(asked) else whole


def _drop_factor(numbers: Iterable[Fraction]) -> tuple[int, ...]:
    """Return the smallest integers in the same proportions."""
    numbers = list(numbers)
    scale = lcm(*(number.denominator for number in numbers))
    whole = [int(number * scale) for number in numbers]
    factor = gcd(*whole) or 1  # 0 where a table has no question that could cost anything
    return tuple(number // factor for number in whole)


def _join(numbers: tuple[int, ...] | None) -> str:
    return "" if numbers is None else ",".join(map(str, numbers))


def _split(text: object) -> list[int] | None:
    if text == "":
        return None
    # 13 digits, as MAX_TOTAL_WEIGHT has.
    if not isinstance(text, str) or not re.fullmatch(r"\d{1,13}(,\d{1,13})*", text, re.ASCII):
        raise GameError(f"weights or costs are numbers joined by commas, not {text!r:.60}")
    return [int(number) for number in text.split(",")]


Description = list[int | str]


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Which changes of guess and secret alike keep every response."""

    pegs: bool  # they may be exchanged
    colors: bool  # they may be renamed


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The whole codebook from which the words of another one were taken: all secrets, some others.

    `rules_name` is its name in digests, `n_codes` how many words it has. `numbers` are the numbers
    there, ascending, of the words behind the secrets; the secrets keep theirs.
    """

    rules_name: str
    n_codes: int
    numbers: tuple[int, ...]

    def check(self, n_secrets: int, n_codes: int) -> None:
        """Raise GameError unless a codebook of these counts can have the words of these numbers."""
        numbers = (n_secrets - 1, *self.numbers, self.n_codes)  # above all secrets, below the end
        are_ascending = all(one < other for one, other in pairwise(numbers))
        if len(self.numbers) != n_codes - n_secrets or not are_ascending:
            raise GameError("the numbers of an excerpt's words are wrong")
        if self.n_codes > MAX_CODES or not re.fullmatch("codebook:[0-9a-f]{64}", self.rules_name):
            raise GameError("the whole codebook of an excerpt is wrong")


class Spread(NamedTuple):
    """What secrets may answer: a row for each answer of each secret."""

    source: NDArray[np.intp] | slice  # the secret's place among those asked; a slice: one row each
    answers: NDArray[np.int64]
    shares: NDArray[np.int64] | None  # what comes to the answer; None: all that the secret counts


class Game(ABC):
    """A code-breaking game: what is guessed, what is secret, what is answered.

    Codes are indices into `codes`. Secrets are the codes ``0 … n_secrets - 1``; the codes
    ``first_guess … n_codes - 1`` may be guessed, which are all unless candidates cannot be guessed.
    Responses are indices ``0 … n_responses - 1``; the last one says that the guess is the secret,
    and ends the game. With the goal `Goal.IDENTIFY` a game is also over, without a guess, when one
    candidate is left.

    Attributes
    ----------
    kind : str
        The family, the first entry of `rules_description` (a codebook's may be ``letters``).
    name : str
        Short name, such as ``p4c6r``.
    n_pegs, n_colors : int
        Length of a code; number of values on a peg.
    n_codes, n_secrets : int
        Number of codes; how many of them, from the first, may be secret.
    feedback : FeedbackRule
        How a guess is answered.

    Notes
    -----
    Users call `answer`, `score` and `respond`; `format_code`, `parse_code`, `format_response`,
    `parse_response`; `codes`, `n_responses`, `win`, `weights`, `costs`; `with_goal`, `with_stakes`,
    `with_symbols`. The other methods are what treegen asks of a game, and may change with it.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.open_game("p4c6r")
    >>> game.n_secrets, game.n_responses, game.format_code(0)
    (1296, 14, '1111')
    """

    kind: str
    name: str
    n_pegs: int
    n_colors: int
    n_codes: int
    n_secrets: int
    feedback: FeedbackRule

    goal: Goal = Goal.WIN
    """When a game is over."""

    usual_goal: ClassVar[Goal] = Goal.WIN
    """The goal of such a game unless another one is asked for."""

    label: str = ""
    """The name of the file that the game was read from; empty if it has its own name."""

    excerpt: Excerpt | None = None
    """The whole list of words, if this game has no more of it than a tree needs."""

    noun: ClassVar[str] = "code"
    """What people think of: a code, a number, a candidate."""

    is_of_words: ClassVar[bool] = False
    """Whether codes are words of a list: symbols are their letters, written without a dot."""

    asks_questions: ClassVar[bool] = False
    """Whether a code may be a question, with answers of its own."""

    has_shares: ClassVar[bool] = False
    """Whether a candidate may end at several leaves, with a share of its weight at each."""

    answers_in_words: ClassVar[bool] = False
    """Whether answers are words that `list_answers` gives and a player's table has to hold."""

    reading: str = ""
    """For people: how the game's file was read, if its kind was guessed."""

    symmetry: Symmetry = Symmetry(pegs=False, colors=False)
    """Which changes of a code keep every response."""

    stakes: Stakes = Stakes()
    """What finding each secret counts, and what each guess costs; 1 each unless given."""

    _notation: tuple[str, ...] = ()  # empty: `symbols`

    @property
    def n_responses(self) -> int:
        """Return the number of responses."""
        return self.feedback.n_responses

    @property
    def win(self) -> int:
        """Return the response that ends the game."""
        return self.n_responses - 1

    @property
    def rule(self) -> str:
        """Return the name of the feedback rule."""
        return self.feedback.name

    @cached_property
    def codes(self) -> NDArray[np.unsignedinteger]:
        """All codes, one a row (read-only), in the smallest type that holds the colors."""
        if self.n_codes > MAX_CODES:
            raise GameError(
                f"{self.name} has {write_count(self.n_codes)} codes; a table of codes holds at"
                f" most {MAX_CODES:,}"
            )
        needed = self.n_codes * (2 * self.n_pegs + BYTES_PER_CODE)
        if needed > read_available_bytes():
            raise GameError(
                f"{self.name} has {self.n_codes:,} codes: {needed:,} bytes do not fit memory"
            )
        table = self.make_codes()
        table.setflags(write=False)
        return table

    @property
    def weights(self) -> NDArray[np.int64] | None:
        """What finding each secret counts, int64[n_secrets]; None if every secret counts 1."""
        return None if self.stakes.weights is None else np.array(self.stakes.weights)

    @property
    def share_unit(self) -> int:
        """How many shares a unit of weight has: files count shares, which are whole."""
        return 1

    @property
    def shares(self) -> NDArray[np.int64] | None:
        """The shares of each secret before the first guess; None: its weight is never divided."""
        return None

    @property
    def costs(self) -> NDArray[np.int64]:
        """What guessing each code costs, int64[n_codes]; 1 each unless given."""
        if self.stakes.costs is None:
            return self.plain_costs
        return np.array(self.stakes.costs)

    def score(self, guess: int, secret: int) -> int:
        """Return the response to a guess, by the plain definition."""
        return self.feedback.score(self.codes[guess].tolist(), self.codes[secret].tolist())

    def answer(self, guess: str, secret: str) -> str:
        """Return the answer to a guess, all as texts.

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
        asked = self.check_guess(read_code(self, guess))
        return self.format_response(
            self.score(asked, read_code(self, secret, is_secret=True)), asked
        )

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to guesses (indices), broadcast against the secrets (indices)."""
        return self.feedback.respond(self.codes[guesses], self.codes[secrets])

    def spread(
        self,
        guesses: NDArray[np.integer],
        secrets: NDArray[np.integer],
        shares: NDArray[np.int64] | None = None,
    ) -> Spread:
        """Return what secrets may answer to guesses, and where their shares go.

        Here each gives the answer of `respond`. A kind of game in which a secret may give several
        answers divides its share among them.

        Parameters
        ----------
        guesses, secrets
            Indices, int[n] each; one guess may stand for all.
        shares
            What is left of each secret, int64[n]; None: all that it counts.

        Examples
        --------
        >>> from treegen.games import parse_game
        >>> parse_game("p2c2r").spread(np.array([1]), np.arange(4)).answers.tolist()
        [3, 4, 2, 3]
        """
        return Spread(slice(None), self.respond(guesses, secrets), shares)

    def format_code(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Write a code in the game's notation or with the given symbols."""
        return join_symbols(self.codes[code].tolist(), symbols or self.notation)

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written code.

        Raises
        ------
        GameError
            The text is not a code of this game; the message says why.
        """
        if symbols:
            return self._rename_colors(symbols).parse_code(text)
        colors = split_symbols(text.strip(), self.notation)
        if len(colors) != self.n_pegs:
            raise GameError(
                f"the code {text!r:.80} has {len(colors)} pegs; {self.name} has {self.n_pegs}"
            )
        return self.index_of(colors)

    def parse_secret(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the index of a written code that may be secret; raise GameError otherwise."""
        return self.parse_code(text, symbols)

    def format_response(self, response: int, guess: int | None = None) -> str:
        """Write a response as people do: ``02`` for no black and two white pegs.

        A question's answers are written in its own words if `guess` is given, else as numbers,
        unless all questions have the same answers.
        """
        return self.feedback.format(response)

    def parse_response(self, text: str, guess: int | None = None) -> int:
        """Return the response of a written feedback; raise GameError if there is none."""
        return self.feedback.parse(text)

    def format_history(self, history: Sequence[tuple[int, int]], joint: str = "/") -> str:
        """Write guesses with their answers, ``1122:02/1344:11``; as JSON if that is not clear."""
        return format_history(self, history, joint=joint)

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
        other = copy(self)  # shares the table of codes, which nobody can write to
        other.goal = parse_goal(goal)
        if self.stakes.costs is not None and other.first_guess != self.first_guess:
            raise GameError(f"costs were given for the goal to {self.goal}: choose the goal first")
        return other

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
        weights = None if weights is None else list_numbers(weights, "weights")
        costs = None if costs is None else list_numbers(costs, "costs")
        if costs is not None and len(costs) != self.n_codes:
            raise GameError(
                f"{len(costs):,} costs are given; {self.name} has {write_count(self.n_codes)} codes"
            )
        other = copy(self)
        other.stakes = Stakes(
            None if weights is None else scale_weights(weights, self.n_secrets),
            None if costs is None else scale_costs(costs, self.plain_costs),
        )
        return other

    def with_symbols(self, symbols: str | Sequence[str] | None) -> Self:
        """Return this game with its colors read and written in another way; None: in its own.

        It is the same game. GameError if the symbols do not fit it.

        >>> from treegen.games import parse_game
        >>> game = parse_game("p2c3r").with_symbols("abc")
        >>> game.format_code(1), game.parse_code("cb"), game.name
        ('ab', 7, 'p2c3r')
        """
        if symbols is None or tuple(symbols) == self.symbols:
            return self._rename_colors(self.symbols) if self._notation else self
        return self._rename_colors(parse_symbols(symbols, self.n_colors))

    def _rename_colors(self, symbols: Sequence[str]) -> Self:
        other = copy(self)
        other._notation = () if tuple(symbols) == self.symbols else tuple(symbols)
        other.__dict__.pop("_n_signs", None)  # of the other names: see `histories`
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.description == other.description

    def __hash__(self) -> int:
        return hash(tuple(self.description))

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.n_secrets} secrets, {self.n_codes} codes>"

    # From here on: what treegen asks of a game, and may change with it. A kind of game defines what
    # is abstract, and what differs from most.

    @property
    @abstractmethod
    def rules_description(self) -> Description:
        """Return ``[kind, parameters …]``: the game without goal, weights and costs."""

    @property
    @abstractmethod
    def symbols(self) -> tuple[str, ...]:
        """Return how each color is written by default."""

    @abstractmethod
    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return all codes, one a row, in the order of their indices."""

    @abstractmethod
    def index_of(self, colors: Sequence[int]) -> int:
        """Return the index of a row of valid colors; raise GameError if it is not a code."""

    @property
    def description(self) -> Description:
        """Return ``[kind, parameters …]``, from which the game can be recreated.

        Weights and costs begin it, ``"weighted", weights, costs``; a goal, ``"goal identify"``,
        ends it.
        """
        return [*self.stakes.describe(), *self.rules_description, *self.goal.describe()]

    @property
    def notation(self) -> tuple[str, ...]:
        """How each color is read and written: by `symbols`, or as `with_symbols` has it."""
        return self._notation or self.symbols

    @property
    def rules_name(self) -> str:
        """Return the name of the rules in digests; `name` by default."""
        return self.name

    def number_codes(self, codes: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the numbers of codes in a tree's digest: their indices."""
        return codes

    @property
    def digest_name(self) -> str:
        """Return the name that a tree's digest begins with: of rules, goal, weights and costs."""
        return self.rules_name + self.goal.digest_suffix + self.stakes.digest_suffix

    @property
    def first_guess(self) -> int:
        """Return the first code that may be guessed; the codes before it are only announced."""
        return 0

    @property
    def n_guesses(self) -> int:
        """Return how many codes may be guessed."""
        return self.n_codes - self.first_guess

    @property
    def announces_several(self) -> bool:
        """Return whether several candidates may be left where a game is over: see `announce`."""
        return False

    @property
    def bytes_per_code(self) -> int:
        """Return about how many bytes a code takes in the kernels' tables."""
        return self.n_pegs + self.n_colors

    @property
    def plain_costs(self) -> NDArray[np.int64]:
        """What guessing each code costs by default: 1; 0 if it is only announced."""
        costs = np.ones(self.n_codes, dtype=np.int64)
        costs[: self.first_guess] = 0
        return costs

    @property
    def title(self) -> str:
        """Return the game's name for people, which is `name` unless that is a digest."""
        return self.name

    @property
    def step(self) -> str:
        """Return what a step of the game is called: a guess, or a question."""
        return "question" if self.asks_questions and self.goal == Goal.IDENTIFY else "guess"

    @property
    def aim(self) -> str:
        """Return what is to be found, in a sentence for people who play."""
        return f"One of {self.n_secrets:,} {self.noun}s is to be found."

    @property
    def how_to_answer(self) -> str:
        """Return how people answer: what follows "answer each guess"."""
        return str(getattr(self.feedback, "how", "as the game is answered"))

    @property
    def has_white(self) -> bool:
        """Return whether answers count black and white pegs."""
        return bool(getattr(self.feedback, "has_white", False))

    @property
    def has_tiles(self) -> bool:
        """Return whether answers mark each letter, as colored tiles do."""
        return bool(getattr(self.feedback, "has_tiles", False))

    @property
    def is_plain(self) -> bool:
        """Return whether every symbol of words is one code point, as players take them."""
        return True

    @property
    def player_description(self) -> Description:
        """Return the game as players of tables read it; `rules_description` by default.

        A kind of game that they do not support is written as a codebook of all its codes, or as a
        table of answers, which then names the game, too.
        """
        return self.rules_description

    def name_file(self, stem: str, guesses: str = "") -> str:
        """Return what the file of a tree of the game begins with.

        `stem` is the stem of the game's own file, or the name that was given for it, `guesses` that
        of a file of further guesses.
        """
        return self.name

    def rename(self, label: str) -> None:  # noqa: B027 (to do nothing is right for most)
        """Name the game after its file; games with a name of their own keep it."""

    def make_excerpt(self, guesses: Iterable[int]) -> Game:
        """Return the game with no more codes than secrets and these guesses; itself by default."""
        return self

    def set_excerpt(self, excerpt: Excerpt) -> None:
        """Make this game an excerpt; raise GameError if it cannot be that one."""
        raise GameError(f"{self.name} has no list of words that it may be an excerpt of")

    def unite(self, other: Game) -> Game:
        """Return a game with the codes of this one and of another, whose trees are compared.

        Raises
        ------
        UsageError
            There is none; the message says why.
        """
        if self.name == other.name:
            raise UsageError(
                f"the trees are of {self.name} with other answers, another goal, weights or costs:"
                " one game is needed"
            )
        raise UsageError(f"the trees are of {self.name} and of {other.name}: one game is needed")

    def is_over(self, secrets: NDArray[np.integer]) -> bool:
        """Return whether a game is over, without a guess, where these secrets are left."""
        return self.goal == Goal.IDENTIFY and len(secrets) == 1

    def announce(self, secrets: Sequence[int]) -> str:
        """Return what is announced where these secrets are left, one in most games."""
        return GROUP_MARK.join(map(self.format_code, secrets))

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a guess in words, by their numbers; none if a rule writes them."""
        return ()

    def name_guess(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Write a code so that `parse_code` returns it, where two may be written alike."""
        return self.format_code(code, symbols)

    def check_guess(self, code: int) -> int:
        """Return a code that may be guessed; raise GameError for a candidate that may not be."""
        if code < self.first_guess:
            asked = [repr(self.name_guess(code)) for code in range(self.first_guess, self.n_codes)]
            more = f" … ({len(asked):,} in all)" if len(asked) > MOST_NAMED else ""
            raise GameError(
                f"{self.format_code(code)!r:.80} is a candidate, and the goal is to identify: it is"
                f" not guessed; what may be asked: {', '.join(asked[:MOST_NAMED])}{more}"
            )
        return code


def read_code(
    game: Game, given: object, symbols: Sequence[str] | None = None, *, is_secret: bool = False
) -> int:
    """Return the index of a code that a caller has given as text; GameError if it is not one.

    A number is a TypeError: 1122 could be the code 1122, or the code of index 1122.

    >>> from treegen.games import parse_game
    >>> read_code(parse_game("p4c6r"), 3163)
    Traceback (most recent call last):
     ...
    TypeError: a code is a text, not the number 3163: write '3163'
    """
    parse = game.parse_secret if is_secret else game.parse_code
    if isinstance(given, str):
        return parse(given, symbols)
    indices = range(game.n_secrets if is_secret else game.n_codes)
    meant = _guess_text(given, game.n_pegs, lambda text: parse(text, symbols))
    found = _write_index(given, indices, lambda code: game.format_code(code, symbols))
    hint = found and f" ({found}; play alone takes an index, as index={given})"
    raise TypeError(f"a code is a text, not {_name_value(given)}{meant}{hint}")


def read_answer(game: Game, given: object, guess: int) -> int:
    """Return the response of an answer that a caller has given as text, to a guess.

    TypeError if it is not a text, GameError if it does not answer the guess.

    >>> from treegen.games import parse_game
    >>> read_answer(parse_game("p4c6r"), 2, 7)
    Traceback (most recent call last):
     ...
    TypeError: an answer is a text, not the number 2: write '02' (index 2 is '02')
    """
    if isinstance(given, str):
        return game.parse_response(given, guess)
    width = len(game.format_response(game.win, guess))
    meant = _guess_text(given, width, lambda text: game.parse_response(text, guess))
    found = _write_index(
        given, range(game.n_responses), lambda response: game.format_response(response, guess)
    )
    hint = found and f" ({found})"
    raise TypeError(f"an answer is a text, not {_name_value(given)}{meant}{hint}")


def read_pairs(game: Game, pairs: object) -> tuple[tuple[int, int], ...]:
    """Return codes and responses of a list of guesses with their answers, all texts.

    UsageError if it is not a list of pairs; other errors as in `read_code` and `read_answer`.
    """
    if not isinstance(pairs, Iterable):
        raise _refuse_pair(game, pairs)
    read = []
    for pair in pairs:
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise _refuse_pair(game, pair)
        code = read_code(game, pair[0])
        read.append((code, read_answer(game, pair[1], code)))
    return tuple(read)


def _refuse_pair(game: Game, given: object) -> UsageError:
    code = game.first_guess
    example = (game.format_code(code), game.format_response(0, code))
    return UsageError(f"a history is a list of pairs such as {example}; {given!r:.80} is none")


def _is_number(given: object) -> TypeGuard[SupportsIndex]:
    return isinstance(given, Integral) and not isinstance(given, bool)  # True is an Integral


def _name_value(given: object) -> str:
    return f"the number {given}" if _is_number(given) else repr(given)


def _guess_text(given: object, width: int, parse: Callable[[str], int]) -> str:
    """Return which text a number may stand for, leading zeros added, as a hint; empty if none."""
    for text in (str(given), str(given).zfill(width)) if _is_number(given) else ():
        with suppress(GameError):
            parse(text)
            return f": write {text!r:.80}"
    return ""


def _write_index(given: object, indices: range, write: Callable[[int], str]) -> str:
    """Return what a number would be as an index; empty if it is not one."""
    if _is_number(given) and (number := index(given)) in indices:
        with suppress(GameError):  # the table of codes may not fit memory
            return f"index {number} is {write(number)!r:.80}"
    return ""


def write_count(number: int) -> str:
    """Format a count for people: in full below 10 ** 15, else as ``about 10^1349``."""
    return f"{number:,}" if number < 10**15 else f"about 10^{round(log10(number))}"


if TYPE_CHECKING:
    # A Fraction only where answers are uncertain: who builds no such tree need not convert to int.
    Weight = int | Any
else:
    Weight = int | Fraction
"""A sum of weights: whole where every answer is certain."""


def weigh(shares: int, unit: int) -> Weight:
    """Return what some shares weigh, `unit` of which weigh 1; see `Game.share_unit`.

    >>> weigh(12, 1), weigh(10, 6)
    (12, Fraction(5, 3))
    """
    return shares if unit == 1 else Fraction(shares, unit)


def count_shares(weight: Weight, unit: int) -> int:
    """Return how many shares have a weight, which `weigh` gave.

    >>> count_shares(Fraction(5, 3), 6)
    10
    """
    return int(weight * unit)


def write_weight(weight: Weight, n_decimals: int = 4) -> str:
    """Return a weight for people: the decimals that it has, rounded to so many.

    >>> write_weight(5801), write_weight(Fraction(101, 3)), write_weight(Fraction(4500))
    ('5,801', '33.6667', '4,500')
    """
    if isinstance(weight, int):
        return f"{weight:,}"
    whole, part = divmod(round(weight * 10**n_decimals), 10**n_decimals)
    return f"{whole:,}.{part:0{n_decimals}}".rstrip("0").rstrip(".")


def write_weights(weights: Iterable[Weight], n_decimals: int = 4) -> str:
    """Return a histogram in one word.

    >>> write_weights([1, 6, 1062]), write_weights([0, Fraction(1062, 5)])
    ('1/6/1062', '0/212.4')
    """
    return "/".join(write_weight(weight, n_decimals).replace(",", "") for weight in weights)
