"""Kinds of criteria, tie-breaks, eligible guesses: what strategies and kernels agree on.

Nothing of the package is imported here, so strategies and the verifier know them without a
compiler. Kernels compare their numbers; records that kernels take hold plain integers, because a
member would be a type of its own to numba.
"""

from __future__ import annotations

from enum import IntEnum


class CriterionKind(IntEnum):
    """How a criterion's value of a partition is found."""

    LARGEST = 0
    """The largest cell."""
    SUM = 1
    """The sum over the cells of a table's values."""
    DESCENDING = 2
    """All cells, the largest first."""
    CONSISTENT = 3
    """Whether the guess may win."""
    REMOVALS = 4
    """The candidates surely removed."""
    SHARES = 5
    """A `ShareMeasure`, of tables with uncertain answers or classes alone."""


class Measure(IntEnum):
    """What a criterion sees of a cell where candidates have weights."""

    NUMBER = 0
    """How many candidates it has, whatever they weigh."""
    POWER = 1
    """A power of their weight."""
    ENTROPY = 2
    """Their weight times its logarithm."""


class ShareMeasure(IntEnum):
    """What a criterion adds up over the cells of a question, for candidates with shares."""

    EXPECTED_LEFT = 0
    """The shares times the number of candidates."""
    SEPARABLE_PAIRS = 1
    """The shares times the number of pairs of candidates that can be told apart."""
    INFORMATION = 2
    """The shares times the bits of candidate or class that are still unknown."""


class TieBreak(IntEnum):
    """Which guess is made of those that no criterion tells apart."""

    LOWEST = 0
    HIGHEST = 1
    HIGHEST_CONSISTENT = 2
    RANDOM = 3


class EligibleKind(IntEnum):
    """Which codes may be guessed."""

    ALL = 0
    CANDIDATES = 1
    HINTS = 2
    CONSISTENT = 3
