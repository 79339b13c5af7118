"""Deriving facts from a nearly right code: replace some of its pegs and count the loss.

Beliefs that are wrong on few pegs may stay wrong for long. Then the guess with the most black pegs
is repeated with some pegs replaced. If every one of them costs a black peg, all were right, which
the facts conclude by themselves; otherwise the replaced pegs are halved until a wrong one is left.
"""

from __future__ import annotations

import numpy as np

from ._keys import derive_key
from ._messages import shuffle
from .beliefs import Beliefs
from .facts import Code, Facts

MOST_WRONG = 1 / 16
"""Share of the pegs that may be wrong: with more of them, splitting takes longer than drawing."""
HALF = 0.7
"""Expected wrong pegs among those replaced, so that none of them is wrong half of the time."""


class Certifier:
    """Split the pegs of the best guess so far into right ones and wrong ones.

    Parameters
    ----------
    facts, beliefs
        Read at every guess; the beliefs choose what replaces a peg, and never make a fact.
    key
        Of the random choices.
    """

    def __init__(self, facts: Facts, beliefs: Beliefs, key: np.uint64) -> None:
        self.facts, self.beliefs, self.key = facts, beliefs, key
        self._row = -1
        self._pegs = np.zeros(0, dtype=np.int64)
        self._n_wrong = 0
        self._suspects = np.zeros(0, dtype=np.int64)

    def next_guess(self) -> Code | None:
        """Return a guess that tests some pegs; None if too many are wrong, or none is known."""
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
