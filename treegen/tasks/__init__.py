"""Tasks and their workers: this process, its threads, other processes, a cluster."""

from __future__ import annotations

from .background import LOOK_S as LOOK_S
from .background import DaemonExecutor as DaemonExecutor
from .background import run_each as run_each
from .background import run_in_background as run_in_background
from .background import run_together as run_together
from .background import yield_ended as yield_ended
from .checkpoint import Checkpoint as Checkpoint
from .checkpoint import Notice as Notice
from .checkpoint import describe_work as describe_work
from .checkpoint import open_checkpoint as open_checkpoint
from .cluster import open_workers as open_workers
from .run import WORKED as WORKED
from .run import Worked as Worked
from .run import Workers as Workers
from .run import keep_in_process as keep_in_process
from .run import run_growing as run_growing
from .run import run_tasks as run_tasks
