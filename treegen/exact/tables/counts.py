"""What a number of items costs at least, whichever they are: counts under the sizes of cells.

A question divides a subset of a state's items into parts of its cells. All that the bounds here
know of it is its *profile*: how large its cells are, what it costs, whether it may win. A subset of
t items therefore costs at least the least, over the profiles, of what the question costs all t of
them and of the least that t items cost divided in a way which the profile allows.

Of a cell's items the k heaviest cost at least what k items cost unweighted, for every k: so the
cell costs at least the sum of share times *rise*, of that bound from k - 1 items to k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...jit.compiler import by_reference, njit_part
from ..engine import Int64s
from .bounds import Cells

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
    bounds: Int64s  # [n_items + 1]: what so many items cost at least
    convex: Int64s  # [n_items + 1]: their convex minorant, times `SCALE`
    corners: Int64s  # [n_items + 1]: its corners


@njit_part
def add_profile(
    profiles: Profiles, n_profiles: int, cells: Cells, n_cells: int, cost: int, winner: int
) -> int:
    """Add the profile of cells, whose sizes stand in `ends`; return how many there are now.

    `winner` is the number of the cell that wins; -1: none does.
    """
    row, n = profiles.row, 0
    for cell in range(n_cells):
        size = cells.ends[cell]
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
