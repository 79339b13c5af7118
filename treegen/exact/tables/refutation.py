"""Guesses that shares and sizes do not refute: what certificates count in tables.

What a cell costs at least takes the most cells and the least cost of any guess on the *whole* set
for the guesses below it: weaker than the bounds of the search itself, but stated in a sentence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit, njit_part
from ..engine import INFINITE, Int32s, Int64s
from ..engine.cost import spend_guess
from .bounds import (
    Limits,
    Room,
    bound_layers,
    bound_together,
    divide,
    has_groups,
    is_certain,
    number_cells,
)
from .problem import TableProblem


@by_reference
class Prices(NamedTuple):
    """A table, what is minimised (see `Aim`), and room to count in.

    Guesses are the questions of the problem. The last columns are written for the guess at hand.
    """

    problem: TableProblem
    scale: int
    last: int
    room: Room  # the items of a state stand first, then those of its cells
    limits: Limits  # of one state: what holds below its guesses
    late: Int64s  # [n + 2], scratch: of ranks, from 1 on, 1 where an item is found last of all
    starts: Int64s  # [most cells + 1]: where each cell begins in the room
    answers: Int64s  # [most cells]: its answer
    bounds: Int64s  # [most cells]: the least that it costs
    n_apart: (
        Int64s  # [most cells]: the most items of which any two are told apart; with 1 it is over
    )


@njit_part
def _tells(prices: Prices, guess: int, begin: int, end: int) -> bool:
    """Whether an answer excludes an item of a state, or wins the only one."""
    problem, items = prices.problem, prices.room.items
    row = problem.cells[guess]
    for at in range(begin + 1, end):
        if row[items[at]] != row[items[begin]]:
            return True
    return bool(problem.is_win and end - begin == 1 and problem.owners[guess] == items[begin])


@njit_part
def _find_winner(prices: Prices, guess: int) -> int:
    """Return the winning cell of the guess whose cells were numbered last; -1 if there is none."""
    problem, room = prices.problem, prices.room
    if not problem.is_win or problem.owners[guess] < 0:
        return -1
    owner = problem.owners[guess]
    answer = problem.answers[problem.starts[problem.cells[guess, owner]]]
    return max(-1, int(room.numbers[answer] - room.base[0]))


@njit_part
def _divide(prices: Prices, guess: int, begin: int, end: int, top: int) -> int:
    """Write a guess's cells at `top`; return how many there are.

    Those of a table with groups have their items in order: the first of equal groups counts.
    """
    problem, room = prices.problem, prices.room
    n_cells = divide(problem, room, guess, begin, end, top)
    if has_groups(problem) and not is_certain(problem):
        start = top
        for cell in range(n_cells):
            for at in range(start + 1, room.ends[cell]):
                item, share, place = room.items[at], room.shares[at], at
                while place > start and room.items[place - 1] > item:
                    room.items[place], room.shares[place] = (
                        room.items[place - 1],
                        room.shares[place - 1],
                    )
                    place -= 1
                room.items[place], room.shares[place] = item, share
            start = room.ends[cell]
    return n_cells


@njit_part(allocates=True)
def _begin(prices: Prices, items: Int32s, shares: Int64s) -> int:
    """Write a state into the room; return its size."""
    n = len(items)
    prices.room.items[:n], prices.room.shares[:n] = items, shares
    return n


@njit(allocates=True)
def measure_state(
    prices: Prices, items: Int32s, shares: Int64s, guesses: Int32s, left: int
) -> Int64s:
    """Write what holds below the guesses of a state from which `left` may be spent.

    Return how many items are found at cost 0, 1 … at most; without a limit, of length 0.
    """
    n = _begin(prices, items, shares)
    problem, room, limits = prices.problem, prices.room, prices.limits
    useful = np.zeros(len(guesses), dtype=np.int32)
    n_useful = 0
    limits.arities[0, 0], limits.arities[0, 1:], limits.cheapest[0] = 1, 2, INFINITE
    for guess in guesses:
        if not _tells(prices, guess, 0, n):
            continue
        n_cells, _, _ = number_cells(problem, room, guess, 0, n)
        winner = _find_winner(prices, guess)
        useful[n_useful] = guess
        n_useful += 1
        cost, arity = problem.costs[guess], n_cells - (winner >= 0)
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
            rest = spent - problem.costs[guess]
            if rest < 0 or most >= n:
                continue
            n_cells, _, _ = number_cells(problem, room, guess, 0, n)
            winner, found = _find_winner(prices, guess), 0
            for cell in range(n_cells):
                found += 1 if cell == winner else min(room.ends[cell], capacities[rest])
            most = max(most, found)
        capacities[spent] = min(most, n)
    return capacities


@njit_part
def _bound_items(
    prices: Prices, capacities: Int64s, begin: int, end: int, left: int
) -> tuple[int, int]:
    """Return the least cost of items where `left` may be spent, and how many are told apart."""
    m, limited = end - begin, len(capacities) > 0
    problem, room, limits, late = prices.problem, prices.room, prices.limits, prices.late
    items, shares = room.items[begin:end], room.shares[begin:end]
    if m == 1:
        cost, share = problem.ends[items[0]], shares[0]
        if cost > left:
            return INFINITE, 1
        return int(share * (prices.scale * cost + (prices.last if cost == left else 0))), 1
    if limited and prices.last > 0:
        late[: m + 1] = 1
        late[: (capacities[left - 1] if left > 0 else 0) + 1] = 0
    rises = late[: m + 1 if limited and prices.last > 0 else 0]
    arity, cheapest = int(limits.arities[0, 0]), int(limits.cheapest[0])
    if problem.is_win == 0 and arity < 2:
        return INFINITE, m
    merged, counted, n_apart = bound_together(problem, room, items, shares, max(arity, 2), rises)
    if limited and n_apart > capacities[left]:
        return INFINITE, n_apart
    total = cheapest * merged
    if problem.is_win == 0:
        total += bound_layers(problem, room, limits, 0, begin, end, 1, len(problem.layers) - 1)
    else:
        total, level, width, at = 0, 1, 1, 0
        while at < m:
            for i in range(at, min(m, at + width)):
                total += cheapest * level * int(shares[i])
            at += width
            level += 1
            width = min(width * arity, m)
    return min(prices.scale * total + prices.last * counted, INFINITE), n_apart


@njit_part
def _charge(prices: Prices, guess: int, begin: int, end: int, is_won: bool, left: int) -> int:
    """Return the cost of a guess itself; `left` may be spent after it."""
    problem, room, weight = prices.problem, prices.room, 0
    for at in range(begin, end):
        weight += int(room.shares[at])
    cost = prices.scale * int(problem.costs[guess]) * weight
    if is_won and left == 0:
        for at in range(begin, end):
            if room.items[at] == problem.owners[guess]:
                cost += prices.last * int(room.shares[at])
    return cost


@njit_part
def _look_ahead(
    prices: Prices,
    capacities: Int64s,
    begin: int,
    end: int,
    top: int,
    guesses: Int32s,
    made: int,
    left: int,
    known: int,
) -> int:
    """Return the larger of the known bound of a cell and the one that a guess ahead proves.

    The guess that was made before, whose answers may be uncertain, is not made again.
    """
    best, problem, room = INFINITE, prices.problem, prices.room
    for guess in guesses:
        rest = spend_guess(left, problem.costs[guess])
        if rest < 0 or guess == made:
            continue
        if not _tells(prices, guess, begin, end):
            continue
        n_cells, start = _divide(prices, guess, begin, end, top), top
        winner = _find_winner(prices, guess)
        total = _charge(prices, guess, begin, end, winner >= 0, rest)
        for cell in range(n_cells):
            stop = room.ends[cell]
            if cell != winner:
                bound, _ = _bound_items(prices, capacities, start, stop, rest)
                total = min(INFINITE, total + bound)
            if total >= best:
                break
            start = stop
        best = min(best, total)
        if best <= known:
            return known
    return best


@njit_part(allocates=True)
def _write_cells(
    prices: Prices, capacities: Int64s, guess: int, n: int, left: int
) -> tuple[int, int]:
    """Write a guess's cells with their bounds, 0 if one wins; return their number and what shows.

    `left` is what the guess leaves.
    """
    problem, room, starts = prices.problem, prices.room, prices.starts
    n_cells = _divide(prices, guess, 0, n, n)
    winner = _find_winner(prices, guess)
    total = _charge(prices, guess, 0, n, winner >= 0, left)
    # The kernels below write their own ends.
    starts[1 : n_cells + 1] = room.ends[:n_cells]
    for at in range(n):
        own = problem.cells[guess, room.items[at]]
        for place in range(problem.starts[own], problem.starts[own + 1]):
            answer = problem.answers[place]
            prices.answers[room.numbers[answer] - room.base[0]] = answer
    starts[0] = n
    for cell in range(n_cells):
        prices.bounds[cell], prices.n_apart[cell] = 0, 1
        if cell != winner:
            prices.bounds[cell], prices.n_apart[cell] = _bound_items(
                prices, capacities, starts[cell], starts[cell + 1], left
            )
        total = min(INFINITE, total + prices.bounds[cell])
    return n_cells, total


@njit(allocates=True)
def find_open_guess(
    prices: Prices,
    capacities: Int64s,
    items: Int32s,
    shares: Int64s,
    guesses: Int32s,
    legal: Int32s,
    at: int,
    wanted: int,
    left: int,
    n_units: int,
) -> tuple[int, int, int]:
    """Go on to the next guess that does not show a cost; write its cells and their bounds.

    Return its place among the guesses, what it shows, and how many cells there are: 0 if none does,
    or after about `n_units` answers have been looked at. `legal`: what may be guessed in the state.
    """
    n, problem, room = _begin(prices, items, shares), prices.problem, prices.room
    bounds, arity = prices.bounds, prices.limits.arities[0, 0]
    is_member = np.zeros(len(problem.ends), dtype=np.bool_)
    work = 0
    while at < len(guesses) and work < n_units:
        guess = guesses[at]
        at += 1
        rest = spend_guess(left, problem.costs[guess])
        if rest < 0:
            continue
        work += n
        if not _tells(prices, guess, 0, n):
            continue
        n_cells, total = _write_cells(prices, capacities, guess, n, rest)
        for distance in range(max(n, arity) + 1):
            for cell in range(n_cells):
                start, stop = prices.starts[cell], prices.starts[cell + 1]
                m, known = stop - start, bounds[cell]
                if prices.n_apart[cell] < 2 or abs(m - arity - 2) != distance:
                    continue
                if total >= wanted or known >= INFINITE:
                    continue
                allowed = legal
                if problem.candidates_only:
                    is_member[:] = False
                    for place in range(start, stop):
                        is_member[room.items[place]] = True
                    kept = [
                        g for g in legal if problem.owners[g] >= 0 and is_member[problem.owners[g]]
                    ]
                    allowed = np.array(kept, dtype=np.int32)
                top = prices.starts[n_cells]
                shown = _look_ahead(
                    prices, capacities, start, stop, top, allowed, guess, rest, known
                )
                work += m * len(allowed)
                total = min(INFINITE, total - known + shown)
                bounds[cell] = shown
            if total >= wanted:
                break
        if total < wanted:
            return at - 1, total, n_cells
    return at, 0, 0
