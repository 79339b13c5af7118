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
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cached_property, update_wrapper
from types import FunctionType
from typing import Any

from ..errors import UsageError
from ..tasks.work import OnProgress, report_count

CHOICES = ("auto", "always", "never")
"""What ``TREEGEN_COMPILE`` may be: compile kernels for all but small work; whatever the work; no
kernels but leaves, not even those in the cache."""

FEW_CODES = 5040
"""A rule has little work in a game of this many codes, if symmetry leaves few guesses to try."""

FEW_PAIRS = 300_000
"""It has little work in any game of this many pairs of guess and secret."""

MANY_PAIRS = 4 * FEW_PAIRS
"""A deep tree is small as far as its levels have no more pairs together."""

FEW_SEARCHED = 2_000_000
"""An exact search of up to this many pairs of guess and candidate may be small: see `KERNEL_S`."""

KERNEL_S = 20.0
"""A kernel that has been interpreted for so long is compiled: the work was not small after all."""

LEAF_S = 0.3
"""So is a leaf, which takes little longer to compile."""


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
    """Return whether a game's tree by a rule is small work.

    `tries_few` says that symmetry leaves few guesses to try.
    """
    return n_codes <= FEW_CODES if tries_few else n_codes * n_secrets <= FEW_PAIRS


def is_small_search(n_guesses: int, n_candidates: int) -> bool:
    """Return whether the exact search of a state may be small work.

    How long it takes is not known before: what turns out to be large is compiled on the way.
    """
    return n_guesses * n_candidates <= FEW_SEARCHED


def mark_search(n_guesses: int, n_candidates: int) -> AbstractContextManager[None]:
    """Say whether the exact search that follows is small."""
    return mark_small(is_small_search(n_guesses, n_candidates))


@contextmanager
def compile_all() -> Iterator[None]:
    """Let every kernel be compiled, whatever the work, in all threads."""
    global choice
    before, choice = choice, "always"
    try:
        yield
    finally:
        choice = before


_tell: OnProgress | None = None


@contextmanager
def count_compiled(on_progress: OnProgress) -> Iterator[None]:
    """Report each kernel that is compiled meanwhile, in any thread, before it is.

    A report has the number of the kernel that is compiled next, and how many are known to be
    needed; there may be more.
    """
    global _tell
    before, _tell = _tell, on_progress
    _begun.clear()
    _needed.clear()
    try:
        yield
    finally:
        _tell = before


_begun: set[Callable[..., Any]] = set()
_needed: set[Callable[..., Any]] = set()
"""The kernels that were compiled since `count_compiled` began, and those and all they call."""


def _find_kernels(function: Callable[..., Any], found: set[Any]) -> None:
    """Add to a set what a kernel's function calls, and what that does."""
    for name in function.__code__.co_names:
        kernel: Any = function.__globals__.get(name)
        if hasattr(kernel, "py_func") and kernel not in found:
            found.add(kernel)
            _find_kernels(kernel.py_func, found)


class NotCompiledError(Exception):
    """A kernel is neither compiled nor cached, and is not worth compiling."""


class Kernel:
    """A kernel that Python may call: a function, and what numba makes of it.

    The dispatcher calls `check_cache` if it finds no machine code in the cache. Interpreted
    kernels, too, call a leaf compiled once it has taken long enough.
    """

    def __init__(
        self, function: Callable[..., Any], dispatcher: Any, *, is_leaf: bool = False
    ) -> None:
        update_wrapper(self, function)
        self.py_func, self.dispatcher, self.is_leaf = function, dispatcher, is_leaf
        self.is_missing, self.spent_s = False, 0.0
        self._numba_type_ = dispatcher._numba_type_  # other kernels may call it, too

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code, or the function where that is not worth compiling."""
        # Many calls take microseconds: where code is loaded there is nothing to decide, except in
        # small work. It may be the first with arguments of these types, as words of six letters.
        # numba's `signatures` would compute the hash of each.
        is_loaded, may_compile = self.dispatcher.overloads, self.is_leaf or choice != "never"
        if is_loaded and choice != "never" and (self.is_leaf or not is_interpreted()):
            return self._call_compiled(arguments)
        limit_s = LEAF_S if self.is_leaf else KERNEL_S
        if may_compile and (not is_interpreted() or self.spent_s > limit_s):
            return self._call_compiled(arguments)
        # Of leaves there are many calls: the cache is asked once.
        if may_compile and not (self.is_leaf and self.is_missing):
            try:
                return self._call_cached(arguments)
            except NotCompiledError:
                self.is_missing = True
        return self._interpret(arguments)

    def _interpret(self, arguments: tuple[Any, ...]) -> Any:
        """Call the function, and note how long it took."""
        import numpy as np

        start_s = time.thread_time()
        # Integers of 64 bits wrap around; of numpy's, only single ones warn.
        with np.errstate(over="ignore"):
            result = self.interpreted(*arguments)
        self.spent_s += time.thread_time() - start_s
        return result

    @cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The function, which calls other kernels interpreted, too."""
        return interpret(self.py_func)

    def _call_compiled(self, arguments: tuple[Any, ...]) -> Any:
        """Call the machine code, which may have to be compiled first."""
        n_begun = len(_begun)
        try:
            return self.dispatcher(*arguments)
        finally:
            if len(_begun) > n_begun:
                report_count(_tell, "compiling", 0, 0)  # it is done

    def _call_cached(self, arguments: tuple[Any, ...]) -> Any:
        """Call the machine code, unless it is neither here nor in the cache."""
        token = _asked.set(self)
        try:
            return self.dispatcher(*arguments)
        finally:
            _asked.reset(token)


_asked: ContextVar[Kernel | None] = ContextVar("asked", default=None)


def is_interpreted() -> bool:
    """Return whether a kernel that is not compiled is interpreted now."""
    return choice == "never" or (choice == "auto" and _is_small.get())


def runs_freely(kernel: Any) -> bool:
    """Return whether threads may call a kernel at once; interpreted they would take turns."""
    return not isinstance(kernel, Kernel) or bool(kernel.dispatcher.overloads)


def check_cache(function: Callable[..., Any]) -> None:
    """Report that a kernel is compiled which is not in the cache; raise NotCompiledError if not."""
    asked = _asked.get()
    if asked is not None and asked.py_func is function:
        raise NotCompiledError
    called: set[Any] = set()
    _find_kernels(function, called)
    _begun.add(function)
    _needed.update({function}, (each.py_func for each in called if isinstance(each, Kernel)))
    report_count(_tell, "compiling", len(_begun), len(_needed))


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
            value = getattr(value, "plain", value)
            if hasattr(value, "py_func") and not getattr(value, "is_leaf", False):
                own[name] = interpret(value.py_func)
    parts = function.__code__, own, function.__name__, function.__defaults__, function.__closure__
    return FunctionType(*parts)
