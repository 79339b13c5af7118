"""Ending kernels whose results are no longer wanted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError


class Halt:
    """Tells all kernels of one chooser, in any thread, that their results are not wanted."""

    def __init__(self) -> None:
        self._flags: dict[int, NDArray[np.int64]] = {}
        self._is_called = False

    def call(self) -> None:
        """End the kernels that run or are about to start."""
        self._is_called = True
        for flag in list(self._flags.values()):
            flag[0] = 1

    @property
    def is_called(self) -> bool:
        """Whether the results are no longer wanted."""
        return self._is_called

    def check(self) -> None:
        """Raise SearchStoppedError if it was called."""
        if self._is_called:
            raise SearchStoppedError("the build was ended")

    def reset(self) -> None:
        """Let kernels run again."""
        self._is_called = False

    @contextmanager
    def listen(self, flag: NDArray[np.int64]) -> Iterator[None]:
        """Set a kernel's flag when called; raise SearchStoppedError at the end if that happened.

        So the unfinished result of a kernel is never used.
        """
        self._flags[id(flag)] = flag
        try:
            self.check()
            yield
            self.check()
        finally:
            del self._flags[id(flag)]
