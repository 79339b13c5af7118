"""Games of questions: a table holds what each candidate answers to each question.

Identification keys write questions, answers and names as they are where that is unambiguous, else
in quotes, as JSON has them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from .._options import refuse_unknown
from ..errors import GameError
from .answer_table import AnswerTable, parse_table, tabulate, tabulate_function
from .base import Game
from .division import FEWEST_BITS, Division
from .notation import Notation, count_steps
from .rules import (
    GROUP_MARK,
    Description,
    Goal,
    GoalName,
    Number,
    Rules,
    parse_goal,
    smallest_type,
)
from .text import Names, check_label, choose_one, clean, fold, name_few, suggest
from .thresholds import word_threshold

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


class TableRules(Rules):
    """What games of a table of answers share: how it is described, and codes of one number."""

    table: AnswerTable

    @property
    def rules_description(self) -> Description:
        """Return the kind, then the table as `AnswerTable.write` does.

        That is ``["questions", candidates, questions, names, texts, answers, matrix]``; if answers
        are uncertain or classes are to be found, sets of answers and classes follow.
        """
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


class QuestionRules(TableRules):
    """Candidates and questions; a table holds what each candidate may answer.

    The codes are the candidates, then the questions. A question sends a candidate to each answer
    that it may give, its weight divided evenly; the first answers get what remains. With the goal
    to identify, the game is over when no two candidates that are left are separable: see
    `Division`.

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
    division : Division or None
        How weight is divided; None if every answer is certain and a candidate is to be found.

    Raises
    ------
    GameError
        Classes are to be won; a label that is not a file name.

    Examples
    --------
    >>> table = AnswerTable(
    ...     ("ant", "bee"), ("Stings?",), (("no", "yes"),), np.array([[2], [1]]),
    ...     sets=(((0, 1),),),
    ... )
    >>> rules = QuestionRules(table)
    >>> rules.share_unit, rules.shares.tolist()
    (2, [2, 2])
    >>> spread = rules.spread(np.array([2, 2]), np.array([0, 1]), np.array([5, 5]))
    >>> [column.tolist() for column in spread]
    [[0, 0, 1], [0, 1, 1], [3, 2, 5]]
    """

    usual_goal = Goal.IDENTIFY

    def __init__(self, table: AnswerTable, goal: Goal = Goal.WIN, label: str = "") -> None:
        check_label(label)
        self.kind = "questions" if table.is_plain else "possible"
        self.table, self.label = table, label
        self.classes, self.is_certain = table.classes, not any(table.sets)
        self.n_questions = len(table.questions)
        n_secrets = len(table.names)
        n_codes = n_secrets + self.n_questions
        # Question by question: a question's answers are read together.
        self.answer_rows = np.ascontiguousarray(
            table.matrix.T.astype(smallest_type(max(table.count_numbers(), default=1)), copy=False)
        )
        questions = count_steps(self.n_questions, "question")
        self.figures = f"{count_steps(n_secrets, 'candidate')}, {questions}"
        most = max(map(len, table.answers), default=1)
        super().__init__(
            label or self.figures, 1, n_codes, n_codes, n_secrets, AnswerRule(most + 1)
        )
        self.bytes_per_code = 1 + 4 * self.answer_rows.nbytes // n_codes
        self._set_goal(goal)
        self._divide()

    def _set_goal(self, goal: Goal) -> None:
        if goal == Goal.WIN and self.classes:
            raise GameError(
                f"{self.name} has classes: its goal is to identify, and candidates are not guessed"
            )
        self.goal = goal
        self.first_guess = self.n_secrets if goal == Goal.IDENTIFY else 0
        self.announces_several = goal == Goal.IDENTIFY and not self.table.is_plain

    def _divide(self) -> Division | None:
        """Divide the weights, which depends on costs and the goal, if anything is to be divided."""
        if not self.table.is_plain:
            whole = self.weights
            if whole is None:
                whole = np.ones(self.n_secrets, dtype=np.int64)
            # Rules compare shares that come to an answer, times the pairs of candidates there.
            pairs = self.n_secrets * (self.n_secrets - 1) // 2
            most = max(pairs, sum(self.costs[self.first_guess :].tolist()))
            self.division = Division(
                self.division.sets if self.division else self.table.compile_sets(),
                self.classes,
                self.name,
                whole,
                most,
                are_guessed=self.first_guess == 0,
            )
        return self.division

    def with_goal(self, goal: GoalName | Goal) -> Self:
        """Return these rules with another goal; to identify, questions alone are asked."""
        other = super().with_goal(goal)
        other._set_goal(other.goal)
        other._divide()
        return other

    def with_stakes(
        self, weights: Iterable[Number] | None = None, costs: Iterable[Number] | None = None
    ) -> Self:
        """Return this game with other weights of its candidates and costs of its questions."""
        other = super().with_stakes(weights, costs)
        division = other._divide()
        if division and division.unit < 1 << FEWEST_BITS and division.is_rounded:
            raise GameError(
                f"weights that sum up to {int(division.weights.sum()):,} are too large for"
                f" {other.n_secrets:,} candidates with uncertain answers: round them"
            )
        return other

    def score(self, guess: int, secret: int) -> int:
        """Return a candidate's answer; GameError if it may give several answers."""
        if guess < self.n_secrets:
            return self.win if guess == secret else 0
        question = guess - self.n_secrets
        possible = self.table.list_possible(question, int(self.table.matrix[secret, question]))
        if len(possible) > 1:
            options = name_few([self.table.answers[question][answer] for answer in possible])
            raise GameError(
                f"{self.table.names[secret]!r:.80} may answer"
                f" {self.table.questions[question]!r:.80} with {options}"
            )
        return possible[0]

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return the responses to guesses (indices); GameError if any answer is uncertain."""
        if not self.is_certain:
            raise GameError(f"{self.name} has uncertain answers: a candidate may give several")
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
    instruction = "Ask the question"
    arrow, leads_to, in_columns = " → ", "", False
    legend = ("", "candidate", "question")

    rules: QuestionRules

    def __init__(self, rules: QuestionRules) -> None:
        super().__init__(rules, (*rules.table.names, *rules.table.questions))
        self._answers_of: dict[tuple[str, ...], Names] = {}
        self._shared_answers: tuple[str, ...] = ()
        if len(set(rules.table.answers)) == 1:
            self._shared_answers = rules.table.answers[0]

    @cached_property
    def _candidates(self) -> Names:
        return Names(self.symbols[: self.rules.n_secrets])

    @cached_property
    def _asked(self) -> Names:
        return Names(self.symbols[self.rules.n_secrets :])

    @cached_property
    def _steps(self) -> dict[str, int]:
        """The code of each written question, or guess; of two that are alike, the question's."""
        asked = range(self.rules.n_secrets, self.rules.n_codes)
        plain = {f"{quote(self.symbols[code])}: ": code for code in asked}  # of thresholds
        return plain | {f"{self.write_step(code)} ": code for code in range(self.rules.n_codes)}

    def with_symbols(self, symbols: Sequence[str]) -> Self:
        """Return the notation with other names of candidates and questions."""
        other = super().with_symbols(symbols)
        for name in ("_candidates", "_asked", "_steps"):
            other.__dict__.pop(name, None)
        return other

    @property
    def aim(self) -> str:
        """Return the aim of the game, as a sentence for people who play."""
        n_secrets, n_classes = self.rules.n_secrets, len(set(self.rules.table.classes))
        found = f"one of {count_steps(n_secrets, 'candidate')}"
        if n_classes:
            are = "is" if n_classes == 1 else "are"
            found = f"the class of {found}; there {are} {count_steps(n_classes, 'class')}"
        return f"Find {found}. Each question is answered truthfully for that candidate."

    def name_file(self, stem: str, guesses: str = "") -> str:
        """Return the stem of the table's file."""
        return stem

    @property
    def title(self) -> str:
        """Return the numbers of candidates and questions, and the file."""
        label, figures = self.rules.label, self.rules.figures
        return f"{label}, {figures}" if label else figures

    def write_step(self, code: int) -> str:
        """Return a question: ``Wings?``, ``Legs:``, ``Tail less than 3 cm?`` or ``Is it bee?``."""
        if code < self.rules.n_secrets:
            return f"Is it {quote(self.format_code(code))}?"
        text = quote(word_threshold(self.format_code(code)))
        return text if text.endswith("?") else f"{text}:"

    def take_step(self, text: str) -> list[tuple[int, str]]:
        """Return each question that a text may begin with, the longest first, and the rest."""
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
        """Return the announcement where candidates are left: their names, or classes, each once."""
        if not (classes := self.rules.table.classes):
            return GROUP_MARK.join(self.symbols[secret] for secret in secrets)
        found = (name for secret in secrets for name in classes[secret].split(GROUP_MARK))
        return GROUP_MARK.join(dict.fromkeys(found))

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a question, or to a guess, by their numbers."""
        if guess < self.rules.n_secrets:
            return ("no", RIGHT)
        return self.rules.table.answers[guess - self.rules.n_secrets]

    def format_code(self, code: int) -> str:
        """Return a candidate's name, or a question."""
        return self.symbols[code]

    def parse_code(self, text: str) -> int:
        """Return the question of a text, or the candidate, in any case where that is unambiguous.

        A question comes before a candidate of the same spelling, which is written ``Is it NAME?``.
        """
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
            kind = "question" if self.asks_questions else "candidate"
            n_secrets = self.rules.n_secrets
            near = suggest(text, self.symbols[n_secrets if self.asks_questions else 0 :])
            raise GameError(f"{text!r:.80} is not a {kind} of {self.rules.name}{near}")
        return found

    def name_guess(self, code: int) -> str:
        """Write a code; a candidate with the spelling of a question as ``Is it NAME?``."""
        text = self.symbols[code]
        return (
            text
            if self._asked.get(text) is None or code >= self.rules.n_secrets
            else f"Is it {text}?"
        )

    def parse_secret(self, text: str) -> int:
        """Return the candidate of a name, or the group of one of its members."""
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
                near = suggest(text, self.symbols[: self.rules.n_secrets])
                raise GameError(f"{text!r:.80} is not a candidate of {self.rules.name}{near}")
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
        The table is empty or ragged, a name occurs twice, an answer is missing; `label` is not the
        name of a file.
    TypeError
        The matrix is a text or a mapping.

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

    @refuse_unknown
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
        is_one = isinstance(matrix, (str, bytes, os.PathLike, Mapping))
        has_rows = isinstance(matrix, (Iterable, AnswerTable)) or hasattr(matrix, "columns")
        if is_one or not has_rows:
            raise TypeError(
                f"a matrix has a row of answers for each candidate; {matrix!r:.80} is not one;"
                " treegen.open_game reads files, frames and lists of dicts"
            )
        table = tabulate(matrix, names, questions, answers)
        table.check()
        # A table with rows has been reduced.
        table = table if table.rows else table.reduce(strict=strict)
        self._set_rules(QuestionRules(table, parse_goal(goal), label), aside)

    def _set_rules(
        self, rules: QuestionRules, aside: Mapping[str, Sequence[str]] | None = None
    ) -> Self:
        super().__init__(QuestionNotation(rules))
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
    @refuse_unknown
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
            See `Questions`.

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


def read_possible(parameters: Sequence[int | str]) -> Questions:
    """Return the game of a description's parameters; raise GameError for wrong ones."""
    table = parse_possible(parameters)
    if table.is_plain:
        raise GameError("a table of certain answers without classes is no table of this kind")
    rules = QuestionRules(table, Goal.IDENTIFY if table.classes else Goal.WIN)
    if rules.rules_description[1:] != [*parameters]:  # one game has one description
        raise GameError("the sets of a table of possible answers are not as they are written")
    return Questions.of_rules(rules)


def parse_possible(parameters: Sequence[int | str], *, may_repeat: bool = False) -> AnswerTable:
    """Return the table of a description, also one with sets of answers and classes.

    GameError if it is malformed; `may_repeat`: two candidates may have the same answers.
    """
    if len(parameters) != 8:
        return parse_table(parameters, may_repeat=may_repeat)
    *plain, sets, classes = parameters
    if not isinstance(sets, str) or not isinstance(classes, str):
        raise GameError(
            "a table of possible answers is described by two counts, names, questions, answers,"
            " matrix, sets, classes"
        )
    if not re.fullmatch(r"([\d,\t\n]*)", sets, re.ASCII):
        raise GameError("the sets of a table of possible answers are malformed")
    try:
        listed = tuple(
            tuple(tuple(map(int, each.split(","))) for each in line.split("\t") if each)
            for line in (sets.split("\n") if sets else ())
        )
    except ValueError:
        raise GameError("the sets of a table of possible answers are malformed") from None
    found = tuple(classes.split("\n")) if classes else ()
    return parse_table(plain, listed, found, may_repeat=may_repeat)


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
