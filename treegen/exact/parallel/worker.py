"""The worker's side of a shared search: what travels to it, and what it does.

A piece of a search travels as a work item: some guesses of one node, for a while. A thread has
arrays of its own, with one node at a time on the stack.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...games.base import Game
from ...games.names import from_description
from ...tasks.run import keep_in_process
from ...tasks.work import Look
from ..engine import INFINITE, Int32s
from ..engine.cost import spend
from ..engine.plan import complete_plan
from ..engine.play_rule import depends_on_answers, list_path, record_node
from ..engine.problem import Search
from ..engine.responses import FEW_RESPONSES, Weights
from ..engine.search import MAX_ROUNDS, Pace, advance, fit_line, learn_cost, run_slice
from ..engine.stack import FrameStage, Stack, count_done, put_state
from ..request import Aim, ItemTime, SearchControl, SearchSpec, TimeBudget
from .nodes import GuessBranch, Guesses, OpenNode


class PlainSearch(NamedTuple):
    """A search as plain values, which tasks carry to any process.

    What is derived from them is made once in each process, and kept.
    """

    description: str  # the game's, as JSON
    candidates: bytes | None  # as 32-bit integers; None: all secrets
    spec: SearchSpec  # the guesses before the root, and what may be guessed
    aim: Aim = Aim()
    table: tuple[int | None, int] = (None, 20)  # size and seed, as in `SearchControl`

    @classmethod
    def of(
        cls, game: Game, candidates: Int32s, spec: SearchSpec, aim: Aim, control: SearchControl
    ) -> PlainSearch:
        """Return the search of some candidates of a game, ascending."""
        are_all = len(candidates) == game.n_secrets
        data = None if are_all else candidates.astype("<i4").tobytes()
        # A description has no symbols: there codes are read as without them.
        plain = game.with_symbols(None)
        first = tuple(plain.notation.name_guess(game.parse_code(text)) for text in spec.first)
        table = control.table_size, control.table_seed
        return cls(json.dumps(game.description), data, replace(spec, first=first), aim, table)

    def restore(self) -> tuple[Game, Int32s]:
        """Return the game and the candidates."""
        game = _find_game(self.description)
        if self.candidates is None:
            return game, np.arange(game.n_secrets, dtype=np.int32)
        return game, np.frombuffer(self.candidates, "<i4").astype(np.int32)


@keep_in_process(4)
def _find_game(description: str) -> Game:
    return from_description(json.loads(description))


@dataclass(frozen=True, slots=True, eq=False)
class WorkItem:
    """Work for one process."""

    members: Int32s  # [n]: candidates of the node, as indices into the root's
    history: tuple[int, ...]  # guesses made since the root
    upper_bound: int  # the cost to get below
    guesses: Guesses | None = None  # the guesses to try, in order; None: list them first
    listed_below: int = 0  # the upper bound to list them for, `upper_bound` or more
    first: int = 0  # how many of the guesses that are to be listed were tried before
    is_search: bool = True  # whether the guesses are tried, or only listed


@dataclass(frozen=True, slots=True, eq=False)
class WorkResult:
    """The result of a work item."""

    next_guess: int  # the index of the first guess still to be tried
    is_hard: bool  # whether that one was begun, and took too long
    # The best cost below the upper bound, the index of its guess, and the plan; None: none.
    found: tuple[int, int, Int32s] | None
    listed: Guesses | None  # the guesses, if they had to be listed
    seconds: float
    counts: dict[str, int]  # see `count_done`
    least: int = 0  # the least that the guesses cost that were tried and dropped


def make_pool(make_search: Callable[[], Search]) -> Callable[[WorkItem, TimeBudget], WorkResult]:
    """Return a function that does a work item in this process, with an idle worker.

    The workers share one transposition table.
    """
    idle: list[SearchWorker] = []

    def run(item: WorkItem, budget: TimeBudget) -> WorkResult:
        try:
            worker = idle.pop()
        except IndexError:
            worker = SearchWorker(make_search(), budget.make_pace())
        try:
            return worker.do(item, budget.remote)
        finally:
            idle.append(worker)

    return run


class SearchWorker:
    """One thread's arrays, with one node at a time on the stack; `pace`: its work per slice."""

    def __init__(self, search: Search, pace: Pace) -> None:
        self.search = search
        self.pace = pace
        self.loaded: Int32s | None = None

    def do(self, item: WorkItem, time_limit: ItemTime) -> WorkResult:
        """Do a work item."""
        start_s, before = time.perf_counter(), count_done(self.search.stack)
        last_guess_s, end_s = time_limit
        depth = self.load(item.members, item.history)
        listed_below = max(item.listed_below, item.upper_bound)
        listed = None if item.guesses else self.list_guesses(depth, listed_below)
        guesses = item.guesses or listed
        assert guesses is not None
        first = min(item.first, len(guesses.codes))
        end = len(guesses.codes) if item.is_search else first
        self.push(depth, guesses, first, end, item.upper_bound)
        is_over, is_late = first == end, False
        while not (is_over or is_late):
            is_over = self.run()
            elapsed_s = time.perf_counter() - start_s
            is_late = elapsed_s > end_s
            if elapsed_s > last_guess_s:
                self.drop_guesses(depth)
        frames = self.search.stack.frames
        is_hard = not is_over and self.is_trying(depth)
        next_guess = int(frames.n_guesses[depth] if is_over else frames.next_guess[depth] - is_hard)
        least = self.least(depth)
        found = self.take_incumbent(depth, first)
        if found is not None:
            # The table here knows best what the plan leaves open.
            self.complete(item.members, item.history, found[2])
        return WorkResult(
            next_guess,
            is_hard,
            found,
            listed,
            time.perf_counter() - start_s,
            {name: count - before[name] for name, count in count_done(self.search.stack).items()},
            least,
        )

    def load(self, members: Int32s, history: tuple[int, ...]) -> int:
        """Put a node and the guesses before it on the stack; return its depth."""
        if self.loaded is not members:
            search = self.search
            depth = put_state(search.stack, members, history)
            if depends_on_answers(search.model.eligible):
                list_path(search.rule, search.matrix, search.stack, depth)
            self.loaded = members
        return len(history) + 1

    def list_guesses(self, depth: int, upper_bound: int) -> Guesses:
        """List the guesses of the loaded node that may cost less than the upper bound."""
        stack = self.search.stack
        stack.frames.upper_bound[depth] = upper_bound
        # The node has no parent on this stack: what stands in the frame above is not its own.
        stack.control.base_depth = stack.control.depth = depth
        stack.frames.stage[depth] = FrameStage.ENTER
        advance(self.search, 1)
        return read_guesses(stack, depth)

    def push(self, depth: int, guesses: Guesses, first: int, end: int, upper_bound: int) -> None:
        """Start the search with the loaded node and some of its guesses."""
        stack = self.search.stack
        frames = stack.frames
        frames.stage[depth], frames.max_cells[depth] = FrameStage.TRY, guesses.max_cells
        frames.next_guess[depth], frames.n_guesses[depth] = first, end
        frames.sieved[depth] = 0
        frames.upper_bound[depth], frames.has_incumbent[depth] = upper_bound, 0
        frames.is_retried[depth], frames.least[depth] = not guesses.is_sorted, INFINITE
        stack.guesses[depth, first:end] = guesses.codes[first:end]
        stack.lower_bounds[depth, first:end] = guesses.lower_bounds[first:end]
        stack.control.base_depth = stack.control.depth = depth

    def take_incumbent(self, depth: int, first: int) -> tuple[int, int, Int32s] | None:
        """Return the incumbent found since the last call: cost, index of the guess, plan."""
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
        members: Int32s,
        history: tuple[int, ...],
        plan: Int32s,
        look: Look = lambda: None,
    ) -> None:
        """Write the guesses of a plan's open states; the stack is free for another node."""
        self.loaded = None
        complete_plan(self.search, members, history, plan, self.pace, look)

    def remember(self, node: OpenNode) -> None:
        """Take what is proved of a complete cell, as the kernels do of theirs."""
        search = self.search
        if node.has_tree and not len(search.matrix.weights.full):
            cost = node.incumbent / search.model.scale
            learn_cost(search.stack.control, len(node.members), cost)
        left = spend(int(self.search.stack.frames.left[0]), len(node.history))
        proved = node.incumbent if node.has_tree else node.shown()
        # Only a rule of play asks what was guessed before.
        history = node.history if depends_on_answers(search.model.eligible) else ()
        path = np.array(history, dtype=np.int64)
        state = search.rule, search.matrix, search.table, node.members, path
        record_node(*state, left, proved, node.has_tree)

    def least(self, depth: int) -> int:
        """Return the least that the guesses cost that were dropped since the last push."""
        return int(self.search.stack.frames.least[depth])

    def read_bounds(self, node: OpenNode, depth: int, first: int) -> None:
        """Take what is proved of each guess of a range that was tried."""
        assert node.guesses is not None
        end = int(self.search.stack.frames.next_guess[depth])
        node.guesses.lower_bounds[first:end] = self.search.stack.lower_bounds[depth, first:end]

    def is_below(self, depth: int) -> bool:
        """Whether a cell of the loaded node's guess is searched, its own guesses listed."""
        stack = self.search.stack
        below = depth + 1
        return bool(stack.control.depth > depth and stack.frames.stage[below] != FrameStage.ENTER)

    def divide(self, node: OpenNode, depth: int) -> tuple[OpenNode, int]:
        """Make nodes of the open cells of the guess under trial; go on with the one on the stack.

        Return that one, and the index of its guess under trial.
        """
        stack = self.search.stack
        frames, below = stack.frames, depth + 1
        branch = _make_branch(self.search, node, depth)
        slot = int(stack.cells.slot[depth, frames.cell[depth]])
        cell = next(cell for cell in branch.cells if cell.slot == slot)
        cell.guesses = read_guesses(stack, below)
        cell.listed_below = int(frames.listed_below[below])
        first = int(frames.next_guess[below]) - self.is_trying(below)
        cell.next_guess, cell.running = len(cell.guesses.codes), [first]
        cell.least, cell.is_begun = int(frames.least[below]), first > 0
        found = self.take_incumbent(below, 0)
        if found is not None:
            cell.offer(*found)
        node.add_branch(branch)
        stack.control.base_depth = below
        self.loaded = None
        return cell, first

    def is_trying(self, depth: int) -> bool:
        """Whether a guess of the loaded node is under trial."""
        stack = self.search.stack
        return bool(stack.control.depth > depth or stack.frames.stage[depth] == FrameStage.DESCEND)

    def drop_guesses(self, depth: int) -> tuple[int, int] | None:
        """Drop the untried guesses; return their indices, None if nothing is left."""
        frames = self.search.stack.frames
        first, end = int(frames.next_guess[depth]), int(frames.n_guesses[depth])
        frames.n_guesses[depth] = first
        return (first, end) if first < end else None

    def run(self) -> bool:
        """Search for a slice; return whether the search is over."""
        return run_slice(self.search, self.pace)

    def branch(self, node: OpenNode, depth: int, look: Callable[[], bool]) -> GuessBranch | None:
        """Try guesses of the pushed node up to the first that needs a search below.

        Return that guess with its cells; None if no guess is left. `look` is called between slices;
        True ends it.
        """
        control, stage = self.search.stack.control, self.search.stack.frames.stage
        control.pause_depth = depth
        try:
            while control.depth == depth and stage[depth] != FrameStage.DESCEND and not look():
                with self.pace:
                    advance(self.search, self.pace.units)
        finally:
            control.pause_depth = 0
        if stage[depth] != FrameStage.DESCEND:
            return None
        return _make_branch(self.search, node, depth)


def read_guesses(stack: Stack, depth: int) -> Guesses:
    """Return the guesses that are listed for a state on the stack."""
    n_guesses = stack.frames.n_guesses[depth]
    return Guesses(
        stack.guesses[depth, :n_guesses].copy(),
        stack.lower_bounds[depth, :n_guesses].copy(),
        int(stack.frames.max_cells[depth]),
        is_sorted=stack.frames.is_retried[depth] == 0,
    )


def read_root(worker: SearchWorker, best: int) -> OpenNode:
    """Return the root as one thread left it; its current guess is restarted."""
    stack = worker.search.stack
    n = int(stack.frames.n[1])
    root = OpenNode(np.arange(n, dtype=np.int32), (), n, share=best)
    root.guesses, root.listed_below = read_guesses(stack, 1), best
    # Of the guesses that were tried to their end the bounds have risen, and are in no order.
    root.next_guess = int(stack.frames.next_guess[1]) - worker.is_trying(1)
    found = worker.take_incumbent(1, 0)
    if found is not None:
        root.offer(*found)
    return root


def measure_state(weights: Weights, members: Int32s) -> tuple[int, float]:
    """Return the weight of a state, and how many bits tell which candidate of it is the secret.

    Where all weigh 1 these are the number of candidates and its logarithm.
    """
    if len(weights.full) == 0:
        return len(members), math.log2(len(members))
    own = weights.full[members]
    total, own = int(own.sum()), own[own > 0]
    return total, float(own @ np.log2(total / own)) / max(1, total)


def _make_branch(search: Search, node: OpenNode, depth: int) -> GuessBranch:
    """Return the guess that survived its trial in a node, which is on the stack."""
    stack = search.stack
    frames, cells = stack.frames, stack.cells
    guess, at = int(frames.guess[depth]), int(frames.next_guess[depth]) - 1
    plan: Int32s = stack.plans[depth, 1, : frames.n[depth] - 1].copy()
    plan[0] = guess
    branch = GuessBranch(node, at, int(frames.cost[depth]), plan)
    line, scale = fit_line(stack.control), search.model.scale
    if depth <= search.model.shared_depth and search.matrix.n_responses <= FEW_RESPONSES:
        branch.fit = (*line, scale)
    branch.n_rounds = int(frames.round[depth])
    is_asked = branch.fit is not None and 0 < branch.n_rounds < MAX_ROUNDS
    for cell in range(frames.n_cells[depth]):
        if not cells.is_exact[depth, cell]:
            first, size = cells.first[depth, cell], cells.size[depth, cell]
            members = stack.members[depth, first : first + size].copy()
            weight, bits = measure_state(search.matrix.weights, members)
            below = OpenNode(
                members,
                (*node.history, guess),
                node.n_root,
                parent=branch,
                slot=int(cells.slot[depth, cell]),
                lower_bound=int(cells.lower_bound[depth, cell]),
                likely=weight * (line[0] + line[1] * bits) * scale,
            )
            if is_asked:  # the round continues: nodes that have proved their share wait
                below.share = int(cells.share[depth, cell])
                below.is_waiting = below.share == 0
            branch.cells.append(below)
    if is_asked:
        branch.sort_cells()
    else:
        branch.ask_cells()
    return branch
