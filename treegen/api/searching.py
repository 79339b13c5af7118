"""What searches share: which options belong to them, and what watches over their time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._options import check_positive
from ..errors import UsageError
from .progress import Tell, describe_search

if TYPE_CHECKING:
    from ..exact import Progress, Watch

OWNERS = {
    "objective": ("optimal",),
    "max_length": ("optimal",),
    "beam": ("best",),
    "time_limit": ("optimal", "best"),
    "resume": ("optimal", "best"),
    "log": ("optimal", "best"),
    "look_ahead": ("best",),
    "gap": ("best",),
    "table_size": ("optimal", "best"),
}
"""The options of the searches, and which of them have each."""

OF_ALL = ("resume", "time_limit")
"""Options that rules have, too."""

BETWEEN_S = 0.5
"""Progress is told no more often than this."""


def refuse_search_options(strategy: str, options: Mapping[str, Any]) -> None:
    """Raise UsageError if a strategy gets an option that belongs to others."""
    is_rule = strategy not in ("optimal", "best")
    for name, value in options.items():
        if value is None or value is False or strategy in OWNERS[name]:
            continue
        if not (is_rule and name in OF_ALL):
            option, owners = f"--{name.replace('_', '-')}", " and ".join(OWNERS[name])
            raise UsageError(f"{option} belongs to -s {owners}, not to {strategy}")
    if strategy == "best" and options.get("table_size") is not None and not _proves(options):
        raise UsageError("--table-size of -s best needs --gap, or --time-limit without --beam")


def _proves(options: Mapping[str, Any]) -> bool:
    """Return whether an exact search goes with a near-optimal one."""
    is_beside = options.get("time_limit") is not None and options.get("beam") is None
    return options.get("gap") is not None or is_beside


def make_watch(time_limit: float | None, tell: Tell | None = None) -> Watch:
    """Return a watch that tells of a search's progress and ends it in time."""
    check_positive(time_limit=time_limit)
    start = told = time.monotonic()
    stage = ""

    def watch(progress: Progress) -> bool:
        nonlocal told, stage
        now = time.monotonic()
        # A new stage is told at once: it may be the last.
        if tell is not None and (now - told > BETWEEN_S or progress.stage != stage):
            told, stage = now, progress.stage
            tell(describe_search(progress))
        return time_limit is not None and now - start > time_limit

    return watch
