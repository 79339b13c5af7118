"""One watch for all threads of a search: asked by each of them, and between their calls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from ..builder import Halt
from ..errors import SearchStoppedError
from ..tasks import run_in_background
from .search_log import Progress, Watch

T = TypeVar("T")


class Monitor:
    """Asks a watch for all threads, one at a time, and ends them all when it says so.

    Parameters
    ----------
    watch
        See `Watch`.
    stage, bound
        What it is told before the search reports more.

    Attributes
    ----------
    halt
        Called when the search must end.
    progress
        What was reported last.
    """

    def __init__(self, watch: Watch, stage: str = "rules", bound: int = 0) -> None:
        self.halt = Halt()
        self.progress = Progress(stage, bound, None, 0)
        self._watch = watch
        self._lock = threading.Lock()

    def __call__(self, progress: Progress) -> bool:
        """Report a thread's progress to the watch; return whether the search must end."""
        with self._lock:
            self.progress = progress
            if not self.halt.is_called and self._watch(progress):
                self.halt.call()
        return self.halt.is_called

    def tell(self, progress: Progress) -> None:
        """Report work to the watch that it cannot end."""
        with self._lock:
            self._watch(progress)

    def check(self, stage: str, bound: int, best: int | None) -> None:
        """Report a thread's progress to the watch; raise SearchStoppedError if it must end."""
        if self(Progress(stage, bound, best, self.progress.n_states)):
            raise SearchStoppedError(f"the search was ended: {stage}")

    def run(self, function: Callable[[], T]) -> T:
        """Run a function in another thread and return its result; the watch is asked meanwhile.

        Raises
        ------
        SearchStoppedError
            The watch ended it. A kernel that still runs is abandoned.
        """

        def look() -> None:
            if self(self.progress):
                raise SearchStoppedError(describe_end(self.progress.bound))

        return run_in_background(function, look, self.halt.call)


def describe_end(bound: int) -> str:
    """Return the message of a search that was ended: what it has proved of the total."""
    if bound <= 0:
        return "the search was ended before anything was proved"
    return f"the search was ended; no total is below {bound}: that is proved"
