"""What a file says, before anything is numbered: a header, rows of cells, roles of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

NO_NAMES = "none"
"""What stands for the column of names, or of classes, where there is none."""

JOIN = "\0"
"""Between the answers of a cell in forms that know sets of answers; no file has it in a text."""


@dataclass(slots=True)
class Sheet:
    """A table as a file has it.

    `header` names the columns, `rows` yields the cells of each row with its line. What the form
    knows of the columns' roles holds unless a user says otherwise.
    """

    header: Sequence[str]
    rows: Iterator[tuple[int, list[str]]]
    names: str | None = None  # the column of names, or `NO_NAMES`; None: the first
    classes: str | None = None
    weights: str | None = None
    ignore: Sequence[str] = ()
    joint: str = ""  # what stands between the answers of a cell
    delimiter: str = ""  # what stands between cells, where a file has them in lines
    hint: str = ""  # what to try if two columns have the same name
    notes: list[str] = field(default_factory=list)
