"""One search by several: threads that share memory, workers that share nothing.

This is the only door: the modules of `exact` import from here.
"""

from __future__ import annotations

from .by_opening import Opening, Openings, Part, PartResult, SearchByOpening, open_threads
from .checkpoint import SearchRecords
from .distributed import DistributedSearch
from .nodes import Guesses, OpenNode
from .part_records import PartRecords
from .problem import Problem, make_problem
from .table_record import keep_table
from .threads import ThreadedSearch
from .work_item import WorkItem, run_cached_item, run_work_item
from .worker import SearchWorker, read_root
from .worker_cache import WorkerCache

__all__ = [
    "DistributedSearch",
    "Guesses",
    "OpenNode",
    "Opening",
    "Openings",
    "Part",
    "PartRecords",
    "PartResult",
    "Problem",
    "SearchByOpening",
    "SearchRecords",
    "SearchWorker",
    "ThreadedSearch",
    "WorkItem",
    "WorkerCache",
    "keep_table",
    "make_problem",
    "open_threads",
    "read_root",
    "run_cached_item",
    "run_work_item",
]
