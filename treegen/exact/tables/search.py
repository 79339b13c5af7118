"""Depth-first branch and bound over states of a table, in one kernel that may pause at any state.

1. A state is looked up (`enter`): under the same key all that is proved of it is kept.
2. Its questions are listed with what they cost at least (`open_node`).
3. The question of the least bound is tried: its cells become nodes (`list_cells`), all of them are
   opened, which raises their bounds, and then searched, the smallest first, until they cost as much
   as the best question does (`advance`).
4. When no question is left whose bound is below that, the state is stored, and its cost added to
   that of the state above (`search`).

The bound of a question depends on the state alone, not on what was proved before. Questions are
tried by bound, then by their number; of equally good ones the first counts. So a tree depends
neither on the table of states nor on the order of work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit, njit_part
from ..engine import INFINITE, Int32s, Int64s, UInt64s
from ..engine.cost import spend_guess
from .bounds import (
    MOST_ITEMS,
    Limits,
    Profiles,
    Room,
    add_profile,
    bound_cell,
    bound_layers,
    divide,
    estimate_cell,
    has_groups,
    is_certain,
    number_cells,
    write_rises,
)
from .problem import TableProblem

FAILED, WORKED, DESCENDED, PAUSED, CROWDED = -1, -2, -3, -4, -5
"""Results that are no costs: there is none below the upper bound; there is more to do in the same
state; a cell comes next; the kernel is to be called again, at once or with more room."""

NEW, LISTED, ENTERED, SEARCHED = 0, 1, 2, 3
"""Stages of a node: nothing is done; its questions are listed; it is searched; that is over."""

DEFERRED = 1 << 60
"""Added to the rank of a question that another thread tries: it comes after all others."""

EVEN_BITS = 22
"""Of a rank for the longest path: of questions of equal bounds the most even comes first."""

MIN_SHARED = 8
"""States of fewer items are searched by any thread that comes to them."""

ROOT_FACTOR = 8
"""A beam tries this many times as many questions in the root: the first decides more than any."""

_BOUND, _FOUND = 2, 3
_SIZE_BITS = np.uint64(32)
ODD, _OTHER_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@by_reference
class TableAim(NamedTuple):
    """What is minimised, and how much of a state is tried."""

    scale: int  # of the total; 0, and no step: the dearest path is minimised instead
    step: int  # what each state of the tree costs besides, leaves too
    last: int  # what the shares cost besides that are found when all is spent, shifted first
    shift: int
    width: int  # states of more than `n_full` items try this many questions; 0: all
    n_full: int
    horizon: int  # states below this depth count with what they cost at least
    salt: int  # of the keys: what is found for another aim is not looked up
    capacities: Int64s  # [...]: how many items are found at cost 0, 1 … at most; then all


@by_reference
class Nodes(NamedTuple):
    """The states on the way from the root, and the cells of the questions under trial there.

    Node 0 has what the root may ask, node 1 is the root. A node's cells follow each other.
    """

    stage: Int64s
    parent: Int64s
    depth: Int64s  # of the root: 1
    begin: Int64s  # with `end`: its items in `Room`
    end: Int64s
    top: Int64s  # where in `Room` there is room
    weight: Int64s  # the sum of its shares
    left: Int64s  # what may still be spent
    lower: Int64s  # it costs no less
    counted: Int64s  # how much of that the cost of the question above has
    best: Int64s  # the cost to get below
    found: Int64s  # the question that costs so much; -1: none yet
    rank: Int64s  # that question's rank
    trial: Int64s  # the rank of the question under trial
    late: Int64s  # 1 if that one stands before `found`, and may cost as much: `best` is 1 more
    floor: Int64s  # what questions that are not tried yet cost at least, or `best`
    asked: Int64s  # the question under trial; -1: none
    cost: Int64s  # what it costs at least by what is known of its cells
    first: Int64s  # the first node of its cells
    n_cells: Int64s
    cell: Int64s  # which of them is searched
    n_searched: Int64s  # how many of them were searched
    n_opened: Int64s  # how many of them were opened
    n_tried: Int64s
    n_deferred: Int64s
    useful: Int64s  # where in `Lists` its questions begin that exclude some item
    n_useful: Int64s
    dead: Int64s  # where those begin that would exclude some item, but were asked before
    n_dead: Int64s
    listed: Int64s  # where those begin that may cost less than `best`: a heap
    n_listed: Int64s
    room: Int64s  # where in `Lists` there is room behind its own, and its siblings'
    lists: Int64s  # the same, behind those of its cells
    keys: UInt64s  # [n_nodes, 2]


@by_reference
class Lists(NamedTuple):
    """Questions of nodes."""

    questions: Int32s
    ranks: Int64s  # of those listed: the least is tried first
    bounds: Int64s  # what each of them costs at least


@by_reference
class TableWork(NamedTuple):
    """A search and how far it is."""

    problem: TableProblem
    aim: TableAim
    first: Int32s  # the questions allowed in the root, the preferred one first; empty: all
    nodes: Nodes
    limits: Limits
    lists: Lists
    room: Room
    profiles: Profiles
    # [n_places, 2]: hash of a division, the question that has it and in which state.
    divisions: UInt64s
    # [n_entries, 4]: the key, the bound, the number of items and the question + 1; the key is
    # combined with both, so that what two threads wrote at once is no entry [Hyatt & Mann 2002].
    entries: UInt64s
    # [n_places]: keys of the states and trials that threads are at; empty: there is one thread.
    claims: UInt64s
    # The node; states searched so far, and opened so far; most items of all cells; whether the root
    # is that of the whole search, not of one of its states.
    control: Int64s


@njit_part(inline=True)
def is_longest(aim: TableAim) -> bool:
    """Whether the dearest path is minimised."""
    return aim.scale == 0 and aim.step == 0


@njit_part(inline=True)
def _find_owner(problem: TableProblem, question: int) -> int:
    """Return the item that a question guesses; -1: none."""
    return int(problem.owners[question]) if len(problem.owners) > 0 else -1


@njit
def search(work: TableWork, n_units: int) -> int:
    """Search until about `quota` answers of items were looked at; return the cost of the root.

    With 0 the root is opened, with less it is only looked up.
    """
    nodes, control = work.nodes, work.control
    units, value = 0, FAILED
    while control[0] > 0:
        node = control[0]
        if units > max(n_units, 0):
            return PAUSED
        if not _has_room(work, node):
            return CROWDED
        if nodes.stage[node] != ENTERED:
            if node == 1:
                identify(work, node)
                nodes.lists[node] = nodes.lists[0]
            value = enter(work, node)
            if value == WORKED and n_units < 0:
                return PAUSED
            if value == WORKED and nodes.stage[node] == NEW:
                units += open_node(work, node, nodes.best[node])
                nodes.room[node] = nodes.lists[node]
            nodes.stage[node] = ENTERED
            if value == WORKED and nodes.lower[node] >= nodes.best[node]:
                store(work, node, nodes.lower[node], -1)
                value = FAILED
        elif nodes.n_opened[node] < nodes.n_cells[node]:
            units += _open_next(work, node)
            value = WORKED
        else:
            value = advance(work, node)
            units += 1
        if value == DESCENDED:
            control[0] = nodes.first[node] + nodes.cell[node]
            control[1] += 1
            claim(work, control[0], -1)
        elif value != WORKED:
            release(work, node, -1)
            control[0] = nodes.parent[node]
            if control[0] > 0:
                _count_cell(work, control[0], value)
    return int(value)


@njit_part
def _find_claim(work: TableWork, node: int, question: int) -> tuple[np.int64, np.uint64]:
    """Return place and key of a state, or of a question's trial there; the place -1: none."""
    if len(work.claims) == 0 or work.nodes.end[node] - work.nodes.begin[node] < MIN_SHARED:
        return np.int64(-1), np.uint64(0)
    key = work.nodes.keys[node, 0] ^ _mix(np.uint64(question + 1))
    return np.int64(key & np.uint64(len(work.claims) - 1)), key


@njit_part
def is_claimed(work: TableWork, node: int, question: int) -> bool:
    """Return whether another thread is at a state, or at a question's trial there."""
    place, key = _find_claim(work, node, question)
    return bool(place >= 0 and work.claims[place] == key)


@njit_part
def claim(work: TableWork, node: int, question: int) -> None:
    """Let other threads know that one is at a state (-1), or at a question's trial there.

    They do something else first, and find the result in the table: ABDADA. It is a hint: of
    two claims of one place the last stays.
    """
    place, key = _find_claim(work, node, question)
    if place >= 0:
        work.claims[place] = key


@njit_part
def release(work: TableWork, node: int, question: int) -> None:
    """Take a claim back."""
    place, key = _find_claim(work, node, question)
    if place >= 0 and work.claims[place] == key:
        work.claims[place] = np.uint64(0)


@njit_part
def _has_room(work: TableWork, node: int) -> bool:
    """Return whether the next step has room for items, nodes and questions."""
    nodes, control, n_questions = work.nodes, work.control, len(work.problem.costs)
    n_cells, n_items = len(work.room.ends), len(work.problem.ends)
    # The cells of a node that is opened for its bound stand above all of its parent's.
    return bool(
        nodes.top[node] + 2 * control[3] <= len(work.room.items)
        and nodes.first[node] + n_cells + 1 <= len(nodes.stage)
        and nodes.lists[node] + 2 * n_questions + n_items + 2 + n_cells * (nodes.n_dead[node] + 1)
        <= len(work.lists.questions)
    )


@njit_part
def _count_cell(work: TableWork, node: int, value: int) -> None:
    """Add the cost of a cell to that of the question under trial; give up what costs too much."""
    nodes = work.nodes
    if value == FAILED:
        nodes.cost[node] = INFINITE
        below = nodes.first[node] + nodes.cell[node]
        _drop_supersets(work, node, nodes.begin[below], nodes.end[below])
    elif is_longest(work.aim):
        cost = work.problem.costs[nodes.asked[node]] + value
        nodes.cost[node] = max(nodes.cost[node], cost)
    else:
        nodes.cost[node] += value - nodes.counted[nodes.first[node] + nodes.cell[node]]
    nodes.stage[nodes.first[node] + nodes.cell[node]] = SEARCHED
    nodes.n_searched[node] += 1
    if nodes.cost[node] >= nodes.best[node]:
        nodes.n_cells[node] = nodes.n_opened[node] = 0


@njit_part
def _drop_supersets(work: TableWork, node: int, begin: int, end: int) -> None:
    """Drop the questions of which a cell has all items of one whose longest path is too long.

    Of the thresholds of a column, which are ordered, all beyond one that fails are dropped. Only
    where guesses must be possible may fewer items take longer.
    """
    nodes, lists, problem, aim = work.nodes, work.lists, work.problem, work.aim
    is_partial = aim.horizon < INFINITE or _is_narrow(work, node)
    if not is_longest(aim) or is_partial or problem.candidates_only:
        return
    items = work.room.items[begin:end]
    base, n_kept = nodes.listed[node], 0
    for at in range(base, base + nodes.n_listed[node]):
        question, rank = int(lists.questions[at]), lists.ranks[at]
        is_dearer = problem.costs[question] >= problem.costs[nodes.asked[node]]
        # One that another thread was at may stand before the best one, and cost as much.
        is_dropped = is_dearer and nodes.found[node] < 0 and _is_common(problem, question, items)
        if is_dropped:
            nodes.n_deferred[node] -= int(rank >= DEFERRED)
            continue
        to = base + n_kept
        lists.questions[to], lists.ranks[to], lists.bounds[to] = question, rank, lists.bounds[at]
        n_kept += 1
    if n_kept < nodes.n_listed[node]:
        nodes.n_listed[node] = n_kept
        _order(work, node)


@njit_part
def _is_common(problem: TableProblem, question: int, items: Int32s) -> bool:
    """Return whether all items may give the same answer to a question."""
    row, starts, answers = problem.cells[question], problem.starts, problem.answers
    for place in range(starts[row[items[0]]], starts[row[items[0]] + 1]):
        is_common = True
        for item in items:
            is_found = False
            for other in range(starts[row[item]], starts[row[item] + 1]):
                is_found |= answers[other] == answers[place]
            if not is_found:
                is_common = False
                break
        if is_common:
            return True
    return False


@njit_part
def enter(work: TableWork, node: int) -> int:
    """Return the cost of a state if it is known, and below its upper bound.

    FAILED if it is not below, WORKED if that is not known.
    """
    nodes, upper = work.nodes, work.nodes.best[node]
    if node == 1:  # in all others there is something to choose
        begin, end, rises = nodes.begin[node], nodes.end[node], work.lists.bounds[:0]
        cost, is_over = _bound_part(work, node, begin, end, nodes.left[node], rises, 0)
        if is_over:
            return int(cost) if cost < upper else FAILED
    bound, question = read_entry(work.entries, nodes.keys[node])
    if bound >= upper:
        return FAILED
    if question >= 0:
        nodes.found[node] = question
        return int(bound)
    nodes.lower[node] = max(nodes.lower[node], bound)
    if nodes.depth[node] > work.aim.horizon and nodes.stage[node] == LISTED:
        return int(nodes.lower[node])
    return WORKED


@njit_part
def _is_given(work: TableWork, node: int) -> bool:
    """Return whether only the first questions that were given are allowed in a state."""
    return node == 1 and len(work.first) > 0


@njit_part
def _is_narrow(work: TableWork, node: int) -> bool:
    """Return whether a beam tries only some questions of a state."""
    n = work.nodes.end[node] - work.nodes.begin[node]
    return work.aim.width > 0 and n > work.aim.n_full


@njit_part
def _is_useful(problem: TableProblem, question: int, items: Int32s) -> bool:
    """Return whether a question excludes some item: not all may give the same answers."""
    row = problem.cells[question]
    for item in items:  # noqa: SIM110 (compiled)
        if row[item] != row[items[0]]:
            return True
    return False


@njit_part
def _mix(value: np.uint64) -> np.uint64:
    """Return bits that all depend on all [Steele et al. 2014]."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit_part
def identify(work: TableWork, node: int) -> None:
    """Write the questions that a state remembers, at `lists` of the node above, and its key.

    The key has 128 bits: items with shares, those questions, what may be spent, the aim, and what
    the root may ask.
    """
    nodes, room, aim, problem = work.nodes, work.room, work.aim, work.problem
    begin, end, above, questions = (
        nodes.begin[node],
        nodes.end[node],
        nodes.parent[node],
        work.lists.questions,
    )
    nodes.dead[node], nodes.n_dead[node] = nodes.lists[above], 0
    low, high, random = np.uint64(0), np.uint64(0), problem.keys
    n_dead, n_items = 0, len(problem.ends)
    # Where answers are certain, nobody answers differently when asked anew.
    for at in range(0 if is_certain(problem) else nodes.n_dead[above] + 1):
        question = int(nodes.asked[above])
        if at < nodes.n_dead[above]:
            question = int(questions[nodes.dead[above] + at])
        if question >= 0 and _is_useful(problem, question, room.items[begin:end]):
            questions[nodes.dead[node] + n_dead] = question
            n_dead += 1
            low += random[n_items + question, 0]
            high += random[n_items + question, 1]
    nodes.n_dead[node] = n_dead
    nodes.lists[above] += n_dead
    for at in range(begin, end):
        item = room.items[at]
        value = _mix(random[item, 0] + np.uint64(room.shares[at]) * ODD)
        low += value
        high += (value ^ random[item, 1]) * _OTHER_ODD
    salt = np.uint64(aim.salt)
    if _is_narrow(work, node):
        salt += np.uint64(aim.width << 32 | aim.n_full) * ODD
    if aim.horizon < INFINITE:
        salt += np.uint64(aim.horizon - nodes.depth[node] + 2) * _OTHER_ODD
    if _is_given(work, node):
        for question in work.first:
            salt = _mix(salt + np.uint64(question + 1) * ODD)
    low = _mix(low ^ _mix(np.uint64(nodes.left[node]) * _OTHER_ODD + salt))
    nodes.keys[node, 0], nodes.keys[node, 1] = low, _mix(high + low)


@njit_part
def read_entry(entries: UInt64s, key: UInt64s) -> tuple[np.int64, np.int64]:
    """Return a state's lower bound, and its question if that is its cost; -1, -1 if unknown."""
    place = np.int64(key[0] & np.uint64(len(entries) - 1))
    for side in range(2):
        at = place ^ side
        bound, found = entries[at, _BOUND], entries[at, _FOUND]
        if (
            entries[at, 0] ^ bound ^ found == key[0]
            and entries[at, 1] ^ (bound * ODD) ^ found == key[1]
        ):
            return np.int64(bound), np.int64(found >> _SIZE_BITS) - np.int64(1)
    return np.int64(-1), np.int64(-1)


@njit_part
def store(work: TableWork, node: int, bound: int, question: int) -> None:
    """Keep what a state costs and its question, or, with -1, what it costs at least.

    Of the two places of a key, the first keeps the larger state: it took more work.
    """
    nodes, entries = work.nodes, work.entries
    key, n = nodes.keys[node], np.uint64(nodes.end[node] - nodes.begin[node])
    known, its_question = read_entry(entries, key)
    if known >= bound and (its_question >= 0 or question < 0):
        return
    place = np.int64(key[0] & np.uint64(len(entries) - 1))
    at = place
    if known < 0:
        if entries[at, _FOUND] & np.uint64(0xFFFFFFFF) > n:
            at ^= 1
    elif entries[at, 0] ^ entries[at, _BOUND] ^ entries[at, _FOUND] != key[0]:
        at ^= 1
    value, found = np.uint64(bound), n | (np.uint64(question + 1) << _SIZE_BITS)
    entries[at, 0], entries[at, 1] = key[0] ^ value ^ found, key[1] ^ (value * ODD) ^ found
    entries[at, _BOUND], entries[at, _FOUND] = value, found


@njit_part
def _weigh_last(work: TableWork, weight: int) -> int:
    """Return the cost of shares that are found when all is spent."""
    return int(work.aim.last * (weight >> work.aim.shift))


@njit_part
def _bound_part(
    work: TableWork, node: int, begin: int, end: int, left: int, rises: Int64s, last_layer: int
) -> tuple[int, bool]:
    """Return a lower bound of a cell's cost, and whether it is the cost itself.

    Then the game is over there, but for the guess of a single item.
    """
    problem, aim, room = work.problem, work.aim, work.room
    n = end - begin
    if problem.is_win and n == 1:
        cost, share = problem.ends[room.items[begin]], room.shares[begin]
        if cost > left:
            return INFINITE, True
        if is_longest(aim):
            return int(cost), True
        last = _weigh_last(work, share) if cost == left else 0
        return int(aim.scale * cost * share + last + aim.step), True
    total, n_leaves = 0, 1
    if n > 1:
        total, n_leaves = bound_cell(
            problem, room, work.limits, node, begin, end, rises, last_layer
        )
    if n_leaves < 2:
        weight = 0
        if aim.last and left == 0:
            for at in range(begin, end):
                weight += room.shares[at]
        return _weigh_last(work, weight) + aim.step, True
    if left < len(aim.capacities) and n_leaves > aim.capacities[left]:
        return INFINITE, False
    if is_longest(aim):
        worst = 0
        while worst < len(aim.capacities) and aim.capacities[worst] < n_leaves:
            worst += 1
        return worst, False
    total *= aim.scale
    if aim.step:
        # Each leaf is a state; so is each item that is guessed, at a leaf or above.
        total += aim.step * n_leaves
        if len(problem.owners) == 0:
            total += aim.step * -(-(n_leaves - 1) // (work.limits.arities[node, 0] - 1))
    if aim.last and not has_groups(problem) and 0 < left < len(aim.capacities):
        # No more than that many are found before all is spent.
        for at in range(begin + aim.capacities[left - 1], end):
            total += _weigh_last(work, room.shares[at])
    return int(total), False


@njit_part
def _is_won(problem: TableProblem, room: Room, question: int, begin: int, end: int) -> bool:
    """Return whether a cell of a question is the item that it guesses."""
    return bool(end - begin == 1 and room.items[begin] == _find_owner(problem, question))


@njit_part
def open_node(work: TableWork, node: int, upper: int) -> int:
    """List the questions of a state that may cost less than an upper bound; return the work.

    Its own bound rises. The questions stand from `lists` of the node on.
    """
    nodes, n = work.nodes, work.nodes.end[node] - work.nodes.begin[node]
    nodes.stage[node], nodes.found[node], nodes.asked[node] = LISTED, -1, -1
    nodes.n_cells[node] = nodes.n_opened[node] = nodes.n_searched[node] = 0
    nodes.n_tried[node] = nodes.n_deferred[node] = nodes.late[node] = 0
    nodes.cost[node], nodes.weight[node] = INFINITE, 0
    for at in range(nodes.begin[node], nodes.end[node]):
        nodes.weight[node] += work.room.shares[at]
    work.control[2] += 1
    _list_useful(work, node)
    rises = work.lists.bounds[nodes.useful[node] : nodes.useful[node] + n + 1]
    if work.limits.rises[node] < 0:
        rises = rises[:0]
    lowest = _bound_listed(work, node, upper, rises)
    floor = max(lowest, _bound_node(work, node, upper, rises))
    if nodes.n_listed[node] == 0:
        floor = max(floor, upper)
    nodes.lower[node] = max(nodes.lower[node], floor)
    nodes.floor[node] = nodes.lower[node]
    _order(work, node)
    nodes.lists[node] = nodes.listed[node] + nodes.n_listed[node]
    if _is_narrow(work, node) and not _is_given(work, node):
        # Those that are too dear count, too: its tree depends on its width alone.
        n_tried = work.aim.width
        if node == 1 and work.control[4]:
            n_tried *= ROOT_FACTOR
        n_tried = min(n_tried, nodes.n_listed[node])
        for _ in range(n_tried):
            _take_top(work, node)
        nodes.listed[node] += nodes.n_listed[node]
        nodes.n_listed[node] = n_tried
        _order(work, node)
    return int(n * (nodes.n_useful[nodes.parent[node]] + 1))


@njit_part
def _list_useful(work: TableWork, node: int) -> None:
    """List the questions that exclude some item, and find what limits those below.

    Of certain questions that divide alike the first is kept: also below, it costs no more than the
    others. What is not to be tried here is marked by a number below 0.
    """
    nodes, problem, room, lists = work.nodes, work.problem, work.room, work.lists
    begin, end, above = nodes.begin[node], nodes.end[node], nodes.parent[node]
    n, n_useful, n_layers = end - begin, 0, len(problem.layers)
    is_given, stamp = _is_given(work, node), work.control[2]
    useful, arities = nodes.lists[node], work.limits.arities[node]
    arities[:] = 2
    is_even = room.shares[begin] == room.shares[end - 1]
    has_counts = not has_groups(problem) and 3 < n <= MOST_ITEMS and work.aim.scale > 0
    has_counts = has_counts and (is_even or problem.is_win) and room.shares[begin] > 0
    n_profiles, end_cost, cheapest = 0, INFINITE, INFINITE
    for at in range(begin, end):
        room.members[room.items[at]] = stamp
        end_cost = min(end_cost, problem.ends[room.items[at]])
    for at in range(nodes.n_useful[above]):
        question = int(lists.questions[nodes.useful[above] + at])
        owner, place = _find_owner(problem, question), 0
        is_owned = owner >= 0 and room.members[owner] == stamp
        is_allowed = is_owned or not problem.candidates_only
        if is_given:
            place = _find_first(work.first, question)
        if question == nodes.asked[above] or not (is_allowed or (is_given and place >= 0)):
            continue
        n_cells, is_useful, hashed = number_cells(problem, room, question, begin, end)
        if not is_useful:
            continue
        winner = -1
        if is_owned and (problem.is_win or work.aim.step):
            answer = problem.answers[problem.starts[problem.cells[question, owner]]]
            winner = room.numbers[answer] - room.base[0]
            hashed = _mix(hashed + np.uint64(owner))
        is_listed = place >= 0
        if not is_given:
            is_listed = not _has_twin(work, node, question, hashed, stamp)
        is_kept = is_given or problem.candidates_only or not is_certain(problem)
        if not (is_listed or is_kept):
            continue
        lists.questions[useful + n_useful] = question if is_listed else -1 - question
        n_useful += 1
        if is_allowed:
            cost = problem.costs[question]
            cheapest = min(cheapest, cost)
            for layer in range(n_layers):
                if cost < problem.layers[layer] and layer > 0:
                    break
                arities[layer] = max(arities[layer], n_cells)
            if has_counts:
                # The sizes stand where cells end.
                n_profiles = add_profile(work.profiles, n_profiles, room, n_cells, cost, winner)
    nodes.useful[node], nodes.n_useful[node] = useful, n_useful
    nodes.listed[node], nodes.n_listed[node] = useful + max(n_useful, n + 1), 0
    work.limits.cheapest[node], work.limits.rises[node] = cheapest, -1
    if has_counts and n_useful > 0:
        work.limits.rises[node] = useful
        rises = lists.bounds[useful : useful + n + 1]
        write_rises(work.profiles, n_profiles, n, end_cost, rises)


@njit_part
def _find_first(first: Int32s, question: int) -> int:
    """Return the place of a question among those that were given; -1: it is none of them."""
    for place in range(len(first)):
        if first[place] == question:
            return place
    return -1


@njit_part
def _has_twin(work: TableWork, node: int, question: int, hashed: np.uint64, stamp: int) -> bool:
    """Return whether a question before, which costs no more, divides as one does; else keep it."""
    divisions = work.divisions
    place = np.int64(hashed & np.uint64(len(divisions) - 1))
    mark = np.uint64(stamp) << np.uint64(32)
    while divisions[place, 1] >> np.uint64(32) == np.uint64(stamp):
        if divisions[place, 0] == hashed:
            other = int(divisions[place, 1] & np.uint64(0xFFFFFFFF))
            if _divide_alike(work, node, question, other):
                return True
        place = (place + 1) & (len(divisions) - 1)
    divisions[place, 0], divisions[place, 1] = hashed, mark | np.uint64(question)
    return False


@njit_part
def _divide_alike(work: TableWork, node: int, one: int, other: int) -> bool:
    """Return whether two questions have the same cells: their answers correspond."""
    nodes, problem, items = work.nodes, work.problem, work.room.items
    starts, answers, twins = problem.starts, problem.answers, work.room.twins
    is_won = problem.is_win or work.aim.step  # a guess that wins leads to no state
    if is_won and _find_owner(problem, one) != _find_owner(problem, other):
        return False
    for is_compared in range(2):
        for at in range(nodes.begin[node], nodes.end[node]):
            own, its = problem.cells[one, items[at]], problem.cells[other, items[at]]
            if starts[own + 1] - starts[own] != starts[its + 1] - starts[its]:
                return False
            for place in range(starts[own + 1] - starts[own]):
                my_answer, its_answer = answers[starts[own] + place], answers[starts[its] + place]
                if not is_compared:
                    twins[0, my_answer], twins[1, its_answer] = its_answer, my_answer
                elif twins[0, my_answer] != its_answer or twins[1, its_answer] != my_answer:
                    return False
    return True


@njit_part
def _bound_listed(work: TableWork, node: int, upper: int, rises: Int64s) -> int:
    """List those useful questions that may cost less than an upper bound; return the least bound.

    What an item needs is written on the way.
    """
    nodes, lists, problem, aim, room = work.nodes, work.lists, work.problem, work.aim, work.room
    begin, end, top = nodes.begin[node], nodes.end[node], nodes.top[node]
    left, weight, needs = nodes.left[node], nodes.weight[node], room.needs
    is_given, is_narrow = _is_given(work, node), _is_narrow(work, node)
    is_ranked, is_counted = is_narrow or weight == 0, len(rises) > 0
    n_layers, lowest, unknown = len(problem.layers), INFINITE, 0
    if is_ranked:
        unknown = estimate_cell(problem, room, begin, end)
    # What dearer layers cost is the same for all cheaper questions: their cells hold whole blocks.
    above = room.layers
    above[n_layers - 1] = 0
    for layer in range(n_layers - 1, 0, -1):
        cost = 0
        if aim.scale > 0 and not is_counted:
            cost = bound_layers(problem, room, work.limits, node, begin, end, layer, layer)
        above[layer - 1] = above[layer] + cost
    for at in range(begin, end):
        needs[room.items[at]] = INFINITE
    last_layer = n_layers - 1 if is_counted else 0
    for at in range(nodes.n_useful[node]):
        question = int(lists.questions[nodes.useful[node] + at])
        if question < 0:  # it is not to be tried here
            lists.questions[nodes.useful[node] + at] = -1 - question
            continue
        cost = problem.costs[question]
        if cost > left:
            continue
        rest = spend_guess(left, cost)
        while last_layer + 1 < n_layers and problem.layers[last_layer + 1] <= cost:
            last_layer += 1
        n_cells = divide(problem, room, question, begin, end, top)
        total = cost if is_longest(aim) else aim.scale * (cost * weight + above[last_layer])
        if is_counted and not is_longest(aim):
            total = aim.scale * cost * weight
        total += aim.step
        start, estimate, largest = top, 0, 0
        for cell in range(n_cells):
            stop = room.ends[cell]
            largest = max(largest, stop - start)
            if stop - start > 1 and total >= upper and not has_groups(problem) and not is_narrow:
                start = stop  # enough is known
                continue
            if _is_won(problem, room, question, start, stop):
                item = room.items[start]
                needs[item] = min(needs[item], cost)
                if rest == 0 and total < INFINITE and not is_longest(aim):
                    total += _weigh_last(work, room.shares[start])
                start = stop
                continue
            lower, is_over = _bound_part(work, node, start, stop, rest, rises, last_layer)
            if is_over:
                for place in range(start, stop):
                    item = room.items[place]
                    needs[item] = min(needs[item], cost + problem.ends[item])
            elif is_ranked:
                estimate += estimate_cell(problem, room, start, stop)
            if lower >= INFINITE:
                total = INFINITE
            elif is_longest(aim):
                total = max(total, cost + lower)
            elif total < INFINITE:
                total += lower
            start = stop
        lowest = min(lowest, total)
        if total < upper or (is_narrow and total < INFINITE):
            place = nodes.listed[node] + nodes.n_listed[node]
            nodes.n_listed[node] += 1
            lists.questions[place], lists.bounds[place] = question, total
            lists.ranks[place] = (estimate - unknown) // cost if is_ranked else total
            if is_longest(aim) and not is_ranked:
                lists.ranks[place] = total << EVEN_BITS | largest
            if is_given:
                lists.ranks[place] = _find_first(work.first, question)
    return int(lowest)


@njit_part
def _bound_node(work: TableWork, node: int, upper: int, rises: Int64s) -> int:
    """Return a lower bound of a state's cost, from the needs of its items and its limits."""
    nodes, lists, problem, aim, room = work.nodes, work.lists, work.problem, work.aim, work.room
    begin, end, left = nodes.begin[node], nodes.end[node], nodes.left[node]
    if nodes.n_useful[node] == 0:
        return INFINITE
    # An item that no question finds at once needs two. A guess may be the second.
    useful = nodes.useful[node]
    cheapest = problem.costs[lists.questions[useful]]
    second = cheapest
    if nodes.n_useful[node] > 1 and not problem.is_win:
        second = problem.costs[lists.questions[useful + 1]]
    needed, worst = 0, 0
    for at in range(begin, end):
        item = room.items[at]
        room.needs[item] = min(room.needs[item], cheapest + second)
        needed += room.needs[item] * room.shares[at]
        worst = max(worst, room.needs[item])
    if worst > left:
        return INFINITE
    if is_longest(aim):
        return int(worst)
    floor = aim.scale * needed
    if not _is_given(work, node):
        own, _ = _bound_part(work, node, begin, end, left, rises, len(problem.layers) - 1)
        floor = max(floor, own)
    return int(floor)


@njit_part
def _order(work: TableWork, node: int) -> None:
    """Make a heap of the questions listed at a node."""
    for at in range(work.nodes.n_listed[node] // 2 - 1, -1, -1):
        _sift(work, node, at)


@njit_part
def _take_top(work: TableWork, node: int) -> None:
    """Move the top of a node's heap behind it."""
    base = work.nodes.listed[node]
    work.nodes.n_listed[node] -= 1
    last = base + work.nodes.n_listed[node]
    questions, ranks, bounds = work.lists.questions, work.lists.ranks, work.lists.bounds
    questions[base], questions[last] = questions[last], questions[base]
    ranks[base], ranks[last] = ranks[last], ranks[base]
    bounds[base], bounds[last] = bounds[last], bounds[base]
    _sift(work, node, 0)


@njit_part
def _sift(work: TableWork, node: int, at: int) -> None:
    """Let a question sink in the heap of a node: the least rank, then the first, stands on top."""
    lists, base, n = work.lists, work.nodes.listed[node], work.nodes.n_listed[node]
    questions, ranks, bounds = lists.questions, lists.ranks, lists.bounds
    question, rank, bound = questions[base + at], ranks[base + at], bounds[base + at]
    while 2 * at + 1 < n:
        below = 2 * at + 1
        place = base + below
        if below + 1 < n and (
            ranks[place + 1] < ranks[place]
            or (ranks[place + 1] == ranks[place] and questions[place + 1] < questions[place])
        ):
            below, place = below + 1, place + 1
        if ranks[place] > rank or (ranks[place] == rank and questions[place] > question):
            break
        to = base + at
        questions[to], ranks[to], bounds[to] = questions[place], ranks[place], bounds[place]
        at = below
    questions[base + at], ranks[base + at], bounds[base + at] = question, rank, bound


@njit_part
def _take_next(work: TableWork, node: int) -> int:
    """Return the next question that may cost less than the best one; -1: no more."""
    nodes, lists = work.nodes, work.lists
    is_sorted = not (_is_given(work, node) or _is_narrow(work, node) or nodes.weight[node] == 0)
    while nodes.n_listed[node] > 0:
        base, best = nodes.listed[node], nodes.best[node]
        if best <= nodes.lower[node] and nodes.n_deferred[node] == 0:
            return -1
        question, bound = int(lists.questions[base]), lists.bounds[base]
        rank, floor = lists.ranks[base], bound
        if not is_sorted:
            for at in range(nodes.n_listed[node]):
                floor = min(floor, lists.bounds[base + at])
        if nodes.n_deferred[node] == 0:
            nodes.floor[node] = max(nodes.floor[node], min(best, floor))
        if rank < DEFERRED and nodes.n_tried[node] > 0 and is_claimed(work, node, question):
            lists.ranks[base] += DEFERRED
            nodes.n_deferred[node] += 1
            _sift(work, node, 0)
            continue
        nodes.n_tried[node] += 1
        _take_top(work, node)
        if rank >= DEFERRED:
            nodes.n_deferred[node] -= 1
            rank -= DEFERRED
        is_before = rank < nodes.rank[node]
        is_before |= rank == nodes.rank[node] and question < nodes.found[node]
        late = int(nodes.found[node] >= 0 and is_before)
        if max(bound, nodes.lower[node]) < best + late:
            nodes.late[node], nodes.trial[node] = late, rank
            nodes.best[node] += late
            return question
        if is_sorted and nodes.n_deferred[node] == 0:
            return -1
    return -1


@njit_part
def advance(work: TableWork, node: int) -> int:
    """Go on to the next cell of the question under trial: DESCENDED; or to the next question.

    After the last one, return the cost of the state, or FAILED.
    """
    nodes = work.nodes
    if nodes.n_searched[node] < nodes.n_cells[node]:
        nodes.cell[node] = _choose_cell(work, node)
        below = nodes.first[node] + nodes.cell[node]
        nodes.room[below] = nodes.lists[below] = nodes.lists[node]
        nodes.best[below] = nodes.best[node] - nodes.cost[node] + nodes.counted[below]
        if is_longest(work.aim):
            nodes.best[below] = nodes.best[node] - work.problem.costs[nodes.asked[node]]
        return DESCENDED
    if nodes.asked[node] >= 0:
        release(work, node, nodes.asked[node])
    if nodes.cost[node] < nodes.best[node]:
        nodes.best[node], nodes.found[node] = nodes.cost[node], nodes.asked[node]
        nodes.rank[node] = nodes.trial[node]
    else:
        nodes.best[node] -= nodes.late[node]
    nodes.late[node] = 0
    nodes.lists[node] = nodes.room[node]
    if len(work.claims) > 0:
        bound, question = read_entry(work.entries, nodes.keys[node])
        if question >= 0 and (bound < nodes.best[node] or nodes.found[node] >= 0):
            nodes.best[node], nodes.found[node] = bound, question
            return int(bound)
        if bound >= nodes.best[node] and nodes.found[node] < 0:
            return FAILED
    nodes.asked[node] = _take_next(work, node)
    if nodes.asked[node] < 0:
        nodes.floor[node] = max(nodes.floor[node], nodes.best[node])
        store(work, node, nodes.best[node], nodes.found[node])
        return int(nodes.best[node]) if nodes.found[node] >= 0 else FAILED
    claim(work, node, nodes.asked[node])
    nodes.cost[node] = INFINITE
    nodes.n_searched[node] = nodes.n_cells[node] = nodes.n_opened[node] = 0
    list_cells(work, node)
    return WORKED


@njit_part
def _choose_cell(work: TableWork, node: int) -> int:
    """Return the first cell that is to be searched, and that no other thread is at."""
    nodes = work.nodes
    if len(work.claims) == 0:
        return int(nodes.n_searched[node])
    left = -1
    for cell in range(nodes.n_cells[node]):
        below = nodes.first[node] + cell
        if nodes.stage[below] != SEARCHED:
            if not is_claimed(work, below, -1):
                return cell
            left = cell if left < 0 else left
    return left


@njit_part
def list_cells(work: TableWork, node: int) -> None:
    """Make nodes of the cells of the question under trial, if it may cost less than the best one.

    What is known of a cell raises its bound; one whose cost is known is not searched.
    """
    problem, aim, nodes, room = work.problem, work.aim, work.nodes, work.room
    question, left, first = nodes.asked[node], nodes.left[node], nodes.first[node]
    start, n_layers = nodes.top[node], len(problem.layers)
    n_cells = divide(problem, room, question, nodes.begin[node], nodes.end[node], start)
    cost = problem.costs[question]
    rest = spend_guess(left, cost)
    total = cost if is_longest(aim) else aim.scale * cost * nodes.weight[node] + aim.step
    top = room.ends[n_cells - 1]
    at = nodes.useful[node]
    rises = work.lists.bounds[at : at + nodes.end[node] - nodes.begin[node] + 1]
    if work.limits.rises[node] < 0:
        rises = rises[:0]
    has_pairs = is_certain(problem) and not (
        problem.is_win
        or problem.candidates_only
        or is_longest(aim)
        or (aim.step > 0 and len(problem.owners) > 0)
    )
    n_open = 0
    for cell in range(n_cells):
        stop = room.ends[cell]
        if _is_won(problem, room, question, start, stop):
            if rest == 0 and not is_longest(aim):
                total += _weigh_last(work, room.shares[start])
            start = stop
            continue
        lower, is_known = _bound_part(work, node, start, stop, rest, rises, n_layers - 1)
        if has_pairs and stop - start == 2 and not is_known:
            lower, is_known = _cost_pair(work, node, start, rest), True
        if lower >= INFINITE:
            return
        total = max(total, cost + lower) if is_longest(aim) else total + lower
        if not is_known:
            place = first + n_open
            while place > first and (
                (nodes.end[place - 1] - nodes.begin[place - 1] > stop - start) != is_longest(aim)
            ):
                nodes.begin[place], nodes.end[place] = nodes.begin[place - 1], nodes.end[place - 1]
                nodes.lower[place] = nodes.lower[place - 1]
                place -= 1
            nodes.begin[place], nodes.end[place], nodes.lower[place] = start, stop, lower
            n_open += 1
        start = stop
    n_left = 0
    for at in range(n_open):
        if total >= nodes.best[node]:
            return
        place, lower = first + n_left, nodes.lower[first + at]
        nodes.begin[place], nodes.end[place] = nodes.begin[first + at], nodes.end[first + at]
        nodes.stage[place], nodes.parent[place] = NEW, node
        nodes.depth[place], nodes.top[place] = nodes.depth[node] + 1, top
        nodes.left[place], nodes.first[place] = rest, first + n_open
        nodes.n_cells[place] = nodes.n_opened[place] = nodes.n_searched[place] = 0
        nodes.asked[place] = nodes.found[place] = -1
        identify(work, place)
        bound, known = read_entry(work.entries, nodes.keys[place])
        nodes.lower[place] = nodes.counted[place] = max(lower, bound)
        if is_longest(aim):
            total = max(total, int(cost + nodes.lower[place]))
            if total >= nodes.best[node]:
                _drop_supersets(work, node, nodes.begin[place], nodes.end[place])
        else:
            total += int(nodes.lower[place] - lower)
        n_left += int(known < 0)
    if total < nodes.best[node]:
        nodes.cost[node], nodes.n_cells[node] = total, n_left
        # A beam opens a state when it comes to it, and to the longest path bounds add nothing.
        if is_longest(aim) or _is_narrow(work, node):
            nodes.n_opened[node] = n_left


@njit_part
def _cost_pair(work: TableWork, node: int, at: int, left: int) -> int:
    """Return the cost of the two items at a place: the cheapest question separates them."""
    problem, nodes, room = work.problem, work.nodes, work.room
    one, other = room.items[at], room.items[at + 1]
    for place in range(nodes.n_useful[node]):
        question = work.lists.questions[nodes.useful[node] + place]
        if problem.cells[question, one] != problem.cells[question, other]:
            cost, weight = problem.costs[question], room.shares[at] + room.shares[at + 1]
            if cost > left:
                return INFINITE
            last = 0
            if cost == left:
                last = _weigh_last(work, room.shares[at]) + _weigh_last(work, room.shares[at + 1])
            return int(work.aim.scale * cost * weight + last + 3 * work.aim.step)
    return INFINITE


@njit_part
def _open_next(work: TableWork, node: int) -> int:
    """Open the next cell of the question under trial, which raises its bound; return the work."""
    nodes = work.nodes
    below = nodes.first[node] + nodes.n_opened[node]
    counted = nodes.counted[below]
    nodes.lists[below] = nodes.lists[node]
    done = open_node(work, below, nodes.best[node] - nodes.cost[node] + counted)
    nodes.lists[node] = nodes.lists[below]
    nodes.n_opened[node] += 1
    lower = nodes.lower[below]
    if lower > counted:
        store(work, below, lower, -1)
    nodes.counted[below] = lower
    nodes.cost[node] += lower - counted
    if lower >= INFINITE or nodes.cost[node] >= nodes.best[node]:
        nodes.cost[node] = INFINITE
        nodes.n_searched[node] = nodes.n_cells[node] = nodes.n_opened[node] = 0
    return done
