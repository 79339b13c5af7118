"""What a file says, before anything is numbered: a header, rows of cells, roles of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..text import name_few

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
    form: str = ""  # its name, where it knows roles
    unit: str = "line"  # what the numbers of rows count
    names: str | None = None  # the column of names, or `NO_NAMES`; None: the first
    classes: str | None = None
    custom: str = ""  # why it has the classes, if only by custom
    weights: str | None = None
    ignore: Sequence[str] = ()
    unknown: Sequence[str] = ("?",)
    joint: str = ""  # what stands between the answers of a cell
    delimiter: str = ""  # what stands between cells, where a file has them in lines
    hint: str = ""  # what to try if two columns have the same name
    notes: Sequence[str] = field(default_factory=list)


def number_alike(texts: Iterable[str], usual: str) -> list[str]:
    """Return texts of which each is another: one that comes again, or is empty, has a number.

    >>> number_alike(["leaf", "", "leaf"], "character")
    ['leaf', 'character 2', 'leaf (3)']
    """
    found: dict[str, None] = {}
    for number, text in enumerate(texts, start=1):
        text = text or f"{usual} {number}"
        found[text if text not in found else f"{text} ({number})"] = None
    return list(found)


def note_numbers(columns: list[str]) -> list[str]:
    """Return what is to be known of questions whose answers are measured."""
    if not columns:
        return []
    return [
        f"each number that answers {name_few([*map(repr, columns)])} is an answer of its own;"
        " --ignore leaves columns out"
    ]
