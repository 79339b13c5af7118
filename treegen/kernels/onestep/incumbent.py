"""The incumbent: the best guess so far, and whether another is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit_bare_part, njit_inline
from ..._rule_kinds import CriterionKind
from .criteria import compare, evaluate_partition
from .partition import count_cell
from .ranked_game import RankedGame
from .word_game import WordGame
from .workspace import Workspace


@njit_bare_part
def consider_guess(
    game: RankedGame, workspace: Workspace, answers: NDArray[np.uint8], guess: int, n: int
) -> None:
    """Compare a guess with the best by all criteria; keep it if it is better."""
    best, values = workspace.incumbent, workspace.values
    n_cells = game.packing.shape[1]
    # The last cell, that of the winning candidate, was written by the caller.
    sizes = workspace.sizes[: n_cells + 1]
    for i in range(n_cells):
        sizes[game.packing[1, i]] = count_cell(answers, game.packing[0, i])
    largest = sizes[n_cells]
    for size in sizes:
        largest = max(largest, size)
    if largest == n:
        return
    length = evaluate_partition(game.kinds, game.tables, sizes, values)
    order = compare(values, best.values, length)
    if order < 0 or best.guess[0] < 0:
        for i in range(length):
            best.values[i] = values[i]
        best.guess[0] = guess
        best.limit[0] = values[0] - game.is_strict
        best.n_tied[0] = 0
        best.is_final[0] = is_unbeatable(game, int(largest), bool(sizes[n_cells] > 0))
    if order <= 0 and game.needs_all:
        workspace.tied[best.n_tied[0]] = guess
        best.n_tied[0] += 1


@njit_inline
def is_unbeatable(game: RankedGame | WordGame, largest: int, is_consistent: bool) -> bool:
    """Return whether no later guess can be better: each candidate in a cell of its own."""
    if game.needs_all:
        return False
    if len(game.kinds) == 0:
        return True
    if largest > 1:
        return False
    for kind in game.kinds:  # noqa: SIM110 (numba knows no any)
        if kind == CriterionKind.REMOVALS and not is_consistent:
            return False
    return True
