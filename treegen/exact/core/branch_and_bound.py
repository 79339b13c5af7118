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

from ..._jit import njit_bare, njit_bare_part, njit_inline
from .cost_model import INFEASIBLE, CostModel, spend_guess
from .guess_order import N_SYMMETRIC, list_guesses
from .lookahead import forget_local_matrix
from .retry_list import clear_retry_lists, is_shared, load_retry_list, save_retry_list
from .search import Search
from .shares import choose_cell, learn_cost
from .stack import Stack, Stage, has_room
from .symmetry import Group, mark_representatives
from .transposition_table import TranspositionTable, record_proof
from .trial import (
    forget_tiles,
    has_lost_cell,
    is_sieved,
    look_ahead_in_cells,
    scatter,
    sieve_guesses,
    try_candidates,
    try_sizes,
)


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
                _leave(search, depth)
        elif depth == control.deepest:
            # A lower bound is wanted: the cells count with what is proved about them so far.
            frames.upper_bound[depth], frames.has_incumbent[depth] = frames.cost[depth], 1
            frames.stage[depth] = Stage.TRY
        elif has_room(stack, depth):
            _descend(search.model, stack, depth)
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
    frames = stack.frames
    frames.is_retried[depth], frames.least[depth] = 0, INFEASIBLE
    if not is_shared(search.model, stack, depth):
        list_guesses(search.matrix, search.model, search.scratch, stack, depth)
        frames.listed_below[depth] = frames.upper_bound[depth]
    elif load_retry_list(search.retry_lists, stack, depth):
        frames.is_retried[depth] = 1
    else:
        _list_for_all_steps(search, depth)
    frames.next_guess[depth] = frames.sieved[depth] = 0
    frames.stage[depth] = Stage.TRY


@njit_bare_part
def _list_for_all_steps(search: Search, depth: int) -> None:
    """List the guesses of a cell that may be asked for more: those that matter in any step."""
    stack = search.stack
    frames, above = stack.frames, depth - 1
    upper_bound = frames.upper_bound[depth]
    deficit = frames.upper_bound[above] - frames.cost[above]
    most = stack.cells.lower_bound[above, frames.cell[above]] + deficit
    frames.listed_below[depth] = frames.upper_bound[depth] = max(upper_bound, most)
    list_guesses(search.matrix, search.model, search.scratch, stack, depth)
    frames.upper_bound[depth] = upper_bound


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
    model, scratch, stack = search.model, search.scratch, search.stack
    frames, control = stack.frames, stack.control
    is_unordered = frames.n[depth] >= model.n_sorted or frames.is_retried[depth] == 1
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
        bound = _find_bound(search, depth, at)
        if bound < upper_bound:
            bound = _try_guess(search, depth, at)
        if bound < upper_bound:
            frames.stage[depth] = Stage.DESCEND
            return True
        _drop(stack, depth, at, bound)
    return False


@njit_inline
def _find_bound(search: Search, depth: int, at: int) -> int:
    """Return what the sieve proves of a guess; of one that it does not see, the listed bound.

    Either way the guess is counted as tried.
    """
    stack = search.stack
    if at >= stack.frames.sieved[depth]:
        if not is_sieved(search, depth, at):
            stack.control.n_tried += 1
            return int(stack.lower_bounds[depth, at])
        sieve_guesses(search, depth, at)
    return int(stack.raised[depth, at])


@njit_inline
def _try_guess(search: Search, depth: int, at: int) -> int:
    """Return what is proved of a guess without a search below: by its sizes, then by its cells."""
    stack = search.stack
    if not try_sizes(search, depth, at):
        return int(stack.frames.cost[depth])
    scatter(search.matrix, search.model, search.scratch, stack, depth)
    stack.frames.cell[depth] = 0
    clear_retry_lists(search.retry_lists, depth)
    if has_lost_cell(search, depth):
        return INFEASIBLE
    if try_candidates(search, depth):
        look_ahead_in_cells(search, depth)
    return int(stack.frames.cost[depth])


@njit_inline
def _drop(stack: Stack, depth: int, at: int, bound: int) -> None:
    """Record the bound at which a guess is dropped."""
    stack.lower_bounds[depth, at] = bound
    stack.frames.least[depth] = min(stack.frames.least[depth], bound)


@njit_bare_part
def _descend(model: CostModel, stack: Stack, depth: int) -> None:
    """Descend into the next cell whose cost is open, or take the guess if there is none."""
    frames, cells = stack.frames, stack.cells
    if frames.cost[depth] >= frames.upper_bound[depth]:
        _drop(stack, depth, frames.next_guess[depth] - 1, frames.cost[depth])
        frames.stage[depth] = Stage.TRY
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
    frames.stage[child], frames.has_incumbent[child] = Stage.ENTER, 0
    stack.control.depth = child


@njit_bare_part
def _take_guess(stack: Stack, depth: int) -> None:
    """Make the guess under trial the incumbent: the costs of its cells are exact."""
    frames, plans = stack.frames, stack.plans
    # If the upper bound falls below it later, it counts among the dropped ones.
    _drop(stack, depth, frames.next_guess[depth] - 1, frames.cost[depth])
    frames.upper_bound[depth], frames.has_incumbent[depth] = frames.cost[depth], 1
    frames.stage[depth] = Stage.TRY
    plans[depth, 1, 0] = frames.guess[depth]
    for slot in range(frames.n[depth] - 1):
        plans[depth, 0, slot] = plans[depth, 1, slot]


@njit_bare_part
def _leave(search: Search, depth: int) -> None:
    """Leave a state: its cell in the parent's guess costs so much, or at least so much."""
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
        if is_shared(model, stack, depth):
            save_retry_list(search.retry_lists, stack, depth)
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
        learn_cost(stack.control, frames.n[depth], bound / model.scale)
        first = cells.slot[above, at]
        for slot in range(cells.size[above, at] - 1):
            stack.plans[above, 1, first + slot] = stack.plans[depth, 0, slot]


@njit_bare_part
def _remember(stack: Stack, table: TranspositionTable, depth: int, bound: int) -> None:
    """Keep what is proved of the state on top."""
    frames = stack.frames
    first = frames.start[depth]
    members = stack.members[depth - 1, first : first + frames.n[depth]]
    # Where cells cost what is proved of them, an incumbent is but a lower bound.
    is_exact = frames.has_incumbent[depth] == 1 and stack.control.deepest == 0
    record_proof(table, members, frames.left[depth], bound, is_exact)
