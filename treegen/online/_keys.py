"""Keys of random choices: derived from a seed and numbers that name the choice; no state."""

from __future__ import annotations

import numpy as np

from ..kernels import mix


def derive_key(key: int, *values: int) -> np.uint64:
    """Return a key that depends on another and on small numbers, not negative."""
    for value in values:
        key = int(mix(np.uint64(key), value))
    return np.uint64(key)
