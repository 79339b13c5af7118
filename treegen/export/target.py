"""The formats of pictures, and how a path chooses one."""

from __future__ import annotations

import os
from pathlib import Path

from .._targets import Target
from ..errors import UsageError

PICTURE_FORMATS = ("svg", "png", "pdf")


def choose_format(target: Target, format: str | None) -> str:
    """Return the picture format that is asked for, by default what a path ends with, else svg."""
    kind = format or "svg"
    if format is None and isinstance(target, (str, os.PathLike)):
        kind = Path(target).suffix.lstrip(".").lower()
    if kind not in PICTURE_FORMATS:
        raise UsageError(f"unknown picture format {kind!r}: there are {', '.join(PICTURE_FORMATS)}")
    return kind
