"""Text for people: complete in a pipe, on a terminal no wider than it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence

import click

from .._printing import Block, Printable, generate_text
from .._text_table import Column, generate_paragraph, generate_table

__all__ = ["Column", "find_width", "print_blocks", "print_paragraph", "print_result", "print_table"]


def print_result(result: Printable) -> None:
    """Print what people read of a result."""
    print_blocks(result.describe())


def print_blocks(blocks: Iterator[Block]) -> None:
    """Print some paragraphs and tables."""
    for line in generate_text(blocks, find_width()):
        click.echo(line)


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Print a table that fits the terminal, or a complete one if there is none."""
    for line in generate_table(columns, rows, find_width()):
        click.echo(line)


def print_paragraph(head: str, text: str) -> None:
    """Print a text beside its head, cut to the width of the terminal; whole where there is none."""
    for line in generate_paragraph(head, text, find_width()):
        click.echo(line)


def find_width() -> int | None:
    """Return the width of the terminal; None if the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
