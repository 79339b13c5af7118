"""The games of certificates: their answers, by definition, and what may be guessed.

Nothing here is shared with the games of `treegen.games`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError

MAX_PAIRS = 1 << 28
"""Of guess and secret, which take some bytes."""

CHUNK = 1 << 20
"""Answers that are computed at a time."""

Codes = NDArray[np.int32]
Int64s = NDArray[np.int64]


class CheckedGame:
    """A game: its guesses, their answers, by definition, and what makes up its costs.

    Of a game with codes the secrets are the first guesses. `letters` is None for tables. Where an
    item may give several answers, `answers` has a number of their set, above all answers; `choices`
    lists them, behind the last one the number of answers, and `sizes` says how many there are.
    """

    def __init__(self, name: str, texts: Sequence[str], n_secrets: int) -> None:
        if len(texts) * n_secrets > MAX_PAIRS:
            raise FormatError(f"{name} has too many pairs of guess and secret for this checker")
        self.name, self.texts = name, list(texts)
        self.place_of = {text: place for place, text in enumerate(texts)}
        self.n_codes, self.n_secrets = len(texts), n_secrets
        self.everything = np.arange(self.n_codes, dtype=np.int32)
        self.rule, self.n_pegs, self.n_colors = "table", 0, 0
        self.letters: NDArray[np.int32] | None = None
        self.sets: NDArray[np.unsignedinteger] | None = None
        self.is_identified, self.is_certain, self.eligible = False, True, "all"
        self.weights, self.costs = np.ones(n_secrets, np.int64), np.ones(self.n_codes, np.int64)
        self.has_stakes = False
        self.layers, self.blocks = list[int](), list[Int64s]()
        self.classes = np.arange(n_secrets)

    def set_codes(self, rule: str, letters: NDArray[np.int32], n_colors: int) -> None:
        """Take the letters of all codes; compute all answers."""
        self.rule, self.letters, self.n_colors = rule, letters, n_colors
        self.n_pegs = n = letters.shape[1]
        self.n_answers = {"pegs": (n + 1) * (n + 2) // 2, "black": n + 1, "position": 3**n}[rule]
        self.win = self.n_answers - 1
        self.n_others = self.win - (rule == "pegs")
        self.answers = np.empty((self.n_codes, self.n_secrets), dtype=np.uint16)
        rows = max(1, CHUNK // self.n_secrets)
        secrets = letters[: self.n_secrets]
        for start in range(0, self.n_codes, rows):
            part = slice(start, start + rows)
            self.answers[part] = self._answer(letters[part], secrets)
        self._set_choices()
        if (self.answers == self.win).sum() != self.n_secrets:
            raise FormatError(f"{self.name:.40} has a code twice")
        if self.n_answers <= 64:
            size = next(size for size in (16, 32, 64) if self.n_answers <= size)
            dtype = np.dtype(f"uint{size}")
            sets = (np.ones((), dtype=dtype) << self.answers.T.astype(dtype)).astype(dtype)
            self.sets = np.ascontiguousarray(sets)

    def set_rows(self, rows: list[Codes], sets: Sequence[tuple[int, ...]]) -> None:
        """Take the answers to each guess: -1 wins, -2 is the first of the sets, -3 the second."""
        given = np.array(rows)
        self.win = self.n_others = 1 + max(int(given.max()), *map(max, sets), 0)
        self.n_answers, self.is_certain = self.win + 1, not sets
        if ((given == -1).sum(axis=1) > 1).any():
            raise FormatError("a guess of the table wins two items")
        # Those that win come first, then the sets.
        self.answers = np.where(given < 0, self.win - 1 - given, given).astype(np.uint16)
        if len(np.unique(self.answers, axis=1).T) < self.n_secrets:
            raise FormatError("two items of the table are alike")
        self._set_choices(sets)

    def _set_choices(self, sets: Sequence[tuple[int, ...]] = ()) -> None:
        self.choices = self.answers[:, :, None]
        self.sizes = np.broadcast_to(np.ones((), np.int64), self.answers.shape)
        if sets:
            most = max(map(len, sets))
            listed = np.full((self.n_answers + len(sets), most), self.n_answers, dtype=np.uint16)
            listed[: self.n_answers, 0] = range(self.n_answers)
            for number, answers in enumerate(sets, start=self.n_answers):
                listed[number, : len(answers)] = answers
            self.choices = listed[self.answers]
            self.sizes = (self.choices < self.n_answers).sum(axis=2)

    def finish(self) -> None:
        """Find what depends on all lines about the game."""
        self.is_plain = self.letters is not None and not (self.is_identified or self.has_stakes)
        self.winners = [*self.everything[: self.n_secrets, None]]
        if self.letters is None:
            self.winners = [np.flatnonzero(row == self.win) for row in self.answers.T]
        if not self.is_identified and not all(map(len, self.winners)):
            raise FormatError("an item of the table cannot be guessed")
        for cost in self.layers:  # items that all cheaper guesses answer alike are in one block
            rows = self.answers[self.costs < cost]
            self.blocks.append(np.unique(rows, axis=1, return_inverse=True)[1].reshape(-1))
        self._find_groups()
        self.ends = np.zeros(self.n_secrets, np.int64)
        if not self.is_identified:  # a single item costs its own guess
            self.ends[:] = [self.costs[own].min() for own in self.winners]

    def _find_groups(self) -> None:
        """Group the items that are told apart for certain from the same others.

        Without groups any two items are.
        """
        n, self.groups = self.n_secrets, None
        self.apart: NDArray[np.bool_] | None = None
        if not self.is_identified or (self.is_certain and len(np.unique(self.classes)) == n):
            return
        apart = np.zeros((n, n), dtype=bool)
        for choices in self.choices:
            has = np.zeros((n, self.n_answers + 1), dtype=np.float32)
            np.put_along_axis(has, choices.astype(np.int64), 1, axis=1)
            apart |= has[:, : self.n_answers] @ has[:, : self.n_answers].T == 0
        apart &= self.classes[:, None] != self.classes
        _, first, groups = np.unique(apart, axis=0, return_index=True, return_inverse=True)
        self.groups, self.apart = groups.reshape(-1), apart[np.ix_(first, first)]

    def is_over(self, members: Codes) -> bool:
        """Whether no two members are told apart for certain, or only one is left."""
        if self.groups is None or self.apart is None:
            return len(members) < 2
        groups = np.unique(self.groups[members])
        return not self.apart[np.ix_(groups, groups)].any()

    def select(
        self, members: Codes, shares: Int64s, guess: int, answer: int
    ) -> tuple[Codes, Int64s]:
        """Return the members that may give an answer, and their shares there, rounded down."""
        kept = (self.choices[guess, members] == answer).any(axis=1)
        return members[kept], shares[kept] // self.sizes[guess, members[kept]]

    def tells(self, guesses: Codes, members: Codes) -> NDArray[np.bool_]:
        """Return whether each guess tells something: an answer excludes a member, or it wins."""
        answers = self.answers[guesses[:, None], members]
        useful: NDArray[np.bool_] = (answers != answers[:, :1]).any(axis=1)
        useful |= answers[:, 0] == self.win
        return useful

    def _answer(self, guesses: Codes, secrets: Codes) -> NDArray[np.integer]:
        """Return the answers of some guesses for secrets; see `answer_of` in check.c."""
        n, shape = self.n_pegs, (len(guesses), len(secrets))
        equal = [guesses[:, i, None] == secrets[None, :, i] for i in range(n)]
        black: NDArray[np.integer] = sum(equal, np.zeros(shape, dtype=np.uint16))
        if self.rule == "black":
            return black
        found = np.zeros(shape, dtype=np.uint16)
        if self.rule == "pegs":  # black and white together: as many of a color as both codes have
            for color in np.unique(secrets):
                asked, held = ((codes == color).sum(axis=1) for codes in (guesses, secrets))
                found += np.minimum(asked[:, None], held).astype(np.uint16)
            found += (black * n - black * (black - 1) // 2).astype(np.uint16)
            return found
        # A letter of the secret is paired once: with its place, or with one that misses.
        free = [~hit for hit in equal]
        for i in range(n):
            is_open, digit = ~equal[i], 2 * equal[i].astype(np.uint16)
            for j in range(n):
                hit = is_open & free[j] & (guesses[:, i, None] == secrets[None, :, j])
                free[j] &= ~hit
                is_open &= ~hit
                digit += hit
            found = 3 * found + digit
        return found

    def filter(self, legal: Codes | None, guess: int, answer: int, members: Codes) -> Codes | None:
        """Return the guesses still allowed after an answer that these members give.

        None if that does not depend on answers. Where answers are uncertain a guess may be made
        once; those that tell nothing of the members are left out.
        """
        if legal is None:
            return None
        if self.letters is None:
            others = legal[legal != guess]
            useful: Codes = others[self.tells(others, members)] if len(members) else others
            return useful
        asked, codes = self.letters[guess], self.letters[legal]
        if self.eligible == "consistent":
            kept: Codes = legal[self._answer(asked[None], codes)[0] == answer]
            return kept
        digits = [answer // 3 ** (self.n_pegs - 1 - peg) % 3 for peg in range(self.n_pegs)]
        keeps = np.ones(len(codes), dtype=bool)
        for peg, digit in enumerate(digits):
            if digit == 2:
                keeps &= codes[:, peg] == asked[peg]
            if digit > 0:
                needed = sum(d > 0 and asked[p] == asked[peg] for p, d in enumerate(digits))
                keeps &= (codes == asked[peg]).sum(axis=1) >= needed
        return legal[keeps]

    def list_legal(self, members: Codes, legal: Codes | None) -> Codes:
        """Return the guesses of a state."""
        if self.eligible == "candidates":
            return np.sort(np.concatenate([self.winners[item] for item in members]))
        return self.everything if legal is None else legal

    def count_cells(self, guesses: Codes, members: Codes) -> NDArray[np.integer]:
        """Return the number of cells of each guess on a set, without the winning one."""
        if self.sets is not None:
            chosen = self.sets[members]
            chosen = chosen if guesses is self.everything else chosen[:, guesses]
            union = np.bitwise_or.reduce(chosen, axis=0)
            union &= ~(np.ones((), dtype=union.dtype) << np.asarray(self.win, dtype=union.dtype))
            bits: NDArray[np.integer] = np.bitwise_count(union)
            return bits
        counts = np.empty(len(guesses), dtype=np.int64)
        rows = max(1, CHUNK // len(members))
        for start in range(0, len(guesses), rows):
            part = slice(start, start + rows)
            found = np.sort(self.answers[guesses[part, None], members], axis=1)
            counts[part] = 1 + (found[:, 1:] != found[:, :-1]).sum(axis=1)
            counts[part] -= found[:, -1] == self.win
        return counts

    def count_sizes(self, guesses: Codes, members: Codes) -> NDArray[np.int64]:
        """Return the sizes of the cells of guesses, a row for each, a column for each answer."""
        found, width = self.choices[guesses[:, None], members].astype(np.int64), self.n_answers + 1
        found += np.arange(len(guesses))[:, None, None] * width
        counts = np.bincount(found.ravel(), minlength=len(guesses) * width)
        return counts.reshape(len(guesses), width)[:, : self.n_answers]
