"""Feedback rules: how a guess is answered, and how the answers are numbered and written.

Three rules, each for codes of `n_pegs` pegs. A *response* is the index of a feedback; the
winning response is always the last one.

=========== ============================ ========================= ==========================
rule        a feedback                   order of the responses    number of responses
=========== ============================ ========================= ==========================
pegs        (black, white)               black, then white; the    (P + 1)(P + 2) / 2 - 1
                                         impossible (P - 1, 1)
                                         is left out
black       black alone                  black                     P + 1
position    grey 0, yellow 1, green 2    base 3, first peg most    3 ** P
            for each peg                 significant
=========== ============================ ========================= ==========================
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError

MAX_POSITION_PEGS = 9
"""3 ** 9 responses still fit the 16 bits of a response in a tree."""


class FeedbackRule(Protocol):
    """What a game needs of a feedback rule.

    A rule may also have the attributes `how`, how people answer by it; `has_white`, whether it
    counts black and white pegs; `has_tiles`, whether it marks each letter.
    """

    @property
    def n_pegs(self) -> int:
        """Return the length of the codes."""

    @property
    def name(self) -> str:
        """Return the rule's name in files and on the command line."""

    @property
    def n_responses(self) -> int:
        """Return the number of responses; the last one wins."""

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess, by the plain definition."""

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""

    def format(self, response: int) -> str:
        """Return a response as people write it."""

    def parse(self, text: str) -> int:
        """Return the response that a text means; raise GameError when there is none."""


def _count_black(
    guesses: NDArray[np.integer], secrets: NDArray[np.integer]
) -> NDArray[np.unsignedinteger]:
    """Return the pegs of the right color in the right place, in the smallest type for them.

    Peg by peg, in bytes: to sum many short rows takes numpy several times as long.
    """
    n_pegs = guesses.shape[-1]
    shape = np.broadcast_shapes(guesses.shape[:-1], secrets.shape[:-1])
    black = np.zeros(shape, dtype=np.min_scalar_type(n_pegs))
    for peg in range(n_pegs):
        black += guesses[..., peg] == secrets[..., peg]
    return black


@dataclass(frozen=True, slots=True)
class PegFeedback:
    """Black pegs for the right color in the right place, white for the right color elsewhere."""

    n_pegs: int
    name: ClassVar[str] = "pegs"
    how: ClassVar[str] = "in two numbers, black and white pegs"
    has_white: ClassVar[bool] = True

    @property
    def n_responses(self) -> int:
        """Return ``(P + 1)(P + 2) / 2 - 1``."""
        return (self.n_pegs + 1) * (self.n_pegs + 2) // 2 - 1

    def response_of(self, black: int, white: int) -> int:
        """Return the response of a feedback; raise GameError if no code gives it."""
        n_pegs = self.n_pegs
        if min(black, white) < 0 or black + white > n_pegs or (black, white) == (n_pegs - 1, 1):
            raise GameError(
                f"no code gives {black} black, {white} white: of {n_pegs} pegs,"
                f" black + white is at most {n_pegs}, and {n_pegs - 1} black"
                f" leave{'s' * (n_pegs == 2)} no white"
            )
        # With b black pegs there are n_pegs + 1 - b numbers of white ones; the formula adds these
        # up below `black`. It counts the impossible (n_pegs - 1, 1), too: the win is one less.
        return black * (n_pegs + 1) - black * (black - 1) // 2 + white - (black == n_pegs)

    def feedback_of(self, response: int) -> tuple[int, int]:
        """Return the (black, white) of a response; raise GameError if it is out of range."""
        if not 0 <= response < self.n_responses:
            raise GameError(f"response {response} is out of range: 0 to {self.n_responses - 1}")
        if response == self.n_responses - 1:
            return self.n_pegs, 0
        black, white = 0, int(response)  # an array of one is not changed in place
        while white > self.n_pegs - black:
            white -= self.n_pegs - black + 1
            black += 1
        return black, white

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess, by the plain definition."""
        black = sum(a == b for a, b in zip(guess, secret, strict=True))
        common = (Counter(guess) & Counter(secret)).total()
        return self.response_of(black, common - black)

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""
        black = _count_black(guesses, secrets)
        common = np.zeros_like(black)
        for color in np.unique(guesses):  # colors that no guess has are in common with none
            in_guess = (guesses == color).sum(axis=-1, dtype=common.dtype)
            common += np.minimum(in_guess, (secrets == color).sum(axis=-1, dtype=common.dtype))
        # White pegs are the common ones less the black.
        offsets = [self.response_of(n_black, 0) - n_black for n_black in range(self.n_pegs + 1)]
        return np.asarray(np.array(offsets, dtype=np.int64)[black] + common)

    def format(self, response: int) -> str:
        """Return black and white, ``02``; with a dot, ``0.2``, where a count can exceed 9."""
        black, white = self.feedback_of(response)
        return f"{black}.{white}" if self.n_pegs > 9 else f"{black}{white}"

    def parse(self, text: str) -> int:
        """Return the response of ``02``, ``0.2``, ``0 2``, ``0A2B``, ``0S2B``, ``ww`` or circles.

        >>> rule = PegFeedback(4)
        >>> [rule.parse(text) for text in ("12", "1,2", "1A2B", "2B1S", "1b 2w", "bww", "⚫⚪⚪")]
        [7, 7, 7, 7, 7, 7, 7]
        """
        # Two numbers with something between them, or two digits without: 110 may be 1, 10 or 11, 0.
        match = re.fullmatch(
            r"\s*(\d{1,9})(?=[.,;\s])\s*+[.,;]?\s*+(\d{1,9})\s*|\s*(\d)(\d)\s*", text, re.ASCII
        )
        if match is not None:
            black, white = (int(part) for part in match.groups() if part is not None)
        else:
            black, white = self._count_letters(text)
        return self.response_of(black, white)

    def _count_letters(self, text: str) -> tuple[int, int]:
        """Return the black and white of letters, or of numbers with letters: bww, 1A2B."""
        letters = "".join(text.lower().translate(_PEG_MARKS).split())
        pegs = letters.rstrip("-")  # dashes are holes without a peg, and fill up the code: bw--
        if letters and not pegs.strip("bw") and len(letters) in (len(pegs), self.n_pegs):
            return pegs.count("b"), pegs.count("w")
        numbers = re.findall(r"(\d{1,9})([a-z])[.,;]?", letters, re.ASCII)
        names = "".join(sorted(name for _, name in numbers))
        # Nothing else may stand in the text.
        written = "".join(number + name for number, name in numbers)
        if names not in _BLACK_LETTERS or written != re.sub("[.,;]", "", letters):
            raise GameError(
                f"{text!r:.80} is not an answer: write black and white pegs as 02 (no black, two"
                " white), 0.2, 0A2B or ww"
            )
        count = {name: int(number) for number, name in numbers}
        black = count.pop(_BLACK_LETTERS[names], 0)  # 0 where white stands alone
        return black, sum(count.values())


@dataclass(frozen=True, slots=True)
class BlackFeedback:
    """Only black pegs are given."""

    n_pegs: int
    name: ClassVar[str] = "black"
    how: ClassVar[str] = "by the number of black pegs"

    @property
    def n_responses(self) -> int:
        """Return ``P + 1``."""
        return self.n_pegs + 1

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess, by the plain definition."""
        return sum(a == b for a, b in zip(guess, secret, strict=True))

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""
        return np.asarray(_count_black(guesses, secrets), dtype=np.int64)

    def format(self, response: int) -> str:
        """Return the number of black pegs."""
        return str(response)

    def parse(self, text: str) -> int:
        """Return the response of a number of black pegs, ``2``, ``2B`` or ``bb``."""
        number = "".join(text.lower().translate(_PEG_MARKS).split())
        pegs = number.rstrip("-")
        if number and not pegs.strip("b") and len(number) in (len(pegs), self.n_pegs):
            number = str(len(pegs))
        number = re.sub("(?<=[0-9])[abs]$", "", number)
        if not re.fullmatch(r"\d{1,9}", number, re.ASCII) or int(number) > self.n_pegs:
            raise GameError(
                f"{text!r:.80} is not an answer: the number of black pegs is 0 to {self.n_pegs}"
            )
        return int(number)


@dataclass(frozen=True, slots=True)
class PositionFeedback:
    """Each peg gets a mark: green in place, yellow elsewhere in the secret, grey absent.

    A color that the guess has more often than the secret is green where it is in place, then yellow
    from the left while the secret has some left, then grey.
    """

    n_pegs: int
    name: ClassVar[str] = "position"
    how: ClassVar[str] = "by a digit for each letter: 2 green, 1 yellow, 0 grey"
    has_tiles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.n_pegs > MAX_POSITION_PEGS:
            raise GameError(
                f"position feedback takes codes of at most {MAX_POSITION_PEGS} pegs,"
                f" not {self.n_pegs}: 3 ** {self.n_pegs} responses"
            )

    @property
    def n_responses(self) -> int:
        """Return ``3 ** P``."""
        return int(3**self.n_pegs)

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess, by the plain definition."""
        pairs = list(zip(guess, secret, strict=True))
        left = Counter(b for a, b in pairs if a != b)
        response = 0
        for a, b in pairs:
            mark = 2 if a == b else int(left[a] > 0)
            left[a] -= mark == 1  # a yellow peg uses up a color of the secret
            response = 3 * response + mark
        return response

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""
        guesses, secrets = np.broadcast_arrays(guesses, secrets)
        green = guesses == secrets
        free = ~green
        response = np.zeros(green.shape[:-1], dtype=np.int64)
        for peg in range(self.n_pegs):
            color = guesses[..., peg, None]
            # Green pegs have used up their colors. What the secret has left of this color goes to
            # the other pegs of the guess, from the left.
            available = (free & (secrets == color)).sum(axis=-1)
            earlier = (free[..., :peg] & (guesses[..., :peg] == color)).sum(axis=-1)
            yellow = ~green[..., peg] & (earlier < available)
            response = 3 * response + 2 * green[..., peg] + yellow
        return response

    def format(self, response: int) -> str:
        """Return a digit for each peg: 0 grey, 1 yellow, 2 green."""
        return np.base_repr(response, 3).rjust(self.n_pegs, "0")

    def parse(self, text: str) -> int:
        """Return the response of digits 0 1 2, of letters ``- y g``, or of colored squares.

        >>> rule = PositionFeedback(5)
        >>> [rule.parse(text) for text in ("00120", "--yg-", "⬛⬛🟨🟩⬛", "⬜ ⬜ 🟦 🟧 ⬜")]
        [15, 15, 15, 15]
        """
        digits = "".join(text.lower().translate(_POSITION_MARKS).split())
        if not re.fullmatch(rf"[012]{{{self.n_pegs}}}", digits, re.ASCII):
            raise GameError(
                f"{text!r:.80} is not an answer: {self.n_pegs} marks are needed,"
                " 0 or - for grey, 1 or y for yellow, 2 or g for green, or colored squares"
            )
        return int(digits, 3)


# In high contrast, word games have blue for yellow and orange for green; games of equations have
# purple for yellow. Squares copied from a message may carry variation selectors, to be ignored.
_POSITION_MARKS = str.maketrans(
    dict.fromkeys("-.bx_⬛⬜⚫⚪", "0")
    | dict.fromkeys("y🟨🟦🟪🟡🔵🟣", "1")
    | dict.fromkeys("g🟩🟧🟢🟠", "2")
    | dict.fromkeys("\ufe0e\ufe0f", "")
)

_PEG_MARKS = str.maketrans(
    dict.fromkeys("⚫●", "b")
    | dict.fromkeys("⚪○", "w")
    | dict.fromkeys("_", "-")
    | dict.fromkeys("\ufe0e\ufe0f", "")
)

_BLACK_LETTERS = {
    **{"ab": "a", "bs": "s", "bw": "b", "bc": "b", "sw": "s", "rw": "r"},
    **{"a": "a", "s": "s", "w": "", "c": ""},
}
"""Letters that count in pairs, or alone, and which of them are black.

A and B are the bulls and cows of East Asia, S and B strikes and balls, B and W black and white, B
and C bulls and cows, R and W red and white. 2B alone may be black or white.
"""

FeedbackName = Literal["pegs", "black", "position", "wordle"]
"""How a rule is given; ``wordle`` is ``position``."""

COMPARISONS = ("traits", "matrix")
"""How the candidates of a table compare, where they are guessed: see `compared`."""

AnyFeedbackName = Literal[FeedbackName, "traits", "matrix"]
"""The same, or how the candidates of a table compare."""

RULES: dict[str, Callable[[int], FeedbackRule]] = {
    "pegs": PegFeedback,
    "black": BlackFeedback,
    "position": PositionFeedback,
}


def make_rule(name: str, n_pegs: int) -> FeedbackRule:
    """Return the rule of a name for codes of `n_pegs` pegs; raise GameError if unknown."""
    if name not in RULES:
        raise GameError(
            f"unknown feedback rule {name!r:.80}: there are {', '.join(RULES)} (or wordle)"
        )
    return RULES[name](n_pegs)
