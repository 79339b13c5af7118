"""Open nodes: states of a shared search, the guesses tried in them, and the cells of these.

The cost of a guess is a sum over its cells, the cost of a state a minimum over its guesses. So the
cells of one guess may be searched at once, and so may the guesses of one state: each search works
below an upper bound, which every result lowers. The tree does not depend on who finishes first: of
equal costs, the guess that is first in the list is kept.

A search that is resumed after it was killed finds the nodes' progress in a folder: which guesses of
the large states were tried (`SearchRecords`).
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgpack
import numpy as np

from ...tasks.checkpoint import Checkpoint
from ..engine import INFINITE, Int32s, Int64s
from ..engine.search import MAX_ROUNDS, MIN_SHARED, weigh_lack
from ..request import TimeBudget

OnComplete = Callable[["OpenNode"], None]
"""Called with a node whose search is complete."""

MAX_SPLIT_DEPTH = 32
"""Nodes after this many guesses are not split: their methods call those of all nodes above them."""

SPLIT_SHARE = 8
"""Nodes of an eighth of all candidates may have a guess split into cells."""


FIRST_TOGETHER = 6
"""Guesses of a node that may be tried at once before one is done, if a tree is likely."""


class BestGuess(NamedTuple):
    """The least cost so far, and the place of its first guess; -1: it belongs to none of the list.

    The less of two is the better: of equal costs the guess that stands first is made, whoever
    finds its tree first.
    """

    cost: int
    at: int

    def below_at(self, at: int) -> int:
        """Return the cost that a guess must get below; one that stands before may cost as much."""
        return self.cost + (at < self.at)


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """The guesses of a node in the order of `list_guesses`, and the lower bound of each.

    Where they are sorted, the bounds of those that are still to be tried do not fall: the search
    ends at the first that is too high. They are not when a node is searched once more: its guesses
    keep their order, and each the bound that it reached.
    """

    codes: Int32s
    lower_bounds: Int64s
    max_cells: int
    is_sorted: bool = True


@dataclass(slots=True, eq=False)
class OpenNode:
    """Candidates to be searched: who tries which guesses, and the best tree so far."""

    members: Int32s
    history: tuple[int, ...] = ()  # the guesses made since the root
    n_root: int = 0  # candidates of the root
    parent: GuessBranch | None = None  # the guess whose cell this is; None at the root
    slot: int = 0  # where its plan goes in the parent's
    lower_bound: int = 0  # the least that it can cost
    likely: float = INFINITE // 2  # what it costs by an estimate
    share: int = INFINITE  # how far above `lower_bound` its cost must be shown to be at most
    is_waiting: bool = False  # whether that is done, and the other cells are still to show theirs
    guesses: Guesses | None = None  # None before they are listed
    # The upper bound that they were listed for; their order may depend on it.
    listed_below: int | None = None
    next_guess: int = 0  # the first guess that nobody took
    returned: list[tuple[int, int]] = field(default_factory=list)  # ranges that were given back
    running: list[int] = field(default_factory=list)  # the starts of ranges in progress
    # Guesses that are searched cell by cell, in order.
    branches: list[GuessBranch] = field(default_factory=list)
    least: int = INFINITE  # the least that the guesses cost that were tried and dropped
    incumbent: int = INFINITE  # the least cost found
    at: int = -1  # the index of its guess
    plan: Int32s | None = None  # its plan
    is_begun: bool = False  # whether the first guess was tried to its end
    is_done: bool = False  # whether the cost is exact
    # Places of guesses that are to be split into cells in any case.
    hard: set[int] = field(default_factory=set)
    spent_s: float = 0.0  # time spent here and below since it was last recorded
    # What a guess took in the last range that came back; None: ranges may be short.
    guess_s: float | None = None

    @property
    def may_split(self) -> bool:
        """Whether the node is not too deep for its guesses to be split into cells."""
        return len(self.history) < MAX_SPLIT_DEPTH

    @property
    def has_upper_bound(self) -> bool:
        """Whether guesses may be dropped, since a tree is known, or the first one gave none."""
        return self.is_begun or min(self.upper_bound, self.incumbent) < INFINITE // 2

    @property
    def has_tree(self) -> bool:
        """Whether a tree was found below the upper bound: the best, once all guesses are tried."""
        return self.plan is not None and self.incumbent < self.upper_bound

    @property
    def is_split(self) -> bool:
        """Whether the next guess is to be split into cells.

        Without an upper bound all of these must be searched. With one, most guesses are refuted by
        one cell, and it is better to try several guesses at once.
        """
        is_large = len(self.members) * SPLIT_SHARE >= self.n_root
        return self.parent is None or (is_large and not self.has_upper_bound and self.may_split)

    @property
    def is_pruned(self) -> bool:
        """Whether a guess above costs too much, so the result is irrelevant."""
        parent = self.parent
        return parent is not None and (parent.is_closed or parent.node.is_pruned)

    @property
    def highest_upper_bound(self) -> int:
        """The highest cost to get below from now on: what the parent's guess leaves the cell."""
        if self.parent is None:
            return self.lower_bound + self.share
        return self.parent.upper_bound - self.parent.cost + self.lower_bound

    @property
    def upper_bound(self) -> int:
        """The cost to get below: that, or what the cell is asked for."""
        return min(self.highest_upper_bound, self.lower_bound + self.share)

    def upper_bound_at(self, at: int) -> int:
        """Return the cost that a guess must get below.

        One that comes before the incumbent's guess may cost as much, and then replaces it.
        """
        return min(self.upper_bound, BestGuess(self.incumbent, self.at).below_at(at))

    def has_range(self) -> bool:
        """Whether there is a guess left to try."""
        if self.guesses is None:
            return False
        rest = self.guesses.lower_bounds[self.next_guess :]
        if self.returned or not len(rest):
            return bool(self.returned)
        least = rest[0] if self.guesses.is_sorted else rest.min()
        return bool(least < self.upper_bound_at(self.next_guess))

    def take_range(self) -> tuple[int, int]:
        """Return guesses to try, as a range of indices; `has_range` says that there are some.

        The taker gives back what others have time for.
        """
        assert self.guesses is not None
        if self.returned:
            self.returned.sort(reverse=True)
            first, end = self.returned.pop()
        else:
            first, end = self.next_guess, len(self.guesses.codes)
            self.next_guess = end
        self.running.append(first)
        return first, end

    def keep_first(self, first: int, end: int, n: int) -> int:
        """Give back all guesses of a range but the first `n`; return where it ends now."""
        if end - first > n:
            self.returned.append((first + n, end))
        return min(end, first + n)

    def count_quick(self, seconds: float, most: int) -> int:
        """Return an estimate of how many guesses take `seconds`, from 1 to `most`."""
        assert self.guess_s is not None
        return max(1, int(seconds / max(self.guess_s, seconds / most)))

    def claim(self, is_eager: bool) -> NodeClaim | None:
        """Take the first work here and below, in the order of a single thread.

        Where a tree below the upper bound is likely, most guesses of a node wait for the first,
        which gives them a lower one; without an upper bound, all. Only eager callers go ahead.
        """
        if self.guesses is None:
            if self.running:
                return None
            self.running.append(0)
            return NodeClaim(self, 0, 0)
        for branch in self.branches:
            for cell in branch.cells:
                is_open = not (cell.is_done or cell.is_waiting)
                found = cell.claim(is_eager) if is_open else None
                if found is not None:
                    return found
        if not self.has_range():
            return None
        is_first = not (self.running or self.branches)
        is_ready = is_first or is_eager or self.is_begun or self.upper_bound <= self.likely
        if not is_ready and self.upper_bound < INFINITE // 2:
            is_ready = len(self.running) + len(self.branches) < FIRST_TOGETHER
        return NodeClaim(self, *self.take_range()) if is_ready else None

    def add_branch(self, branch: GuessBranch) -> None:
        """Let the cells of a guess be searched."""
        self.branches.append(branch)
        self.branches.sort(key=lambda branch: branch.at)

    def end_range(self, first: int, is_tried: bool = True) -> None:
        """Record that nobody works on a range any more, and whether a guess of it was tried."""
        self.running.remove(first)
        self.is_begun = self.is_begun or (is_tried and not self.branches)

    def offer(self, cost: int, at: int, plan: Int32s) -> None:
        """Adopt a tree, if it costs less than the incumbent, or as much at an earlier guess."""
        if cost < self.upper_bound and (cost, at) < (self.incumbent, self.at):
            self.incumbent, self.at, self.plan = cost, at, plan

    def collect_results(self, on_complete: OnComplete = lambda _: None) -> bool:
        """Take the complete results; return whether nothing is left to do.

        `on_complete` is called with each node below that is complete, before it is taken.
        """
        for branch in list(self.branches):
            if branch.collect_results(on_complete):
                self.branches.remove(branch)
                self.least = min(self.least, branch.cost)
                if self.guesses is not None:
                    self.guesses.lower_bounds[branch.at] = branch.cost
                self.is_begun = True
        is_busy = self.guesses is None or self.running or self.branches
        return not (is_busy or self.has_range())

    def ask_for(self, upper_bound: int) -> bool:
        """Search below an upper bound that is recorded; return whether that is of use.

        A cell is asked for no more at first. It is not asked again before that is shown.
        """
        if self.parent is None:
            return upper_bound >= self.upper_bound
        if upper_bound <= self.lower_bound:
            return False
        self.share, self.is_waiting = upper_bound - self.lower_bound, False
        return True

    def shown(self) -> int:
        """Return the lower bound of the cost when nothing is left below the upper bound.

        That may be more than was asked for: all guesses were dropped at some bound.
        """
        if self.listed_below is None or self.guesses is None:
            return self.upper_bound
        least = min(self.least, self.listed_below)
        rest = self.guesses.lower_bounds[self.next_guess :]
        if len(rest):
            least = min(least, int(rest.min()))
        return max(self.upper_bound, least)

    def reopen(self) -> None:
        """Begin once more, for a higher upper bound."""
        assert not (self.running or self.branches)
        self.incumbent, self.at, self.plan = INFINITE, -1, None
        self.least = INFINITE
        self.next_guess, self.returned, self.is_begun = 0, [], False
        if self.listed_below is None or self.listed_below < self.highest_upper_bound:
            self.guesses, self.listed_below, self.hard = None, None, set()
        elif self.guesses is not None:
            self.guesses = replace(self.guesses, is_sorted=False)

    def count_tried(self) -> int:
        """Return the index of the first guess that is not tried to its end."""
        open_ranges = [*self.running, *(first for first, _ in self.returned)]
        return min([*open_ranges, *(branch.at for branch in self.branches), self.next_guess])

    def bound(self) -> int:
        """Return the lower bound of the cost, as long as it is below the upper bound."""
        if self.guesses is None or self.is_done:
            return self.lower_bound
        lower_bounds = self.guesses.lower_bounds
        begun = [*self.running, *(first for first, _ in self.returned)]
        bounds = [int(lower_bounds[first:].min()) for first in begun]
        bounds += [branch.bound() for branch in self.branches]
        if self.next_guess < len(lower_bounds):
            bounds.append(int(lower_bounds[self.next_guess :].min()))
        return max(self.lower_bound, min([*bounds, self.incumbent, self.upper_bound]))


class NodeClaim(NamedTuple):
    """Claimed work: list a node's guesses if they are not listed, else try some."""

    node: OpenNode
    first: int
    end: int


@dataclass(slots=True, eq=False)
class GuessBranch:
    """A guess whose cells are searched.

    What it lacks to its upper bound, its *deficit*, is shared as one thread shares it: see
    `engine.search`. Several ask each cell for its share at the same time. A cell that shows its
    share waits until the others have shown theirs; then what is left is shared once more.
    """

    node: OpenNode  # the node that it is tried in
    at: int  # its place among the guesses
    cost: int  # the least that it can cost; its cost once all cells are done
    plan: Int32s  # the plan of the node's tree, the cells' own still open
    # Those that need a search, as nodes, in the order in which they are searched.
    cells: list[OpenNode] = field(default_factory=list)
    is_closed: bool = False  # whether its cost is exact, or known to be too high
    # The line of what states cost (see `fit_line`) and the cost of a guess; None: cells are asked
    # for all.
    fit: tuple[float, float, int] | None = None
    n_rounds: int = 0  # how often the cells were asked

    @property
    def upper_bound(self) -> int:
        """The cost to get below."""
        return self.node.upper_bound_at(self.at)

    def collect_results(self, on_complete: OnComplete = lambda _: None) -> bool:
        """Take the results of cells; return whether the guess is closed."""
        for cell in self.cells:
            is_settled = cell.is_done or cell.is_waiting or self.is_closed
            if not is_settled and cell.collect_results(on_complete):
                on_complete(cell)
                self._absorb(cell)
        if not self.is_closed and all(cell.is_done for cell in self.cells):
            self.node.offer(self.cost, self.at, self.plan)
            self.is_closed = True
        self.is_closed = self.is_closed or self.cost >= self.upper_bound
        if not self.is_closed and all(cell.is_done or cell.is_waiting for cell in self.cells):
            self.ask_cells()
        return self.is_closed

    def ask_cells(self) -> None:
        """Ask the open cells for their shares."""
        cells = [cell for cell in self.cells if not cell.is_done]
        shares = self._share_deficit(cells)
        for cell, share in zip(cells, shares, strict=True):
            cell.share, cell.is_waiting = share, share == 0
        self.n_rounds += 0 not in shares
        self.sort_cells()

    def _share_deficit(self, cells: list[OpenNode]) -> list[int]:
        """Return the bound to ask of each open cell: `INFINITE` for its cost, 0 for nothing yet."""
        deficit = self.upper_bound - self.cost
        is_endless = deficit >= INFINITE // 2 or self.n_rounds >= MAX_ROUNDS
        if self.fit is None or is_endless or not cells:
            return [INFINITE] * len(cells)
        sizes = [len(cell.members) for cell in cells]
        if min(sizes) < MIN_SHARED:
            # To solve the small ones costs little.
            return [INFINITE if size < MIN_SHARED else 0 for size in sizes]
        a, b, scale = self.fit
        weights = [
            weigh_lack(a, b, n, cell.lower_bound, scale)
            for cell, n in zip(cells, sizes, strict=True)
        ]
        unit = deficit / sum(weights)
        return [max(1, min(deficit, math.ceil(unit * weight))) for weight in weights]

    def sort_cells(self) -> None:
        """Put those cells first that likely take the least work for what they are asked.

        If all must be solved, since no tree is known, the largest is the first: of the others the
        table knows more then.
        """
        if self.upper_bound - self.cost >= INFINITE // 2:
            self.cells.sort(key=lambda cell: -len(cell.members))
        else:
            self.cells.sort(key=lambda cell: len(cell.members) ** 2 / max(1, cell.share))

    def raise_bound(self, cell: OpenNode, bound: int) -> None:
        """Raise the least that a cell costs."""
        self.cost += bound - cell.lower_bound
        cell.lower_bound = bound

    def _absorb(self, cell: OpenNode) -> None:
        """Add the exact cost of a cell, or what it was shown to cost at least."""
        if not cell.has_tree:
            self.raise_bound(cell, cell.shown())
            cell.is_waiting = True
            cell.reopen()
            return
        self.raise_bound(cell, cell.incumbent)
        cell.is_done = True
        assert cell.plan is not None
        self.plan[cell.slot : cell.slot + len(cell.plan)] = cell.plan

    def bound(self) -> int:
        """Return the proved lower bound of the cost."""
        return self.cost + sum(cell.bound() - cell.lower_bound for cell in self.cells)


NODE_FORMAT = 3
"""Records of earlier formats are not found: they may say more than was proved."""

NO_GUESSES = Guesses(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), 0)


class SearchRecords:
    """The nodes of one search in a checkpoint.

    A record says how many guesses were tried below which upper bound, and the best that they gave.
    It holds wherever the upper bound is no larger, and everywhere once the cost is exact. A cell
    whose upper bound is larger is asked for the recorded one first. A node's guesses and their
    order depend on its candidates, the guesses before it and the upper bound that they are listed
    for, which is recorded, too; its best tree depends on the first two alone. So the resumed search
    ends in the same tree.

    `search` is the name of the search in the checkpoint. With `is_lead` one first guess is searched
    ahead of all: then the root has no record, which would stand for all of them, and the cells of
    that guess keep theirs.
    """

    def __init__(
        self, checkpoint: Checkpoint, search: str, budget: TimeBudget, *, is_lead: bool = False
    ) -> None:
        self._checkpoint, self._search, self._record_s = checkpoint, search, budget.record_s
        self._is_lead = is_lead
        self._below: dict[OpenNode, set[str]] = defaultdict(set)

    def restore(self, node: OpenNode) -> None:
        """Begin a node where its record ends, if there is one for such an upper bound."""
        body = None if self._is_without(node) else self._checkpoint.find(self._name(node))
        if body is None:
            return
        upper_bound, listed_below, n_tried, is_done, hard, best, at, plan = msgpack.unpackb(body)
        is_exact = is_done and plan is not None
        if not node.ask_for(INFINITE if is_exact else upper_bound):
            return
        self._note_below(node)
        # The root may have been begun. Of the guesses that were tried in it, the bounds have risen:
        # taken for the order of the list, they would end it.
        node.next_guess, node.listed_below = max(n_tried, node.next_guess), listed_below
        node.is_begun, node.hard = node.next_guess > 0, set(hard)
        if n_tried or is_done:
            node.least = min(node.least, upper_bound)
        if plan is not None:
            # Guesses after it were tried below its cost alone, and now that may be too much.
            node.least = min(node.least, best)
            node.offer(best, at, np.frombuffer(plan, "<i4").copy())
        if is_done:
            # Asked for more, it lists its guesses anew: these are none that were dropped.
            node.guesses, node.next_guess, node.listed_below = NO_GUESSES, 0, None

    def add_seconds(self, node: OpenNode, seconds: float) -> None:
        """Count work in a node and in those above it, and record nodes with much of it."""
        for each in _list_upwards(node):
            each.spent_s += seconds
            if each.spent_s > self._record_s:
                self._write(each, is_done=False)

    def write_done(self, node: OpenNode) -> None:
        """Record a complete node, unless it is quickly searched again."""
        if self._is_without(node):
            return
        if node.spent_s > self._record_s / 10 or self._below[node]:
            self._write(node, is_done=True)
            for name in self._below[node] - {self._name(node)}:
                self._checkpoint.drop(name)
        del self._below[node]

    def write_open(self, node: OpenNode) -> None:
        """Record a node and those below it, with their progress."""
        for branch in node.branches:
            for cell in branch.cells:
                if not cell.is_done:
                    self.write_open(cell)
        if node.spent_s > 0:
            self._write(node, is_done=False)

    def _is_without(self, node: OpenNode) -> bool:
        """Whether a node has no record."""
        return self._is_lead and node.parent is None

    def _write(self, node: OpenNode, *, is_done: bool) -> None:
        if self._is_without(node):
            node.spent_s = 0.0
            return
        # A tree that was found below a higher upper bound than the last one may not be the best.
        best, plan = INFINITE, None
        if node.has_tree:
            assert node.plan is not None
            best, plan = node.incumbent, node.plan.astype("<i4").tobytes()
        n_tried, hard = node.count_tried(), sorted(node.hard)
        bounds = [node.upper_bound, node.listed_below or node.upper_bound]
        record = [*bounds, n_tried, is_done, hard, best, node.at, plan]
        self._checkpoint.save(self._name(node), msgpack.packb(record))
        node.spent_s = 0.0
        self._note_below(node)

    def _note_below(self, node: OpenNode) -> None:
        """Note for all nodes above that there is a record, which they will make obsolete."""
        name = self._name(node)
        for above in _list_upwards(node):
            self._below[above].add(name)

    def _name(self, node: OpenNode) -> str:
        """Return the name of a node: a hash of what it was made from."""
        text = f"{NODE_FORMAT}; {self._search} {node.history} ".encode("ascii")
        data = text + node.members.astype("<i4").tobytes()
        return f"search-{hashlib.sha256(data).hexdigest()[:32]}"


def _list_upwards(node: OpenNode) -> Iterator[OpenNode]:
    """Yield a node and those above it."""
    yield node
    while node.parent is not None:
        node = node.parent.node
        yield node
