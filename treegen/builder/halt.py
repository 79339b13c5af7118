"""Ending kernels that nobody waits for any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchStoppedError


class Halt:
    """Says to all kernels of one chooser, in any thread, that their results are not wanted."""

    def __init__(self) -> None:
        self._flags: dict[int, NDArray[np.int64]] = {}
        self._is_called = False

    def call(self) -> None:
        """End the kernels that run, and those that are about to."""
        self._is_called = True
        for flag in list(self._flags.values()):
            flag[0] = 1

    @property
    def is_called(self) -> bool:
        """Whether nobody wants the results any more."""
        return self._is_called

    def check(self) -> None:
        """Raise SearchStoppedError where it was called."""
        if self._is_called:
            raise SearchStoppedError("the build was ended")

    def reset(self) -> None:
        """Let kernels run again."""
        self._is_called = False

    @contextmanager
    def listen(self, flag: NDArray[np.int64]) -> Iterator[None]:
        """Have a kernel's flag set when it is called; SearchStoppedError if it was by the end.

        So nobody goes on with what a kernel left unfinished.
        """
        self._flags[id(flag)] = flag
        try:
            self.check()
            yield
            self.check()
        finally:
            del self._flags[id(flag)]
