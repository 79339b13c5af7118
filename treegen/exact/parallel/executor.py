"""Several at one search: threads that share memory, or workers that share nothing.

The nodes of a search that can be broken off anywhere are shared out guess by guess and cell by
cell: among threads (`ThreadedSearch`), which share its transposition table, or as work items among
workers (`DistributedSearch`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace
from functools import partial

from ...tasks.run import WORKED, Worked, Workers, run_growing
from ...tasks.work import Look
from ..engine.problem import Search
from ..engine.search import read_fit, tighten, write_fit
from ..engine.stack import count_done, count_nothing
from ..request import UNTIL_DONE, TimeBudget
from .nodes import Guesses, NodeClaim, OpenNode, SearchRecords
from .worker import SearchWorker, WorkItem, WorkResult

CELLS_PER_SLICE = 8
"""A guess is divided one slice later for every this many cells: each may become a piece."""


class ThreadedSearch:
    """Threads that work on one search.

    `search` is that of the thread that worked alone until now, and continues there; it has the
    root, which is changed in place, in its first frame. `make_search` makes the arrays of one more
    thread. At most `n_jobs` threads are started, each when there is work for it.

    Everything that threads share is read and written under one lock, but for the table's entries,
    which are safe without (see `engine.table`). A thread holds it for a moment between two slices.
    """

    def __init__(
        self,
        root: OpenNode,
        search: Search,
        make_search: Callable[[], Search],
        n_jobs: int,
        budget: TimeBudget,
    ) -> None:
        assert root.guesses is not None
        root.running, root.next_guess = [root.next_guess], len(root.guesses.codes)
        self.root, self.make_search = root, make_search
        self.n_jobs, self.budget = n_jobs, budget
        self.changed = threading.Condition()
        self.n_idle = 0  # threads that wait for work
        self.n_pieces = 0  # pieces of work that were begun
        self.is_over = False
        self.error: BaseException | None = None
        self.threads: list[threading.Thread] = []
        self.searches = [search]
        self.fit = read_fit(search.stack)  # what all have learned of costs
        self.counts_before = count_done(search.stack)

    def run(self, look: Look) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""
        with self.changed:
            self._start_thread(self.searches[0])
        try:
            # Others are appended by those that run: the last one is seen here.
            while alive := [thread for thread in self.threads if thread.is_alive()]:
                alive[0].join(self.budget.look_s)
                look()
        finally:
            self._end()
            for thread in self.threads:
                thread.join()
            write_fit(self.searches[0].stack, self.fit)
        if self.error is not None:
            raise self.error

    def assess(self) -> tuple[int, int]:
        """Return the proved lower bound of the root's cost, and the best cost found."""
        with self.changed:
            return self.root.bound(), self.root.incumbent

    @property
    def counts(self) -> dict[str, int]:
        """What all threads did since they are several."""
        sums = {name: -number for name, number in self.counts_before.items()}
        for search in list(self.searches):
            for name, number in count_done(search.stack).items():
                sums[name] += number
        return sums

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has time for more work."""
        return self.n_idle > 0 or len(self.threads) < self.n_jobs

    def call_one(self) -> None:
        """Have one more thread look for work; it calls the next one if it finds some."""
        if len(self.threads) < self.n_jobs and not self.is_over:
            try:
                self._start_thread()
            except RuntimeError:  # the system has no more
                self.n_jobs = len(self.threads)
        else:
            self.changed.notify()

    def _start_thread(self, search: Search | None = None) -> None:
        context = copy_context()
        thread = threading.Thread(target=context.run, args=(self._work, search), daemon=True)
        thread.start()
        self.threads.append(thread)

    def _end(self) -> None:
        """Let all threads end."""
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def _work(self, first: Search | None) -> None:
        """Work until nothing is left; the first thread continues its search."""
        try:
            search = first or self.make_search()
            thread = SearchThread(self, search)
            if first is not None:
                thread.search_on(self.root, 1, self.root.running[0])
            else:
                with self.changed:
                    self.searches.append(search)
            while (claim := self._wait_for_claim(thread)) is not None:
                thread.try_guesses(*claim)
        except BaseException as error:  # handed to the thread that called
            self.error = error
        self._end()

    def _wait_for_claim(self, thread: SearchThread) -> NodeClaim | None:
        """Wait for work and return it; None at the end."""
        with self.changed:
            while not (self.is_over or self.root.collect_results(thread.worker.remember)):
                claim = self.root.claim(False)
                if claim is not None:
                    self.n_pieces += 1
                    self.call_one()
                    return claim
                self.n_idle += 1
                self.changed.wait()
                self.n_idle -= 1
        return None


class SearchThread:
    """One thread of a shared search, with a piece of it on its stack: some guesses of a node."""

    def __init__(self, shared: ThreadedSearch, search: Search) -> None:
        self.shared, self.worker = shared, SearchWorker(search, shared.budget.make_pace())
        self.fit = read_fit(search.stack)

    def try_guesses(self, node: OpenNode, first: int, end: int) -> None:
        """Try some guesses of a node, listed before if they are not."""
        shared = self.shared
        depth = self.worker.load(node.members, node.history)
        if node.guesses is None:
            with shared.changed:
                # A cell that is asked for its share may be asked for more.
                upper_bound = node.highest_upper_bound
            guesses = self.worker.list_guesses(depth, upper_bound)
            with shared.changed:
                node.guesses, node.listed_below = guesses, upper_bound
                node.running.remove(0)
                if not node.has_range():
                    return
                first, end = node.take_range()
        assert node.guesses is not None
        with shared.changed:
            if node.guess_s is not None:
                most = node.count_quick(shared.budget.piece_s, len(node.guesses.codes))
                end = node.keep_first(first, end, most)
            upper_bound = node.upper_bound_at(first)
            self._share_fit()
        self.worker.push(depth, node.guesses, first, end, upper_bound)
        self.search_on(node, depth, first)

    def search_on(self, node: OpenNode, depth: int, first: int) -> None:
        """Search below the pushed guesses of a node, in slices, to their end."""
        self._begin(node, depth, first)
        is_over = False
        while not is_over:
            is_over = self.worker.run()
            self.n_slices += 1
            with self.shared.changed:
                is_over = self._exchange(is_over)

    def _begin(self, node: OpenNode, depth: int, first: int) -> None:
        """Begin a piece: guesses of a node from `first` in its list on, at a depth of the stack."""
        self.node, self.depth, self.first = node, depth, first
        self.begun = int(self.worker.search.stack.frames.next_guess[depth])
        self.start_s = time.perf_counter()
        self.n_slices = 0  # of work since it was begun or divided

    def _exchange(self, is_over: bool) -> bool:
        """Exchange results with the others, and work if they wait; whether the piece is over."""
        worker, shared, node = self.worker, self.shared, self.node
        self._share_fit()
        found = worker.take_incumbent(self.depth, self.first)
        if found is not None:
            node.offer(*found)
        if is_over or shared.is_over or node.is_pruned:
            self._close()
            return True
        if shared.is_wanted and self.n_slices >= shared.budget.n_slices:
            self._divide()
        stack = worker.search.stack
        at = int(stack.frames.next_guess[self.depth]) - 1
        tighten(stack, self.node.upper_bound_at(at))
        return False

    def _share_fit(self) -> None:
        """Exchange with the others what was learned of costs since the last time."""
        stack, shared = self.worker.search.stack, self.shared
        shared.fit += read_fit(stack) - self.fit
        self.fit = shared.fit.copy()
        write_fit(stack, self.fit)

    def _divide(self) -> None:
        """Leave the untried guesses to others, or most cells of the one under trial; go on."""
        worker, node, depth = self.worker, self.node, self.depth
        rest = worker.drop_guesses(depth)
        if rest is not None:
            node.guess_s = self._measure()
            node.returned.append(rest)
            self.n_slices = 0
        else:
            n_cells = int(worker.search.stack.frames.n_cells[depth])
            n_slices = self.shared.budget.n_slices + n_cells // CELLS_PER_SLICE
            if self.n_slices < n_slices or not (node.may_split and worker.is_below(depth)):
                return
            cell, at = worker.divide(node, depth)
            self._close()
            self._begin(cell, depth + 1, at)
        self.shared.call_one()

    def _close(self) -> None:
        """Record what is known of the guesses when nobody works on them any more."""
        node, depth, worker = self.node, self.depth, self.worker
        node.guess_s = self._measure()
        node.least = min(node.least, worker.least(depth))
        worker.read_bounds(node, depth, self.first)
        node.end_range(self.first)

    def _measure(self) -> float:
        """Return the time per guess since the piece was begun."""
        next_guess = int(self.worker.search.stack.frames.next_guess[self.depth])
        return (time.perf_counter() - self.start_s) / max(1, next_guess - self.begun)


GRAIN_SHARE = 16
"""The guesses of nodes of a 16th of all candidates are sent in ranges, those of others at once."""

FIRST_GRAIN = 64
"""The first range where no tree is known: its first guess gives the others an upper bound."""

GROWTH = 4
"""Where one is known, ranges have a fourth of the guesses tried before, one at least.

Workers then try the first guesses in the order of a single one, so that one finds in the table what
another has just proved; the many guesses after them are counted and sieved together.
"""

MAX_GRAIN = 1024

MIN_RANGE_S = 0.1
"""Where the pace is known, a range has guesses for so long at least: to send one takes a while."""

LOCAL_PAIRS = 20_000_000
"""Nodes of this many pairs of guess and candidate are listed here; larger ones take longer."""

QUICK_PAIRS = 1_000_000
"""Nodes of fewer are not sent untried: most of them are done here sooner than a worker hears."""

AHEAD = 1
"""Items for each worker besides its current one, so that none waits for the next."""


InFlight = tuple[NodeClaim, WorkItem]
"""A work item that is out, and the claim that it was made for."""


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

    def run(self, look: Look) -> None:
        """Search to the end; `look` is called now and then, and may raise to end it early."""
        if self.records is not None:
            self.records.restore(self.root)
        next_item = partial(self._send_next, look)
        try:
            for sent, result in run_growing(self.workers, self.run_item, next_item, look, AHEAD):
                self.n_in_flight -= 1
                self._return_rest(self._take(*sent, result), result.is_hard)
        except BaseException:
            if self.records is not None:
                self.records.write_open(self.root)
            raise
        self._note(self.root)

    def assess(self) -> tuple[int, int]:
        """Return the proved lower bound of the root's cost, and the best cost found."""
        return self.root.bound(), self.root.incumbent

    def _send_next(
        self, look: Look
    ) -> tuple[InFlight, tuple[WorkItem, TimeBudget]] | Worked | None:
        """Return the next item for others; None if there is nothing to do now."""
        if self.root.collect_results(self._note):
            return None
        look()
        is_idle = self.n_in_flight < self.workers.count()
        claim = self.root.claim(False) or (self.root.claim(True) if is_idle else None)
        if claim is None:
            return None
        node, first, end = claim
        claim = NodeClaim(node, first, node.keep_first(first, end, find_grain(node, first)))
        is_hard = claim.first in node.hard and node.may_split
        if node.guesses is not None and (node.is_split or is_hard):
            self._split(claim)
            return WORKED
        sent = _pack(claim) if self._is_long(claim, is_idle) else self._try_here(claim)
        if sent is None:
            return WORKED
        self.n_in_flight += 1
        # What cannot be split is worked on to its end.
        remote = self.budget.remote if node.may_split else UNTIL_DONE
        return sent, (sent[1], replace(self.budget, remote=remote))

    def _is_long(self, claim: NodeClaim, is_idle: bool) -> bool:
        """Whether a claim is sent without being tried here: for an idle worker in doubt."""
        node, first, end = claim
        if node.guess_s is not None:
            return (end - first) * node.guess_s > self.budget.local[0]
        return is_idle and self._count_pairs(node) >= QUICK_PAIRS

    def _count_pairs(self, node: OpenNode) -> int:
        """Return the pairs of guess and candidate of a node."""
        return len(node.members) * len(self.worker.search.matrix.by_guess)

    def _try_here(self, claim: NodeClaim) -> InFlight | None:
        """Do the quick work; return what is left to be sent."""
        claim, item = _pack(claim)
        if self._count_pairs(claim.node) > LOCAL_PAIRS and item.guesses is None:
            return claim, item
        rest = self._take(claim, item, self.worker.do(item, self.budget.local))
        if rest is None:
            return None
        rest.node.running.append(rest.first)
        return _pack(rest)

    def _take(self, claim: NodeClaim, item: WorkItem, result: WorkResult) -> NodeClaim | None:
        """Take an item's result; return its remaining guesses, which nobody has now."""
        node, first, end = claim
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
            node.listed_below = item.listed_below
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


def find_grain(node: OpenNode, first: int) -> int:
    """Return the number of guesses of a node that are sent at once from a place in the list."""
    if len(node.members) * GRAIN_SHARE < node.n_root:
        return MAX_GRAIN
    if not node.has_upper_bound:
        return FIRST_GRAIN
    n_quick = 0 if node.guess_s is None else node.count_quick(MIN_RANGE_S, MAX_GRAIN)
    return max(1, min(max(first // GROWTH, n_quick), MAX_GRAIN))


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
        return claim, item
    end = node.keep_first(first, end, MAX_GRAIN)
    listed = node.guesses
    codes, bounds = listed.codes[first:end], listed.lower_bounds[first:end]
    some = Guesses(codes, bounds, listed.max_cells, listed.is_sorted)
    item = WorkItem(node.members, node.history, node.upper_bound_at(first), some)
    return NodeClaim(node, first, end), item
