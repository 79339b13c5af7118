"""The kernel's caller: aims as the kernel takes them, the table of states, the room of a search.

In the end the trees of what a search has found, and what is proved of the states in them.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, NamedTuple
from zlib import crc32

import msgpack
import numpy as np
from numpy.typing import NDArray

from ...builder.grow import grow_tree as grow_by_questions
from ...errors import SearchStoppedError, StrategyError
from ...games.base import Game
from ...jit.interpreter import mark_small
from ...tasks.background import run_together
from ...tree.tree import History, Provenance, Tree
from ..engine import INFINITE, Int32s, Int64s, UInt64s
from ..engine.cost import spend
from ..request import Aim
from .bounds import MAX_PROFILES, Limits, Profiles, Room
from .problem import Table, TableState, list_answers
from .search import CROWDED, ENTERED, FAILED, ODD, PAUSED, Lists, Nodes, TableAim, TableWork, search

FEW_ENTRIES, MOST_ENTRIES = 1 << 14, 1 << 23
"""Places of the table of states: 512 KiB at first, 256 MiB at most."""

MOST_KEPT = 1 << 20
"""At most this many states are kept in a folder: 40 MiB."""

FEW_PAIRS = 400
"""Tables of so few pairs of question and candidate are searched by interpreted kernels."""

PAUSE_S = 0.02
"""A kernel is called for about so long at a time."""

FEW_UNITS, MOST_UNITS = 2000, 100_000_000
"""What is searched at a time: at first, and at most."""

N_CLAIMS = 1 << 14
"""Places for what threads are at."""

N_NODES = 64
"""Nodes at first; there are more as soon as states lie deeper."""


class TableSolver:
    """Searches the states of a table; what is proved of them is kept in one table for all threads.

    `check` is called now and then, and may raise to end a search. `n_states` counts the states that
    were searched; `is_rounded` says whether any share of theirs was rounded.
    """

    def __init__(self, table: Table, check: Callable[[], object] = lambda: None) -> None:
        self.table, self.check, self.n_states = table, check, 0
        self.is_rounded = table.is_rounded
        most = table.weight * min(table.longest, int(table.problem.costs.sum()) + 1)
        if most >= INFINITE:
            raise StrategyError("weights times costs pass 64 bits: round them")
        n_questions, n = table.problem.cells.shape
        self.is_small = n_questions * n <= FEW_PAIRS
        self.entries, self.n_stored = np.zeros((FEW_ENTRIES, 4), dtype=np.uint64), 0

    def make_aim(
        self, aim: Aim, *, width: int = 0, n_full: int = 0, n_ahead: int | None = None
    ) -> TableAim:
        """Return an aim as the kernel takes it.

        A beam of a `width` searches states of `n_full` items in full. For a lower bound, `n_ahead`
        questions behind the first one are searched; None: all. Shares that are found at the last
        moment are counted in coarser units where costs would pass 64 bits.
        """
        scale, last, shift = aim.scale, aim.last, 0
        if last:
            whole = self.table.weight
            most = whole * (aim.left or 1)
            if scale * most + last * whole >= INFINITE:
                while (most + 1) * ((whole >> shift) + 2) >= INFINITE:
                    shift += 1
                scale = 1 if aim.scale == 1 else (whole >> shift) + 1
                last = 1 if aim.scale > 1 else most + 1
        horizon = INFINITE if n_ahead is None else 1 + n_ahead
        salt = crc32(f"{scale} {last} {shift} {aim.step}".encode()) >> 1
        is_capped = scale == aim.step == 0 or aim.left is not None
        capacities = self.capacities if is_capped else np.zeros(0, dtype=np.int64)
        return TableAim(scale, aim.step, last, shift, width, n_full, horizon, salt, capacities)

    @cached_property
    def capacities(self) -> Int64s:
        """The most items that are told apart at cost 0, 1 …; at the last one, all of them.

        A single item is taken to cost nothing, as where it is announced.
        """
        n, shapes = self.table.n, _list_shapes(self.table)
        costs, most, reached = [cost for cost, _, _ in shapes], 1, [(0, 1)]
        waiting = sorted(set(costs))
        heapq.heapify(waiting)
        while most < n and waiting:
            cost = heapq.heappop(waiting)
            if cost == reached[-1][0]:
                continue
            room = most
            for own, sizes, n_won in shapes:
                left = cost - own
                if left >= 0:
                    held = next(found for at, found in reversed(reached) if at <= left)
                    room = max(room, n_won + int(np.minimum(sizes, held).sum()))
            if room > most:
                most = room
                reached.append((cost, most))
                for own in set(costs):
                    heapq.heappush(waiting, cost + own)
        ends = [cost for cost, _ in reached[1:]] + [reached[-1][0] + 1]
        counts = [end - begin for (begin, _), end in zip(reached, ends, strict=True)]
        return np.repeat(np.array([found for _, found in reached], dtype=np.int64), counts)

    def simplify(self, aim: Aim) -> int:
        """Return the limit to spend; `INFINITE` where no path can need all of it."""
        is_free = aim.left is None or (aim.last == 0 and aim.left > self.table.longest)
        return INFINITE if aim.left is None or is_free else aim.left

    def add_entries(self, rows: Sequence[UInt64s]) -> None:
        """Take entries of the table of another process."""
        self.make_room(len(rows))
        for row in rows:
            self.entries[int(row[0] ^ row[2] ^ row[3]) & (len(self.entries) - 1)] = row

    def make_room(self, n_more: int) -> None:
        """Count what may have been stored; enlarge the table of states before it is crowded.

        What other threads store meanwhile may be lost: they or others prove it again.
        """
        self.n_stored += n_more
        n = len(self.entries)
        if 4 * self.n_stored > n < MOST_ENTRIES:
            places = np.flatnonzero(self.entries[:, 3])
            self.entries = _place(self.entries[places], places, min(4 * n, MOST_ENTRIES))

    def pack(self) -> bytes:
        """Return the proved bounds of states of four items or more; of larger ones if many."""
        sizes, least = self.entries[:, 3].astype(np.uint32), 4
        while np.count_nonzero(sizes >= least) > MOST_KEPT:
            least *= 2
        places = np.flatnonzero(sizes >= least)
        rows = self.entries[places].astype("<u8")
        record = places.astype("<i8").tobytes(), rows.tobytes(), self.is_rounded
        return bytes(msgpack.packb(record))

    def unpack(self, body: bytes) -> None:
        """Take what another search of the same table has proved."""
        places, rows, is_rounded = msgpack.unpackb(body)
        self.is_rounded |= is_rounded
        found = np.frombuffer(rows, dtype="<u8").reshape(-1, self.entries.shape[1])
        n = max(FEW_ENTRIES, 1 << (4 * len(found)).bit_length())
        self.entries = _place(found, np.frombuffer(places, dtype="<i8"), n)


def _place(rows: UInt64s, places: Int64s, n: int) -> UInt64s:
    """Return a table of `n` places with states, each on the side of a pair where it stood."""
    entries, lows = np.zeros((n, 4), dtype=np.uint64), rows[:, 0] ^ rows[:, 2] ^ rows[:, 3]
    entries[(lows & np.uint64(n - 2)).astype(np.int64) | (places & 1)] = rows
    return entries


def _list_shapes(table: Table) -> list[tuple[int, Int64s, int]]:
    """Return cost, sizes of cells and number of winners of each question; equal ones once."""
    problem, found = table.problem, dict[tuple[int, int, tuple[int, ...]], None]()
    for question, cost in enumerate(problem.costs.tolist()):
        given, _ = list_answers(problem, question, table.root.items)
        counts = np.unique(given, return_counts=True)[1]
        n_won = int(problem.is_win and problem.owners[question] >= 0)
        if n_won:
            counts = np.delete(counts, np.flatnonzero(counts == 1)[:1])
        found[cost, n_won, tuple(sorted(counts.tolist()))] = None
    return [(cost, np.array(sizes, dtype=np.int64), n_won) for cost, n_won, sizes in found]


class Best(NamedTuple):
    """The best question of the root: the less of two is the better."""

    cost: int
    rank: int  # its place in the order of trying
    question: int


class BoundedQuestion(NamedTuple):
    """A question of the root, with what it costs at least."""

    bound: int
    question: int


class TableRun:
    """The search of one state after the other, each of which may be left and gone on with.

    A thread has one of its own; `check` is called now and then, by default that of the solver.
    """

    def __init__(self, solver: TableSolver, check: Callable[[], object] | None = None) -> None:
        self.solver, self.n_units, self.check = solver, FEW_UNITS, check
        self.n_states = 0
        problem = solver.table.problem
        (n_questions, n), n_groups = problem.cells.shape, len(problem.apart)
        n_layers = len(problem.layers)
        most_answers = int(problem.answers.max(initial=0)) + 1
        in_cells = n * int(np.diff(problem.starts).max(initial=1))
        most_cells = min(most_answers, in_cells)

        def zeros(*sizes: int, kind: type[np.generic] = np.int64) -> NDArray[Any]:
            return np.zeros(sizes, dtype=kind)

        def small(*sizes: int) -> Int32s:
            return zeros(*sizes, kind=np.int32)

        self.room = Room(
            items=small(n + 4 * in_cells),
            shares=zeros(n + 4 * in_cells),
            ends=zeros(most_cells),
            numbers=zeros(most_answers),
            base=zeros(1),
            twins=small(2, most_answers),
            needs=zeros(n),
            members=zeros(n),
            layers=zeros(n_layers),
            marks=zeros(n_groups),
            found=small(n_groups),
            apart=small(n_groups),
            sums=zeros(n_groups),
            weights=zeros(n_groups),
            merged=zeros(n),
            in_blocks=small(2, n),
            block_shares=zeros(2, n),
            block_ends=zeros(n),
            counts=zeros(n),
            rounded=zeros(1),
        )
        self.profiles = Profiles(
            caps=zeros(MAX_PROFILES, most_cells),
            prices=zeros(MAX_PROFILES),
            wins=zeros(MAX_PROFILES),
            levels=zeros(MAX_PROFILES),
            row=zeros(most_cells),
            bounds=zeros(n + 1),
            convex=zeros(n + 1),
            corners=zeros(n + 1),
        )
        n_nodes = N_NODES + 2 * most_cells
        columns = {name: zeros(n_nodes) for name in Nodes._fields}
        columns["keys"] = zeros(n_nodes, 2, kind=np.uint64)
        self.nodes = Nodes(**columns)
        self.limits = Limits(zeros(n_nodes, n_layers), zeros(n_nodes), zeros(n_nodes))
        n_listed = 8 * n_questions + 2 * n + 2 * most_cells + 64
        self.lists = Lists(small(n_listed), zeros(n_listed), zeros(n_listed))
        self.divisions = zeros(1 << (2 * n_questions).bit_length(), 2, kind=np.uint64)
        self.control = np.array([0, 0, 0, in_cells, 0])
        self.first = np.zeros(0, dtype=np.int32)
        self.claims = np.zeros(0, dtype=np.uint64)  # of all threads; empty: there is one
        self.is_done = True
        self.cost: int | None = None  # of the best tree, once it is done; None: no tree is below

    def begin(
        self,
        state: TableState,
        aim: TableAim,
        left: int = INFINITE,
        below: int = INFINITE,
        first: tuple[int, ...] = (),
        *,
        is_root: bool = False,
    ) -> None:
        """Begin with a state: what may be spent, the cost to get below, the questions allowed.

        Without given questions all are allowed. In the root of the whole search a beam tries more.
        """
        self.state, self.aim, self.first = state, aim, np.array(first, dtype=np.int32)
        self.left, self.below, self.is_done = left, below, False
        problem, nodes, n = self.solver.table.problem, self.nodes, len(state.items)
        order = np.lexsort((state.items, -state.shares))
        self.room.items[:n], self.room.shares[:n] = state.items[order], state.shares[order]
        asked = sorted({*state.asked})
        open_ = np.setdiff1d(np.arange(len(problem.costs)), asked)
        questions = self.lists.questions
        questions[: len(open_)], nodes.useful[0], nodes.n_useful[0] = open_, 0, len(open_)
        at = len(open_)
        questions[at : at + len(asked)], nodes.dead[0], nodes.n_dead[0] = asked, at, len(asked)
        nodes.lists[0] = nodes.lists[1] = at + len(asked)
        nodes.asked[0], nodes.first[0], nodes.n_cells[0] = -1, 1, 0
        nodes.stage[1], nodes.parent[1], nodes.depth[1] = 0, 0, 1
        nodes.begin[1], nodes.end[1], nodes.top[1], nodes.first[1] = 0, n, n, 2
        nodes.left[1], nodes.best[1], nodes.found[1], nodes.asked[1] = left, below, -1, -1
        self.limits.arities[1], self.limits.cheapest[1] = 2, 1  # before its questions are listed
        nodes.lower[1] = nodes.floor[1] = nodes.counted[1] = nodes.n_cells[1] = 0
        nodes.late[1] = 0
        self.control[0], self.control[4] = 1, is_root

    def lower_limit(self, below: int) -> None:
        """Look for better trees only from now on."""
        if below < self.nodes.best[1]:
            self.nodes.best[1], self.nodes.found[1], self.below = below, -1, below

    def finish(self, until_s: float = math.inf) -> tuple[int, int] | None:
        """Search to the end, or for a time; return the cost and the question of the best tree.

        None if no tree is cheap enough, or the end is not reached.
        """
        while True:
            self.work()
            if self.is_done:
                return None if self.cost is None else (self.cost, self.found)
            if time.monotonic() > until_s:
                return None
            (self.check or self.solver.check)()

    def finish_together(self, n_threads: int, until_s: float = math.inf) -> tuple[int, int] | None:
        """Do so by several threads: what one has proved the others find in the table.

        Which of them is the first to try a question does not matter: of equal costs the question
        that is listed first counts.
        """
        helpers = [TableRun(self.solver) for _ in range(n_threads - 1)]
        lock, best, found, is_over = threading.Lock(), None, None, False
        below, check, claims = self.below, self.check, np.zeros(N_CLAIMS, dtype=np.uint64)

        def exchange(run: TableRun) -> None:
            nonlocal best
            with lock:
                best = run.exchange(best)
            if run is self:
                self.solver.check()
            elif is_over:
                raise SearchStoppedError("another thread has ended the search")

        def search_all() -> None:
            nonlocal found, is_over
            try:
                found = self.finish(until_s)
            finally:
                is_over = True

        def help_out(run: TableRun) -> None:
            first, is_root = tuple(self.first.tolist()), bool(self.control[4])
            run.begin(self.state, self.aim, self.left, below, first, is_root=is_root)
            with suppress(SearchStoppedError):
                run.finish()

        for run in (self, *helpers):
            run.claims, run.check = claims, partial(exchange, run)
        run_together([search_all, *(partial(help_out, run) for run in helpers)])
        self.claims, self.check = claims[:0], check
        return found

    def exchange(self, best: Best | None) -> Best | None:
        """Take the root's best question of other threads, if it is better; return the better."""
        nodes = self.nodes
        if nodes.stage[1] != ENTERED:
            return best
        cost = int(nodes.best[1] - nodes.late[1])
        own = Best(cost, int(nodes.rank[1]), self.found)
        if best is not None and (self.found < 0 or best < own):
            is_before = (int(nodes.trial[1]), int(nodes.asked[1])) < best[1:]
            nodes.late[1] = nodes.asked[1] >= 0 and is_before
            nodes.rank[1], nodes.found[1] = best.rank, best.question
            nodes.best[1] = best.cost + nodes.late[1]
            return best
        return own if self.found >= 0 else best

    def open(self) -> list[BoundedQuestion]:
        """List the questions of the state that was begun, in the order of trying them.

        The search continues from there.
        """
        while self.control[0] == 1 and self.nodes.stage[1] == 0 and not self.is_done:
            self.work(0)
        begin, n = int(self.nodes.listed[1]), int(self.nodes.n_listed[1])
        if self.is_done:
            return []
        part = slice(begin, begin + n)
        lists = self.lists
        order = np.lexsort((lists.questions[part], lists.ranks[part]))
        bounds, questions = lists.bounds[part][order], lists.questions[part][order]
        return [
            BoundedQuestion(*pair) for pair in zip(bounds.tolist(), questions.tolist(), strict=True)
        ]

    def recall(self) -> bool:
        """Look up the state that was begun; return whether its search is done."""
        self.work(-1)
        return self.is_done

    def work(self, n_units: int | None = None) -> None:
        """Search for a moment."""
        solver = self.solver
        work = TableWork(
            solver.table.problem,
            self.aim,
            self.first,
            self.nodes,
            self.limits,
            self.lists,
            self.room,
            self.profiles,
            self.divisions,
            solver.entries,
            self.claims,
            self.control,
        )
        begun_s, (before, opened) = time.perf_counter(), self.control[1:3].tolist()
        with mark_small(solver.is_small):
            value = int(search(work, self.n_units if n_units is None else n_units))
        took_s = time.perf_counter() - begun_s
        n_states = int(self.control[1]) - before
        self.n_states += n_states
        solver.n_states += n_states
        solver.make_room(n_states + int(self.control[2]) - opened)
        solver.is_rounded |= solver.table.may_round and bool(self.room.rounded[0])
        self.is_done = value not in (PAUSED, CROWDED)
        if self.is_done:
            self.cost = None if value == FAILED else value
            self.nodes.floor[1] = self.nodes.best[1] = self.below if value == FAILED else value
        elif value == CROWDED:
            self._make_room()
        elif n_units is None and took_s < PAUSE_S / 2:
            self.n_units = min(2 * self.n_units, MOST_UNITS)
        elif n_units is None and took_s > 2 * PAUSE_S:
            self.n_units = max(self.n_units // 2, 1)

    def write_entry(self) -> UInt64s:
        """Return the proved bound of the searched state, as an entry of the table."""
        low, high = (int(half) for half in self.nodes.keys[1])
        n, value = int(self.nodes.end[1] - self.nodes.begin[1]), int(self.nodes.best[1])
        found = n | (self.found + 1) << 32
        mixed = (value * int(ODD)) & ((1 << 64) - 1)
        return np.array([low ^ value ^ found, high ^ mixed ^ found, value, found], dtype=np.uint64)

    @property
    def found(self) -> int:
        """The question of the best tree by now; -1: there is none."""
        return int(self.nodes.found[1])

    @property
    def bound(self) -> int:
        """No tree costs less: what is proved by now."""
        return int(min(self.nodes.floor[1], self.nodes.best[1]))

    def _make_room(self) -> None:
        room = self.room
        self.room = room._replace(items=_double(room.items), shares=_double(room.shares))
        self.nodes = Nodes._make(map(_double, self.nodes))
        self.limits = Limits._make(map(_double, self.limits))
        self.lists = Lists._make(map(_double, self.lists))


def _double(array: Any) -> Any:
    return np.concatenate((array, np.zeros_like(array)))


Choose = Callable[[TableState, int], int]
"""Returns the question of a state in which the game continues, from what may be spent there."""


def divide_state(table: Table, state: TableState, question: int) -> list[tuple[TableState, bool]]:
    """Return the cells of a question with whether the question wins there, by their answers."""
    problem, (items, shares, asked) = table.problem, state
    answers, source = list_answers(problem, question, items)
    sizes = np.bincount(source)
    place = np.arange(len(source)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    whole, rest = np.divmod(shares, sizes)
    given = whole[source] + (place < rest[source])
    below = tuple(sorted({*asked, question}))
    found = []
    for answer in np.unique(answers):
        cell = answers == answer
        own = items[source[cell]]
        is_won = len(problem.owners) > 0 and own.tolist() == [problem.owners[question]]
        found.append((TableState(own, given[cell], below), bool(is_won)))
    return found


def list_entries(
    run: TableRun, state: TableState, aim: TableAim, left: int, question: int
) -> list[UInt64s]:
    """Return the proved bounds of the states below one, as entries of the table of states.

    The tree has been searched for; the question is the first one.
    """
    table, rows = run.solver.table, []
    states = [(state, left, question)]
    while states:
        state, left, question = states.pop()
        left = spend(left, int(table.problem.costs[question]))
        for cell, is_won in divide_state(table, state, question):
            run.begin(cell, aim, left)
            if not is_won and run.finish() is not None and run.found >= 0:
                rows.append(run.write_entry())
                states.append((cell, left, run.found))
    return rows


def grow_tree(
    game: Game,
    run: TableRun,
    aim: TableAim,
    left: int,
    question: int,
    history: History,
    choose: Choose | None = None,
) -> Tree:
    """Return the tree that a search has found, from its first question on; -1: the best one.

    `choose` says what is asked in the other states; by default the search does.
    """
    table = run.solver.table
    places = np.full(game.n_secrets, -1, dtype=np.int32)
    places[table.members] = np.arange(table.n)
    first, owners = game.rules.first_guess, table.problem.owners
    number_of = {  # a guess is never made again
        int(code) - first: at
        for at, code in enumerate(table.codes)
        if not len(owners) or owners[at] < 0
    }
    n_before, costs = len(history), game.costs[first:]

    def find(state: TableState, left: int) -> int:
        run.begin(state, aim, left)
        run.finish()
        return run.found

    def ask(items: Int32s, shares: Int64s, asked: tuple[int, ...]) -> int:
        chosen, made = question, asked[n_before:]
        if made or question < 0:
            known = tuple(sorted({number_of[each] for each in asked if each in number_of}))
            spare = spend(left, int(costs[[*made]].sum()))
            chosen = (choose or find)(TableState(places[items], shares, known), spare)
        return int(table.codes[chosen]) - first

    return grow_by_questions(game, ask, Provenance("", "", history))
