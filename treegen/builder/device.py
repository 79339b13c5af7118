"""Choose the guesses of a level on a graphics card: what it is given, and what it gives back.

The processor tells which guesses each state need not try, by orbits, as it does for itself; states
for which that is the same share a list, which the card makes. Then the card rates the guesses of
all states. What is larger than its memory is worked off in portions.
"""

# numba has types for few of its functions, and none of the card's.
# mypy: disallow-untyped-calls=False

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any, cast

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from ..errors import UsageError
from ..games.rules import write_count
from ..kernels.onestep import device as kernels
from ..kernels.onestep.criteria import depends_on_history
from ..kernels.onestep.game import RankedGame
from ..kernels.onestep.guesses import PAIRS_PER_MAP, States
from ..kernels.onestep.orbits import ABSENT, FIXED, N_ORBIT_ROWS, NEVER, UNUSED, list_maps
from ..kernels.rule_kinds import CriterionKind, TieBreak
from ..tasks.checkpoint import Notice
from ..tasks.work import PROCESS, Stop
from .choose import Chooser, Many, Reporter, cut_runs

FEWEST_CODES = 100_000  # the processor builds smaller games sooner
FEWEST_MAPPED = 64  # smaller states are rated sooner than symmetries of their history are found
FEWEST_THREADS = 1 << 18  # with fewer guesses in large states, several threads rate one
LAUNCH_PAIRS = 1 << 37  # of guess and candidate between two looks at Ctrl-C
# A block rates this many pairs, more if these bits are too few to number all blocks.
BLOCK_PAIRS, MOST_BLOCK_BITS = 1 << 21, 22
MOST_LISTS, LISTED_CODES = 1 << 15, 1 << 33  # made, and tried for them, between two looks
CANDIDATE_BYTES = 64  # upper bound of what a candidate takes on the card, with its state's results
NOTHING = np.iinfo(np.int64).max  # the values of a state of which no guess is rated

Integers = NDArray[np.int64]


def add_card(chooser: Chooser, notice: Notice | None) -> Chooser:
    """Let the card choose the guesses; if it does not serve the build, say why."""
    reason = find_reason(chooser)
    if not reason:
        return replace(
            chooser, device=Device(cast(RankedGame, cast(Many, chooser.many).game)).choose
        )
    if notice is not None:
        notice(f"the processor builds this tree, not the graphics card: {reason}")
    return chooser


def find_reason(chooser: Chooser) -> str:
    """Return why a build stays on the processor; empty if the card serves it."""
    rule, ranked = chooser.plain.rule, None if chooser.many is None else chooser.many.game
    if not isinstance(ranked, RankedGame):
        return "it takes pegs, and criteria without weights, costs or functions"
    n_pegs, n_colors = ranked.digits.shape[1], ranked.n_colors
    most = kernels.MOST_PEGS, kernels.MOST_COLORS, kernels.MOST_BITS
    if np.any(np.array([n_pegs, n_colors, n_pegs * n_colors]) > most):
        return "it takes at most {} pegs, {} colors, {} as their product".format(*most)
    if ranked.needs_all:
        return "of the tie-breaks it takes lowest and highest"
    if depends_on_history(rule):
        return "it takes all codes as guesses, or the candidates"
    if CriterionKind.DESCENDING in rule.kinds or len(rule.kinds) > kernels.MOST_KINDS:
        return f"it takes {kernels.MOST_KINDS} criteria at most, and not next-largest"
    if len(ranked.codes) < FEWEST_CODES:
        return f"with {write_count(len(ranked.codes))} codes the processor is quicker"
    return ""


@contextmanager
def telling_of_memory() -> Iterator[None]:
    """Raise UsageError in plain words where the card's memory is not enough."""
    try:
        yield
    except Exception as error:  # the bindings have several classes for it
        if "OUT_OF_MEMORY" not in str(error):
            raise
        raise UsageError(
            "`device=cuda`: the graphics card's memory is full; end other programs that use it"
            " (nvidia-smi lists them), or leave `device` out"
        ) from error


class Device:
    """A game and a strategy on a graphics card.

    `find_reason` has nothing against them. Threads of this process take turns. A block has
    `n_threads` threads, a power of two; lists of guesses and states may take `room` bytes at once,
    by default half of what is free.
    """

    def __init__(self, ranked: RankedGame, n_threads: int = 128, room: int | None = None) -> None:
        n_pegs, table = ranked.digits.shape[1], ranked.tables[:1]
        is_sum = len(table) > 0 and ranked.kinds[0] == CriterionKind.SUM
        steps = np.diff(table[0]) if is_sum else np.zeros(1, dtype=np.int64)
        colors, counts, marks = np.zeros((3, len(ranked.digits)), dtype=np.uint64)
        for peg in range(n_pegs):
            color = ranked.digits[:, peg].astype(np.uint64)
            colors |= color << np.uint64(4 * peg)
            counts |= np.uint64(1) << color * np.uint64(n_pegs) + ranked.repeats[:, peg]
            marks |= np.uint64(1) << color  # a bit for each color that a code has
        self.ranked, self.n_threads, self.marks = ranked, n_threads, marks.astype(np.int64)
        self.turn = Lock()
        self.colors, self.counts = colors.astype(np.uint32), counts
        with telling_of_memory():
            free = cuda.current_context().get_memory_info().free
            self.room = int(min(free, 1 << 50)) // 2 if room is None else room
            self.game = kernels.CardGame(
                cuda.to_device(self.colors),
                cuda.to_device(self.counts),
                cuda.to_device(ranked.kinds),
                cuda.to_device(ranked.tables - ranked.tables[:, :1]),
                cuda.to_device(steps),
                int(steps.min()),
                n_pegs,
                (n_pegs + 1) * (n_pegs + 2) // 2 if ranked.has_white else n_pegs + 1,
                ranked.has_white,
            )

    def choose(
        self, states: States, guesses: NDArray[np.int32], reporter: Reporter, halt: Stop
    ) -> None:
        """Write the guess of each state of a level, as `choose_states` does.

        Between two launches the halt, and Ctrl-C, may end the work.
        """
        ranked, starts = self.ranked, states.starts
        sizes = np.diff(starts)
        ranks = states.candidates[starts[:-1]]
        is_direct = sizes <= ranked.n_direct
        if ranked.tie_break == TieBreak.HIGHEST:
            ranks[is_direct] = states.candidates[starts[1:] - 1][is_direct]
        if ranked.candidates_first:
            is_direct |= sizes == 2
            is_direct |= ranked.candidates_only and len(ranked.kinds) == 0
        todo = np.flatnonzero(~is_direct)
        with self.turn, telling_of_memory():
            self.states, self.sizes, self.reporter, self.halt = states, sizes, reporter, halt
            self.n_done, self.share, self.end = len(sizes) - len(todo), 0.0, 0.0
            # [n_states, n_criteria + 1]: the values of the best guess, then its rank and its
            # largest cell in one number.
            self.bests = np.full((len(sizes), len(ranked.kinds) + 1), NOTHING)
            for first, last in cut_runs(sizes[todo] * CANDIDATE_BYTES, self.room // 2):
                self.rate(todo[first:last], sizes[todo[first:last]].sum() / sizes[todo].sum())
            ranks[todo] = self.bests[todo, -1] >> 32
        guesses[:] = ranked.codes[ranks]

    def look(self) -> None:
        """Report how far the level is; raise what ends the work, a halt or Ctrl-C."""
        self.reporter.advance(self.n_done, float(min(self.share, 1.0)))
        self.halt.check()
        PROCESS.check_stop()

    def rate(self, chosen: Integers, share: float) -> None:
        """Find the best guess of some states, which are so much of the level's work."""
        self.first, self.end, left = int(chosen[0]), self.share + share, chosen
        starts = self.states.starts[self.first : chosen[-1] + 2]
        candidates = self.states.candidates[starts[0] : starts[-1]]
        self.on_card = kernels.CardStates(
            cuda.to_device(candidates),
            cuda.to_device(self.colors[candidates]),
            cuda.to_device(self.counts[candidates]),
            cuda.to_device(starts - starts[0]),
        )
        if self.ranked.candidates_first:
            is_done = self.sizes[chosen] <= kernels.FEW
            few = chosen[is_done]
            self.rate_list(
                few, self.on_card.ranks, self.states.starts[few] - starts[0], self.sizes[few]
            )
            if not self.ranked.candidates_only:
                # No guess is better than a candidate that tells all of them apart.
                is_done &= self.bests[chosen, -1] & 0xFFFFFFFF == 1
            left = chosen[~is_done]
            self.n_done += len(chosen) - len(left)
        if len(left):
            self.rate_lists(left)
        self.share = self.end
        self.look()

    def rate_lists(self, chosen: Integers) -> None:
        """Rate for each state the guesses that its symmetry leaves."""
        symmetries, list_of = self.find_symmetries(chosen)
        n_most = len(self.ranked.codes)
        if self.ranked.candidates_only:
            n_most = int(self.sizes[chosen].max())
        n_blocks, n_at_once = -(-n_most // self.n_threads), LISTED_CODES // n_most
        n_at_once, room = min(max(n_at_once, 1), MOST_LISTS), self.room // 2

        def make_lists(first: int, last: int, starts: Integers, lists: Any) -> Any:
            """Write some of the lists and return their ends."""
            self.look()
            ends = cuda.to_device(starts)
            bounds = symmetries.starts[first : last + 1]
            part = symmetries._make(column[first:last] for column in symmetries)
            part = part._replace(
                maps=symmetries.maps[bounds[0] : bounds[-1]], starts=bounds - bounds[0]
            )
            kernels.list_first[(n_blocks, last - first), self.n_threads](
                self.game, self.on_card, part._make(map(cuda.to_device, part)), ends, lists
            )
            return ends.copy_to_host()

        nowhere = cuda.device_array(0, np.int32)
        lengths = np.zeros(len(symmetries.owners), dtype=np.int64)
        for first, last in cut_runs(np.ones_like(lengths), n_at_once):
            lengths[first:last] = make_lists(first, last, lengths[first:last], nowhere)
        rest, work = self.end - self.share, (self.sizes[chosen] * lengths[list_of]).sum()
        for first, last in cut_runs(np.maximum(lengths * 4, room // n_at_once), room):
            starts = np.concatenate(([0], np.cumsum(lengths[first:last])))
            lists = cuda.device_array(int(starts[-1]), np.int32)
            make_lists(first, last, starts[:-1], lists)
            is_served = (list_of >= first) & (list_of < last)
            served, numbers = chosen[is_served], list_of[is_served]
            self.rate_list(served, lists, starts[numbers - first], lengths[numbers], rest / work)
            self.n_done += len(served)

    def find_symmetries(self, chosen: Integers) -> tuple[Any, Integers]:
        """Return the symmetries of the lists of guesses, and which list each state needs.

        With all codes, states with the same symmetries share one.
        """
        ranked, states = self.ranked, self.states
        n_pegs, n_colors = ranked.digits.shape[1], ranked.n_colors
        present = np.full(len(chosen), (1 << n_colors) - 1, dtype=np.int64)
        used, map_of = present, np.zeros(len(chosen), dtype=np.int64)
        maps = [np.zeros((0, n_pegs + n_colors), dtype=np.int16)]
        if ranked.has_symmetry:
            # Every other segment is of the states between the chosen ones.
            edges = np.column_stack((states.starts[chosen], states.starts[chosen + 1])).ravel()
            marks = np.append(self.marks[states.candidates], 0)
            present = np.bitwise_or.reduceat(marks, edges)[::2]
            used = np.bitwise_or.reduce(self.marks[states.history[chosen]], axis=1)
            map_of = self.find_maps(chosen, maps)
        firsts = list_of = np.arange(len(chosen))
        if not ranked.candidates_only:
            keys = present | used << n_colors | map_of << 2 * n_colors
            _, firsts, list_of = np.unique(keys, return_index=True, return_inverse=True)
        is_absent = present[firsts, None] >> np.arange(n_colors) & 1 == 0
        is_used = used[firsts, None] >> np.arange(n_colors) & 1 == 1
        classes = np.where(is_absent, ABSENT, np.where(is_used, FIXED, UNUSED)).astype(np.uint8)
        if not ranked.is_distinct:
            classes[is_absent & (np.cumsum(is_absent, axis=1) > 1)] = NEVER
        places = np.zeros_like(classes)
        members = np.zeros((len(firsts), 4, n_colors), dtype=np.uint8)
        for kind in range(4):
            rows, colors = np.nonzero(classes == kind)
            places[rows, colors] = (np.cumsum(classes == kind, axis=1) - 1)[rows, colors]
            members[rows, kind, places[rows, colors]] = colors
        listed = [maps[number] for number in map_of[firsts]]
        owners = chosen - self.first if ranked.candidates_only else np.full(len(firsts), -1)
        map_starts = np.cumsum([0, *map(len, listed)])
        columns = classes, places, members, np.concatenate(listed), map_starts, owners
        return kernels.Symmetries(*columns), list_of

    def find_maps(self, chosen: Integers, maps: list[NDArray[np.int16]]) -> Integers:
        """Append the symmetries of the histories to a list, and return each state's place in it.

        The first place is that of none: in states with little work they are not worth looking for.
        """
        ranked, sizes = self.ranked, self.sizes[chosen]
        n_pegs, n_colors = ranked.digits.shape[1], ranked.n_colors
        block = np.zeros((N_ORBIT_ROWS, max(n_colors, n_pegs + 1)), dtype=np.int64)
        found = np.zeros((len(ranked.permutations), n_pegs + n_colors), dtype=np.int16)
        map_of, places = np.zeros(len(chosen), dtype=np.int64), dict[bytes, int]()
        least = PAIRS_PER_MAP * len(ranked.permutations)
        is_worth = (sizes > FEWEST_MAPPED) & (sizes * len(ranked.codes) > least)
        for at in np.flatnonzero(is_worth):
            history = self.states.history[chosen[at]]
            key = history.tobytes()
            if key not in places:
                n = list_maps(ranked.digits, ranked.permutations, history, block, found)
                places[key] = len(maps) if n else 0
                maps += [found[:n].copy()] if n else []
            map_of[at] = places[key]
        return map_of

    def rate_list(
        self, items: Integers, lists: Any, firsts: Integers, lengths: Integers, share: float = 0.0
    ) -> None:
        """Rate a part of a list of guesses for each of some states: the best ones are kept.

        A pair of guess and candidate is such a share of the level's work.
        """
        if not len(items):
            return
        sizes, n_threads, n_columns = self.sizes[items], self.n_threads, self.bests.shape[1]
        is_large, n_shares = sizes > kernels.FEW, 1
        while n_shares < n_threads and lengths[is_large].sum() * n_shares < FEWEST_THREADS:
            n_shares *= 2
        shares = np.where(is_large, n_shares, 1)
        block_pairs = max(BLOCK_PAIRS, int((sizes * lengths).sum()) >> MOST_BLOCK_BITS)
        at_once = n_threads // shares
        chunks = at_once * np.maximum(block_pairs // (sizes * at_once), 1)
        limits = self.bests[items, 0]
        # Candidates were rated before: a guess that is none must be better than the best of them.
        limits[limits < NOTHING] -= self.ranked.is_strict and self.ranked.candidates_first
        blocks = np.concatenate(([0], np.cumsum(-(-lengths // chunks))))
        rows = items - self.first, firsts, lengths, chunks, shares, blocks[:-1], limits
        n_blocks, plan = int(blocks[-1]), np.zeros((len(rows), len(items) + 1), dtype=np.int64)
        plan[:, :-1], plan[kernels.BLOCK] = rows, blocks
        work = np.repeat(sizes * chunks, np.diff(blocks))  # the last of a list have fewer guesses
        on_card, found = cuda.to_device(plan), cuda.device_array((n_blocks, n_columns), np.int64)
        for first, last in cut_runs(work, LAUNCH_PAIRS):
            self.look()
            n_bytes = self.game.n_cells * 4 * n_threads
            kernels.rate_guesses[last - first, n_threads, 0, n_bytes](
                self.game, self.on_card, lists, on_card, first, found
            )
            cuda.synchronize()
            self.share = min(self.share + share * work[first:last].sum(), self.end)
        merged = cuda.device_array((len(items), n_columns), np.int64)
        kernels.merge_blocks[-(-len(items) // n_threads), n_threads](on_card, found, merged)
        values, bests, each = merged.copy_to_host(), self.bests[items], np.arange(len(items))
        first_other = (values != bests).argmax(axis=1)
        is_less = values[each, first_other] < bests[each, first_other]
        self.bests[items[is_less]] = values[is_less]
