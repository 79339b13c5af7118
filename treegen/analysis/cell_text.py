"""Sizes of cells as people read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

MANY_CELLS = 16
"""More cells than this are abbreviated."""


def write_cells(cells: Sequence[int]) -> str:
    """Format sizes of cells, equal ones as a product if there are many; JSON has them all.

    Examples
    --------
    >>> write_cells([6, 3, 1, 1])
    '6+3+1+1'
    >>> write_cells([55, 41, *[2] * 30, *[1] * 98])
    '55+41+30×2+98×1 (130 cells)'
    """
    if len(cells) <= MANY_CELLS:
        return "+".join(map(str, cells))
    counts = sorted(Counter(cells).items(), reverse=True)
    parts = [str(size) if n == 1 else f"{n}×{size}" for size, n in counts]
    if len(parts) > MANY_CELLS:
        parts = [*parts[: MANY_CELLS - 2], "…", parts[-1]]
    return f"{'+'.join(parts)} ({len(cells)} cells)"
