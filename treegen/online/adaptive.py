"""The adaptive strategy: count and place at once, guess from beliefs, fall back on proof."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.base import Game
from ..jit.compiler import njit, njit_part
from ..kernels.responses import mix
from ._messages import (
    Field,
    draw_code,
    find_best,
    forbid_pairs,
    normalise,
    shuffle,
    sweep_colors,
    sweep_guesses,
)
from .one_by_one import OneByOne
from .player import Code, Facts, OnlineStrategy, derive_key

CONFIDENT = 0.5
"""The likeliest code is guessed once the product of its beliefs is above this."""
DRAWS = 20
SHORT = 16
CAP = 0.5


class Adaptive(OnlineStrategy):
    """Learn counts within guesses that also test places, and draw the guesses from beliefs.

    `facts` are what another strategy's answers have proved already; that strategy keeps updating
    them. After `switch` answers `OneByOne` takes over, using the facts alone: never more than
    ``switch + n_colors * (n_pegs + 1)`` guesses.
    """

    name = "adaptive"

    def __init__(self, game: Game, seed: int = 0, *, facts: Facts | None = None) -> None:
        super().__init__(game, seed)
        if facts is not None:
            self.facts = facts
        self.switch = self.facts.n_answers + 20 + 6 * (game.n_pegs + game.n_colors)
        self._key = derive_key(seed, 0)
        self.beliefs = Beliefs(self.facts, self._key)
        self._counting = Counting(self.facts)
        self._certifier = Certifier(self.facts, self.beliefs, self._key)
        self._is_test = False
        self._asked: list[int] = []
        self._fallback: OneByOne | None = None
        self._pool = CodePool(self.facts, int(self._key)) if game.n_pegs <= SHORT else None

    @property
    def bound(self) -> int:
        """Most guesses that any game takes."""
        return self.switch + self.game.n_colors * (self.game.n_pegs + 1)

    def _choose(self) -> Code:
        if self.facts.n_answers >= self.switch:
            return self._fall_back()
        if self.facts.is_decided:
            only: Code = self.facts.allowed.argmax(axis=0).astype(np.int32)
            return only
        if self._pool is not None and (guess := self._pool.choose()) is not None:
            return guess
        self._asked, uses = self._counting.next_colors()
        if self._asked:
            return self._count(uses)
        best, certainty = self.beliefs.best_code()
        if certainty > CONFIDENT and not self.facts.was_guessed(best):
            return best
        if certainty > CONFIDENT or self.beliefs.are_doubted:
            test = self._certifier.next_guess()
            if test is not None and not self.facts.was_guessed(test):
                self._is_test = True
                return test
        return self._draw_new(self.facts.high > 0)

    def _learn(self, guess: Code, black: int, total: int) -> None:
        if self._asked:
            uses = np.bincount(guess, minlength=self.game.n_colors)
            counted = np.minimum(uses, np.maximum(self.beliefs.counts, 0))
            others = np.ones(len(uses), dtype=bool)
            others[self._asked] = False
            self._counting.learn(int(uses[self._asked].min()), total - int(counted[others].sum()))
            self._asked = []
        if self._is_test:
            self._is_test = False
            self._certifier.learn(black)
            self.beliefs.learn_facts()
        else:
            self.beliefs.learn(guess, black)

    def _count(self, uses: int) -> Code:
        """Return a guess that tests colors on some pegs and places on the others."""
        guess = self.beliefs.draw(self.beliefs.counts > 0, 0)
        p = np.where(guess < 0, 0.0, self.beliefs.weights[guess, np.arange(len(guess))])
        self._cap(guess, p)
        order = np.argsort(np.where(guess < 0, -1.0, p), kind="stable")
        n_asked = max(uses * len(self._asked), int((guess < 0).sum()))
        guess[order[:n_asked]] = np.resize(np.array(self._asked, dtype=np.int32), n_asked)
        return guess

    def _cap(self, guess: Code, p: NDArray[np.float64]) -> None:
        """Remove a color (-1) where it would be right half of the time if present at all."""
        order = np.argsort(guess, kind="stable")
        mass = np.cumsum(p[order])
        starts = np.searchsorted(guess[order], guess[order])
        mass -= mass[starts] - p[order][starts]
        counts = self.beliefs.counts
        guess[order[mass > CAP * counts[guess[order]]]] = -1

    def _fall_back(self) -> Code:
        """Let one-by-one take over from the facts."""
        if self._fallback is None:
            self._fallback = OneByOne(self.game, duplicates=False)
            self._fallback.facts = self.facts
        return self._fallback._choose()

    def _draw_new(self, usable: NDArray[np.bool_]) -> Code:
        for attempt in range(DRAWS):
            guess = self.beliefs.draw(usable, attempt)
            guess = np.where(guess < 0, self.facts.allowed.argmax(axis=0), guess).astype(np.int32)
            if not self.facts.was_guessed(guess):
                break
        return guess


SURPRISE = 3.0
"""Mean squared deviation, in variances, above which the beliefs are reset."""
REST = 20
"""Answers after a reset during which guesses are drawn with less trust."""
EXTRA_SWEEPS = 20
"""Sweeps after a reset, up to `SHORT_ENOUGH` pegs; 6 beyond, to save time."""
SHORT_ENOUGH = 200


class Beliefs:
    """Loopy belief propagation over pegs x colors, updated with every answer.

    A belief is never a fact: weights are 0 only where the facts exclude a color. If answers keep
    surprising, all messages are reset and passed again, damped. The facts are read at every answer;
    the caller updates them first.
    """

    def __init__(self, facts: Facts, key: np.uint64) -> None:
        shape = facts.n_colors, facts.n_pegs
        self.facts, self.key = facts, key
        vectors = [np.ones(facts.n_pegs) for _ in range(4)]
        self._field = Field(facts.allowed / facts.n_colors, *vectors)
        self._drawn = np.empty(shape)
        self._pegs = np.arange(facts.n_pegs)
        self._color_messages, self._color_tilts = np.ones(shape), np.ones(facts.n_colors)
        rows = max(16, 2 * facts.n_answers)
        self._guess_messages, self._guess_tilts = np.ones((rows, facts.n_pegs)), np.ones(rows)
        # Answers before these beliefs began are known to the facts alone.
        self._targets = np.zeros(rows, dtype=np.int64)
        self._surprise, self._rest = 0.0, 0
        self._sweeps = _choose_sweeps(facts.n_pegs)
        normalise(self._field)

    @property
    def weights(self) -> NDArray[np.float64]:
        """Belief for each (color, peg), each peg's sum 1."""
        return self._field.weights

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each color stands in the secret; -1 where that is not known."""
        return np.where(self.facts.low == self.facts.high, self.facts.low, -1)

    def learn(self, guess: Code, black: int) -> None:
        """Learn from an answer."""
        self._forbid()
        p = self.weights[guess, self._pegs]
        gap = black - float(p.sum())
        deviation = min(16.0, gap * gap / (float((p * (1.0 - p)).sum()) + 0.5))
        self._surprise = 0.85 * self._surprise + 0.15 * deviation
        self._add_factor(guess, black)
        self._pass_messages()
        self._rest = max(0, self._rest - 1)
        counted = bool((self.facts.low == self.facts.high).all())
        if counted and not self._rest and self._surprise > SURPRISE:
            self._begin_again(self.facts.n_answers)

    def learn_facts(self) -> None:
        """Adopt the facts after an answer that says nothing beyond them."""
        self._forbid()
        self._add_factor(self.facts.guesses[-1], 0)
        self._pass_messages()

    @property
    def are_doubted(self) -> bool:
        """Whether the beliefs were reset recently."""
        return self._rest > 0

    def best_code(self) -> tuple[Code, float]:
        """Return the likeliest color of each peg and the product of their beliefs."""
        best = np.empty(self.facts.n_pegs, dtype=np.int32)
        value = np.empty(self.facts.n_pegs)
        find_best(self.weights, best, value)
        return best, float(np.prod(value))

    def draw(self, usable: NDArray[np.bool_], attempt: int) -> Code:
        """Draw a guess from the beliefs; -1 on pegs that may have no usable color."""
        guess = np.empty(self.facts.n_pegs, dtype=np.int32)
        key = derive_key(int(self.key), self.facts.n_answers, attempt)
        draw_code(self._field, usable, key, self._rest > 0 or attempt > 0, self._drawn, guess)
        return guess

    def _forbid(self) -> None:
        """Adopt the facts, and reset if they exclude everything believed."""
        forbid_pairs(self._field.weights, self.facts.allowed)
        normalise(self._field)
        if self._field.sums.min() < 0.5:
            # The newest answer is not a factor yet.
            self._begin_again(self.facts.n_answers - 1)

    def _add_factor(self, guess: Code, black: int) -> None:
        row = self.facts.n_answers - 1
        if row == len(self._targets):
            self._guess_messages = np.concatenate(
                (self._guess_messages, np.ones((row, len(guess))))
            )
            self._guess_tilts = np.concatenate((self._guess_tilts, np.ones(row)))
            self._targets = np.concatenate((self._targets, np.zeros(row, dtype=np.int64)))
        # A one-colored guess gives a count, which has a factor of its own.
        self._targets[row] = 0 if (guess == guess[0]).all() else black

    def _pass_messages(self) -> None:
        """Update the newest factor, all others some times or a random part, and the colors."""
        n_answers = self.facts.n_answers
        self._sweep(np.array([n_answers - 1]), is_damped=False)
        sweeps = self._sweeps
        turn = 0
        while sweeps > 0.0:
            key = derive_key(int(self.key), n_answers, 1001 + turn)
            part = int(np.ceil(min(1.0, sweeps) * n_answers))
            self._sweep(shuffle(key, n_answers)[:part], is_damped=False)
            self._sweep_colors(is_damped=False)
            sweeps -= 1.0
            turn += 1
        normalise(self._field)

    def _begin_again(self, n_answers: int) -> None:
        self._forget()
        self._surprise, self._rest = 1.0, REST
        for turn in range(EXTRA_SWEEPS if self.facts.n_pegs <= SHORT_ENOUGH else 6):
            key = derive_key(int(self.key), n_answers, 2001 + turn)
            self._sweep(shuffle(key, n_answers), is_damped=True)
            self._sweep_colors(is_damped=False)
            normalise(self._field)

    def _forget(self) -> None:
        self._field.weights[:] = self.facts.allowed
        normalise(self._field)
        for ones in (self._guess_messages, self._guess_tilts):
            ones[:] = 1.0
        self._color_messages[:], self._color_tilts[:] = 1.0, 1.0

    def _sweep(self, order: NDArray[np.int64], *, is_damped: bool) -> None:
        sweep_guesses(
            self._field,
            self.facts.guesses,
            self._targets,
            self._guess_messages,
            self._guess_tilts,
            order,
            is_damped,
        )

    def _sweep_colors(self, *, is_damped: bool) -> None:
        sweep_colors(self._field, self.counts, self._color_messages, self._color_tilts, is_damped)


def _choose_sweeps(n_pegs: int) -> float:
    """Return the number of sweeps per answer: few for long codes, to save time."""
    if n_pegs <= 100:
        return min(4.0, 30_000.0 / n_pegs**2)
    return min(3.0, max(150.0 / n_pegs, 60_000.0 / n_pegs**2))


POOL = 400
"""Codes on which guesses are rated."""
RATED = 60
"""Codes of the pool that are rated as guesses."""
CHANGES = 200
"""Single changes of the best guess that are rated too."""
STEPS = 20_000
WALKS = 6


class CodePool:
    """Draw consistent codes, and choose a guess that divides them well."""

    def __init__(self, facts: Facts, seed: int) -> None:
        self.facts, self.seed = facts, seed
        worth = [0, *(round(2**20 * n * log2(n)) for n in range(1, POOL + 1))]
        self._worth = np.array(worth, dtype=np.int64)
        self._cells = np.zeros((facts.n_pegs + 1) ** 2, dtype=np.int64)
        self._counts = np.zeros(facts.n_colors, dtype=np.int64)

    def choose(self) -> Code | None:
        """Return the next guess; None if no consistent code was found."""
        pool = self._draw()
        if len(pool) <= 2:
            return pool[0] if len(pool) else None
        return self._improve(*self._best_of(pool), pool)

    def _draw(self) -> NDArray[np.int32]:
        """Return distinct consistent codes, at most `POOL`, in random order."""
        facts = self.facts
        answers = self._answers()
        colors = np.flatnonzero(facts.high > 0).astype(np.int32)
        codes = np.zeros((0, facts.n_pegs), dtype=np.int32)
        for number in range(WALKS):
            key = derive_key(self.seed, facts.n_answers, number)
            rng = np.random.Generator(np.random.Philox(int(key)))
            found = np.empty((STEPS, facts.n_pegs), dtype=np.int32)
            walker = self._start(rng, answers)
            n_found = walk(walker, answers, facts.allowed, colors, key, STEPS, found)
            codes = _unique_codes(np.concatenate((codes, found[:n_found])), facts.n_colors)
            if number >= 1 and len(codes) >= POOL:
                break
        rng = np.random.Generator(np.random.Philox(int(derive_key(self.seed, facts.n_answers, 99))))
        return codes[rng.permutation(len(codes))[:POOL]]

    def _answers(self) -> Answers:
        facts = self.facts
        uses = np.zeros((facts.n_answers, facts.n_colors), dtype=np.int32)
        for row, guess in enumerate(facts.guesses):
            uses[row] = np.bincount(guess, minlength=facts.n_colors)
        return Answers(facts.guesses, facts.blacks, facts.totals, uses)

    def _start(self, rng: np.random.Generator, answers: Answers) -> Walker:
        """Return a walker on a random code of allowed colors."""
        facts = self.facts
        code = np.empty(facts.n_pegs, dtype=np.int32)
        for peg in range(facts.n_pegs):
            code[peg] = rng.choice(np.flatnonzero(facts.allowed[:, peg]))
        gaps = np.zeros((2, facts.n_answers), dtype=np.int64)
        walker = Walker(code, np.zeros(facts.n_colors, dtype=np.int32), gaps[0], gaps[1])
        start_walk(walker, answers)
        return walker

    def _rate(self, guess: Code, pool: NDArray[np.int32]) -> int:
        return int(rate_guess(guess, pool, self._worth, self._cells, self._counts))

    def _best_of(self, pool: NDArray[np.int32]) -> tuple[Code, int]:
        """Return the code of the pool that divides it best, and its rating."""
        rates = [self._rate(guess, pool) for guess in pool[:RATED]]
        best = int(np.argmin(rates))
        return pool[best], rates[best]

    def _improve(self, guess: Code, rate: int, pool: NDArray[np.int32]) -> Code:
        """Return a guess that divides the pool better, by single changes; or the guess itself."""
        facts = self.facts
        key = derive_key(self.seed, facts.n_answers, 100)
        rng = np.random.Generator(np.random.Philox(int(key)))
        best = guess
        # A guess of the pool may win at once, which is worth about one more cell of one code.
        rate -= 2 * 2**20
        for _ in range(CHANGES):
            peg, other = rng.integers(facts.n_pegs, size=2)
            changed = best.copy()
            if rng.integers(2):
                changed[peg], changed[other] = best[other], best[peg]
            else:
                changed[peg] = rng.integers(facts.n_colors)
            if (new := self._rate(changed, pool)) < rate and not facts.was_guessed(changed):
                best, rate = changed, new
        return best


def _unique_codes(codes: NDArray[np.int32], n_colors: int) -> NDArray[np.int32]:
    """Return the distinct codes among some, in lexicographic order."""
    n_pegs = codes.shape[1]
    if n_colors**n_pegs > 2**63:
        return np.unique(codes, axis=0)
    # Read as numbers they sort several times faster, in the same order.
    places = n_colors ** np.arange(n_pegs - 1, -1, -1, dtype=np.int64)
    _, first = np.unique(codes @ places, return_index=True)
    return codes[first]


# Deriving facts from a nearly right code: replace some of its pegs and count the loss.
#
# Beliefs that are wrong on few pegs may stay wrong for long. Then the guess with the most black
# pegs is repeated with some pegs replaced. If every one of them costs a black peg, all were right,
# which the facts conclude by themselves; otherwise the replaced pegs are halved until a wrong one
# is left.


MOST_WRONG = 1 / 16
"""Share of the pegs that may be wrong: with more of them, splitting takes longer than drawing."""
HALF = 0.7
"""Expected wrong pegs among those replaced, so that none of them is wrong half of the time."""


class Certifier:
    """Split the pegs of the best guess so far into right ones and wrong ones.

    Facts and beliefs are read at every guess; the beliefs choose what replaces a peg, and never
    make a fact.
    """

    def __init__(self, facts: Facts, beliefs: Beliefs, key: np.uint64) -> None:
        self.facts, self.beliefs, self.key = facts, beliefs, key
        self._row = -1
        self._pegs = np.zeros(0, dtype=np.int64)
        self._n_wrong = 0
        self._suspects = np.zeros(0, dtype=np.int64)

    def next_guess(self) -> Code | None:
        """Return a guess that tests some pegs; None if too many are wrong, or no peg is known."""
        facts = self.facts
        row = int(facts.blacks.argmax())
        if row != self._row:
            self._row, self._suspects = row, self._suspects[:0]
        code = facts.guesses[row]
        possible = facts.allowed[code, np.arange(facts.n_pegs)]
        is_open = possible & (facts.n_left > 1)
        n_right = int(facts.blacks[row]) - int((possible & ~is_open).sum())
        n_open = int(is_open.sum())
        if not 0 < n_open - n_right <= max(1.0, MOST_WRONG * facts.n_pegs):
            return None
        self._suspects = self._suspects[is_open[self._suspects]]
        if len(self._suspects) == 0:
            self._suspects, self._n_wrong = np.flatnonzero(is_open), n_open - n_right
        n_tested = round(HALF * len(self._suspects) / max(1, self._n_wrong))
        n_tested = min(max(1, n_tested), (len(self._suspects) + 1) // 2)
        order = shuffle(derive_key(int(self.key), facts.n_answers, 3001), len(self._suspects))
        self._pegs = self._suspects[order[:n_tested]]
        return self._replace(code)

    def learn(self, black: int) -> None:
        """Interpret the answer to the last guess, which the facts have learned already."""
        n_right = int(self.facts.blacks[self._row]) - black
        n_wrong = len(self._pegs) - n_right
        if n_wrong > 0:
            self._suspects, self._n_wrong = self._pegs, n_wrong

    def _replace(self, code: Code) -> Code:
        """Return the code with the tested pegs replaced: by excluded colors where there are any."""
        guess = code.copy()
        for peg in self._pegs:
            weights = np.where(self.facts.allowed[:, peg], 1.0 + self.beliefs.weights[:, peg], 0.0)
            weights[code[peg]] = 9.0
            guess[peg] = weights.argmin()
        return guess


@dataclass(slots=True)
class Group:
    """Colors that are counted together."""

    colors: list[int]  # at least one color whose count is open
    total: int | None = None  # how often they occur in the secret together; None if unknown


class Counting:
    """Choose the colors to count next, and read their count from the answer.

    As many colors are tested together as are expected to occur on 0.7 pegs; a group that is present
    is halved until each of its colors is counted. The counts are kept in the facts; the caller
    updates these with each answer first.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._groups: list[Group] = []
        self._asked: Group | None = None
        self._uses = 0
        self._least = 1

    def next_colors(self) -> tuple[list[int], int]:
        """Return the colors to test and on how many pegs each; no colors at the end."""
        self._drop_known()
        n_pegs = self.facts.n_pegs
        if not self._groups:
            unknown = np.flatnonzero(self.facts.low < self.facts.high).tolist()
            if not unknown:
                return [], 0
            rest = max(1, n_pegs - int(self.facts.low.sum()))
            size = max(1, min(n_pegs, round(0.7 * len(unknown) / rest)))
            self._groups.append(Group(unknown[:size]))
        group = self._groups[-1]
        half = group.colors if group.total is None else group.colors[: len(group.colors) // 2]
        self._asked = Group(half or group.colors)
        wanted = self._least if group.total is None else group.total
        uses = max(self._usual_uses(), wanted)
        self._uses = max(1, min(uses, n_pegs // len(self._asked.colors)))
        return self._asked.colors, self._uses

    def learn(self, uses: int, total: int) -> None:
        """Read an answer: each color had `uses` pegs; `total` pegs of the answer are theirs."""
        asked, group = self._asked, self._groups.pop()
        assert asked is not None
        self._asked, self._least = None, 1
        others = [color for color in group.colors if color not in asked.colors]
        most = int(self.facts.high[asked.colors].max())
        is_whole = total < uses or uses >= min(most, group.total or most)
        if not is_whole:
            self._least = 2 * uses
            halves = asked.colors if len(asked.colors) > 1 else []
            middle = len(halves) // 2
            parts = [halves[:middle], halves[middle:]] if halves else [asked.colors]
            self._groups += [Group(part) for part in (others, *parts) if part]
            return
        left = None if group.total is None else group.total - total
        for part, count in ((others, left), (asked.colors, total)):
            if count == 0 or (count is not None and len(part) == 1):
                for color in part:
                    self.facts.set_count(color, count)
            elif part:
                self._groups.append(Group(part, count))

    def _drop_known(self) -> None:
        """Forget colors whose counts the facts know meanwhile."""
        facts, kept = self.facts, []
        for group in self._groups:
            known = [color for color in group.colors if facts.low[color] == facts.high[color]]
            colors = [color for color in group.colors if color not in known]
            total = group.total
            if total is not None:
                total -= int(facts.low[known].sum())
            if colors:
                kept.append(Group(colors, total))
        self._groups = kept

    def _usual_uses(self) -> int:
        """Return a number of pegs that a color rarely exceeds in the secret."""
        unknown = self.facts.low < self.facts.high
        most = int(self.facts.high[unknown].max(initial=1))
        mean = (self.facts.n_pegs - int(self.facts.low.sum())) / max(1, int(unknown.sum()))
        return min(most, ceil(mean + 4.0 * sqrt(mean) + 1.0))


class Answers(NamedTuple):
    """What codes are compared with."""

    guesses: NDArray[np.int32]  # [n_answers, n_pegs]
    blacks: NDArray[np.int64]  # [n_answers]
    totals: NDArray[np.int64]  # [n_answers]: black and white
    uses: NDArray[np.int32]  # [n_answers, n_colors]: how often each color occurs in each guess


class Walker(NamedTuple):
    """A code on its walk, and how far it is from each answer."""

    code: NDArray[np.int32]  # [n_pegs]
    counts: NDArray[np.int32]  # [n_colors]: how often each color occurs in it
    # [n_answers]: black pegs that the guess would get, less those that it got.
    black_gaps: NDArray[np.int64]
    total_gaps: NDArray[np.int64]  # [n_answers]: the same of black and white pegs


@njit
def put_color(walker: Walker, answers: Answers, peg: int, color: int) -> None:
    """Put a color on a peg and update gaps and counts."""
    old = walker.code[peg]
    if old == color:
        return
    for row in range(len(answers.blacks)):
        guessed = answers.guesses[row, peg]
        if guessed == old:
            walker.black_gaps[row] -= 1
        elif guessed == color:
            walker.black_gaps[row] += 1
        if walker.counts[old] <= answers.uses[row, old]:
            walker.total_gaps[row] -= 1
        if walker.counts[color] < answers.uses[row, color]:
            walker.total_gaps[row] += 1
    walker.counts[old] -= 1
    walker.counts[color] += 1
    walker.code[peg] = color


@njit_part
def measure_gap(walker: Walker) -> int:
    """Return the sum of all gaps: 0 for a consistent code."""
    gap = 0
    for row in range(len(walker.black_gaps)):
        gap += abs(walker.black_gaps[row]) + abs(walker.total_gaps[row])
    return gap


@njit
def start_walk(walker: Walker, answers: Answers) -> None:
    """Measure the walker's code against all answers; gaps and counts in place."""
    walker.counts[:] = 0
    for color in walker.code:
        walker.counts[color] += 1
    for row in range(len(answers.blacks)):
        black, total = 0, 0
        for peg in range(len(walker.code)):
            black += walker.code[peg] == answers.guesses[row, peg]
        for color in range(len(walker.counts)):
            total += min(walker.counts[color], answers.uses[row, color])
        walker.black_gaps[row] = black - answers.blacks[row]
        walker.total_gaps[row] = total - answers.totals[row]


@njit(allocates=True)
def walk(
    walker: Walker,
    answers: Answers,
    allowed: NDArray[np.bool_],
    colors: NDArray[np.int32],
    key: np.uint64,
    n_steps: int,
    found: NDArray[np.int32],
) -> int:
    """Walk at random, rarely uphill, and keep the consistent codes; return how many.

    The walker is started, and moved in place. `allowed` is bool[n_colors, n_pegs]; a peg may change
    to one of `colors`. `n_steps` moves are tried. The codes are written to the rows of `found`, and
    may come more than once.
    """
    n_pegs, n_found = len(walker.code), 0
    gap = measure_gap(walker)
    # One more gap is accepted 1 time in 6, two 1 in 36, and so on.
    chances = np.array([2**16, 10923, 1820, 303, 51, 8, 1], dtype=np.int64)
    for step in range(n_steps):
        bits = np.int64(mix(key, np.uint64(step)) >> np.uint64(1))
        peg, other = int(bits % n_pegs), int((bits >> 12) % n_pegs)
        old, change = int(walker.code[peg]), int(walker.code[other])
        is_swap = (bits >> 24) % 2 == 0
        if not is_swap:
            change = int(colors[(bits >> 25) % len(colors)])
        if change == old or not allowed[change, peg] or (is_swap and not allowed[old, other]):
            continue
        put_color(walker, answers, peg, change)
        if is_swap:
            put_color(walker, answers, other, old)
        new_gap = measure_gap(walker)
        worse = min(6, max(0, new_gap - gap))
        if (bits >> 46) % 2**16 >= chances[worse]:
            if is_swap:
                put_color(walker, answers, other, change)
            put_color(walker, answers, peg, old)
            continue
        gap = new_gap
        if gap == 0 and n_found < len(found):
            found[n_found] = walker.code
            n_found += 1
    return n_found


@njit
def rate_guess(
    guess: NDArray[np.int32],
    pool: NDArray[np.int32],
    worth: NDArray[np.int64],
    cells: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> int:
    """Return the sum of `worth` over the cells into which a guess divides a pool: less is better.

    `worth`, int64[n + 1], is that of a cell by its size. `cells`, int64[(n_pegs + 1) ** 2], and
    `counts`, int64[n_colors], zero before and after, are scratch.
    """
    n_pegs = len(guess)
    cells[:] = 0
    for row in range(len(pool)):
        black, total = 0, 0
        for peg in range(n_pegs):
            counts[guess[peg]] += 1
        for peg in range(n_pegs):
            color = pool[row, peg]
            black += guess[peg] == color
            if counts[color] > 0:
                counts[color] -= 1
                total += 1
        for peg in range(n_pegs):
            counts[guess[peg]] = 0
        cells[black * (n_pegs + 1) + total] += 1
    value = 0
    for size in cells:
        value += worth[size]
    return value
