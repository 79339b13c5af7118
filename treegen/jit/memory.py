"""How much memory a process may still allocate."""

from __future__ import annotations

from contextlib import suppress
from mmap import mmap


def read_available_bytes() -> int:
    """Return the free memory, or a conservative estimate if the system does not report it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:  # noqa: PTH123
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 8 * 10**9


def claim_address_space(n_bytes: int) -> None:
    """Raise MemoryError if a limit (``ulimit -v``) leaves less address space than this.

    For libraries that abort the process when an allocation fails: this tests it first.
    """
    if not _is_limited():
        return
    try:
        mmap(-1, n_bytes).close()
    except OSError:
        raise MemoryError(f"{n_bytes >> 20} MiB more of address space are needed") from None


NUMPY_BYTES = 96 * 2**20
"""Address space that numpy takes when it is imported, with one thread of its own."""


def share_address_space() -> None:
    """Have all threads allocate from one heap where address space is limited.

    glibc sets 64 MiB of it aside for each thread otherwise, and OpenBLAS, which ends the process
    if that fails, some 40 MB for each core: call this before the first thread and before numpy.
    """
    if not _is_limited():
        return
    import ctypes
    import os

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


_M_ARENA_MAX = -8


def _is_limited() -> bool:
    """Return whether this process may have only so much address space."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
