"""What the answers make likely: one weight for each color on each peg."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._keys import derive_key
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
from .facts import Code, Facts

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
    surprising, all messages are reset and passed again, damped.

    Parameters
    ----------
    facts
        Read at every answer; the caller updates them first.
    key
        Of the random choices.
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
