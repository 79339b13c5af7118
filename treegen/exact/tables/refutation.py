"""Guesses that weights and sizes do not refute: what certificates count in tables.

What a cell costs at least takes the most cells and the least cost of any guess on the *whole* set
for the guesses below it: weaker than what the search itself does, but told in a sentence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import by_reference, njit, njit_part
from ..engine import INFINITE, Int32s, Int64s
from ..engine.cost import spend_guess
from .bounds import Limits, Room, bound_layers, merge
from .problem import TableProblem


@by_reference
class Prices(NamedTuple):
    """A table whose answers are certain, what is minimised (see `Aim`), and room to count in."""

    problem: TableProblem  # whose questions are in another order than here
    answers: NDArray[np.int16]  # [n_guesses, n]: each item's answer; -1 where the guess wins
    costs: Int64s  # [n_guesses]
    weights: Int64s  # [n], descending
    n_cells: int
    scale: int
    last: int
    room: Room
    limits: Limits  # of one state: what holds below its guesses


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


@njit(allocates=True)
def measure_state(prices: Prices, items: Int32s, guesses: Int32s, left: int) -> Int64s:
    """Write what holds below the guesses of a state from which `left` may be spent.

    Return how many items are found at cost 0, 1 … at most; without a limit, of length 0.
    """
    n, problem, limits = len(items), prices.problem, prices.limits
    cells, cell_of = make_cells(n), np.full(prices.n_cells, -1, dtype=np.int64)
    useful = np.zeros(len(guesses), dtype=np.int32)
    n_useful = 0
    limits.arities[0, 0], limits.arities[0, 1:], limits.cheapest[0] = 1, 2, INFINITE
    for guess in guesses:
        n_found, winner = divide(prices.answers[guess], items, cell_of, cells)
        if n_found < 2 and winner < 0:
            continue
        useful[n_useful] = guess
        n_useful += 1
        cost, arity = prices.costs[guess], n_found + (winner >= 0 and problem.is_win == 0)
        limits.cheapest[0] = min(limits.cheapest[0], cost)
        for layer in range(len(problem.layers)):
            if cost >= problem.layers[layer]:
                limits.arities[0, layer] = max(limits.arities[0, layer], arity)
    capacities = np.zeros(left + 1 if left < INFINITE else 0, dtype=np.int64)
    most = 0
    for spent in range(len(capacities)):
        for item in items:
            if problem.ends[item] <= spent:
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
    return capacities


@njit_part
def _bound_items(prices: Prices, capacities: Int64s, items: Int32s, left: int) -> int:
    """Return the least cost of items where `left` may be spent."""
    m, weights, limited = len(items), prices.weights, len(capacities) > 0
    problem, room, limits = prices.problem, prices.room, prices.limits
    if m == 1:
        end, weight = problem.ends[items[0]], weights[items[0]]
        if end > left:
            return INFINITE
        return int(weight * (prices.scale * end + (prices.last if end == left else 0)))
    arity, cheapest = int(limits.arities[0, 0]), int(limits.cheapest[0])
    if limited and m > capacities[left]:
        return INFINITE
    total = 0
    if problem.is_win == 0:
        if arity < 2:
            return INFINITE
        for at in range(m):
            room.items[at], room.shares[at] = items[at], weights[items[at]]
        total = cheapest * merge(room.shares[:m], room.merged, arity)
        total += bound_layers(problem, room, limits, 0, 0, m, 1, len(problem.layers) - 1)
    else:
        level, width, at = 1, 1, 0
        while at < m:
            for i in range(at, min(m, at + width)):
                total += cheapest * level * int(weights[items[i]])
            at += width
            level += 1
            width = min(width * arity, m)
    total *= prices.scale
    if limited and prices.last > 0:
        for i in range(capacities[left - 1] if left > 0 else 0, m):
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
    capacities: Int64s,
    items: Int32s,
    guesses: Int32s,
    left: int,
    known: int,
    cells: ItemCells,
    cell_of: Int64s,
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
            total = min(INFINITE, total + _bound_items(prices, capacities, part, rest))
            if total >= best:
                break
        best = min(best, total)
        if best <= known:
            return known
    return best


@njit(allocates=True)
def find_open_guess(
    prices: Prices,
    capacities: Int64s,
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
            bounds[cell] = _bound_items(prices, capacities, part, rest)
            total = min(INFINITE, total + bounds[cell])
        for distance in range(n):
            for cell in range(n_found):
                part = cells.items[cells.starts[cell] : cells.starts[cell + 1]]
                m, known = len(part), bounds[cell]
                if m < 2 or abs(m - prices.limits.arities[0, 0] - 2) != distance:
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
                shown = _look_ahead(prices, capacities, part, allowed, rest, known, below, cell_of)
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
