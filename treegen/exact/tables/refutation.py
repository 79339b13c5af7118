"""Guesses that weights and sizes do not refute: what certificates count in tables.

What a cell costs at least takes the most cells and the least cost of any guess on the *whole* set
for the guesses below it: weaker than what the search itself does, but told in a sentence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from ..engine import INFINITE, Int32s, Int64s
from ..engine.cost import spend_guess


class Prices(NamedTuple):
    """The arrays of a table whose answers are certain, and what is minimised: see `Aim`."""

    answers: NDArray[np.int16]  # [n_guesses, n]: each item's answer; -1 where the guess wins
    costs: Int64s  # [n_guesses]
    weights: Int64s  # [n], descending
    ends: Int64s  # [n]: what an item costs that is left alone: 0 if it is announced
    n_cells: int
    is_announced: bool
    scale: int
    last: int


class Reached(NamedTuple):
    """What holds below the guesses of a state."""

    arity: int  # the most cells of a guess, the winning one only where items are announced
    cheapest: int  # the least cost of a guess that tells something
    # [left + 1]: how many items are found at cost 0, 1 …; of length 0 without a limit.
    capacities: Int64s


class ItemCells(NamedTuple):
    """The cells of a guess, by the first of their items."""

    starts: Int64s  # [n_cells + 1]: where each cell's items begin in `items`
    items: Int32s  # [m]: those not won at once, cell by cell, ascending in each
    bounds: Int64s  # [n_cells]: the least that each costs
    winner: int  # the item that the guess wins; -1 if there is none


@njit_part(allocates=True)
def make_cells(n: int) -> ItemCells:
    """Return room for the cells of n items."""
    return ItemCells(
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n, dtype=np.int32),
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


@njit(allocates=True)
def measure_state(prices: Prices, items: Int32s, guesses: Int32s, left: int) -> Reached:
    """Return what holds below the guesses of a state from which `left` may be spent."""
    n = len(items)
    arity, cheapest = 1, INFINITE
    cells, cell_of = make_cells(n), np.full(prices.n_cells, -1, dtype=np.int64)
    useful = np.zeros(len(guesses), dtype=np.int32)
    n_useful = 0
    for guess in guesses:
        n_found, winner = divide(prices.answers[guess], items, cell_of, cells)
        if n_found < 2 and winner < 0:
            continue
        useful[n_useful] = guess
        n_useful += 1
        arity = max(arity, n_found + (winner >= 0 and prices.is_announced))
        cheapest = min(cheapest, int(prices.costs[guess]))
    capacities = np.zeros(left + 1 if left < INFINITE else 0, dtype=np.int64)
    most = 0
    for spent in range(len(capacities)):
        for item in items:
            if prices.ends[item] <= spent:
                most = max(most, 1)
        for guess in useful[:n_useful]:
            rest = spent - prices.costs[guess]
            if rest < 0 or most >= n:
                continue
            n_found, winner = divide(prices.answers[guess], items, cell_of, cells)
            found = int(winner >= 0)
            for cell in range(n_found):
                found += min(cells.starts[cell + 1] - cells.starts[cell], capacities[rest])
            most = max(most, found)
        capacities[spent] = min(most, n)
    return Reached(arity, cheapest, capacities)


@njit_part
def _bound_items(
    prices: Prices, reached: Reached, items: Int32s, left: int, scratch: Int64s
) -> int:
    """Return the least cost of items where `left` may be spent."""
    m, weights, limited = len(items), prices.weights, len(reached.capacities) > 0
    if m == 1:
        end, weight = prices.ends[items[0]], weights[items[0]]
        if end > left:
            return INFINITE
        return int(weight * (prices.scale * end + (prices.last if end == left else 0)))
    if limited and m > reached.capacities[left]:
        return INFINITE
    total = 0
    if prices.is_announced:
        if reached.arity < 2:
            return INFINITE
        total = merge_weights(weights, items, reached.arity, scratch)
    else:
        level, room, at = 1, 1, 0
        while at < m:
            for i in range(at, min(m, at + room)):
                total += level * int(weights[items[i]])
            at += room
            level += 1
            room = min(room * reached.arity, m)
    total *= prices.scale * reached.cheapest
    if limited and prices.last > 0:
        for i in range(reached.capacities[left - 1] if left > 0 else 0, m):
            total += prices.last * int(weights[items[i]])
    return min(total, INFINITE)


@njit_part
def _charge(prices: Prices, guess: int, items: Int32s, winner: int, left: int) -> int:
    """Return what a guess itself costs; `left` is what it leaves."""
    weight = 0
    for item in items:
        weight += int(prices.weights[item])
    cost = prices.scale * int(prices.costs[guess]) * weight
    if winner >= 0 and left == 0:
        cost += prices.last * int(prices.weights[winner])
    return cost


@njit_part
def _look_ahead(
    prices: Prices,
    reached: Reached,
    items: Int32s,
    guesses: Int32s,
    left: int,
    known: int,
    cells: ItemCells,
    cell_of: Int64s,
    scratch: Int64s,
) -> int:
    """Return what one guess ahead proves of a cell, what is known if that is more."""
    best = INFINITE
    for guess in guesses:
        rest = spend_guess(left, prices.costs[guess])
        if rest < 0:
            continue
        n_found, winner = divide(prices.answers[guess], items, cell_of, cells)
        if n_found < 2 and winner < 0:
            continue
        total = _charge(prices, guess, items, winner, rest)
        for cell in range(n_found):
            part = cells.items[cells.starts[cell] : cells.starts[cell + 1]]
            total = min(INFINITE, total + _bound_items(prices, reached, part, rest, scratch))
            if total >= best:
                break
        best = min(best, total)
        if best <= known:
            return known
    return best


@njit(allocates=True)
def find_open_guess(
    prices: Prices,
    reached: Reached,
    items: Int32s,
    guesses: Int32s,
    owners: Int32s,
    at: int,
    wanted: int,
    left: int,
    n_units: int,
) -> tuple[int, int, bool, ItemCells]:
    """Go on to the next guess that does not show a cost; return its cells with their bounds.

    Return its place among the guesses, what it shows, whether there is one, and its cells; it also
    returns after about `n_units` answers have been looked at. `owners`: if only candidates may be
    guessed, the item that each guess wins, else of length 0.
    """
    n = len(items)
    cells, below = make_cells(n), make_cells(n)
    cell_of = np.full(prices.n_cells, -1, dtype=np.int64)
    scratch = np.zeros((2, n), dtype=np.int64)
    # Not those of `cells`: compiled here, what was written to them was lost.
    bounds = np.zeros(n, dtype=np.int64)
    everything = np.arange(len(prices.answers), dtype=np.int32)
    is_member = np.zeros(len(prices.weights), dtype=np.bool_)
    work = 0
    while at < len(guesses) and work < n_units:
        guess = guesses[at]
        at += 1
        rest = spend_guess(left, prices.costs[guess])
        if rest < 0:
            continue
        n_found, winner = divide(prices.answers[guess], items, cell_of, cells)
        work += n
        if n_found < 2 and winner < 0:
            continue
        total = _charge(prices, guess, items, winner, rest)
        for cell in range(n_found):
            part = cells.items[cells.starts[cell] : cells.starts[cell + 1]]
            bounds[cell] = _bound_items(prices, reached, part, rest, scratch)
            total = min(INFINITE, total + bounds[cell])
        for distance in range(n):
            for cell in range(n_found):
                part = cells.items[cells.starts[cell] : cells.starts[cell + 1]]
                m, known = len(part), bounds[cell]
                if m < 2 or abs(m - reached.arity - 2) != distance:
                    continue
                if total >= wanted or known >= INFINITE:
                    continue
                allowed = everything
                if len(owners) > 0:
                    is_member[:] = False
                    for item in part:
                        is_member[item] = True
                    kept = [g for g in everything if owners[g] >= 0 and is_member[owners[g]]]
                    allowed = np.array(kept, dtype=np.int32)
                shown = _look_ahead(
                    prices, reached, part, allowed, rest, known, below, cell_of, scratch
                )
                work += m * len(allowed)
                total = min(INFINITE, total - known + shown)
                bounds[cell] = shown
            if total >= wanted:
                break
        if total < wanted:
            cells = ItemCells(
                cells.starts[: n_found + 1],
                cells.items,
                bounds[:n_found],
                winner,
            )
            return at - 1, total, True, cells
    return at, 0, False, below
