"""Of which list the words of a codebook are a part, when it has only those that a tree needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ..errors import GameError


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The whole codebook, of which another one has all secrets and some other words.

    Attributes
    ----------
    rules_name
        The name by which digests know the whole codebook.
    n_codes
        How many words the whole codebook has.
    numbers
        The numbers there of the words behind the secrets, ascending; the secrets keep theirs.
    """

    rules_name: str
    n_codes: int
    numbers: tuple[int, ...]

    def check(self, n_secrets: int, n_codes: int) -> None:
        """Raise GameError unless so many words can have these numbers in the whole codebook."""
        numbers = (n_secrets - 1, *self.numbers, self.n_codes)
        are_ascending = all(one < other for one, other in pairwise(numbers))
        if len(self.numbers) != n_codes - n_secrets or not are_ascending:
            raise GameError("the numbers of an excerpt's words are wrong")
        if self.n_codes >= 2**31 or not re.fullmatch("codebook:[0-9a-f]{64}", self.rules_name):
            raise GameError("the whole codebook of an excerpt is wrong")
