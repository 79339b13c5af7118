"""Games of questions: a table holds what each candidate answers to each question.

Identification keys write questions, answers and names as they are where that is unambiguous, else
in quotes, as JSON has them.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .base import Game
from .notation import Notation
from .rules import GROUP_MARK, Description, Goal, GoalName, Rules, parse_goal, smallest_type
from .text import Names, choose_one, clean, fold, is_written, name_few

_GUESS = re.compile(r"Is it (.*)\?")
"""How a guess may be written; it must be if a question is spelled like the candidate."""

RIGHT = "right"
"""The answer to a guess that is the secret."""


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """The feedback rule of questions: responses are numbers, the last for a right guess."""

    n_responses: int
    n_pegs: int = 1
    name: str = "answers"
    how: ClassVar[str] = "in its own words"

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Refuse: only the game has the answers."""
        raise GameError("a table of answers is scored by its game")

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Refuse: only the game has the answers."""
        raise GameError("a table of answers is scored by its game")

    def format(self, response: int) -> str:
        """Return a response's number, ``right`` for the last."""
        if not 0 <= response < self.n_responses:
            raise GameError(f"response {response} is out of range: 0 to {self.n_responses - 1}")
        return RIGHT if response == self.n_responses - 1 else str(response)

    def parse(self, text: str) -> int:
        """Return the response of a number or of ``right``."""
        if text == RIGHT:
            return self.n_responses - 1
        if not text.isdecimal() or len(text) > 6 or int(text) >= self.n_responses - 1:
            raise GameError(f"{text!r:.80} is not the number of an answer")
        return int(text)


class QuestionRules(Rules):
    """Candidates and questions; a table holds what each candidate answers.

    The codes are the candidates, then the questions.

    Parameters
    ----------
    table
        The table, checked and reduced.
    goal
        When a game is over: with `Goal.IDENTIFY` only questions are asked.
    label
        The name of the table's file.

    Attributes
    ----------
    table : AnswerTable
        Candidates, questions, answers.
    n_questions : int
        How many questions there are.
    answer_rows : int[n_questions, n_secrets]
        What each candidate answers to each question: the numbers of answers, or of sets of them.
    """

    kind = "questions"
    usual_goal = Goal.IDENTIFY

    def __init__(self, table: AnswerTable, goal: Goal = Goal.WIN, label: str = "") -> None:
        self.table, self.label, self.goal = table, label, goal
        self.n_questions = len(table.questions)
        n_secrets = len(table.names)
        n_codes = n_secrets + self.n_questions
        # Question by question: a question's answers are read together.
        self.answer_rows = np.ascontiguousarray(
            table.matrix.T.astype(smallest_type(max(table.count_numbers(), default=1)), copy=False)
        )
        questions = "1 question" if self.n_questions == 1 else f"{self.n_questions:,} questions"
        self.figures = f"{n_secrets:,} candidates, {questions}"
        most = max(map(len, table.answers), default=1)
        super().__init__(
            label or self.figures, 1, n_codes, n_codes, n_secrets, AnswerRule(most + 1)
        )
        self.first_guess = n_secrets if goal == Goal.IDENTIFY else 0
        self.bytes_per_code = 1 + 4 * self.answer_rows.nbytes // n_codes

    def with_label(self, label: str) -> Self:
        """Return these rules, named after the table's file."""
        other = copy(self)
        other.label, other.name = label, label or self.figures
        return other

    def with_goal(self, goal: GoalName | Goal) -> Self:
        """Return these rules with another goal; to identify, questions alone are asked."""
        other = super().with_goal(goal)
        other.first_guess = self.n_secrets if other.goal == Goal.IDENTIFY else 0
        return other

    @property
    def rules_description(self) -> Description:
        """Return ``["questions", candidates, questions, names, texts, answers, matrix]``."""
        return [self.kind, *self.table.write()]

    @property
    def rules_name(self) -> str:
        """Return the kind and the sha256 of the description's parts, ``questions:…``."""
        text = "\n\n".join(map(str, self.rules_description[1:]))
        return f"{self.kind}:{hashlib.sha256(text.encode()).hexdigest()}"

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the codes as rows of one number, their own."""
        return np.arange(self.n_codes, dtype=np.uint32)[:, None]

    def index_of(self, colors: Sequence[int], symbols: Sequence[str]) -> int:
        """Return the code of its only number."""
        return colors[0]

    def score(self, guess: int, secret: int) -> int:
        """Return what a candidate answers to a question, or to a guess."""
        if guess < self.n_secrets:
            return self.win if guess == secret else 0
        return int(self.table.matrix[secret, guess - self.n_secrets])

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to guesses (indices), broadcast against the secrets (indices)."""
        guesses, secrets = np.broadcast_arrays(guesses, secrets)
        is_question = guesses >= self.n_secrets
        replies = np.where(guesses == secrets, self.win, 0).astype(np.int64)
        asked = guesses[is_question] - self.n_secrets
        replies[is_question] = self.table.matrix[secrets[is_question], asked]
        return replies


class QuestionNotation(Notation):
    """How people write candidates, questions and answers: in the words of their table."""

    noun = "candidate"
    asks_questions = True
    answers_in_words = True
    arrow, leads_to, in_columns = " → ", "", False
    legend = ("", "candidate", "question")

    rules: QuestionRules

    def __init__(self, rules: QuestionRules) -> None:
        super().__init__(rules, (*rules.table.names, *rules.table.questions))
        self._set_names()
        self._answers_of: dict[tuple[str, ...], Names] = {}
        self._shared_answers: tuple[str, ...] = ()
        if len(set(rules.table.answers)) == 1:
            self._shared_answers = rules.table.answers[0]

    def _set_names(self) -> None:
        n = self.rules.n_secrets
        self._candidates, self._asked = Names(self.symbols[:n]), Names(self.symbols[n:])
        self._steps: dict[str, int] = {}  # the code of each written question

    def with_symbols(self, symbols: Sequence[str]) -> Self:
        """Return the notation with other names of candidates and questions."""
        other = super().with_symbols(symbols)
        other._set_names()
        return other

    @property
    def aim(self) -> str:
        """Return what is to be found, in a sentence for people who play."""
        n_secrets, n_classes = self.rules.n_secrets, len(set(self.rules.table.classes))
        if n_classes:
            found = (
                f"Which of {n_classes:,} classes one of {n_secrets:,} candidates is in, is to be"
                " found"
            )
        else:
            found = f"One of {n_secrets:,} candidates is to be found"
        return f"{found}: each question is answered for it, truly."

    def name_file(self, stem: str, guesses: str = "") -> str:
        """Return the stem of the table's file."""
        return stem

    @property
    def title(self) -> str:
        """Return the numbers of candidates and questions, and the file."""
        label, figures = self.rules.label, self.rules.figures
        return f"{label}, {figures}" if label else figures

    def write_step(self, code: int) -> str:
        """Return a question: ``Wings?``, ``Legs:`` or ``Is it bee?``."""
        if code < self.rules.n_secrets:
            return f"Is it {quote(self.format_code(code))}?"
        text = quote(self.format_code(code))
        return text if text.endswith("?") else f"{text}:"

    def take_step(self, text: str) -> list[tuple[int, str]]:
        """Return each question that a text may begin with, the longest first, and the rest."""
        if not self._steps:  # a question comes before a guess that is written alike
            self._steps |= {f"{self.write_step(n)} ": n for n in range(self.rules.n_codes)}
        longest = max(map(len, self._steps))
        # Each is written with one of these at its end, and may hold others.
        ends = [match.end() for match in re.finditer("[?:] ", text[:longest])]
        known = [end for end in reversed(ends) if text[:end] in self._steps]
        return [(self._steps[text[:end]], text[end:]) for end in known]

    def quote(self, text: str, *, is_name: bool = False) -> str:
        """Return a text in quotes if it could be misread, a name also if it is a number."""
        return quote_name(text) if is_name else quote(text)

    def announces(self, text: str, *, at_end: bool = False) -> bool:
        """Return whether a text is no question, where leaves announce several candidates."""
        asked = self.symbols[self.rules.n_secrets :]
        return self.rules.announces_several and (at_end or text not in asked)

    def announce(self, secrets: Sequence[int]) -> str:
        """Return what is announced where candidates are left: their names, or classes."""
        names = self.rules.table.classes or self.symbols
        return GROUP_MARK.join(dict.fromkeys(names[secret] for secret in secrets))

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a question, or to a guess, by their numbers."""
        if guess < self.rules.n_secrets:
            return ("no", RIGHT)
        return self.rules.table.answers[guess - self.rules.n_secrets]

    def format_code(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Return a candidate's name, or a question."""
        return (symbols or self.symbols)[code]

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the question of a text, or the candidate, in any case where that is unambiguous.

        A question comes before a candidate of the same spelling, which is written ``Is it NAME?``.
        """
        if symbols:
            return self.with_symbols(symbols).parse_code(text)
        # What is spelled exactly so comes before anything that differs in case.
        for names, first in ((self._asked, self.rules.n_secrets), (self._candidates, 0)):
            place = names.get(text)
            if place is not None:
                return first + place
        guessed = _GUESS.fullmatch(clean(text))
        place = self._candidates.get(guessed[1]) if guessed else None
        if place is not None:
            return place
        folded = [
            *(self.rules.n_secrets + place for place in self._asked.find_all(text)),
            *self._candidates.find_all(text),
        ]
        found = choose_one(text, {code: self.symbols[code] for code in folded})
        if found is None:
            raise GameError(f"{text!r:.80} is not a question of {self.rules.name}")
        return found

    def name_guess(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Write a code; a candidate with the spelling of a question as ``Is it NAME?``."""
        if symbols:
            return symbols[code]
        text = self.symbols[code]
        return (
            text
            if self._asked.get(text) is None or code >= self.rules.n_secrets
            else f"Is it {text}?"
        )

    def parse_secret(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the candidate of a name, or the group of one of its members."""
        if symbols:
            return self.with_symbols(symbols).parse_secret(text)
        found = self._candidates.find(text)
        if found is None:
            members = [
                (member, code)
                for code, name in enumerate(self.symbols[: self.rules.n_secrets])
                if GROUP_MARK in name
                for member in name.split(GROUP_MARK)
            ]
            place = Names(member for member, _ in members).find(text)
            if place is None:
                raise GameError(f"{text!r:.80} is not a candidate of {self.rules.name}")
            found = members[place][1]
        return found

    def format_response(self, response: int, guess: int | None = None) -> str:
        """Return an answer's label; its number if the question is not given."""
        labels = self._shared_answers if guess is None else self.list_answers(guess)
        if 0 <= response < min(len(labels), self.rules.win):
            return "no" if guess is not None and guess < self.rules.n_secrets else labels[response]
        return self.rules.feedback.format(response)

    def parse_response(self, text: str, guess: int | None = None) -> int:
        """Return the answer of a label, in any case where that is unambiguous, or of a number."""
        labels = self._shared_answers if guess is None else self.list_answers(guess)
        if labels not in self._answers_of:
            self._answers_of[labels] = Names(labels)
        place = self._answers_of[labels].find(text)
        if place is not None:
            # To a guess only no and right are answers: the second is the win, not response 1.
            is_right = guess is not None and guess < self.rules.n_secrets and place == 1
            return self.rules.win if is_right else place
        text = clean(text)
        # The letter y or n alone means yes or no where no other answer begins so.
        begun = [at for at, label in enumerate(labels) if fold(label[:1]) == fold(text)]
        is_short = fold(text) in ("y", "n") and len(begun) == 1
        if is_short and fold(labels[begun[0]]) in ("yes", "no"):
            return begun[0]
        if text == RIGHT or not labels:
            return self.rules.feedback.parse(text)
        raise GameError(f"{text!r:.80} is not an answer; there are {name_few(labels)}")


class Questions(Game):
    """Candidates and questions; a table holds what each candidate answers.

    The codes are the candidates, then the questions. With the goal ``"identify"`` only questions
    are asked, and a candidate is announced when it is the only one left. With ``"win"`` candidates
    may be guessed too; a wrong one is answered with response 0.

    Parameters
    ----------
    matrix
        What each candidate (row) answers to each question (column): a numpy array, rows of texts
        or numbers, a list of dicts (question to answer), or a pandas frame whose index has the
        names.
    names, questions
        The candidates and the questions; numbered from 1 if not given.
    answers
        The labels of the answers: one list for all questions, or a list for each. The matrix then
        holds numbers of labels. Without it the matrix holds the answers themselves.
    goal
        ``"identify"`` or ``"win"``.
    strict
        Whether candidates that no question tells apart are refused; else they become one group.
    label
        The name of the table's file.
    aside
        Columns of its file that are not questions, a cell for each row.

    Attributes
    ----------
    table : AnswerTable
        Candidates, questions, answers; `AnswerTable.notes` says what was dropped or grouped, and
        `AnswerTable.rows` which rows of the source each candidate stands for.
    aside : dict of str to list of str
        The columns set aside, by name, a cell for each row of the source.

    Raises
    ------
    GameError
        The table is empty or ragged, a name occurs twice, an answer is missing.

    Examples
    --------
    >>> game = Questions(
    ...     [["no", "6"], ["yes", "6"], ["no", "8"]],
    ...     names=["ant", "bee", "spider"], questions=["Stings?", "Legs?"],
    ... )
    >>> game.n_secrets, game.n_codes, game.format_code(3)
    (3, 5, 'Stings?')
    >>> game.format_response(game.score(4, 2), 4)
    '8'
    """

    rules: QuestionRules
    notation: QuestionNotation
    aside: dict[str, list[str]]

    def __init__(
        self,
        matrix: Any,
        names: Sequence[str] | None = None,
        questions: Sequence[str] | None = None,
        answers: Sequence[Any] | None = None,
        *,
        goal: GoalName = "identify",
        strict: bool = False,
        label: str = "",
        aside: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        table = tabulate(matrix, names, questions, answers)
        table.check()
        # A table with rows has been reduced.
        table = table if table.rows else table.reduce(strict=strict)
        self._set_rules(QuestionRules(table, parse_goal(goal), label), aside)

    def _set_rules(
        self, rules: QuestionRules, aside: Mapping[str, Sequence[str]] | None = None
    ) -> Self:
        self._bind(QuestionNotation(rules))
        self.aside = {name: list(cells) for name, cells in (aside or {}).items()}
        return self

    @property
    def table(self) -> AnswerTable:
        """Candidates, questions, answers; what was dropped or grouped."""
        return self.rules.table

    @classmethod
    def of_rules(cls, rules: QuestionRules) -> Questions:
        """Return the game of a table's rules."""
        return cls.__new__(cls)._set_rules(rules)

    @classmethod
    def from_function(
        cls,
        candidates: Iterable[Any],
        questions: Iterable[Any],
        answer: Callable[[Any, Any], Any],
        *,
        goal: GoalName = "identify",
        strict: bool = False,
    ) -> Questions:
        """Return the game in which a function gives each candidate's answer to each question.

        Parameters
        ----------
        candidates, questions
            What the function takes; their names are ``str`` of them.
        answer
            ``answer(candidate, question)``. It is called twice for each pair: an answer that
            depends on anything else has no tree.
        goal, strict
            As of `Questions`.

        Raises
        ------
        GameError
            The function raises, returns nothing, or answers differently the second time.

        Examples
        --------
        >>> game = Questions.from_function(range(1, 5), [2, 3, 4], lambda n, p: n % p == 0)
        >>> game.table.names
        ('1', '2', '3', '4')
        """
        return cls(tabulate_function(candidates, questions, answer), goal=goal, strict=strict)


def read_table_game(parameters: Sequence[int | str]) -> Questions:
    """Return the game of a description's parameters; raise GameError for wrong ones."""
    return Questions.of_rules(QuestionRules(parse_table(parameters)))


MAX_ANSWERS = 65_535
"""A response has 16 bits, and one of them is kept for a right guess."""

FEW_GROUPS = 5
"""More groups are counted, and so many named."""


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
        told = [f"no question tells apart: {self._write_rows(group)}" for group in mixed]
        if strict and told:
            raise GameError(f"{told[0]}; without --strict they are one group")
        if counts_rows:
            which = "with weights the sum of theirs" if weighs else "which counts by their number"
            notes += [
                f"{len(self.names):,} rows, {len(groups):,} of them different: equal ones are one"
                f" candidate, {which}"
            ] * bool(alike)
        if told and self.classes:
            are = "is" if len(told) == 1 else "are"
            notes.append(
                f"{len(told):,} of {len(groups):,} candidates {are} of several classes: {told[0]}"
            )
        elif not counts_rows and len(told) <= FEW_GROUPS:
            notes += [
                f"{each}; as one group they count once, with weights the sum of theirs"
                for each in told
            ]
        elif not counts_rows:
            first = "; ".join(self._write_rows(group) for group in alike[:FEW_GROUPS])
            notes.append(
                f"{sum(map(len, alike)):,} candidates are in {len(alike):,} groups that no question"
                f" splits: {first}; and {len(alike) - FEW_GROUPS:,} more; each counts once, with"
                " weights the sum of its candidates'"
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
) -> AnswerTable:
    """Return the table that `AnswerTable.write` wrote; raise GameError if it is malformed.

    Sets of answers and classes are written beside it.
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
            if len(_group_rows(table.matrix)) != n_names:
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


ARROW = " → "

_PLAIN = re.compile(r'(?!\.)(?!.*\.\.)[^",→]*[^",→.\s]')


def quote(text: str) -> str:
    """Return a text as keys write it: in quotes, as JSON, if it could be misread."""
    if _PLAIN.fullmatch(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    # Escaped, as readers of keys look for dots and arrows whatever the quotes.
    return quoted.replace("..", "\\u002e\\u002e").replace("→", "\\u2192")


def quote_name(name: str) -> str:
    """Return a candidate's name as keys write it: a number, which would lead on, in quotes."""
    return f'"{name}"' if name.isdecimal() else quote(name)


_TEXT_END = re.compile(rf", |{ARROW}")


def take_text(text: str, at: int = 0) -> tuple[str, int]:
    """Return the text at a place of another one, and the place after it; GameError if broken.

    >>> take_text("no → 2, yes → 5"), take_text('"a, b" → 3'), take_text("no → 2, yes → 5", 8)
    (('no', 2), ('a, b', 6), ('yes', 11))
    """
    if text.startswith('"', at):
        try:
            return json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            raise GameError(f"the quotes in {text[at : at + 60]!r:.80} do not end") from None
    found = _TEXT_END.search(text, at)
    end = found.start() if found else len(text)
    return text[at:end], end
