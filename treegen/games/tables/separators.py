"""What separates the cells of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from ..word_files import SEPARATOR_LINE, SEPARATORS, iter_entries

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
