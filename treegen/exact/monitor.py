"""One watch for all threads of a search: asked by each of them, and while they are silent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from ..builder import Halt
from ..errors import SearchStoppedError
from ..tasks import run_in_background
from .progress import Progress, Watch

T = TypeVar("T")


class Monitor:
    """Asks a watch for all threads, one at a time, and ends them all when it says so.

    Parameters
    ----------
    watch
        See `Watch`.
    stage, bound
        What it is told before the search tells more.

    Attributes
    ----------
    halt
        Is called when the search is to end.
    progress
        What was told last.
    """

    def __init__(self, watch: Watch, stage: str = "rules", bound: int = 0) -> None:
        self.halt = Halt()
        self.progress = Progress(stage, bound, None, 0)
        self._watch = watch
        self._lock = threading.Lock()

    def __call__(self, progress: Progress) -> bool:
        """Tell the watch how far a thread is; whether the search is to end."""
        with self._lock:
            self.progress = progress
            if not self.halt.is_called and self._watch(progress):
                self.halt.call()
        return self.halt.is_called

    def tell(self, progress: Progress) -> None:
        """Tell the watch of work that it cannot end."""
        with self._lock:
            self._watch(progress)

    def check(self, stage: str, bound: int, best: int | None) -> None:
        """Tell the watch how far a thread is; raise SearchStoppedError where it is to end."""
        if self(Progress(stage, bound, best, self.progress.n_states)):
            raise SearchStoppedError(f"the search was ended: {stage}")

    def run(self, function: Callable[[], T]) -> T:
        """Return what a function returns that another thread runs; the watch is asked all along.

        Raises
        ------
        SearchStoppedError
            The watch ended it. What goes on in a kernel then is left behind.
        """

        def look() -> None:
            if self(self.progress):
                raise SearchStoppedError(
                    f"the search was ended; no total is below {self.progress.bound}: that is proved"
                )

        return run_in_background(function, look, self.halt.call)
