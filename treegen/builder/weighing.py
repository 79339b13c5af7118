"""A strategy's criteria for a game with weights or costs, in the kernels' form."""

from __future__ import annotations

import numpy as np

from .._rule_kinds import CriterionKind, Measure
from ..errors import StrategyError
from ..games import Game
from ..kernels.onestep import Weighing
from ..strategies import ENTROPY_BITS, Strategy, make_logs

LIMIT_BITS = 62
"""Values keep below 2 ** 62."""

LEAST_BITS = 8
"""Logarithms of fewer bits are too coarse."""

MOST_LOGS = 1 << 20
"""So many logarithms are kept in a table."""


def needs_weighing(game: Game, strategy: Strategy) -> bool:
    """Return whether weights or costs matter to the choice of guesses.

    Examples
    --------
    >>> from treegen.games import parse_game
    >>> from treegen.strategies import parse_chain
    >>> needs_weighing(parse_game("p2c2r"), parse_chain("entropy/cost"))
    True
    """
    return bool(game.stakes) or any(criterion.is_per_cost for criterion in strategy.criteria)


def make_weighing(game: Game, strategy: Strategy) -> Weighing | None:
    """Return weights and costs of a game, and how a strategy's criteria use them.

    None where they do not matter.

    Raises
    ------
    StrategyError
        A criterion cannot be weighed, or passes 64 bits with these weights.
    """
    if not needs_weighing(game, strategy):
        return None
    weights = game.weights
    if weights is None:
        weights = np.ones(game.n_secrets, dtype=np.int64)
    # A state whose candidates weigh nothing counts them.
    whole = max(int(weights.sum()), game.n_secrets)
    bits = min(ENTROPY_BITS, LIMIT_BITS - (whole * whole.bit_length()).bit_length())
    for criterion in strategy.criteria:
        if criterion.function and game.weights is not None:
            raise StrategyError(f"{criterion.name} counts candidates: no weights are in its cells")
        if criterion.measure == Measure.POWER and whole**criterion.power > 1 << LIMIT_BITS:
            raise StrategyError(
                f"{criterion.name} of weights that sum up to {whole:,} passes 64 bits: round them"
            )
        if criterion.measure == Measure.ENTROPY and bits < LEAST_BITS:
            raise StrategyError(f"entropy of weights that sum up to {whole:,} passes 64 bits")
        is_sum = criterion.kind == CriterionKind.SUM and criterion.name not in ("parts", "power:-1")
        if is_sum and criterion.measure == Measure.NUMBER and game.weights is not None:
            raise StrategyError(f"{criterion.name} is for games without weights: L must be whole")
    return Weighing(
        weights,
        np.maximum(game.costs, 1),
        np.array([criterion.measure for criterion in strategy.criteria], dtype=np.int64),
        np.array([criterion.power for criterion in strategy.criteria], dtype=np.int64),
        np.array([criterion.is_per_cost for criterion in strategy.criteria], dtype=np.int64),
        bits,
        # Kernels would be compiled anew for a read-only array.
        make_logs(min(whole, MOST_LOGS), bits).copy(),
    )
