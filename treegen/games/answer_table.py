"""A table of answers: candidates, questions, and what each candidate answers to each question."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .text import is_written

MAX_ANSWERS = 65_535
"""A response has 16 bits, and one of them is kept for a right guess."""

GROUP_MARK = " | "
"""Between the names of candidates that no question tells apart."""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A table of answers.

    Attributes
    ----------
    names
        The candidates.
    questions
        The questions.
    answers
        For each question its answers, in the order of their numbers.
    matrix : uint8 or uint16[n_candidates, n_questions]
        The number of each candidate's answer to each question.
    rows
        For each candidate the rows of the source that it stands for: several if no question tells
        them apart.
    notes
        What of the source may be meant otherwise, and what was changed since it was read, each in a
        sentence.
    dropped
        Questions of the source to which every candidate gave the same answer.
    """

    names: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    matrix: NDArray[np.unsignedinteger]
    rows: tuple[tuple[int, ...], ...] = ()
    notes: tuple[str, ...] = field(default=())
    dropped: tuple[str, ...] = ()

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
        counts = np.array([len(labels) for labels in self.answers], dtype=np.int64)
        if self.matrix.shape != (len(self.names), len(counts)) or np.any(self.matrix >= counts):
            raise GameError("the table's numbers do not fit its candidates, questions and answers")

    def reduce(self, *, strict: bool = False) -> AnswerTable:
        """Return the table without questions that all answer alike, equal rows as one candidate.

        Parameters
        ----------
        strict
            Whether equal rows are refused.

        Raises
        ------
        GameError
            Rows are equal, and that is refused; the message names the first.

        Examples
        --------
        >>> table = AnswerTable(
        ...     ("ant", "bee", "wasp"), ("legs", "stings"), (("6",), ("no", "yes")),
        ...     np.array([[0, 0], [0, 1], [0, 1]], dtype=np.uint8),
        ... )
        >>> table.reduce().names, table.reduce().questions
        (('ant', 'bee | wasp'), ('stings',))
        """
        is_useful = (self.matrix != self.matrix[0]).any(axis=0)
        notes = [
            f"question {self.questions[place]!r:.80} dropped: every candidate answers"
            f" {self.answers[place][self.matrix[0, place]]!r:.80}"
            for place in np.flatnonzero(~is_useful).tolist()
        ]
        kept = np.flatnonzero(is_useful).tolist()
        groups = _group_rows(self.matrix[:, kept])
        notes += [
            f"no question tells apart: {', '.join(self.names[row] for row in group)}"
            for group in groups
            if len(group) > 1
        ]
        if strict and len(groups) < len(self.names):
            problem = next(note for note in notes if note.startswith("no question"))
            raise GameError(f"{problem}; without --strict they are one group")
        return AnswerTable(
            tuple(GROUP_MARK.join(self.names[row] for row in group) for group in groups),
            tuple(self.questions[place] for place in kept),
            tuple(self.answers[place] for place in kept),
            np.ascontiguousarray(self.matrix[:, kept][[group[0] for group in groups]]),
            tuple(groups),
            (*self.notes, *notes),
            tuple(self.questions[place] for place in np.flatnonzero(~is_useful).tolist()),
        )

    def write(self) -> list[int | str]:
        """Return the table as numbers and texts, the matrix as packed bits in base64.

        Each answer takes as few bits as its question's answers need, question by question.
        """
        labels = ["\t".join(labels) for labels in self.answers]
        return [
            len(self.names),
            len(self.questions),
            "\n".join(self.names),
            "\n".join(self.questions),
            labels[0] if len(set(labels)) == 1 else "\n".join(labels),
            b64encode(self._pack()).decode(),
        ]

    def _pack(self) -> bytes:
        columns = [
            np.unpackbits(column.astype(">u2")[:, None].view(np.uint8), axis=1)[:, 16 - width :]
            for column, width in zip(self.matrix.T, _list_widths(self.answers), strict=True)
        ]
        bits = [column.reshape(-1) for column in columns]
        return np.packbits(np.concatenate(bits)).tobytes() if bits else b""


def parse_table(parameters: Sequence[int | str]) -> AnswerTable:
    """Return the table that `AnswerTable.write` wrote; raise GameError if it is malformed."""
    match parameters:
        case [int(n_names), int(n_questions), str(names), str(questions), str(labels), str(matrix)]:
            answers = [tuple(line.split("\t")) for line in labels.split("\n")]
            if n_questions == 0:
                answers = []
            elif len(answers) == 1:
                answers *= n_questions
            table = AnswerTable(
                tuple(names.split("\n")),
                tuple(questions.split("\n")) if questions else (),
                tuple(answers),
                _unpack(matrix, n_names, answers),
                tuple((row,) for row in range(n_names)),
            )
            if len({n_questions, len(table.questions), len(answers)}) != 1:
                raise GameError(f"the table of answers has not {n_questions} questions")
            table.check()
            if len(_group_rows(table.matrix)) != n_names:
                raise GameError("the table of answers has two candidates with the same answers")
            return table
    raise GameError(
        "a table of answers is described by two counts, names, questions, answers, matrix"
    )


def _unpack(
    text: str, n_names: int, answers: Sequence[Sequence[str]]
) -> NDArray[np.unsignedinteger]:
    """Return the matrix of packed bits."""
    widths = _list_widths(answers)
    try:
        data = np.frombuffer(b64decode(text, validate=True), dtype=np.uint8)
    except (Base64Error, ValueError):
        raise GameError("the answers of a table are not base64") from None
    if n_names < 1 or len(data) != -(-n_names * sum(widths) // 8):
        raise GameError(f"{len(data)} bytes are not the answers of {n_names} candidates")
    bits, place = np.unpackbits(data), 0
    if bits[n_names * sum(widths) :].any():
        raise GameError("the answers of a table have bits set behind their end")
    matrix = np.zeros((n_names, len(widths)), dtype=choose_dtype(answers))
    for column, width in enumerate(widths):
        fields = bits[place : place + n_names * width].reshape(n_names, width)
        matrix[:, column] = fields @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))
        place += n_names * width
    return matrix


def choose_dtype(answers: Sequence[Sequence[str]]) -> type[np.unsignedinteger]:
    """Return the smallest type that holds every question's answers."""
    return np.uint8 if max(map(len, answers), default=1) <= 256 else np.uint16


def _list_widths(answers: Sequence[Sequence[str]]) -> list[int]:
    return [(len(labels) - 1).bit_length() for labels in answers]


def _group_rows(matrix: NDArray[np.unsignedinteger]) -> list[tuple[int, ...]]:
    """Return the rows that are equal, in the order of the first of each group."""
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
