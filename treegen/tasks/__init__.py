"""Tasks and who does them: this process, its threads, other processes, a cluster."""

from __future__ import annotations

from .opening import open_workers
from .run import run_growing, run_tasks
from .workers import Workers

__all__ = ["Workers", "open_workers", "run_growing", "run_tasks"]
