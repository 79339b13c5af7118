"""Plans with open states: the guesses that a search did not have to know, found at its end.

The table knows the exact cost of a state if an image of it was solved before; which guess attains
that cost is needed for the tree alone. A plan is completed state by state, first guess
first: a state that a test or a lookahead solves gets their guess, any other open one is searched
again, with what the table knows. So each state's guess depends on the state and the guesses before
it, never on what the table happened to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit_bare, njit_merged
from ...kernels.rule_kinds import EligibleKind
from ...tasks.background import run_each
from . import Int32s, Int64s
from .cost import INFEASIBLE, UNLIMITED, has_list, spend_guess
from .pace import Pace
from .play_rule import depends_on_answers, filter_legal, list_path
from .problem import Search
from .responses import has_ranking
from .search import run_slice
from .small_states import solve_by_candidates, solve_by_legal, solve_by_lookahead, solve_by_survey
from .stack import NO_GUESS, OPEN, FrameStage, put_state
from .table import Evidence, find_entry

STATES_PER_THREAD = 4
"""For each of so many open states one more thread helps to complete a plan."""

NO_BOUND: Any = np.int64(0)
ANY_COST: Any = np.int64(INFEASIBLE)
"""Plain integers here would have numba compile what takes them once more."""


@by_reference
class Walk(NamedTuple):
    """The states of a plan with three candidates or more, in level order; arrays of n."""

    members: Int32s  # the candidates, those of each state together
    buffer: Int32s  # scratch
    start: Int32s  # where its candidates begin
    n: Int32s  # their number
    slot: Int32s  # where its plan begins
    parent: Int32s  # the state above; -1: none
    left: Int64s  # guesses left
    open_states: Int32s  # those that need a search
    # By a rule of play, first the state whose legal guesses are row 0 of `Stack.legal`.
    listed: Int32s


def complete_plan(
    search: Search,
    members: Int32s,
    history: tuple[int, ...],
    plan: Int32s,
    pace: Pace,
    look: Callable[[], None] = lambda: None,
    others: Sequence[Search] = (),
) -> None:
    """Write the guesses of a plan's open states, in place; see `Stack.plans`.

    The history's guesses were made since the root. The stack is used, and its first frame's `left`
    counts. `look` is called between slices; it may raise. Each search, of the same game and table,
    has a thread.
    """
    if depends_on_answers(search.model.eligible):
        list_path(
            search.rule, search.matrix, search.stack, put_state(search.stack, members, history)
        )
    columns: list[Any] = [np.empty_like(members) for _ in Walk._fields[1:]]
    walk = Walk(members.copy(), *columns)._replace(left=np.empty(len(members), dtype=np.int64))
    left = int(search.stack.frames.left[0])
    left = max(1, left - len(history)) if left else UNLIMITED

    def complete(search: Search, pace: Pace, state: int) -> None:
        first, n, slot = walk.start[state], walk.n[state], walk.slot[state]
        path = (*history, *reversed(list(_list_guesses(walk, plan, state))))
        own = walk.members[first : first + n].copy()
        plan[slot : slot + n - 1] = _search_state(search, own, path, pace, look)

    while n_open := _find_open(search, plan, len(history) + 1, left, walk):
        searches = (search, *others)[: 1 + n_open // STATES_PER_THREAD]
        threads = [partial(complete, each, copy(pace)) for each in searches]
        run_each(threads, walk.open_states[:n_open].tolist())
        walk.members[:] = members


def _list_guesses(walk: Walk, plan: Int32s, state: int) -> Iterator[int]:
    """Yield the guesses above a state, the last one first."""
    while (state := walk.parent[state]) >= 0:
        yield int(plan[walk.slot[state]])


def _search_state(
    search: Search, members: Int32s, history: tuple[int, ...], pace: Pace, look: Callable[[], None]
) -> Int32s:
    """Search for the first guess that attains the cost of a state; return its plan."""
    stack, n = search.stack, len(members)
    depth = put_state(stack, members, history)
    frames = stack.frames
    legal = stack.legal[depth, :0]
    if depends_on_answers(search.model.eligible):
        list_path(search.rule, search.matrix, stack, depth)
        legal = stack.legal[depth, : frames.n_legal[depth]]
    is_known, bound, evidence = find_entry(search.table, members, frames.left[depth], legal)
    frames.upper_bound[depth] = INFEASIBLE
    if is_known and evidence == Evidence.COST:
        frames.upper_bound[depth] = bound + 1
    frames.has_incumbent[depth], frames.stage[depth] = 0, FrameStage.ENTER
    stack.control.base_depth = stack.control.depth = depth
    while not run_slice(search, pace):
        look()
    assert frames.has_incumbent[depth]
    return stack.plans[depth, 0, : n - 1].copy()


@njit_bare
def _find_open(search: Search, plan: Int32s, depth: int, left: int, walk: Walk) -> int:
    """Write the guesses that need no search; list the open states that do, return their number.

    Below these the plan is not known, so their cells are looked at another time.
    """
    n_states, n_open = 1, 0
    walk.start[0], walk.n[0], walk.slot[0] = 0, len(walk.members), 0
    walk.parent[0], walk.left[0], walk.listed[0] = -1, left, -1
    state = 0
    while state < n_states:
        slot, guess = walk.slot[state], NO_GUESS
        if plan[slot] == OPEN or state > 0:
            guess = _solve_small(search, plan, depth, walk, state)
        if guess != NO_GUESS:
            plan[slot] = guess
        elif plan[slot] == OPEN:
            walk.open_states[n_open] = state
            n_open += 1
        else:
            n_states = _append_cells(search, plan, walk, state, n_states)
        state += 1
    return n_open


@njit_merged
def _solve_small(search: Search, plan: Int32s, depth: int, walk: Walk, state: int) -> int:
    """Return the guess with which a cell is solved without search, in the order of a trial."""
    matrix, model, scratch = search.matrix, search.model, search.scratch
    first, left = walk.start[state], walk.left[state]
    members = walk.members[first : first + walk.n[state]]
    guess = NO_GUESS
    if len(members) <= matrix.n_responses:
        _, guess = solve_by_candidates(matrix, model, scratch, members, left)
    # With more candidates a guess has a cell of three.
    if guess == NO_GUESS and len(members) < 2 * matrix.n_responses:
        if has_list(model):
            legal = search.rule.kept[: _keep_legal(search, plan, depth, walk, state)]
            _, guess = solve_by_legal(matrix, model, scratch, members, legal, left, NO_BOUND)
        elif has_ranking(matrix) and model.eligible == EligibleKind.ALL:
            _, guess = solve_by_survey(matrix, model, scratch, members, left, ANY_COST)
        else:
            _, guess = solve_by_lookahead(matrix, model, scratch, members, left)
    return guess


@njit_merged
def _keep_legal(search: Search, plan: Int32s, depth: int, walk: Walk, state: int) -> int:
    """Write to `PlayRule.kept` what is legal in a state below the plan's root; return how many.

    The list of the state above is kept for its next cell.
    """
    rule, matrix, stack = search.rule, search.matrix, search.stack
    above = walk.parent[state]
    if walk.listed[0] != above:
        walk.listed[0] = above
        member, n = walk.members[walk.start[above]], stack.frames.n_legal[depth]
        for at in range(n):
            stack.legal[0, at] = stack.legal[depth, at]
        # The order of the filters does not matter.
        at = walk.parent[above]
        while at >= 0:
            legal = stack.legal[0, :n]
            n = filter_legal(rule, matrix, plan[walk.slot[at]], member, legal, legal)
            at = walk.parent[at]
        stack.frames.n_legal[0] = n
    legal, member = stack.legal[0, : stack.frames.n_legal[0]], walk.members[walk.start[state]]
    return filter_legal(rule, matrix, plan[walk.slot[above]], member, legal, rule.kept)


@njit_merged
def _append_cells(search: Search, plan: Int32s, walk: Walk, state: int, n_states: int) -> int:
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
