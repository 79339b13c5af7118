"""Which form a table of answers has, by its beginning, and its sheet; files that are no tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...errors import GameError
from .arff import looks_like_arff, read_arff
from .delta import looks_like_delta, read_delta
from .markdown import looks_like_markdown, read_markdown
from .nexus import looks_like_nexus, read_nexus
from .orange import find_header, read_orange
from .records import looks_like_records, read_records
from .sdd import looks_like_sdd, read_sdd
from .separated import are_split, find_delimiter, read_separated
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


# Kinds of files that are no tables of answers here, though people may take them for one.


class _Kind(NamedTuple):
    name: str
    begin: re.Pattern[str]  # what it begins with
    advice: str
    suffixes: tuple[str, ...] = ()  # or how its file may be called


def _begin(text: str) -> re.Pattern[str]:
    return re.compile(rf"\s*+{text}", re.IGNORECASE)


_CSV = "save its table as CSV"
_XML = r"(?>(?:<\?xml[^>]*>\s*+|<!--(?>(?:[^-]|-(?!->))*)-->\s*+)*)"
_YAML_VALUE = r"[^\n,;\t\[{]*+(?>(?:[\[{][^\n]*+)?)"
_YAML_LINE = (
    rf"[^\S\n]*+(?:- |(?>(?:- )?)[\w.-]++(?>(?: [\w.-]++)*):(?=\s)){_YAML_VALUE}(?:\n\s*+|\Z)"
)
_END = r"[^\S\n]*+(?>(?:\|[^\n]*+)?)"
_NOTES = r"(?>(?:\|[^\n]*+|\s)*)"
_HEADLESS = "`header=False`, `names='none'` and `classes='column N'`"
_KINDS = (
    _Kind("a document in PDF", _begin(r"%PDF-"), "save its table as CSV"),
    _Kind("HTML", _begin(rf"{_XML}<(?:!doctype html|html|head|body|table)\b"), _CSV),
    _Kind("DMN", _begin(rf"{_XML}<(?:\w+:)?definitions\b[^>]*\bDMN/"), _CSV, (".dmn",)),
    _Kind("NeXML", _begin(rf"{_XML}<(?:\w+:)?nexml\b"), "save its matrix as NEXUS"),
    _Kind("XRFF", _begin(rf"{_XML}<dataset\b"), "save it as ARFF in Weka", (".xrff",)),
    _Kind("XML", _begin(r"(?:<\?xml\b|<\w+[^<>]*>\s*<\w)"), _CSV),
    _Kind(
        "YAML",
        _begin(rf"(?:%YAML\b|---\s*\n|(?:{_YAML_LINE}){{2,}}\Z)"),
        "save it as JSON, a list of records",
        (".yaml", ".yml"),
    ),
    _Kind("FASTA", _begin(r">\S[^\n]*+\n[A-Za-z?*.-]++[^\S\n]*+\n"), "save the alignment as NEXUS"),
    _Kind(
        "PHYLIP",
        _begin(r"\d++[^\S\n]++\d++[^\S\n]*+\n[^\S\n]*+[A-Za-z_]\S*+[^\S\n]*+\S"),
        "save the alignment as NEXUS",
    ),
    _Kind(
        "the names of C4.5",
        _begin(rf"{_NOTES}[^\n:|]*?\.{_END}\n{_NOTES}[^\n:|]++:[^\n]*?\.{_END}(?:\n|\Z)"),
        f"its rows are in the file .data: {_HEADLESS}",
    ),
)


def find_refused(path: Path | None, head: str, *, has_header: bool) -> str:
    """Return of which kind a file is that is refused, and what to do; empty if it is of none."""
    suffix = path.suffix.lower() if path else ""
    if path and suffix == ".data" and has_header and path.with_suffix(".names").exists():
        return f"data of C4.5, which have no header: {_HEADLESS}"
    for kind in _KINDS:
        if suffix in kind.suffixes or kind.begin.match(head):
            return f"{kind.name}, which is not read: {kind.advice}"
    return ""
