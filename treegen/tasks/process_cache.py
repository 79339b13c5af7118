"""What a process derives from a task's plain values, made once and kept for later tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def keep_in_process(max_size: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Return a decorator that keeps the last results of a function of one plain value.

    Simultaneous threads wait for the first: a result is computed once, not once for each.

    Examples
    --------
    >>> @keep_in_process(1)
    ... def prepare(text):
    ...     print("made")
    ...     return text.upper()
    >>> prepare("a"), prepare("a")
    made
    ('A', 'A')
    """

    def decorate(make: Callable[[K], V]) -> Callable[[K], V]:
        lock, cached = threading.Lock(), lru_cache(max_size)(make)

        def find(key: K) -> V:
            with lock:
                return cached(key)

        return find

    return decorate
