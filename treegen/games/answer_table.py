"""Tables of answers: made of matrices and functions, checked, reduced, written and read."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from types import NoneType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .division import AnswerSets
from .rules import GROUP_MARK, smallest_type
from .text import clean, is_written, name_few

MAX_ANSWERS = 65_535
"""A response has 16 bits, and one of them is kept for a right guess."""

FEW_GROUPS = 5
"""The most groups that are named; more are counted."""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A table of answers.

    A cell is the number of an answer, or that of a set of answers, of which any may be given: the
    sets of a question are numbered after its answers. `rows` has for each candidate the rows of the
    source that it stands for: several if no question tells them apart.
    """

    names: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]  # of each question, in the order of their numbers
    matrix: NDArray[np.unsignedinteger]  # what each candidate answers to each question
    rows: tuple[tuple[int, ...], ...] = ()
    notes: tuple[str, ...] = ()  # sentences on what may be meant otherwise, on what was changed
    dropped: tuple[str, ...] = ()  # questions that all candidates of the source answer alike
    # Of each question the sets of two answers or more that occur, each ascending; empty: none.
    sets: tuple[tuple[tuple[int, ...], ...], ...] = ()
    classes: tuple[str, ...] = ()  # of each candidate, where a class is to be found; else none

    @property
    def is_plain(self) -> bool:
        """Whether every answer is certain, and a candidate is to be found."""
        return not self.classes and not any(self.sets)

    def count_numbers(self) -> list[int]:
        """Return for each question how many answers and sets it has."""
        sets = self.sets or ((),) * len(self.answers)
        return [len(labels) + len(own) for labels, own in zip(self.answers, sets, strict=True)]

    def list_possible(self, question: int, number: int) -> tuple[int, ...]:
        """Return the answers for which a cell's number stands."""
        n_answers = len(self.answers[question])
        return (number,) if number < n_answers else self.sets[question][number - n_answers]

    def compile_sets(self) -> AnswerSets:
        """Return the possible answers of each candidate, as arrays."""
        counts = self.count_numbers()
        listed = [
            self.list_possible(question, number)
            for question, count in enumerate(counts)
            for number in range(count)
        ]
        first = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))[:-1]
        sizes = np.array([len(each) for each in listed], dtype=np.int64)
        return AnswerSets(
            (self.matrix.T + first[:, None]).astype(np.int32),
            np.concatenate(([0], np.cumsum(sizes))),
            np.array([answer for each in listed for answer in each], dtype=np.int64),
            np.array([len(labels) for labels in self.answers], dtype=np.int64),
        )

    def check(self) -> None:
        """Raise GameError unless names are different and every answer has a label."""
        if not self.names:
            raise GameError("a table of answers needs at least one candidate")
        _check_texts("candidate", self.names)
        _check_texts("question", self.questions)
        for question, labels in zip(self.questions, self.answers, strict=True):
            if len(labels) > MAX_ANSWERS:
                raise GameError(
                    f"the question {question!r:.80} has {len(labels):,} answers; at most"
                    f" {MAX_ANSWERS:,} fit"
                )
            _check_texts(f"answer to {question!r:.80}", labels)
        self._check_sets()
        counts = np.array(self.count_numbers(), dtype=np.int64)
        if self.matrix.shape != (len(self.names), len(counts)) or np.any(self.matrix >= counts):
            raise GameError("the table's numbers do not fit its candidates, questions and answers")

    def _check_sets(self) -> None:
        """Raise GameError unless sets are ascending and different, and every class has a name."""
        if self.sets and len(self.sets) != len(self.questions):
            raise GameError("the table's sets of answers are not those of its questions")
        for question, labels, sets in zip(self.questions, self.answers, self.sets, strict=False):
            are_ascending = all(
                len(own) > 1
                and own[0] >= 0
                and own[-1] < len(labels)
                and all(one < other for one, other in pairwise(own))
                for own in sets
            )
            if not are_ascending or len(set(sets)) != len(sets):
                raise GameError(f"the sets of answers to {question!r:.80} are malformed")
            if len(labels) + len(sets) > MAX_ANSWERS:
                raise GameError(
                    f"the question {question!r:.80} has {len(sets):,} sets of answers; at most"
                    f" {MAX_ANSWERS:,} fit"
                )
        if self.classes and len(self.classes) != len(self.names):
            raise GameError(
                f"{len(self.classes):,} classes do not fit {len(self.names):,} candidates"
            )
        _check_texts("class", tuple(set(self.classes)))

    def reduce(
        self, *, strict: bool = False, counts_rows: bool = False, weighs: bool = False
    ) -> AnswerTable:
        """Return the table without questions that all answer alike, equal rows as one candidate.

        With `strict`, equal rows are a GameError that names the first; with classes, those whose
        classes differ. With `counts_rows` they are what was expected, and their number alone is
        noted; `weighs`: they have weights.
        """
        is_useful = (self.matrix != self.matrix[0]).any(axis=0)
        kept, dropped = (np.flatnonzero(of).tolist() for of in (is_useful, ~is_useful))
        notes = [
            f"question {self.questions[place]!r:.80} dropped: every candidate answers"
            f" {self._write_cell(place, self.matrix[0, place])!r:.80}"
            for place in dropped
        ]
        groups = _group_rows(self.matrix[:, kept])
        alike = [group for group in groups if len(group) > 1]
        mixed = (
            [group for group in alike if len({*map(self.classes.__getitem__, group)}) > 1]
            if self.classes
            else alike
        )
        faults = [f"no question tells apart: {self._write_rows(group)}" for group in mixed]
        if strict and faults:
            raise GameError(f"{faults[0]}; without `strict=True` they are one group")
        summed = ", with the sum of their weights" * weighs
        if counts_rows:
            which = summed or ", which counts by their number"
            notes += [
                f"{len(self.names):,} rows, {len(groups):,} of them different: equal ones are one"
                f" candidate{which}"
            ] * bool(alike)
        if faults and self.classes:
            are = "is" if len(faults) == 1 else "are"
            notes.append(
                f"{len(faults):,} of {len(groups):,} candidates {are} of several classes:"
                f" {faults[0]}"
            )
        elif not counts_rows and len(faults) <= FEW_GROUPS:
            notes += [f"{each}; they count as one candidate{summed}" for each in faults]
        elif not counts_rows:
            first = "; ".join(self._write_rows(group) for group in alike[:FEW_GROUPS])
            notes.append(
                f"{sum(map(len, alike)):,} candidates are in {len(alike):,} groups that no question"
                f" splits: {first}; and {len(alike) - FEW_GROUPS:,} more; each counts as one"
                f" candidate{summed}"
            )
        return AnswerTable(
            tuple(GROUP_MARK.join(self.names[row] for row in group) for group in groups),
            tuple(self.questions[place] for place in kept),
            tuple(self.answers[place] for place in kept),
            np.ascontiguousarray(self.matrix[:, kept][[group[0] for group in groups]]),
            tuple(groups),
            (*self.notes, *notes),
            tuple(self.questions[place] for place in dropped),
            tuple(self.sets[place] for place in kept) if self.sets else (),
            tuple(
                GROUP_MARK.join(sorted({self.classes[row] for row in group}))
                for group in (groups if self.classes else ())
            ),
        )

    def _write_rows(self, rows: Sequence[int]) -> str:
        """Return names of candidates, with their classes where there are such."""
        if not self.classes:
            return name_few([self.names[row] for row in rows])
        return name_few([f"{self.names[row]:.60} ({self.classes[row]:.60})" for row in rows])

    def _write_cell(self, question: int, number: int) -> str:
        labels = self.answers[question]
        return " or ".join(labels[answer] for answer in self.list_possible(question, int(number)))

    def write(self) -> list[int | str]:
        """Return the table as numbers and texts, the matrix as packed bits in base64.

        Each answer takes as few bits as its question's answers need, question by question. Sets of
        answers and classes follow where there are any of the two.
        """
        sets = ["\t".join(",".join(map(str, each)) for each in own) for own in self.sets]
        more = ["\n".join(sets) if any(self.sets) else "", "\n".join(self.classes)]
        labels = ["\t".join(labels) for labels in self.answers]
        return [
            len(self.names),
            len(self.questions),
            "\n".join(self.names),
            "\n".join(self.questions),
            labels[0] if len(set(labels)) == 1 else "\n".join(labels),
            b64encode(self._pack()).decode(),
            *(() if self.is_plain else more),
        ]

    def _pack(self) -> bytes:
        # Big-endian, so that the last bits of the sixteen are the number's.
        columns = [
            np.unpackbits(column.astype(">u2")[:, None].view(np.uint8), axis=1)[:, 16 - width :]
            for column, width in zip(self.matrix.T, _list_widths(self.count_numbers()), strict=True)
        ]
        bits = [column.reshape(-1) for column in columns]
        return np.packbits(np.concatenate(bits)).tobytes() if bits else b""


def parse_table(
    parameters: Sequence[int | str],
    sets: tuple[tuple[tuple[int, ...], ...], ...] = (),
    classes: tuple[str, ...] = (),
    *,
    may_repeat: bool = False,
) -> AnswerTable:
    """Return the table that `AnswerTable.write` wrote; raise GameError if it is malformed.

    Sets of answers and classes are written beside it. `may_repeat`: two candidates may have the
    same answers.
    """
    match parameters:
        case [int(n_names), int(n_questions), str(names), str(questions), str(labels), str(matrix)]:
            answers = [tuple(line.split("\t")) for line in labels.split("\n")]
            if n_questions == 0:  # the empty text splits into one line
                answers = []
            elif len(answers) == 1:
                answers *= n_questions
            listed = tuple(questions.split("\n")) if questions else ()
            if len({n_questions, len(listed), len(answers), len(sets or answers)}) != 1:
                raise GameError(f"the table of answers does not have {n_questions} questions")
            n_sets = [len(own) for own in sets] or [0] * n_questions
            counts = [len(labels) + own for labels, own in zip(answers, n_sets, strict=True)]
            table = AnswerTable(
                tuple(names.split("\n")),
                listed,
                tuple(answers),
                _unpack(matrix, n_names, counts),
                tuple((row,) for row in range(n_names)),
                sets=sets,
                classes=classes,
            )
            table.check()
            if not may_repeat and len(_group_rows(table.matrix)) != n_names:
                raise GameError("the table of answers has two candidates with the same answers")
            return table
    raise GameError(
        "a table of answers is described by two counts, names, questions, answers, matrix"
    )


def _unpack(text: str, n_names: int, counts: Sequence[int]) -> NDArray[np.unsignedinteger]:
    """Return the matrix of packed bits; raise GameError unless their number fits.

    `counts` has for each question how many numbers a cell may have.
    """
    widths = _list_widths(counts)
    try:
        data = np.frombuffer(b64decode(text, validate=True), dtype=np.uint8)
    except (Base64Error, ValueError):
        raise GameError("the answers of a table are not base64") from None
    if n_names < 1 or len(data) != -(-n_names * sum(widths) // 8):
        raise GameError(f"{len(data)} bytes are not the answers of {n_names} candidates")
    bits, place = np.unpackbits(data), 0
    if bits[n_names * sum(widths) :].any():  # one game has one description
        raise GameError("the answers of a table have bits set after their end")
    matrix = np.zeros((n_names, len(widths)), dtype=smallest_type(max(counts, default=1)))
    for column, width in enumerate(widths):
        fields = bits[place : place + n_names * width].reshape(n_names, width)
        matrix[:, column] = fields @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))
        place += n_names * width
    return matrix


def choose_dtype(answers: Sequence[Sequence[str]]) -> type[np.unsignedinteger]:
    """Return the smallest type that holds every question's answers."""
    return smallest_type(max(map(len, answers), default=1))


def _list_widths(counts: Sequence[int]) -> list[int]:
    return [(count - 1).bit_length() for count in counts]  # none for a single answer


def _group_rows(matrix: NDArray[np.unsignedinteger]) -> list[tuple[int, ...]]:
    """Return the groups of equal rows, in the order of their first rows."""
    groups: dict[bytes, list[int]] = {}
    for row, values in enumerate(np.ascontiguousarray(matrix)):
        groups.setdefault(values.tobytes(), []).append(row)
    return [tuple(group) for group in groups.values()]


def _check_texts(what: str, texts: Sequence[str]) -> None:
    seen: set[str] = set()
    for text in texts:
        if not text or not (text.isprintable() or is_written(text)) or text != text.strip():
            raise GameError(f"the {what} {text!r:.80} is empty or holds a control character")
        if text in seen:
            raise GameError(f"the {what} {text!r:.80} occurs twice")
        seen.add(text)


UNKNOWN = "?"

_READER = "treegen.open_game reads tables, also frames and lists of dicts,"


def tabulate(
    matrix: Any,
    names: Sequence[str] | None = None,
    questions: Sequence[str] | None = None,
    answers: Sequence[Any] | None = None,
) -> AnswerTable:
    """Return the table of a matrix in one of the forms that `Questions` takes; not yet checked.

    GameError if it is empty or ragged, or an answer is missing.

    >>> table = tabulate([{"legs": 6}, {"legs": 8}], names=["ant", "spider"])
    >>> table.questions, table.answers, table.matrix.tolist()
    (('legs',), (('6', '8'),), [[0], [1]])
    """
    if isinstance(matrix, AnswerTable):
        return matrix
    names, questions = _list_texts(names, "names"), _list_texts(questions, "questions")
    answers = _list_texts(answers, "answers")
    rows, names, questions = _list_rows(matrix, names, questions)
    if not rows:
        raise GameError("the table of answers is empty: it has no candidates")
    width = len(rows[0])
    questions = _number("question", width) if questions is None else questions
    names = _number("candidate", len(rows)) if names is None else names
    if len(names) != len(rows):
        raise GameError(
            f"there are {len(names):,} names, but {len(rows):,} rows of answers: each has a name"
        )
    for name, row in zip(names, rows, strict=True):
        if len(row) != len(questions):
            raise GameError(
                f"the row of {name!r:.80} has {len(row):,} of {len(questions):,} answers:"
                " one to each question is needed"
            )
    names, questions = (
        [write_cell(name) for name in names],
        [write_cell(text) for text in questions],
    )
    if answers is None:
        labels, numbers = _number_answers(rows, names, questions)
    else:
        if all(isinstance(label, str) for label in answers):  # the same for all questions
            answers = [answers] * len(questions)
        elif len(answers) != len(questions):
            raise GameError(
                f"{len(answers):,} lists of answers do not fit {len(questions):,} questions"
            )
        labels = tuple(tuple(map(write_cell, each)) for each in answers)
        numbers = _read_numbers(rows, labels, names, questions)
    return AnswerTable(tuple(names), tuple(questions), labels, numbers)


def tabulate_function(
    candidates: Iterable[Any], questions: Iterable[Any], answer: Callable[[Any, Any], Any]
) -> AnswerTable:
    """Return the table of a function's answers; see `Questions.from_function`."""
    given, asked = list(candidates), list(questions)
    names, texts = [write_cell(value) for value in given], [write_cell(value) for value in asked]
    passes = [_ask_all(answer, given, asked) for _ in range(2)]
    for name, first, second in zip(names, *passes, strict=True):
        for text, one, other in zip(texts, first, second, strict=True):
            if one != other:
                raise GameError(
                    f"the answer of {name!r:.60} to {text!r:.60} is {one!r:.60}, then"
                    f" {other!r:.60}: it has to depend on candidate and question alone"
                )
    return tabulate(passes[0], names, texts)


def _ask_all(
    answer: Callable[[Any, Any], Any], candidates: Sequence[Any], questions: Sequence[Any]
) -> list[list[str]]:
    """Return a function's answers as texts; raise GameError if it raises."""
    rows = []
    for candidate in candidates:
        try:
            rows.append([write_cell(answer(candidate, question)) for question in questions])
        except Exception as error:
            raise GameError(
                f"the function raises {type(error).__name__} for {write_cell(candidate)!r:.80}:"
                f" {error!s:.200}"
            ) from error
    return rows


def _list_texts(texts: Iterable[str] | None, what: str) -> list[str] | None:
    """Return the texts of any iterable; raise GameError for a single one."""
    if isinstance(texts, (str, bytes)) or not isinstance(texts, (Iterable, NoneType)):
        raise GameError(f"{what} are a list of texts, not {texts!r:.60}")
    return None if texts is None else list(texts)


def _list_rows(
    matrix: Any, names: Sequence[str] | None, questions: Sequence[str] | None
) -> tuple[Sequence[Sequence[Any]], Sequence[str] | None, Sequence[str] | None]:
    """Return rows of answers, and names and questions where the matrix has them."""
    if hasattr(matrix, "columns") and hasattr(matrix, "index"):  # a pandas frame
        named = [str(name) for name in matrix.index] if names is None else names
        asked = [str(text) for text in matrix.columns] if questions is None else questions
        return matrix.to_numpy().tolist(), named, asked
    if hasattr(matrix, "ndim"):
        if matrix.ndim != 2:
            raise GameError(f"a matrix of answers has 2 dimensions, not {matrix.ndim}")
        return matrix.tolist(), names, questions
    rows = list(matrix)
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, Iterable):
            raise GameError(f"row {place:,} is a list of answers, not {row!r:.60}")
    if rows and isinstance(rows[0], Mapping):
        questions = list(rows[0]) if questions is None else list(questions)
        for place, row in enumerate(rows):
            for text in {*row} ^ {*questions}:
                name = f"row {place + 1}" if names is None else repr(names[place])
                raise GameError(
                    f"{name:.80} and the other rows differ in the question {text!r:.80}"
                )
        return [[row[text] for text in questions] for row in rows], names, questions
    return rows, names, questions


def _number(what: str, count: int) -> list[str]:
    return [f"{what} {number}" for number in range(1, count + 1)]


def write_cell(value: Any) -> str:
    """Return a cell as text: single spaces, yes and no for truth values, 2 for 2.0."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if type(value).__name__ in ("NAType", "NaTType"):  # of pandas, which are not equal to anything
        return ""
    # A frame whose columns hold whole and other numbers gives floats alone.
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return clean(str(value))


def _number_answers(
    rows: Sequence[Sequence[Any]], names: Sequence[str], questions: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], NDArray[np.unsignedinteger]]:
    """Return each question's answers in order, and the matrix of their numbers."""
    columns = []
    for place, question in enumerate(questions):
        held = next((row[place] for row in rows if isinstance(row[place], Set)), None)
        if held is not None:
            raise GameError(f"{held!r:.80} is a set of answers: {_READER} with such cells")
        column = [write_cell(row[place]) for row in rows]
        for name, text in zip(names, column, strict=True):
            if text in ("", UNKNOWN):
                _refuse_gap(text, name, question)
        columns.append(column)
    labels = tuple(tuple(sort_answers(set(column))) for column in columns)
    matrix = np.zeros((len(rows), len(columns)), dtype=choose_dtype(labels))
    for place, (column, ordered) in enumerate(zip(columns, labels, strict=True)):
        # More answers than fit are refused by `check`, which names the question.
        number_of = {label: number for number, label in enumerate(ordered[: 2**16])}
        matrix[:, place] = [number_of.get(text, 0) for text in column]
    return labels, matrix


def _refuse_gap(text: str, name: str, question: str) -> NoReturn:
    """Raise GameError for a cell that is empty or unknown."""
    lacks = f"has {text!r:.80} for" if text else "has no answer to"
    raise GameError(f"{name!r:.80} {lacks} {question!r:.80}: {_READER} with unknown answers")


def sort_answers(labels: set[str]) -> list[str]:
    """Return answers in order: numbers by value, otherwise texts."""
    try:
        values = {label: Decimal(label) for label in labels}
    except InvalidOperation:
        return sorted(labels)
    if not all(value.is_finite() for value in values.values()):  # nan and inf are decimals, too
        return sorted(labels)
    return sorted(labels, key=lambda label: (values[label], label))


def _read_numbers(
    rows: Sequence[Sequence[Any]],
    labels: tuple[tuple[str, ...], ...],
    names: Sequence[str],
    questions: Sequence[str],
) -> NDArray[np.unsignedinteger]:
    """Return a matrix that already holds numbers of labels; raise GameError for others."""
    for name, row in zip(names, rows, strict=True):
        for question, value, known in zip(questions, row, labels, strict=True):
            if type(value) not in (int, bool) or not 0 <= value < len(known):
                raise GameError(
                    f"{name!r:.80} has the answer {value!r:.80} to {question!r:.80}: with labels"
                    f" given, answers are numbers 0 to {len(known) - 1}"
                )
    return np.array(rows, dtype=choose_dtype(labels)).reshape(len(rows), len(labels))
