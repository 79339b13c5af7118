"""One search by several: threads that share memory, workers that share nothing.

This is the only door: the modules of `exact` import from here.
"""

from __future__ import annotations

from .executor import SharedSearch, share_search
from .nodes import BestGuess, Guesses
from .records import SearchRecords, keep_table
from .worker import (
    PlainSearch,
    RootState,
    SearchWorker,
    WorkItem,
    make_plain_search,
    read_root,
    run_work_item,
)

__all__ = [
    "BestGuess",
    "Guesses",
    "PlainSearch",
    "RootState",
    "SearchRecords",
    "SearchWorker",
    "SharedSearch",
    "WorkItem",
    "keep_table",
    "make_plain_search",
    "read_root",
    "run_work_item",
    "share_search",
]
