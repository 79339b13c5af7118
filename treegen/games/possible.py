"""Tables in which an answer may be uncertain, or a class is to be found instead of a candidate.

A candidate may give any answer of a set. Its weight is then divided evenly among them: a candidate
at several leaves has a *share* of its weight at each. Shares are integers, so that sums and ties
are the same on every machine.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UsageError
from ..jit.memory import read_available_bytes
from .base import Game
from .questions import AnswerTable, QuestionRules, Questions, parse_table
from .rules import Description, Goal, GoalName, Number, Spread, parse_goal
from .text import name_few

SHARE_BITS = 32
"""Where no exact unit fits, one of weight has about 2 ** 32 shares: nine digits are right."""

FEWEST_BITS = 8
"""With fewer bits, shares would be rounded too coarsely."""

LIMIT_BITS = 62
"""What rules and searches add up, shares times pairs of candidates or costs, is below 2 ** 62."""

TOTAL_BITS = 44
"""All shares together keep below 2 ** 44: times logarithms, or costs of paths, they fit 64 bits."""


_ROWS = 512
"""Rows of the matrix of separable pairs that are made at a time."""


class PossibleRules(QuestionRules):
    """Candidates and questions; a candidate may give several answers, or has a class to be found.

    Two candidates are *separable* if a question has no answer that both may give and, where there
    are classes, theirs differ. The game is over when no two candidates that are left are separable;
    with the goal ``"win"``, when the candidate is guessed. A question sends a candidate to each
    answer that it may give, its weight divided evenly; the first answers get what remains.

    Parameters
    ----------
    table
        The table, checked and reduced, with sets of answers or classes.
    label
        The name of the table's file.

    Attributes
    ----------
    classes : tuple of str
        The class of each candidate; empty where candidates are to be found.
    share_unit : int
        How many shares a unit of weight has; 1 where every answer is certain.
    has_rounded_shares : bool
        Whether dividing shares may leave a remainder, on long paths: no unit fits that all
        divisions leave whole.
    shares : int64[n_secrets]
        The shares of each candidate before the first question.

    Raises
    ------
    GameError
        The weights pass 64 bits.

    Examples
    --------
    >>> table = AnswerTable(
    ...     ("ant", "bee"), ("Stings?",), (("no", "yes"),), np.array([[2], [1]]),
    ...     sets=(((0, 1),),),
    ... )
    >>> rules = PossibleRules(table)
    >>> rules.share_unit, rules.shares.tolist(), rules.may_answer(2, 0)
    (2, [2, 2], (0, 1))
    """

    kind = "possible"

    def __init__(self, table: AnswerTable, goal: Goal = Goal.WIN, label: str = "") -> None:
        super().__init__(table, goal, label)
        self.classes, self.is_certain = table.classes, not any(table.sets)
        self.announces_several = goal == Goal.IDENTIFY
        numbers = np.array(table.count_numbers(), dtype=np.int64)
        # The sets of all questions in one list: an answer alone is a set of one.
        self._first_set = np.concatenate(([0], np.cumsum(numbers)))
        listed = [
            table.list_possible(question, number)
            for question, count in enumerate(numbers.tolist())
            for number in range(count)
        ]
        sizes = np.array([len(each) for each in listed], dtype=np.int64)
        self.set_starts = np.concatenate(([0], np.cumsum(sizes)))
        self.set_answers = np.array([answer for each in listed for answer in each], dtype=np.int64)

    @property
    def set_numbers(self) -> NDArray[np.int64]:
        """Which set of all questions' sets each candidate has, int64[n_questions, n_secrets]."""
        return self.table.matrix.T.astype(np.int64) + self._first_set[:-1, None]

    @property
    def rules_description(self) -> Description:
        """Return the description of the table, its sets of answers, and the classes."""
        sets = ["\t".join(",".join(map(str, each)) for each in own) for own in self.table.sets]
        written = "" if self.is_certain else "\n".join(sets)
        return [self.kind, *self.table.write(), written, "\n".join(self.classes)]

    @cached_property
    def share_unit(self) -> int:
        """How many shares a unit of weight has; 1 where every answer is certain.

        It is the least unit with which no share is ever rounded, if that fits 64 bits with all that
        is computed of shares. Else it is one with which none is on paths of as few uncertain
        questions as fit, times a power of 2.
        """
        unit = self._find_unit(self.n_questions)
        if self._fits(unit):
            return unit
        longest = bisect_left(
            range(self.n_questions), True, key=lambda n: not self._fits(self._find_unit(n))
        )
        unit = self._find_unit(longest - 1) if longest else 1
        while 2 * unit <= 1 << SHARE_BITS and self._fits(2 * unit):
            unit *= 2
        return unit

    @cached_property
    def has_rounded_shares(self) -> bool:
        """Whether dividing shares may leave a remainder, on long paths; sums are then rounded."""
        return self.share_unit % self._find_unit(self.n_questions) > 0

    def _fits(self, unit: int) -> bool:
        """Return whether what is computed of shares fits 64 bits."""
        shares = int(self.whole_weights.sum()) * unit
        # What rules compare: shares that come to an answer, times the pairs of candidates there.
        pairs = self.n_secrets * (self.n_secrets - 1) // 2
        most = max(pairs, sum(self.costs[self.first_guess :].tolist()))
        return not (shares >> TOTAL_BITS or shares * most >> LIMIT_BITS)

    def _find_unit(self, longest: int) -> int:
        """Return the least unit with which no share is rounded on paths of so many questions.

        Above 2 ** `TOTAL_BITS`, it is any number.
        """
        if self.is_certain:
            return 1
        sizes = np.diff(self.set_starts)[self.set_numbers]
        factors = np.unique(sizes).tolist()
        counts = [np.count_nonzero(sizes == factor, axis=0) for factor in factors]
        # A candidate of weight 0 counts 1 where all that are left weigh 0.
        columns = np.unique([*counts, np.maximum(self.whole_weights, 1)], axis=1)
        unit = 1
        # A question is asked once on a path, though not each of its answers excludes a candidate.
        for *own, weight in columns.T.tolist():
            divisor = find_divisor(dict(zip(factors, own, strict=True)), longest)
            unit = math.lcm(unit, divisor // math.gcd(divisor, weight))
            if unit >> TOTAL_BITS:
                break
        return unit

    @property
    def whole_weights(self) -> NDArray[np.int64]:
        """What each candidate weighs, int64[n_secrets], also where each weighs 1."""
        return np.ones(self.n_secrets, dtype=np.int64) if self.weights is None else self.weights

    @property
    def shares(self) -> NDArray[np.int64]:
        """The shares of each candidate before the first question."""
        return self.whole_weights * self.share_unit

    def may_answer(self, guess: int, secret: int) -> tuple[int, ...]:
        """Return the answers that a candidate may give to a question or a guess, ascending."""
        if guess < self.n_secrets:
            return (super().score(guess, secret),)
        question = guess - self.n_secrets
        return self.table.list_possible(question, int(self.table.matrix[secret, question]))

    def spread(
        self,
        guesses: NDArray[np.integer],
        secrets: NDArray[np.integer],
        shares: NDArray[np.int64] | None = None,
    ) -> Spread:
        """Return what candidates may answer; to what is announced, all give the last answer.

        >>> rules = PossibleRules(
        ...     AnswerTable(
        ...         ("a", "b"), ("Wet?",), (("no", "yes"),), np.array([[2], [1]]), sets=(((0, 1),),)
        ...     )
        ... )
        >>> spread = rules.spread(np.array([2, 2]), np.array([0, 1]), np.array([5, 5]))
        >>> [column.tolist() for column in spread]
        [[0, 0, 1], [0, 1, 1], [3, 2, 5]]
        """
        guesses, secrets = np.broadcast_arrays(guesses, secrets)
        is_asked = guesses >= self.n_secrets
        questions = guesses[is_asked] - self.n_secrets
        sets = self._first_set[questions] + self.table.matrix[secrets[is_asked], questions]
        # Behind the answers of all sets stand the end of the game, and the answer to a wrong guess.
        answers, end = np.append(self.set_answers, [self.win, 0]), len(self.set_answers)
        is_wrong = (guesses != secrets) & (self.goal == Goal.WIN)
        begins, sizes = end + is_wrong, np.ones(len(secrets), dtype=np.int64)
        begins[is_asked], sizes[is_asked] = self.set_starts[sets], np.diff(self.set_starts)[sets]
        source = np.repeat(np.arange(len(secrets)), sizes)
        place = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        whole, rest = np.divmod(self.shares[secrets] if shares is None else shares, sizes)
        parts = whole[source] + (place < rest[source])
        return Spread(source, answers[begins[source] + place], parts)

    @cached_property
    def separable(self) -> NDArray[np.uint64]:
        """Whether each two candidates are separable: bit j of row i, uint64[n_secrets, n_words].

        GameError if there are too many candidates for memory.
        """
        n, n_words = self.n_secrets, -(-self.n_secrets // 64)
        if 8 * n * n_words > read_available_bytes() // 2:
            raise GameError(
                f"{self.name} has {n:,} candidates: which of them can be told apart takes"
                f" {8 * n * n_words / 1e9:.1f} GB, and does not fit memory"
            )
        overlaps = [self._find_overlaps(question) for question in range(self.n_questions)]
        classes = np.unique(self.classes, return_inverse=True)[1] if self.classes else np.arange(n)
        bits = np.zeros((n, 8 * n_words), dtype=np.uint8)
        for begin in range(0, n, _ROWS):
            rows = slice(begin, begin + _ROWS)
            found = np.zeros((len(classes[rows]), n), dtype=bool)
            for column, overlap in zip(self.table.matrix.T, overlaps, strict=True):
                found |= ~overlap[column[rows]][:, column]
            found &= classes[rows, None] != classes[None, :]
            packed = np.packbits(found, axis=1, bitorder="little")
            bits[rows, : packed.shape[1]] = packed
        separable = bits.view("<u8").astype(np.uint64, copy=False)
        separable.setflags(write=False)
        return separable

    def _find_overlaps(self, question: int) -> NDArray[np.bool_]:
        """Return which two cells' numbers have an answer in common, bool[n_numbers, n_numbers]."""
        count = int(np.diff(self._first_set)[question])
        has = np.zeros((count, len(self.table.answers[question])), dtype=np.float32)
        for number in range(count):
            has[number, list(self.table.list_possible(question, number))] = 1
        return np.asarray(has @ has.T > 0)

    def is_over(self, secrets: NDArray[np.integer]) -> bool:
        """Return whether no two of some candidates are separable, and none is to be guessed."""
        if self.goal == Goal.WIN:
            return False
        wanted = np.zeros(self.separable.shape[1], dtype=np.uint64)
        bits = np.uint64(1) << (secrets % 64).astype(np.uint64)
        np.bitwise_or.at(wanted, secrets // 64, bits)
        return not any((self.separable[secret] & wanted).any() for secret in secrets)

    def score(self, guess: int, secret: int) -> int:
        """Return what a candidate answers; GameError if it may give several answers."""
        possible = self.may_answer(guess, secret)
        if len(possible) > 1:
            question = guess - self.n_secrets
            told = name_few([self.table.answers[question][answer] for answer in possible])
            raise GameError(
                f"{self.table.names[secret]!r:.80} may answer"
                f" {self.table.questions[question]!r:.80} with {told}"
            )
        return possible[0]

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to guesses (indices); GameError if any answer is uncertain."""
        if not self.is_certain:
            raise GameError(f"{self.name} has uncertain answers: a candidate may give several")
        return super().respond(guesses, secrets)

    def with_goal(self, goal: GoalName | Goal) -> Self:
        """Return these rules with another goal; GameError if classes are to be won."""
        if parse_goal(goal) == Goal.WIN and self.classes:
            raise GameError(
                f"{self.name} has classes: its goal is to identify, and candidates are not guessed"
            )
        other = super().with_goal(goal)
        other.announces_several = other.goal == Goal.IDENTIFY
        return other._forget_shares()

    def with_stakes(
        self, weights: Iterable[Number] | None = None, costs: Iterable[Number] | None = None
    ) -> Self:
        """Return this game with other weights of its candidates and costs of its questions."""
        other = super().with_stakes(weights, costs)._forget_shares()
        if other.share_unit < 1 << FEWEST_BITS and other.has_rounded_shares:
            raise GameError(
                f"weights that sum up to {int(other.whole_weights.sum()):,} are too large for"
                f" {other.n_secrets:,} candidates with uncertain answers: round them"
            )
        return other

    def _forget_shares(self) -> Self:
        """Return these rules, a copy, without what was computed of another's stakes and goal."""
        for name in ("share_unit", "has_rounded_shares"):
            self.__dict__.pop(name, None)
        return self


def find_divisor(counts: Mapping[int, int], longest: int) -> int:
    """Return the least number that each product of so many numbers, at most `longest`, divides.

    `counts` has each number with how often it may be taken.

    >>> find_divisor({2: 3, 6: 1}, 2), find_divisor({4: 1, 2: 5}, 3), find_divisor({1: 9}, 3)
    (12, 16, 1)
    """
    divisor = 1
    for prime in range(2, max(counts, default=1) + 1):
        if any(prime % smaller == 0 for smaller in range(2, math.isqrt(prime) + 1)):
            continue
        powers = list[int]()
        for number, count in counts.items():
            power = 0
            while number % prime ** (power + 1) == 0:
                power += 1
            powers += [power] * count
        divisor *= prime ** sum(sorted(powers, reverse=True)[:longest])
    return divisor


def refuse_shares(game: Game, what: str) -> None:
    """Raise UsageError if a game has uncertain answers or classes, for which `what` is not."""
    if game.rules.shares is not None:
        raise UsageError(f"{what} is not for tables with uncertain answers or classes yet")


def make_table_game(
    table: AnswerTable, *, goal: GoalName = "identify", strict: bool = False, label: str = ""
) -> Questions:
    """Return the game of a table, also of one with uncertain answers or classes."""
    if table.is_plain:
        return Questions(table, goal=goal, strict=strict, label=label)
    table.check()
    # A table with rows has been reduced.
    table = table if table.rows else table.reduce(strict=strict)
    rules = PossibleRules(table, Goal.IDENTIFY, label)
    return Questions.of_rules(rules).with_goal(goal)


def read_possible(parameters: Sequence[int | str]) -> Questions:
    """Return the game of a description's parameters; raise GameError for wrong ones."""
    *plain, sets, classes = parameters if len(parameters) == 8 else [0, 0]
    if not isinstance(sets, str) or not isinstance(classes, str):
        raise GameError(
            "a table of possible answers is described by two counts, names, questions, answers,"
            " matrix, sets, classes"
        )
    if not re.fullmatch(r"([\d,\t\n]*)", sets, re.ASCII):
        raise GameError("the sets of a table of possible answers are malformed")
    try:
        listed = tuple(
            tuple(tuple(map(int, each.split(","))) for each in line.split("\t") if each)
            for line in (sets.split("\n") if sets else ())
        )
    except ValueError:
        raise GameError("the sets of a table of possible answers are malformed") from None
    table = parse_table(plain, listed, tuple(classes.split("\n")) if classes else ())
    if table.is_plain:
        raise GameError("a table of certain answers without classes is no table of this kind")
    rules = PossibleRules(table, Goal.IDENTIFY if table.classes else Goal.WIN)
    if rules.rules_description[1:] != [*parameters]:  # one game has one description
        raise GameError("the sets of a table of possible answers are not as they are written")
    return Questions.of_rules(rules)
