"""Plans with open states: the guesses that a search did not have to know, found at its end.

The table tells that a state costs exactly so much, because an image of it was solved before; which
guess attains that is needed for the tree alone. A plan is completed state by state, first guess
first: a state that a test or a lookahead solves gets their guess, any other open one is searched
again, with what the table knows. So each state's guess depends on the state and the guesses before
it, never on what the table happened to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare, njit_bare_part
from .cost import INFEASIBLE, UNLIMITED, spend_guess
from .pace import Pace
from .problem import Search
from .responses import has_ranking
from .search import run_slice
from .small_states import solve_by_candidates, solve_by_lookahead, solve_by_survey
from .stack import NO_GUESS, OPEN, Stage, put_state
from .table import Evidence, find_entry


class Walk(NamedTuple):
    """The states of a plan with three candidates or more, in level order.

    Attributes
    ----------
    members, buffer : int32[n]
        The candidates, those of each state together; scratch.
    start, n, slot, parent, left : int32[n]
        Where its candidates begin, their number, where its plan begins, the state above (-1: none),
        guesses left.
    open_states : int32[n]
        Those that need a search.
    """

    members: NDArray[np.int32]
    buffer: NDArray[np.int32]
    start: NDArray[np.int32]
    n: NDArray[np.int32]
    slot: NDArray[np.int32]
    parent: NDArray[np.int32]
    left: NDArray[np.int32]
    open_states: NDArray[np.int32]


def complete_plan(
    search: Search,
    members: NDArray[np.int32],
    history: tuple[int, ...],
    plan: NDArray[np.int32],
    pace: Pace,
    look: Callable[[], None] = lambda: None,
) -> None:
    """Write the guesses of a plan's open states.

    Parameters
    ----------
    search
        Its stack is used; the first frame's `left` counts.
    members, history
        The plan's candidates, and the guesses made since the root.
    plan
        Written in place; see `Stack.plans`.
    pace
        Of the searches.
    look
        Called between slices; it may raise.
    """
    walk = Walk(members.copy(), *(np.empty_like(members) for _ in Walk._fields[1:]))
    left = int(search.stack.frames.left[0])
    left = max(1, left - len(history)) if left else UNLIMITED
    while n_open := _find_open(search, plan, left, walk):
        for state in walk.open_states[:n_open]:
            first, n, slot = walk.start[state], walk.n[state], walk.slot[state]
            path = (*history, *reversed(list(_list_guesses(walk, plan, state))))
            own = walk.members[first : first + n].copy()
            plan[slot : slot + n - 1] = _search_state(search, own, path, pace, look)
        walk.members[:] = members


def _list_guesses(walk: Walk, plan: NDArray[np.int32], state: int) -> Iterator[int]:
    """Yield the guesses above a state, the last one first."""
    while (state := walk.parent[state]) >= 0:
        yield int(plan[walk.slot[state]])


def _search_state(
    search: Search,
    members: NDArray[np.int32],
    history: tuple[int, ...],
    pace: Pace,
    look: Callable[[], None],
) -> NDArray[np.int32]:
    """Search for the first guess that attains the cost of a state; return its plan."""
    stack, n = search.stack, len(members)
    depth = put_state(stack, members, history)
    frames = stack.frames
    is_known, bound, evidence = find_entry(search.table, members, frames.left[depth])
    frames.upper_bound[depth] = INFEASIBLE
    if is_known and evidence == Evidence.COST:
        frames.upper_bound[depth] = bound + 1
    frames.has_incumbent[depth], frames.stage[depth] = 0, Stage.ENTER
    stack.control.base_depth = stack.control.depth = depth
    while not run_slice(search, pace):
        look()
    assert frames.has_incumbent[depth]
    return stack.plans[depth, 0, : n - 1].copy()


@njit_bare
def _find_open(search: Search, plan: NDArray[np.int32], left: int, walk: Walk) -> int:
    """Write the guesses that need no search; list the open states that do, return their number.

    Below these the plan is not known, so their cells are looked at another time.
    """
    n_states, n_open = 1, 0
    walk.start[0], walk.n[0], walk.slot[0] = 0, len(walk.members), 0
    walk.parent[0], walk.left[0] = -1, left
    state = 0
    while state < n_states:
        first, slot = walk.start[state], walk.slot[state]
        members = walk.members[first : first + walk.n[state]]
        guess = NO_GUESS
        if plan[slot] == OPEN or state > 0:
            guess = _solve_small(search, members, walk.left[state])
        if guess != NO_GUESS:
            plan[slot] = guess
        elif plan[slot] == OPEN:
            walk.open_states[n_open] = state
            n_open += 1
        else:
            n_states = _append_cells(search, plan, walk, state, n_states)
        state += 1
    return n_open


@njit_bare_part
def _solve_small(search: Search, members: NDArray[np.int32], left: int) -> int:
    """Return the guess with which a cell is solved without search, in the order of a trial."""
    matrix, model, scratch = search.matrix, search.model, search.scratch
    guess = NO_GUESS
    if len(members) <= matrix.n_responses:
        _, guess = solve_by_candidates(matrix, model, scratch, members, left)
    # With more candidates a guess has a cell of three.
    if guess == NO_GUESS and len(members) < 2 * matrix.n_responses:
        if has_ranking(matrix) and not model.candidates_only:
            _, guess = solve_by_survey(matrix, model, scratch, members, left, INFEASIBLE)
        else:
            _, guess = solve_by_lookahead(matrix, model, scratch, members, left)
    return guess


@njit_bare_part
def _append_cells(
    search: Search, plan: NDArray[np.int32], walk: Walk, state: int, n_states: int
) -> int:
    """Append the cells of a state's guess that have three candidates; return the new number."""
    sizes, first, n = search.scratch.sizes, walk.start[state], walk.n[state]
    responses = search.matrix.by_guess[plan[walk.slot[state]]]
    sizes[:] = 0
    for i in range(first, first + n):
        sizes[responses[walk.members[i]]] += 1
        walk.buffer[i] = walk.members[i]
    slot = walk.slot[state] + 1
    for response in range(len(sizes)):
        size = sizes[response]
        sizes[response] = first
        # The last response wins: that cell is over.
        if size > 2 and response < len(sizes) - 1:
            walk.start[n_states], walk.n[n_states], walk.slot[n_states] = first, size, slot
            walk.parent[n_states], walk.left[n_states] = state, spend_guess(walk.left[state])
            n_states += 1
        first += size
        slot += max(size - 1, 0)
    for i in range(walk.start[state], walk.start[state] + n):
        response = responses[walk.buffer[i]]
        walk.members[sizes[response]] = walk.buffer[i]
        sizes[response] += 1
    return n_states
