"""Plans: the guesses of a tree as a search keeps them, completed at its end, and made a tree.

The table knows the exact cost of a state if an image of it was solved before; which guess attains
that cost is needed for the tree alone. A plan is completed state by state, first guess
first: a state that a test or a lookahead solves gets their guess, any other open one is searched
again, with what the table knows. So each state's guess depends on the state and the guesses before
it, never on what the table happened to hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import TreeError
from ...games.base import Game
from ...jit.compiler import njit, njit_part
from ...kernels.responses import Scoring, make_scoring, respond
from ...tasks.background import run_each
from ...tasks.work import Look
from ...tree.tree import History, Provenance, Tree
from . import INFINITE, Int32s, Int64s
from .cells import MAX_SMALL
from .cost import has_list, spend, spend_guess
from .play_rule import depends_on_answers, filter_legal, list_path
from .problem import Search
from .responses import has_weights, order_by_weight
from .search import Pace, run_slice
from .small_states import FAR, solve_by_candidates, solve_by_guesses
from .stack import NO_GUESS, OPEN, FrameStage, put_state
from .table import Evidence, find_entry


class Found(NamedTuple):
    """The best tree that a search has found: its cost, and its plan (see `Stack.plans`)."""

    cost: int
    plan: Int32s


STATES_PER_THREAD = 4
"""Open states for each thread that helps to complete a plan."""

NO_BOUND: Any = np.int64(0)
ANY_COST: Any = np.int64(INFINITE)
"""Plain integers here would have numba compile what takes them once more."""


_START, _SIZE, _SLOT, _PARENT, _LEFT, _N_COLUMNS = range(6)
"""Columns of a state: where its candidates begin, how many there are, where its plan begins, the
state above it (-1: none), the guesses left."""

Walk = tuple[Int64s, Int32s, Int32s, Int32s, Int32s]
"""The states of a plan with three candidates or more, in level order.

A row of columns for each; the candidates, those of each state together; scratch for them; the
states that need a search; by a rule of play, the state whose legal guesses are row 0 of
`Stack.legal`.
"""


def complete_plan(
    search: Search,
    members: Int32s,
    history: tuple[int, ...],
    plan: Int32s,
    pace: Pace,
    look: Look = lambda: None,
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
    n = len(members)
    states, own = np.empty((n, _N_COLUMNS), dtype=np.int64), members.copy()
    buffer, open_states, listed = (np.empty_like(members) for _ in range(3))
    walk = states, own, buffer, open_states, listed
    left = spend(int(search.stack.frames.left[0]), len(history))

    def complete(search: Search, pace: Pace, state: int) -> None:
        first, n, slot = states[state, : _SLOT + 1]
        path = (*history, *reversed(list(_list_guesses(states, plan, state))))
        inside = own[first : first + n].copy()
        plan[slot : slot + n - 1] = _search_state(search, inside, path, pace, look)

    while n_open := _find_open(search, plan, len(history) + 1, left, walk):
        searches = (search, *others)[: 1 + n_open // STATES_PER_THREAD]
        threads = [partial(complete, each, copy(pace)) for each in searches]
        run_each(threads, open_states[:n_open].tolist())
        own[:] = members


def _list_guesses(states: Int64s, plan: Int32s, state: int) -> Iterator[int]:
    """Yield the guesses above a state, the last one first."""
    while (state := states[state, _PARENT]) >= 0:
        yield int(plan[states[state, _SLOT]])


def _search_state(
    search: Search, members: Int32s, history: tuple[int, ...], pace: Pace, look: Look
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
    frames.upper_bound[depth] = INFINITE
    if is_known and evidence == Evidence.COST:
        frames.upper_bound[depth] = bound + 1
    frames.has_incumbent[depth], frames.stage[depth] = 0, FrameStage.ENTER
    stack.control.base_depth = stack.control.depth = depth
    while not run_slice(search, pace):
        look()
    assert frames.has_incumbent[depth]
    return stack.plans[depth, 0, : n - 1].copy()


@njit
def _find_open(search: Search, plan: Int32s, depth: int, left: int, walk: Walk) -> int:
    """Write the guesses that need no search; list the open states that do, return their number.

    Below these the plan is not known, so their cells are looked at another time.
    """
    states, members, _, open_states, listed = walk
    n_states, n_open = 1, 0
    states[0, _START], states[0, _SIZE], states[0, _SLOT] = 0, len(members), 0
    states[0, _PARENT], states[0, _LEFT], listed[0] = -1, left, -1
    state = 0
    while state < n_states:
        slot, guess = states[state, _SLOT], NO_GUESS
        if plan[slot] == OPEN or state > 0:
            guess = _solve_small(search, plan, depth, walk, state)
        if guess != NO_GUESS:
            plan[slot] = guess
        elif plan[slot] == OPEN:
            open_states[n_open] = state
            n_open += 1
        else:
            n_states = _append_cells(search, plan, walk, state, n_states)
        state += 1
    return n_open


@njit_part
def _solve_small(search: Search, plan: Int32s, depth: int, walk: Walk, state: int) -> int:
    """Return the guess with which a cell is solved without search, in the order of a trial."""
    matrix, model, scratch = search.matrix, search.model, search.scratch
    states, candidates, _, _, _ = walk
    first, left, guess = states[state, _START], states[state, _LEFT], NO_GUESS
    members = candidates[first : first + states[state, _SIZE]]
    if len(members) <= (MAX_SMALL if has_weights(matrix) else matrix.n_responses):
        _, guess = solve_by_candidates(matrix, model, scratch, members, FAR, left)
    # With more candidates a guess has a cell of three.
    if guess == NO_GUESS and len(members) < 2 * matrix.n_responses:
        kept = search.rule.kept[:0]
        if has_list(model):
            kept = search.rule.kept[: _keep_legal(search, plan, depth, walk, state)]
        _, guess = solve_by_guesses(search, members, kept, left, NO_BOUND, ANY_COST)
    return guess


@njit_part
def _keep_legal(search: Search, plan: Int32s, depth: int, walk: Walk, state: int) -> int:
    """Write to `PlayRule.kept` what is legal in a state below the plan's root; return how many.

    The list of the state above is kept for its next cell.
    """
    rule, matrix, stack = search.rule, search.matrix, search.stack
    states, members, _, _, listed = walk
    above = states[state, _PARENT]
    if listed[0] != above:
        listed[0] = above
        member, n = members[states[above, _START]], stack.frames.n_legal[depth]
        for at in range(n):
            stack.legal[0, at] = stack.legal[depth, at]
        # The order of the filters does not matter.
        at = states[above, _PARENT]
        while at >= 0:
            legal = stack.legal[0, :n]
            n = filter_legal(rule, matrix, plan[states[at, _SLOT]], member, legal, legal)
            at = states[at, _PARENT]
        stack.frames.n_legal[0] = n
    legal, member = stack.legal[0, : stack.frames.n_legal[0]], members[states[state, _START]]
    return filter_legal(rule, matrix, plan[states[above, _SLOT]], member, legal, rule.kept)


@njit_part
def _append_cells(search: Search, plan: Int32s, walk: Walk, state: int, n_states: int) -> int:
    """Append the cells of a state's guess that have three candidates; return the new number."""
    states, members, buffer, _, _ = walk
    sizes, begin, n = search.scratch.sizes, states[state, _START], states[state, _SIZE]
    responses = search.matrix.by_guess[plan[states[state, _SLOT]]]
    sizes[:] = 0
    for i in range(begin, begin + n):
        sizes[responses[members[i]]] += 1
        buffer[i] = members[i]
    first, slot = begin, states[state, _SLOT] + 1
    for response in range(len(sizes)):
        size = sizes[response]
        sizes[response] = first
        # The last response wins: that cell is over.
        if size > 2 and response < len(sizes) - 1:
            states[n_states, _START], states[n_states, _SIZE] = first, size
            states[n_states, _SLOT], states[n_states, _PARENT] = slot, state
            states[n_states, _LEFT] = spend_guess(states[state, _LEFT])
            n_states += 1
        first += size
        slot += max(size - 1, 0)
    for i in range(begin, begin + n):
        response = responses[buffer[i]]
        members[sizes[response]] = buffer[i]
        sizes[response] += 1
    return n_states


def expand_plan(game: Game, candidates: Int32s, plan: Int32s, history: History = ()) -> Tree:
    """Return the tree that a plan of some candidates represents, without a name.

    Where a plan ends before a state, its heaviest candidate is guessed, the first of equal ones: a
    plan of length 0 represents the tree that does so in every state.
    """
    n, candidates = len(candidates), order_by_weight(game.rules, candidates)
    # There is room for twice as many nodes as candidates.
    guess, first_child, n_candidates, starts, slots = np.zeros((5, 2 * n + 1), dtype=np.int32)
    response = np.full(2 * n, -1, dtype=np.int16)
    n_nodes = _expand(
        make_scoring(game.rules),
        plan,
        (guess, response, first_child, n_candidates),
        starts,
        slots,
        candidates.astype(np.int32),
        np.empty(n, dtype=np.int32),
        np.zeros(game.n_responses, dtype=np.int64),
    )
    if n_nodes < 0:
        raise TreeError("the plan lacks a guess, or has one that gains no information")
    return Tree(
        game,
        Provenance("", "", history),
        guess[:n_nodes].copy(),
        response[:n_nodes],
        first_child[: n_nodes + 1].copy(),
        n_candidates[:n_nodes].copy(),
    )


def check_cost(
    game: Game, candidates: Int32s, found: Found, left: int, scale: int, last: int
) -> None:
    """Raise TreeError if a search claims another cost than its tree has: the search has a fault.

    `left` guesses are allowed; see `CostModel`.
    """
    tree = expand_plan(game, candidates, found.plan)
    cost = tree.share_total * scale + (tree.share_n_worst * last if tree.worst == left else 0)
    if cost != found.cost or left < tree.worst:
        raise TreeError(
            f"{game.name}: internal error: the search claims a cost of {found.cost}, but its tree"
            f" costs {cost} and has games of {tree.worst} guesses; please report the command"
        )


@njit
def _expand(
    scoring: Scoring,
    plan: Int32s,
    columns: tuple[Int32s, NDArray[np.int16], Int32s, Int32s],
    starts: Int32s,
    slots: Int32s,
    members: Int32s,
    buffer: Int32s,
    sizes: Int64s,
) -> int:
    """Write the nodes in level order; return their number, -1 if a guess is invalid.

    A state of n >= 3 candidates has n - 1 slots of the plan: its guess, then those of its cells
    in the order of responses. With one or two candidates the heaviest is guessed; only the root's
    guess stands in the plan for two, too, since it may be given.

    `columns` are those of a `Tree`; `starts` says where a node's candidates begin in `members`,
    `slots` where its guess is in the plan; `buffer` and `sizes` are scratch.
    """
    guess, response_to, first_child, n_candidates = columns
    n_candidates[0] = len(members)
    n_nodes = 1
    node = 0
    while node < n_nodes:
        first, n, slot = starts[node], n_candidates[node], slots[node]
        code = members[first]
        if (n > 2 or (n == 2 and node == 0)) and slot < len(plan):
            code = plan[slot]
            if code < 0 or code >= scoring.codes.shape[0]:
                return -1
        guess[node] = code
        first_child[node] = n_nodes
        _group(scoring, code, members[first : first + n], buffer, sizes)
        slot += 1
        for response in range(len(sizes) - 1):
            size = sizes[response]
            if size == n:
                return -1
            if size > 0:
                response_to[n_nodes] = response
                n_candidates[n_nodes] = size
                starts[n_nodes] = first
                slots[n_nodes] = slot
                n_nodes += 1
                slot += size - 1
                first += size
        node += 1
    first_child[n_nodes] = n_nodes
    return n_nodes


@njit_part
def _group(scoring: Scoring, code: int, members: Int32s, buffer: Int32s, sizes: Int64s) -> None:
    """Group a node's candidates by their response, and count each response into `sizes`."""
    sizes[:] = 0
    for i in range(len(members)):
        sizes[respond(scoring, code, members[i])] += 1
        buffer[i] = members[i]
    place = 0
    for response in range(len(sizes)):
        size = sizes[response]
        sizes[response] = place
        place += size
    for i in range(len(members)):
        response = respond(scoring, code, buffer[i])
        members[sizes[response]] = buffer[i]
        sizes[response] += 1
    for response in range(len(sizes) - 1, 0, -1):
        sizes[response] -= sizes[response - 1]
