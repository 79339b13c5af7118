"""The one place that sets numba's options: cached, without the GIL, never fastmath."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def _ensure_cache_dir() -> None:
    """Give numba a writable cache folder where its own two choices are both read-only."""
    import tempfile

    package = Path(__file__).parent
    if "NUMBA_CACHE_DIR" in os.environ or os.access(package, os.W_OK):
        return
    home_cache = Path.home() / ".cache"
    with contextlib.suppress(OSError):
        home_cache.mkdir(parents=True, exist_ok=True)
    if os.access(home_cache, os.W_OK):
        return
    user = os.getuid() if hasattr(os, "getuid") else "user"
    fallback = Path(tempfile.gettempdir()) / f"treegen-numba-{user}"
    os.environ["NUMBA_CACHE_DIR"] = str(fallback)


_ensure_cache_dir()

import numba  # noqa: E402  (reads NUMBA_CACHE_DIR when it is imported)


def _list_wishes(names: dict[str, bool]) -> dict[str, Any]:
    """Return those of some options that this numba has: it does not document them."""
    from numba.core import options

    known = getattr(options, "DefaultOptions", None)
    return {name: wish for name, wish in names.items() if hasattr(known, name)}


_ENTRY: dict[str, Any] = {"cache": True, "nogil": True}
_ENTRY |= _list_wishes({"no_cfunc_wrapper": True})

# What only other kernels call is held by their machine code: it is neither kept in a file nor
# callable from Python, which would take longer to compile than the kernel itself.
_PART: dict[str, Any] = {"nogil": True}
_PART |= _list_wishes({"no_cfunc_wrapper": True, "no_cpython_wrapper": True})

_BARE = _list_wishes({"_nrt": False})


def njit(function: F) -> F:
    """Compile a kernel: cached on disk, running without the GIL, with exact arithmetic."""
    return cast(F, numba.njit(**_ENTRY)(function))


def njit_part(function: F) -> F:
    """Compile a kernel that only other kernels call; Python cannot."""
    return cast(F, numba.njit(**_PART)(function))


def njit_inline(function: F) -> F:
    """Compile a small part into its callers, where passing arrays to it costs nothing.

    It must not allocate: see `njit_bare`.
    """
    return cast(F, numba.njit(forceinline=True, **_PART, **_BARE)(function))


def njit_bare(function: F) -> F:
    """Compile a kernel as `njit` does, without reference counts: it must not allocate.

    Counting costs an atomic operation for each array that is passed or sliced, which in small
    kernels is more than the work itself.
    """
    return cast(F, numba.njit(**_ENTRY, **_BARE)(function))


def njit_bare_part(function: F) -> F:
    """Compile a part as `njit_part` does, without reference counts."""
    return cast(F, numba.njit(**_PART, **_BARE)(function))
