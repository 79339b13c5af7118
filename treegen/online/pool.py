"""Short codes: choose the guess that best divides a pool of consistent codes."""

from __future__ import annotations

from math import log2

import numpy as np
from numpy.typing import NDArray

from ._keys import derive_key
from ._walk import Answers, Walker, rate_guess, start_walk, walk
from .facts import Code, Facts

POOL = 400
"""Codes on which guesses are rated."""
RATED = 60
"""Codes of the pool that are rated as guesses."""
CHANGES = 200
"""Single changes of the best guess that are rated too."""
STEPS = 20_000
WALKS = 6


class Pool:
    """Draw consistent codes, and choose a guess that divides them well.

    Parameters
    ----------
    facts
        Read at every guess.
    seed
        Of the random choices.
    """

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
