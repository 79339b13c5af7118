"""Several at one search: threads that share memory, or workers that share nothing.

The nodes of a search that can be broken off anywhere are shared out guess by guess and cell by
cell: among threads (`ThreadedSearch`), which share its transposition table, or as work items among
workers (`DistributedSearch`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ...tasks import WORKED, Worked, Workers, run_growing
from ..engine.pace import ItemTime, TimeBudget
from ..engine.problem import Search
from ..engine.search import tighten
from ..engine.stack import count_done, count_nothing
from .nodes import Guesses, NodeClaim, OpenNode
from .records import SearchRecords
from .worker import SearchWorker, WorkItem, WorkResult


class ThreadedSearch:
    """Threads that work on one search.

    The root's guesses are listed; it is changed in place. `make_search` makes the arrays of one
    more thread; its stack holds the root in the first frame.
    """

    def __init__(
        self, root: OpenNode, make_search: Callable[[], Search], n_jobs: int, budget: TimeBudget
    ) -> None:
        self.root = root
        self.make_search = make_search
        self.n_jobs, self.budget = n_jobs, budget
        self.changed = threading.Condition()
        self.n_idle = 0
        self.is_over = False
        self.error: BaseException | None = None
        self.searches: list[Search] = []

    def run(self, look: Callable[[], None]) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""
        contexts = [copy_context() for _ in range(self.n_jobs)]
        threads = [
            threading.Thread(target=context.run, args=(self._work,), daemon=True)
            for context in contexts
        ]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                threads[0].join(self.budget.look_s)
                look()
        finally:
            self._end()
            for thread in threads:
                thread.join()
        if self.error is not None:
            raise self.error

    def assess(self) -> tuple[int, int]:
        """Return what is proved about the root's cost, and the best cost found."""
        with self.changed:
            return self.root.bound(), self.root.incumbent

    @property
    def counts(self) -> dict[str, int]:
        """What all threads did so far."""
        sums = count_nothing()
        for search in self.searches:
            for name, number in count_done(search.stack).items():
                sums[name] += number
        return sums

    def _end(self) -> None:
        """Let all threads end."""
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def _work(self) -> None:
        """Work until nothing is left."""
        try:
            search = self.make_search()
            with self.changed:
                self.searches.append(search)
            thread = SearchThread(self, search)
            while (claim := self._wait_for_claim(thread)) is not None:
                if claim.node.guesses is None:
                    thread.list_guesses(claim.node)
                else:
                    thread.try_guesses(*claim)
        except BaseException as error:  # handed to the thread that called
            self.error = error
        self._end()

    def _wait_for_claim(self, thread: SearchThread) -> NodeClaim | None:
        """Wait for work and return it; None at the end."""
        with self.changed:
            self.changed.notify_all()
            while not (self.is_over or self.root.collect_results(thread.worker.remember)):
                claim = self.root.claim(False) or self.root.claim(True)
                if claim is not None:
                    return claim
                self.n_idle += 1
                self.changed.wait()
                self.n_idle -= 1
        return None


class SearchThread:
    """One thread of a shared search."""

    def __init__(self, shared: ThreadedSearch, search: Search) -> None:
        self.shared, self.worker = shared, SearchWorker(search, shared.budget.make_pace())

    def list_guesses(self, node: OpenNode) -> None:
        """List the guesses of a node, and try them."""
        depth = self.worker.load(node.members, node.history)
        with self.shared.changed:
            # A cell that is asked for its share may be asked for more.
            upper_bound = node.highest_upper_bound
        guesses = self.worker.list_guesses(depth, upper_bound)
        with self.shared.changed:
            node.guesses, node.listed_below = guesses, upper_bound
            node.running.remove(0)
            chosen = node.take_range() if node.has_range() else None
        if chosen is not None:
            self.try_guesses(node, *chosen)

    def try_guesses(self, node: OpenNode, first: int, end: int) -> None:
        """Try some guesses of a node."""
        assert node.guesses is not None
        depth = self.worker.load(node.members, node.history)
        with self.shared.changed:
            upper_bound = node.upper_bound_at(first)
        self.worker.push(depth, node.guesses, first, end, upper_bound)
        if node.is_split:
            self._open(node, depth)
        else:
            self._search(node, depth, first)
        with self.shared.changed:
            node.least = min(node.least, self.worker.least(depth))
            node.end_range(first)

    def _open(self, node: OpenNode, depth: int) -> None:
        """Try guesses up to the first that needs a search below, and make it a branch."""

        def look() -> bool:
            with self.shared.changed:
                if self.shared.n_idle:
                    self._give_back(node, depth, 2)
                return node.is_pruned or self.shared.is_over

        branch = self.worker.branch(node, depth, look)
        if branch is not None:
            with self.shared.changed:
                node.add_branch(branch)
                self._give_back(node, depth, 1)

    def _search(self, node: OpenNode, depth: int, first: int) -> None:
        """Search below the guesses, in slices."""
        is_over = False
        while not is_over:
            is_over = self.worker.run()
            with self.shared.changed:
                is_over = self._share(node, depth, first) or is_over

    def _share(self, node: OpenNode, depth: int, first: int) -> bool:
        """Exchange results with the others; return True if the work is useless."""
        found = self.worker.take_incumbent(depth, first)
        if found is not None:
            node.offer(*found)
        if self.shared.is_over or node.is_pruned:
            return True
        if self.shared.n_idle:
            self._give_back(node, depth, 2)
        stack = self.worker.search.stack
        tighten(stack, node.upper_bound_at(int(stack.frames.next_guess[depth]) - 1))
        return False

    def _give_back(self, node: OpenNode, depth: int, divisor: int) -> None:
        """Let others try the last of the untried guesses: all, or half of them."""
        rest = self.worker.drop_guesses(depth, divisor)
        if rest is not None:
            node.returned.append(rest)
            self.shared.changed.notify_all()


LOCAL_PAIRS = 20_000_000
"""Nodes of this many pairs of guess and candidate are listed here; larger ones take longer."""

QUICK_PAIRS = 1_000_000
"""Nodes of fewer are not sent untried: most of them are done here sooner than a worker hears."""

MAX_GUESSES = 1024
"""The most guesses of an item."""

AHEAD = 1
"""Items for each worker besides its current one, so that none waits for the next."""


class InFlight(NamedTuple):
    """A work item that is out, and the claim that it was made for."""

    claim: NodeClaim
    item: WorkItem


SentItem = tuple[InFlight, tuple[WorkItem, TimeBudget]]


class DistributedSearch:
    """A search by workers that share nothing: items go out, every result lowers upper bounds.

    The calling thread, the *client*, holds the open nodes and their guesses as threads that share a
    search do. What takes a moment is done here, by `worker`; the rest goes out as work items of
    about a second. An item carries its node's upper bound as known when it is sent. A guess that
    takes too long for one item is split into its cells, and these are work items in turn: so large
    work is divided further.
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
