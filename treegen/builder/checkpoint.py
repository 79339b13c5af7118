"""The folder of a build: its description, and the parts of the tree in its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..games import Game
from ..strategies import Strategy
from ..tasks import Checkpoint, describe_work
from ..tree import History, Part, read_part


def describe_build(
    game: Game, strategy: Strategy, history: History, task_pairs: int
) -> dict[str, Any]:
    """Return a build's description in its folder: everything that determines the tasks' results."""
    return {**describe_work(game.digest_name, strategy.rule, history), "task_pairs": task_pairs}


class PartFiles(Sequence[Part]):
    """Parts of a tree in the files of a checkpoint, read one at a time."""

    def __init__(self, checkpoint: Checkpoint, tasks: Sequence[str]) -> None:
        self._checkpoint, self._tasks = checkpoint, tasks

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, number: Any) -> Any:
        return read_part(self._checkpoint.read(self._tasks[number]))
