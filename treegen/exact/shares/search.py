"""Depth-first branch and bound over states of shares, in one kernel that may pause at any state.

1. A state is looked up (`identify`): under the same key all that is proved of it is kept.
2. Its questions are listed with what they cost at least (`list_questions`).
3. The question of the least bound is tried: its cells are searched, the smallest first, until they
   cost as much as the best question does (`advance`).
4. When no question is left whose bound is below that, the state is stored, and its cost added to
   that of the state above (`search`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit_bare, njit_bare_part
from ...kernels.onestep.criteria import log2_of
from ..engine import Int32s, Int64s, UInt64s
from .bounds import Cells, ShareProblem, bound_cell, count_pairs, divide

IMPOSSIBLE = 1 << 62
"""Above every cost; as what may be spent: no limit."""

FAILED, OPENED, DESCENDED, PAUSED, CROWDED = -1, -2, -3, -4, -5
"""Results that are no costs: there is none below the upper bound; the questions of a state are
listed; a cell comes next; the kernel is to be called again, at once or with more room."""

LOG_BITS = 8
"""Of the logarithms by which a beam ranks questions."""

_FOUND, _BOUND = 3, 2
_SIZE_BITS = np.uint64(32)
_ODD, _OTHER_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@by_reference
class ShareAim(NamedTuple):
    """What is minimised, and how much of a state is tried."""

    is_longest: int  # the dearest path, instead of the total
    scale: int  # of the total
    last: int  # what the shares cost besides that are found when all is spent, shifted first
    shift: int
    width: int  # states of more than `n_full` items try this many questions; 0: all
    n_full: int
    horizon: int  # states below this depth count with what they cost at least
    salt: int  # of the keys: what is found for another aim is not looked up


@by_reference
class Frames(NamedTuple):
    """The states on the way from the root, by depth from 1; row 0 has what the root may ask."""

    begin: Int64s  # with `end`: its items in `Cells`
    end: Int64s
    top: Int64s  # where in `Cells` there is room
    weight: Int64s  # the sum of its shares
    left: Int64s  # what may still be spent
    lower: Int64s  # it costs no less
    best: Int64s  # the cost to get below
    found: Int64s  # the question that costs so much; -1: none yet
    floor: Int64s  # what questions that are not tried yet cost at least, or `best`
    asked: Int64s  # the question under trial; -1: none
    cost: Int64s  # what it costs at least by what is known of its cells
    n_cells: Int64s
    cell: Int64s  # which of them is searched
    n_useful: Int64s
    n_dead: Int64s
    n_listed: Int64s
    n_tried: Int64s
    keys: UInt64s  # [n_depths, 2]
    useful: Int32s  # [n_depths, n_questions]: those that exclude some item and were not asked
    n_answers: Int32s  # how many answers each of them has
    dead: Int32s  # those that would exclude some item, but were asked before
    listed: Int32s  # those that may cost less than `best`; -1: tried
    bounds: Int64s  # what each of them costs at least
    ranks: Int64s  # the least is tried first
    tried: Int32s  # those that were tried, of those that divide alike only one
    cells: Int64s  # [n_depths, most answers, 3]: begin, end and lower bound; the smallest first


@by_reference
class ShareWork(NamedTuple):
    """A search and how far it is."""

    problem: ShareProblem
    aim: ShareAim
    first: Int32s  # the questions allowed in the root, the preferred one first; empty: all
    frames: Frames
    cells: Cells
    entries: UInt64s  # [n_entries, 4]: the key, the bound, the number of items and the question + 1
    # The depth; whether its state was entered; states entered so far; most items of all cells.
    control: Int64s


@njit_bare
def search(work: ShareWork, n_units: int) -> int:
    """Search until about so many answers of items were looked at; return the cost of the root."""
    frames, control = work.frames, work.control
    depth, is_entered, units, value = control[0], control[1], 0, FAILED
    room = len(work.cells.items) - control[3]
    while depth > 0:
        if units > n_units:
            control[0], control[1] = depth, is_entered
            return PAUSED
        if is_entered:
            value = advance(work, depth)
            units += 1
        else:
            if frames.top[depth] > room or depth + 2 > len(frames.begin):
                control[0], control[1] = depth, is_entered
                return CROWDED
            value = identify(work, depth, frames.best[depth])
            if value == OPENED:
                value = list_questions(work, depth)
                units += (frames.end[depth] - frames.begin[depth]) * frames.n_useful[depth - 1]
                control[2] += 1
        is_entered = 1
        if value == DESCENDED:
            depth += 1
            is_entered = 0
        elif value != OPENED:
            depth -= 1
            if depth > 0:
                _count_cell(work, depth, value)
    control[0] = 0
    return int(value)


@njit_bare_part
def _count_cell(work: ShareWork, depth: int, value: int) -> None:
    """Add the cost of a cell to that of the question under trial; give up what costs too much."""
    frames = work.frames
    if value == FAILED:
        frames.cost[depth] = IMPOSSIBLE
    elif work.aim.is_longest:
        cost = work.problem.costs[frames.asked[depth]] + value
        frames.cost[depth] = max(frames.cost[depth], cost)
    else:
        frames.cost[depth] += value - frames.cells[depth, frames.cell[depth], 2]
    frames.cell[depth] += 1
    if frames.cost[depth] >= frames.best[depth]:
        frames.n_cells[depth] = 0


@njit_bare_part
def identify(work: ShareWork, depth: int, upper: int) -> int:
    """Write the key of a state; return its cost if it is known, and below an upper bound.

    FAILED if it is not below, OPENED if that is not known.
    """
    problem, frames, items = work.problem, work.frames, work.cells.items
    begin, end, above = frames.begin[depth], frames.end[depth], depth - 1
    n_dead = 0
    for at in range(frames.n_dead[above] + 1):
        question = frames.asked[above]
        if at < frames.n_dead[above]:
            question = frames.dead[above, at]
        if question >= 0 and _is_useful(problem.sets[question], items[begin:end]):
            frames.dead[depth, n_dead] = question
            n_dead += 1
    frames.n_dead[depth] = n_dead
    _write_key(work, depth)
    if (
        depth == 1 and len(work.first) > 0
    ):  # its questions are not those of the same state elsewhere
        return OPENED
    place = find_entry(work.entries, frames.keys[depth])
    if place >= 0:
        bound = np.int64(work.entries[place, _BOUND])
        if bound >= upper:
            return FAILED
        frames.found[depth] = np.int64(work.entries[place, _FOUND] >> _SIZE_BITS) - 1
        if frames.found[depth] >= 0:
            return int(bound)
        frames.lower[depth] = max(frames.lower[depth], bound)
    return int(frames.lower[depth]) if depth > work.aim.horizon else OPENED


@njit_bare_part
def _is_useful(sets: Int32s, items: Int32s) -> bool:
    """Return whether a question excludes some item: not all may give the same answers."""
    for item in items:  # noqa: SIM110 (compiled)
        if sets[item] != sets[items[0]]:
            return True
    return False


@njit_bare_part
def _mix(value: np.uint64) -> np.uint64:
    """Return bits that all depend on all [Steele et al. 2014]."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit_bare_part
def _write_key(work: ShareWork, depth: int) -> None:
    """Write 128 bits of a state: items with shares, asked questions, what may be spent, the aim."""
    frames, cells, aim, random = work.frames, work.cells, work.aim, work.problem.keys
    n_items = len(work.problem.groups)
    low, high = np.uint64(0), np.uint64(0)
    for at in range(frames.begin[depth], frames.end[depth]):
        item = cells.items[at]
        value = _mix(random[item, 0] + np.uint64(cells.shares[at]) * _ODD)
        low += value
        high += (value ^ random[item, 1]) * _OTHER_ODD
    for at in range(frames.n_dead[depth]):
        question = n_items + frames.dead[depth, at]
        low += random[question, 0]
        high += random[question, 1]
    salt = np.uint64(aim.salt)
    if _is_narrow(work, depth):
        salt += np.uint64(aim.width) << np.uint64(8)
    if aim.horizon < IMPOSSIBLE:
        salt += np.uint64(aim.horizon - depth + 2) << np.uint64(32)
    low = _mix(low ^ _mix(np.uint64(frames.left[depth]) * _OTHER_ODD + salt))
    frames.keys[depth, 0], frames.keys[depth, 1] = low, _mix(high + low)


@njit_bare_part
def _is_narrow(work: ShareWork, depth: int) -> bool:
    """Return whether a beam tries only some questions of a state."""
    n = work.frames.end[depth] - work.frames.begin[depth]
    return work.aim.width > 0 and n > work.aim.n_full


@njit_bare_part
def find_entry(entries: UInt64s, key: UInt64s) -> np.int64:
    """Return where the entry of a key is; -1: nowhere."""
    place = np.int64(key[0] & np.uint64(len(entries) - 1))
    for side in range(2):
        at = place ^ side
        if entries[at, 0] == key[0] and entries[at, 1] == key[1]:
            return at
    return np.int64(-1)


@njit_bare_part
def _store(work: ShareWork, depth: int, bound: int, question: int) -> None:
    """Keep what a state costs and its question, or, with -1, what it costs at least.

    Of the two places of a key, the first keeps the larger state: it took more work.
    """
    frames, entries = work.frames, work.entries
    key, n = frames.keys[depth], np.uint64(frames.end[depth] - frames.begin[depth])
    at = find_entry(entries, key)
    if at < 0:
        at = np.int64(key[0] & np.uint64(len(entries) - 1))
        if entries[at, _FOUND] & np.uint64(0xFFFFFFFF) > n:
            at ^= 1
    entries[at, 0], entries[at, 1], entries[at, _BOUND] = key[0], key[1], np.uint64(bound)
    entries[at, _FOUND] = n | (np.uint64(question + 1) << _SIZE_BITS)


@njit_bare_part
def _bound_part(
    work: ShareWork, begin: int, end: int, left: int, arity: int, cheapest: int
) -> tuple[int, bool]:
    """Return what a cell costs at least, and whether the game is over there."""
    aim = work.aim
    merged, n_leaves = bound_cell(work.problem, work.cells, begin, end, arity)
    if n_leaves < 2:
        weight = 0
        if aim.last and left == 0:
            for at in range(begin, end):
                weight += work.cells.shares[at]
        return aim.last * (weight >> aim.shift), True
    worst, reach = cheapest, arity
    while reach < n_leaves:
        reach *= arity
        worst += cheapest
    if worst > left:
        return IMPOSSIBLE, False
    return worst if aim.is_longest else aim.scale * cheapest * merged, False


@njit_bare_part
def _limit_questions(work: ShareWork, depth: int) -> tuple[int, int]:
    """Return the most answers and the least cost of the questions that a state leaves to ask."""
    frames, most, least = work.frames, 2, IMPOSSIBLE
    for at in range(frames.n_useful[depth]):
        if frames.useful[depth, at] != frames.asked[depth]:
            most = max(most, frames.n_answers[depth, at])
            least = min(least, work.problem.costs[frames.useful[depth, at]])
    return most, least


@njit_bare_part
def list_questions(work: ShareWork, depth: int) -> int:
    """List the questions of a state; return OPENED, or as `identify` if nothing is left to try."""
    problem, aim, frames, cells = work.problem, work.aim, work.frames, work.cells
    begin, end, top = frames.begin[depth], frames.end[depth], frames.top[depth]
    left, upper, above = frames.left[depth], frames.best[depth], depth - 1
    items, shares, needs = cells.items, cells.shares, cells.needs
    most, least = _limit_questions(work, above)
    weight = 0
    for at in range(begin, end):
        weight += shares[at]
        needs[items[at]] = 2 * least
    frames.weight[depth] = weight
    is_given = depth == 1 and len(work.first) > 0
    is_narrow = _is_narrow(work, depth)
    is_ranked = weight == 0 or is_narrow
    # Without what the table knows: so a tree does not depend on it.
    least_total, _ = _bound_part(work, begin, end, left, most, least)
    unknown = _estimate(work, begin, end, most) if is_ranked else 0
    lowest = IMPOSSIBLE
    n_useful, n_listed = 0, 0
    for at in range(frames.n_useful[above]):
        question = frames.useful[above, at]
        is_asked = question == frames.asked[above]
        if is_asked or not _is_useful(problem.sets[question], items[begin:end]):
            continue
        cost = problem.costs[question]
        n_cells = divide(problem, cells, question, begin, end, top)
        frames.useful[depth, n_useful], frames.n_answers[depth, n_useful] = question, n_cells
        n_useful += 1
        total = cost if aim.is_longest else aim.scale * cost * weight
        start, n_over, estimate = top, 0, 0
        for cell in range(n_cells):
            stop = cells.ends[cell]
            lower, is_over = _bound_part(work, start, stop, left - cost, most, least)
            if is_over:
                n_over += 1
                for place in range(start, stop):
                    needs[items[place]] = min(needs[items[place]], cost)
            elif is_ranked:
                estimate += _estimate(work, start, stop, most)
            if lower == IMPOSSIBLE or cost > left:
                total = IMPOSSIBLE
            elif aim.is_longest:
                total = max(total, cost + lower)
            elif total < IMPOSSIBLE:
                total += lower
            start = stop
        rank = (estimate - unknown) // cost if is_ranked else total
        if is_given:
            rank = IMPOSSIBLE
            for place in range(len(work.first)):
                if work.first[place] == question:
                    rank = place
            if rank == IMPOSSIBLE:
                continue
        elif n_over == n_cells and total == least_total:
            # No question is better.
            frames.found[depth] = question if total < upper else -1
            _store(work, depth, total, frames.found[depth])
            return int(total) if total < upper else FAILED
        lowest = min(lowest, total)
        if total < upper or (is_narrow and total < IMPOSSIBLE):
            frames.listed[depth, n_listed] = question
            frames.bounds[depth, n_listed], frames.ranks[depth, n_listed] = total, rank
            n_listed += 1
    # An item that no question finds at once needs two.
    needed, worst = 0, 0
    for at in range(begin, end):
        needed += needs[items[at]] * shares[at]
        worst = max(worst, needs[items[at]])
    lower = max(lowest, worst if aim.is_longest else aim.scale * needed, frames.lower[depth])
    lower = max(lower, least_total)
    if worst > left or lower >= upper:
        lower = IMPOSSIBLE if worst > left else lower
        if not is_given:
            _store(work, depth, lower, -1)
        return FAILED
    frames.lower[depth] = frames.floor[depth] = lower
    frames.n_useful[depth], frames.n_listed[depth] = n_useful, n_listed
    frames.found[depth] = frames.asked[depth] = -1
    frames.n_tried[depth] = frames.n_cells[depth] = frames.cell[depth] = 0
    frames.cost[depth] = IMPOSSIBLE
    return OPENED


@njit_bare_part
def _estimate(work: ShareWork, begin: int, end: int, arity: int) -> int:
    """Return about what a cell costs; its items count 1 each if all weigh 0."""
    weight = 0
    for at in range(begin, end):
        weight += work.cells.shares[at]
    merged, _ = bound_cell(work.problem, work.cells, begin, end, arity)
    pairs = count_pairs(work.problem, work.cells, begin, end)
    if weight == 0:
        weight = end - begin
    return int((merged << (LOG_BITS + 1)) + weight * log2_of(1 + pairs, LOG_BITS))


@njit_bare_part
def advance(work: ShareWork, depth: int) -> int:
    """Go on to the next cell of the question under trial: DESCENDED; or to the next question.

    When none is left, return the cost of the state, or FAILED.
    """
    frames, problem, aim = work.frames, work.problem, work.aim
    while frames.cell[depth] >= frames.n_cells[depth]:
        if frames.cost[depth] < frames.best[depth]:
            frames.best[depth], frames.found[depth] = frames.cost[depth], frames.asked[depth]
        is_narrow = _is_narrow(work, depth)
        chosen, rank, floor = -1, IMPOSSIBLE, frames.best[depth]
        for at in range(frames.n_listed[depth]):
            bound = frames.bounds[depth, at]
            # A beam counts those that are too dear, too: its tree depends on its width alone.
            if frames.listed[depth, at] >= 0 and (is_narrow or bound < frames.best[depth]):
                floor = min(floor, bound)
                if chosen < 0 or frames.ranks[depth, at] < rank:
                    chosen, rank = at, frames.ranks[depth, at]
        frames.floor[depth] = max(frames.floor[depth], floor)
        is_given = depth == 1 and len(work.first) > 0
        is_enough = is_narrow and not is_given and frames.n_tried[depth] >= aim.width
        if chosen < 0 or is_enough or frames.best[depth] <= frames.lower[depth]:
            best, found = frames.best[depth], frames.found[depth]
            if not is_given:
                _store(work, depth, best, found)
            return int(best) if found >= 0 else FAILED
        frames.asked[depth] = frames.listed[depth, chosen]
        frames.listed[depth, chosen] = -1
        frames.cost[depth], frames.cell[depth], frames.n_cells[depth] = IMPOSSIBLE, 0, 0
        if _is_new(work, depth):
            _list_cells(work, depth)
    listed = frames.cells[depth, frames.cell[depth]]
    begin, end, lower = listed[0], listed[1], listed[2]
    below, cost = depth + 1, problem.costs[frames.asked[depth]]
    frames.begin[below], frames.end[below], frames.lower[below] = begin, end, lower
    frames.left[below] = frames.left[depth] - cost * (frames.left[depth] < IMPOSSIBLE)
    upper = frames.best[depth] - frames.cost[depth] + lower
    frames.best[below] = frames.best[depth] - cost if aim.is_longest else upper
    return DESCENDED


@njit_bare_part
def _is_new(work: ShareWork, depth: int) -> bool:
    """Return whether no question tried before, and no dearer, divides as the one under trial."""
    frames, costs, question = work.frames, work.problem.costs, work.frames.asked[depth]
    for at in range(frames.n_tried[depth]):
        other = frames.tried[depth, at]
        if costs[other] <= costs[question] and _divide_alike(work, depth, question, other):
            return False
    frames.tried[depth, frames.n_tried[depth]] = question
    frames.n_tried[depth] += 1
    return True


@njit_bare_part
def _divide_alike(work: ShareWork, depth: int, one: int, other: int) -> bool:
    """Return whether two questions have the same cells: their answers correspond."""
    frames, problem, items = work.frames, work.problem, work.cells.items
    starts, answers, twins = problem.starts, problem.answers, work.cells.twins
    for is_compared in range(2):
        for at in range(frames.begin[depth], frames.end[depth]):
            own, its = problem.sets[one, items[at]], problem.sets[other, items[at]]
            if starts[own + 1] - starts[own] != starts[its + 1] - starts[its]:
                return False
            for place in range(starts[own + 1] - starts[own]):
                mine, theirs = answers[starts[own] + place], answers[starts[its] + place]
                if not is_compared:
                    twins[0, mine] = theirs
                    twins[1, theirs] = mine
                elif twins[0, mine] != theirs or twins[1, theirs] != mine:
                    return False
    return True


@njit_bare_part
def _list_cells(work: ShareWork, depth: int) -> None:
    """List the cells of the question under trial, if it may cost less than the best one.

    What is known of a cell raises its bound; one whose cost is known is not searched.
    """
    problem, aim, frames, cells = work.problem, work.aim, work.frames, work.cells
    question, left, listed = frames.asked[depth], frames.left[depth], frames.cells[depth]
    start = frames.top[depth]
    n_cells = divide(problem, cells, question, frames.begin[depth], frames.end[depth], start)
    arity, cheapest = _limit_questions(work, depth)
    cost = problem.costs[question]
    total = cost if aim.is_longest else aim.scale * cost * frames.weight[depth]
    below = depth + 1
    frames.left[below] = left - cost * (left < IMPOSSIBLE)
    frames.top[below] = cells.ends[n_cells - 1]
    n_open = 0
    for cell in range(n_cells):
        stop = cells.ends[cell]
        lower, is_over = _bound_part(work, start, stop, left - cost, arity, cheapest)
        is_known = is_over
        if not is_over and lower < IMPOSSIBLE:
            frames.begin[below], frames.end[below], frames.lower[below] = start, stop, lower
            value = identify(work, below, IMPOSSIBLE)
            if value == FAILED:
                return
            is_known = value >= 0
            lower = value if is_known else frames.lower[below]
        if lower >= IMPOSSIBLE:
            return
        total = max(total, cost + lower) if aim.is_longest else total + lower
        if not is_known:
            place = n_open
            while place > 0 and listed[place - 1, 1] - listed[place - 1, 0] > stop - start:
                for column in range(3):
                    listed[place, column] = listed[place - 1, column]
                place -= 1
            listed[place, 0], listed[place, 1], listed[place, 2] = start, stop, lower
            n_open += 1
        start = stop
    if total < frames.best[depth]:
        frames.cost[depth], frames.n_cells[depth] = total, n_open
