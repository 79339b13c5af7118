"""Tables in lines, their cells separated by a sign (CSV, TSV), or by spaces."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from ...errors import GameError
from ..word_files import SEPARATOR_LINE, SEPARATORS, is_comment, iter_entries
from .sheet import Sheet

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def find_delimiter(path: Path | None, head: str) -> str:
    """Return the separator of cells: a tab in a TSV, else the sign most frequent in the header."""
    if named := SEPARATOR_LINE.fullmatch(head.partition("\n")[0]):
        return named[1]
    if path and path.suffix.lower() in (".tsv", ".tab"):
        return "\t"
    lines = [line for _, line in iter_entries(head)]
    outside = "".join(lines[0].split('"')[::2]) if lines else ""  # not within quotes
    if _are_barred(lines) and not any(sign in outside for sign in SEPARATORS):
        return "|"
    if are_spaced(lines):
        return " "
    return max(SEPARATORS, key=outside.count)


def are_spaced(lines: Sequence[str]) -> bool:
    """Return whether nothing but spaces can separate the cells of lines, of which all have as many.

    >>> are_spaced(["1 0 1", "0 1 1"]), are_spaced(["Has wings?", "yes"])
    (True, False)
    """
    widths = {len(line.split()) for line in lines}
    is_split = any(sign in line for line in lines for sign in f'{SEPARATORS}"')
    return len(lines) > 1 and len(widths) == 1 and widths != {1} and not is_split


def _are_barred(lines: Sequence[str]) -> bool:
    """Return whether bars separate the cells of lines, of which all have as many."""
    counts = {line.count("|") for line in lines}
    return len(lines) > 1 and len(counts) == 1 and counts != {0}


def are_split(head: str) -> bool:
    r"""Return whether a text surely has cells separated by bars or spaces, and no words.

    >>> are_split("1 0 1\n0 1 1\n"), are_split("12 34 56\n21 43 65\n")
    (True, False)
    >>> are_split("animal|legs\nant|6\n"), are_split("crane|slate\nabide|badge\n")
    (True, False)
    """
    lines = [line for _, line in iter_entries(head)]
    delimiter = find_delimiter(None, head)
    rows = [line.split() if delimiter == " " else line.split(delimiter) for line in lines]
    lengths = {len(cell.strip()) for row in rows for cell in row}
    if delimiter not in " |" or (len(lengths) == 1 and lengths != {1}):  # words have one length
        return False
    are_numbers = all(map(_NUMBER.fullmatch, chain.from_iterable(rows[1:])))
    return delimiter == "|" or (are_numbers and len(rows[0]) > 2)


def read_separated(
    lines: Iterator[str], name: str, delimiter: str, *, has_header: bool = True
) -> Sheet:
    """Return the sheet of lines; without a header the columns are ``column 1``, ``column 2`` …."""
    reader = _Lines(lines, name, delimiter)
    rows = iter(reader)
    line, header = next(rows, (0, []))
    if not header:
        raise GameError(f"{name} is empty: a header of questions is expected")
    reader.refuse_comment(header)
    if has_header:
        hint = "; if the first line is a row of answers: `header=False`"
        return Sheet(header, rows, delimiter=delimiter, hint=hint, blank=reader.blank)
    columns = [f"column {number}" for number in range(1, len(header) + 1)]
    rows = chain([(line, header)], rows)
    return Sheet(columns, rows, delimiter=delimiter, blank=reader.blank)


def split_rows(
    lines: Iterator[str], name: str, delimiter: str, *, n_before: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of lines, of which `n_before` were read, with their numbers."""
    return ((n_before + line, row) for line, row in _Lines(lines, name, delimiter))


class _Lines:
    """The rows of lines that are not empty, with their numbers."""

    def __init__(self, lines: Iterator[str], name: str, delimiter: str) -> None:
        self.name, self.delimiter = name, delimiter
        # Not strict, a quote that is never closed would swallow all rows after it.
        is_spaced = delimiter == " "  # any number of them separates
        self._rows = csv.reader(
            self._skip_comments(lines),
            delimiter=delimiter,
            skipinitialspace=is_spaced,
            strict=True,
        )
        self.blank: list[int] = []
        self._comments: list[str] = []
        self._is_between = True

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        try:
            for row in self._rows:
                self._is_between = True
                if any(cell.strip() for cell in row):
                    yield self._rows.line_num, row
                elif len(row) > 1:
                    self.blank.append(self._rows.line_num)
        except csv.Error as error:
            problem = str(error)
            if problem == "unexpected end of data":
                problem = "a quote is not closed before the end of the file"
            raise GameError(f"{self.name} line {self._rows.line_num}: {problem}") from None

    def _skip_comments(self, lines: Iterator[str]) -> Iterator[str]:
        """Yield lines, comments as empty ones; within quotes nothing is a comment."""
        for number, line in enumerate(lines):
            is_separator = number == 0 and SEPARATOR_LINE.fullmatch(line)
            if is_separator or ("#" in line and self._is_between and is_comment(line)):
                self._comments.append(line.strip())
                yield "\n"  # not nothing: csv counts the lines, for messages
            else:
                # `__iter__` sets this when a row ends: until then, lines are within quotes.
                self._is_between = line.isspace()
                yield line

    def refuse_comment(self, header: list[str]) -> None:
        """Raise GameError if the comment above the header was probably meant as the header."""
        above = self._comments[-1] if self._comments else ""
        count = above.count(self.delimiter)
        is_alike = count == self.delimiter.join(header).count(self.delimiter)
        if above.startswith("#") and is_alike and (count > 1 or not above.startswith("# ")):
            raise GameError(
                f"{self.name}: the line {above!r:.80} begins with # and is no header; a header that"
                ' begins so has its first cell in quotes, "#"'
            )
