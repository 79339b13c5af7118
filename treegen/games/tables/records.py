"""JSON as a table: a list of records, or a record on each line; each is a row."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...errors import GameError
from ..answer_table import write_cell
from .sheet import JOIN, Sheet, join_answers, refuse_sparse

_LIST = re.compile(r"\s*\[\s*\{")
_LINES = re.compile(r"\s*\{[^\n]*\}[^\S\n]*\n\s*\{")


def looks_like_records(head: str) -> bool:
    """Whether a text begins as a list of records does, or has a record on each line."""
    return bool(_LIST.match(head) or _LINES.match(head))


def read_records(text: str, name: str) -> Sheet:
    """Return the sheet of records.

    A list is a cell of several answers; null, and a column that a record lacks, are unknown.
    """
    is_list = _LIST.match(text) is not None
    records = _parse(text, name, "") if is_list else list(_read_lines(text, name))
    header: dict[str, None] = {}
    for place, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise GameError(f"{name} record {place}: {json.dumps(record):.80} is no record")
        header |= dict.fromkeys(record)
    refuse_sparse(sum(len(header) - len(record) for record in records), name)
    rows = [
        [_write(record.get(column), f"{name} record {place}", column) for column in header]
        for place, record in enumerate(records, start=1)
    ]
    has_sets = any(JOIN in cell for row in rows for cell in row)
    notes = ["JSON: of the answers in a list, any is possible"] * has_sets
    return Sheet(list(header), enumerate(rows, 1), unit="record", joint=JOIN, notes=notes)


def _read_lines(text: str, name: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _parse(line, name, f" line {number}")


def _parse(text: str, name: str, where: str) -> Any:
    """Return a value of JSON, its numbers as they are written; raise GameError if it is none."""
    try:
        return json.loads(
            text,
            parse_int=str,
            parse_float=str,
            parse_constant=_refuse_constant,
            object_pairs_hook=_make_record,
        )
    except json.JSONDecodeError as error:
        where = where or f" line {error.lineno}"
        raise GameError(f"{name}{where}: {error.msg}; JSON is expected here") from None
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise GameError(f"{name}{where}: {reason}") from None


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON; write null for what is unknown")


def _make_record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(names) if key in names[:place])
        raise ValueError(f"the column {twice!r:.80} is in a record twice")
    return record


def _write(value: Any, where: str, column: str) -> str:
    """Return a value as a cell; raise GameError if it is a record, or a list of lists."""
    parts = value if isinstance(value, list) else [value]
    for part in parts:
        if isinstance(part, dict | list):
            shown = json.dumps(value, ensure_ascii=False)
            raise GameError(
                f"{where}: {shown:.80} in {column!r:.80} is no answer; a cell is a text, a number,"
                " true, false, null, or a list of such"
            )
    return join_answers(map(write_cell, parts))
