"""Games that compare: a guess is a candidate, and the answer says how the secret compares with it.

A *matrix* is a square table of the answers themselves. *Traits* are columns that a guess shares
with the secret or not: the answer has a letter for each.

========  ======================================================================
E         equal
D         different
H, L      the secret has a higher, a lower number, in a column of numbers alone
P         partly the same: both have sets of values, which share some
========  ======================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .answer_table import UNKNOWN, AnswerTable, sort_answers
from .base import Game
from .feedback import COMPARISONS
from .notation import Notation
from .questions import RIGHT, QuestionNotation, TableRules, parse_possible, quote
from .rules import Description, smallest_type
from .text import Names, check_label, clean, fold, name_few

MOST_CANDIDATES = 5_000
"""All pairs of them are compared when a game is opened."""

MOST_RESPONSES = 2**16
"""A response has 16 bits."""

LETTERS = "DLHPE"
"""How a trait compares, by the numbers of the marks: responses are ordered by them."""

DIFFERENT, LOWER, HIGHER, PARTLY, EQUAL = range(len(LETTERS))

_SIGNS = str.maketrans(
    dict.fromkeys("x✗❌🟥⬛⬜", "D")
    | dict.fromkeys("<-↓⬇🔽", "L")
    | dict.fromkeys(">+↑⬆🔼", "H")
    | dict.fromkeys("~🟨🟧", "P")
    | dict.fromkeys("=✓✅🟩", "E")
    | dict.fromkeys(" ,\ufe0e\ufe0f", "")
)
"""Other ways to type a letter."""


@dataclass(frozen=True, eq=False, slots=True)
class ComparedFeedback:
    """The feedback rule of games that compare: all responses are in a matrix."""

    name: str  # ``traits`` or ``matrix``
    matrix: NDArray[np.unsignedinteger]  # [guess, secret]: the response
    labels: tuple[str, ...]  # of all responses but the last, which wins
    n_pegs: int = 1

    @property
    def how(self) -> str:
        """Return instructions for answering, for people."""
        if self.name == "matrix":
            return "in the words of its table"
        return "by a letter for each trait: E equal, D different, H higher, L lower, P partly"

    @property
    def n_responses(self) -> int:
        """Return the number of responses; the last one wins."""
        return len(self.labels) + 1

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Return the response to one guess."""
        return int(self.matrix[guess[0], secret[0]])

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to many guesses; rows are broadcast against each other."""
        found: NDArray[np.int64] = self.matrix[guesses[..., 0], secrets[..., 0]].astype(np.int64)
        return found

    def format(self, response: int) -> str:
        """Return a response's label, ``right`` for the last."""
        return (*self.labels, RIGHT)[response]

    def parse(self, text: str) -> int:
        """Return the response of a label, in any case, or of other signs for its letters."""
        known = Names((*self.labels, RIGHT))
        place = known.find(text)
        if place is None and self.name == "traits":
            letters = clean(text).translate(_SIGNS).upper()
            place = known.find(letters)
            # Where no two candidates are alike, being equal is being right.
            if place is None and letters == LETTERS[EQUAL] * len(self.labels[0]):
                place = len(self.labels)
        if place is None:
            raise GameError(
                f"{text!r:.80} is not an answer; there are {name_few([*self.labels, RIGHT])}"
            )
        return place


def compare_traits(table: AnswerTable) -> ComparedFeedback:
    """Return the comparison of all candidates of a table by its columns.

    Only the answers that occur are numbered, in the order of `LETTERS`, the first column most
    significant. GameError if there are too many.
    """
    n = len(table.names)
    columns = [_mark_cells(table, column) for column in range(len(table.questions))]
    codes = np.zeros((n, n), dtype=np.int64)
    for place, (marks, numbers) in enumerate(columns, start=1):
        codes = len(LETTERS) * codes + marks[numbers[:, None], numbers]
        if place % 16 == 0:  # letters of 38 bits; those of 25 million pairs before them have 25
            codes = np.unique(codes, return_inverse=True)[1].reshape(n, n)
    is_other = ~np.eye(n, dtype=bool)
    _, first, codes[is_other] = np.unique(codes[is_other], return_index=True, return_inverse=True)
    pairs = np.argwhere(is_other)[first]
    letters = [
        np.array([*LETTERS])[marks[numbers[pairs[:, 0]], numbers[pairs[:, 1]]]]
        for marks, numbers in columns
    ]
    labels = tuple("".join(own) for own in zip(*letters, strict=True))
    return _fill("traits", codes, labels)


def _mark_cells(table: AnswerTable, column: int) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return marks of a column's different cells, [guess, secret], and the cell of each row.

    Cells are sets of labels, most of one; cells of numbers alone are ordered, but for unknown ones.
    """
    cells, numbers = np.unique(table.matrix[:, column], return_inverse=True)
    sets = [list(table.list_possible(column, number)) for number in cells.tolist()]
    held = np.zeros((len(cells), len(table.answers[column])), dtype=np.float32)
    for own, places in zip(held, sets, strict=True):
        own[places] = 1
    marks = np.where(held @ held.T > 0, PARTLY, DIFFERENT).astype(np.uint8)
    np.fill_diagonal(marks, EQUAL)
    texts = [table.answers[column][places[0]] for places in sets]
    known = [at for at, text in enumerate(texts) if text != UNKNOWN]
    values = [_read_value(texts[at]) for at in known]
    if max(map(len, sets)) == 1 and None not in values:
        ranks = np.unique(np.array(values), return_inverse=True)[1]
        signs = np.sign(ranks[None, :] - ranks[:, None])
        marks[np.ix_(known, known)] = np.choose(signs + 1, (LOWER, EQUAL, HIGHER))
    return marks, numbers


def _read_value(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def compare_rows(table: AnswerTable) -> ComparedFeedback:
    """Return the answers of a square table, which has its columns in the order of its rows.

    GameError, with row and column, unless each answer on the diagonal stands nowhere else in its
    row and its column.
    """
    texts = {text: number for number, text in enumerate({t for own in table.answers for t in own})}
    known = [np.array([texts[text] for text in own]) for own in table.answers]
    found = np.array([own[numbers] for own, numbers in zip(known, table.matrix.T, strict=True)])
    wins, is_other = np.diag(found), ~np.eye(len(found), dtype=bool)  # found: [guess, secret]
    for own, line in ((wins[None, :], "row"), (wins[:, None], "column")):
        for guess, secret in np.argwhere((found == own) & is_other)[:1].tolist():
            raise GameError(
                f"row {table.names[secret]!r:.80}, column {table.names[guess]!r:.80}: the answer"
                f" {table.answers[guess][table.matrix[secret, guess]]!r:.60} is on the diagonal of"
                f" this {line}, where it means that the guess is right: it may be nowhere else"
            )
    others = {text: number for text, number in texts.items() if (found == number)[is_other].any()}
    labels = tuple(sort_answers({*others}))
    for text in labels:
        if fold(text) == RIGHT:
            raise GameError(
                f"the answer {text!r:.60} means that a guess is right: call it otherwise"
            )
    order = np.zeros(len(texts), dtype=np.int64)
    order[[others[text] for text in labels]] = range(len(labels))
    return _fill("matrix", order[found], labels)


def _fill(name: str, numbers: NDArray[np.int64], labels: tuple[str, ...]) -> ComparedFeedback:
    """Return the comparison of numbers of labels, [guess, secret], by which a guess itself wins."""
    if len(labels) >= MOST_RESPONSES:
        raise GameError(
            f"{len(numbers):,} candidates give {len(labels) + 1:,} different answers; at most"
            f" {MOST_RESPONSES:,} fit: `ignore` leaves columns out"
        )
    matrix = numbers.astype(smallest_type(len(labels) + 1))
    np.fill_diagonal(matrix, len(labels))
    return ComparedFeedback(name, matrix, labels)


_COMPARE = dict(zip(COMPARISONS, (compare_traits, compare_rows), strict=True))


class ComparedRules(TableRules):
    """Candidates that are guessed, and answered by how they compare with the secret.

    Parameters
    ----------
    kind
        The feedback rule, one of `COMPARISONS`.
    table
        The traits of each candidate, or the answer of each, in a row, to each, in a column.
    label
        The name of the table's file.

    Raises
    ------
    GameError
        The table is no such game, or has too many candidates or answers.

    Examples
    --------
    >>> import treegen
    >>> legs = {"ant": 6, "bee": 6, "cow": 4}
    >>> rows = [{"animal": name, "Legs": number} for name, number in legs.items()]
    >>> game = treegen.open_game(rows, feedback="traits")
    >>> [game.answer("bee", animal) for animal in legs]
    ['E', 'right', 'L']
    """

    feedback: ComparedFeedback

    def __init__(self, kind: str, table: AnswerTable, label: str = "") -> None:
        check_label(label)
        n = len(table.names)
        if not 2 <= n <= MOST_CANDIDATES or not table.questions:
            raise GameError(
                f"2 to {MOST_CANDIDATES:,} candidates can be compared, by one column or more; not"
                f" {n:,} by {len(table.questions):,}"
            )
        self.kind, self.table, self.label = kind, table, label
        self.figures = f"{n:,} candidates"
        if kind == "traits":
            count = len(table.questions)
            self.figures += f", {count:,} trait{'s' * (count != 1)}"
        super().__init__(label or self.figures, 1, n, n, n, _COMPARE[kind](table))
        self.bytes_per_code = 2 * n


class ComparedNotation(QuestionNotation):
    """How people write candidates and how they compare: names, and a letter for each trait."""

    asks_questions = False
    instruction = Notation.instruction
    legend = ("", "candidate", "guess")

    rules: ComparedRules  # type: ignore[assignment]

    def __init__(self, rules: ComparedRules) -> None:
        Notation.__init__(self, rules, rules.table.names)

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        return (
            f"Find one of {self.rules.n_secrets:,} candidates. Each answer says how the guess"
            " compares with it."
        )

    @property
    def player_description(self) -> Description:
        """Return the candidates as those of a table without questions."""
        names, answers = "\n".join(self.own_symbols), "\t".join(self.rules.feedback.labels)
        return ["questions", self.rules.n_codes, 0, names, "", answers, ""]

    def write_step(self, code: int) -> str:
        """Return a guess as it stands before its answers: ``bee:``."""
        return f"{quote(self.format_code(code))}:"

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a guess by their responses."""
        return (*self.rules.feedback.labels, RIGHT)

    def format_response(self, response: int, guess: int | None = None) -> str:
        """Write a response as people do: ``EHD``, ``right``."""
        return self.rules.feedback.format(response)

    def parse_response(self, text: str, guess: int | None = None) -> int:
        """Return the response of an answer; GameError if there is none."""
        return self.rules.feedback.parse(text)


def make_compared(table: AnswerTable, feedback: str, label: str = "") -> Game:
    """Return the game that compares the candidates of a table; see `ComparedRules` for errors.

    The columns of a matrix may have any order.
    """
    try:
        if feedback == "matrix":
            table = _order_columns(table)
        return Game(ComparedNotation(ComparedRules(feedback, table, label)))
    except GameError as error:
        raise GameError(f"{label!r:.200}: {error}" if label else str(error)) from error


def _order_columns(table: AnswerTable) -> AnswerTable:
    """Return a square table with its columns in the order of its rows; GameError for another."""
    place_of = {text: place for place, text in enumerate(table.questions)}
    for text in (*table.names, *table.questions):
        if text not in place_of or text not in table.names:
            other = "row" if text in place_of else "column"
            raise GameError(
                f"a matrix has the same rows and columns: there is no {other} {text!r:.80}"
            )
    places = [place_of[name] for name in table.names]
    return replace(
        table,
        questions=table.names,
        answers=tuple(table.answers[place] for place in places),
        matrix=np.ascontiguousarray(table.matrix[:, places]),
    )


def read_comparison(kind: str, parameters: Sequence[int | str]) -> Game:
    """Return the game of a description's parameters; GameError for wrong ones."""
    table = parse_possible(parameters, may_repeat=True)
    if table.classes or (kind == "matrix" and (any(table.sets) or table.questions != table.names)):
        raise GameError(f"the table of a game with the feedback {kind} is malformed")
    return make_compared(table, kind)
