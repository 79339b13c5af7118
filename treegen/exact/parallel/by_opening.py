"""A search by its openings: a first guess, or one of its cells, is a piece of work for anybody.

This is how games are shared whose searches cannot be ended and resumed in the middle. The first
opening is split into its cells, since without the cost of a tree all others would search too much;
the rest are tried whole, each below the best cost known when it is sent, and split when few are
left. Of equal costs the first opening in the list is kept, whoever finishes first: the tree is that
of one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from ...tasks import DaemonExecutor, Workers, run_growing
from .part_records import PartRecords

AHEAD = 1
"""Parts for each worker besides its current one, so that none waits for the next."""


class PartResult(NamedTuple):
    """What a worker found out about a part.

    Attributes
    ----------
    cost
        The least cost; None: it is not below the upper bound.
    plan
        The guesses, in the form that the search's `join` reads.
    counts
        The work that was done.
    """

    cost: int | None
    plan: bytes
    counts: dict[str, int]


@dataclass(slots=True, eq=False)
class Part:
    """A piece of an opening: one of its cells, or all of it.

    Attributes
    ----------
    name
        What it is called in records.
    lower
        The least that it can cost; its cost once there is a plan.
    task
        What the worker is told, besides the cost to get below.
    plan
        Its guesses; None before it is solved.
    is_sent
        Whether somebody has it or had it.
    """

    name: str
    lower: int
    task: tuple[Any, ...]
    plan: bytes | None = None
    is_sent: bool = False


@dataclass(slots=True, eq=False)
class Opening:
    """A first guess under trial.

    Attributes
    ----------
    at
        Its place in the list.
    rest
        What it costs besides its parts.
    parts
        What is to be searched.
    is_closed
        Whether its cost is known, or known to be too high.
    """

    at: int
    rest: int
    parts: list[Part] = field(default_factory=list)
    is_closed: bool = False

    @property
    def cost(self) -> int:
        """The least that it can cost by what is known of its parts."""
        return self.rest + sum(part.lower for part in self.parts)


class Openings(Protocol):
    """The first guesses of a search, in the order of preference."""

    @property
    def bounds(self) -> Sequence[int]:
        """The least that each can cost."""

    @property
    def run(self) -> Callable[..., PartResult]:
        """Search a part: called with its task and the cost to get below."""

    def split(self, at: int) -> Opening:
        """Return an opening with its cells as parts."""

    def keep_whole(self, at: int) -> Opening:
        """Return an opening that is its only part."""

    def stop(self) -> None:
        """Have workers in this process end what they do."""


@contextmanager
def open_threads(jobs: int) -> Iterator[Workers]:
    """Open threads that are abandoned if the search is ended, even a single one."""
    with DaemonExecutor(jobs) as pool:
        yield Workers(pool, lambda: jobs)


class SearchByOpening:
    """Workers at the openings of one search.

    Parameters
    ----------
    openings
        What they try.
    upper_bound
        The cost to get below.
    workers
        They do it.
    records
        Where results are kept; None: nowhere.

    Attributes
    ----------
    best
        The best opening so far; its parts have plans.
    cost
        What it costs; the first upper bound if there is none.
    counts
        The work of all.
    """

    def __init__(
        self, openings: Openings, upper_bound: int, workers: Workers, records: PartRecords | None
    ) -> None:
        self.openings, self.workers, self.records = openings, workers, records
        self.cost, self.best, self.counts = upper_bound, None, dict[str, int]()
        self._begun: list[Opening] = []
        self._next_at = self._n_in_flight = 0
        # The least bound of the openings from each place on; they need not be sorted.
        self._floors = [*openings.bounds, upper_bound]
        for at in reversed(range(len(openings.bounds))):
            self._floors[at] = min(self._floors[at], self._floors[at + 1])

    best: Opening | None

    def run(self, look: Callable[[], None]) -> Opening | None:
        """Search to the end; `look` is called now and then, and may raise to end it early.

        Returns
        -------
        Opening | None
            The first of the best openings; None if none costs less than the upper bound.
        """
        try:
            sent = run_growing(self.workers, self.openings.run, self._send_next, look, AHEAD)
            for (opening, part, upper_bound), result in sent:
                self._n_in_flight -= 1
                for name, number in result.counts.items():
                    self.counts[name] = self.counts.get(name, 0) + number
                if self.records is not None:
                    self.records.add(part.name, upper_bound, result.cost, result.plan)
                self._take(opening, part, result.cost, result.plan)
        except BaseException:
            self.openings.stop()
            raise
        finally:
            if self.records is not None:
                self.records.save()
        return self.best

    def bound(self) -> int:
        """Return what is proved about the cost so far."""
        begun = [opening.cost for opening in self._begun if not opening.is_closed]
        return min([self.cost, self._floors[self._next_at], *begun])

    def _upper_bound_at(self, at: int) -> int:
        """Return the cost that an opening must get below; one before the best may tie with it."""
        return self.cost + (self.best is not None and at < self.best.at)

    def _send_next(self) -> tuple[tuple[Opening, Part, int], tuple[Any, ...]] | None:
        """Return the next part for a worker; None if there is nothing to do now."""
        while (found := self._find_part()) is not None:
            opening, part = found
            part.is_sent = True
            upper_bound = self._upper_bound_at(opening.at) - opening.cost + part.lower
            known = None if self.records is None else self.records.find(part.name, upper_bound)
            if known is None:
                self._n_in_flight += 1
                return (opening, part, upper_bound), (*part.task, upper_bound)
            self._take(opening, part, *known)
        return None

    def _find_part(self) -> tuple[Opening, Part] | None:
        """Return the first part that nobody has."""
        while True:
            for opening in self._begun:
                for part in opening.parts:
                    if not (part.is_sent or opening.is_closed):
                        return opening, part
            if not self._begin_next():
                return None

    def _begin_next(self) -> bool:
        """Begin with the next opening that may be best, if there is one now."""
        self._begun = [opening for opening in self._begun if not opening.is_closed]
        bounds, is_eager = self.openings.bounds, self._n_in_flight < self.workers.count()
        if self.best is None and self._begun and not is_eager:
            return False  # its cost spares the others much work
        while self._next_at < len(bounds):
            at = self._next_at
            self._next_at += 1
            if bounds[at] < self._upper_bound_at(at):
                are_few = len(bounds) - at < 2 * self.workers.count()
                is_split = self.best is None or are_few
                opening = self.openings.split(at) if is_split else self.openings.keep_whole(at)
                self._begun.append(opening)
                self._close(opening)
                return True
        return False

    def _take(self, opening: Opening, part: Part, cost: int | None, plan: bytes) -> None:
        """Add what was found out about a part."""
        if opening.is_closed:
            return
        if cost is None:
            opening.is_closed = True
            return
        part.lower, part.plan = cost, plan
        self._close(opening)

    def _close(self, opening: Opening) -> None:
        """Close an opening that is solved, or that costs too much."""
        cost, is_solved = opening.cost, all(part.plan is not None for part in opening.parts)
        if cost >= self._upper_bound_at(opening.at):
            opening.is_closed = True
        elif is_solved:
            opening.is_closed = True
            self.cost, self.best = cost, opening
