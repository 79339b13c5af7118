"""Workers: an executor as `concurrent.futures` has them, and what is known of those behind it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

PATIENCE_S = 300.0
"""So long a scheduler may be silent before the work is given up."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the tasks.

    Attributes
    ----------
    executor
        Takes the tasks.
    count
        Gives the number of tasks that are done at a time now; it may change.
    check
        Called while nothing is finished for a while; raises where nothing can be any more.
    explain
        Turns what a task failed with into the error that the user sees.
    """

    executor: Executor
    count: Callable[[], int]
    check: Callable[[], None] = lambda: None
    explain: Callable[[BaseException], BaseException] = lambda error: error


class SerialExecutor(Executor):
    """Does each task when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do a task and return its result as a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
