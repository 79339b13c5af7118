"""Which form a table of answers has, by its beginning, and its sheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .arff import looks_like_arff, read_arff
from .orange import find_header, read_orange
from .separated import find_delimiter, read_separated
from .sheet import Sheet


def find_form(path: Path | None, head: str) -> str:
    """Return the form of a file that begins with a text; ``""`` for cells between separators."""
    if looks_like_arff(head):
        return "ARFF"
    return "Orange" if find_header(path, head) else ""


def read_sheet(
    lines: Iterator[str], name: str, path: Path | None, head: str, *, has_header: bool = True
) -> Sheet:
    """Return the sheet of a file, in whatever form it is; its beginning is `head`."""
    form = find_form(path, head) if has_header else ""
    if form == "ARFF":
        return read_arff(lines, name)
    if form == "Orange":
        return read_orange(lines, name, path, head)
    return read_separated(lines, name, find_delimiter(path, head), has_header=has_header)
