"""What the guesses of a state can do to any subset of it: profiles, and bounds by size.

A guess divides a subset of a state's items into parts of its cells. All that the bounds here know
of it is its *profile*: how large its cells are, what it costs, whether it may win. A subset of t
items therefore costs at least the least, over the profiles, of what the guess costs all t of them
and of the least that t items cost divided in a way which the profile allows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compiler import njit, njit_part
from ..engine import Int32s, Int64s

MAX_PROFILES = 128
"""More are merged into one that allows whatever any of them does."""

SCALE = 1 << 16
"""Slopes of the convex minorant are multiples of its inverse, rounded down."""


class Profiles(NamedTuple):
    """The different profiles of a state's guesses."""

    # [n_profiles, width]: sizes of the cells that do not win, largest first, then zeros.
    caps: Int64s
    costs: Int64s  # [n_profiles]: what the guess costs
    wins: Int64s  # [n_profiles]: 1 if the guess may win


@njit
def collect_profiles(
    answers: NDArray[np.int16], costs: Int64s, n_cells: int, items: Int32s
) -> Profiles:
    """Return the different profiles of the guesses that tell something of some items.

    The arrays are those of `GeneralProblem`.
    """
    n = len(items)
    width = min(n, n_cells)
    caps = np.zeros((MAX_PROFILES, width), dtype=np.int64)
    prices = np.zeros(MAX_PROFILES, dtype=np.int64)
    wins = np.zeros(MAX_PROFILES, dtype=np.int64)
    counts = np.zeros(n_cells, dtype=np.int64)
    row = np.zeros(width, dtype=np.int64)
    n_profiles = 0
    for guess in range(len(answers)):
        win = write_profile(answers[guess], items, counts, row)
        if win < 0:
            continue
        at = 0
        while at < n_profiles and not covers(
            caps[at], prices[at], wins[at], row, costs[guess], win
        ):
            at += 1
        if at < n_profiles:
            continue
        if n_profiles < MAX_PROFILES:
            caps[n_profiles], prices[n_profiles], wins[n_profiles] = row, costs[guess], win
            n_profiles += 1
            continue
        last = MAX_PROFILES - 1
        prices[last] = min(prices[last], costs[guess])
        wins[last] = max(wins[last], win)
        for cell in range(width):
            caps[last, cell] = max(caps[last, cell], row[cell])
    return Profiles(caps[:n_profiles], prices[:n_profiles], wins[:n_profiles])


@njit_part
def write_profile(answers: NDArray[np.int16], items: Int32s, counts: Int64s, row: Int64s) -> int:
    """Write the sizes of a guess's cells, the largest first; return 1 if it may win, 0 if not.

    The result is -1 if all items are in one cell, which tells nothing. `counts`, int64[n_cells],
    are zeros, and zeros again on return.
    """
    win = 0
    for item in items:
        if answers[item] < 0:
            win = 1
        else:
            counts[answers[item]] += 1
    row[:] = 0
    n_found = 0
    for item in items:
        answer = answers[item]
        if answer < 0 or counts[answer] == 0:
            continue
        place = n_found
        while place > 0 and row[place - 1] < counts[answer]:
            row[place] = row[place - 1]
            place -= 1
        row[place] = counts[answer]
        counts[answer] = 0
        n_found += 1
    return win if n_found > 1 or win else -1


@njit_part
def covers(caps: Int64s, price: int, win: int, row: Int64s, cost: int, may_win: int) -> bool:
    """Return whether a profile allows all that another one does, at no higher price."""
    if price > cost or win < may_win:
        return False
    for cell in range(len(row)):
        if caps[cell] < row[cell]:
            return False
        if row[cell] == 0:
            break
    return True


@njit
def bound_sizes(profiles: Profiles, n: int, end_cost: int) -> Int64s:
    """Return the least that 0, 1 … n items of a state cost together.

    A single item costs `end_cost`: 0 if it is announced, else its guess. Parts of a profile's cells
    that hold t items cost least where they are as even as the cells allow, if the costs are convex
    in the size; so the convex minorant of the bounds is divided.
    """
    bounds = np.zeros(n + 1, dtype=np.int64)
    if n == 0:
        return bounds
    bounds[1] = end_cost
    # The minorant's corners; `convex` holds its values, scaled.
    corners = np.zeros(n + 1, dtype=np.int64)
    n_corners = 2
    corners[1] = 1
    convex = np.zeros(n + 1, dtype=np.int64)
    convex[1] = end_cost * SCALE
    levels = np.zeros(len(profiles.costs), dtype=np.int64)
    for size in range(2, n + 1):
        least = -1
        for at in range(len(profiles.costs)):
            rest = size - profiles.wins[at]
            value = divide_evenly(profiles.caps[at], rest, levels, at, convex)
            if value >= 0:
                # A tree's cost is whole: what the minorant says is rounded up.
                cost = profiles.costs[at] * size + -(-value // SCALE)
                least = cost if least < 0 else min(least, cost)
        if least < 0:
            least = bounds[size - 1]  # no guess divides this many: the state is smaller
        bounds[size] = max(least, bounds[size - 1])
        n_corners = add_corner(bounds, corners, n_corners, size)
        write_minorant(bounds, corners, n_corners, convex)
    return bounds


@njit_part
def divide_evenly(caps: Int64s, n: int, levels: Int64s, at: int, convex: Int64s) -> int:
    """Return the least that cells with some room cost if they hold n items; -1 if they cannot.

    `levels`, int64[n_profiles], says at `at` how full the cells were last time: with more items
    they are never less full.
    """
    level = levels[at]
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
    levels[at] = level
    value, left = 0, n - held
    for cap in caps:
        if cap == 0:
            break
        if cap > level and left > 0:
            value += convex[level + 1]
            left -= 1
        else:
            value += convex[min(cap, level)]
    return value


@njit_part
def add_corner(bounds: Int64s, corners: Int64s, n_corners: int, size: int) -> int:
    """Add a size to the corners of the convex minorant; return how many are left."""
    while n_corners > 1:
        a, b = corners[n_corners - 2], corners[n_corners - 1]
        # b is above the line from a to the new one: slopes compared without division
        if (bounds[b] - bounds[a]) * (size - b) < (bounds[size] - bounds[b]) * (b - a):
            break
        n_corners -= 1
    corners[n_corners] = size
    return n_corners + 1


@njit_part
def write_minorant(bounds: Int64s, corners: Int64s, n_corners: int, convex: Int64s) -> None:
    """Write the minorant's scaled values between its last two corners, rounded down."""
    a, b = corners[n_corners - 2], corners[n_corners - 1]
    for size in range(a, b + 1):
        rise = (bounds[b] - bounds[a]) * (size - a) * SCALE
        convex[size] = bounds[a] * SCALE + rise // (b - a)


@njit
def count_capacities(profiles: Profiles, limit: int, n: int) -> Int64s:
    """Return how many items at most can be found at cost 0, 1 … limit.

    The profiles are those of the state of all n items; the list ends where all of them can be
    found. A single item is taken to cost nothing, as where it is announced.
    """
    capacities = np.zeros(limit + 1, dtype=np.int64)
    for cost in range(limit + 1):
        most = 1
        for at in range(len(profiles.costs)):
            left = cost - profiles.costs[at]
            if left < 0:
                continue
            held = profiles.wins[at]
            for cap in profiles.caps[at]:
                held += min(cap, capacities[left])
            most = max(most, held)
        capacities[cost] = most
        if most >= n:
            return capacities[: cost + 1]
    return capacities
