"""The kernel's caller: a table as the kernel takes it, the states that are searched, their room."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError
from ...games.possible import Possible
from ...jit.interpreter import mark_small
from ...kernels.shares import ShareTable, make_share_table
from ..engine import Int32s, Int64s
from ..request import Aim
from .bounds import Cells, ShareProblem
from .search import CROWDED, FAILED, IMPOSSIBLE, PAUSED, Frames, ShareAim, ShareWork, search

KEY_SEED = 20
"""Of the random numbers in keys."""

MAX_PAIRS = 1 << 31
"""More pairs of candidates are not kept: 2 GiB."""

MOST_ENTRY_BITS = 23
"""The table of states has 256 MiB at most; pages that are not written take no memory."""

MOST_KEPT = 1 << 20
"""At most this many states are kept in a folder: 40 MiB."""

FEW_PAIRS = 400
"""Tables of so few pairs of question and candidate are searched by interpreted kernels."""

PAUSE_S = 0.02
"""A kernel is called for about so long at a time."""

FEW_UNITS, MOST_UNITS = 500, 10_000_000
"""What is searched at a time: at first, and at most."""

N_DEPTHS = 16
"""Frames at first; there are more as soon as a state lies deeper."""


class ShareState(NamedTuple):
    """Items, ascending, with their shares, and the questions asked before."""

    items: Int32s
    shares: Int64s
    asked: tuple[int, ...]


class ShareSolver:
    """Searches the states of a game; what is proved of them is kept in one table.

    `check` is called now and then, and may raise to end a search. `n_states` counts the states that
    were searched; `is_rounded` says whether any share of theirs was rounded.
    """

    def __init__(self, game: Possible, check: Callable[[], object] = lambda: None) -> None:
        self.check, self.n_states, self.is_rounded = check, 0, False
        self.table = table = make_share_table(game)
        self.problem = make_problem(table)
        self.whole = int(table.shares.sum())
        if self.whole * int(table.costs.sum()) >= IMPOSSIBLE:
            raise StrategyError(f"{game.name}: weights times costs pass 64 bits: round them")
        n_questions, n = table.sets.shape
        self.is_small = n_questions * n <= FEW_PAIRS
        bits = min(2 * n.bit_length() + n_questions.bit_length() + 2, MOST_ENTRY_BITS)
        self.entries = np.zeros((1 << bits, 4), dtype=np.uint64)

    def make_aim(
        self, aim: Aim, *, width: int = 0, n_full: int = 0, n_ahead: int | None = None
    ) -> ShareAim:
        """Return an aim as the kernel takes it.

        A beam of a `width` searches states of `n_full` items in full. For a lower bound, `n_ahead`
        questions behind the first one are searched; None: all. The shares that are found at the
        last moment are counted in units for which costs fit 64 bits.
        """
        scale, last, shift = aim.scale, aim.last, 0
        if last:
            most = self.whole * (aim.left or 1)
            while (most + 1) * ((self.whole >> shift) + 2) >= IMPOSSIBLE:
                shift += 1
            scale = 1 if aim.scale == 1 else (self.whole >> shift) + 1
            last = 1 if aim.scale > 1 else most + 1
        horizon = IMPOSSIBLE if n_ahead is None else 1 + n_ahead
        salt = 1 + (scale == 0) + 2 * (last > 0) + 4 * (last > 1)
        return ShareAim(int(scale == 0), scale, last, shift, width, n_full, horizon, salt)

    def pack(self) -> bytes:
        """Return what is proved of states of four items or more; if it is a lot, of larger ones."""
        sizes, least = self.entries[:, 3].astype(np.uint32), 4
        while np.count_nonzero(sizes >= least) > MOST_KEPT:
            least *= 2
        places = np.flatnonzero(sizes >= least)
        rows = self.entries[places].astype("<u8")
        record = places.astype("<i8").tobytes(), rows.tobytes(), self.is_rounded
        return bytes(msgpack.packb(record))

    def unpack(self, body: bytes) -> None:
        """Take what another search of the same game has proved."""
        places, rows, is_rounded = msgpack.unpackb(body)
        self.is_rounded |= is_rounded
        found = np.frombuffer(rows, dtype="<u8").reshape(-1, self.entries.shape[1])
        self.entries[np.frombuffer(places, dtype="<i8")] = found


def make_problem(table: ShareTable) -> ShareProblem:
    """Return a table as the kernels take it."""
    n_questions, n = table.sets.shape
    rows, first, groups = np.unique(table.separable, axis=0, return_index=True, return_inverse=True)
    if len(rows) * n > MAX_PAIRS:
        raise StrategyError(f"a search takes at most {MAX_PAIRS:,} pairs of candidates")
    bits = np.unpackbits(rows.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    apart = np.ascontiguousarray(bits[:, first])
    random = np.random.Generator(np.random.Philox(key=KEY_SEED))
    return ShareProblem(
        table.sets,
        table.starts,
        table.answers,
        table.costs,
        groups.reshape(-1).astype(np.int32),
        apart,
        int(apart.sum() == n * (n - 1)),
        random.integers(0, 2**64 - 1, (n + n_questions, 2), dtype=np.uint64, endpoint=True),
    )


class ShareRun:
    """The search of one state after the other, each of which may be left and gone on with."""

    def __init__(self, solver: ShareSolver) -> None:
        self.solver, self.n_units = solver, FEW_UNITS
        table, problem = solver.table, solver.problem
        (n_questions, n), n_groups = table.sets.shape, len(problem.apart)
        most = int(table.n_answers.max(initial=1))
        in_cells = n * int(np.diff(table.starts).max(initial=1))

        def zeros(*sizes: int, kind: type[np.generic] = np.int64) -> NDArray[Any]:
            return np.zeros(sizes, dtype=kind)

        self.cells = Cells(
            zeros(n + 3 * in_cells, kind=np.int32),
            zeros(n + 3 * in_cells),
            zeros(most),
            zeros(2, most, kind=np.int32),
            zeros(n),
            zeros(n_groups),
            zeros(n_groups, kind=np.int32),
            zeros(n_groups, kind=np.int32),
            zeros(n_groups),
            zeros(n_groups),
            zeros(n_groups),
            zeros(1),
        )
        columns = {name: zeros(N_DEPTHS) for name in Frames._fields}
        columns["keys"] = zeros(N_DEPTHS, 2, kind=np.uint64)
        for name in ("useful", "n_answers", "dead", "listed", "tried"):
            columns[name] = zeros(N_DEPTHS, n_questions, kind=np.int32)
        for name in ("bounds", "ranks"):
            columns[name] = zeros(N_DEPTHS, n_questions)
        columns["cells"] = zeros(N_DEPTHS, most, 3)
        self.frames = Frames(**columns)
        self.control = np.array([0, 0, 0, in_cells])

    def begin(
        self,
        state: ShareState,
        aim: ShareAim,
        left: int = IMPOSSIBLE,
        below: int = IMPOSSIBLE,
        first: tuple[int, ...] = (),
    ) -> None:
        """Begin with a state: what may be spent, the cost to get below, the questions allowed.

        Without given questions all are allowed.
        """
        self.aim, self.first = aim, np.array(first, dtype=np.int32)
        self.left, self.below, self.is_done = left, below, False
        table, frames, n = self.solver.table, self.frames, len(state.items)
        order = np.argsort(-state.shares, kind="stable")
        self.cells.items[:n], self.cells.shares[:n] = state.items[order], state.shares[order]
        open_ = np.setdiff1d(np.arange(len(table.costs)), state.asked)
        frames.useful[0, : len(open_)], frames.n_useful[0] = open_, len(open_)
        frames.n_answers[0, : len(open_)] = table.n_answers[open_]
        asked = sorted(set(state.asked))
        frames.dead[0, : len(asked)], frames.n_dead[0] = asked, len(asked)
        frames.asked[0], frames.found[1] = -1, -1
        frames.begin[1], frames.end[1], frames.top[1] = 0, n, n
        frames.left[1], frames.best[1] = left, below
        frames.lower[1] = frames.floor[1] = 0
        self.control[:3] = 1, 0, 0

    def lower_limit(self, below: int) -> None:
        """Look for better trees only from now on."""
        if below < self.frames.best[1]:
            self.frames.best[1], self.frames.found[1], self.below = below, -1, below

    def finish(self, until_s: float = math.inf) -> tuple[int, int] | None:
        """Search to the end, or for a time; return the cost and the question of the best tree.

        None if no tree is cheap enough, or the end is not reached.
        """
        while True:
            value = self._advance()
            if self.is_done:
                return None if value == FAILED else (value, self.found)
            if time.monotonic() > until_s:
                return None
            self.solver.check()

    def is_known(self) -> bool:
        """Return whether the state was solved before; if so, its question is found."""
        self.n_units = 0
        value = self._advance()
        self.n_units = FEW_UNITS
        return self.is_done and value != FAILED

    def _advance(self) -> int:
        """Search for a moment; return what the kernel does."""
        solver = self.solver
        work = ShareWork(
            solver.problem,
            self.aim,
            self.first,
            self.frames,
            self.cells,
            solver.entries,
            self.control,
        )
        begun_s, before = time.perf_counter(), int(self.control[2])
        with mark_small(solver.is_small):
            value = int(search(work, self.n_units))
        took_s = time.perf_counter() - begun_s
        solver.n_states += int(self.control[2]) - before
        solver.is_rounded |= bool(self.cells.rounded[0])
        self.is_done = value not in (PAUSED, CROWDED)
        if self.is_done:
            proved = self.below if value == FAILED else value
            self.frames.floor[1] = self.frames.best[1] = proved
        elif value == CROWDED:
            self._make_room()
        elif took_s < PAUSE_S / 2:
            self.n_units = min(2 * self.n_units, MOST_UNITS)
        elif took_s > 2 * PAUSE_S:
            self.n_units = max(self.n_units // 2, 1)
        return value

    @property
    def found(self) -> int:
        """The question of the best tree by now; -1: there is none."""
        return int(self.frames.found[1])

    @property
    def bound(self) -> int:
        """No tree costs less: what is proved by now."""
        return int(min(self.frames.floor[1], self.frames.best[1]))

    def _make_room(self) -> None:
        cells, frames = self.cells, self.frames
        self.cells = cells._replace(items=_double(cells.items), shares=_double(cells.shares))
        self.frames = Frames._make(map(_double, frames))


def _double(array: Any) -> Any:
    return np.concatenate((array, np.zeros_like(array)))
