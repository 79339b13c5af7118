"""One search by several: threads that share memory, workers that share nothing.

This is the only door: the modules of `exact` import from here.
"""

from __future__ import annotations

from .executor import (
    Opening,
    OpeningPart,
    PartResult,
    SearchByOpening,
    SharedSearch,
    open_threads,
    share_search,
)
from .nodes import Guesses
from .records import PartRecords, SearchRecords, keep_table
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
    "Guesses",
    "Opening",
    "OpeningPart",
    "PartRecords",
    "PartResult",
    "PlainSearch",
    "RootState",
    "SearchByOpening",
    "SearchRecords",
    "SearchWorker",
    "SharedSearch",
    "WorkItem",
    "keep_table",
    "make_plain_search",
    "open_threads",
    "read_root",
    "run_work_item",
    "share_search",
]
