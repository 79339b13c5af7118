"""The progress of a search, and its observers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search: the proved `bound`, the `best` total known (None: no tree yet)."""

    stage: str
    bound: int
    best: int | None
    n_states: int


Watch = Callable[[Progress], bool]
"""Called now and then; True ends the search with what it has."""
