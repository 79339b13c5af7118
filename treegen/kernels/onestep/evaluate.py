"""The values of many guesses, kept instead of compared, for explanations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._jit import njit
from ..responses import Scoring, respond
from .criteria import Rule, evaluate_partition


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
