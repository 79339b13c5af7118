"""Branch and bound on an explicit stack, in slices that return to the caller.

The cost of a state is the minimum over its guesses, the cost of a guess a sum over its cells. Every
state has an upper bound: its cost matters only if it is below. A guess under trial carries a lower
bound, the sum over its cells of the least that each can cost; it is dropped as soon as that sum
reaches the upper bound. The rest is searched below, the smallest cell first, and each cell gets as
its own upper bound what the others leave of the state's.

A frame goes through three stages: `ENTER` lists its guesses, `TRY` looks for one that survives the
bounds, `DESCEND` searches that guess's cells one by one.
"""

from __future__ import annotations

from typing import Any

from ..._jit import njit_bare, njit_bare_part
from .cells import refine, scatter
from .cost_model import CostModel, spend_guess
from .guess_order import N_SYMMETRIC, count_cost, list_guesses
from .search import Search
from .stack import Stack, Stage, has_room
from .symmetry import Group, mark_representatives
from .transposition_table import TranspositionTable, find_entry, write_entry


@njit_bare
def advance(search: Search, n_units: int) -> None:
    """Search on for `n_units` of work or a little more; over when `depth` is below `base_depth`.

    It returns early before it would descend below the last frame: see `has_room`.

    Parameters
    ----------
    search : Search
        Its stack and table are written in place: the first frame's incumbent, `upper_bound` and
        plan are the result. The table's entries hold for one response matrix and one cost model.
    n_units : int
        A unit is a state entered, a guess tried or a lookahead made.
    """
    stack = search.stack
    control, frames = stack.control, stack.frames
    control.work_limit = count_work(control) + n_units
    while count_work(control) < control.work_limit:
        depth = control.depth
        if depth < control.base_depth:
            return
        if frames.stage[depth] == Stage.ENTER:
            enter(search, depth)
        elif frames.stage[depth] == Stage.TRY:
            if not try_guesses(search, depth):
                _leave(search.model, stack, search.table, depth)
        elif depth == control.deepest:
            # A lower bound is wanted: the cells count with what is proved about them so far.
            frames.upper_bound[depth], frames.has_incumbent[depth] = frames.cost[depth], 1
            frames.stage[depth] = Stage.TRY
        elif has_room(stack, depth):
            _descend(stack, depth)
        else:
            return


@njit_bare
def count_work(control: Any) -> int:
    """Return the work done so far, by a stack's control record."""
    return int(control.n_states + control.n_tried + control.n_lookaheads)


@njit_bare
def enter(search: Search, depth: int) -> None:
    """List the guesses of a new state."""
    stack = search.stack
    stack.control.n_states += 1
    if depth <= N_SYMMETRIC:
        _renew_marks(search.group, stack, depth)
    list_guesses(search.matrix, search.model, search.scratch, stack, depth)
    stack.frames.next_guess[depth] = 0
    stack.frames.stage[depth] = Stage.TRY


@njit_bare
def push_root(stack: Stack, n: int, left: int, upper_bound: int) -> None:
    """Start a search: candidates ``0 … n - 1``, `left` guesses, a cost to get below."""
    for i in range(n):
        stack.members[0, i] = i
    frames = stack.frames
    frames.start[1], frames.n[1], frames.left[1] = 0, n, left
    frames.upper_bound[1], frames.has_incumbent[1] = upper_bound, 0
    frames.stage[1] = Stage.ENTER
    frames.left[0] = left
    stack.control.depth = 1
    stack.control.base_depth = 1


@njit_bare
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
        if frames.stage[depth] == Stage.DESCEND:
            upper_bound += stack.cells.lower_bound[depth, frames.cell[depth]]


@njit_bare_part
def _renew_marks(group: Group, stack: Stack, depth: int) -> None:
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


@njit_bare
def try_guesses(search: Search, depth: int) -> bool:
    """Try guesses until one needs a search below, the slice ends, or none is left (False)."""
    matrix, model, scratch, stack = search.matrix, search.model, search.scratch, search.stack
    frames, control = stack.frames, stack.control
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    is_sorted, own = len(members) >= model.n_sorted, len(members) * model.scale
    bounds = model.lower_bounds[spend_guess(frames.left[depth]), frames.max_cells[depth]]
    upper_bound = frames.upper_bound[depth]
    for at in range(frames.next_guess[depth], frames.n_guesses[depth]):
        if count_work(control) >= control.work_limit:
            return True
        frames.next_guess[depth] = at + 1
        if stack.lower_bounds[depth, at] >= upper_bound:
            # Guesses are sorted by lower bound, so all that follow are as bad, unless sorted by
            # estimate.
            if is_sorted:
                continue
            break
        control.n_tried += 1
        code = stack.guesses[depth, at]
        cost = own + count_cost(matrix.by_guess, members, code, bounds, scratch.sizes)
        if cost >= upper_bound:
            continue
        frames.guess[depth], frames.cost[depth], frames.cell[depth] = code, cost, 0
        scatter(matrix, model, scratch, stack, depth)
        if refine(search, depth):
            frames.stage[depth] = Stage.DESCEND
            return True
    return False


@njit_bare_part
def _descend(stack: Stack, depth: int) -> None:
    """Descend into the next cell whose cost is open, or take the guess if there is none."""
    frames, cells = stack.frames, stack.cells
    if frames.cost[depth] >= frames.upper_bound[depth]:
        frames.stage[depth] = Stage.TRY
        return
    at = frames.cell[depth]
    while at < frames.n_cells[depth] and cells.is_exact[depth, at] == 1:
        at += 1
    frames.cell[depth] = at
    if at == frames.n_cells[depth]:
        _take_guess(stack, depth)
        return
    child = depth + 1
    frames.start[child], frames.n[child] = cells.first[depth, at], cells.size[depth, at]
    frames.left[child] = spend_guess(frames.left[depth])
    # The guess's cost counts this cell with its lower bound: the rest is what it may cost.
    others = frames.cost[depth] - cells.lower_bound[depth, at]
    frames.upper_bound[child] = frames.upper_bound[depth] - others
    frames.stage[child], frames.has_incumbent[child] = Stage.ENTER, 0
    stack.control.depth = child


@njit_bare_part
def _take_guess(stack: Stack, depth: int) -> None:
    """Make the guess under trial the incumbent: the costs of its cells are exact."""
    frames, plans = stack.frames, stack.plans
    frames.upper_bound[depth], frames.has_incumbent[depth] = frames.cost[depth], 1
    frames.stage[depth] = Stage.TRY
    plans[depth, 1, 0] = frames.guess[depth]
    for slot in range(frames.n[depth] - 1):
        plans[depth, 0, slot] = plans[depth, 1, slot]


@njit_bare_part
def _leave(model: CostModel, stack: Stack, table: TranspositionTable, depth: int) -> None:
    """Leave a state: tell the parent the cost, or that its guess costs too much."""
    frames, cells = stack.frames, stack.cells
    stack.control.depth = depth - 1
    if depth == stack.control.base_depth:
        return
    if model.beam == 0:
        # A beam leaves guesses out, so its costs prove nothing.
        _remember(stack, table, depth)
    above = depth - 1
    if frames.has_incumbent[depth] == 0:
        frames.stage[above] = Stage.TRY
        return
    at = frames.cell[above]
    frames.cost[above] += frames.upper_bound[depth] - cells.lower_bound[above, at]
    cells.lower_bound[above, at], cells.is_exact[above, at] = frames.upper_bound[depth], 1
    first = cells.slot[above, at]
    for slot in range(cells.size[above, at] - 1):
        stack.plans[above, 1, first + slot] = stack.plans[depth, 0, slot]


@njit_bare_part
def _remember(stack: Stack, table: TranspositionTable, depth: int) -> None:
    """Keep what is proved of the state on top: no tree costs less than its upper bound.

    With an incumbent that is its cost; without one the search has shown that none gets below.
    """
    frames = stack.frames
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    is_known, bound, _ = find_entry(table, members, frames.left[depth])
    # An upper bound that was tightened on the way may prove less than the table knows.
    if not is_known or bound < frames.upper_bound[depth]:
        write_entry(table, frames.upper_bound[depth], -1)
