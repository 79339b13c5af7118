"""One thread of a shared search: loading a node on its stack, and taking the results from it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..core import (
    FEW_RESPONSES,
    INFEASIBLE,
    Pace,
    Search,
    Stack,
    Stage,
    complete_plan,
    count_done,
    count_work,
    enter,
    put_state,
    record_proof,
    run_slice,
    try_guesses,
)
from .cell_shares import SharePolicy, read_line
from .nodes import GuessBranch, Guesses, OpenNode


class SearchWorker:
    """One thread's arrays, with one node at a time on the stack.

    Attributes
    ----------
    search
        Its arrays.
    pace
        How much work it does per slice.
    """

    def __init__(self, search: Search, pace: Pace) -> None:
        self.search = search
        self.pace = pace
        self.loaded: NDArray[np.int32] | None = None

    def load(self, members: NDArray[np.int32], history: tuple[int, ...]) -> int:
        """Put a node and the guesses before it on the stack; return its depth."""
        if self.loaded is not members:
            put_state(self.search.stack, members, history)
            self.loaded = members
        return len(history) + 1

    def list_guesses(self, depth: int, upper_bound: int) -> Guesses:
        """List the guesses of the loaded node that may cost less than the upper bound."""
        stack = self.search.stack
        stack.frames.upper_bound[depth] = upper_bound
        # The node has no parent on this stack: what stands in the frame above is not its own.
        stack.control.base_depth = stack.control.depth = depth
        enter(self.search, depth)
        return read_guesses(stack, depth)

    def push(self, depth: int, guesses: Guesses, first: int, end: int, upper_bound: int) -> None:
        """Start the search with the loaded node and some of its guesses."""
        stack = self.search.stack
        frames = stack.frames
        frames.stage[depth], frames.max_cells[depth] = Stage.TRY, guesses.max_cells
        frames.next_guess[depth], frames.n_guesses[depth] = first, end
        frames.sieved[depth] = 0
        frames.upper_bound[depth], frames.has_incumbent[depth] = upper_bound, 0
        frames.is_retried[depth], frames.least[depth] = 0, INFEASIBLE
        stack.guesses[depth, first:end] = guesses.codes[first:end]
        stack.lower_bounds[depth, first:end] = guesses.lower_bounds[first:end]
        stack.control.base_depth = stack.control.depth = depth

    def take_incumbent(self, depth: int, first: int) -> tuple[int, int, NDArray[np.int32]] | None:
        """Return what was found since the last time: cost, index of the guess, plan."""
        stack = self.search.stack
        frames = stack.frames
        if not frames.has_incumbent[depth]:
            return None
        plan = stack.plans[depth, 0, : frames.n[depth] - 1].copy()
        tried = stack.guesses[depth, first : frames.next_guess[depth]]
        frames.has_incumbent[depth] = 0
        at = first + int(np.flatnonzero(tried == plan[0])[0])
        return int(frames.upper_bound[depth]), at, plan

    def complete(
        self,
        members: NDArray[np.int32],
        history: tuple[int, ...],
        plan: NDArray[np.int32],
        look: Callable[[], None] = lambda: None,
    ) -> None:
        """Write the guesses of a plan's open states; the stack is free for another node."""
        self.loaded = None
        complete_plan(self.search, members, history, plan, self.pace, look)

    def remember(self, node: OpenNode) -> None:
        """Write what is proved of a complete cell to the table, as the kernels do of theirs."""
        left = max(0, int(self.search.stack.frames.left[0]) - len(node.history))
        proved = node.incumbent if node.has_tree else node.shown()
        record_proof(self.search.table, node.members, left, proved, node.has_tree)

    def least(self, depth: int) -> int:
        """Return the least that the guesses cost that were dropped since the last push."""
        return int(self.search.stack.frames.least[depth])

    def is_trying(self, depth: int) -> bool:
        """Whether a guess of the loaded node is under trial."""
        stack = self.search.stack
        return bool(stack.control.depth > depth or stack.frames.stage[depth] == Stage.DESCEND)

    def drop_guesses(self, depth: int, divisor: int = 1) -> tuple[int, int] | None:
        """Drop the last of the untried guesses; return their indices.

        All are dropped, or one in `divisor`; None if nothing is left.
        """
        frames = self.search.stack.frames
        first, end = int(frames.next_guess[depth]), int(frames.n_guesses[depth])
        if first >= end:
            return None
        first = end - (end - first + divisor - 1) // divisor
        frames.n_guesses[depth] = first
        return first, end

    def count(self) -> dict[str, int]:
        """Return what was done here so far."""
        return count_done(self.search.stack)

    def run(self) -> bool:
        """Search for a slice; return whether the search is over."""
        return run_slice(self.search, self.pace)

    def branch(self, node: OpenNode, depth: int, look: Callable[[], bool]) -> GuessBranch | None:
        """Try guesses of the pushed node up to the first that needs a search below.

        Parameters
        ----------
        node, depth
            The node that is on the stack, and where.
        look
            Called between slices; True ends it.

        Returns
        -------
        GuessBranch | None
            That guess with its cells; None if no guess is left.
        """
        stack = self.search.stack
        stage = stack.frames.stage
        is_alive = True
        while is_alive and stage[depth] != Stage.DESCEND and not look():
            stack.control.work_limit = count_work(stack.control) + self.pace.units
            with self.pace:
                is_alive = try_guesses(self.search, depth)
        if not is_alive or stage[depth] != Stage.DESCEND:
            return None
        return _make_branch(self.search, node, depth)


def read_guesses(stack: Stack, depth: int) -> Guesses:
    """Return the guesses that are listed for a state on the stack."""
    n_guesses = stack.frames.n_guesses[depth]
    return Guesses(
        stack.guesses[depth, :n_guesses].copy(),
        stack.lower_bounds[depth, :n_guesses].copy(),
        int(stack.frames.max_cells[depth]),
    )


def read_root(worker: SearchWorker, best: int) -> OpenNode:
    """Return the root as one thread left it; its current guess is restarted."""
    stack = worker.search.stack
    n = int(stack.frames.n[1])
    root = OpenNode(np.arange(n, dtype=np.int32), (), n, best)
    root.guesses, root.listed_below = read_guesses(stack, 1), best
    # Of the guesses that were tried to their end the bounds have risen, and are in no order.
    root.next_guess = int(stack.frames.next_guess[1]) - worker.is_trying(1)
    found = worker.take_incumbent(1, 0)
    if found is not None:
        root.offer(*found)
    return root


def _make_branch(search: Search, node: OpenNode, depth: int) -> GuessBranch:
    """Return the guess that survived its trial in a node, which is on the stack."""
    stack = search.stack
    frames, cells = stack.frames, stack.cells
    guess, at = int(frames.guess[depth]), int(frames.next_guess[depth]) - 1
    plan: NDArray[np.int32] = stack.plans[depth, 1, : frames.n[depth] - 1].copy()
    plan[0] = guess
    branch = GuessBranch(node, at, int(frames.cost[depth]), plan)
    for cell in range(frames.n_cells[depth]):
        if not cells.is_exact[depth, cell]:
            first, size = cells.first[depth, cell], cells.size[depth, cell]
            below = OpenNode(
                stack.members[depth, first : first + size].copy(),
                (*node.history, guess),
                node.n_root,
                parent=branch,
                slot=int(cells.slot[depth, cell]),
                lower_bound=int(cells.lower_bound[depth, cell]),
            )
            branch.cells.append(below)
    if depth <= search.model.shared_depth and search.matrix.n_responses <= FEW_RESPONSES:
        branch.policy = SharePolicy(read_line(stack), search.model.scale)
    branch.ask_cells()
    return branch
