"""The cells of a question in a state, and what a cell costs at least.

Items that are separable from the same others form a *group*; no two items of one are separable.
Groups that are separable pairwise are found at different leaves. So no tree is below Huffman's for
their shares. Where some groups are not separable, they are parted into sets whose groups are, and
what these sets cost adds up.

Where questions cost differently, a tree costs the sum of its *layers*: for each cost x that occurs,
by how much x exceeds the cost before it, times the shares that are asked questions of cost x or
more. In a layer cheaper questions are free. They part the items into *blocks*, of items that are
alike on all of them; the items of a block are still to be parted by the dearer ones.

A number of items costs something at least, whichever they are. A question divides a subset of a
state's items into parts of its cells. All that counts here is its *profile*: how large its cells
are, what it costs, whether it may win. A subset of t items therefore costs at least the least, over
the profiles, of what the question costs all t of them and of the least that t items cost divided in
a way which the profile allows. Of a cell's items the k heaviest cost at least what k items cost
unweighted, for every k: so the cell costs at least the sum of share times *rise*, of that bound
from k - 1 items to k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit_part
from ...kernels.onestep.criteria import log2_of
from ..engine import Int32s, Int64s
from .problem import TableProblem

_ODD = np.uint64(0x9E3779B97F4A7C15)


@by_reference
class Room(NamedTuple):
    """Room for the items of states and of the cells below them, and what kernels compute with."""

    items: Int32s  # those of a cell by descending share
    shares: Int64s
    ends: Int64s  # [most cells]: where each cell of the question that was divided last ends
    numbers: Int64s  # [most answers]: the number of an answer's cell, above the base
    base: Int64s  # [1]: numbers below it are of questions before
    twins: Int32s  # [2, most answers]: answers of two questions that correspond
    needs: Int64s  # [n_items]: what an item of a state costs at least
    members: Int64s  # [n_items]: the number of the state that was opened last with an item
    layers: Int64s  # [n_layers]: what the layers above each one cost at least
    marks: Int64s  # [n_groups]: zeros between two calls
    found: Int32s  # [n_groups]: groups of a cell
    apart: Int32s  # [n_groups]: those of them that are separable pairwise
    sums: Int64s  # [n_groups]: the shares of each
    weights: Int64s  # [n_groups]: the same
    merged: Int64s  # [n_items]
    in_blocks: Int32s  # [2, n_items]: items by blocks
    block_shares: Int64s  # [2, n_items]
    block_ends: Int64s  # [n_items]
    counts: Int64s  # [n_items]: zeros between two calls
    rounded: Int64s  # [1]: whether dividing a share has left a remainder


@by_reference
class Limits(NamedTuple):
    """What holds below the questions of each state; a row for each of `Nodes`."""

    arities: Int64s  # [n_nodes, n_layers]: the most cells of a question of a layer's cost or more
    cheapest: Int64s  # [n_nodes]: the least cost of a question
    rises: Int64s  # [n_nodes]: where in the bounds of lists the rises begin; -1: there are none


@njit_part(inline=True)
def has_groups(problem: TableProblem) -> bool:
    """Whether some items are not separable."""
    return len(problem.groups) > 0


@njit_part(inline=True)
def is_certain(problem: TableProblem) -> bool:
    """Whether every item gives one answer to each question; see `TableProblem.is_certain`."""
    return len(problem.starts) == problem.n_answers + 1


@njit_part
def number_cells(
    problem: TableProblem, room: Room, question: int, begin: int, end: int
) -> tuple[int, bool, np.uint64]:
    """Write the numbers of a question's cells, by their first item, and their sizes in `ends`.

    Return how many there are, whether an answer excludes somebody, and a hash of the division.
    """
    row, items, numbers, ends = problem.cells[question], room.items, room.numbers, room.ends
    starts, answers, n_answers = problem.starts, problem.answers, problem.n_answers
    # Numbers of earlier calls lie below the base.
    base = room.base[0] + len(ends)
    room.base[0] = base
    n_cells, is_useful, first = 0, False, row[items[begin]]
    hashed = np.uint64(1469598103934665603)
    for at in range(begin, end):
        own = row[items[at]]
        is_useful |= own != first
        answer, place, stop = np.int64(own), 0, 1
        if own >= n_answers:  # a larger set; the sizes belong to the division
            place, stop = starts[own], starts[own + 1]
            hashed ^= np.uint64(stop - place) << np.uint64(32)
        while place < stop:
            if own >= n_answers:
                answer = np.int64(answers[place])
            cell = numbers[answer] - base
            if cell < 0:
                cell = n_cells
                numbers[answer] = base + cell
                ends[cell] = 0
                n_cells += 1
            ends[cell] += 1
            hashed = (hashed ^ np.uint64(cell + 1)) * _ODD
            hashed ^= hashed >> np.uint64(29)
            place += 1
    return n_cells, is_useful, hashed


@njit_part
def divide(problem: TableProblem, room: Room, question: int, begin: int, end: int, top: int) -> int:
    """Write the cells of a question at `top`, by their first item; return how many there are.

    The state is what stands from `begin` to `end`; some answer excludes an item of it.
    """
    n_cells, _, _ = number_cells(problem, room, question, begin, end)
    row, ends, items, shares = problem.cells[question], room.ends, room.items, room.shares
    starts, answers, numbers, base = problem.starts, problem.answers, room.numbers, room.base[0]
    start = top
    for cell in range(n_cells):
        size = ends[cell]
        ends[cell] = start
        start += size
    # Each end moves on while its cell is filled.
    for at in range(begin, end):
        item, share, own = items[at], shares[at], row[items[at]]
        if own < problem.n_answers:
            cell = numbers[own] - base
            place = ends[cell]
            items[place], shares[place] = item, share
            ends[cell] = place + 1
            continue
        first, n_given = starts[own], starts[own + 1] - starts[own]
        for number in range(n_given):
            cell = numbers[answers[first + number]] - base
            place = ends[cell]
            items[place] = item
            shares[place] = share // n_given + (number < share % n_given)
            ends[cell] = place + 1
        if share % n_given > 0:
            room.rounded[0] = 1
    if not is_certain(problem):  # else the order is kept
        start = top
        for cell in range(n_cells):
            sort_items(items[start : ends[cell]], shares[start : ends[cell]])
            start = ends[cell]
    return n_cells


@njit_part
def sort_items(items: Int32s, shares: Int64s) -> None:
    """Sort items by descending share, then by number; most stand so already."""
    for at in range(1, len(items)):
        item, share = items[at], shares[at]
        place = at
        while place > 0 and (
            shares[place - 1] < share or (shares[place - 1] == share and items[place - 1] > item)
        ):
            items[place], shares[place] = items[place - 1], shares[place - 1]
            place -= 1
        items[place], shares[place] = item, share


@njit_part
def merge(weights: Int64s, merged: Int64s, arity: int) -> int:
    """Return the least sum of weight times depth of a tree with descending weights at its leaves.

    D. A. Huffman, A method for the construction of minimum-redundancy codes, Proc. IRE 40 (1952),
    with two queues: the weights from the lightest up, and the merged ones, which come up by weight.
    """
    n = len(weights)
    if n < 2:
        return 0
    if n == 2:
        return int(weights[0] + weights[1])
    lightest, first, last, total = n - 1, 0, 0, 0
    # The first node alone may have fewer children than the others.
    n_children = (n - 2) % (arity - 1) + 2
    while lightest + 1 + last - first > 1:
        weight = 0
        for _ in range(n_children):
            if lightest >= 0 and (first == last or weights[lightest] <= merged[first]):
                weight += weights[lightest]
                lightest -= 1
            else:
                weight += merged[first]
                first += 1
        merged[last] = weight
        last += 1
        total += weight
        n_children = arity
    return int(total)


@njit_part
def bound_together(
    problem: TableProblem,
    room: Room,
    items: Int32s,
    shares: Int64s,
    arity: int,
    rises: Int64s,
) -> tuple[int, int, int]:
    """Return lower bounds of the cost of some items, by Huffman and by counts, and of its leaves.

    `rises` are those of `counts`; empty: there are none. With one leaf the game is over.
    """
    if not has_groups(problem):
        return (
            merge(shares, room.merged, arity),
            _add_rises(shares, rises),
            len(items),
        )
    found, sums = room.found, room.sums
    n = collect_groups(problem, room, items, shares)
    for rank in range(1, n):
        group, weight = found[rank], sums[rank]
        place = rank
        while place > 0 and sums[place - 1] < weight:
            sums[place], found[place] = sums[place - 1], found[place - 1]
            place -= 1
        sums[place], found[place] = weight, group
    merged, counted, most = 0, 0, 0
    while n > 0:
        # The heaviest group, and each next one that is separable from those taken.
        n_apart, n_left = 0, 0
        for rank in range(n):
            group, weight = found[rank], sums[rank]
            fits = True
            for at in range(n_apart):
                if not problem.apart[group, room.apart[at]]:
                    fits = False
                    break
            if fits:
                room.apart[n_apart], room.weights[n_apart] = group, weight
                n_apart += 1
            else:
                found[n_left], sums[n_left] = group, weight
                n_left += 1
        merged += merge(room.weights[:n_apart], room.merged, arity)
        counted += _add_rises(room.weights[:n_apart], rises)
        most = max(most, n_apart)
        n = n_left
    return merged, counted, most


@njit_part
def _add_rises(weights: Int64s, rises: Int64s) -> int:
    total = 0
    if len(rises) > 0:
        for rank in range(len(weights)):
            total += weights[rank] * rises[rank + 1]
    return int(total)


@njit_part
def collect_groups(problem: TableProblem, room: Room, items: Int32s, shares: Int64s) -> int:
    """List the groups of some items with the shares of each; return how many there are."""
    marks, n = room.marks, 0
    for at in range(len(items)):
        group = problem.groups[items[at]]
        if marks[group] == 0:
            room.found[n], room.sums[n] = group, 0
            n += 1
            marks[group] = n
        room.sums[marks[group] - 1] += shares[at]
    for rank in range(n):
        marks[room.found[rank]] = 0
    return n


@njit_part
def bound_cell(
    problem: TableProblem,
    room: Room,
    limits: Limits,
    node: int,
    begin: int,
    end: int,
    rises: Int64s,
    last_layer: int,
) -> tuple[int, int]:
    """Return lower bounds of a cell's cost and of the number of its leaves.

    The limits are those of a node above it. Layers behind the last one count for nothing.
    """
    items, shares = room.items[begin:end], room.shares[begin:end]
    arities, cheapest = limits.arities[node], limits.cheapest[node]
    merged, counted, n_leaves = bound_together(problem, room, items, shares, arities[0], rises)
    total = cheapest * merged
    if n_leaves > 1 and last_layer > 0:
        total += bound_layers(problem, room, limits, node, begin, end, 1, last_layer)
    return max(total, counted), n_leaves


@njit_part
def bound_layers(
    problem: TableProblem,
    room: Room,
    limits: Limits,
    node: int,
    begin: int,
    end: int,
    first_layer: int,
    last_layer: int,
) -> int:
    """Return a lower bound of the cost of a cell's layers, above the least cost of a question."""
    items, shares = room.in_blocks, room.block_shares
    counts, ends, layers = room.counts, room.block_ends, problem.layers
    cheapest, total, side, n = limits.cheapest[node], 0, 0, end - begin
    for at in range(n):
        items[0, at], shares[0, at] = room.items[begin + at], room.shares[begin + at]
    for layer in range(first_layer, last_layer + 1):
        rise = layers[layer] - max(layers[layer - 1], cheapest)
        if rise <= 0:
            continue
        # The items by blocks, those that are alone left out; each block stays in order.
        blocks, n_in, n_blocks, other = problem.blocks[layer], 0, 0, 1 - side
        for at in range(n):
            counts[blocks[items[side, at]]] += 1
        for at in range(n):
            item = items[side, at]
            block = blocks[item]
            count = counts[block]
            if count == 1:
                counts[block] = 0
                continue
            if count > 1:
                # From here on: the place of its next item, below 0.
                counts[block] = -n_in - 1
                n_in += count
                ends[n_blocks] = n_in
                n_blocks += 1
            place = -counts[block] - 1
            counts[block] -= 1
            items[other, place], shares[other, place] = item, shares[side, at]
        start, merged = 0, 0
        for number in range(n_blocks):
            stop = ends[number]
            counts[blocks[items[other, start]]] = 0
            cost, _, _ = bound_together(
                problem,
                room,
                items[other, start:stop],
                shares[other, start:stop],
                limits.arities[node, layer],
                room.merged[:0],
            )
            merged += cost
            start = stop
        if merged == 0:
            break
        total += rise * merged
        side, n = other, n_in
    return total


@njit_part
def count_pairs(problem: TableProblem, room: Room, begin: int, end: int) -> int:
    """Return the number of separable pairs among the items of a cell."""
    n = end - begin
    if not has_groups(problem):
        return n * (n - 1) // 2
    counts = room.counts[:n]
    counts[:] = 1
    n_groups = collect_groups(problem, room, room.items[begin:end], counts)
    counts[:] = 0
    pairs = 0
    for rank in range(n_groups):
        for other in range(rank):
            if problem.apart[room.found[rank], room.found[other]]:
                pairs += room.sums[rank] * room.sums[other]
    return int(pairs)


@njit_part
def estimate_cell(problem: TableProblem, room: Room, begin: int, end: int) -> int:
    """Return about what a cell costs; its items count 1 each if all weigh 0.

    Huffman's cost with two answers a question, and 5/16 of the shares times the logarithm of the
    pairs that are still to be parted: shares alone would leave many light items together.
    """
    n, weight = end - begin, 0
    for at in range(begin, end):
        weight += room.shares[at]
    merged, _, _ = bound_together(
        problem, room, room.items[begin:end], room.shares[begin:end], 2, room.merged[:0]
    )
    if weight == 0:
        weight = n
    pairs = count_pairs(problem, room, begin, end)
    return int((merged << 12) + 5 * weight * log2_of(1 + pairs, 8))


MAX_PROFILES = 64
"""More are merged into one that allows whatever any of them does."""

SCALE = 1 << 16
"""Slopes of the convex minorant are multiples of its inverse, rounded down."""

MOST_COST = 1 << 30
"""Bounds by size stay below, and states have at most `MOST_ITEMS`: so products fit 64 bits."""

MOST_ITEMS = 1 << 14


@by_reference
class Profiles(NamedTuple):
    """The different profiles of a state's questions, and room for what they prove."""

    # [MAX_PROFILES, widest]: sizes of the cells that do not win, largest first, then zeros.
    caps: Int64s
    prices: Int64s  # [MAX_PROFILES]
    wins: Int64s  # [MAX_PROFILES]: 1 if the question may win
    levels: Int64s  # [MAX_PROFILES]: how full a profile's cells were last time
    row: Int64s  # [widest]
    bounds: Int64s  # [n_items + 1]: lower bound by the number of items
    convex: Int64s  # [n_items + 1]: their convex minorant, times `SCALE`
    corners: Int64s  # [n_items + 1]: its corners


@njit_part
def add_profile(
    profiles: Profiles, n_profiles: int, room: Room, n_cells: int, cost: int, winner: int
) -> int:
    """Add the profile of cells, whose sizes stand in `ends`; return how many there are now.

    `winner` is the number of the cell that wins; -1: none does.
    """
    row, n = profiles.row, 0
    for cell in range(n_cells):
        size = room.ends[cell]
        if cell == winner:
            continue
        place = n
        while place > 0 and row[place - 1] < size:
            row[place] = row[place - 1]
            place -= 1
        row[place] = size
        n += 1
    row[n:] = 0
    win = np.int64(winner >= 0)
    caps, prices, wins = profiles.caps, profiles.prices, profiles.wins
    for at in range(n_profiles):
        if prices[at] <= cost and wins[at] >= win:
            is_covered = True
            for cell in range(n):
                if caps[at, cell] < row[cell]:
                    is_covered = False
                    break
            if is_covered:
                return n_profiles
    if n_profiles < MAX_PROFILES:
        prices[n_profiles], wins[n_profiles] = cost, win
        for cell in range(len(row)):
            caps[n_profiles, cell] = row[cell]
        return n_profiles + 1
    last = MAX_PROFILES - 1
    prices[last], wins[last] = min(prices[last], cost), max(wins[last], win)
    for cell in range(n):
        caps[last, cell] = max(caps[last, cell], row[cell])
    return n_profiles


@njit_part
def write_rises(profiles: Profiles, n_profiles: int, n: int, end_cost: int, rises: Int64s) -> None:
    """Write by how much the least cost of k items exceeds that of k - 1, for k up to n.

    A single item costs `end_cost`: 0 if it is announced, else its guess. Parts of a profile's cells
    that hold t items cost least where they are as even as the cells allow, if the costs are convex
    in the size; so the convex minorant of the bounds is divided.
    """
    bounds, corners, convex = profiles.bounds, profiles.corners, profiles.convex
    bounds[0], bounds[1] = 0, end_cost
    convex[0], convex[1] = 0, end_cost * SCALE
    corners[0], corners[1], n_corners = 0, 1, 2
    profiles.levels[:n_profiles] = 0
    for size in range(2, n + 1):
        least = np.int64(-1)
        for at in range(n_profiles):
            value = _divide_evenly(profiles, at, size - profiles.wins[at])
            if value >= 0:
                # A tree's cost is whole: what the minorant says is rounded up.
                cost = profiles.prices[at] * size + -(-value // SCALE)
                least = cost if least < 0 else min(least, cost)
        if least < 0:
            least = bounds[size - 1]  # no question divides this many: the state is smaller
        bounds[size] = min(max(least, bounds[size - 1]), MOST_COST)
        while n_corners > 1:
            a, b = corners[n_corners - 2], corners[n_corners - 1]
            # b is above the line from a to the new one: slopes compared without division.
            if (bounds[b] - bounds[a]) * (size - b) < (bounds[size] - bounds[b]) * (b - a):
                break
            n_corners -= 1
        corners[n_corners] = size
        n_corners += 1
        a = corners[n_corners - 2]
        for at in range(a, size + 1):
            rise = (bounds[size] - bounds[a]) * (at - a) * SCALE
            convex[at] = bounds[a] * SCALE + rise // (size - a)
    rises[0] = 0
    for size in range(1, n + 1):
        rises[size] = bounds[size] - bounds[size - 1]


@njit_part
def _divide_evenly(profiles: Profiles, at: int, n: int) -> int:
    """Return the least that cells with some room cost if they hold n items; -1 if they cannot.

    With more items they are never less full.
    """
    caps, convex, level = profiles.caps[at], profiles.convex, profiles.levels[at]
    while True:
        held, room = 0, 0
        for cap in caps:
            if cap == 0:
                break
            held += min(cap, level)
            room += cap > level
        if held + room >= n:
            break
        if room == 0:
            return -1
        level += 1
    profiles.levels[at] = level
    value, left = np.int64(0), n - held
    for cap in caps:
        if cap == 0:
            break
        if cap > level and left > 0:
            value += convex[level + 1]
            left -= 1
        else:
            value += convex[min(cap, level)]
    return int(value)
