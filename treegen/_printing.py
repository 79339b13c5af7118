"""Results that people read: the same paragraphs and tables as text and, in notebooks, as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ._options import check_whole
from ._text_table import Column, generate_paragraph, generate_table


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text, and what stands before its first line.

    Attributes
    ----------
    text
        The text.
    head
        What stands before it; further lines are indented below the text.
    """

    text: str
    head: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below the names of their columns."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]


Block = Paragraph | Table


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

    def _repr_html_(self) -> str:
        return "".join(map(_write_html, self.describe()))


def generate_text(blocks: Iterator[Block], width: int | None = None) -> Iterator[str]:
    """Yield the lines of some blocks."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield from generate_paragraph(block.head, block.text, width)
        else:
            yield from generate_table(block.columns, block.rows, width)


def _write_html(block: Block) -> str:
    if isinstance(block, Paragraph):
        head = f"<b>{escape(block.head.strip())}</b> " if block.head.strip() else ""
        return f"<p>{head}{escape(block.text)}</p>" if head or block.text else ""
    names = "".join(f"<th>{escape(column.name)}</th>" for column in block.columns)
    rows = "".join(_write_row(block.columns, row) for row in block.rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>"


def _write_row(columns: Sequence[Column], row: Sequence[str]) -> str:
    sides = ("left" if column.is_text else "right" for column in columns)
    cells = (
        f'<td style="text-align:{side}">{escape(cell)}</td>'
        for side, cell in zip(sides, row, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"
