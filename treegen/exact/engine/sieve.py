"""Step 2 (a), the sieve: lookaheads for the cells of many guesses at once, which drop most.

A lookahead reads what the candidates of a cell answer to every guess. The answers of all candidates
of a large state do not fit the cache, so that cell by cell most of the time goes into waiting for
memory. The sieve takes some hundred guesses of such a state, looks one open cell of each ahead
together, block by block of the response matrix, continues with the next cells of the guesses that
are left, and fills up with other guesses. It raises lower bounds, no more: the guesses that it
leaves go through their trial as ever, and the table knows their cells then.
"""

from __future__ import annotations

from ...jit.compiler import njit_part
from . import INFINITE
from .cells import order_cells, scatter, try_candidates, try_sizes
from .cost import CostModel, spend_guess
from .lookahead import MaxCells, bound_state, count_block, find_largest
from .problem import N_SLOTS, Search, Slots
from .responses import BLOCK, ResponseMatrix, Scratch
from .small_states import cost_of_singles
from .stack import Stack
from .table import Evidence, find_entry, write_entry

MAX_WINDOW = 1024
"""At most this many guesses are sieved before those that are left are tried."""


@njit_part
def is_sieved(search: Search, depth: int, at: int) -> bool:
    """Whether the sieve shall see the guesses of a state from a place in its list on."""
    frames, slots = search.stack.frames, search.slots
    n, upper_bound = frames.n[depth], frames.upper_bound[depth]
    if n < slots.least or n > slots.members.shape[1] or upper_bound >= INFINITE // 2:
        return False
    last = at + slots.fewest - 1
    if at < slots.first_at or last >= frames.n_guesses[depth]:
        return False
    # The list is in the order of bounds as a rule.
    return bool(search.stack.lower_bounds[depth, last] < upper_bound)


@njit_part
def sieve_guesses(search: Search, depth: int, at: int) -> None:
    """Step 2 (a): write what a state's guesses from a place in its list on cost at least.

    `Stack.raised` has it. The more guesses were tried in vain, the more are sieved.
    """
    slots, frames = search.slots, search.stack.frames
    end = min(frames.n_guesses[depth], at + min(max(1, at), MAX_WINDOW))
    n_used = 0
    while at < end or n_used > 0:
        for slot in range(N_SLOTS):
            while at < end and slots.at[slot] < 0:
                if _begin(search, depth, slot, at):
                    slots.at[slot] = at
                    n_used += 1
                at += 1
        _look_ahead_together(search)
        for slot in range(N_SLOTS):
            if slots.at[slot] >= 0 and not _go_on(search, depth, slot):
                slots.at[slot] = -1
                n_used -= 1
    frames.sieved[depth] = end


@njit_part
def _begin(search: Search, depth: int, slot: int, at: int) -> bool:
    """Begin the trial of a guess; whether one of its cells waits for a lookahead."""
    stack = search.stack
    frames = stack.frames
    upper_bound = frames.upper_bound[depth]
    stack.raised[depth, at] = stack.lower_bounds[depth, at]
    if stack.raised[depth, at] >= upper_bound:
        return False
    stack.control.n_tried += 1
    is_open = try_sizes(search, depth, at)
    if is_open:
        scatter(search.matrix, search.model, search.scratch, stack, depth)
        is_open = try_candidates(search, depth)
    stack.raised[depth, at] = max(stack.raised[depth, at], frames.cost[depth])
    if not is_open:
        return False
    _copy_cells(search, depth, slot)
    return _find_unknown(search, depth, slot, at)


@njit_part
def _copy_cells(search: Search, depth: int, slot: int) -> None:
    """Copy the open cells of the guess under trial to a slot, in the order of lookaheads."""
    stack, slots, order = search.stack, search.slots, search.scratch.order
    frames, cells = stack.frames, stack.cells
    order_cells(search, depth)
    n_cells, first = 0, 0
    for i in range(frames.n_cells[depth]):
        at = order[i]
        if cells.is_exact[depth, at] == 0:
            begin, size = cells.first[depth, at], cells.size[depth, at]
            for member in range(size):
                slots.members[slot, first + member] = stack.members[depth, begin + member]
            slots.first[slot, n_cells], slots.size[slot, n_cells] = first, size
            slots.lower_bound[slot, n_cells] = cells.lower_bound[depth, at]
            n_cells += 1
            first += size
    slots.cost[slot], slots.n_cells[slot], slots.cell[slot] = frames.cost[depth], n_cells, 0


@njit_part
def _find_unknown(search: Search, depth: int, slot: int, at: int) -> bool:
    """Whether a cell is left that the table does not know; the bounds of those before it rise."""
    slots, stack, table = search.slots, search.stack, search.table
    left = spend_guess(stack.frames.left[depth])
    while slots.cell[slot] < slots.n_cells[slot]:
        cell = slots.cell[slot]
        first = slots.first[slot, cell]
        members = slots.members[slot, first : first + slots.size[slot, cell]]
        # A lookahead that was cut short was one of the sieve's: its bound is that of all guesses.
        is_known, bound, _ = find_entry(table, members, left)
        if not is_known:
            for i in range(len(table.key)):
                slots.keys[slot, i] = table.key[i]
            return True
        stack.control.n_known += 1
        if not _raise_cell(slots, stack, depth, slot, at, bound):
            return False
    return False


@njit_part(inline=True)
def _raise_cell(slots: Slots, stack: Stack, depth: int, slot: int, at: int, bound: int) -> bool:
    """Keep what was proved of the cell in question; False if the guess costs too much by now."""
    cell = slots.cell[slot]
    slots.cell[slot] += 1
    slots.cost[slot] += max(0, bound - slots.lower_bound[slot, cell])
    # Of a guess that is tried again more may be known than that.
    stack.raised[depth, at] = max(stack.raised[depth, at], slots.cost[slot])
    return bool(stack.raised[depth, at] < stack.frames.upper_bound[depth])


@njit_part
def _look_ahead_together(search: Search) -> None:
    """Count the cells that each guess has of each slot's cell in question."""
    matrix, slots = search.matrix, search.slots
    for slot in range(N_SLOTS):
        slots.most[slot] = slots.outside[slot] = slots.inside[slot] = slots.n_passed[slot] = 0
    for block in range(matrix.blocks.shape[0]):
        for slot in range(N_SLOTS):
            if slots.at[slot] >= 0 and not _is_perfect(matrix, slots, slot):
                _count_in_block(matrix, search.scratch, slots, slot, block)


@njit_part(inline=True)
def _is_perfect(matrix: ResponseMatrix, slots: Slots, slot: int) -> bool:
    """Whether a guess tells all candidates of the slot's cell apart.

    It is not one of them: that was tested, or they are more than a candidate can tell apart.
    """
    size = slots.size[slot, slots.cell[slot]]
    return bool(slots.most[slot] == size and size < matrix.n_responses)


@njit_part
def _count_in_block(
    matrix: ResponseMatrix, scratch: Scratch, slots: Slots, slot: int, block: int
) -> None:
    """Count the cells that the guesses of a block have, with and without the winning one."""
    n_cells, code_of, cell = scratch.n_cells, matrix.code_of, slots.cell[slot]
    first, size = slots.first[slot, cell], slots.size[slot, cell]
    members = slots.members[slot, first : first + size]
    most = count_block(matrix, scratch, members, block)
    slots.most[slot] = max(slots.most[slot], most)
    # Candidates stand in the order of their codes.
    place, end = slots.n_passed[slot], (block + 1) * BLOCK
    if place < size and code_of[members[place]] < end:
        while place < size and code_of[members[place]] < end:
            code = code_of[members[place]]
            n_cells[code] -= 1
            slots.inside[slot] = max(slots.inside[slot], n_cells[code])
            place += 1
        slots.n_passed[slot] = place
        most = find_largest(n_cells[block * BLOCK : end])
    slots.outside[slot] = max(slots.outside[slot], most)


@njit_part
def _go_on(search: Search, depth: int, slot: int) -> bool:
    """Take the result of a lookahead; whether another cell of the guess waits for one."""
    slots, stack, table = search.slots, search.stack, search.table
    left = spend_guess(stack.frames.left[depth])
    stack.control.n_lookaheads += 1
    for i in range(len(table.key)):
        table.key[i] = slots.keys[slot, i]
    bound, evidence = _read_result(search.matrix, search.model, slots, slot, left)
    write_entry(table, bound, evidence)
    at = slots.at[slot]
    if not _raise_cell(slots, stack, depth, slot, at, bound):
        return False
    return _find_unknown(search, depth, slot, at)


@njit_part
def _read_result(
    matrix: ResponseMatrix, model: CostModel, slots: Slots, slot: int, left: int
) -> tuple[int, int]:
    """Return the bound that a lookahead proves, and its evidence.

    Whether a guess attains the bound is not looked into: few guesses are left to ask that.
    """
    size = slots.size[slot, slots.cell[slot]]
    if _is_perfect(matrix, slots, slot):
        return cost_of_singles(model, size, left), Evidence.COST.value
    max_cells = MaxCells(slots.outside[slot], slots.inside[slot])
    bound = bound_state(model, size, left, max_cells)
    # With more candidates some cell has three.
    if bound < INFINITE and size <= 2 * max(max_cells.outside, max_cells.inside) + 1:
        return bound, Evidence.CUT_SHORT.value
    return bound, Evidence.BOUND.value
