"""One search by several: threads that share memory, workers that share nothing.

This is the only door: the modules of `exact` import from here.
"""

from __future__ import annotations

from .checkpoint import SearchRecords
from .distributed import DistributedSearch
from .nodes import OpenNode
from .threads import ThreadedSearch
from .work_item import make_problem
from .worker import SearchWorker, read_guesses

__all__ = [
    "DistributedSearch",
    "OpenNode",
    "SearchRecords",
    "SearchWorker",
    "ThreadedSearch",
    "make_problem",
    "read_guesses",
]
