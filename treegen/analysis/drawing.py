"""Secrets drawn by a seed: each as often as it weighs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def make_drawing(n_secrets: int, weights: NDArray[np.int64] | None) -> Callable[[int], int]:
    """Return the function that turns a key, 64 random bits, into a secret.

    Parameters
    ----------
    n_secrets
        Number of secrets.
    weights
        Of the secrets; None: all are drawn alike. With them a plain average of games estimates the
        weighted one, and so does its confidence interval.

    Examples
    --------
    >>> draw = make_drawing(3, np.array([2, 0, 1]))
    >>> [draw(key) for key in range(6)]
    [0, 0, 2, 0, 0, 2]
    """
    if weights is None:
        return lambda key: key % n_secrets
    ends = np.cumsum(weights)
    return lambda key: int(np.searchsorted(ends, key % int(ends[-1]), side="right"))
