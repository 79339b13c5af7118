"""How a ranking of openings is carried out: in the background, until a watch or Ctrl-C ends it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from .._cleanup import announce_saving
from ..errors import SearchStoppedError
from ..tasks import open_checkpoint
from .monitor import Monitor
from .opening_board import Board
from .request import SearchControl


def run_ranking(
    board: Board,
    run: Callable[[], None],
    monitor: Monitor,
    work: dict[str, Any],
    control: SearchControl,
) -> bool:
    """Run a ranking; return whether it came to its end.

    Parameters
    ----------
    board
        Where the results go; with a folder, it begins with those of an earlier run.
    run
        Ranks the openings; raises SearchStoppedError if the monitor ends it.
    monitor
        Asks the watch. Ctrl-C, too, only ends the ranking.
    work
        The description of the ranking in its folder, of `describe_work`.
    control
        Its folder and notice count.
    """
    with ExitStack() as stack:
        if control.folder is not None:
            opened = open_checkpoint(control.folder, work, control.notice)
            board.keep_in(stack.enter_context(opened))
            stack.callback(board.save)
        try:
            monitor.run(run)
        except SearchStoppedError:
            return False
        except KeyboardInterrupt:
            announce_saving("the openings that are done")
            return False
    return True
