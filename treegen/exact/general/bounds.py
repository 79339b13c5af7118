"""What is known of every guess of a state: lower bounds, the cells, the information.

Items are numbered by descending weight. Of a cell's items the k heaviest cost at least what k items
cost unweighted (`bound_sizes`), for every k: so the cell costs at least the sum of weight times
rise of that bound from k - 1 to k. Where single items are announced, no tree of at most b branches
a guess is below Huffman's, either. The greater of the two counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from ...kernels.onestep.criteria import log2_of
from ..engine import Int32s, Int64s, UInt64s

IMPOSSIBLE = -1
"""The bound of a guess that tells nothing, or after which some cell is not found in time."""

FRACTION_BITS = 16
"""Logarithms are multiples of 2 ** -16: the same on every machine."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_OTHER_MULTIPLIER = np.uint64(0xC2B2AE3D27D4EB4F)


class Limits(NamedTuple):
    """What bounds the trees of a state."""

    # [m + 1]: how much the bound of k items exceeds that of k - 1, for m items or more.
    rises: Int64s
    # The most cells of a guess, the winning one included; 0 if Huffman's bound does not hold, or
    # says no more than sizes do.
    arity: int
    cheapest: int  # the least cost of a guess that tells something
    left: int  # what may still be spent
    # […]: how many items are found at cost 0, 1 … at most; at a greater one, all of them.
    capacities: Int64s


class GuessBounds(NamedTuple):
    """What is known of each guess of a state."""

    # [n_guesses]: what the state costs at least after it; `IMPOSSIBLE` if it tells nothing or takes
    # too long.
    totals: Int64s
    lasts: Int64s  # [n_guesses]: the least weight found only when all that may be spent is
    worsts: Int64s  # [n_guesses]: the least cost of the longest path
    keys: UInt64s  # [n_guesses, 2]: equal for guesses that divide the state alike


class ItemCells(NamedTuple):
    """The cells of a guess, by the first of their items."""

    starts: Int64s  # [n_cells + 1]: where each cell's items begin in `items`
    items: Int32s  # [m]: those not won at once, cell by cell, ascending in each
    bounds: Int64s  # [n_cells]: as `GuessBounds.totals`, of each cell
    lasts: Int64s  # [n_cells]: as `GuessBounds.lasts`
    winner: int  # the item that the guess wins; -1 if there is none


@njit
def bound_guesses(
    answers: NDArray[np.int16],
    costs: Int64s,
    weights: Int64s,
    n_cells: int,
    items: Int32s,
    limits: Limits,
) -> GuessBounds:
    """Return the lower bounds of every guess; the arrays are those of `GeneralProblem`."""
    n_guesses, n = len(answers), len(items)
    bounds = GuessBounds(
        np.full(n_guesses, IMPOSSIBLE, dtype=np.int64),
        np.zeros(n_guesses, dtype=np.int64),
        np.zeros(n_guesses, dtype=np.int64),
        np.zeros((n_guesses, 2), dtype=np.uint64),
    )
    weight = 0
    for item in items:
        weight += int(weights[item])
    cell_of = np.full(n_cells, -1, dtype=np.int64)
    cells = make_cells(n)
    scratch = np.zeros((2, n), dtype=np.int64)
    for guess in range(n_guesses):
        n_found, winner = divide(answers[guess], items, cell_of, cells)
        if n_found < 2 and winner < 0:
            continue
        total, last, worst = bound_cells(weights, cells, n_found, costs[guess], limits, scratch)
        if total == IMPOSSIBLE:
            continue
        bounds.totals[guess] = total + costs[guess] * weight
        if winner >= 0 and limits.left == costs[guess]:
            last += int(weights[winner])
        bounds.lasts[guess], bounds.worsts[guess] = last, worst + costs[guess]
        write_key(answers[guess], items, cell_of, bounds.keys[guess])
    return bounds


@njit
def divide_state(
    answers: NDArray[np.int16],
    cost: int,
    weights: Int64s,
    n_cells: int,
    items: Int32s,
    limits: Limits,
) -> ItemCells:
    """Return the cells of one guess with their bounds; its `answers`, int16[n], and its `cost`."""
    n = len(items)
    cells = make_cells(n)
    cell_of = np.full(n_cells, -1, dtype=np.int64)
    n_found, winner = divide(answers, items, cell_of, cells)
    bound_cells(weights, cells, n_found, cost, limits, np.zeros((2, n), dtype=np.int64))
    end = cells.starts[n_found]
    starts = cells.starts[: n_found + 1].copy()
    return ItemCells(
        starts, cells.items[:end], cells.bounds[:n_found], cells.lasts[:n_found], winner
    )


@njit_part
def make_cells(n: int) -> ItemCells:
    """Return room for the cells of n items."""
    return ItemCells(
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n, dtype=np.int32),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        -1,
    )


@njit_part
def divide(
    answers: NDArray[np.int16], items: Int32s, cell_of: Int64s, cells: ItemCells
) -> tuple[int, int]:
    """Write a guess's cells; return how many there are, and the item that it wins or -1.

    `cell_of`, int64[n_cells], is written for the answers that occur.
    """
    starts = cells.starts
    for item in items:
        if answers[item] >= 0:
            cell_of[answers[item]] = -1
    n_found, winner = 0, -1
    starts[0] = 0
    for item in items:
        answer = answers[item]
        if answer < 0:
            winner = int(item)
            continue
        if cell_of[answer] < 0:
            cell_of[answer] = n_found
            n_found += 1
            starts[n_found] = 0
        starts[cell_of[answer] + 1] += 1
    for cell in range(n_found):
        starts[cell + 1] += starts[cell]
    # Each start moves on while its cell is filled, to the next one's; then all move back.
    for item in items:
        answer = answers[item]
        if answer >= 0:
            cell = cell_of[answer]
            cells.items[starts[cell]] = item
            starts[cell] += 1
    for cell in range(n_found, 0, -1):
        starts[cell] = starts[cell - 1]
    starts[0] = 0
    return n_found, winner


@njit_part
def bound_cells(
    weights: Int64s, cells: ItemCells, n_found: int, cost: int, limits: Limits, scratch: Int64s
) -> tuple[int, int, int]:
    """Write the bounds of each cell; return their sums, and the longest path's.

    The first result is `IMPOSSIBLE` if a cell is not found in what is left after the guess.
    """
    total, total_last, worst = 0, 0, 0
    left = limits.left - cost
    if left < 0:
        return IMPOSSIBLE, total_last, worst
    for cell in range(n_found):
        begin, end = cells.starts[cell], cells.starts[cell + 1]
        bound = 0  # of its k heaviest items, for every k
        for rank in range(end - begin):
            bound += int(weights[cells.items[begin + rank]] * limits.rises[rank + 1])
        if limits.arity > 1 and end - begin > 2:
            merged = merge_weights(weights, cells.items[begin:end], limits.arity, scratch)
            bound = max(bound, merged * limits.cheapest)
        last = 0
        if left < len(limits.capacities):
            if end - begin > limits.capacities[left]:
                return IMPOSSIBLE, total_last, worst
            n_early = limits.capacities[left - 1] if left > 0 else 0
            for i in range(begin + n_early, end):
                last += int(weights[cells.items[i]])
        cells.bounds[cell], cells.lasts[cell] = bound, last
        total += bound
        total_last += last
        worst = max(worst, int(np.searchsorted(limits.capacities, end - begin)))
    return total, total_last, worst


@njit
def merge_weights(weights: Int64s, items: Int32s, arity: int, scratch: Int64s) -> int:
    """Return the least sum of weighted depths of a tree with the items at its leaves.

    D. A. Huffman, A method for the construction of minimum-redundancy codes, Proc. IRE 40 (1952),
    with two queues: the items, by descending weight, from the lightest up, and the merged ones,
    which come up by weight. A node has at most `arity` children, at least 2; `scratch` is int64[2,
    m].
    """
    merged = scratch[0]
    lightest, first, last = len(items) - 1, 0, 0
    total = 0
    # The first node alone may have fewer children than the others.
    n_children = (len(items) - 2) % (arity - 1) + 2 if len(items) > 1 else 0
    while lightest + 1 + last - first > 1:
        weight = 0
        for _ in range(n_children):
            is_item = first == last
            if lightest >= 0 and not is_item:
                is_item = weights[items[lightest]] <= merged[first]
            if is_item:
                weight += int(weights[items[lightest]])
                lightest -= 1
            else:
                weight += int(merged[first])
                first += 1
        merged[last] = weight
        last += 1
        total += weight
        n_children = arity
    return total


@njit_part
def write_key(answers: NDArray[np.int16], items: Int32s, cell_of: Int64s, key: UInt64s) -> None:
    """Write 128 bits that guesses share if they divide the items alike."""
    a, b = np.uint64(1), np.uint64(2)
    for item in items:
        answer = answers[item]
        # Cells are numbered by their first item: the same division has the same numbers.
        cell = np.uint64(cell_of[answer] + 2 if answer >= 0 else 1)
        a = (a ^ cell) * _MULTIPLIER
        a ^= a >> np.uint64(29)
        b = (b ^ cell) * _OTHER_MULTIPLIER
        b ^= b >> np.uint64(31)
    key[0], key[1] = a, b


@njit
def estimate_guesses(
    answers: NDArray[np.int16], weights: Int64s, n_cells: int, items: Int32s, gains: Int64s
) -> None:
    """Write what each guess tells of a state, weight times bits, in multiples of 2 ** -16.

    The arrays are those of `GeneralProblem`; the sum of the weights is below 2 ** 41.
    """
    sums = np.zeros(n_cells + 1, dtype=np.int64)
    whole = 0
    for item in items:
        whole += int(weights[item])
    for guess in range(len(answers)):
        for item in items:
            sums[answers[guess, item]] += weights[item]
        gain = whole * log2_of(whole, FRACTION_BITS)
        for item in items:
            answer = answers[guess, item]
            gain -= sums[answer] * log2_of(int(sums[answer]), FRACTION_BITS)
            sums[answer] = 0
        gains[guess] = gain
