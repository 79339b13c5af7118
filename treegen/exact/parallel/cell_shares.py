"""What each cell of a guess is asked for where several search them; see `core.shares`.

A guess that is to be refuted lacks a *deficit*. One thread asks each cell for its share of it; so
do several, at the same time. A cell that shows its share waits until the others have shown theirs;
then what is left is shared once more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..core import FIRST_A, FIRST_B, INFEASIBLE, MAX_ROUNDS, MIN_FITTED, MIN_SHARED, Stack


class CostLine(NamedTuple):
    """What a state of n candidates likely costs for each of them: a + b * log2(n) guesses."""

    a: float
    b: float

    def estimate(self, n: int) -> float:
        """Return what a state of `n` candidates likely costs, in guesses."""
        return n * (self.a + self.b * math.log2(n))


def read_line(stack: Stack) -> CostLine:
    """Return the line through what was solved on a stack so far, as its kernels draw it."""
    control = stack.control
    n, x, y = float(control.sum_1), float(control.sum_x), float(control.sum_y)
    spread = n * float(control.sum_xx) - x * x
    if n < MIN_FITTED or spread <= 1e-6:
        return CostLine(FIRST_A, FIRST_B)
    b = (n * float(control.sum_xy) - x * y) / spread
    return CostLine((y - b * x) / n, b)


class OpenCell(NamedTuple):
    """The candidates of a cell, and the least that it can cost."""

    size: int
    lower_bound: int


class SharePolicy(NamedTuple):
    """How a deficit is shared.

    Attributes
    ----------
    line
        What states likely cost; None: each cell is asked for all.
    scale
        Cost of a guess.
    """

    line: CostLine | None = None
    scale: int = 1

    def share(self, cells: list[OpenCell], deficit: int, n_rounds: int) -> list[int]:
        """Return what each cell is asked for: `INFEASIBLE` is all, 0 nothing yet.

        Parameters
        ----------
        cells
            Those that are open.
        deficit
            What the guess's cost lacks to its upper bound.
        n_rounds
            How often the cells were asked before.

        Examples
        --------
        >>> policy = SharePolicy(CostLine(1.0, 0.3))
        >>> policy.share([OpenCell(100, 250), OpenCell(200, 560)], 40, 0)
        [17, 24]
        >>> policy.share([OpenCell(10, 20), OpenCell(200, 560)], 40, 0)
        [1125899906842624, 0]
        """
        is_endless = deficit >= INFEASIBLE // 2 or n_rounds >= MAX_ROUNDS
        if self.line is None or is_endless or not cells:
            return [INFEASIBLE] * len(cells)
        if any(cell.size < MIN_SHARED for cell in cells):
            # To solve the small ones costs little.
            return [INFEASIBLE if cell.size < MIN_SHARED else 0 for cell in cells]
        weights = [_weigh(cell, self.line, self.scale) for cell in cells]
        unit = deficit / sum(weights)
        return [max(1, min(deficit, math.ceil(unit * weight))) for weight in weights]


def _weigh(cell: OpenCell, line: CostLine, scale: int) -> float:
    """Return by how much a cell's bound is likely too low, at least half a guess, over sqrt(n)."""
    cost = line.estimate(cell.size) * scale
    return max(scale * 0.5, 0.9 * (cost - cell.lower_bound)) / math.sqrt(cell.size)


ASK_FOR_ALL = SharePolicy()
