"""Shared deficits: each open cell of a guess is asked for a part of what the guess still lacks.

A guess under trial costs too much as soon as its cells' lower bounds rise by the *deficit*, what
its cost lacks to the upper bound. To solve one cell after another proves more than that: it is
enough that each cell shows its share. A share is what an estimate says that the cell's bound is
still too low by, less for large cells, which take more work to show it, scaled so that all shares
make the deficit. A cell that shows its share stops there; what turns out exact is done; then what
is left is shared once more.

The estimate is fitted to the states solved so far: V / n = a + b * log2(n). It decides what is
asked first, never what is proved.
"""

from __future__ import annotations

import math
from typing import Any

from ..._jit import njit_bare_part
from .cost_model import INFEASIBLE, CostModel
from .stack import Stack

MIN_SHARED = 60
"""Smaller cells are asked for all: to solve them costs little."""

MAX_ROUNDS = 4
"""From this round on, cells are asked for all that is left."""

FORGETTING = 0.999

FIRST_A, FIRST_B = 1.0, 0.29
"""The estimate before `MIN_FITTED` states are solved."""

MIN_LEARNED = 30
"""Of smaller states there are so many that the line would be theirs."""

MIN_FITTED = 5.0


@njit_bare_part
def choose_cell(model: CostModel, stack: Stack, depth: int) -> int:
    """Return the open cell to be searched next, -1 if all are exact; write what it is asked for."""
    frames, cells = stack.frames, stack.cells
    deficit = frames.upper_bound[depth] - frames.cost[depth]
    at = _find_first(stack, depth)
    if at < 0:
        return at
    if deficit >= INFEASIBLE // 2:
        # No tree is known: all cells must be solved, and the table knows more once the largest is.
        # Or a limit rules guesses out, most likely by what the largest cell needs.
        at = _find_largest(stack, depth)
        cells.share[depth, at] = deficit
        return at
    if depth > model.shared_depth or model.beam > 0 or stack.control.deepest > 0:
        cells.share[depth, at] = deficit
        return at
    if cells.size[depth, at] < MIN_SHARED or frames.round[depth] >= MAX_ROUNDS:
        cells.share[depth, at] = deficit
        return at
    chosen = _find_cheapest(stack, depth)
    if chosen < 0:
        frames.round[depth] += 1
        _share_deficit(model, stack, depth, deficit)
        chosen = _find_cheapest(stack, depth)
    cells.share[depth, chosen] = min(cells.share[depth, chosen], deficit)
    return chosen


@njit_bare_part
def _find_first(stack: Stack, depth: int) -> int:
    """Return the first open cell, the smallest one; -1 if there is none."""
    for at in range(stack.frames.n_cells[depth]):
        if stack.cells.is_exact[depth, at] == 0:
            return at
    return -1


@njit_bare_part
def _find_largest(stack: Stack, depth: int) -> int:
    """Return the last open cell, the largest one; there is one."""
    at = int(stack.frames.n_cells[depth]) - 1
    while stack.cells.is_exact[depth, at] == 1:
        at -= 1
    return at


@njit_bare_part
def _find_cheapest(stack: Stack, depth: int) -> int:
    """Return the open cell whose share likely takes the least work per unit, -1: all were asked.

    The work is taken to grow with the square of the size.
    """
    cells = stack.cells
    chosen, least = -1, math.inf
    for at in range(stack.frames.n_cells[depth]):
        share = cells.share[depth, at]
        if cells.is_exact[depth, at] == 0 and share > 0:
            work = cells.size[depth, at] ** 2 / share
            if work < least:
                chosen, least = at, work
    return chosen


@njit_bare_part
def _share_deficit(model: CostModel, stack: Stack, depth: int, deficit: int) -> None:
    """Write each open cell's share of the deficit, in proportion to its weight."""
    frames, cells = stack.frames, stack.cells
    weights = 0.0
    for at in range(frames.n_cells[depth]):
        if cells.is_exact[depth, at] == 0:
            weights += _weigh(model, stack, depth, at)
    for at in range(frames.n_cells[depth]):
        if cells.is_exact[depth, at] == 0:
            share = deficit * _weigh(model, stack, depth, at) / weights
            cells.share[depth, at] = max(1, min(deficit, math.ceil(share)))


@njit_bare_part
def _weigh(model: CostModel, stack: Stack, depth: int, at: int) -> float:
    """Return by how much a cell's bound is likely too low, at least half a guess, over sqrt(n)."""
    cells, control = stack.cells, stack.control
    n = cells.size[depth, at]
    a, b = _fit(control)
    cost = n * (a + b * math.log2(n)) * model.scale
    lack = max(model.scale * 0.5, 0.9 * (cost - cells.lower_bound[depth, at]))
    return float(lack / math.sqrt(n))


@njit_bare_part
def _fit(control: Any) -> tuple[float, float]:
    """Return the line through what was solved so far (least squares)."""
    n, x, y = control.sum_1, control.sum_x, control.sum_y
    spread = n * control.sum_xx - x * x
    if n < MIN_FITTED or spread <= 1e-6:
        return FIRST_A, FIRST_B
    b = (n * control.sum_xy - x * y) / spread
    return (y - b * x) / n, b


def carry_fit(known: Stack, stack: Stack) -> None:
    """Let a new search begin with what another one of the same game has learned of costs."""
    for name in ("sum_1", "sum_x", "sum_y", "sum_xx", "sum_xy"):
        setattr(stack.control, name, getattr(known.control, name))


@njit_bare_part
def learn_cost(control: Any, n: int, cost: float) -> None:
    """Add a solved state of `n` candidates to the fit, unless it is small; old ones fade slowly."""
    if n < MIN_LEARNED:
        return
    x, y = math.log2(n), cost / n
    control.sum_1 = control.sum_1 * FORGETTING + 1.0
    control.sum_x = control.sum_x * FORGETTING + x
    control.sum_y = control.sum_y * FORGETTING + y
    control.sum_xx = control.sum_xx * FORGETTING + x * x
    control.sum_xy = control.sum_xy * FORGETTING + x * y
