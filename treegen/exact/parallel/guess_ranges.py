"""How many of a node's guesses one thread takes at once."""

from __future__ import annotations

GRAIN_SHARE = 16
"""The guesses of nodes of a 16th of all candidates are taken in ranges, those of others at once."""

FIRST_GRAIN = 64
"""The first range where no tree is known: its first guess gives the others an upper bound."""

GROWTH = 4
"""Where one is known, ranges have a fourth of the guesses tried before, one at least.

Threads then try the first guesses in the order of a single one, so that one finds in the table what
another has just proved; the many guesses after them are counted and sieved together.
"""

MAX_GRAIN = 1024


def is_cut(n: int, n_root: int) -> bool:
    """Whether the guesses of a node of `n` candidates are taken in ranges."""
    return n * GRAIN_SHARE >= n_root


def find_grain(first: int, has_upper_bound: bool) -> int:
    """Return how many guesses are taken at once from a place in the list on.

    Examples
    --------
    >>> [find_grain(first, True) for first in (0, 3, 8, 100, 10_000)]
    [1, 1, 2, 25, 1024]
    """
    return max(1, min(first // GROWTH, MAX_GRAIN)) if has_upper_bound else FIRST_GRAIN
