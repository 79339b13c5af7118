"""Tables of Orange: up to three header lines of names, types and roles, separated by tabs."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ...errors import GameError
from ..text import clean
from .separated import find_delimiter, split_rows
from .sheet import NO_NAMES, Sheet, refuse_sparse

_KINDS = {
    **dict.fromkeys(("c", "continuous", "n", "numeric"), "number"),
    **dict.fromkeys(("d", "discrete", "categorical"), "answer"),
    **dict.fromkeys(("s", "string", "text"), "text"),
    **dict.fromkeys(("t", "time", "basket"), "other"),
}
_ROLES = {
    role[:length]: role
    for role in ("class", "ignore", "meta", "weight")
    for length in (1, len(role))
}
_VALUES = re.compile(r"\S+( \S+)+")
"""The values of a column, in place of its type; spaces within are escaped."""
_MARKED = re.compile(r"([cimw]?[CDNST]|[CDNST][cimw]|[cimw])# ?(.+)", re.DOTALL)
_MARK = re.compile(r"[cimw]?[CDNST]|[CDNST][cimw]|[cimw]?")
_UNKNOWN = ("?", ".", "NA", "nan", "~")


class _Header(NamedTuple):
    n_lines: int
    names: list[str]
    kinds: list[str]  # number, answer, text, other; empty: not said
    roles: list[str]  # class, ignore, meta, weight; empty: a question


def find_header(path: Path | None, head: str) -> _Header | None:
    """Return the header of a table of Orange, None if a file begins otherwise.

    What other tables may begin with, too, is one only in a file ``.tab``.
    """
    try:
        delimiter = find_delimiter(path, head)
        rows = [*islice(csv.reader(head.split("\n")[:3], delimiter=delimiter), 3)]
    except csv.Error:
        return None
    names = [clean(name) for name in rows[0]] if rows else []
    if len(names) < 2 or any(len(row) > len(names) for row in rows):
        return None
    is_tab = path is not None and path.suffix.lower() == ".tab"
    marked = [_MARKED.fullmatch(name) for name in names]
    # C#m may be a chord; cD#kind is hardly anything else.
    if any(match and (is_tab or len(match[1]) > 1) for match in marked):
        marks = [match[1] if match else "" for match in marked]
        plain = [match[2] if match else name for name, match in zip(names, marked, strict=True)]
        return _Header(1, plain, *_read_marks(marks))
    _, kinds, flags = (
        [cell.strip() for cell in row] + [""] * (len(names) - len(row))
        for row in (*rows, [], [])[:3]
    )
    if is_tab and any(kinds) and all(map(_MARK.fullmatch, kinds)) and not {*kinds} & {*_KINDS}:
        return _Header(2, names, *_read_marks(kinds))
    are_kinds = all(not kind or kind in _KINDS or _VALUES.fullmatch(kind) for kind in kinds)
    roles = [_read_roles(cell) for cell in flags]
    if len(rows) < 3 or not are_kinds or not {*kinds} & {*_KINDS} or None in roles:
        return None
    # A row of single letters may be one of answers.
    if not is_tab and not any(roles):
        return None
    kinds = [_KINDS.get(kind, "answer" if kind else "") for kind in kinds]
    return _Header(3, names, kinds, [role or "" for role in roles])


def read_orange(lines: Iterator[str], name: str, path: Path | None, head: str) -> Sheet:
    """Return the sheet of a table of Orange, whose beginning is `head`."""
    header = find_header(path, head)
    if header is None:
        raise GameError(f"{name} has no header of Orange")
    for _ in range(header.n_lines):
        next(lines)
    by_role: dict[str, list[str]] = {}
    for column, kind, role in zip(header.names, header.kinds, header.roles, strict=True):
        is_question = kind not in ("text", "other")
        by_role.setdefault(role or ("question" if is_question else "meta"), []).append(column)
    kind_of = dict(zip(header.names, header.kinds, strict=True))
    classes = [column for column in by_role.get("class", ()) if kind_of[column] != "number"]
    texts = [column for column in by_role.get("meta", ()) if kind_of[column] == "text"]
    weights = by_role.get("weight", [])
    aside = {*classes[:1], *texts[:1], *weights[:1], *by_role.get("question", ())}
    numbers = [name for name in by_role.get("question", ()) if kind_of[name] == "number"]
    rows = split_rows(lines, name, find_delimiter(path, head), n_before=header.n_lines)
    return Sheet(
        header.names,
        _fill_rows(rows, len(header.names), name),
        "a table of Orange",
        names=texts[0] if texts else NO_NAMES,
        classes=classes[0] if classes else None,
        weights=weights[0] if weights else None,
        numbers=numbers,
        ignore=[column for column in header.names if column not in aside],
        unknown=_UNKNOWN,
    )


def _fill_rows(
    rows: Iterator[tuple[int, list[str]]], width: int, name: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the empty cells that may be left out at their ends."""
    n_left_out = 0
    for line, row in rows:
        n_left_out += max(0, width - len(row))
        refuse_sparse(n_left_out, name)
        yield line, row + [""] * (width - len(row))


def _read_marks(marks: list[str]) -> tuple[list[str], list[str]]:
    """Return kinds and roles of marks such as ``mS``."""
    kinds = [_KINDS.get("".join(filter(str.isupper, mark)).lower(), "") for mark in marks]
    return kinds, [_ROLES.get("".join(filter(str.islower, mark)), "") for mark in marks]


def _read_roles(cell: str) -> str | None:
    """Return the role that a cell of the third line says; None if it says something else."""
    flags = re.split(r"(?<!\\) ", cell) if cell else []
    roles = [_ROLES.get(flag) for flag in flags if "=" not in flag]
    return None if None in roles else next(iter(roles), "")
