"""Branch and bound on an explicit stack, in slices that return to the caller."""

from __future__ import annotations

from ..._jit import njit_bare, njit_bare_part
from .cells import refine, scatter
from .cost_model import Terms
from .counts import count_cost
from .guess_order import N_SYMMETRIC, list_guesses
from .lookahead import Scratch
from .response_matrix import Board
from .stack import (
    BASE,
    BEST,
    CELL,
    COST,
    DEEPEST,
    DEPTH,
    DESCEND,
    ENTER,
    FIRST,
    FLOOR,
    FOUND,
    GUESS,
    LEFT,
    LIMIT,
    N_CELLS,
    N_GUESSES,
    N_HISTORY,
    N_STATES,
    N_SURVEYS,
    N_TRIED,
    NEXT,
    SETTLED,
    SIZE,
    SLOT,
    STAGE,
    START,
    TRY,
    WIDTH,
    N,
    Stack,
)
from .symmetry import Group, mark_representatives
from .transposition_table import Memory, find_entry, write_entry


@njit_bare
def advance(
    board: Board,
    group: Group,
    terms: Terms,
    scratch: Scratch,
    stack: Stack,
    memory: Memory,
    n_units: int,
) -> None:
    """Search on for `n_units` of work or a little more; it is over when `DEPTH` is below `BASE`.

    Parameters
    ----------
    board, group, terms, scratch
        The search.
    memory
        What was proved so far, written in place; its keys hold for one board and one `terms`.
    stack
        Its state, written in place: the first frame's `FOUND`, `BEST` and plan are the result.
    n_units : int
        A unit is a state entered, a guess tried or a survey made.
    """
    control = stack.control
    control[LIMIT] = count_work(stack) + n_units
    while count_work(stack) < control[LIMIT]:
        depth = control[DEPTH]
        if depth < control[BASE]:
            return
        frame = stack.frames[depth]
        if frame[STAGE] == ENTER:
            enter(board, group, terms, scratch, stack, depth)
        elif frame[STAGE] == TRY:
            if not try_guesses(board, terms, scratch, stack, memory, depth):
                _leave(terms, stack, memory, depth)
        elif depth == control[DEEPEST]:
            frame[BEST], frame[FOUND], frame[STAGE] = frame[COST], 1, TRY
        else:
            _descend(stack, depth)


@njit_bare
def count_work(stack: Stack) -> int:
    """Return the work done so far."""
    control = stack.control
    return int(control[N_STATES] + control[N_TRIED] + control[N_SURVEYS])


@njit_bare
def enter(
    board: Board, group: Group, terms: Terms, scratch: Scratch, stack: Stack, depth: int
) -> None:
    """List the guesses of a state that was not looked at before."""
    stack.control[N_STATES] += 1
    if depth <= N_SYMMETRIC:
        _renew_marks(group, stack, depth)
    list_guesses(board, terms, scratch, stack, depth)
    stack.frames[depth, NEXT] = 0
    stack.frames[depth, STAGE] = TRY


@njit_bare
def push_root(stack: Stack, n: int, left: int, best: int) -> None:
    """Start a search: candidates ``0 … n - 1``, `left` guesses, a cost to get below."""
    for i in range(n):
        stack.members[0, i] = i
    frame = stack.frames[1]
    frame[START], frame[N], frame[LEFT], frame[BEST] = 0, n, left, best
    frame[STAGE], frame[FOUND] = ENTER, 0
    stack.frames[0, LEFT] = left
    stack.control[DEPTH] = stack.control[BASE] = 1


@njit_bare
def tighten(stack: Stack, best: int) -> None:
    """Lower the cost to get below, in the search's first frame and in all that are below it.

    What a state has found is forgotten where it does not get below: its parent's guess costs
    too much.
    """
    for depth in range(stack.control[BASE], stack.control[DEPTH] + 1):
        frame = stack.frames[depth]
        if best < frame[BEST]:
            frame[BEST], frame[FOUND] = best, 0
        best = frame[BEST] - frame[COST]
        if frame[STAGE] == DESCEND:
            best += stack.cells[depth, frame[CELL], FLOOR]


@njit_bare_part
def _renew_marks(group: Group, stack: Stack, depth: int) -> None:
    """Mark representatives for the guesses before this frame, unless it was done last time.

    The guesses of the history and of the frames stand in `stack.past`.
    """
    n_history = stack.control[N_HISTORY]
    is_new = False
    for i in range(depth):
        guess = stack.frames[i, GUESS] if i > 0 else -1
        if stack.marked[depth, i] != guess:
            is_new = True
            stack.marked[depth, i] = guess
        if i > 0:
            stack.past[n_history + i - 1] = guess
    if is_new:
        past = stack.past[: n_history + depth - 1]
        mark_representatives(group, past, stack.marks[depth])


@njit_bare
def try_guesses(
    board: Board, terms: Terms, scratch: Scratch, stack: Stack, memory: Memory, depth: int
) -> bool:
    """Try guesses until one needs a search below, the slice ends, or none is left (False)."""
    frame = stack.frames[depth]
    members = stack.members[depth - 1, frame[START] : frame[START] + frame[N]]
    is_sorted = frame[N] >= terms.n_sorted
    bounds = terms.bounds[frame[LEFT] - 1 if frame[LEFT] > 0 else 0, frame[WIDTH]]
    own = frame[N] * terms.scale
    while frame[NEXT] < frame[N_GUESSES]:
        if count_work(stack) >= stack.control[LIMIT]:
            return True
        code = stack.guesses[depth, frame[NEXT]]
        floor = stack.floors[depth, frame[NEXT]]
        frame[NEXT] += 1
        if floor >= frame[BEST]:
            if is_sorted:
                continue
            break
        stack.control[N_TRIED] += 1
        cost = own + count_cost(board.by_guess, members, code, bounds, scratch.sizes)
        if cost >= frame[BEST]:
            continue
        frame[GUESS], frame[COST], frame[CELL] = code, cost, 0
        scatter(board, terms, scratch, stack, depth)
        if refine(board, terms, scratch, stack, memory, depth):
            frame[STAGE] = DESCEND
            return True
    return False


@njit_bare_part
def _descend(stack: Stack, depth: int) -> None:
    """Go down into the next cell that is not settled, or take the guess when all are."""
    frame = stack.frames[depth]
    if frame[COST] >= frame[BEST]:
        frame[STAGE] = TRY
        return
    while frame[CELL] < frame[N_CELLS] and stack.cells[depth, frame[CELL], SETTLED] == 1:
        frame[CELL] += 1
    if frame[CELL] == frame[N_CELLS]:
        frame[BEST], frame[FOUND], frame[STAGE] = frame[COST], 1, TRY
        stack.plans[depth, 1, 0] = frame[GUESS]
        for slot in range(frame[N] - 1):
            stack.plans[depth, 0, slot] = stack.plans[depth, 1, slot]
        return
    cell = stack.cells[depth, frame[CELL]]
    child = stack.frames[depth + 1]
    child[START], child[N] = cell[FIRST], cell[SIZE]
    child[LEFT] = frame[LEFT] - 1 if frame[LEFT] > 0 else 0
    child[BEST] = frame[BEST] - frame[COST] + cell[FLOOR]
    child[STAGE], child[FOUND] = ENTER, 0
    stack.control[DEPTH] = depth + 1


@njit_bare_part
def _leave(terms: Terms, stack: Stack, memory: Memory, depth: int) -> None:
    """Leave a state: tell the parent the cost, or that its guess costs too much."""
    stack.control[DEPTH] = depth - 1
    if depth == stack.control[BASE]:
        return
    state, parent = stack.frames[depth], stack.frames[depth - 1]
    if terms.beam == 0:
        _remember(stack, memory, depth)
    if state[FOUND] == 0:
        parent[STAGE] = TRY
        return
    cell = stack.cells[depth - 1, parent[CELL]]
    parent[COST] += state[BEST] - cell[FLOOR]
    cell[FLOOR], cell[SETTLED] = state[BEST], 1
    for slot in range(cell[SIZE] - 1):
        stack.plans[depth - 1, 1, cell[SLOT] + slot] = stack.plans[depth, 0, slot]


@njit_bare_part
def _remember(stack: Stack, memory: Memory, depth: int) -> None:
    """Keep the cost of the state on top, or that it reaches the window: a bound either way."""
    state = stack.frames[depth]
    members = stack.members[depth - 1, state[START] : state[START] + state[N]]
    is_known = find_entry(memory, members, state[LEFT])
    # A window that was tightened on the way may prove less than the memory knows.
    if not is_known or memory.known[0] < state[BEST]:
        write_entry(memory, state[BEST], -1)
