"""Which form a table of answers has, by its beginning, and its sheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import GameError
from .arff import looks_like_arff, read_arff
from .delta import read_delta
from .delta_files import looks_like_delta
from .markdown import looks_like_markdown, read_markdown
from .nexus import looks_like_nexus, read_nexus
from .orange import find_header, read_orange
from .records import looks_like_records, read_records
from .refused import find_refused
from .sdd import looks_like_sdd, read_sdd
from .separated import read_separated
from .separators import are_split, find_delimiter
from .sheet import Sheet
from .sliks import looks_like_sliks, read_sliks
from .tnt import looks_like_tnt, read_tnt
from .workbook import is_workbook

_WHOLE = {
    looks_like_sliks: read_sliks,
    looks_like_nexus: read_nexus,
    looks_like_tnt: read_tnt,
    looks_like_delta: read_delta,
    looks_like_sdd: read_sdd,
    looks_like_records: read_records,
    looks_like_markdown: read_markdown,
}
"""Forms that are read as a whole."""


def has_form(path: Path | None, head: str) -> bool:
    """Whether a file that begins with a text is surely a table, or of a kind that is refused."""
    known = (looks_like_arff, *_WHOLE, are_split)
    return (
        any(is_like(head) for is_like in known)
        or find_header(path, head) is not None
        or bool(find_refused(path, head, has_header=False))
        or is_workbook(path)
    )


def read_sheet(
    lines: Iterator[str],
    name: str,
    path: Path | None,
    head: str,
    *,
    has_header: bool = True,
    separator: str | None = None,
) -> Sheet:
    """Return the sheet of a file, in whatever form it is; its beginning is `head`.

    With a `separator` it is one of lines of cells.
    """
    if separator is None:
        for is_like, read in _WHOLE.items():
            if is_like(head):
                return read("".join(lines), name)
        if looks_like_arff(head):
            return read_arff(lines, name)
        if refused := find_refused(path, head, has_header=has_header):
            raise GameError(f"{name} is {refused}")
        if has_header and find_header(path, head):
            return read_orange(lines, name, path, head)
    delimiter = find_delimiter(path, head) if separator is None else separator
    return read_separated(lines, name, delimiter, has_header=has_header)
