"""Rules: the facts of a game, as numbers and arrays.

Weights and costs are integers without a common factor. Equal numbers have no effect and are
dropped, so that a game has one description, however its weights were written.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, repeat
from math import gcd, lcm, log10
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from .._printing import write_decimals
from ..errors import GameError
from ..jit.memory import read_available_bytes
from .division import Division
from .feedback import FeedbackRule
from .text import check_label

_MARK = "goal "
"""How a description ends if it has a goal; no other entry has a space there."""


class Goal(StrEnum):
    """When a game is over."""

    WIN = "win"
    """When the secret is guessed."""
    IDENTIFY = "identify"
    """Also when one candidate is left, which is announced without a guess."""

    def describe(self) -> Description:
        """Return the end of a game's description: empty for the usual goal."""
        return [] if self == Goal.WIN else [f"{_MARK}{self.value}"]

    @property
    def last_step(self) -> int:
        """Return the number of guesses at a leaf: 1, or 0 where its candidate is announced."""
        return int(self == Goal.WIN)

    @property
    def digest_suffix(self) -> str:
        """Return the suffix of the rules' name in a digest; empty for the usual goal."""
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


def smallest_type(n_values: int) -> type[np.unsignedinteger]:
    """Return the smallest type of up to 16 bits for the numbers below `n_values`."""
    return np.uint8 if n_values <= 256 else np.uint16


MAX_CODES = 2**31 - 1
"""Code indices have 32 bits."""

BYTES_PER_CODE = 32
"""Bytes per code that making the table of codes takes besides two copies of it."""


Number = int | str | Decimal | Fraction
"""A number that is read exactly."""

GROUP_MARK = " | "
"""Between the names of candidates that no question tells apart."""

DIFFERENCES = "other answers, another goal, weights or costs"
"""How games of one name may differ."""

KIND = "weighted"
"""The kind with which the description of a game with weights or costs begins."""

MAX_TOTAL_WEIGHT = 10**12
"""The most that weights may sum up to: with it, totals of long games keep within 64 bits."""

MAX_COST = 10_000
"""The most that a guess may cost: histograms have an entry for each cost of a game."""

_DECIMAL = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,2})?", re.ASCII)


def describe_stakes(rules: Rules) -> Description:
    """Return the beginning of a game's description; empty without weights and costs."""
    return [KIND, _join(rules.weights), _join(rules.given_costs)] if is_weighted(rules) else []


def is_weighted(rules: Rules) -> bool:
    """Whether weights or costs are given: secrets or guesses differ, which breaks symmetries."""
    return rules.weights is not None or rules.given_costs is not None


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
            without = number.strip().rstrip("% ")
            hint = f"; write it without %, {without:.60}" if without != number.strip() else ""
            raise GameError(f"{number.strip()!r:.60} is not a number: 3, 0.125 or 1.5e-3 are{hint}")
        return Fraction(number.strip())
    if isinstance(number, Decimal) and not number.is_finite():
        raise GameError(f"{number} is not a number that can be counted")
    if isinstance(number, (float, np.floating)):
        if number != number:
            raise GameError(f"{number} is not a number")
        if float(number).is_integer() and abs(number) < 2**53:  # which floats hold exactly
            return Fraction(int(number))
        if number in (float("inf"), float("-inf")):
            raise GameError(f"{number} is not a number that can be counted")
        raise GameError(
            f"{number} is a binary float, which is rounded; write '{number}' or Decimal('{number}')"
        )
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


def _read_all(
    what: str, numbers: Sequence[Number], read: Callable[[Number], Fraction]
) -> list[Fraction]:
    """Return numbers exactly; raise GameError, with its place, at the first that is wrong."""
    found = []
    for place, number in enumerate(numbers, start=1):
        try:
            found.append(read(number))
        except GameError as error:
            raise GameError(f"{what} {place:,} of {len(numbers):,}: {error}") from None
    return found


def _scale_weights(weights: Sequence[Number], n_secrets: int) -> NDArray[np.int64] | None:
    """Return weights as integers without a common factor, None if all are equal."""
    if len(weights) != n_secrets:
        raise GameError(f"{len(weights):,} weights are given; there are {n_secrets:,} secrets")
    numbers = _read_all("weight", weights, read_weight)
    if not any(numbers):
        raise GameError("all weights are 0: at least one secret must count")
    whole = _drop_factor(numbers)
    if sum(whole) > MAX_TOTAL_WEIGHT:
        raise GameError(
            f"without their common factor the weights sum up to {write_count(sum(whole))}; at most"
            f" {MAX_TOTAL_WEIGHT:,} is allowed: round them to fewer digits"
        )
    return None if set(whole) == {1} else np.array(whole)


def _scale_costs(costs: Sequence[Number], plain: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return costs as integers without a common factor, None if they are the `plain` ones.

    `plain`, int64[n_codes], has 1, or 0 for codes that are only announced, whatever their cost.
    """
    asked = plain.tolist()  # 0 is false: a cost of what is only announced is not even read
    costs = [cost if is_asked else 1 for cost, is_asked in zip(costs, asked, strict=True)]
    read = _read_all("cost", costs, read_cost)
    whole = _drop_factor([cost * is_asked for cost, is_asked in zip(read, asked, strict=True)])
    if max(whole) > MAX_COST:
        raise GameError(
            f"without their common factor the largest cost is {max(whole):,}; at most"
            f" {MAX_COST:,} is allowed"
        )
    return None if whole == tuple(asked) else np.array(whole)


def _drop_factor(numbers: Iterable[Fraction]) -> tuple[int, ...]:
    """Return the smallest integers in the same proportions."""
    numbers = list(numbers)
    scale = lcm(*(number.denominator for number in numbers))
    whole = [int(number * scale) for number in numbers]
    factor = gcd(*whole) or 1  # 0 where a table has no question that could cost anything
    return tuple(number // factor for number in whole)


def _join(numbers: NDArray[np.int64] | None) -> str:
    return "" if numbers is None else ",".join(map(str, numbers.tolist()))


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


class Rules(ABC):
    """The facts of a game: what may be secret, what each guess is answered, when the game is over.

    Codes are indices into `codes`. Secrets are the codes ``0 … n_secrets - 1``; the codes
    ``first_guess … n_codes - 1`` may be guessed, which are all unless candidates cannot be guessed.
    Responses are indices ``0 … n_responses - 1``; the last one says that the guess is the secret,
    and ends the game. With the goal `Goal.IDENTIFY` a game is also over, without a guess, when one
    candidate is left. How people write all this is the game's `Notation`.

    A kind of game is a subclass with a `kind`, `make_codes`, `index_of` and `rules_description`.

    Parameters
    ----------
    name
        Short name, such as ``p4c6r``.
    n_pegs, n_colors
        Length of a code; number of values on a peg.
    n_codes, n_secrets
        Number of codes; how many of them, from the first, may be secret.
    feedback
        How a guess is answered.

    Attributes
    ----------
    n_responses, win : int
        How many responses there are; the last, which ends the game.
    goal : Goal
        When a game is over.
    first_guess : int
        The first code that may be guessed; the codes before it are only announced.
    bytes_per_code : int
        About how many bytes a code takes in the kernels' tables.
    has_white, has_tiles : bool
        Whether answers count black and white pegs; whether they mark each letter, as colored tiles
        do.
    weights : int64[n_secrets] or None
        What finding each secret counts; None: 1 each.
    given_costs : int64[n_codes] or None
        What guessing each code costs, 0 if it is only announced; None: 1 each. `costs` are always
        there.

    Examples
    --------
    >>> import treegen
    >>> rules = treegen.open_game("p4c6r").rules
    >>> rules.codes[0].tolist(), rules.score(0, 1), rules.first_guess, rules.weights
    ([0, 0, 0, 0], 12, 0, None)
    """

    kind: str
    """The family, the first entry of `rules_description` (a codebook's may be ``letters``)."""

    symmetry: Symmetry = Symmetry(pegs=False, colors=False)
    """Which changes of a code keep every response."""

    usual_goal: ClassVar[Goal] = Goal.WIN
    """The goal of such a game unless another one is asked for."""

    label: str = ""
    """The name of the file that the game was read from; empty if it has its own name."""

    figures: str = ""
    """How much the game's file has, ``3 candidates``: its name where the file has none."""

    words: tuple[str, ...] = ()
    """The codes as words, if the game is a list of them."""

    letters: tuple[Sequence[str], ...] = ()
    """The letters of each word: the word itself if each is one code point."""

    excerpt: Excerpt | None = None
    """The whole list of words, if this game has no more of it than a tree needs."""

    n_questions: int = 0
    """How many of the codes, behind the secrets, are questions with answers of their own."""

    answer_rows: NDArray[np.unsignedinteger] = np.zeros((0, 0), dtype=np.uint8)
    """What each secret answers to each question, [n_questions, n_secrets]; none if a rule says."""

    classes: tuple[str, ...] = ()
    """The class of each secret, where a class is to be found instead of a secret; else none."""

    announces_several: bool = False
    """Whether several secrets may be left where a game is over, and are announced."""

    is_certain: bool = True
    """Whether every secret gives one answer to each guess."""

    division: Division | None = None
    """How weight is divided where several answers are possible or several secrets announced."""

    repetition: bool = True
    """Whether a color may be on several pegs of a code."""

    goal: Goal = Goal.WIN
    first_guess: int = 0
    weights: NDArray[np.int64] | None = None
    given_costs: NDArray[np.int64] | None = None

    def __init__(
        self,
        name: str,
        n_pegs: int,
        n_colors: int,
        n_codes: int,
        n_secrets: int,
        feedback: FeedbackRule,
    ) -> None:
        self.name, self.n_pegs, self.n_colors = name, n_pegs, n_colors
        self.n_codes, self.n_secrets = n_codes, n_secrets
        self.feedback, self.n_responses = feedback, feedback.n_responses
        self.win = self.n_responses - 1
        self.bytes_per_code = n_pegs + n_colors
        self.has_white = bool(getattr(feedback, "has_white", False))
        self.has_tiles = bool(getattr(feedback, "has_tiles", False))

    @property
    @abstractmethod
    def rules_description(self) -> Description:
        """Return ``[kind, parameters …]``: the game without goal, weights and costs."""

    @abstractmethod
    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return all codes, one a row, in the order of their indices."""

    @abstractmethod
    def index_of(self, colors: Sequence[int], symbols: Sequence[str]) -> int:
        """Return the index of a row of valid colors.

        GameError if it is not a code; its message writes colors with the symbols.
        """

    @property
    def description(self) -> Description:
        """Return the description of the game; see `Game.description`."""
        return [*describe_stakes(self), *self.rules_description, *self.goal.describe()]

    @property
    def rules_name(self) -> str:
        """Return the name of the rules in digests; `name` by default."""
        return self.name

    @property
    def digest_name(self) -> str:
        """Return the name that a tree's digest begins with: of rules, goal, weights and costs."""
        stakes = " ".join(map(str, describe_stakes(self)[1:]))
        suffix = f" weighted:{hashlib.sha256(stakes.encode()).hexdigest()}" if stakes else ""
        return self.rules_name + self.goal.digest_suffix + suffix

    def number_codes(self, codes: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the numbers of codes in a tree's digest: their indices."""
        return codes

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
    def n_guesses(self) -> int:
        """Return the number of codes that may be guessed."""
        return self.n_codes - self.first_guess

    @property
    def share_unit(self) -> int:
        """How many shares a unit of weight has: files count shares, which are whole."""
        return 1 if self.division is None else self.division.unit

    @property
    def shares(self) -> NDArray[np.int64] | None:
        """The shares of each secret before the first guess; None: its weight is never divided."""
        return None if self.division is None else self.division.shares

    @property
    def costs(self) -> NDArray[np.int64]:
        """What guessing each code costs, int64[n_codes]: 1 unless given, 0 if only announced."""
        if self.given_costs is not None:
            return self.given_costs.copy()
        costs = np.ones(self.n_codes, dtype=np.int64)
        costs[: self.first_guess] = 0
        return costs

    def score(self, guess: int, secret: int) -> int:
        """Return the response to a guess, by the plain definition."""
        return self.feedback.score(self.codes[guess].tolist(), self.codes[secret].tolist())

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
        """Return the possible answers of secrets to guesses, and the division of their shares.

        Without a `division` each gives the answer of `respond`. With one, a question sends a secret
        to each answer that it may give, its share divided evenly; the first answers get what
        remains. To what is announced, all give the last answer.

        Parameters
        ----------
        guesses, secrets
            Indices, int[n] each; one guess may stand for all.
        shares
            What is left of each secret, int64[n]; None: all that it counts.

        Examples
        --------
        >>> from treegen.games import parse_game
        >>> parse_game("p2c2r").rules.spread(np.array([1]), np.arange(4)).answers.tolist()
        [3, 4, 2, 3]
        """
        if self.division is None:
            return Spread(slice(None), self.respond(guesses, secrets), shares)
        guesses, secrets = np.broadcast_arrays(guesses, secrets)
        numbers, starts, listed, _ = self.division.sets
        is_asked = guesses >= self.n_secrets
        sets = numbers[guesses[is_asked] - self.n_secrets, secrets[is_asked]]
        # Behind the answers of all sets stand the end of the game, and the answer to a wrong guess.
        answers, end = np.append(listed, [self.win, 0]), len(listed)
        is_wrong = (guesses != secrets) & (self.goal == Goal.WIN)
        begins, sizes = end + is_wrong, np.ones(len(secrets), dtype=np.int64)
        begins[is_asked], sizes[is_asked] = starts[sets], np.diff(starts)[sets]
        source = np.repeat(np.arange(len(secrets)), sizes)
        place = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        whole, rest = np.divmod(self.division.shares[secrets] if shares is None else shares, sizes)
        parts = whole[source] + (place < rest[source])
        return Spread(source, answers[begins[source] + place], parts)

    def is_over(self, secrets: NDArray[np.integer]) -> bool:
        """Return whether a game is over, without a guess, where these secrets are left.

        With the goal to identify it is where no two of them are separable.
        """
        if self.goal == Goal.WIN or self.division is None:
            return self.goal == Goal.IDENTIFY and len(secrets) == 1
        separable = self.division.separable
        wanted = np.zeros(separable.shape[1], dtype=np.uint64)
        bits = np.uint64(1) << (secrets % 64).astype(np.uint64)
        np.bitwise_or.at(wanted, secrets // 64, bits)
        return not any((separable[secret] & wanted).any() for secret in secrets)

    def with_label(self, label: str) -> Self:
        """Return these rules named after their file; those with a name of their own keep it.

        GameError if the label is no name of a file.
        """
        if not self.figures:
            return self
        check_label(label)
        other = copy(self)
        other.label, other.name = label, label or self.figures
        return other

    def with_goal(self, goal: GoalName | Goal) -> Self:
        """Return these rules with another goal; see `Game.with_goal` for errors."""
        other = copy(self)  # shares the table of codes, which nobody can write to
        other.goal = parse_goal(goal)
        return other

    def with_stakes(
        self, weights: Iterable[Number] | None = None, costs: Iterable[Number] | None = None
    ) -> Self:
        """Return these rules with other weights and costs; see `Game.with_stakes`."""
        weights = None if weights is None else list_numbers(weights, "weights")
        costs = None if costs is None else list_numbers(costs, "costs")
        if costs is not None and len(costs) != self.n_codes:
            raise GameError(
                f"{len(costs):,} costs are given; {self.name} has {write_count(self.n_codes)} codes"
            )
        other = copy(self)
        other.weights = None if weights is None else _scale_weights(weights, self.n_secrets)
        other.given_costs = None  # `costs` are now the usual ones
        if costs is not None:
            other.given_costs = _scale_costs(costs, other.costs)
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.description == other.description

    def __hash__(self) -> int:
        return hash(tuple(self.description))


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
    """Return the weight of some shares, `unit` of which weigh 1; see `Rules.share_unit`.

    >>> weigh(12, 1), weigh(10, 6)
    (12, Fraction(5, 3))
    """
    return shares if unit == 1 else Fraction(shares, unit)


def count_shares(weight: Weight, unit: int) -> int:
    """Return the number of shares of a weight, which `weigh` gave.

    >>> count_shares(Fraction(5, 3), 6)
    10
    """
    return int(weight * unit)


def write_weight(weight: Weight, n_decimals: int = 4) -> str:
    """Return a weight for people: its decimals, rounded to `digits`.

    >>> write_weight(5801), write_weight(Fraction(101, 3)), write_weight(Fraction(4500))
    ('5,801', '33.6667', '4,500')
    """
    if isinstance(weight, int):
        return f"{weight:,}"
    return write_decimals(weight, n_decimals)


def write_weights(weights: Iterable[Weight], n_decimals: int = 4) -> str:
    """Return a histogram in one word.

    >>> write_weights([1, 6, 1062]), write_weights([0, Fraction(1062, 5)])
    ('1/6/1062', '0/212.4')
    """
    return "/".join(map(write_weight, weights, repeat(n_decimals))).replace(",", "")
