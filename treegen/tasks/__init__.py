"""Tasks and who does them: this process, its threads, other processes, a cluster."""

from __future__ import annotations

from .background import DaemonExecutor, run_in_background
from .opening import open_workers
from .run import run_growing, run_tasks
from .workers import Workers

__all__ = [
    "DaemonExecutor",
    "Workers",
    "open_workers",
    "run_growing",
    "run_in_background",
    "run_tasks",
]
