"""Kinds of files that are no tables of answers here, though people may take them for one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


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
