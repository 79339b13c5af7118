"""What a search keeps in the folder of `--resume`, so that it can be resumed when it was killed.

The progress of its nodes says which guesses of the large states were tried; the table of proofs,
what was proved below those that were not tried to their end.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgpack
import numpy as np

from ...tasks.checkpoint import Checkpoint
from ...tasks.work import PROCESS
from ..engine import INFINITE
from ..engine.pace import TimeBudget
from ..engine.table import Entries, list_largest, put_entries
from .nodes import Guesses, OpenNode

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


TABLE_FORMAT = 1
"""To be raised when the keys of states, or what an entry says, change: old ones are not found."""

MOST_ENTRIES = 1 << 22
"""Of larger tables the entries of the largest states are kept: 128 MiB at most."""


@contextmanager
def keep_table(
    checkpoint: Checkpoint | None,
    search: str,
    entries: Entries,
    record_s: float,
    *,
    is_kept: bool = False,
) -> Iterator[Callable[[], None]]:
    """Fill an empty table with what was recorded, and record it until the search is complete.

    What it yields is to be called now and then while the search goes on; other threads may fill the
    table meanwhile. The name `search` has everything that the entries depend on. The table is
    written again after `record_s` seconds; when a search is ended, after a tenth. If it `is_kept`,
    the record stays when the search is complete, with what was proved last; else the records of its
    nodes say all.
    """
    if checkpoint is None:
        yield lambda: None
        return
    digest = hashlib.sha256(f"{TABLE_FORMAT}; {search}".encode("ascii")).hexdigest()
    name, written_s = f"table-{digest[:32]}", time.monotonic()
    body = checkpoint.find(name)
    if body is not None:
        put_entries(entries, np.frombuffer(body, "<u8").reshape(-1, entries.shape[1]))

    def write_if_due(wait_s: float = record_s) -> None:
        nonlocal written_s
        if time.monotonic() - written_s >= wait_s:
            rows = list_largest(entries, MOST_ENTRIES)
            checkpoint.save(name, rows.astype("<u8", copy=False).tobytes())
            written_s = time.monotonic()

    with PROCESS.owe_saving("the table of proofs"):
        try:
            yield write_if_due
        except BaseException:
            write_if_due(record_s / 10)
            raise
        if is_kept:
            write_if_due(0.0)
    if not is_kept:
        checkpoint.drop(name)
