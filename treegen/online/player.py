"""What every online strategy offers: the next guess, and the answer to it.

An *online* strategy keeps a summary of the history instead of a list of candidates, so it plays
codes far too long for a tree. Colors are ``0 … n_colors - 1``; a guess is an array of `n_pegs` of
them and may repeat colors even where the secret does not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, StrategyError, UsageError
from ..games.base import Game
from ..jit.compiler import njit
from ..kernels.responses import mix

Code = NDArray[np.int32]


class OnlineStrategy(ABC):
    """A player of one peg game of any size: get `next_guess`, pass the answer to `observe`, repeat.

    The seed is that of the strategy's own random choices. StrategyError: the game is answered by
    black pegs alone.
    """

    name: str

    def __init__(self, game: Game, seed: int = 0) -> None:
        if game.rule != "pegs":
            raise StrategyError(f"{self.name} needs black and white answers; {game.name} has none")
        self.game, self.seed = game, seed
        self.facts = Facts(game.n_pegs, game.n_colors, game.rules.repetition)
        self.is_over = False
        self._candidates = Candidates(game) if is_listed(game) else None
        self._guess: Code | None = None

    @property
    def n_answers(self) -> int:
        """Answers taken so far."""
        return self.facts.n_answers

    @property
    @abstractmethod
    def bound(self) -> int:
        """Most guesses that any game takes, proved."""

    @abstractmethod
    def _choose(self) -> Code:
        """Return the next guess."""

    @abstractmethod
    def _learn(self, guess: Code, black: int, total: int) -> None:
        """Learn from an answer that did not win, after the facts have."""

    def next_guess(self) -> Code:
        """Return the guess to make now: the same one until its answer is observed."""
        if self._guess is None:
            self._guess = self._choose()
        return self._guess.copy()

    def observe(self, black: int, white: int) -> None:
        """Take the answer to the guess of `next_guess`.

        ContradictionError: no code agrees with it and the answers before; the state is as before
        the answer. If the codes can be listed (`is_listed`), this is raised at the first such
        answer; otherwise at the first that the rules of `Facts` detect: never wrongly, but perhaps
        later, since whether any code agrees is an NP-hard question. UsageError: the game is over,
        or no guess was made.
        """
        if self.is_over or self._guess is None:
            raise UsageError("the game is over" if self.is_over else "nothing was guessed yet")
        try:
            self._check(self._guess, black, black + white)
        except ContradictionError as error:
            name = f"answer {self.n_answers + 1} ({black} black, {white} white)"
            raise ContradictionError(f"{name}: {error}") from None
        self.facts.observe(self._guess, black, white)
        if black == self.game.n_pegs:
            self.is_over = True
            return
        guess, self._guess = self._guess, None
        self._learn(guess, black, black + white)

    def _check(self, guess: Code, black: int, total: int) -> None:
        """Raise ContradictionError for a contradictory answer, before the facts learn it."""
        if self._candidates is not None:
            self._candidates.observe(guess, black, total)

    def _count_next(self) -> Code | None:
        """Return the first color that is not counted yet, on all pegs; None if all are counted."""
        unknown = np.flatnonzero(self.facts.low < self.facts.high)
        return np.full(self.game.n_pegs, unknown[0], dtype=np.int32) if len(unknown) else None


MOST_CODES = 50_000
"""Games with more codes are not listed,"""
MOST_COUNTS = 5_000_000
"""nor those with more codes times colors."""

Answer = tuple[Code, int, int]
"""A guess, its black pegs, its black and white pegs together."""


def is_listed(game: Game) -> bool:
    """Return whether a game is small enough."""
    return game.n_codes <= MOST_CODES and game.n_codes * game.n_colors <= MOST_COUNTS


class Candidates:
    """Filter the codes of a game, one that `is_listed`, to find the first contradiction."""

    def __init__(self, game: Game) -> None:
        self._codes = game.codes
        self._left = np.arange(game.n_codes)
        self._uses = np.zeros((game.n_codes, game.n_colors), dtype=np.int64)
        for colors in self._codes.T:
            self._uses[self._left, colors] += 1
        self._answers: list[Answer] = []

    def observe(self, guess: Code, black: int, total: int) -> None:
        """Take in an answer; ContradictionError if no code agrees with it and all before.

        The message says which of them cannot all be true.
        """
        answer = guess, black, total
        left = self._left[self._agree(answer, self._left)]
        if len(left) == 0:
            raise ContradictionError(self._explain(answer))
        self._left = left
        self._answers.append(answer)

    def _agree(self, answer: Answer, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each code whether it gives an answer."""
        guess, black, total = answer
        uses = np.bincount(guess, minlength=self._uses.shape[1])
        blacks = (self._codes[rows] == guess).sum(axis=1)
        totals = np.minimum(self._uses[rows], uses).sum(axis=1)
        agree: NDArray[np.bool_] = (blacks == black) & (totals == total)
        return agree

    def _explain(self, answer: Answer) -> str:
        """Name a minimal set of answers that cannot all be true."""
        everything = np.arange(len(self._codes))
        agree = np.array([self._agree(one, everything) for one in [*self._answers, answer]])
        kept = np.ones(len(agree), dtype=bool)
        for row in range(len(agree)):
            kept[row] = False
            kept[row] = bool(agree[kept].all(axis=0).any())
        numbers = [str(row + 1) for row in np.flatnonzero(kept)]
        if len(numbers) == 1:
            return "no code fits that answer"
        return f"answers {', '.join(numbers[:-1])} and {numbers[-1]} cannot all be true"


# What the answers prove, and the first answer that cannot be true.
#
# Facts are exact: bounds on how often each color occurs in the secret, and which colors each peg
# may still have. Each is implied by the answers, so an honest opponent never meets a contradiction;
# the converse (every contradiction is detected at once) would need a search.


WINDOW = 1100
"""How many earlier guesses an answer is compared with, one by one."""


class ContradictionError(GameError):
    """An answer that no code can give after the answers before it."""


class Facts:
    """Everything that some answers prove.

    `low` and `high`, int64[n_colors], bound how often each color stands in the secret, at most once
    without repetition. `allowed`, bool[n_colors, n_pegs], says whether a peg may have a color;
    `n_left`, int64[n_pegs], how many colors each peg may have.
    """

    def __init__(self, n_pegs: int, n_colors: int, repetition: bool) -> None:
        self.n_pegs, self.n_colors = n_pegs, n_colors
        self.low = np.zeros(n_colors, dtype=np.int64)
        self.high = np.full(n_colors, n_pegs if repetition else 1, dtype=np.int64)
        self.allowed = np.ones((n_colors, n_pegs), dtype=bool)
        self.n_answers = 0
        self._guesses = np.zeros((16, n_pegs), dtype=np.int32)
        self._blacks = np.zeros(16, dtype=np.int64)
        self._totals = np.zeros(16, dtype=np.int64)
        self._pegs = np.arange(n_pegs)
        self.n_left = np.zeros(n_pegs, dtype=np.int64)
        self._places = np.zeros(n_colors, dtype=np.int64)
        self._placed = np.zeros(n_colors, dtype=np.int64)
        self._close()

    @property
    def guesses(self) -> NDArray[np.int32]:
        """The guesses that were answered, one a row."""
        return self._guesses[: self.n_answers]

    @property
    def blacks(self) -> NDArray[np.int64]:
        """The black pegs of each answer."""
        return self._blacks[: self.n_answers]

    @property
    def totals(self) -> NDArray[np.int64]:
        """The black and white pegs of each answer, together."""
        return self._totals[: self.n_answers]

    @property
    def is_decided(self) -> bool:
        """Whether only one code is left."""
        return bool((self.n_left == 1).all())

    def was_guessed(self, code: Code) -> bool:
        """Return whether a code was guessed before, as far as answers are compared."""
        return bool((self.guesses[-WINDOW:] == code).all(axis=1).any())

    def observe(self, guess: Code, black: int, white: int) -> None:
        """Learn from an answer; ContradictionError if it cannot be true, and nothing is learned."""
        before = self.low.copy(), self.high.copy(), self.allowed.copy()
        try:
            self._check_range(black, white)
            self._use_total(guess, black + white)
            self._use_black(guess, black)
            self._compare(guess, black, black + white)
            self._close()
            self._look_back()
        except ContradictionError as error:
            self.low, self.high, self.allowed = before
            self._tally()
            message = f"answer {self.n_answers + 1} ({black} black, {white} white): {error}"
            raise ContradictionError(message) from None
        self._record(guess, black, black + white)

    def set_count(self, color: int, count: int) -> None:
        """Set how often a color occurs in the secret, as the caller has concluded."""
        self.low[color] = max(self.low[color], count)
        self.high[color] = min(self.high[color], count)
        self._balance()
        self._close()

    def _record(self, guess: Code, black: int, total: int) -> None:
        if self.n_answers == len(self._blacks):
            self._guesses = np.concatenate((self._guesses, np.zeros_like(self._guesses)))
            self._blacks = np.concatenate((self._blacks, np.zeros_like(self._blacks)))
            self._totals = np.concatenate((self._totals, np.zeros_like(self._totals)))
        self._guesses[self.n_answers] = guess
        self._blacks[self.n_answers] = black
        self._totals[self.n_answers] = total
        self.n_answers += 1

    def _check_range(self, black: int, white: int) -> None:
        n_pegs = self.n_pegs
        if min(black, white) < 0 or black + white > n_pegs:
            raise ContradictionError(f"an answer counts at most {n_pegs} pegs, none negative")
        if black == n_pegs - 1 and white == 1:
            raise ContradictionError("the last peg cannot be white if all others are black")

    def _use_total(self, guess: Code, total: int) -> None:
        """Bound the colors by ``total = sum of min(uses in the guess, uses in the secret)``."""
        uses = np.bincount(guess, minlength=self.n_colors)
        least, most = np.minimum(uses, self.low), np.minimum(uses, self.high)
        if not least.sum() <= total <= most.sum():
            raise ContradictionError(
                f"black and white make {total}, but the answers before leave"
                f" {least.sum()} to {most.sum()} pegs of these colors"
            )
        floor = np.where(uses > 0, total - (most.sum() - most), 0)
        ceiling = total - (least.sum() - least)
        self.low = np.maximum(self.low, floor)
        self.high = np.where(ceiling < uses, np.minimum(self.high, ceiling), self.high)
        self._balance()

    def _balance(self) -> None:
        """Use that the counts of all colors sum to `n_pegs`."""
        n_pegs = self.n_pegs
        if (self.low > self.high).any() or not self.low.sum() <= n_pegs <= self.high.sum():
            raise ContradictionError(
                f"the answers leave {self.low.sum()} to {self.high.sum()} pegs, not {n_pegs}"
            )
        self.low = np.maximum(self.low, n_pegs - (self.high.sum() - self.high))
        self.high = np.minimum(self.high, n_pegs - (self.low.sum() - self.low))

    def _use_black(self, guess: Code, black: int) -> None:
        """Place or exclude colors if there are as many or as few black pegs as possible."""
        possible = self.allowed[guess, self._pegs]
        sure = possible & (self.n_left == 1)
        if not sure.sum() <= black <= possible.sum():
            raise ContradictionError(
                f"the answers before leave {sure.sum()} to {possible.sum()} black pegs"
            )
        if black == possible.sum():
            self._place(guess, possible)
        elif black == sure.sum():
            open_pegs = ~sure
            self.allowed[guess[open_pegs], self._pegs[open_pegs]] = False

    def _look_back(self) -> None:
        """Use the earlier answer with the most black pegs again: it may prove more now."""
        if self.n_answers:
            row = int(self.blacks.argmax())
            self._use_black(self.guesses[row], int(self.blacks[row]))
            self._close()

    def _place(self, code: Code, where: NDArray[np.bool_]) -> None:
        """Give each of some pegs the color that a code has there."""
        pegs = self._pegs[where]
        colors = code[where]
        possible = self.allowed[colors, pegs]
        self.allowed[:, pegs] = False
        self.allowed[colors, pegs] = possible

    def _compare(self, guess: Code, black: int, total: int) -> None:
        """Compare with earlier guesses: each peg that differs changes an answer by at most 1."""
        first = max(0, self.n_answers - WINDOW)
        guesses, blacks = self.guesses[first:], self.blacks[first:]
        differ = guesses != guess
        n_differ = differ.sum(axis=1)
        gap = black - blacks
        wrong = (np.abs(gap) > n_differ) | (np.abs(total - self.totals[first:]) > n_differ)
        if wrong.any():
            turn = int(wrong.argmax())
            white = self.totals[first + turn] - blacks[turn]
            raise ContradictionError(
                f"the guess differs from guess {first + turn + 1} on {n_differ[turn]} pegs, but"
                f" the answers ({blacks[turn]} black, {white} white then) by more"
            )
        for row in np.flatnonzero(np.abs(gap) == n_differ).tolist():
            self._place(guess if gap[row] > 0 else guesses[row], differ[row])
        rows = np.flatnonzero((n_differ == 1) & (gap == 0))
        if len(rows):
            pegs = differ[rows].argmax(axis=1)
            self.allowed[guess[pegs], pegs] = False
            self.allowed[guesses[rows, pegs], pegs] = False

    def _close(self) -> None:
        """Draw conclusions between counts and places until nothing changes."""
        before = (-1, -1, -1)
        while before != (now := self._measure()):
            before = now
            absent = np.flatnonzero((self.high == 0) & (self._places > 0))
            if len(absent):
                self.allowed[absent] = False
                self._tally()
            n_left = self.n_left
            if (n_left == 0).any():
                raise ContradictionError(f"no color is left for peg {int(n_left.argmin()) + 1}")
            full = (self._placed == self.high) & (self._places > self._placed)
            for color in np.flatnonzero(full):
                self.allowed[color, n_left > 1] = False
            self.low = np.maximum(self.low, self._placed)
            self.high = np.minimum(self.high, self._places)
            self._balance()
            needed = (self._places == self.low) & (self._places > self._placed)
            for color in np.flatnonzero(needed):
                where = self.allowed[color]
                self._place(np.full(self.n_pegs, color, dtype=np.int32), where)

    def _measure(self) -> tuple[int, int, int]:
        self._tally()
        return int(self.n_left.sum()), int(self.low.sum()), int(self.high.sum())

    def _tally(self) -> None:
        tally_allowed(self.allowed, self.n_left, self._places, self._placed)


def derive_key(key: int, *values: int) -> np.uint64:
    """Return a key that depends on another and on small numbers, not negative."""
    for value in values:
        key = int(mix(np.uint64(key), np.uint64(value)))
    return np.uint64(key)


@njit
def tally_allowed(
    allowed: NDArray[np.bool_],
    n_left: NDArray[np.int64],
    places: NDArray[np.int64],
    placed: NDArray[np.int64],
) -> None:
    """Count the colors that each peg may have, and the pegs of each color.

    Written are `n_left`, the colors allowed on each peg; `places`, the pegs that allow each color;
    and `placed`, the pegs that allow this color alone.
    """
    n_colors, n_pegs = allowed.shape
    n_left[:] = 0
    for color in range(n_colors):
        for peg in range(n_pegs):
            n_left[peg] += allowed[color, peg]
    for color in range(n_colors):
        n_places, n_placed = 0, 0
        for peg in range(n_pegs):
            n_places += allowed[color, peg]
            n_placed += allowed[color, peg] & (n_left[peg] == 1)
        places[color] = n_places
        placed[color] = n_placed
