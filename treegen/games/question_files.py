"""Tables of answers from files, frames and lists: their columns, their cells, what is doubtful."""

from __future__ import annotations

import io
import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from .._files import TextSource, name_source, open_text, read_source
from .._options import COUNT, check_lists, check_range, check_texts, refuse_unknown
from ..errors import GameError, UsageError
from ..jit.memory import read_available_bytes
from .answer_table import MAX_ANSWERS, UNKNOWN, AnswerTable, sort_answers
from .base import Game
from .compared import make_compared
from .questions import Questions
from .rules import GoalName, Number, read_cost, read_weight, smallest_type
from .stake_files import note_unit, spread_costs
from .tables.delta import find_files, join_files, read_delta
from .tables.forms import has_form, read_sheet
from .tables.frame import HeldTable, is_held, read_held
from .tables.rules import expand_rules
from .tables.sheet import NO_NAMES, Sheet
from .tables.workbook import is_workbook, read_workbook
from .text import clean, fold, is_label, name_few, read_json_list, split_quoted, suggest_name
from .thresholds import ALL, LESS, MOST, NOT_LESS, Measurements, is_measured, write_threshold
from .word_files import (
    SEPARATOR_LINE,
    SEPARATORS,
    iter_entries,
    looks_like_words,
)

SUFFIXES = (".csv", ".tsv", ".tab")
_SIGNS = {"tab": "\t", "space": " "}
"""Separators that are hard to give in a shell."""
_HEAD_CHARACTERS = 1 << 16
_CELL_BYTES = 16
"""Memory that a cell takes while a table is read, described and built; measured."""
_ROW_BYTES = 1000
_CELLS_PER_S = 5_000_000
"""Measured speed of reading, for the notice about a large file."""
_LARGE = 30_000_000
"""A file of this many cells is announced."""


def looks_like_table(path: str | os.PathLike[str], head: str) -> bool:
    """Return whether a file is a table of answers rather than a list of words.

    It is one if it begins as a form does that other programs write, if its name ends in ``.csv``,
    ``.tsv`` or ``.tab``, if it names its separator (``sep=;``), or if its first two lines have the
    same number, at least one, of tabs, semicolons or commas. It is none if it has one line or
    column of words, words with numbers alone, or JSON. `head` is the beginning of its text.
    """
    if has_form(Path(path), head):
        return True
    if looks_like_words(head):
        return False
    if Path(path).suffix.lower() in SUFFIXES or SEPARATOR_LINE.fullmatch(head.split("\n")[0]):
        return True
    lines = [line for _, line in islice(iter_entries(head), 2)]
    return len(lines) == 2 and any(lines[0].count(d) == lines[1].count(d) > 0 for d in SEPARATORS)


@refuse_unknown
def read_questions(
    source: TextSource | HeldTable,
    *,
    goal: GoalName = "identify",
    strict: bool = False,
    names: str | None = None,
    classes: str | None = None,
    ignore: str | Sequence[str] = (),
    header: bool = True,
    unknown: str | Sequence[str] | None = None,
    sets: str | None = None,
    any: str | None = None,
    separator: str | None = None,
    count_rows: bool = False,
    thresholds: str | Sequence[str] = (),
    thresholds_most: int | None = None,
    weights: str | None = None,
    default_weight: Number | None = None,
    costs: str | None = None,
    notice: Callable[[str], object] | None = None,
) -> Questions:
    r"""Read a table of answers: UTF-8, cells separated by commas, semicolons, tabs, bars or spaces.

    The first row is the header: its first cell names nothing, the others are the questions. Every
    other row is a candidate: its name, then its answer to each question. Empty lines, lines that
    begin with ``#``, and empty columns after the last question are ignored.

    Answers may be unknown, or sets of answers; a class may be to be found.

    Parameters
    ----------
    source
        A path, or an open file of bytes or text; a frame of pandas or polars, a table of Arrow or a
        list of dicts, in which sets and lists are cells of several answers, None and NaN unknown.
    weights, default_weight, costs
        See `open_game`, with the name of a column or a row. None: what the form of the file says.
    goal, strict, names, classes, ignore, header, unknown, sets, any
        See `open_game`.
    separator, count_rows, thresholds, thresholds_most
        See `open_game`.
    notice
        Called with an estimate before a large file is read.

    Raises
    ------
    FormatError
        The file cannot be read, or is not UTF-8 text.
    GameError
        It is not a table of answers; the message gives line and column.
    UsageError
        `any` is combined with `thresholds` or `count_rows`; `thresholds_most` is out of range, or
        there are no `thresholds`; `separator` is no sign, or is for what has no text.

    Examples
    --------
    >>> import io
    >>> table = io.StringIO("animal,Legs\nduck,2\ndog,4\n")
    >>> read_questions(table).n_secrets
    2
    """
    check_range(COUNT, thresholds_most=thresholds_most)
    check_texts(names=names, classes=classes, sets=sets, any=any, separator=separator, costs=costs)
    check_texts(weights=weights)
    check_lists(ignore=ignore, unknown=unknown, thresholds=thresholds)
    if thresholds_most is not None and not thresholds:
        raise UsageError("`thresholds_most` needs `thresholds`")
    if any is not None and thresholds:
        raise UsageError(
            "`any` takes no `thresholds`: combinations of theirs contradict themselves"
        )
    if any is not None and count_rows:
        raise UsageError("`any` takes no `count_rows`: each combination of answers weighs 1")
    name = "the table" if is_held(source) else name_source(source)
    cells = _Cells(
        name,
        names and clean(names),
        classes and clean(classes),
        ignore,
        weights and clean(weights),
        costs and clean(costs),
        None if unknown is None else frozenset(("", *split_texts(unknown))),
        sets=sets,
        counts_rows=count_rows,
        fits_any=None if any is None else clean(any),
        thresholds=thresholds,
        most=thresholds_most or MOST,
    )
    with open_sheet(source, name, has_header=header, separator=separator, notice=notice) as sheet:
        cells.read(sheet)
    table = cells.finish(offers_weights=weights is None, strict=strict)
    label = Path(source).name if isinstance(source, (str, os.PathLike)) else ""
    label += cells.describe_chosen(anew=not label)
    if any is not None:
        if not table.classes:
            raise GameError(f"{name}: `any` needs `classes=COLUMN`, the outcomes of the rules")
        if cells.weights is not None:
            raise GameError(f"{name}: with `any` each combination weighs 1: leave out `weights`")
        table, cells.columns = expand_rules(table, name, strict=strict), {}
    table.check()
    table = table.reduce(
        strict=strict, counts_rows=cells.counts_rows, weighs=cells.weights is not None
    )
    game = Questions(_note_unknown_rows(table), goal=goal, label=label if is_label(label) else "")
    game.aside = {name: list(column) for name, column in cells.columns.items()}
    asked = game.rules.with_goal("identify").division if strict else None  # guesses part any two
    if asked is not None:
        _refuse_inseparable(game.table, asked.separable)
    found = prices = None
    if cells.weights is not None:
        numbers = cells.list_weights(default_weight)
        # A candidate may stand for several rows that no question tells apart.
        found = [sum((numbers[row] for row in rows), Fraction()) for rows in game.table.rows]
    elif cells.counts_rows and any is None:
        found = [Fraction(len(rows)) for rows in game.table.rows]
    if cells.prices:
        prices = spread_costs(game, {name: Fraction(cost) for name, cost in cells.prices.items()})
    if cells.costs is not None:
        prices = spread_costs(game, _parse_numbers(cells.list_costs(), name, read_cost))
    game = game.with_stakes(found, prices)
    if prices is not None:
        note_unit(game, prices, notice)
    return game


def _parse_numbers(
    texts: Mapping[str, str], where: str, read: Callable[[str], Fraction]
) -> dict[str, Fraction]:
    """Return numbers by name; raise GameError, saying whose it is, if `read` refuses a text.

    `where` is the file, for messages.
    """
    numbers = {}
    for name, text in texts.items():
        try:
            numbers[name] = read(text)
        except GameError as error:
            raise GameError(f"{where}, {name!r:.80}: {error}") from None
    return numbers


def read_compared(
    source: TextSource | HeldTable,
    feedback: str,
    *,
    goal: GoalName = "win",
    strict: bool = False,
    names: str | None = None,
    ignore: str | Sequence[str] = (),
    header: bool = True,
    unknown: str | Sequence[str] | None = None,
    sets: str | None = None,
    separator: str | None = None,
    weights: str | None = None,
    default_weight: Number | None = None,
    costs: str | None = None,
    notice: Callable[[str], object] | None = None,
) -> Game:
    r"""Read a table whose candidates are guessed, and answered by how they compare.

    Parameters and errors are those of `read_questions`, but for these. Candidates may be alike.

    Parameters
    ----------
    feedback
        ``"traits"``, if columns are compared; ``"matrix"``, if a square table has the answers: of
        the secret in a row to the guess in a column.
    unknown
        Cells that mean that a trait is not known, which is a value of its own.
    sets
        What stands between the values of a cell that a candidate has together.
    costs
        The column that has the costs of guesses; None: each costs 1.

    Examples
    --------
    >>> import io
    >>> table = io.StringIO("animal,Legs\nduck,2\ndog,4\n")
    >>> read_compared(table, "traits").answer("dog", "duck")
    'L'
    """
    name = "the table" if is_held(source) else name_source(source)
    cells = _Cells(
        name,
        names and clean(names),
        NO_NAMES,
        ignore,
        weights and clean(weights),
        None,
        None if unknown is None else frozenset(("", *split_texts(unknown))),
        sets=sets,
        counts_rows=False,
        fits_any=None,
        compared_by=feedback,
        guess_costs=None if costs in (None, NO_NAMES) else clean(str(costs)),
    )
    with open_sheet(source, name, has_header=header, separator=separator, notice=notice) as sheet:
        cells.read(sheet)
    label = Path(source).name if isinstance(source, (str, os.PathLike)) else ""
    table = cells.finish(offers_weights=weights is None, strict=strict)
    table.check()
    game = make_compared(table, feedback, label if is_label(label) else "").with_goal(goal)
    found = prices = None
    if cells.weights is not None:
        found = cells.list_weights(default_weight)
    if cells.guess_costs is not None:
        texts = dict(zip(cells.names, cells.columns[cells.guess_costs], strict=True))
        prices = list(_parse_numbers(texts, name, read_cost).values())
    game = game.with_stakes(found, prices)
    if prices is not None:
        note_unit(game, prices, notice)
    return game


@contextmanager
def open_sheet(
    source: TextSource | HeldTable,
    name: str,
    *,
    has_header: bool = True,
    separator: str | None = None,
    notice: Callable[[str], object] | None = None,
) -> Iterator[Sheet]:
    """Yield the sheet of a file or of a held table; its rows are read while it is open."""
    sign = None if separator is None else _SIGNS.get(separator, separator)
    if sign is not None and (len(sign) != 1 or sign in '"\r\n\0'):
        raise UsageError(f"`separator` is one sign, tab or space, not {separator!r:.80}")
    path = Path(source) if isinstance(source, (str, os.PathLike)) else None
    held = read_held(source) if is_held(source) else None
    if held is None and path and sign is None and (files := find_files(path)):
        held = read_delta(join_files(files), name)
    elif held is None and path and is_workbook(path):
        held = read_workbook(path, name, has_header=has_header)
    if held is not None:
        if sign is not None:
            raise UsageError(f"`separator` is for cells in text, not for {name}")
        yield held
        return
    with (
        open_text(source)
        if isinstance(source, (str, os.PathLike))
        else nullcontext(io.StringIO(read_source(cast(TextSource, source), name)))
    ) as stream:
        head = stream.read(_HEAD_CHARACTERS) + stream.readline()  # to the end of a line
        _check_size(path, head, name, notice)
        lines = chain(io.StringIO(head), stream)
        yield read_sheet(lines, name, path, head, has_header=has_header, separator=sign)


def split_texts(texts: str | Sequence[str], known: Collection[str] = ()) -> list[str]:
    """Return a list that may be written as one text; of `known` ones that may hold commas."""
    if isinstance(texts, str):
        listed = [texts] if texts in known else read_json_list(texts)
        texts = split_quoted(texts) if listed is None else listed
    return list(dict.fromkeys(filter(None, map(clean, texts))))


@dataclass(slots=True)
class _Cells:
    """The cells of a table as they are read; each question numbers its cells as they come."""

    name: str
    named_by: str | None  # the column of names, or `NO_NAMES`; None: the first
    classed_by: str | None  # the column of classes; None, `NO_NAMES`: there is none
    ignore: str | Sequence[str]
    weights: str | None
    costs: str | None
    given_unknown: frozenset[str] | None
    sets: str | None
    counts_rows: bool
    fits_any: str | None  # the cell that any answer fits, where rows are rules
    thresholds: str | Sequence[str] = ()
    most: int = MOST  # of a column
    compared_by: str = ""  # how candidates are compared; empty: questions are asked
    guess_costs: str | None = None  # the column of the costs of guesses
    questions: list[str] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    numbers: list[dict[str, int]] = field(default_factory=list)
    values: array[int] = field(default_factory=lambda: array("H"))
    columns: dict[str, list[str]] = field(default_factory=dict)
    n_rows: int = 0
    prices: Mapping[str, int] = field(default_factory=dict)  # of questions, by the form
    _places: list[int] = field(default_factory=list)
    _name_place: int | None = 0
    _class_place: int | None = None
    _classless: list[str] = field(default_factory=list)  # rows that are left out
    _n_named: dict[str, int] = field(default_factory=dict)
    _cost_cells: list[str] | None = None
    _width: int = 0
    unknown: frozenset[str] = frozenset()
    _joint: str = ""
    _unit: str = "line"
    _has_roles: bool = False  # the form says of columns what they are
    _notes: list[str] = field(default_factory=list)
    _measured: Sequence[str] = ()  # the form says that they have numbers
    _asked: list[_Asked] = field(default_factory=list)  # what is asked of the columns, in the end
    _n_thresholds: dict[int, int] = field(default_factory=dict)  # by place; not all may be asked

    def read(self, sheet: Sheet) -> None:
        """Read header and rows; raise GameError at the first that is wrong."""
        self._take_roles(sheet)
        places = self._read_header(sheet)
        for line, row in sheet.rows:
            if len(row) != self._width:
                self._check_width(line, row, sheet)
            self._read_row(line, row, places)
        if self.costs is not None and self._cost_cells is None:
            raise GameError(
                f"{self.name} has no row {self.costs!r:.80}{suggest_name(self.costs, self.names)}"
            )
        if not self.n_rows:
            raise GameError(f"{self.name} has a header but no candidates below it")
        if sheet.blank and self.named_by == NO_NAMES:
            count = len(sheet.blank)
            which = "1 empty row is" if count == 1 else f"{count:,} empty rows are"
            first = f"{'' if count == 1 else 'the first '}line {sheet.blank[0]}"
            self._notes.append(
                f"{which} left out, {first}; a row whose answers are unknown has a {UNKNOWN}"
            )

    def _take_roles(self, sheet: Sheet) -> None:
        """Take from a sheet what is not given: which columns are what, and unknown cells."""
        self._joint, self._unit, self._has_roles = sheet.joint, sheet.unit, bool(sheet.form)
        self.prices = {} if self.costs else sheet.costs
        self.costs = None if self.costs == NO_NAMES else self.costs
        own = frozenset(("", *sheet.unknown))
        self.unknown = own if self.given_unknown is None else self.given_unknown
        if self.fits_any is not None:
            if self.fits_any and self.fits_any in (self.given_unknown or ()):
                raise GameError(
                    f"{self.name}: {self.fits_any!r:.80} cannot be both `any`, which every answer"
                    " fits, and `unknown`"
                )
            self.unknown -= {self.fits_any}
        notes = []
        if self.classed_by is None and sheet.classes:
            self.classed_by = sheet.classes
            column = f"{sheet.classes!r:.80}{sheet.custom}"
            notes.append(f"classes of {column} (`classes='none'` finds candidates)")
        if self.named_by is None and sheet.names:
            self.named_by = sheet.names
            names = f"names of {sheet.names!r:.80}"
            notes.append("rows are numbered" if sheet.names == NO_NAMES else names)
        if self.weights is None and sheet.weights:
            self.weights = sheet.weights
            notes.append(f"weights of {sheet.weights!r:.80}")
        self.weights = None if self.weights == NO_NAMES else self.weights
        ignored = split_texts(self.ignore, sheet.header)
        if self.thresholds != ALL:
            columns = split_texts(self.thresholds, sheet.header)
            if isinstance(self.thresholds, str) and not columns:
                raise GameError(
                    f"`thresholds={self.thresholds!r:.80}` names no column; {self.name} has"
                    f" {name_few([*map(repr, sheet.header)])}; {ALL!r:.80} means all of numbers"
                )
            self.thresholds = columns
        self._measured = [text for text in sheet.numbers if text not in ignored]
        asked = self._measured if self.thresholds == ALL else self.thresholds
        others = (self.named_by, self.weights, *asked)
        left_out = [text for text in sheet.ignore if text not in others]
        self.ignore = [*ignored, *left_out]
        if left_out:
            notes.append(f"no questions are {name_few([*map(repr, left_out)])}")
        self._notes = [f"{sheet.form}: {'; '.join(notes)}"] * bool(notes and sheet.form)
        self._notes += sheet.notes

    def _check_width(self, line: int, row: list[str], sheet: Sheet) -> None:
        """Raise GameError unless a row has the header's columns, and only empty ones after them."""
        width = self._width
        behind = [column for column in range(width, len(row)) if row[column].strip()]
        if len(row) >= width and not behind:
            return
        if behind and behind[-1] < len(sheet.header):
            raise GameError(
                f"{self.name}: the header's column {behind[0] + 1} has no question, and line {line}"
                f" has {row[behind[0]]!r:.80} there"
            )
        n_answers = behind[-1] if behind else len(row) - 1
        n_answers += self._name_place is None
        n_questions = width - (self._name_place is not None)
        problem = (
            f"{self.name} {self._unit} {line}: {self._name_row(row)!r:.80} has"
            f" {n_answers} answer{'s' * (n_answers != 1)}; the header has {n_questions}"
            f" question{'s' * (n_questions != 1)}"
        )
        if behind and sheet.delimiter == "," and re.search(r"(^|,)\d+,\d+(,|$)", ",".join(row)):
            problem += " (decimals have a point, 0.25, or stand in quotes)"
        raise GameError(problem)

    def finish(self, *, offers_weights: bool, strict: bool) -> AnswerTable:
        """Return the table, each question's answers in order, with notes on what is doubtful.

        `offers_weights`: whether numbers that look like weights are pointed out. With `strict`, an
        unknown answer is a GameError.
        """
        found: NDArray[np.uint16] = np.frombuffer(self.values, dtype=np.uint16)
        found = found.reshape(self.n_rows, len(self.questions))
        self._asked = [
            each for place in range(len(self.questions)) for each in self._ask(place, found)
        ]
        if self.thresholds == ALL and not self._n_thresholds:
            raise GameError(f"{self.name} has no column of numbers: `thresholds` asks for nothing")
        shape = (self.n_rows, len(self._asked))
        if shape[0] * shape[1] * _CELL_BYTES > read_available_bytes():
            raise GameError(
                f"{self.name} has {shape[1]:,} questions with all thresholds, too many for memory;"
                " `thresholds_most=N` asks for N of a column"
            )
        labels = tuple(each.cells.labels for each in self._asked)
        sets = tuple(each.cells.sets for each in self._asked)
        most = max(
            (len(own) + len(more) for own, more in zip(labels, sets, strict=True)), default=1
        )
        matrix = np.empty(shape, dtype=smallest_type(most))
        for place, each in enumerate(self._asked):
            matrix[:, place] = each.cells.places.astype(matrix.dtype)[found[:, each.place]]
        gaps = [*self._note_unknown(found, strict=strict), *self._note_classless(strict=strict)]
        stakes = _note_stakes(self) if offers_weights and not self._has_roles else ()
        return AnswerTable(
            tuple(self.names),
            tuple(each.question for each in self._asked),
            labels,
            matrix,
            notes=(
                *self._notes,
                *_note_chosen(self),
                *_note_numbers(self),
                *gaps,
                *_note_header(self),
                *_note_cases(self, labels),
                *_note_gaps(self, found),
                *_note_joins(self),
                *_note_traits(self),
                *stakes,
            ),
            sets=sets if any(sets) else (),
            classes=tuple(map(clean, self.columns[self._classes])) if self._classes else (),
        )

    def _ask(self, place: int, found: NDArray[np.uint16]) -> Iterator[_Asked]:
        """Yield the questions of a column: itself, or its thresholds."""
        question, cells = self.questions[place], [*map(self._read_cell, self.numbers[place])]
        if not (question in self.thresholds or (self.thresholds == ALL and _have_numbers(cells))):
            yield _Asked(question, _order_cells(cells), place)
            return
        try:
            measured = Measurements.read(cells)
        except GameError:
            self._refuse_number(place, found[:, place])
            raise
        classes = self.columns[self._classes] if self._classes else ()
        chosen, self._n_thresholds[place] = measured.choose(found[:, place], classes, self.most)
        if not chosen:
            what = "one number" if len(measured.values) == 1 else "no two numbers apart"
            problem = f"{question!r:.80} has {what}, so no threshold"
            if self.thresholds != ALL:
                raise GameError(f"{self.name}: {problem}")
            self._notes.append(problem)
        for each in chosen:
            asked = write_threshold(question, measured.find_midway(each))
            answers = measured.answer(each)
            sets = ((0, 1),) if answers.max() > 1 else ()
            yield _Asked(asked, _Ordered((NOT_LESS, LESS), sets, answers), place)

    def _refuse_number(self, place: int, found: NDArray[np.uint16]) -> None:
        """Raise GameError for the first cell of a column that has neither number nor range."""
        known = [*self.numbers[place]]
        for line, number in zip(self.names.values(), found.tolist(), strict=True):
            try:
                Measurements.read([self._read_cell(known[number])])
            except GameError as error:
                raise GameError(
                    f"{self.name} {self._unit} {line}, {self.questions[place]!r:.80}: {error}"
                ) from None

    def describe_chosen(self, *, anew: bool) -> str:
        """Return, for the table's name, how many thresholds are asked, if that is not all.

        `anew`: nothing stands before it.
        """
        n_asked = sum(each.place in self._n_thresholds for each in self._asked)
        total = sum(self._n_thresholds.values())
        text = f"{n_asked:,} of {total:,} thresholds" if n_asked < total else ""
        return text if anew or not text else f" ({text})"

    @property
    def _classes(self) -> str | None:
        return None if self.classed_by == NO_NAMES else self.classed_by

    def _split_cell(self, text: str) -> list[str]:
        """Return the texts that a cell joins."""
        parts = [text]
        for sign in filter(None, (self._joint, self.sets)):
            if sign in text and text != self.fits_any and text not in self.unknown:
                parts = [clean(each) for part in parts for each in part.split(sign)]
        return list(filter(None, parts)) or [text]

    def _read_cell(self, text: str) -> list[str | None]:
        """Return the answers that a cell holds; None stands for any to its question."""
        return [
            self._gap if part in self.unknown else None if part == self.fits_any else part
            for part in self._split_cell(text)
        ]

    @property
    def _gap(self) -> str | None:
        """What stands for an unknown answer: a value of its own, or None for any."""
        return UNKNOWN if self.compared_by else None

    def _note_unknown(self, found: NDArray[np.uint16], *, strict: bool) -> Iterator[str]:
        """Yield how many answers are unknown, and where the first is; with `strict` refuse it."""
        n_unknown, first = 0, (self.n_rows, 0)
        meaning = "it is a value of its own" if self.compared_by else "any is possible there"
        for place, numbers in enumerate(self.numbers):
            gaps = [n for text, n in numbers.items() if self.unknown & {*self._split_cell(text)}]
            if gaps:
                rows = np.flatnonzero(np.isin(found[:, place], gaps))
                n_unknown += len(rows)
                first = min(first, (int(rows[0]), place))
        if n_unknown:
            name, line = list(self.names.items())[first[0]]
            where = f"{name!r:.80} to {self.questions[first[1]]!r:.80}"
            if self.fits_any is not None:
                raise GameError(
                    f"{self.name} {self._unit} {line}: the answer of {where} is unknown; a rule has"
                    f" an answer there, or {self.fits_any!r:.80}"
                )
            if strict or self.compared_by == "matrix":
                hint = f"; without `strict=True` {meaning}" if strict else ""
                raise GameError(
                    f"{self.name} {self._unit} {line}: the answer of {where} is unknown{hint}"
                )
            yield (
                f"{n_unknown:,} of {found.size:,} answers {'is' if n_unknown == 1 else 'are'}"
                f" unknown, the first that of {where} in {self._unit} {line}: "
                + (meaning if self.compared_by else "any answer to the question is possible there")
            )

    def _note_classless(self, *, strict: bool) -> Iterator[str]:
        """Yield which rows are left out, as they have no class; with `strict` refuse them."""
        if self._classless and strict:
            raise GameError(f"{self.name} {self._classless[0]} has no class")
        if self._classless:
            count = len(self._classless)
            yield (
                f"{count:,} row{'s have' if count > 1 else ' has'} no class and"
                f" {'are' if count > 1 else 'is'} left out, {'the first ' * (count > 1)}"
                f"{self._classless[0]}"
            )

    def _read_header(self, sheet: Sheet) -> list[int]:
        """Take the questions of the header, and return their columns."""
        texts = [clean(cell) for cell in sheet.header]
        while len(texts) > 1 and not texts[-1]:
            texts.pop()
        self._width = len(texts)
        if self.named_by is None and self._classes == texts[0]:
            self.named_by = NO_NAMES
        if len(texts) == 1 and self.named_by != NO_NAMES:
            between = f", as no {sheet.delimiter!r:.80} is in its header" if sheet.delimiter else ""
            raise GameError(
                f"{self.name} has one column{between}: a table of answers has names, then questions"
            )
        seen: dict[str, int] = {}
        # The cell above the names, which names nothing, may be empty or like any other.
        first = 1 if self.named_by is None else 0
        for column, text in enumerate(texts[first:], start=first + 1):
            if not text:
                raise GameError(f"{self.name}: the header's column {column} has no question")
            if text in seen:
                raise GameError(
                    f"{self.name}: the question {text!r:.80} is in the columns {seen[text]} and"
                    f" {column}{sheet.hint}"
                )
            seen[text] = column
        given = [*split_texts(self.ignore), self.weights, self._classes, self.guess_costs]
        aside = list(dict.fromkeys(text for text in given if text is not None))
        named_by = [] if self.named_by in (None, NO_NAMES) else [str(self.named_by)]
        asked = [] if self.thresholds == ALL else self.thresholds
        for text in (*aside, *named_by, *asked):
            if text not in seen:
                self._refuse_column(text, texts[0] if first else "", seen)
        if self.named_by is not None:
            self._name_place = seen[named_by[0]] - 1 if named_by else None
        if self._classes is not None:
            self._class_place = seen[self._classes] - 1
            self.counts_rows = True
        self.columns = {text: [] for text in aside}
        self._places = [seen[text] - 1 for text in aside]
        others = {*self._places, self._name_place}
        for text in asked:
            if seen[text] - 1 in others:
                raise GameError(
                    f"{self.name}: {text!r:.80} has names, classes or weights, or is ignored: it"
                    " cannot have thresholds"
                )
        places = [place for place in range(len(texts)) if place not in others]
        self.questions = [texts[place] for place in places]
        self.numbers = [{} for _ in places]
        return places

    def _refuse_column(self, text: str, above_names: str, known: Collection[str]) -> NoReturn:
        """Raise GameError for a column that the header lacks, with what may have been meant."""
        if text == above_names:
            raise GameError(
                f"{self.name}: {text!r:.80} is the column of names; if it holds no names:"
                " `names='none'`"
            )
        parts = [*map(clean, text.split(";"))]
        known = [*filter(None, (above_names, *known))]
        hint = suggest_name(text, known)
        if text in (self.weights, self.guess_costs) and Path(text).suffix[1:].isalpha():
            hint = ", and there is no such file"
        if len(parts) > 1 and {*parts} <= {*known}:
            hint = f"; commas separate columns: {','.join(parts):.80}"
        raise GameError(f"{self.name} has no column {text!r:.80}{hint}")

    def list_weights(self, default_weight: Number | None) -> list[Fraction]:
        """Return the weight of each row; raise GameError if one has none or another number."""
        texts = dict(zip(self.names, self.columns[str(self.weights)], strict=True))
        texts = {row: "" if text in self.unknown else text for row, text in texts.items()}
        if default_weight is not None:
            texts = {row: text or str(default_weight) for row, text in texts.items()}
        for row, text in texts.items():
            if not text:
                hint = "; `default_weight` gives it one"
                if fold(row) in _COSTS:
                    hint = f"; if the row has costs: `costs={row!r:.80}`"
                raise GameError(f"{self.name}: {row!r:.80} has no weight{hint}")
        return list(_parse_numbers(texts, self.name, read_weight).values())

    def list_costs(self) -> dict[str, str]:
        """Return the cost of each question as it is written."""
        return dict(zip(self.questions, self._cost_cells or (), strict=True))

    def _name_row(self, row: list[str]) -> str:
        """Return the name of a row, or its number."""
        number = f"row {self.n_rows + len(self._classless) + 1}"
        if self._name_place is None:
            return number
        name = clean(row[self._name_place]) if self._name_place < len(row) else ""
        return name or (number if self._has_roles else "")

    def _read_row(self, line: int, row: list[str], places: list[int]) -> None:
        name = self._name_row(row)
        if not name:
            raise GameError(f"{self.name} {self._unit} {line}: the candidate has no name")
        if name == self.costs and self._cost_cells is None:
            self._cost_cells = [clean(row[place]) for place in places]
            return
        if self._class_place is not None and clean(row[self._class_place]) in self.unknown:
            self._classless.append(f"{self._unit} {line}: {name!r:.80}")
            return
        if name in self.names:
            if not self.counts_rows and not self._has_roles:
                hint = (
                    "" if self.named_by else "; if the first column holds no names: `names='none'`"
                )
                raise GameError(
                    f"{self.name} {self._unit} {line}: {name!r:.80} is already in {self._unit}"
                    f" {self.names[name]}{hint}"
                )
            name = self._number_name(name)
        self.names[name] = line
        self.n_rows += 1
        for place, cells in zip(self._places, self.columns.values(), strict=True):
            cells.append(row[place].strip())
        try:
            # Almost every cell has been seen before, as it is written: no need to clean it. A
            # generator instead of the list would leave half a row behind where one has not.
            self.values.extend(
                [numbers[row[place]] for numbers, place in zip(self.numbers, places, strict=True)]
            )
        except KeyError:
            self._read_new(line, row, places)

    def _read_new(self, line: int, row: list[str], places: list[int]) -> None:
        """Read a row in which a cell, or a way to write it, is new."""
        for numbers, place, question in zip(self.numbers, places, self.questions, strict=True):
            text = clean(row[place])
            if len(numbers) >= MAX_ANSWERS and text not in numbers:
                raise GameError(
                    f"{self.name} {self._unit} {line}: the question {question!r:.80} has more than"
                    f" {MAX_ANSWERS:,} answers"
                )
            self.values.append(numbers.setdefault(text, len(numbers)))

    def _number_name(self, name: str) -> str:
        """Return a name that has occurred, with a number: ``frog (2)``."""
        number = self._n_named.get(name, 1) + 1
        while f"{name} ({number})" in self.names:
            number += 1
        self._n_named[name] = number
        return f"{name} ({number})"


def _note_chosen(table: _Cells) -> Iterator[str]:
    """Yield of which columns not all thresholds are asked."""
    cut = {n: table.questions[at] for at, n in table._n_thresholds.items() if n > table.most}
    if cut:
        yield (
            f"{cut[max(cut)]!r:.80} has {max(cut):,} thresholds; only those of a column are"
            f" asked that part most pairs, at most {table.most:,} (`thresholds_most`), and what"
            " is proved holds for these"
        )


def _note_numbers(table: _Cells) -> Iterator[str]:
    """Yield which columns seem to be measurements, and are asked for each number."""
    if table.compared_by:
        return
    found = {text: {*map(clean, cells)} for text, cells in table.columns.items()}
    found = {text: found[text] for text in table._measured if text in found}
    for place, question in enumerate(table.questions):
        if place not in table._n_thresholds:
            found[question] = {*table.numbers[place]}
    left = {}
    for text, cells in found.items():
        known = cells - table.unknown
        if text in table._measured:
            is_found = len(known) > 1 and text not in (table.weights, table._classes)
        else:
            is_fine = any(re.search(r"\d[.–-]", cell) for cell in known)
            is_found = len(known) >= (3 if is_fine else _MANY_NUMBERS)
            is_found = is_found and all(map(is_measured, known))
            is_found = is_found and not _WEIGHTS.fullmatch(text.strip(_AROUND))
        if is_found:
            left[text] = len(known)
    if left:
        first = next(iter(left))
        more = f", as others: `thresholds={ALL!r:.80}`" * (len(left) > 1)
        listed = f'"{first}"' if "," in first else first  # as a list of columns has it
        more = more or f": `thresholds={listed!r:.80}`"
        yield f'{first!r:.80} has {left[first]:,} numbers{more} asks "{first:.80} < x"'


def _note_header(table: _Cells) -> Iterator[str]:
    """Yield whether the first line is like the others, and what may be wrong with names."""
    alike = [
        question
        for question, numbers in zip(table.questions, table.numbers, strict=True)
        if question in numbers
    ]
    if 2 * len(alike) > len(table.questions):
        yield (
            f"the header's {alike[0]!r:.80} is an answer below it, too; if the first line is a"
            " row of answers: `header=False`"
        )
    if table.n_rows > 9 and table._class_place is not None and table._name_place is None:
        for question, numbers in zip(table.questions, table.numbers, strict=True):
            if sum(label[:1].isalpha() for label in numbers) > 0.9 * table.n_rows:
                yield (
                    f"{question!r:.80} has {len(numbers):,} answers in {table.n_rows:,} rows; if"
                    f" they are names: `names={question!r:.80}`"
                )
    if table._n_named and table.named_by is None and not table._has_roles:
        name, count = max(table._n_named.items(), key=lambda item: item[1])
        yield (
            f"{name!r:.80} is the name of {count:,} rows; if the first column holds no names:"
            " `names='none'`"
        )


def _note_cases(table: _Cells, answers: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield for each question which of its answers differ in case alone."""
    for (question, *_), own in zip(table._asked, answers, strict=True):
        if len(own) == len(set(map(fold, own))):
            continue
        alike: dict[str, list[str]] = {}
        for label in sorted(own):
            alike.setdefault(fold(label), []).append(label)
        for labels in alike.values():
            if len(labels) > 1:
                listed = [f"{label!r:.80}" for label in labels]
                shown = f"{', '.join(listed[:-1])} and {listed[-1]}"
                shown = shown if len(listed) <= 5 else name_few(listed)
                yield (
                    f"the answers {shown} to {question!r:.80} differ in case alone: they count"
                    f" as {len(labels)} answers"
                )


def _note_gaps(table: _Cells, found: NDArray[np.uint16]) -> Iterator[str]:
    """Yield which answers may stand for an unknown one, and how often they occur."""
    counts: dict[str, int] = {}
    for place, numbers in enumerate(table.numbers):
        # Beside a +, a - is an answer.
        for label in numbers.keys() - table.unknown if "+" not in numbers else ():
            if fold(label) in _GAPS and label != table.fits_any:
                cells = found[:, place] == numbers[label]
                counts[label] = counts.get(label, 0) + int(np.count_nonzero(cells))
    if counts:
        labels = sorted(counts)
        known = sorted(table.unknown - {""}, key=lambda text: (text != UNKNOWN, text))
        occur = "occurs" if len(labels) == 1 else "occur"
        mean = "it means" if len(labels) == 1 else "they mean"
        count = sum(counts.values())
        yield (
            f"{' and '.join(map(repr, labels))} {occur}"
            f" {'once' if count == 1 else f'{count:,} times'}: if {mean} unknown,"
            f" `unknown={','.join((*known, *labels))!r:.80}`"
            + "; if any answer fits, `any='-'`"
            * (bool(table._classes) and "-" in counts)
        )


def _note_joins(table: _Cells) -> Iterator[str]:
    """Yield which answers join others of their question, the first for each sign."""
    for sign in _JOINING if table.sets is None and not table._joint else ():
        joined = (
            (label, len(parts))
            for numbers in table.numbers
            for label in numbers
            if sign in label
            and len(parts := {*map(clean, label.split(sign))}) > 1
            and parts <= numbers.keys() - table.unknown
        )
        label, count = next(joined, ("", 0))
        if count:
            how = "two answers: if both are" if count == 2 else f"{count} answers: if each is"
            if table.compared_by:
                how = f"{count} values: if they are"
            are = "a set" if table.compared_by else "possible"
            yield f"{label!r:.80} joins {how} {are}, `sets={sign!r}`"


def _note_traits(table: _Cells) -> Iterator[str]:
    """Yield which questions seem to be answered by lists of traits that hold together."""
    signs = (table.sets,) if table.sets else () if table._joint else _LISTING
    signs = () if table.compared_by else signs
    for question, numbers in zip(table.questions, table.numbers, strict=True):
        labels = [label for label in numbers if label not in table.unknown]
        for sign in signs:
            joined = [label for label in labels if sign in label]
            if len(joined) < 3:
                continue
            split = [[*filter(None, map(clean, label.split(sign)))] for label in joined]
            lists = [parts for parts in split if len(parts) > 1]
            counts = Counter(part for parts in lists for part in {*parts})
            # Most cells have several parts, of which some come again, and most are words.
            if (
                len(lists) > 2
                and 2 * len(lists) > len(labels)
                and max(counts.values()) > 1
                and 2 * sum(map(str.isdecimal, counts)) < len(counts)
            ):
                shown = f"{sign.join(lists[0])!r:.80} to {question!r:.80}"
                alone = f"; if any of them is possible, `sets={sign!r}`"
                yield (
                    f"the answer {shown} is read as {'one of' if table.sets else 'one, not as'}"
                    f" {len(lists[0])}: traits that hold together need a column each, yes or no"
                    f"{'' if table.sets else alone}"
                )
                break


def _note_stakes(table: _Cells) -> Iterator[str]:
    """Yield which columns may be weights, and whether the last row may be costs."""
    for place, (question, numbers) in enumerate(zip(table.questions, table.numbers, strict=True)):
        if place not in table._n_thresholds and _look_like_weights(question, numbers, table.n_rows):
            yield (
                f"the numbers of {question!r:.80} are read as answers; if they are weights:"
                f" `weights={question!r:.80}`"
            )
    last = next(reversed(table.names))
    if table.costs is None and fold(last) in _COSTS:
        yield (f"{last!r:.80} is read as a candidate; if the row has costs: `costs={last!r:.80}`")


class _Ordered(NamedTuple):
    """The answers and sets of a question, and for each of its cells the number of either."""

    labels: tuple[str, ...]
    sets: tuple[tuple[int, ...], ...]
    places: NDArray[np.int64]


def _order_cells(split: Iterable[Sequence[str | None]]) -> _Ordered:
    """Return the answers and sets of a question's cells, in order; None stands for any answer."""
    cells = list(split)
    # A question to which no answer is known has one, so that it tells nothing.
    labels = tuple(sort_answers({label for cell in cells for label in cell if label is not None}))
    labels = labels or (UNKNOWN,)
    number_of = {label: number for number, label in enumerate(labels)}
    full = tuple(range(len(labels)))
    possible = [
        full if None in cell else tuple(sorted({number_of[label] for label in cell if label}))
        for cell in cells
    ]
    sets = tuple(sorted({each for each in possible if len(each) > 1}))
    place_of = {each: len(labels) + place for place, each in enumerate(sets)}
    places = [place_of.get(each, each[0]) for each in possible]
    return _Ordered(labels, sets, np.array(places, dtype=np.int64))


class _Asked(NamedTuple):
    """A question about a column: what it may be answered by each of the column's cells."""

    question: str
    cells: _Ordered
    place: int


def _have_numbers(cells: Sequence[Sequence[str | None]]) -> bool:
    """Return whether a column has several numbers, and not only 0 and 1."""
    parts = {part for cell in cells for part in cell if part is not None}
    return len(parts) > 1 and not parts <= {"0", "1"} and all(map(is_measured, parts))


def _refuse_inseparable(table: AnswerTable, separable: NDArray[np.uint64]) -> None:
    """Raise GameError if nothing tells two candidates apart for certain, unless by their class."""
    classes = np.array(table.classes or table.names)
    for code, row in enumerate(separable):
        is_separable = np.unpackbits(row.astype("<u8").view(np.uint8), bitorder="little")
        left = np.flatnonzero((is_separable[: len(classes)] == 0) & (classes != classes[code]))
        if len(left):
            names = f"{table.names[code]:.80}, {table.names[left[0]]:.80}"
            raise GameError(
                f"no question tells apart for certain: {names}; without `strict=True` they"
                " stay together"
            )


def _note_unknown_rows(table: AnswerTable) -> AnswerTable:
    """Return a table with notes on candidates and questions that are uncertain throughout."""
    if not any(table.sets) or len(table.names) == 1:
        return table
    whole = [
        len(labels) + sets.index(full) if (full := tuple(range(len(labels)))) in sets else -1
        for labels, sets in zip(table.answers, table.sets, strict=True)
    ]
    rows = np.flatnonzero((table.matrix.astype(np.int64) == whole).all(axis=1)).tolist()
    notes = [
        f"{table.names[row]!r:.80} answers nothing for certain: it is possible whatever is answered"
        for row in rows
    ]
    notes += [
        f"any of the {len(labels):,} answers to {question!r:.80} is possible for {count:,}"
        " candidates: a tree that asks it may get very large; `ignore` leaves it out"
        for question, labels, count in zip(
            table.questions, table.answers, (table.matrix == whole).sum(axis=0), strict=True
        )
        if len(labels) > MANY_ANSWERS and count > 1
    ]
    return replace(table, notes=(*table.notes, *notes))


MANY_ANSWERS = 64
"""An uncertain question of more answers is pointed out: each of them has a branch."""


def _look_like_weights(question: str, labels: Collection[str], n_rows: int) -> bool:
    """Whether a question's answers are numbers that probably count how often candidates occur."""
    if not all(_NUMBER.fullmatch(label) for label in labels):
        return False
    if _WEIGHTS.fullmatch(question.strip(_AROUND)):
        return True
    values = [float(label.rstrip(" %").replace(",", ".")) for label in labels]
    is_fine = any(value > 100 or value % 1 for value in values)
    return is_fine and n_rows > 2 and len(values) >= 0.9 * n_rows


_NUMBER = re.compile(r"\d{1,40}([.,]\d{1,40})?(e[+-]?\d{1,2})? ?%?", re.ASCII | re.IGNORECASE)
_WEIGHTS = re.compile(
    r"weights?|counts?|freq|frequenc(y|ies)|usage|shares?|percent(age)?s?|prob|probabilit(y|ies)"
    r"|occurrences?|likelihoods?|population|seen|how often|gewichte?|anzahl|häufigkeit(en)?",
    re.IGNORECASE,
)
_AROUND = " #%?()"
_MANY_NUMBERS = 10
"""A column with this many whole numbers is pointed out; of others three are enough."""
_GAPS = frozenset(("na", "n/a", "#n/a", "nan", "null", "-", "–", "—"))
_LISTING = (";", "|", ",")
"""What stands between the traits of a list."""
_JOINING = ("/", "|", "&", ";", ",", "+", " or ")
"""What may stand between the answers of a cell."""
_COSTS = frozenset(("cost", "costs", "price", "prices"))


def _check_size(
    path: Path | None, head: str, name: str, notice: Callable[[str], object] | None
) -> None:
    """Refuse a file that would not fit memory, and announce one that takes its time."""
    lines = [line for _, line in iter_entries(head)]
    if path is None or len(lines) < 3:
        return
    n_bytes = path.stat().st_size
    n_rows = n_bytes * (len(lines) - 1) // max(len(head.encode()), 1)
    n_questions = max(map(lines[0].count, SEPARATORS))
    needed = n_rows * (n_questions * _CELL_BYTES + _ROW_BYTES)
    size = f"about {n_rows:,} candidates and {n_questions:,} questions"
    if needed > read_available_bytes():
        raise GameError(
            f"{name} has {size}: reading it takes about {needed / 1e9:.1f} GB of memory;"
            f" {read_available_bytes() / 1e9:.1f} GB are free"
        )
    if notice is not None and n_rows * n_questions > _LARGE:
        seconds = n_rows * n_questions / _CELLS_PER_S
        notice(f"{name} has {size}: reading it takes about {seconds:.0f} s")
