"""Kernels interpreted: for small work that takes less time than compiling them.

A kernel that is not compiled, and not in the cache either, is interpreted if the work is small.
Here is the rule of what is small. Who begins some work says so (`mark_small`), and the kernels that
it calls go by it, in this thread and in those that it starts. Interpreted and compiled kernels give
the same bytes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, update_wrapper
from types import FunctionType
from typing import Any

import numpy as np

from .errors import UsageError

CHOICES = ("auto", "always", "never")
"""What ``TREEGEN_COMPILE`` may be: compile kernels for all but small work; whatever the work; no
kernels but leaves, not even those in the cache."""

FEW_CODES = 5040
"""A rule has little work in a game of this many codes, if symmetry leaves few guesses to try."""

FEW_PAIRS = 300_000
"""It has little work in any game of this many pairs of guess and secret."""

MANY_PAIRS = 4 * FEW_PAIRS
"""A deep tree is small as far as its levels have no more pairs together."""

LEAF_S = 0.4
"""A leaf that has been interpreted for so long is compiled, which takes about as long."""


def _read_choice() -> str:
    choice = os.environ.get("TREEGEN_COMPILE") or "auto"
    if choice not in CHOICES:
        raise UsageError(
            f"TREEGEN_COMPILE is {choice!r}: it must be {', '.join(CHOICES[:-1])} or {CHOICES[-1]}"
        )
    return choice


choice = _read_choice()

_is_small: ContextVar[bool] = ContextVar("is_small", default=False)


@contextmanager
def mark_small(is_small: bool) -> Iterator[None]:
    """Say whether the work that follows is small."""
    token = _is_small.set(is_small)
    try:
        yield
    finally:
        _is_small.reset(token)


def is_small_rule(n_codes: int, n_secrets: int, *, tries_few: bool) -> bool:
    """Return whether a tree by a rule is small work.

    Parameters
    ----------
    n_codes, n_secrets
        Of the game.
    tries_few
        Whether symmetry leaves few guesses to try.
    """
    return n_codes <= FEW_CODES if tries_few else n_codes * n_secrets <= FEW_PAIRS


@contextmanager
def compile_all() -> Iterator[None]:
    """Let every kernel be compiled, whatever the work, in all threads."""
    global choice
    before, choice = choice, "always"
    try:
        yield
    finally:
        choice = before


class NotCompiledError(Exception):
    """A kernel is neither compiled nor cached, and is not worth compiling."""


class Kernel:
    """A kernel that Python may call.

    Parameters
    ----------
    function
        What it does.
    dispatcher
        numba's, which calls `check_cache` if it finds no machine code in the cache; None if
        nothing is to be compiled.
    is_leaf
        Whether interpreted kernels, too, call it compiled once it has taken long enough.
    """

    def __init__(
        self, function: Callable[..., Any], dispatcher: Any, *, is_leaf: bool = False
    ) -> None:
        update_wrapper(self, function)
        self.py_func, self.dispatcher, self.is_leaf = function, dispatcher, is_leaf
        self.is_missing = dispatcher is None
        self.spent_s = 0.0
        if dispatcher is not None:
            self._numba_type_ = dispatcher._numba_type_  # other kernels may call it, too

    def __call__(self, *arguments: Any) -> Any:
        if self.dispatcher is not None and not is_interpreted():
            return self.dispatcher(*arguments)
        if self.is_leaf:
            return self._call_leaf(arguments)
        if choice == "auto":
            try:
                return self._call_cached(arguments)
            except NotCompiledError:
                pass
        # Integers of 64 bits wrap around; of numpy's, only single ones warn.
        with np.errstate(over="ignore"):
            return self.interpreted(*arguments)

    @cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The function, which calls other kernels interpreted, too."""
        return interpret(self.py_func)

    def _call_leaf(self, arguments: tuple[Any, ...]) -> Any:
        """Call the machine code, or the function while it has taken little time."""
        if not self.is_missing:
            try:
                return self._call_cached(arguments)
            except NotCompiledError:
                self.is_missing = True
        if self.spent_s > LEAF_S and self.dispatcher is not None:
            return self.dispatcher(*arguments)
        start_s = time.perf_counter()
        result = self.interpreted(*arguments)
        self.spent_s += time.perf_counter() - start_s
        return result

    def _call_cached(self, arguments: tuple[Any, ...]) -> Any:
        """Call the machine code, unless it is neither here nor in the cache."""
        if self.dispatcher is None:
            raise NotCompiledError
        token = _asked.set(self)
        try:
            return self.dispatcher(*arguments)
        finally:
            _asked.reset(token)


_asked: ContextVar[Kernel | None] = ContextVar("asked", default=None)


def is_interpreted() -> bool:
    """Return whether a kernel that is not compiled is interpreted now."""
    return choice == "never" or (choice == "auto" and _is_small.get())


def check_cache(function: Callable[..., Any]) -> None:
    """Raise NotCompiledError if a kernel that is not in the cache is not to be compiled now."""
    asked = _asked.get()
    if asked is not None and asked.py_func is function:
        raise NotCompiledError


_modules: dict[int, dict[str, Any]] = {}
"""For each module, by the identity of its names, the same names with interpreted kernels."""


def interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel's function, which calls other kernels interpreted, too, except leaves."""
    assert isinstance(function, FunctionType)
    names = function.__globals__
    own = _modules.get(id(names))
    if own is None:
        own = _modules[id(names)] = dict(names)
        for name, value in names.items():
            if hasattr(value, "py_func") and not getattr(value, "is_leaf", False):
                own[name] = interpret(value.py_func)
    parts = function.__code__, own, function.__name__, function.__defaults__, function.__closure__
    return FunctionType(*parts)
