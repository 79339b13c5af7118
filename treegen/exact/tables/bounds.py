"""The cells of a question in a state, and what a cell costs at least.

Items that are separable from the same others form a *group*; no two items of one are separable.
Groups that are separable pairwise are found at different leaves. So no tree is below Huffman's for
their shares. Where some groups are not separable, they are parted into sets whose groups are, and
what these sets cost adds up.

Where questions cost differently, a tree costs the sum of its *layers*: for each cost x that occurs,
by how much x exceeds the cost before it, times the shares that are asked questions of cost x or
more. In a layer cheaper questions are free. They part the items into *blocks*, of items that are
alike on all of them; the items of a block are still to be parted by the dearer ones.
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
class Cells(NamedTuple):
    """Room for the items of states and of the cells below them, and what kernels compute with."""

    items: Int32s  # those of a cell by descending share
    shares: Int64s
    ends: Int64s  # [most cells]: where each cell of the question that was divided last ends
    numbers: Int32s  # [most answers]: the number of an answer's cell
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


@njit_part
def number_cells(
    problem: TableProblem, cells: Cells, question: int, begin: int, end: int
) -> tuple[int, bool, np.uint64]:
    """Write the numbers of a question's cells, by their first item, and their sizes in `ends`.

    Return how many there are, whether an answer excludes somebody, and a hash of the division.
    """
    row, items, numbers, ends = problem.cells[question], cells.items, cells.numbers, cells.ends
    n_cells, hashed = 0, np.uint64(1469598103934665603)
    if problem.is_certain:
        for at in range(begin, end):
            numbers[row[items[at]]] = -1
        for at in range(begin, end):
            answer = row[items[at]]
            cell = numbers[answer]
            if cell < 0:
                cell = n_cells
                numbers[answer] = cell
                ends[cell] = 0
                n_cells += 1
            ends[cell] += 1
            hashed = (hashed ^ np.uint64(cell + 1)) * _ODD
            hashed ^= hashed >> np.uint64(29)
        return n_cells, n_cells > 1, hashed
    starts, answers, offset = problem.starts, problem.answers, problem.offsets[question]
    is_useful, first = False, row[items[begin]]
    for at in range(begin, end):
        own = row[items[at]]
        is_useful |= own != first
        for place in range(starts[offset + own], starts[offset + own + 1]):
            numbers[answers[place]] = -1
    if not is_useful:
        return 1, False, hashed
    for at in range(begin, end):
        own = offset + row[items[at]]
        for place in range(starts[own], starts[own + 1]):
            answer = answers[place]
            cell = numbers[answer]
            if cell < 0:
                cell = n_cells
                numbers[answer] = cell
                ends[cell] = 0
                n_cells += 1
            ends[cell] += 1
            hashed = (hashed ^ np.uint64(cell + 1)) * _ODD
            hashed ^= hashed >> np.uint64(29)
        # The sizes of the sets belong to the division.
        hashed = (hashed ^ np.uint64(starts[own + 1] - starts[own] + 1000)) * _ODD
        hashed ^= hashed >> np.uint64(31)
    return n_cells, True, hashed


@njit_part
def divide(
    problem: TableProblem, cells: Cells, question: int, begin: int, end: int, top: int
) -> int:
    """Write the cells of a question at `top`, by their first item; return how many there are.

    The state is what stands from `begin` to `end`; some answer excludes an item of it.
    """
    n_cells, _, _ = number_cells(problem, cells, question, begin, end)
    row, ends, items, shares = problem.cells[question], cells.ends, cells.items, cells.shares
    numbers, start = cells.numbers, top
    for cell in range(n_cells):
        size = ends[cell]
        ends[cell] = start
        start += size
    # Each end moves on while its cell is filled.
    if problem.is_certain:
        for at in range(begin, end):
            cell = numbers[row[items[at]]]
            place = ends[cell]
            items[place], shares[place] = items[at], shares[at]
            ends[cell] = place + 1
        return n_cells
    starts, answers, offset = problem.starts, problem.answers, problem.offsets[question]
    for at in range(begin, end):
        item, share = items[at], shares[at]
        own = offset + row[item]
        first, n_given = starts[own], starts[own + 1] - starts[own]
        for number in range(n_given):
            cell = numbers[answers[first + number]]
            place = ends[cell]
            items[place] = item
            shares[place] = share
            if n_given > 1:
                shares[place] = share // n_given + (number < share % n_given)
                if share % n_given > 0:
                    cells.rounded[0] = 1
            ends[cell] = place + 1
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
    cells: Cells,
    items: Int32s,
    shares: Int64s,
    arity: int,
    rises: Int64s,
) -> tuple[int, int, int]:
    """Return lower bounds of the cost of some items, by Huffman and by counts, and of its leaves.

    `rises` are those of `counts`; empty: there are none. With one leaf the game is over.
    """
    if problem.are_single:
        return (
            merge(shares, cells.merged, arity),
            _add_rises(shares, rises),
            len(items),
        )
    found, sums = cells.found, cells.sums
    n = collect_groups(problem, cells, items, shares)
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
                if not problem.apart[group, cells.apart[at]]:
                    fits = False
                    break
            if fits:
                cells.apart[n_apart], cells.weights[n_apart] = group, weight
                n_apart += 1
            else:
                found[n_left], sums[n_left] = group, weight
                n_left += 1
        merged += merge(cells.weights[:n_apart], cells.merged, arity)
        counted += _add_rises(cells.weights[:n_apart], rises)
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
def collect_groups(problem: TableProblem, cells: Cells, items: Int32s, shares: Int64s) -> int:
    """List the groups of some items with the shares of each; return how many there are."""
    marks, n = cells.marks, 0
    for at in range(len(items)):
        group = problem.groups[items[at]]
        if marks[group] == 0:
            cells.found[n], cells.sums[n] = group, 0
            n += 1
            marks[group] = n
        cells.sums[marks[group] - 1] += shares[at]
    for rank in range(n):
        marks[cells.found[rank]] = 0
    return n


@njit_part
def bound_cell(
    problem: TableProblem,
    cells: Cells,
    limits: Limits,
    node: int,
    begin: int,
    end: int,
    rises: Int64s,
    last_layer: int,
) -> tuple[int, int]:
    """Return what a cell costs at least, and a number of its leaves at least.

    The limits are those of a node above it. Layers behind the last one count for nothing.
    """
    items, shares = cells.items[begin:end], cells.shares[begin:end]
    arities, cheapest = limits.arities[node], limits.cheapest[node]
    merged, counted, n_leaves = bound_together(problem, cells, items, shares, arities[0], rises)
    total = cheapest * merged
    if n_leaves > 1 and last_layer > 0:
        total += bound_layers(problem, cells, limits, node, begin, end, 1, last_layer)
    return max(total, counted), n_leaves


@njit_part
def bound_layers(
    problem: TableProblem,
    cells: Cells,
    limits: Limits,
    node: int,
    begin: int,
    end: int,
    first_layer: int,
    last_layer: int,
) -> int:
    """Return what some layers of a cell cost at least, above the least cost of a question."""
    items, shares = cells.in_blocks, cells.block_shares
    counts, ends, layers = cells.counts, cells.block_ends, problem.layers
    cheapest, total, side, n = limits.cheapest[node], 0, 0, end - begin
    for at in range(n):
        items[0, at], shares[0, at] = cells.items[begin + at], cells.shares[begin + at]
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
                cells,
                items[other, start:stop],
                shares[other, start:stop],
                limits.arities[node, layer],
                cells.merged[:0],
            )
            merged += cost
            start = stop
        if merged == 0:
            break
        total += rise * merged
        side, n = other, n_in
    return total


@njit_part
def count_pairs(problem: TableProblem, cells: Cells, begin: int, end: int) -> int:
    """Return how many pairs of the items of a cell are separable."""
    n = end - begin
    if problem.are_single:
        return n * (n - 1) // 2
    counts = cells.counts[:n]
    counts[:] = 1
    n_groups = collect_groups(problem, cells, cells.items[begin:end], counts)
    counts[:] = 0
    pairs = 0
    for rank in range(n_groups):
        for other in range(rank):
            if problem.apart[cells.found[rank], cells.found[other]]:
                pairs += cells.sums[rank] * cells.sums[other]
    return int(pairs)


@njit_part
def estimate_cell(problem: TableProblem, cells: Cells, begin: int, end: int) -> int:
    """Return about what a cell costs; its items count 1 each if all weigh 0.

    Huffman's cost with two answers a question, and 5/16 of the shares times the logarithm of the
    pairs that are still to be parted: shares alone would leave many light items together.
    """
    n, weight = end - begin, 0
    for at in range(begin, end):
        weight += cells.shares[at]
    merged, _, _ = bound_together(
        problem, cells, cells.items[begin:end], cells.shares[begin:end], 2, cells.merged[:0]
    )
    if weight == 0:
        weight = n
    pairs = count_pairs(problem, cells, begin, end)
    return int((merged << 12) + 5 * weight * log2_of(1 + pairs, 8))
