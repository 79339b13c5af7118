"""The search from top to bottom: branch and bound on an explicit stack, in slices.

The cost of a state is the minimum over its guesses, the cost of a guess a sum over its cells. Every
state has an upper bound: its cost matters only if it is below. A guess under trial carries a lower
bound, the sum over its cells of the least that each can cost; it is dropped as soon as that sum
reaches the upper bound. `advance` takes one step after another, by the stage of the top frame:

1. *Enter* a state (`enter`): list the guesses that may get below its upper bound, the least bound
   first (`guess_order`), one of each orbit for the first guesses.
2. *Try* them in order (`try_guesses`). Each one must survive, without a search below,
   (a) the sieve, which looks ahead for some hundred guesses at once (`_find_bound`),
   (b) the sizes of its cells (`try_sizes`),
   (c) cells that are lost with the guesses left (`has_lost_cell`),
   (d) cells that one of their own candidates tells apart, or nearly so (`try_candidates`),
   (e) in each cell that is still open, what the table knows, or a look ahead
       (`look_ahead_in_cells`).
3. *Descend* into the cells of a guess that survives (`_descend`), one after another. Which one is
   next, and for how much of what the guess still lacks it is asked: see `choose_cell`.
4. *Take* a guess all of whose cells are exact (`_take_guess`): it is the incumbent, and its cost
   the state's new upper bound. Then step 2 continues.
5. *Leave* a state that has no guess left (`_leave`): its cost, or a lower bound of it, goes to
   its cell in the guess above, and to the table.

Shares. A guess under trial costs too much as soon as its cells' lower bounds rise by the *deficit*,
what its cost lacks to the upper bound. To solve one cell after another proves more than that: it is
enough that each cell shows its share. A share is what an estimate says that the cell's bound is
still too low by, less for large cells, which take more work to show it, scaled so that all shares
make the deficit. A cell that shows its share stops there; what turns out exact is done; then what
is left is shared once more. The estimate is fitted to the states solved so far: V / n = a + b *
log2(n). It decides what is asked first, never what is proved.

With weights the bounds tell guesses and cells apart so well that shares save states and no time
(measured): each cell is asked for all, the smallest first, and there is neither sieve nor symmetry.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...jit.compiler import njit, njit_part
from ...kernels.rule_kinds import EligibleKind
from . import INFINITE, Float64s, Int32s, Int64s, UInts
from .canonical_state import SymmetryGroup, mark_representatives, share_group
from .cells import (
    forget_tiles,
    look_ahead_in_cells,
    scatter,
    try_candidates,
    try_sizes,
)
from .cost import CostModel, has_list, row_below, spend_guess
from .guess_order import N_SYMMETRIC, list_guesses, read_row, sum_cost, sum_weighted_cost
from .lookahead import count_legal, forget_local_matrix, look_ahead
from .lost_states import has_lost_cell
from .play_rule import PlayRule, list_legal, list_nothing, share_rule
from .problem import Search, make_inseparable_sets, make_slots
from .responses import ResponseMatrix, has_weights, make_scratch, weigh
from .sieve import is_sieved, sieve_guesses
from .stack import FrameStage, Stack, make_room, make_stack
from .table import TranspositionTable, record_proof, share_table


@njit
def advance(search: Search, n_units: int) -> None:
    """Search on for `n_units` of work or a little more; over when `depth` is below `base_depth`.

    A unit is a state entered, a guess tried or a lookahead made. It returns early before it would
    descend below the last frame, see `make_room`, or below the one where it is to pause.

    The result is the first frame's incumbent, `upper_bound` and plan. Stack and table are written;
    the table's entries hold for one response matrix and one cost model.
    """
    stack = search.stack
    control, frames = stack.control, stack.frames
    control.work_limit = count_work(control) + n_units
    while count_work(control) < control.work_limit:
        depth = control.depth
        if depth < control.base_depth:
            return
        if frames.stage[depth] == FrameStage.ENTER:  # step 1
            enter(search, depth)
        elif frames.stage[depth] == FrameStage.TRY:  # step 2, and step 5 once no guess is left
            if not try_guesses(search, depth):
                _leave(search, depth)
        elif depth == control.deepest:
            # A lower bound is wanted: the cells count with what is proved about them so far.
            frames.upper_bound[depth], frames.has_incumbent[depth] = frames.cost[depth], 1
            frames.stage[depth] = FrameStage.TRY
        elif depth == control.pause_depth:
            return
        elif depth + 1 < len(frames.stage):  # step 3, and step 4 once no cell is open
            _descend(search.model, stack, depth)
        else:
            return


@njit
def count_work(control: Any) -> int:
    """Return the work done so far, by a stack's control record."""
    return int(control.n_states + control.n_tried + control.n_lookaheads)


@njit_part
def enter(search: Search, depth: int) -> None:
    """Step 1: list the guesses of a new state."""
    stack = search.stack
    stack.control.n_states += 1
    if has_list(search.model) and depth > stack.control.base_depth:
        list_legal(search.rule, search.matrix, stack, depth)
    if depth <= N_SYMMETRIC and not has_weights(search.matrix):
        _renew_marks(search.group, stack, depth)
    frames = stack.frames
    frames.is_retried[depth], frames.least[depth], frames.sieved[depth] = 0, INFINITE, 0
    list_guesses(search.matrix, search.model, search.scratch, stack, depth)
    frames.listed_below[depth] = frames.upper_bound[depth]
    frames.next_guess[depth] = 0
    frames.stage[depth] = FrameStage.TRY


@njit
def push_root(stack: Stack, n: int, left: int, upper_bound: int) -> None:
    """Start a search: candidates ``0 … n - 1``, `left` guesses, a cost to get below."""
    for i in range(n):
        stack.members[0, i] = i
    frames = stack.frames
    frames.start[1], frames.n[1], frames.left[1] = 0, n, left
    frames.upper_bound[1], frames.has_incumbent[1] = upper_bound, 0
    frames.stage[1] = FrameStage.ENTER
    frames.left[0] = left
    stack.control.depth = 1
    stack.control.base_depth = 1


@njit
def tighten(stack: Stack, upper_bound: int) -> None:
    """Lower the upper bound of the search's first frame, and so of all below it.

    An incumbent is dropped if it is not below the new bound: its parent's guess costs too much.
    """
    frames = stack.frames
    for depth in range(stack.control.base_depth, stack.control.depth + 1):
        if upper_bound < frames.upper_bound[depth]:
            frames.upper_bound[depth], frames.has_incumbent[depth] = upper_bound, 0
        # What the guess under trial leaves for the cell searched in the next frame.
        upper_bound = frames.upper_bound[depth] - frames.cost[depth]
        if frames.stage[depth] == FrameStage.DESCEND:
            upper_bound += stack.cells.lower_bound[depth, frames.cell[depth]]


@njit_part
def _renew_marks(group: SymmetryGroup, stack: Stack, depth: int) -> None:
    """Mark representatives for the guesses before this frame, unless it was done last time.

    The guesses of the history and of the frames stand in `stack.history`.
    """
    n_history = stack.control.n_history
    is_new = False
    for i in range(depth):
        # Frame 0 makes no guess. Its -1 differs from the -2 of a row that was never marked.
        guess = stack.frames.guess[i] if i > 0 else -1
        if stack.marked[depth, i] != guess:
            is_new = True
            stack.marked[depth, i] = guess
        if i > 0:
            stack.history[n_history + i - 1] = guess
    if is_new:
        history = stack.history[: n_history + depth - 1]
        mark_representatives(group, history, stack.marks[depth])


@njit_part
def try_guesses(search: Search, depth: int) -> bool:
    """Step 2: try guesses until one needs a search, the slice ends, or no guess is left (False)."""
    model, scratch, stack = search.model, search.scratch, search.stack
    frames, control = stack.frames, stack.control
    is_unordered = frames.n[depth] > model.n_full or frames.is_retried[depth] == 1
    upper_bound = frames.upper_bound[depth]
    forget_tiles(scratch)
    forget_local_matrix(scratch)
    for at in range(frames.next_guess[depth], frames.n_guesses[depth]):
        if count_work(control) >= control.work_limit:
            return True
        frames.next_guess[depth] = at + 1
        bound = stack.lower_bounds[depth, at]
        if bound >= upper_bound:
            _drop(stack, depth, at, bound)
            # Guesses are sorted by lower bound, so all that follow are as bad, unless sorted by
            # estimate or tried before.
            if is_unordered:
                continue
            break
        bound = _find_bound(search, depth, at)  # (a); what survives continues with (b) to (e)
        if bound < upper_bound:
            bound = _try_guess(search, depth, at)
        if bound < upper_bound:
            frames.stage[depth] = FrameStage.DESCEND
            return True
        _drop(stack, depth, at, bound)
    return False


@njit_part
def _find_bound(search: Search, depth: int, at: int) -> int:
    """Step 2 (a): what the sieve proves of a guess; of one that it does not see, the listed bound.

    Either way the guess is counted as tried.
    """
    stack = search.stack
    if at >= stack.frames.sieved[depth]:
        if not is_sieved(search, depth, at):
            stack.control.n_tried += 1
            return int(stack.lower_bounds[depth, at])
        sieve_guesses(search, depth, at)
    return int(stack.raised[depth, at])


@njit_part
def _try_guess(search: Search, depth: int, at: int) -> int:
    """Do steps 2 (b) to (e): return what is proved of a guess without a search below."""
    stack = search.stack
    # From cheap to dear: most guesses die of their sizes, and few are left to look ahead for.
    if not try_sizes(search, depth, at):
        return int(stack.frames.cost[depth])
    scatter(search.matrix, search.model, search.scratch, stack, depth)
    stack.frames.cell[depth] = 0
    if has_lost_cell(search, depth):
        return INFINITE
    if try_candidates(search, depth):
        look_ahead_in_cells(search, depth)
    return int(stack.frames.cost[depth])


@njit_part(inline=True)
def _drop(stack: Stack, depth: int, at: int, bound: int) -> None:
    """Record the bound at which a guess is dropped."""
    stack.lower_bounds[depth, at] = bound
    stack.frames.least[depth] = min(stack.frames.least[depth], bound)


@njit_part
def _descend(model: CostModel, stack: Stack, depth: int) -> None:
    """Step 3: descend into the next cell whose cost is open; take the guess if there is none."""
    frames, cells = stack.frames, stack.cells
    if frames.cost[depth] >= frames.upper_bound[depth]:
        _drop(stack, depth, frames.next_guess[depth] - 1, frames.cost[depth])
        frames.stage[depth] = FrameStage.TRY
        return
    at = frames.cell[depth] = choose_cell(model, stack, depth)
    if at < 0:
        _take_guess(stack, depth)
        return
    child = depth + 1
    frames.start[child], frames.n[child] = cells.first[depth, at], cells.size[depth, at]
    frames.left[child] = spend_guess(frames.left[depth])
    # The guess's cost counts this cell with its lower bound.
    frames.upper_bound[child] = cells.lower_bound[depth, at] + cells.share[depth, at]
    frames.stage[child], frames.has_incumbent[child] = FrameStage.ENTER, 0
    stack.control.depth = child


@njit_part
def _take_guess(stack: Stack, depth: int) -> None:
    """Step 4: make the guess under trial the incumbent: the costs of its cells are exact."""
    frames, plans = stack.frames, stack.plans
    # If the upper bound falls below it later, it counts among the dropped ones.
    _drop(stack, depth, frames.next_guess[depth] - 1, frames.cost[depth])
    frames.upper_bound[depth], frames.has_incumbent[depth] = frames.cost[depth], 1
    frames.stage[depth] = FrameStage.TRY
    plans[depth, 1, 0] = frames.guess[depth]
    for slot in range(frames.n[depth] - 1):
        plans[depth, 0, slot] = plans[depth, 1, slot]


@njit_part
def _leave(search: Search, depth: int) -> None:
    """Step 5: leave a state; its cost, or a bound of it, goes to its cell in the parent's guess."""
    model, stack = search.model, search.stack
    frames, cells = stack.frames, stack.cells
    stack.control.depth = depth - 1
    if depth == stack.control.base_depth:
        return
    bound = frames.upper_bound[depth]
    is_solved = frames.has_incumbent[depth] == 1
    if not is_solved:
        # All guesses were dropped, those listed at `least`: that may be more than was asked for.
        bound = max(bound, min(frames.least[depth], frames.listed_below[depth]))
    if model.beam == 0:
        # A beam leaves guesses out, so its costs prove nothing.
        _remember(stack, search.table, depth, bound)
    above = depth - 1
    at = frames.cell[above]
    bound = max(bound, cells.lower_bound[above, at])
    frames.cost[above] += bound - cells.lower_bound[above, at]
    cells.lower_bound[above, at], cells.share[above, at] = bound, 0
    if is_solved:
        cells.is_exact[above, at] = 1
        if not has_weights(search.matrix):
            _learn(stack.control, frames.n[depth], bound / model.scale)
        first = cells.slot[above, at]
        for slot in range(cells.size[above, at] - 1):
            stack.plans[above, 1, first + slot] = stack.plans[depth, 0, slot]


@njit_part
def _remember(stack: Stack, table: TranspositionTable, depth: int, bound: int) -> None:
    """Keep what is proved of the state on top."""
    frames = stack.frames
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    # Where cells cost what is proved of them, an incumbent is but a lower bound.
    is_exact = frames.has_incumbent[depth] == 1 and stack.control.deepest == 0
    legal = stack.legal[depth, : frames.n_legal[depth]]
    record_proof(table, members, frames.left[depth], bound, is_exact, legal)


MIN_SHARED = 60
"""Smaller cells are asked for all: to solve them costs little."""

MAX_ROUNDS = 4
"""From this round on, cells are asked for all that is left."""

FORGETTING = 0.999

FIRST_A, FIRST_B = 1.0, 0.29
"""The estimate before `MIN_FITTED` states are solved."""

MIN_LEARNED = 30
"""Smaller states are so frequent that they alone would decide the line."""

MIN_FITTED = 5.0


@njit_part
def choose_cell(model: CostModel, stack: Stack, depth: int) -> int:
    """Return the open cell to be searched next, -1 if all are exact; write what it is asked for."""
    frames, cells = stack.frames, stack.cells
    deficit = frames.upper_bound[depth] - frames.cost[depth]
    at = _find_first(stack, depth)
    if at < 0:
        return at
    if deficit >= INFINITE // 2:
        # No tree is known: all cells must be solved, and the table knows more once the largest is.
        # Or a limit rules guesses out, most likely by what the largest cell needs.
        at = _find_largest(stack, depth)
        cells.share[depth, at] = deficit
        return at
    if depth > model.shared_depth or model.beam > 0 or stack.control.deepest > 0:
        cells.share[depth, at] = deficit
        return at
    if cells.size[depth, at] < MIN_SHARED or frames.round[depth] >= MAX_ROUNDS:
        cells.share[depth, at] = deficit
        return at
    chosen = _find_cheapest(stack, depth)
    if chosen < 0:
        frames.round[depth] += 1
        _share_deficit(model, stack, depth, deficit)
        chosen = _find_cheapest(stack, depth)
    cells.share[depth, chosen] = min(cells.share[depth, chosen], deficit)
    return chosen


@njit_part
def _find_first(stack: Stack, depth: int) -> int:
    """Return the first open cell, the smallest one; -1 if there is none."""
    for at in range(stack.frames.n_cells[depth]):
        if stack.cells.is_exact[depth, at] == 0:
            return at
    return -1


@njit_part
def _find_largest(stack: Stack, depth: int) -> int:
    """Return the last open cell, the largest one; there is one."""
    at = int(stack.frames.n_cells[depth]) - 1
    while stack.cells.is_exact[depth, at] == 1:
        at -= 1
    return at


@njit_part
def _find_cheapest(stack: Stack, depth: int) -> int:
    """Return the open cell whose share likely takes the least work per unit, -1: all were asked.

    The work is taken to grow with the square of the size.
    """
    cells = stack.cells
    chosen, least = -1, math.inf
    for at in range(stack.frames.n_cells[depth]):
        share = cells.share[depth, at]
        if cells.is_exact[depth, at] == 0 and share > 0:
            work = cells.size[depth, at] ** 2 / share
            if work < least:
                chosen, least = at, work
    return chosen


@njit_part
def _share_deficit(model: CostModel, stack: Stack, depth: int, deficit: int) -> None:
    """Write each open cell's share of the deficit, in proportion to its weight."""
    frames, cells = stack.frames, stack.cells
    a, b = _fit(stack.control)
    weights = 0.0
    for at in range(frames.n_cells[depth]):
        if cells.is_exact[depth, at] == 0:
            bound = cells.lower_bound[depth, at]
            weights += _weigh(a, b, cells.size[depth, at], bound, model.scale)
    for at in range(frames.n_cells[depth]):
        if cells.is_exact[depth, at] == 0:
            bound = cells.lower_bound[depth, at]
            share = deficit * _weigh(a, b, cells.size[depth, at], bound, model.scale) / weights
            cells.share[depth, at] = max(1, min(deficit, math.ceil(share)))


def weigh_lack(a: float, b: float, n: int, lower_bound: int, scale: int) -> float:
    """Return by how much a cell's bound is likely too low, at least half a guess, over sqrt(n)."""
    cost = n * (a + b * math.log2(n)) * scale
    return max(scale * 0.5, 0.9 * (cost - lower_bound)) / math.sqrt(n)


def fit_line(control: Any) -> tuple[float, float]:
    """Return a and b of the line through what was solved so far (least squares)."""
    n, x, y = control.sum_1, control.sum_x, control.sum_y
    spread = n * control.sum_xx - x * x
    if n < MIN_FITTED or spread <= 1e-6:
        return FIRST_A, FIRST_B
    b = (n * control.sum_xy - x * y) / spread
    return (y - b * x) / n, b


FIT = ("sum_1", "sum_x", "sum_y", "sum_xx", "sum_xy")
"""What is learned of costs, in a stack's control record."""


def read_fit(stack: Stack) -> Float64s:
    """Return the parameters that a search has learned about costs."""
    return np.array([getattr(stack.control, name) for name in FIT])


def write_fit(stack: Stack, fit: Float64s) -> None:
    """Let a search go on with what others of the same game have learned of costs."""
    for name, number in zip(FIT, fit.tolist(), strict=True):
        setattr(stack.control, name, number)


def learn_cost(control: Any, n: int, cost: float) -> None:
    """Add a solved state of `n` candidates to the fit, unless it is small; old ones fade slowly."""
    if n < MIN_LEARNED:
        return
    x, y = math.log2(n), cost / n
    control.sum_1 = control.sum_1 * FORGETTING + 1.0
    control.sum_x = control.sum_x * FORGETTING + x
    control.sum_y = control.sum_y * FORGETTING + y
    control.sum_xx = control.sum_xx * FORGETTING + x * x
    control.sum_xy = control.sum_xy * FORGETTING + x * y


# Several at one search share a deficit by the same estimate, and learn of costs: see `parallel`.
_weigh, _fit = njit_part(weigh_lack), njit_part(fit_line)
_learn = njit_part(learn_cost)


N_FRAMES = 120
"""The most frames of a new stack: few trees are deeper."""


def make_search(
    matrix: ResponseMatrix,
    group: SymmetryGroup,
    model: CostModel,
    table: TranspositionTable,
    history: tuple[int, ...],
    left: int,
    upper_bound: int = INFINITE,
    rule: PlayRule | None = None,
) -> Search:
    """Return the arrays of a thread, the root in the first frame.

    Other threads may have the same matrix, group, model and table: what is written of them is
    copied, but for the table's entries. The history's guesses were made before the root. Without a
    rule the cost model says what may be guessed.
    """
    rule = list_nothing(model.eligible) if rule is None else share_rule(rule)
    n_codes, n = matrix.by_guess.shape
    n_frames = min(n, left, N_FRAMES) + 2
    stack = make_stack(
        n, n_codes, matrix.n_responses, n_frames, list(history), n_legal=len(rule.legal)
    )
    # Frame 1 is the root, and its list stays as it is.
    stack.legal[1], stack.frames.n_legal[1] = rule.legal, len(rule.legal)
    push_root(stack, n, left, upper_bound)
    is_weighted = len(matrix.weights.full) > 0
    scratch = make_scratch(n_codes, matrix.n_responses, n, is_weighted=is_weighted)
    n_tiles = len(matrix.top_scores)
    # After the first of three guesses two are left. A beam, and a search where not all may be
    # guessed, leave out guesses that might win.
    is_free = model.eligible == EligibleKind.ALL
    is_used = n_tiles > 0 and 3 < left < INFINITE and is_free and model.beam == 0
    inseparable = make_inseparable_sets(n_tiles, n, is_used=is_used)
    is_sieved = n_tiles == 0 and is_free and not is_weighted
    slots = make_slots(n_codes, n, matrix.n_responses, is_used=is_sieved)
    own = share_group(group), share_table(table)
    return Search(matrix, own[0], model, scratch, stack, slots, own[1], inseparable, rule)


class Pace:
    """Adapts the work of a slice to its time: a guess of a large game takes long.

    About `slice_s` pass between two exchanges with the other threads. `min_units` and `max_units`
    are the least and the most work of a slice; see `advance`.
    """

    def __init__(
        self, slice_s: float = 0.02, min_units: int = 100, max_units: int = 20_000
    ) -> None:
        self.slice_s, self.min_units, self.max_units = slice_s, min_units, max_units
        self.units = min_units
        self.start_s = 0.0

    def __enter__(self) -> None:
        self.start_s = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        elapsed_s = time.perf_counter() - self.start_s
        if elapsed_s < self.slice_s / 2:
            self.units = min(self.max_units, 2 * self.units)
        elif elapsed_s > 2 * self.slice_s:
            self.units = max(self.min_units, self.units // 2)


def run_slice(search: Search, pace: Pace) -> bool:
    """Search for a slice; whether the search is over."""
    control = search.stack.control
    if control.depth >= control.base_depth:
        make_room(search.stack, int(control.depth))
    with pace:
        advance(search, pace.units)
    return bool(control.depth < control.base_depth)


def give_guesses(search: Search, codes: Sequence[int], most: int = -1) -> None:
    """List the given guesses at the root of a search, in their order, instead of all.

    The stack holds the root in the first frame. Each guess leaves at least two cells. `most` is
    what `bound_given` returns; -1: that is not known.
    """
    stack = search.stack
    frames = stack.frames
    n_given = len(codes)
    stack.guesses[1, :n_given] = codes
    # Below the root, too, no guess has more cells than that.
    most = bound_given(search, n_given, most)
    # A search gives up at the first bound that is too high: so no bound may be above a later one.
    bounds = stack.lower_bounds[1, :n_given]
    bounds[:] = np.minimum.accumulate(bounds[::-1])[::-1]
    frames.max_cells[1] = most
    frames.n_guesses[1], frames.next_guess[1], frames.sieved[1] = n_given, 0, 0
    frames.stage[1] = FrameStage.TRY
    stack.control.n_states += 1


@njit
def bound_given(search: Search, n_given: int, most: int) -> int:
    """Write the lower bounds of the guesses listed at the root; return the most cells of any.

    Those are of all eligible guesses, the winning one not counted; `most` unless it is -1.
    """
    matrix, model, stack = search.matrix, search.model, search.stack
    left = stack.frames.left[1]
    members = stack.members[0, : stack.frames.n[1]]
    if most < 0:
        if has_list(model):
            max_cells = count_legal(matrix, search.scratch, members, search.rule.legal)
        else:
            _, max_cells = look_ahead(matrix, model, search.scratch, members, left)
        most = max(max_cells.outside, max_cells.inside)
    by_size = model.lower_bounds[row_below(model, left), most]
    for at in range(n_given):
        # A given guess may lie outside the eligible ones, and have more cells than these.
        read_row(matrix, search.scratch, members, stack.guesses[1, at])
        if has_weights(matrix):
            cost = sum_weighted_cost(matrix, search.scratch, members, by_size)
        else:
            cost = sum_cost(search.scratch.sizes, by_size)
        own = weigh(matrix, members) * model.scale
        stack.lower_bounds[1, at] = min(own + cost, INFINITE)
    return most


@njit
def measure_guesses(
    by_guess: UInts,
    weights: Int64s,
    codes: Int32s,
    values: Int64s,
    sizes: Int64s,
    sums: Int64s,
) -> None:
    """Write to `sums` the values of each guess's cells, summed; -1 if all candidates are in one.

    The responses are uint8 or uint16[n_codes, n_candidates]. `values`, int64[n_candidates + 1], has
    the value of a cell of each size; the winning cell does not count. With `weights`,
    int64[n_candidates], descending, of length 0 if all are 1, a candidate counts its weight times
    what it adds to its cell's value. `sizes`, int64[n_responses], is scratch.
    """
    n = by_guess.shape[1]
    for i in range(len(codes)):
        sizes[:] = 0
        rises = np.int64(0)
        for member in range(n):
            response = by_guess[codes[i], member]
            sizes[response] += 1
            if len(weights) > 0 and response < len(sizes) - 1:
                size = sizes[response]
                rises += weights[member] * (values[size] - values[size - 1])
        sums[i] = rises
        is_useful = sizes[len(sizes) - 1] < n
        for response in range(len(sizes) - 1):
            if len(weights) == 0:
                sums[i] += values[sizes[response]]
            is_useful = is_useful and sizes[response] < n
        if not is_useful and n > 1:
            sums[i] = -1
