"""The values of many guesses, kept instead of compared, for explanations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit
from ..responses import Scoring, respond
from .criteria import Rule, evaluate_partition
from .weighing import Weighing, evaluate_weighted


@njit
def evaluate_guesses(
    scoring: Scoring,
    rule: Rule,
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Write each guess's criteria and cells; return how many columns of `values` are used.

    Parameters
    ----------
    candidates : int32[n]
        Secrets still possible.
    eligible : int32[m]
        Codes to be evaluated.
    values : int64[m, n_criteria + n_responses]
        Written in place: the criteria's values; less is better.
    sizes : int64[m, n_responses]
        Written in place: candidates in each cell.
    """
    length = 0
    for row in range(len(eligible)):
        sizes[row] = 0
        for secret in candidates:
            sizes[row, respond(scoring, eligible[row], secret)] += 1
        length = evaluate_partition(rule.kinds, rule.tables, sizes[row], values[row])
    return length


@njit
def evaluate_weighted_guesses(
    scoring: Scoring,
    rule: Rule,
    weighing: Weighing,
    candidates: NDArray[np.int32],
    eligible: NDArray[np.int32],
    values: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Do the work of `evaluate_guesses` for a game with weights or costs.

    Parameters
    ----------
    weighing : Weighing
        Weights, costs, and how the criteria use them; where all candidates weigh 0, each counts 1.
    scoring, rule, candidates, eligible, values, sizes
        See `evaluate_guesses`; a criterion per cost takes two columns of `values`.
    """
    length = 0
    weights = weighing.weights[candidates]
    if weights.sum() == 0:
        weights[:] = 1
    sums = np.zeros(sizes.shape[1], dtype=np.int64)
    for row in range(len(eligible)):
        sizes[row] = 0
        sums[:] = 0
        for at in range(len(candidates)):
            reply = respond(scoring, eligible[row], candidates[at])
            sizes[row, reply] += 1
            sums[reply] += weights[at]
        cost = int(weighing.costs[eligible[row]])
        length = evaluate_weighted(rule, weighing, cost, sizes[row], sums, values[row])
    return length
