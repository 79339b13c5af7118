"""Tables of Markdown: a header, a rule of dashes, rows; cells between vertical bars."""

from __future__ import annotations

import re

from ...errors import GameError
from .sheet import Sheet, refuse_sparse

_RULE = re.compile(r"\s*+\|?\s*+:?-++:?\s*+(?>(?:[|+]\s*+:?-++:?\s*+)*)\|?\s*+")
_BAR = re.compile(r"(?<!\\)\|")


def looks_like_markdown(head: str) -> bool:
    """Whether a text has a line of cells and a rule below it."""
    return _find_rule(head.split("\n")) > 0


def read_markdown(text: str, name: str) -> Sheet:
    """Return the sheet of the table of a text, which has one."""
    lines = text.split("\n")
    rule = _find_rule(lines)
    end = rule + 1
    while end < len(lines) and "|" in lines[end]:
        end += 1
    if _find_rule(lines[end:]):
        raise GameError(f"{name} line {end + _find_rule(lines[end:]) + 1}: a second table")
    header = _split(lines[rule - 1])
    rows = [(number, _split(lines[number - 1])) for number in range(rule + 2, end + 1)]
    refuse_sparse(sum(max(0, len(header) - len(row)) for _, row in rows), name)
    # A row may lack cells at its end.
    return Sheet(header, ((number, row + [""] * (len(header) - len(row))) for number, row in rows))


def _find_rule(lines: list[str]) -> int:
    """Return the place of the first rule below a line of cells; 0 if there is none."""
    for place, line in enumerate(lines):
        if place and "|" in line and "|" in lines[place - 1] and _RULE.fullmatch(line):
            return place
    return 0


def _split(line: str) -> list[str]:
    """Return the cells of a line, without the bars at its ends."""
    bare = line.strip()
    cells = _BAR.split(bare.removeprefix("|"))
    if bare.endswith("|") and len(cells) > 1 and not cells[-1]:
        cells.pop()
    return [cell.replace("\\|", "|").strip() for cell in cells]
