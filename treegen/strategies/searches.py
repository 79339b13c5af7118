"""The strategies that search instead of following a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..games import is_rule_of_play
from .strategy import join_names, split_names

OBJECTIVES = ("total", "total,worst,n_worst", "worst,total", "worst,n_worst,total")
"""What an exact search may minimise: the criteria in their order."""


LEGAL = " eligible="
"""What stands in the name of a search before the rule of play."""

GIVEN = " first="
"""What stands in the name of a search before the first guesses that it was given."""


@dataclass(frozen=True, slots=True)
class SearchStrategy:
    """A search with its description.

    Attributes
    ----------
    name
        Its name for ``-s``.
    rule
        What it finds, to the last tie.
    summary
        The idea in a sentence.
    source
        Where its method was published.
    """

    name: str
    rule: str
    summary: str
    source: str


_SEARCHES = {
    search.name: search
    for search in (
        SearchStrategy(
            "optimal",
            "least total (or --objective); of equal guesses the first by one-step bound, then code",
            "Exhaustive branch and bound: no tree is better, and that is proved.",
            "K. Koyama and T. W. Lai, An optimal Mastermind strategy, J. Recreational Math. 25"
            " (1993) 251-256; docs/optimal.md",
        ),
        SearchStrategy(
            "best",
            "a beam of growing width with small states solved exactly",
            "Near-optimal where a proof is out of reach: the best tree found, and the proved gap.",
            "docs/optimal.md",
        ),
    )
}


def list_objectives() -> list[str]:
    """Return what an exact search may minimise."""
    return list(OBJECTIVES)


def is_search(name: str) -> bool:
    """Whether a strategy's name is that of a search."""
    return name in _SEARCHES


def name_search(search: str, first: Sequence[str] = (), eligible: str = "all") -> str:
    """Return the name of a search, which tells a rule of play, and first guesses that were given.

    So a table, which holds no more than the name, says what the tree is the best of.

    Examples
    --------
    >>> name_search("optimal", ["salet", "crate"]), name_search("optimal", eligible="hints")
    ('optimal first=salet|crate', 'optimal eligible=hints')
    """
    if is_rule_of_play(eligible):
        search += f"{LEGAL}{eligible}"
    return f"{search}{GIVEN}{join_names(first)}" if first else search


def split_search(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the search and the first guesses that `name_search` was given.

    Examples
    --------
    >>> split_search("optimal eligible=hints first=salet|crate"), split_search("optimal")
    (('optimal', ('salet', 'crate')), ('optimal', ()))
    """
    search, _, first = name.partition(GIVEN)
    return search.partition(LEGAL)[0], split_names(first)


def list_searches() -> list[SearchStrategy]:
    """Return the searches, in the order in which they are documented."""
    return list(_SEARCHES.values())
