"""What to search, and how to carry it out: two values instead of a dozen arguments."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from .._options import check_between, check_whole, is_whole
from ..errors import StrategyError, UsageError
from ..games import ELIGIBLE, Game, resolve_eligible
from ..strategies import join_names, list_objectives
from ..tasks import Checkpoint, Notice, Workers
from ..tree import History
from .engine.pace import TimeBudget
from .search_log import SearchLog, Watch

LARGEST_BEAM = 1_000_000
"""Wider beams are refused; no game has so many guesses worth a try."""


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """What to search: everything that determines the tree of a complete search.

    Attributes
    ----------
    objective
        What is minimised, criteria in order: ``total``; ``total,worst,n_worst``;
        ``worst,total``; ``worst,n_worst,total``.
    max_length
        The longest game allowed; None: no limit.
    eligible
        What may be guessed, a key of `treegen.games.ELIGIBLE`: ``all``, ``candidates``, ``hints``
        (Wordle's hard mode), ``consistent``.
    history
        Guesses already made and the responses to them; lengths count after them.
    first
        The first guesses allowed after the history, in the game's notation; of equally good ones
        the one that stands first here is made. Empty: all that are eligible.
    beam
        Of a near-optimal search: guesses that big states try; the search widens 1, 2, 4 … up to
        it. None: 8, or as wide as the time allows where a watch ends it.
    look_ahead
        Of a near-optimal search: guesses behind the first one that the proved lower bound looks
        ahead; each more takes many times as long. None: 1, or 0 for a codebook of thousands of
        words.
    gap
        Of a near-optimal search: the percent of the proved bound that the total may be above it; an
        exact search proves such a bound after the beams, or finds the best tree. None: any gap.

    Raises
    ------
    StrategyError
        The objective is unknown.
    UsageError
        `eligible`, `max_length`, `beam` or `gap` is not allowed.

    Examples
    --------
    >>> SearchSpec(objective="worst,total", max_length=6).rule
    'eligible=all; objective=worst,total; max-length=6'
    """

    objective: str = "total"
    max_length: int | None = None
    eligible: str = "all"
    history: History = ()
    first: tuple[str, ...] = ()
    beam: int | None = None
    look_ahead: int | None = None
    gap: float | None = None

    def __post_init__(self) -> None:
        if self.objective not in list_objectives():
            known = "; ".join(list_objectives())
            raise StrategyError(f"unknown objective {self.objective!r}: there are {known}")
        if self.eligible not in ELIGIBLE:
            known = ", ".join(ELIGIBLE)
            raise UsageError(f"eligible is {self.eligible!r}; there are {known}")
        check_whole(max_length=self.max_length)
        check_whole(0, look_ahead=self.look_ahead)
        check_between(0, 100, gap=self.gap)
        if self.beam is not None and not is_whole(self.beam, 1, LARGEST_BEAM):
            raise UsageError(
                f"the beam is {self.beam} guesses wide; 1 to {LARGEST_BEAM:,} are allowed"
            )

    def is_for_candidates(self, game: Game) -> bool:
        """Return whether only candidates may be guessed, by whichever rule says so in a game."""
        return resolve_eligible(game, self.eligible) == "candidates"

    @property
    def guesses_made(self) -> tuple[int, ...]:
        """The history's guesses."""
        return tuple(guess for guess, _ in self.history)

    @property
    def rule(self) -> str:
        """The rule of an exact search, as in files."""
        longest = "" if self.max_length is None else f"; max-length={self.max_length}"
        given = f"; first={join_names(self.first)}" if self.first else ""
        return f"eligible={self.eligible}; objective={self.objective}{longest}{given}"


@dataclass(frozen=True, slots=True)
class SearchControl:
    """How a search is carried out; the tree of a complete search does not depend on it.

    Attributes
    ----------
    jobs
        Threads.
    workers
        They search instead of threads of this process.
    folder
        Where the progress of the search is kept; absent or empty at first. An ended search resumes
        from it.
    notice
        Called with what the user should know: damaged files in that folder.
    watch
        Called several times a second with the progress; True ends the search within half a second.
    keep_best
        Whether an exact search that is ended returns the best tree so far, marked as not proved; a
        greedy one if there is no better. A near-optimal search always does.
    log
        Where to write the settings and the history of the search.
    budget
        The times of the search.
    table_size
        MiB of the table of proofs, at most; None: by the game's size, up to 256.
    table_seed
        Of the random numbers in its keys: another seed makes a proof independent of them.
    checkpoint
        The folder, once it is open.
    keeps_table
        Whether the table of proofs stays there when the search is complete, for one that asks more.
    """

    jobs: int = 1
    workers: Workers | None = None
    folder: str | os.PathLike[str] | None = None
    notice: Notice | None = None
    watch: Watch | None = None
    keep_best: bool = False
    log: SearchLog | None = None
    budget: TimeBudget = field(default_factory=lambda: TimeBudget())
    table_size: int | None = None
    table_seed: int = 20
    checkpoint: Checkpoint | None = None
    keeps_table: bool = False
