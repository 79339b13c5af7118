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

MIN_RANGE_S = 0.1
"""Where the pace is known, a range has guesses for so long at least: to send one takes a while."""


def is_cut(n: int, n_root: int) -> bool:
    """Whether the guesses of a node of `n` candidates are taken in ranges."""
    return n * GRAIN_SHARE >= n_root


def find_grain(first: int, has_upper_bound: bool, guess_s: float | None = None) -> int:
    """Return how many guesses are taken at once from a place in the list on.

    Parameters
    ----------
    first
        The place.
    has_upper_bound
        Whether a tree is known.
    guess_s
        What a guess took lately; None: ranges may be short.

    Examples
    --------
    >>> [find_grain(first, True) for first in (0, 3, 8, 100, 10_000)]
    [1, 1, 2, 25, 1024]
    >>> [find_grain(8, True, guess_s) for guess_s in (1.0, 0.01, 0.0)]
    [2, 10, 1024]
    """
    if not has_upper_bound:
        return FIRST_GRAIN
    n_quick = 0 if guess_s is None else int(MIN_RANGE_S / max(guess_s, MIN_RANGE_S / MAX_GRAIN))
    return max(1, min(max(first // GROWTH, n_quick), MAX_GRAIN))
