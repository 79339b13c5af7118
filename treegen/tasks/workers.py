"""Workers: an executor of `concurrent.futures`, and what is known about its workers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from .background import DaemonExecutor

PATIENCE_S = 300.0
"""So long a scheduler may be silent before the work is given up."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers that run the tasks.

    Attributes
    ----------
    executor
        Accepts the tasks.
    count
        Returns the number of tasks that can run at a time now; it may change.
    check
        Called if nothing finishes for a while; raises if nothing can finish any more.
    explain
        Turns a task's failure into the error that the user sees.
    """

    executor: Executor
    count: Callable[[], int]
    check: Callable[[], None] = lambda: None
    explain: Callable[[BaseException], BaseException] = lambda error: error

    @property
    def share_memory(self) -> bool:
        """Whether they are threads of this process."""
        return isinstance(self.executor, SerialExecutor | DaemonExecutor)


class SerialExecutor(Executor):
    """Runs each task when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a task and return its result as a finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
