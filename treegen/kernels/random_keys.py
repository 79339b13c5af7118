"""The counter-based generator of random choices: the same key and counter, the same number."""

from __future__ import annotations

import numpy as np

from .._jit import njit_bare


@njit_bare
def mix(key: np.uint64, value: int) -> np.uint64:
    """Return the next key of the counter-based generator: splitmix64 of the key and a value."""
    z = key + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(value) + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
