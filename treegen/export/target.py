"""The formats of pictures, how a path chooses one, and their size."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .._files import Target
from .._options import check_between
from ..errors import UsageError

PICTURE_FORMATS = ("svg", "png", "pdf")

SCALES = (0.1, 10.0)
"""The least and the largest scale of a picture."""


def choose_format(target: Target, format: str | None) -> str:
    """Return the picture format that is asked for, by default what a path ends with, else svg."""
    kind = format or "svg"
    if format is None and isinstance(target, (str, os.PathLike)):
        kind = Path(target).suffix.lstrip(".").lower()
        if kind not in PICTURE_FORMATS:
            endings = ", ".join(f".{known}" for known in PICTURE_FORMATS)
            raise UsageError(
                f"{str(target)!r:.300} does not end as a picture does: there are {endings}"
            )
    if kind not in PICTURE_FORMATS:
        raise UsageError(f"unknown picture format {kind!r}: there are {', '.join(PICTURE_FORMATS)}")
    return kind


def check_scale(scale: float) -> None:
    """Raise UsageError for a scale that is out of range."""
    check_between(*SCALES, scale=scale)


def scale_svg(svg: bytes, scale: float) -> bytes:
    """Return an SVG of another width and height that shows the same.

    Examples
    --------
    >>> scale_svg(b'<svg width="20pt" height="8.5pt" viewBox="0 0 20 8.5">', 2)
    b'<svg width="40pt" height="17pt" viewBox="0 0 20 8.5">'
    """
    sizes = re.compile(rb'(?<=<svg )([^>]*?)width="([\d.]+)pt"([^>]*?)height="([\d.]+)pt"')

    def write(found: re.Match[bytes]) -> bytes:
        before, width, between, height = found.groups()
        numbers = [f"{float(size) * scale:.10g}pt".encode() for size in (width, height)]
        return b'%swidth="%s"%sheight="%s"' % (before, numbers[0], between, numbers[1])

    return svg if scale == 1 else sizes.sub(write, svg, count=1)
