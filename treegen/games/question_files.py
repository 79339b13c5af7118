"""Tables of answers from CSV files: a header of questions, a row for each candidate."""

from __future__ import annotations

import csv
import io
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from .._files import open_text
from .._memory import read_available_bytes
from ..errors import FormatError, GameError
from .answer_table import MAX_ANSWERS, AnswerTable, choose_dtype
from .codebook import WordSource, is_label, name_source, read_source
from .questions import Questions
from .stake_files import parse_numbers, spread_costs, sum_rows
from .stakes import read_cost, read_weight
from .tabulate import refuse_gap, sort_answers
from .text import clean

SUFFIXES = (".csv", ".tsv")
_DELIMITERS = "\t;,"
_HEAD_CHARACTERS = 1 << 16
_CELL_BYTES = 16
"""Memory that a cell takes while a table is read, described and built; measured."""
_ROW_BYTES = 1000
_CELLS_PER_S = 5_000_000
"""Measured speed of reading, for the notice about a large file."""
_LARGE = 30_000_000
"""A file of so many cells is announced."""


def looks_like_table(path: str | os.PathLike[str], head: str) -> bool:
    r"""Return whether a file is a table of answers rather than a list of words.

    It is one if its name ends in ``.csv`` or ``.tsv``, or if its first two lines have the same
    number of tabs, semicolons or commas, one at least.

    Parameters
    ----------
    path
        The file's name.
    head
        The beginning of its text.

    Examples
    --------
    >>> looks_like_table("animals.txt", "name;Stings?\nbee;yes"), looks_like_table("w", "crane")
    (True, False)
    """
    if Path(path).suffix.lower() in SUFFIXES:
        return True
    lines = [line for line in head.splitlines() if line.strip()][:2]
    return len(lines) == 2 and any(lines[0].count(d) == lines[1].count(d) > 0 for d in _DELIMITERS)


def read_questions(
    source: WordSource,
    *,
    goal: str = "identify",
    strict: bool = False,
    aside: Sequence[str] = (),
    weights: str | None = None,
    costs: str | None = None,
    notice: Callable[[str], object] | None = None,
) -> Questions:
    r"""Read a table of answers: UTF-8, cells separated by commas, semicolons or tabs.

    The first row is the header: its first cell names nothing, the others are the questions. Every
    other row is a candidate: its name, then its answer to each question.

    Parameters
    ----------
    source
        A path, or an open file of bytes or text.
    goal
        ``"identify"`` or ``"win"``.
    strict
        Whether candidates that no question tells apart are refused.
    aside
        Columns that are no questions; `Questions.aside` has their cells.
    weights
        The column that has the candidates' weights; None: each counts 1.
    costs
        The name of the row that has the questions' costs; None: each costs 1.
    notice
        Called with an estimate before a large file is read.

    Raises
    ------
    FormatError
        The file cannot be read, or is not UTF-8 text.
    GameError
        It is no table of answers; the message gives line and column.

    Examples
    --------
    >>> import io
    >>> table = io.StringIO("animal,Legs\nduck,2\ndog,4\n")
    >>> read_questions(table).n_secrets
    2
    """
    name = name_source(source)
    with _open(source, name) as stream:
        head = stream.read(_HEAD_CHARACTERS) + stream.readline()
        _check_size(source, head, name, notice)
        lines = chain(io.StringIO(head), stream)
        weights = None if weights is None else clean(weights)
        columns = [*map(clean, aside), *([] if weights is None else [weights])]
        cells = _Cells(name, list(dict.fromkeys(columns)), costs and clean(costs))
        delimiter = _find_delimiter(source, head)
        # Not strict, a quote that is never closed would swallow all rows after it.
        cells.read(csv.reader(lines, delimiter=delimiter, strict=True))
    label = Path(source).name if isinstance(source, (str, os.PathLike)) else ""
    table = cells.finish()
    game = Questions(
        table,
        goal=goal,
        strict=strict,
        label=label if is_label(label) else "",
        aside=cells.columns,
    )
    found = prices = None
    if weights is not None:
        texts = dict(zip(table.names, cells.columns[weights], strict=True))
        found = sum_rows(game, list(parse_numbers(texts, name, read_weight).values()))
    if costs is not None:
        prices = spread_costs(game, parse_numbers(cells.find_costs(), name, read_cost))
    return game.with_stakes(found, prices)


@dataclass(slots=True)
class _Cells:
    """The cells of a table as they are read: each question numbers its answers as they come."""

    name: str
    aside: list[str]
    costs: str | None = None
    questions: list[str] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    numbers: list[dict[str, int]] = field(default_factory=list)
    values: array[int] = field(default_factory=lambda: array("H"))
    columns: dict[str, list[str]] = field(default_factory=dict)
    n_rows: int = 0

    def read(self, rows: Iterator[list[str]]) -> None:
        """Read header and rows; raise GameError at the first that is wrong."""
        reader: Iterator[tuple[int, list[str]]] = self._number_lines(rows)
        _, header = next(reader, (0, []))
        if not header:
            raise GameError(f"{self.name} is empty: a header of questions is expected")
        places = self._read_header(header)
        for line, row in reader:
            if len(row) != len(header):
                raise GameError(
                    f"{self.name} line {line}: {clean(row[0])!r:.80} has {len(row) - 1} answers;"
                    f" the header has {len(header) - 1} questions"
                )
            self._read_row(line, row, places)
        if not self.n_rows:
            raise GameError(f"{self.name} has a header but no candidates below it")

    def finish(self) -> AnswerTable:
        """Return the table, each question's answers in order."""
        labels = tuple(tuple(sort_answers(set(numbers))) for numbers in self.numbers)
        found: NDArray[np.uint16] = np.frombuffer(self.values, dtype=np.uint16)
        found = found.reshape(self.n_rows, len(labels))
        matrix = np.empty(found.shape, dtype=choose_dtype(labels))
        for place, (ordered, numbers) in enumerate(zip(labels, self.numbers, strict=True)):
            places = np.zeros(len(ordered), dtype=matrix.dtype)
            places[[numbers[label] for label in ordered]] = np.arange(len(ordered))
            matrix[:, place] = places[found[:, place]]
        rows = tuple((row,) for row in range(self.n_rows))
        return AnswerTable(tuple(self.names), tuple(self.questions), labels, matrix, rows)

    def _number_lines(self, rows: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that are not empty with their lines."""
        try:
            for row in rows:
                if any(cell.strip() for cell in row):
                    yield rows.line_num, row  # type: ignore[attr-defined]
        except csv.Error as error:
            line, problem = rows.line_num, str(error)  # type: ignore[attr-defined]
            if problem == "unexpected end of data":
                problem = "a quote is not closed before the end of the file"
            raise GameError(f"{self.name} line {line}: {problem}") from None
        except UnicodeDecodeError as error:
            line = rows.line_num  # type: ignore[attr-defined]
            raise FormatError(
                f"{self.name} is not UTF-8 text: byte {error.object[error.start]:#04x} after line"
                f" {line}"
            ) from None

    def _read_header(self, header: list[str]) -> list[int]:
        """Take the questions of the header, and return their columns."""
        texts = [clean(cell) for cell in header]
        if len(texts) == 1:
            raise GameError(
                f"{self.name} has one column: a table of answers has names, then questions"
                " (a list of words needs another ending than .csv and .tsv)"
            )
        seen: dict[str, int] = {}
        for column, text in enumerate(texts[1:], start=2):
            if not text:
                raise GameError(f"{self.name}: the header's column {column} has no question")
            if text in seen:
                raise GameError(
                    f"{self.name}: the question {text!r:.80} is in the columns {seen[text]} and"
                    f" {column}"
                )
            seen[text] = column
        for text in self.aside:
            if text not in seen:
                raise GameError(f"{self.name} has no column {text!r:.80}")
        self.columns = {text: [] for text in self.aside}
        places = [place for place, text in enumerate(texts) if place and text not in self.columns]
        self.questions = [texts[place] for place in places]
        self.numbers = [{} for _ in places]
        self._places = [seen[text] - 1 for text in self.aside]
        return places

    def find_costs(self) -> dict[str, str]:
        """Return the cost of each question as it is written; raise GameError if it has no row."""
        if self._cost_cells is None:
            raise GameError(f"{self.name} has no row {self.costs!r:.80}")
        return dict(zip(self.questions, self._cost_cells, strict=True))

    _places: list[int] = field(default_factory=list)
    _cost_cells: list[str] | None = None

    def _read_row(self, line: int, row: list[str], places: list[int]) -> None:
        name = clean(row[0])
        if not name:
            raise GameError(f"{self.name} line {line}: the candidate has no name")
        if name == self.costs and self._cost_cells is None:
            self._cost_cells = [clean(row[place]) for place in places]
            return
        if name in self.names:
            raise GameError(
                f"{self.name} line {line}: {name!r:.80} is already in line {self.names[name]}"
            )
        self.names[name] = line
        self.n_rows += 1
        for place, text in zip(self._places, self.aside, strict=True):
            self.columns[text].append(row[place].strip())
        try:
            # Almost every cell has been seen before, as it is written: no need to clean it.
            self.values.extend(
                [numbers[row[place]] for numbers, place in zip(self.numbers, places, strict=True)]
            )
        except KeyError:
            self._read_new(line, name, row, places)

    def _read_new(self, line: int, name: str, row: list[str], places: list[int]) -> None:
        """Read a row in which an answer, or a way to write it, is new."""
        for numbers, place, question in zip(self.numbers, places, self.questions, strict=True):
            text = clean(row[place])
            if text in ("", "?"):
                where = f"{self.name} line {line}, column {place + 1}: "
                refuse_gap(text, name, question, where)
            if len(numbers) >= MAX_ANSWERS and text not in numbers:
                raise GameError(
                    f"{self.name} line {line}: the question {question!r:.80} has more than"
                    f" {MAX_ANSWERS:,} answers"
                )
            self.values.append(numbers.setdefault(text, len(numbers)))


@contextmanager
def _open(source: WordSource, name: str) -> Iterator[IO[str]]:
    """Open a table as text."""
    if isinstance(source, (str, os.PathLike)):
        with open_text(source) as stream:
            yield stream
    else:
        yield io.StringIO(read_source(source, name))


def _find_delimiter(source: WordSource, head: str) -> str:
    """Return what separates the cells: tabs in a TSV, else what the header has most of."""
    if isinstance(source, (str, os.PathLike)) and Path(source).suffix.lower() == ".tsv":
        return "\t"
    header = next((line for line in head.splitlines() if line.strip()), "")
    outside = "".join(header.split('"')[::2])
    return max(_DELIMITERS, key=outside.count)


def _check_size(
    source: WordSource, head: str, name: str, notice: Callable[[str], object] | None
) -> None:
    """Refuse a file that would not fit memory, and announce one that takes its time."""
    lines = head.splitlines()
    if not isinstance(source, (str, os.PathLike)) or len(lines) < 3:
        return
    size = Path(source).stat().st_size
    n_rows = size * (len(lines) - 1) // max(len(head.encode()), 1)
    n_questions = max(map(lines[0].count, _DELIMITERS))
    needed = n_rows * (n_questions * _CELL_BYTES + _ROW_BYTES)
    told = f"about {n_rows:,} candidates and {n_questions:,} questions"
    if needed > read_available_bytes():
        raise GameError(
            f"{name} has {told}: reading it takes about {needed / 1e9:.1f} GB of memory, and"
            f" {read_available_bytes() / 1e9:.1f} GB are there"
        )
    if notice is not None and n_rows * n_questions > _LARGE:
        seconds = n_rows * n_questions / _CELLS_PER_S
        notice(f"{name} has {told}: reading it takes about {seconds:.0f} s")
