"""What a file says, before anything is numbered: a header, rows of cells, roles of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import GameError

NO_NAMES = "none"
"""What stands for the column of names, or of classes, where there is none."""

JOIN = "\0"
"""Between the answers of a cell in forms that know sets of answers; no file has it in a text."""

MAX_LEFT_OUT = 30_000_000
"""At most this many cells may be left out: a file of a megabyte could mean ten billion."""


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
    costs: Mapping[str, int] = field(default_factory=dict)  # of questions, if the form has them
    numbers: Sequence[str] = ()  # columns of measurements
    ignore: Sequence[str] = ()
    unknown: Sequence[str] = ("?",)
    joint: str = ""  # what stands between the answers of a cell
    delimiter: str = ""  # what stands between cells, where a file has them in lines
    hint: str = ""  # what to try if two columns have the same name
    notes: Sequence[str] = field(default_factory=list)
    blank: list[int] = field(default_factory=list)  # lines of rows of empty cells, once read


def number_alike(texts: Iterable[str], usual: str) -> list[str]:
    """Return texts of which each is another: one that comes again, or is empty, has a number.

    >>> number_alike(["leaf", "", "leaf"], "character")
    ['leaf', 'character 2', 'leaf (3)']
    """
    found: dict[str, None] = {}
    for number, text in enumerate(texts, start=1):
        text = text or f"{usual} {number}"
        while text in found:
            text = f"{text} ({number})"
        found[text] = None
    return list(found)


def join_answers(texts: Iterable[str]) -> str:
    """Return the cell of several answers; raise GameError if one holds what joins them."""
    parts = list(texts)
    if any(JOIN in part for part in parts):
        raise GameError(
            f"{next(part for part in parts if JOIN in part)!r:.80} holds a null character"
        )
    return JOIN.join(parts)


def refuse_sparse(n_left_out: int, name: str) -> None:
    """Raise GameError if a table would mostly consist of cells that its file leaves out."""
    if n_left_out > MAX_LEFT_OUT:
        raise GameError(f"{name} leaves out more than {MAX_LEFT_OUT:,} cells of its table")


def drop_comments(
    text: str, begin: str, end: str, *, keeps_lines: bool = False, quote: str = ""
) -> str:
    """Return a text without what stands between two signs, which may be nested.

    A sign that lacks the other one stays. With `keeps_lines` the line feeds of comments stay. What
    stands on a line between two signs `quote` is no comment; within a comment these are none.

    >>> drop_comments("a[b[c]]d]", "[", "]"), drop_comments("'[a]'[b's]", "[", "]", quote="'")
    ('ad]', "'[a]'")
    """
    opened: list[int] = []
    comments: list[tuple[int, int]] = []
    within = re.compile(f"[{re.escape(begin + end)}]")
    outside = re.compile(f"{quote}[^{quote}\n]*+{quote}|{within.pattern}") if quote else within
    at = 0
    while match := (within if opened else outside).search(text, at):
        at = match.end()
        if match[0] == begin:
            opened.append(match.start())
        elif match[0] == end and opened:
            first = opened.pop()
            while comments and comments[-1][0] > first:  # within this one
                comments.pop()
            comments.append((first, match.end()))
    parts, at = [], 0
    for first, last in comments:
        parts += [text[at:first], "\n" * text.count("\n", first, last) * keeps_lines]
        at = last
    return "".join([*parts, text[at:]])
