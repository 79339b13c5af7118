"""Threads that share one search: its work, its best tree and its transposition table."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context

from ..engine.pace import TimeBudget
from ..engine.problem import Search
from ..engine.search import tighten
from ..engine.stack import count_done, count_nothing
from .nodes import NodeClaim, OpenNode
from .worker import SearchWorker


class ThreadedSearch:
    """Threads that work on one search.

    The root's guesses are listed; it is changed in place. `make_search` makes the arrays of one
    more thread; its stack holds the root in the first frame.
    """

    def __init__(
        self,
        root: OpenNode,
        make_search: Callable[[], Search],
        n_jobs: int,
        budget: TimeBudget,
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
