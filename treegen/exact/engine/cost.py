"""What a search minimises, and the least cost of a number of candidates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import StrategyError
from ...jit.compiler import by_reference, njit, njit_part
from ...jit.memory import read_available_bytes
from ...kernels.rule_kinds import EligibleKind
from . import INFINITE, Int64s

MAX_COST = 1 << 49
"""Trees of games with weights cost less: products of costs and sizes fit 64 bits."""


@by_reference
class CostModel(NamedTuple):
    """The cost of a tree: `scale` for each guess of each game, `last` for each longest game."""

    scale: int  # cost of a guess
    last: int  # cost, besides, of a game that ends with the last guess allowed
    eligible: int  # what may be guessed, the number of an `EligibleKind`
    # [n_lefts, n_responses, n_candidates + 1]: least cost of a number of candidates with a number
    # of guesses left if no guess has more cells than this, the winning one not counted. Without a
    # limit there is one row.
    lower_bounds: Int64s
    # [n_candidates + 1]: the approximate cost of a cell, in any unit: big states try the least sum
    # first.
    estimates: Int64s
    n_full: int  # states of more candidates sort their guesses by estimate; `INFINITE`: none
    beam: int  # the most guesses that these try; 0: all
    shared_depth: int  # the cells of this many first guesses are asked for shares; see `search`


SHARED_DEPTH = 2
"""Deeper guesses ask their cells for all: to solve them costs little."""


def make_cost_model(
    n: int,
    n_responses: int,
    scale: int = 1,
    last: int = 0,
    left: int = INFINITE,
    *,
    eligible: int = EligibleKind.ALL.value,
    beam: int = 0,
    n_full: int = 0,
    shared_depth: int = SHARED_DEPTH,
) -> CostModel:
    """Return the cost model of a search of `n` candidates; see `CostModel`.

    StrategyError: its bounds would not fit memory.
    """
    n_lefts = left + 1 if left < INFINITE else 1
    size, allowed = n_lefts * n_responses * (n + 1) * 8, read_available_bytes()
    if size > allowed:
        raise StrategyError(
            f"the bounds of a search of {n:,} candidates with up to {n_lefts - 1:,} guesses need"
            f" {size / 2**30:.1f} GiB; {allowed / 2**30:.1f} GiB are free: a smaller max-length"
            " needs less"
        )
    bounds = np.empty((n_lefts, n_responses, n + 1), dtype=np.int64)
    fill_bounds(scale, last, bounds)
    n_full = n_full if beam else INFINITE
    return CostModel(
        scale, last, int(eligible), bounds, make_estimates(n), n_full, beam, shared_depth
    )


def make_estimates(n: int) -> Int64s:
    """Return the approximate cost of a cell of 0 … n candidates, in 2 ** -20 guesses."""
    from ...strategies.strategy import parse_criterion

    logs = parse_criterion("entropy").table(n) >> 12
    return (np.arange(n + 1, dtype=np.int64) << 20) + (logs * 5 >> 4)


@njit_part(inline=True)
def has_list(model: CostModel) -> bool:
    """Whether a rule of play lists the legal guesses of each state."""
    return bool(model.eligible > EligibleKind.CANDIDATES)


def spend(left: int, cost: int = 1) -> int:
    """Return the limit to spend after a guess."""
    return left - cost if left < INFINITE else left


spend_guess = njit_part(inline=True)(spend)
"""The same for kernels, which Python does not call."""


@njit_part(inline=True)
def row_below(model: CostModel, left: int) -> int:
    """Return the row of `CostModel.lower_bounds` for the cells of a guess."""
    return int(min(spend_guess(left), model.lower_bounds.shape[0] - 1))


@njit_part
def fill_levels(n: int, n_cells: int, max_cells: int, left: int, scale: int, last: int) -> int:
    """Return the least cost of `n` candidates spread over cells.

    The first guess in each cell ends at most one game, the second `max_cells`, the third
    ``max_cells ** 2`` …; `left` is the number of guesses allowed.
    """
    cost = 0
    level = 1
    capacity = n_cells
    while n > 0:
        if level > left or capacity <= 0:
            return INFINITE
        taken = min(n, capacity)
        cost += taken * (level * scale + (last if level == left else 0))
        n -= taken
        capacity = min(capacity * max_cells, n)
        level += 1
    return cost


@njit_part
def bound_guess(
    model: CostModel, n: int, left: int, n_cells: int, wins: bool, max_cells: int
) -> int:
    """Return the least cost of a guess with `n_cells` cells, the winning one not counted.

    Below it no guess has more than `max_cells`. There are three candidates or more: infinite where
    one guess is left.
    """
    rest = n - 1 if wins else n
    levels = fill_levels(rest, n_cells, max_cells, spend_guess(left), model.scale, model.last)
    return min(n * model.scale + levels, INFINITE)


@njit_part
def bound_penalty(model: CostModel, weight: int, left: int, penalty: int) -> int:
    """Return the least cost of a guess by its penalty, in a state of three candidates or more.

    See `penalties`. `weight` is that of the state.
    """
    cost = model.scale * (2 * weight + penalty)
    # What is not the first of its cell needs a third guess.
    if left == 1 or (left == 2 and penalty > 0):
        return INFINITE
    if left == 2:
        cost += model.last * (weight + penalty)
    elif left == 3:
        cost += model.last * max(0, penalty)
    return cost


@njit_part
def find_penalty(
    model: CostModel, weight: int, n: int, left: int, upper_bound: int, shift: int
) -> int:
    """Return the least penalty, ``2 ** shift`` a unit, that does not get below an upper bound.

    It is above every penalty of the state, which has `n` candidates, if there is none.
    """
    # No level is higher than n; products must fit 64 bits.
    high = min(((weight >> shift) + 1) * n, ((1 << 61) // (model.scale + model.last)) >> shift)
    low = -(weight >> shift) - 1
    if upper_bound >= INFINITE // 2:
        return high
    while low < high:
        middle = (low + high) >> 1
        if bound_penalty(model, weight, left, middle << shift) >= upper_bound:
            high = middle
        else:
            low = middle + 1
    return low


@njit
def fill_bounds(scale: int, last: int, bounds: Int64s) -> None:
    """Write the table of least costs that `CostModel` describes."""
    n_lefts, n_max_cells, n_sizes = bounds.shape
    for row in range(n_lefts):
        left = row if n_lefts > 1 else INFINITE
        for max_cells in range(n_max_cells):
            bounds[row, max_cells, :] = INFINITE
            bounds[row, max_cells, 0] = 0
            level, capacity, room = 1, 1, 1
            for n in range(1, n_sizes):
                if room == 0:
                    level += 1
                    capacity = min(capacity * max_cells, n_sizes)
                    room = capacity
                if room == 0 or level > left:
                    break
                room -= 1
                cost = level * scale + (last if level == left else 0)
                bounds[row, max_cells, n] = bounds[row, max_cells, n - 1] + cost
