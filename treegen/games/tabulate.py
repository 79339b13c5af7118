"""Tables of answers from arrays, dicts and frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .answer_table import AnswerTable, choose_dtype
from .text import clean

UNKNOWN = "?"


def tabulate(
    matrix: Any,
    names: Sequence[str] | None = None,
    questions: Sequence[str] | None = None,
    answers: Sequence[Any] | None = None,
) -> AnswerTable:
    """Return the table of a matrix in one of the forms that `Questions` takes; not yet checked.

    Raises
    ------
    GameError
        The table is empty or ragged, or an answer is missing.

    Examples
    --------
    >>> table = tabulate([{"legs": 6}, {"legs": 8}], names=["ant", "spider"])
    >>> table.questions, table.answers, table.matrix.tolist()
    (('legs',), (('6', '8'),), [[0], [1]])
    """
    if isinstance(matrix, AnswerTable):
        return matrix
    names, questions = _list_texts(names, "names"), _list_texts(questions, "questions")
    rows, names, questions = _list_rows(matrix, names, questions)
    if not rows:
        raise GameError("the table of answers is empty: it has no candidates")
    width = len(rows[0])
    questions = _number("question", width) if questions is None else questions
    names = _number("candidate", len(rows)) if names is None else names
    if len(names) != len(rows):
        raise GameError(f"{len(names):,} names do not fit {len(rows):,} rows of answers")
    for name, row in zip(names, rows, strict=True):
        if len(row) != len(questions):
            raise GameError(
                f"the row of {name!r:.80} has {len(row):,} answers; there are"
                f" {len(questions):,} questions"
            )
    names, questions = [_write(name) for name in names], [_write(text) for text in questions]
    if answers is None:
        labels, numbers = _number_answers(rows, names, questions)
    else:
        labels = _spread_labels(answers, len(questions))
        numbers = _read_numbers(rows, labels, names, questions)
    groups = tuple((row,) for row in range(len(rows)))
    return AnswerTable(tuple(names), tuple(questions), labels, numbers, groups)


def tabulate_function(
    candidates: Iterable[Any], questions: Iterable[Any], answer: Callable[[Any, Any], Any]
) -> AnswerTable:
    """Return the table of a function's answers; see `Questions.from_function`."""
    given, asked = list(candidates), list(questions)
    names, texts = [_write(value) for value in given], [_write(value) for value in asked]
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
            rows.append([_write(answer(candidate, question)) for question in questions])
        except Exception as error:
            raise GameError(
                f"the function raises {type(error).__name__} for {_write(candidate)!r:.80}:"
                f" {error!s:.200}"
            ) from error
    return rows


def _list_texts(texts: Iterable[str] | None, what: str) -> list[str] | None:
    """Return the texts of any iterable; raise GameError for a single one."""
    if isinstance(texts, (str, bytes)):
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
    if rows and isinstance(rows[0], Mapping):
        questions = list(rows[0]) if questions is None else list(questions)
        for place, row in enumerate(rows):
            for text in {*row} ^ {*questions}:
                name = f"row {place + 1}" if names is None else repr(names[place])
                raise GameError(f"{name:.80} and the other rows differ in the question {text!r}")
        return [[row[text] for text in questions] for row in rows], names, questions
    return rows, names, questions


def _number(what: str, count: int) -> list[str]:
    return [f"{what} {number}" for number in range(1, count + 1)]


def _write(value: Any) -> str:
    """Return a cell as text: single spaces, yes and no for truth values, 2 for 2.0."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return clean(str(value))


def _number_answers(
    rows: Sequence[Sequence[Any]], names: Sequence[str], questions: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], NDArray[np.unsignedinteger]]:
    """Return each question's answers in order, and the matrix of their numbers."""
    columns = []
    for place, question in enumerate(questions):
        column = [_write(row[place]) for row in rows]
        for name, text in zip(names, column, strict=True):
            if text in ("", UNKNOWN):
                refuse_gap(text, name, question)
        columns.append(column)
    labels = tuple(tuple(sort_answers(set(column))) for column in columns)
    matrix = np.zeros((len(rows), len(columns)), dtype=choose_dtype(labels))
    for place, (column, ordered) in enumerate(zip(columns, labels, strict=True)):
        number_of = {label: number for number, label in enumerate(ordered[: 2**16])}
        matrix[:, place] = [number_of.get(text, 0) for text in column]
    return labels, matrix


def refuse_gap(text: str, name: str, question: str, where: str = "") -> NoReturn:
    """Raise GameError for a cell that is empty or unknown."""
    if text == UNKNOWN:
        raise GameError(
            f"{where}{name!r:.80} has {UNKNOWN!r} for {question!r:.80}: sets of answers (an unknown"
            " answer) are not supported yet"
        )
    raise GameError(f"{where}{name!r:.80} has no answer to {question!r:.80}")


def sort_answers(labels: set[str]) -> list[str]:
    """Return answers in order: numbers by value, otherwise texts.

    Examples
    --------
    >>> sort_answers({"10", "9"}), sort_answers({"yes", "no"})
    (['9', '10'], ['no', 'yes'])
    """
    try:
        values = {label: Decimal(label) for label in labels}
    except InvalidOperation:
        return sorted(labels)
    if not all(value.is_finite() for value in values.values()):
        return sorted(labels)
    return sorted(labels, key=lambda label: (values[label], label))


def _spread_labels(answers: Sequence[Any], n_questions: int) -> tuple[tuple[str, ...], ...]:
    """Return labels for each question; one list of texts serves all."""
    if all(isinstance(label, str) for label in answers):
        return (tuple(map(_write, answers)),) * n_questions
    if len(answers) != n_questions:
        raise GameError(f"{len(answers):,} lists of answers do not fit {n_questions:,} questions")
    return tuple(tuple(map(_write, labels)) for labels in answers)


def _read_numbers(
    rows: Sequence[Sequence[Any]],
    labels: tuple[tuple[str, ...], ...],
    names: Sequence[str],
    questions: Sequence[str],
) -> NDArray[np.unsignedinteger]:
    """Return a matrix that holds numbers of labels already; raise GameError for others."""
    for name, row in zip(names, rows, strict=True):
        for question, value, known in zip(questions, row, labels, strict=True):
            if type(value) not in (int, bool) or not 0 <= value < len(known):
                raise GameError(
                    f"{name!r:.80} has the answer {value!r:.80} to {question!r:.80}: with labels"
                    f" given, answers are numbers 0 to {len(known) - 1}"
                )
    return np.array(rows, dtype=choose_dtype(labels)).reshape(len(rows), len(labels))
