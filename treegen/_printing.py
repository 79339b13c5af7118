"""Results that people read: paragraphs and tables as text, in notebooks as HTML, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from html import escape
from io import StringIO
from itertools import groupby
from re import split
from typing import Any, ClassVar, Generic, SupportsIndex, TypeGuard, TypeVar, overload

from ._options import check_whole
from .errors import ESCAPES

T = TypeVar("T")

GAP = "  "
"""Between columns, and before what belongs to a title."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; text is left-aligned, numbers are right-aligned.

    If the table is too wide, columns of the highest rank are dropped first, those of rank 0 never.
    """

    name: str
    rank: int = 0
    is_text: bool = False


def generate_paragraph(head: str, text: str, width: int | None = None) -> Iterator[str]:
    """Yield a head and the text beside it, whose further lines are indented as the first."""
    if width is None:
        yield head + text
        return
    # A line may be too narrow for both: then the text goes below.
    indent = " " * min(measure(head), width // 2)
    first, *rest = wrap(text, width, indent) or [indent]
    if measure(head) > len(indent):
        yield from wrap(head, width)
        yield first
    else:
        yield (head + first[len(indent) :]).rstrip()
    yield from rest


def generate_table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None
) -> Iterator[str]:
    r"""Yield the lines of a table, whose first column names the rows.

    `width` is in characters; None: no limit. Columns are dropped by rank until the rest fits, and a
    last line names them; if even those of rank 0 do not fit, each row becomes a block of lines.

    >>> columns = [Column("strategy", is_text=True), Column("total"), Column("nodes", rank=1)]
    >>> print(*generate_table(columns, [["knuth", "5801", "1378"]], 20), sep="\n")
    strategy  total
    knuth      5801
    (not shown: nodes)
    >>> print(*generate_table(columns, [["knuth", "5801", "1378"]], 14), sep="\n")
    knuth
      total  5801
      nodes  1378
    """
    widths = [
        max(map(measure, [column.name, *(row[place] for row in rows)]))
        for place, column in enumerate(columns)
    ]
    shown = _choose_columns(columns, widths, width)
    if shown is None:
        yield from _generate_blocks(columns, rows, width or 0)
        return
    for cells in [[column.name for column in columns], *rows]:
        line = (_pad(cells[place], widths[place], columns[place].is_text) for place in shown)
        yield GAP.join(line).rstrip()
    left_out = [column.name for place, column in enumerate(columns) if place not in shown]
    if left_out:
        yield from wrap(f"(not shown: {', '.join(left_out)})", width or 0)


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Wrap a text into lines, if possible after a space, a comma or a slash."""
    lines, room = [""], max(1, width - len(indent))
    for word in split(r"(?<=[ ,/+])", text):
        while measure(lines[-1] + word.rstrip()) > room:
            if lines[-1]:
                lines.append("")
                continue
            lines[-1], word = word[:room], word[room:]
            lines.append("")
        lines[-1] += word
    return [(indent + line).rstrip() for line in lines if line.strip()]


def _choose_columns(
    columns: Sequence[Column], widths: Sequence[int], width: int | None
) -> list[int] | None:
    """Return the indices of the columns that fit; None if those of rank 0 do not."""
    places = list(range(len(columns)))
    while width is not None and sum(widths[p] + len(GAP) for p in places) - len(GAP) > width:
        last = max(places, key=lambda place: columns[place].rank)
        if columns[last].rank == 0:
            return None
        places.remove(last)
    return places


def _generate_blocks(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> Iterator[str]:
    """Yield each row as its name and, below it, one or more lines for each of its values."""
    names = [column.name for column in columns[1:]]
    indent = GAP + " " * max(map(len, names), default=0) + GAP
    for row in rows:
        yield from wrap(row[0], width)
        for name, cell in zip(names, row[1:], strict=True):
            lines = wrap(cell, width, indent)
            if lines:
                yield f"{GAP}{name}".ljust(len(indent)) + lines[0][len(indent) :]
                yield from lines[1:]


def _pad(text: str, width: int, is_text: bool) -> str:
    space = " " * (width - measure(text))
    return text + space if is_text else space + text


def measure(text: str) -> int:
    """Return the display width of a text: letters of some scripts take two columns."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text, and what stands before its first line; further lines are indented below the text.

    A notebook draws the bars behind it: one for each length, from 1 on.
    """

    text: str
    head: str = ""
    bars: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """Rows of cells below the names of their columns; a notebook draws the bars of each row."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    bars: Sequence[Sequence[int]] = ()


Block = Paragraph | PrintedTable


def tabulate(
    things: Iterable[T],
    cells: Mapping[Column, Callable[[T], object]],
    bars: Sequence[Sequence[int]] = (),
) -> PrintedTable:
    """Return a table with a row for each thing, and for each column what it says of the thing."""
    rows = [[str(say(thing)) for say in cells.values()] for thing in things]
    return PrintedTable(tuple(cells), rows, bars)


def are_equal(one: Any, other: Any) -> bool:
    """Return whether two results are equal by value, also where their fields are arrays."""
    if type(one) is not type(other):
        return False
    for each in fields(one):
        pair = [getattr(result, each.name) for result in (one, other)]
        first, second = (value.tolist() if hasattr(value, "tolist") else value for value in pair)
        if each.compare and first != second:
            return False
    return True


class Printable:
    """A result whose `describe` says what people read of it."""

    __slots__ = ()

    def describe(self) -> Iterator[Block]:
        """Yield the paragraphs and tables of the result."""
        raise NotImplementedError

    def to_text(self, width: int | None = None) -> str:
        """Return the result as text.

        Parameters
        ----------
        width
            The longest line, in columns; None: whole lines, and no column is left out.
        """
        check_whole(width=width)
        return "\n".join(generate_text(self.describe(), width))

    def __str__(self) -> str:
        return self.to_text()

    def _describe_html(self) -> Iterator[Block]:
        """Yield what a notebook shows, if it is not what a terminal does."""
        return self.describe()

    def _repr_html_(self) -> str:
        return "".join(_generate_html(self._describe_html()))


class Tabular(Printable):
    """A result that is a table, too: of one row, `to_dict`, unless `list_rows` has several."""

    __slots__ = ()

    columns: ClassVar[tuple[str, ...]]
    """The keys of a row; a rule's figures may stand among them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        raise NotImplementedError

    def list_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table, ready for JSON."""
        return [self.to_dict()]

    def generate_csv(self) -> Iterator[str]:
        """Yield the lines of a CSV file: a header, then the rows."""
        rows = self.list_rows()
        yield from generate_rows(rows, [*rows[0]] if rows else self.columns)


class Listed(Generic[T]):
    """A result that is a list of something: it iterates, is indexed, and has a length.

    It is true even where the list is empty, as any other result.
    """

    __slots__ = ()

    def _list(self) -> Sequence[T]:
        raise NotImplementedError

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._list())

    def __iter__(self) -> Iterator[T]:
        return iter(self._list())

    @overload
    def __getitem__(self, place: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: Any) -> T | Sequence[T]:
        found: T | Sequence[T] = self._list()[place]
        return found


def generate_text(blocks: Iterable[Block], width: int | None = None) -> Iterator[str]:
    """Yield the lines of some blocks."""
    for block in blocks:
        if isinstance(block, Paragraph):
            lines = generate_paragraph(block.head, block.text, width)
        else:
            lines = generate_table(block.columns, block.rows, width)
        for line in lines:
            yield line.translate(ESCAPES)


def generate_rows(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a CSV file: the columns' names, then their values; missing ones are empty.

    Lists are joined by ``+``: 1/6/62 would be a date in a spreadsheet.
    """
    for row in [dict(zip(columns, columns, strict=True)), *rows]:
        line = StringIO()
        csv.writer(line, lineterminator="").writerow(_write_cell(row.get(name)) for name in columns)
        yield line.getvalue()


def _write_cell(value: Any) -> Any:
    """Return a value of a CSV file; fractions, such as weights, are decimals there."""
    if isinstance(value, list):
        return "+".join(str(_write_cell(each)) for each in value)
    return write_decimals(value).replace(",", "") if isinstance(value, Fraction) else value


def write_decimals(value: Fraction, n_decimals: int = 4) -> str:
    """Return a fraction for people: its decimals, rounded to `digits`.

    >>> write_decimals(Fraction(101, 3)), write_decimals(Fraction(4500))
    ('33.6667', '4,500')
    """
    whole, part = divmod(round(value * 10**n_decimals), 10**n_decimals)
    return f"{whole:,}.{part:0{n_decimals}}".rstrip("0").rstrip(".")


def _generate_html(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield tables and paragraphs; paragraphs with heads that follow each other are one table."""
    for has_heads, together in groupby(blocks, _has_head):
        if has_heads:
            rows = "".join(_write_headed(block) for block in together if _has_head(block))
            yield f"<table><tbody>{rows}</tbody></table>"
        else:
            yield from map(_write_html, together)


def _has_head(block: Block) -> TypeGuard[Paragraph]:
    return isinstance(block, Paragraph) and bool(block.head.strip())


def _write_headed(block: Paragraph) -> str:
    left = 'style="text-align:left"'
    text = f"{escape(block.text)} {_draw_bars(block.bars)}".rstrip()
    return f"<tr><th {left}>{escape(block.head.strip())}</th><td {left}>{text}</td></tr>"


def _write_html(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>" if block.text else ""
    names = "".join(f"<th>{escape(column.name)}</th>" for column in block.columns)
    names += "<th></th>" if block.bars else ""
    bars = block.bars or [()] * len(block.rows)
    pairs = zip(block.rows, bars, strict=True)
    rows = "".join(_write_row(block.columns, row, heights) for row, heights in pairs)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>"


def _write_row(columns: Sequence[Column], row: Sequence[str], bars: Sequence[int]) -> str:
    sides = ("left" if column.is_text else "right" for column in columns)
    cells = "".join(
        f'<td style="text-align:{side}">{escape(cell)}</td>'
        for side, cell in zip(sides, row, strict=True)
    )
    return f"<tr>{cells}{f'<td>{_draw_bars(bars)}</td>' if bars else ''}</tr>"


def _draw_bars(heights: Sequence[int]) -> str:
    """Return a small histogram as HTML; it has no room for the many lengths of games with costs."""
    if not any(heights) or len(heights) > MOST_BARS:
        return ""
    return "".join(
        f'<span title="{length}: {_write_count(count)}" style="display:inline-block;width:9px;'
        f"margin-right:1px;background:#5b8db8;"
        f'height:{float(HIGHEST * count / max(heights)):.0f}px"></span>'
        for length, count in enumerate(heights, start=1)
    )


def _write_count(count: int | Fraction) -> str:
    return f"{count:,}" if isinstance(count, int) else str(_write_cell(count))


MOST_BARS, HIGHEST = 40, 24
"""Number of bars, and pixels."""
