"""Tasks and their workers: this process, its threads, other processes, a cluster.

Checkpoints are loaded when they are first used: most builds keep none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._loading import load_late
from .background import (
    DaemonExecutor,
    run_in_background,
    run_together,
    yield_ended,
)
from .cluster import open_workers
from .run import WORKED, Worked, Workers, keep_in_process, run_growing, run_tasks

if TYPE_CHECKING:
    from .checkpoint import Checkpoint, Notice, describe_work, open_checkpoint

__all__ = [
    "WORKED",
    "Checkpoint",
    "DaemonExecutor",
    "Notice",
    "Worked",
    "Workers",
    "describe_work",
    "keep_in_process",
    "open_checkpoint",
    "open_workers",
    "run_growing",
    "run_in_background",
    "run_tasks",
    "run_together",
    "yield_ended",
]

__getattr__ = load_late(
    __name__, {".checkpoint": ["Checkpoint", "Notice", "describe_work", "open_checkpoint"]}
)
