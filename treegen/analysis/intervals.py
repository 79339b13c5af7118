"""Confidence intervals of an average: games that share a tree do not count as independent."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
MANY = 200


def half_width(lengths: NDArray[np.int64], n_groups: int) -> float:
    """Return the half-width of the 95 % confidence interval of an average.

    Parameters
    ----------
    lengths
        Of each game.
    n_groups
        Game i belongs to group i modulo `n_groups`: groups are independent of each other, the
        games of one need not be. If all games are independent, as many groups as games.

    Returns
    -------
    float
        t-quantile times standard error, from the deviations of whole groups (the linearised
        ratio estimator, for groups need not be equally large); infinite for a single group.

    References
    ----------
    W. G. Cochran, *Sampling Techniques*, 3rd edition (1977), chapter 9A.

    Examples
    --------
    >>> round(half_width(np.array([2, 4, 2, 4]), 4), 3), round(half_width(np.array([2, 4] * 9), 2))
    (1.837, 13)
    """
    if n_groups < 2:
        return float("inf")
    groups = np.arange(len(lengths)) % n_groups
    deviations = np.bincount(groups, lengths - lengths.mean(), n_groups)
    variance = n_groups / (n_groups - 1) * float((deviations**2).sum()) / len(lengths) ** 2
    return t_quantile(n_groups - 1) * sqrt(variance)


@lru_cache(maxsize=64)
def t_quantile(n_free: int) -> float:
    """Return the 97.5 % quantile of Student's t with `n_free` degrees of freedom.

    References
    ----------
    Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964), 26.7.3, 26.7.4, 26.7.5.

    Examples
    --------
    >>> [round(t_quantile(n_free), 3) for n_free in (1, 2, 24, 99, 10_000)]
    [12.706, 4.303, 2.064, 1.984, 1.96]
    """
    if n_free > MANY:
        cubic = (NORMAL**3 + NORMAL) / (4 * n_free)
        return NORMAL + cubic + (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / (96 * n_free**2)
    low, high = 0.0, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _central_share(middle, n_free) < 0.95 else (low, middle)
    return sqrt(n_free) * sin(low) / cos(low)


def _central_share(angle: float, n_free: int) -> float:
    """Return the probability that ``|t| < sqrt(n_free) * tan(angle)``."""
    is_odd = n_free % 2
    term = cos(angle) if is_odd else 1.0
    total = term if n_free > 1 else 0.0
    for step in range(2 + is_odd, n_free, 2):
        term *= cos(angle) ** 2 * (step - 1) / step
        total += term
    return (angle + sin(angle) * total) * 2 / pi if is_odd else sin(angle) * total
