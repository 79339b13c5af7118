"""Tables that a program holds: pandas frames, lists of dicts from columns to cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import GameError
from ..answer_table import write_cell
from .sheet import JOIN, Sheet

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class Frame(Protocol):
    """What a pandas frame has, and this reader uses."""

    columns: Any
    index: Any

    def to_numpy(self) -> Any:
        """Return its cells."""


HeldTable = Frame | Sequence[Mapping[str, Any]]
"""A table that a program holds: a frame, or a list of dicts."""


def is_held(source: object) -> TypeIs[HeldTable]:
    """Whether something is a frame or a list of dicts."""
    if hasattr(source, "columns") and hasattr(source, "index"):
        return True
    return isinstance(source, list) and bool(source) and isinstance(source[0], Mapping)


def read_held(source: HeldTable) -> Sheet:
    """Return the sheet of a frame or of a list of dicts.

    A set is a cell of several answers; None and NaN are unknown. The index of a frame has the names
    unless it only numbers the rows; then the first column has them, as in a file.
    """
    if isinstance(source, Sequence):
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
        raise GameError("the table has no columns")
    written = ([_write(cell) for cell in row] for row in rows)
    return Sheet(list(map(write_cell, header)), enumerate(written, start=1), unit="row", joint=JOIN)


def _write(cell: Any) -> str:
    is_set = isinstance(cell, Set)
    return JOIN.join(sorted(map(write_cell, cell))) if is_set else write_cell(cell)
