"""The client's side of a shared search: who does what, and what comes of the results.

There are two ways. The nodes of a search that can be broken off anywhere are shared out guess by
guess and cell by cell: among threads (`threads`), or as work items among workers that share
nothing. Other searches are shared out by their openings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

from ...tasks import WORKED, DaemonExecutor, Worked, Workers, run_growing
from ..engine.pace import ItemTime, TimeBudget
from ..engine.problem import Search
from ..engine.stack import count_nothing
from .nodes import Guesses, NodeClaim, OpenNode
from .records import PartRecords, SearchRecords
from .threads import ThreadedSearch
from .worker import PlainSearch, SearchWorker, WorkerPool, WorkItem, WorkResult, run_work_item

LOCAL_PAIRS = 20_000_000
"""Nodes of so many pairs of guess and candidate are listed here; larger ones take longer."""

QUICK_PAIRS = 1_000_000
"""Nodes of fewer are not sent untried: most of them are done here sooner than a worker hears."""

MAX_GUESSES = 1024
"""The most guesses of an item."""

AHEAD = 1
"""Items for each worker besides its current one, so that none waits for the next."""


class SharedSearch(Protocol):
    """Several at one search."""

    @property
    def searches(self) -> Sequence[Search]:
        """The arrays of those in this process that have begun."""

    @property
    def counts(self) -> dict[str, int]:
        """What all did so far."""

    def run(self, look: Callable[[], None]) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""

    def assess(self) -> tuple[int, int]:
        """Return what is proved about the root's cost, and the best cost found."""


def share_search(
    root: OpenNode,
    worker: SearchWorker,
    make_search: Callable[[], Search],
    budget: TimeBudget,
    *,
    jobs: int,
    workers: Workers | None,
    plain: PlainSearch,
    records: SearchRecords | None,
) -> SharedSearch:
    """Return a search by threads of this process, or by workers if there are any.

    Parameters
    ----------
    root
        The node to be searched, changed in place; its guesses are listed.
    worker
        Has the root on its stack.
    make_search
        Makes the arrays of one more thread; its stack holds the root in the first frame.
    budget
        Its times.
    jobs
        Threads.
    plain
        The search in the form that tasks carry to other processes.
    records
        Where workers' progress is recorded; None: nowhere.
    """
    if workers is None:
        return ThreadedSearch(root, make_search, jobs, budget)
    # Threads of this process use the table that is here; others make one of their own.
    is_here = workers.share_memory
    run_item = WorkerPool(make_search).run if is_here else partial(run_work_item, plain)
    return DistributedSearch(root, worker, workers, run_item, records, budget)


class InFlight(NamedTuple):
    """A work item that is out, and the claim that it was made for."""

    claim: NodeClaim
    item: WorkItem


SentItem = tuple[InFlight, tuple[WorkItem, TimeBudget]]


class DistributedSearch:
    """A search by workers that share nothing: items go out, every result lowers upper bounds.

    The calling thread, the *client*, holds the open nodes and their guesses as threads that share a
    search do. What takes a moment is done here; the rest goes out as work items of about a second.
    An item carries its node's upper bound as known when it is sent. A guess that takes too long for
    one item is split into its cells, and these are work items in turn: so large work is divided
    further.

    Parameters
    ----------
    root
        The node to be searched, changed in place; its guesses are listed.
    worker
        Does quick work here.
    workers, run_item
        They do the rest; how they do an item.
    records
        Where the progress of the nodes is recorded; None: nowhere.
    budget
        Its times.
    """

    def __init__(
        self,
        root: OpenNode,
        worker: SearchWorker,
        workers: Workers,
        run_item: Callable[[WorkItem, TimeBudget], WorkResult],
        records: SearchRecords | None,
        budget: TimeBudget,
    ) -> None:
        self.root, self.worker, self.workers = root, worker, workers
        self.run_item, self.records, self.budget = run_item, records, budget
        self.counts, self.searches = count_nothing(), [worker.search]
        self.n_in_flight = 0

    def run(self, look: Callable[[], None]) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""
        if self.records is not None:
            self.records.restore(self.root)
        next_item = partial(self._send_next, look)
        try:
            for sent, result in run_growing(self.workers, self.run_item, next_item, look, AHEAD):
                self.n_in_flight -= 1
                self._return_rest(self._take(sent, result), result.is_hard)
        except BaseException:
            if self.records is not None:
                self.records.write_open(self.root)
            raise
        self._note(self.root)

    def assess(self) -> tuple[int, int]:
        """Return what is proved about the root's cost, and the best cost found."""
        return self.root.bound(), self.root.incumbent

    def _send_next(self, look: Callable[[], None]) -> SentItem | Worked | None:
        """Return the next item for others; None if there is nothing to do now."""
        if self.root.collect_results(self._note):
            return None
        look()
        is_idle = self.n_in_flight < self.workers.count()
        claim = self.root.claim(False) or (self.root.claim(True) if is_idle else None)
        if claim is None:
            return None
        node = claim.node
        is_hard = claim.first in node.hard and node.may_split
        if node.guesses is not None and (node.is_split or is_hard):
            self._split(claim)
            return WORKED
        item = _pack(claim) if self._is_long(claim, is_idle) else self._try_here(claim)
        if item is None:
            return WORKED
        self.n_in_flight += 1
        # What cannot be split is worked on to its end.
        remote = self.budget.remote if node.may_split else ItemTime.until_done()
        return item, (item.item, replace(self.budget, remote=remote))

    def _is_long(self, claim: NodeClaim, is_idle: bool) -> bool:
        """Whether a claim is sent without being tried here: for an idle worker in doubt."""
        node, first, end = claim
        if node.guess_s is not None:
            return (end - first) * node.guess_s > self.budget.local.last_guess_s
        return is_idle and self._count_pairs(node) >= QUICK_PAIRS

    def _count_pairs(self, node: OpenNode) -> int:
        """Return the pairs of guess and candidate of a node."""
        return len(node.members) * len(self.worker.search.matrix.by_guess)

    def _try_here(self, claim: NodeClaim) -> InFlight | None:
        """Do the quick work; return what is left to be sent."""
        sent = _pack(claim)
        if self._count_pairs(claim.node) > LOCAL_PAIRS and sent.item.guesses is None:
            return sent
        rest = self._take(sent, self.worker.do(sent.item, self.budget.local))
        if rest is None:
            return None
        rest.node.running.append(rest.first)
        return _pack(rest)

    def _take(self, sent: InFlight, result: WorkResult) -> NodeClaim | None:
        """Take an item's result; return its remaining guesses, which nobody has now."""
        node, first, end = sent.claim
        for name, number in result.counts.items():
            self.counts[name] += number
        if result.found is not None:
            cost, at, plan = result.found
            node.offer(cost, first + at, plan)
        node.least = min(node.least, result.least)
        if result.listed is None and result.next_guess > 0:
            node.guess_s = result.seconds / result.next_guess
        if result.listed is not None:
            node.guesses, node.next_guess = result.listed, result.next_guess
            node.listed_below = sent.item.listed_below
        if self.records is not None:
            # While the range counts as running: what is left of it belongs to nobody below.
            self.records.add_seconds(node, result.seconds)
        node.end_range(first, result.next_guess > 0)
        left = first + result.next_guess
        return NodeClaim(node, left, end) if left < end else None

    def _return_rest(self, rest: NodeClaim | None, is_hard: bool) -> None:
        """Return untried guesses to the node for others; the first may be a hard one."""
        if rest is None:
            return
        node, first, end = rest
        if is_hard:
            node.hard.add(first)
            node.returned.append((first, first + 1))
            first += 1
        if first < end:
            node.returned.append((first, end))

    def _split(self, claim: NodeClaim) -> None:
        """Split the next guess that needs a search into its cells; others wait for it."""
        node, first, end = claim
        assert node.guesses is not None
        depth = self.worker.load(node.members, node.history)
        self.worker.push(depth, node.guesses, first, end, node.upper_bound_at(first))
        branch = self.worker.branch(node, depth, lambda: False)
        rest = self.worker.drop_guesses(depth)
        if rest is not None:
            node.returned.append(rest)
        node.least = min(node.least, self.worker.least(depth))
        if branch is not None:
            node.add_branch(branch)
            for cell in branch.cells:
                if self.records is not None:
                    self.records.restore(cell)
        node.end_range(first)

    def _note(self, node: OpenNode) -> None:
        """Record what is complete, and let the threads of this process find it in the table."""
        if node.parent is not None:
            self.worker.remember(node)
        if self.records is not None:
            self.records.write_done(node)


def _pack(claim: NodeClaim) -> InFlight:
    """Return the item of a claim; guesses beyond its size are given back."""
    node, first, end = claim
    if node.guesses is None:
        is_search = not node.is_split
        bound = node.upper_bound
        # A restored node's guesses stand where they stood: they are listed for the same bound.
        # One that is asked for its share may be asked for more.
        below = node.highest_upper_bound if node.listed_below is None else node.listed_below
        item = WorkItem(node.members, node.history, bound, None, below, node.next_guess, is_search)
        return InFlight(claim, item)
    if end - first > MAX_GUESSES:
        node.returned.append((first + MAX_GUESSES, end))
        end = first + MAX_GUESSES
    listed = node.guesses
    some = Guesses(listed.codes[first:end], listed.lower_bounds[first:end], listed.max_cells)
    item = WorkItem(node.members, node.history, node.upper_bound_at(first), some)
    return InFlight(NodeClaim(node, first, end), item)


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
class OpeningPart:
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
    parts: list[OpeningPart] = field(default_factory=list)
    is_closed: bool = False

    @property
    def cost(self) -> int:
        """The least that it can cost by what is known of its parts."""
        return self.rest + sum(part.lower for part in self.parts)


class OpeningList(Protocol):
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
    """A search by its openings: a first guess, or one of its cells, is a piece of work for anybody.

    So games are shared whose searches cannot be ended and resumed in the middle. The first opening
    is split into its cells, since without the cost of a tree all others would search too much; the
    rest are tried whole, each below the best cost known when it is sent, and split when few are
    left. Of equal costs the first opening in the list is kept, whoever finishes first: the tree is
    that of one thread.

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
        self, openings: OpeningList, upper_bound: int, workers: Workers, records: PartRecords | None
    ) -> None:
        self.openings, self.workers, self.records = openings, workers, records
        self.cost = upper_bound
        self.best: Opening | None = None
        self.counts = dict[str, int]()
        self._begun: list[Opening] = []
        self._next_at = self._n_in_flight = 0
        # The least bound of the openings from each place on: given ones are not sorted by it.
        self._floors = list(accumulate([upper_bound, *reversed(openings.bounds)], min))[::-1]

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

    def _send_next(self) -> tuple[tuple[Opening, OpeningPart, int], tuple[Any, ...]] | None:
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

    def _find_part(self) -> tuple[Opening, OpeningPart] | None:
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

    def _take(self, opening: Opening, part: OpeningPart, cost: int | None, plan: bytes) -> None:
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
