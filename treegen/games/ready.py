"""Games ready to play with: weighing coins, guessing in a range, finding a PIN, testing pools.

**Coins.** One of them is false, heavier or lighter; a balance compares two groups.

**Ranges.** Every guess is answered with lower, higher or right.

**PINs.** Modules that check PINs for banks turn the hexadecimal digits of an encrypted account
number into decimal ones, by a table that the caller chooses, and compare the result with the PIN
that was entered. A table that makes some digits 1 and all others 0, with an entry of zeros and
ones, asks whether these are the places of those digits in the PIN.

**Pools.** Samples of several people are mixed and tested together: is anybody of them infected?

Coins, PINs and pools are games of questions. To make another one, list the candidates, the
questions, and what each candidate answers.

References
----------
M. Bond and P. Zieliński, Decimalisation table attacks for PIN cracking, technical report
UCAM-CL-TR-560, University of Cambridge (2003). R. Focardi and F. L. Luccio, Guessing bank PINs by
winning a Mastermind game, Theory of Computing Systems 50 (2012). R. Dorfman, The detection of
defective members of large populations, Annals of Mathematical Statistics 14 (1943).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UsageError
from .answer_table import AnswerTable
from .base import Game
from .notation import Notation
from .questions import Questions
from .rules import MAX_TOTAL_WEIGHT, Description, Number, Rules, read_number, smallest_type

FEWEST_COINS, MOST_COINS = 3, 12
"""With two coins no weighing finds the false one; more than 12 have too many weighings."""


def make_coins(n_coins: int) -> Questions:
    """Return the game of finding one false coin, and whether it is heavier or lighter.

    Every weighing of equally many coins on both sides may be asked. GameError unless there are 3 to
    12.

    >>> game = make_coins(3)
    >>> game.table.questions
    ('1 against 2', '1 against 3', '2 against 3')
    >>> game.table.names[0], game.format_response(game.score(game.rules.first_guess, 0), 6)
    ('1 heavier', 'left')
    """
    if not FEWEST_COINS <= n_coins <= MOST_COINS:
        raise GameError(f"{FEWEST_COINS} to {MOST_COINS} coins can be weighed, not {n_coins}")
    weighings = list(list_weighings(n_coins))
    names = [f"{coin + 1} {kind}" for coin in range(n_coins) for kind in ("heavier", "lighter")]
    questions = [f"{_write(left)} against {_write(right)}" for left, right in weighings]
    # The pan of each coin in each weighing: 0 none, 1 left, 2 right.
    pans = np.zeros((n_coins, len(weighings)), dtype=np.uint8)
    for place, (left, right) in enumerate(weighings):
        pans[list(left), place], pans[list(right), place] = 1, 2
    matrix = np.repeat(pans, 2, axis=0)
    matrix[1::2] = np.array([0, 2, 1], dtype=np.uint8)[pans]  # a lighter coin lets its pan rise
    # Both sides balance, or one is heavier.
    answers = (("balance", "left", "right"),) * len(weighings)
    table = AnswerTable(tuple(names), tuple(questions), answers, matrix)
    return Questions(table, label=f"coins{n_coins}")


def list_weighings(n_coins: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the coins on the left and on the right, fewest first; the lowest is on the left."""
    for size in range(1, n_coins // 2 + 1):
        for left in combinations(range(n_coins), size):
            # Exchanging the pans asks the same.
            others = [coin for coin in range(left[0] + 1, n_coins) if coin not in left]
            for right in combinations(others, size):
                yield left, right


def _write(coins: tuple[int, ...]) -> str:
    return " ".join(str(coin + 1) for coin in coins)


MAX_NUMBERS = 10_000

RANGE_ANSWERS = ("lower", "higher", "right")
"""The responses, by their numbers: how the secret compares with the guess."""


@dataclass(frozen=True, slots=True)
class OrderFeedback:
    """A guess is answered by whether the secret is lower, higher or the guess itself."""

    n_pegs: int = 1
    name: ClassVar[str] = "order"
    how: ClassVar[str] = "by lower, higher or right"
    n_responses: ClassVar[int] = len(RANGE_ANSWERS)

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess, by the plain definition."""
        return 2 if guess[0] == secret[0] else int(secret[0] > guess[0])

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""
        guess, secret = guesses[..., 0], secrets[..., 0]
        return np.where(guess == secret, 2, secret > guess).astype(np.int64)

    def format(self, response: int) -> str:
        """Return ``lower``, ``higher`` or ``right``."""
        return RANGE_ANSWERS[response]

    def parse(self, text: str) -> int:
        """Return the response of a word or of its beginning, or of ``<``, ``>``, ``=``."""
        word = text.strip().lower()
        word = dict(zip("<>=", RANGE_ANSWERS, strict=True)).get(word, word)
        found = [place for place, answer in enumerate(RANGE_ANSWERS) if answer.startswith(word)]
        if not word or len(found) != 1:
            raise GameError(f"{text!r:.40} is not an answer; there are {', '.join(RANGE_ANSWERS)}")
        return found[0]


class RangeRules(Rules):
    """The numbers 1 to `n_numbers`, at most 10,000, any of which may be guessed."""

    kind = "range"

    def __init__(self, n_numbers: int) -> None:
        if not 1 <= n_numbers <= MAX_NUMBERS:
            raise GameError(f"a range has 1 to {MAX_NUMBERS:,} numbers, not {n_numbers}")
        super().__init__(f"range{n_numbers}", 1, n_numbers, n_numbers, n_numbers, OrderFeedback())

    @property
    def rules_description(self) -> Description:
        """Return ``["range", n_numbers]``."""
        return ["range", self.n_codes]

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the numbers, counted from 0, as rows of one."""
        # Of as many bits as a peg game's colors, so that kernels are compiled once for both.
        numbers = np.arange(self.n_codes, dtype=smallest_type(self.n_codes))
        codes: NDArray[np.unsignedinteger] = numbers[:, None]
        return codes

    def index_of(self, colors: Sequence[int], symbols: Sequence[str]) -> int:
        """Return the code of a number, which is counted from 0."""
        return colors[0]


class RangeNotation(Notation):
    """How people write a range: numbers, and lower, higher or right."""

    noun = "number"
    answers_in_words = True

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        return (
            f"Find a number from 1 to {self.rules.n_secrets:,}. Each guess is answered with"
            " “lower”, “higher” or “right”, as the number is."
        )

    @property
    def player_description(self) -> Description:
        """Return the numbers as the candidates of a table without questions."""
        names, answers = "\n".join(self.own_symbols), "\t".join(RANGE_ANSWERS[:-1])
        return ["questions", self.rules.n_codes, 0, names, "", answers, ""]

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a guess by their responses."""
        return RANGE_ANSWERS

    def parse_code(self, text: str) -> int:
        """Return the index of a written number; raise GameError if it is out of range."""
        if self.symbols != self.own_symbols:
            return super().parse_code(text)
        number, n_codes = text.strip(), self.rules.n_codes
        if not re.fullmatch(r"\d{1,9}", number, re.ASCII) or not 1 <= int(number) <= n_codes:
            raise GameError(f"{text!r:.40} is not a number from 1 to {n_codes}")
        return int(number) - 1


def make_range_game(n_numbers: int) -> Game:
    """Return the game of the numbers 1 to `n_numbers`; GameError unless there are 1 to 10,000."""
    return Game(RangeNotation(RangeRules(n_numbers), tuple(map(str, range(1, n_numbers + 1)))))


def parse_range(name: str) -> Game | None:
    """Return the game of a name, ``range100``; None for other names."""
    match = re.fullmatch(r"range(\d{1,9})", name, re.ASCII)
    return make_range_game(int(match[1])) if match else None


def read_range(parameters: Sequence[int | str]) -> Game:
    """Return the game of a description's parameters; raise GameError for wrong ones."""
    match parameters:
        case [int(n_numbers)]:
            return make_range_game(n_numbers)
    raise GameError(f"a range is described by how many numbers it has, not {parameters!r:.80}")


MOST_PLACES = 4
"""Longer PINs have too many answers: 5 digits 1.6 billion."""

DIGITS = range(10)


def make_pins(n_places: int) -> Questions:
    """Return the game of finding a PIN of 1 to 4 digits; raise GameError for other lengths.

    The question ``037 as 1010`` makes 0, 3 and 7 the digit 1 and all others 0: does the PIN read
    1010 then?

    >>> game = make_pins(2)
    >>> game.n_secrets, game.table.questions[:2], game.table.questions[-1]
    (100, ('0 as 00', '0 as 01'), '06789 as 11')
    >>> game.score(game.parse_code("37 as 01"), game.parse_secret("03"))
    1
    """
    if not 1 <= n_places <= MOST_PLACES:
        raise GameError(f"a PIN has 1 to {MOST_PLACES} digits here, not {n_places}")
    pins = np.array(list(product(DIGITS, repeat=n_places)))
    readings = list(product("01", repeat=n_places))
    tables = list(list_tables())
    # Each table reads a PIN in one way: there the answer is yes.
    matrix = np.zeros((len(pins), len(tables) * len(readings)), dtype=np.uint8)
    places = 1 << np.arange(n_places)[::-1]
    for number, ones in enumerate(tables):
        read = np.isin(pins, ones) @ places  # which of `readings`: its number in binary
        matrix[np.arange(len(pins)), number * len(readings) + read] = 1
    texts = [f"{_join(ones)} as {_join(reading)}" for ones, reading in product(tables, readings)]
    names, answers = tuple(map(_join, pins.tolist())), (("no", "yes"),) * len(texts)
    table = AnswerTable(names, tuple(texts), answers, matrix)
    return Questions(table, label=f"pin{n_places}")


def list_tables() -> Iterator[tuple[int, ...]]:
    """Yield the digits that a table makes 1, fewest first.

    Exchanging ones and zeros, in the table and in what is entered, asks the same: one of two such
    tables is enough.
    """
    for size in range(1, len(DIGITS) // 2 + 1):
        for ones in combinations(DIGITS, size):
            if 2 * size < len(DIGITS) or 0 in ones:  # of two halves the one with 0
                yield ones


def _join(values: tuple[object, ...]) -> str:
    return "".join(map(str, values))


MOST_PEOPLE = 6
"""Seven people have 127 pools for 128 outcomes: too many to search all trees."""


def make_pools(n_people: int) -> Questions:
    """Return the game of finding who of 1 to 6 people is infected; GameError for other numbers.

    Any of them may be tested together: the test is positive if anybody of them is infected. Each
    outcome counts 1; `set_prevalence` makes infections rare.

    >>> game = make_pools(2)
    >>> game.table.names, game.table.questions
    (('nobody', '1 infected', '2 infected', '1 2 infected'), ('test 1', 'test 2', 'test 1 2'))
    """
    if not 1 <= n_people <= MOST_PEOPLE:
        raise GameError(f"1 to {MOST_PEOPLE} people can be tested in pools, not {n_people}")
    people = range(n_people)
    groups = [each for size in range(n_people + 1) for each in combinations(people, size)]
    names = ["nobody", *(f"{_write(group)} infected" for group in groups[1:])]
    texts = [f"test {_write(group)}" for group in groups[1:]]
    matrix = [[int(not {*infected}.isdisjoint(pool)) for pool in groups[1:]] for infected in groups]
    return Questions(matrix, names, texts, ("negative", "positive"), label=f"pool{n_people}")


def set_prevalence(game: Game, prevalence: Number) -> Game:
    """Return the game of pools in which each person is infected with a probability.

    Parameters
    ----------
    game
        A game of `make_pools`.
    prevalence
        The probability, between 0 and 1 without both: ``"1/10"``, ``"0.1"`` or a Fraction.

    Raises
    ------
    UsageError
        The game is another one.
    GameError
        The prevalence is out of range, or has too many digits.

    Examples
    --------
    >>> set_prevalence(make_pools(2), "1/10").weights.tolist()
    [81, 9, 9, 1]
    """
    n_people = min(game.n_secrets.bit_length() - 1, MOST_PEOPLE)
    if game.rules.rules_description != make_pools(max(n_people, 1)).rules.rules_description:
        raise UsageError(
            f"`prevalence` works only with pools of people, pool5; not with {game.name}"
        )
    parts = re.fullmatch(r"(\d{1,13})/(\d{1,13})", str(prevalence).strip(), re.ASCII)
    try:
        odds = Fraction(*map(int, parts.groups())) if parts else read_number(prevalence)
    except (GameError, ZeroDivisionError):
        odds = Fraction()
    if not 0 < odds < 1:
        raise GameError(
            f"the prevalence {str(prevalence)!r:.60} is not a fraction above 0 and below 1, such as"
            " 1/10"
        )
    most = int(MAX_TOTAL_WEIGHT ** (1 / n_people) + 1e-6)
    if odds.denominator > most:
        raise GameError(
            f"the prevalence {str(prevalence)!r:.60} has too many digits for {n_people} people: as"
            f" a fraction its denominator is at most {most:,}"
        )
    ill, well = odds.numerator, odds.denominator - odds.numerator
    # A test of one person alone, of which the first are, is positive if that person is infected.
    n_infected = game.rules.answer_rows[:n_people].sum(axis=0).tolist()
    weights = [ill**n * well ** (n_people - n) for n in n_infected]
    return game.with_stakes(weights, game.rules.given_costs)


_MAKERS = {"coins": make_coins, "pin": make_pins, "pool": make_pools}


def parse_ready(name: str) -> Questions | None:
    """Return the game of a name, ``coins12``, ``pin4`` or ``pool5``; None for other names."""
    match = re.fullmatch(rf"({'|'.join(_MAKERS)})(\d{{1,9}})", name, re.ASCII)
    return _MAKERS[match[1]](int(match[2])) if match else None
