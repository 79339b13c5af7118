"""Tables that a program holds: frames of pandas and polars, tables of Arrow, lists of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...errors import GameError
from ..answer_table import write_cell
from .sheet import JOIN, Sheet, join_answers

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_LISTING = ("to_dicts", "to_pylist")
"""Methods that return a table's rows as dicts, of polars and of Arrow: neither is needed here."""


class Frame(Protocol):
    """What a frame of pandas has, and this reader uses; others have their rows as dicts."""

    columns: Any
    index: Any

    def to_numpy(self) -> Any:
        """Return its cells."""


HeldTable = Frame | Sequence[Mapping[str, Any]]
"""A table that a program holds: a frame, or a list of dicts."""


def is_held(source: object) -> TypeIs[HeldTable]:
    """Whether something is a frame or a list of dicts."""
    has_rows = hasattr(source, "index") or any(hasattr(source, method) for method in _LISTING)
    if has_rows and hasattr(source, "columns"):
        return True
    return isinstance(source, list) and bool(source) and isinstance(source[0], Mapping)


def read_held(source: HeldTable) -> Sheet:
    """Return the sheet of a frame or of a list of dicts.

    A set or a list is a cell of several answers; None and NaN are unknown. The index of a frame has
    the names unless it only numbers the rows; then the first column has them, as in a file.
    """
    method = next((method for method in _LISTING if hasattr(source, method)), None)
    if method is not None:
        listed = getattr(source, method)()
        header = list(listed[0]) if listed else []
        rows = [[row[column] for column in header] for row in listed]
    elif isinstance(source, Sequence):
        header = list(source[0])
        for place, row in enumerate(source, start=1):
            if not isinstance(row, Mapping) or row.keys() != source[0].keys():
                raise GameError(f"row {place} has other columns than the first row")
        rows = [[row[column] for column in header] for row in source]
    else:
        header, rows = list(source.columns), source.to_numpy().tolist()
        if list(source.index) != list(range(len(rows))):
            header = [getattr(source.index, "name", None) or "name", *header]
            rows = [[name, *row] for name, row in zip(source.index, rows, strict=True)]
    if not header:
        raise GameError("the table has no rows" if method else "the table has no columns")
    written = ([_write(cell) for cell in row] for row in rows)
    return Sheet(list(map(write_cell, header)), enumerate(written, start=1), unit="row", joint=JOIN)


def _write(cell: Any) -> str:
    if isinstance(cell, Set):
        return join_answers(sorted(map(write_cell, cell)))
    is_list = isinstance(cell, list | tuple | np.ndarray)
    return join_answers(map(write_cell, cell if is_list else [cell]))
