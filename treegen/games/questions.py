"""Games of questions: a table tells what each candidate answers to each question."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .answer_table import GROUP_MARK, AnswerTable, choose_dtype, parse_table
from .base import Game
from .goal import Description, Goal, parse_goal
from .tabulate import tabulate, tabulate_function
from .text import Names, choose_one, clean, fold

_GUESS = re.compile(r"Is it (.*)\?")
"""How a guess may be written, and is where a question is spelled like the candidate."""

RIGHT = "right"
"""How the answer is written that a guess is the secret."""


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """The feedback rule of questions: responses are numbers, the last for a right guess."""

    n_responses: int
    n_pegs: int = 1
    name: str = "answers"

    def score(self, guess: Sequence[int], secret: Sequence[int]) -> int:
        """Refuse: only the game has the answers."""
        raise GameError("a table of answers is scored by its game")

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Refuse: only the game has the answers."""
        raise GameError("a table of answers is scored by its game")

    def format(self, response: int) -> str:
        """Return a response's number, or that a guess is right."""
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


class Questions(Game):
    """Candidates and questions; a table tells what each candidate answers.

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
        Whether candidates that no question tells apart are refused. They become one group.
    label
        The name of the table's file.
    aside
        Columns of its file that are no questions, a cell for each row.

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

    kind = "questions"

    def __init__(
        self,
        matrix: Any,
        names: Sequence[str] | None = None,
        questions: Sequence[str] | None = None,
        answers: Sequence[Any] | None = None,
        *,
        goal: str = "identify",
        strict: bool = False,
        label: str = "",
        aside: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        table = tabulate(matrix, names, questions, answers)
        table.check()
        self._set_table(table.reduce(strict=strict))
        self.goal = parse_goal(goal)
        self.aside = dict(aside or {})
        self.rename(label)

    @classmethod
    def from_function(
        cls,
        candidates: Iterable[Any],
        questions: Iterable[Any],
        answer: Callable[[Any, Any], Any],
        *,
        goal: str = "identify",
        strict: bool = False,
    ) -> Questions:
        """Return the game in which a function gives each candidate's answer to each question.

        Parameters
        ----------
        candidates, questions
            What the function takes; ``str`` of them are the names.
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

    def _set_table(self, table: AnswerTable) -> None:
        self.table = table
        self.n_secrets, self.n_questions = len(table.names), len(table.questions)
        self.n_codes = self.n_colors = self.n_secrets + self.n_questions
        self.n_pegs = 1
        most = max(map(len, table.answers), default=1)
        self.feedback = AnswerRule(most + 1)
        # Question by question: a question's answers are read together.
        self.answer_rows = np.ascontiguousarray(
            table.matrix.T.astype(choose_dtype(table.answers), copy=False)
        )
        self._texts = (*table.names, *table.questions)
        self._candidates, self._asked = Names(table.names), Names(table.questions)
        self._answers_of: dict[tuple[str, ...], Names] = {}
        shared = table.answers[0] if len(set(table.answers)) == 1 else ()
        self._shared_answers: tuple[str, ...] = shared

    @classmethod
    def from_description(cls, parameters: Sequence[int | str]) -> Questions:
        """Return the game of a description's parameters; raise GameError for wrong ones."""
        game = cls.__new__(cls)
        game._set_table(parse_table(parameters))
        game.aside = {}
        game.rename("")
        return game

    def rename(self, label: str) -> None:
        """Name the game after its table's file, or with ``""`` by its size."""
        self.label = label
        self.name = label or self._figures

    @property
    def _figures(self) -> str:
        questions = "1 question" if self.n_questions == 1 else f"{self.n_questions:,} questions"
        return f"{self.n_secrets:,} candidates, {questions}"

    @property
    def title(self) -> str:
        """Return the numbers of candidates and questions, and the file."""
        return f"{self.label}, {self._figures}" if self.label else self._figures

    @property
    def rules_description(self) -> Description:
        """Return ``["questions", candidates, questions, names, texts, answers, matrix]``."""
        return [self.kind, *self.table.write()]

    @property
    def rules_name(self) -> str:
        """Return ``questions:`` and the sha256 of the description's parts."""
        text = "\n\n".join(map(str, self.table.write()))
        return "questions:" + hashlib.sha256(text.encode()).hexdigest()

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the candidates' names and the questions: each code is one symbol."""
        return self._texts

    @property
    def first_guess(self) -> int:
        """Return the first question, or with the goal to win the first candidate."""
        return self.n_secrets if self.goal == Goal.IDENTIFY else 0

    @property
    def bytes_per_code(self) -> int:
        """Return about how many bytes of answers there are for a code."""
        return 1 + 4 * self.answer_rows.nbytes // self.n_codes

    def make_codes(self) -> NDArray[np.unsignedinteger]:
        """Return the codes as rows of one number, their own."""
        return np.arange(self.n_codes, dtype=np.uint32)[:, None]

    def index_of(self, colors: Sequence[int]) -> int:
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

    def list_answers(self, guess: int) -> tuple[str, ...]:
        """Return the answers to a question, or to a guess, by their numbers.

        Examples
        --------
        >>> game = Questions([["no"], ["yes"]], names=["ant", "bee"])
        >>> game.list_answers(2), game.list_answers(0)
        (('no', 'yes'), ('no', 'right'))
        """
        if guess < self.n_secrets:
            return ("no", RIGHT)
        return self.table.answers[guess - self.n_secrets]

    def format_code(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Return a candidate's name, or a question."""
        return (symbols or self._texts)[code]

    def parse_code(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the question of a text, or the candidate; letters' case counts where it must.

        A question comes before a candidate that is spelled like it: ``Is it NAME?`` is that.
        """
        for names, first in ((self._asked, self.n_secrets), (self._candidates, 0)):
            place = names.get(text)
            if place is not None:
                return first + place
        guessed = _GUESS.fullmatch(clean(text))
        place = self._candidates.get(guessed[1]) if guessed else None
        if place is not None:
            return place
        folded = [
            *(self.n_secrets + place for place in self._asked.find_all(text)),
            *self._candidates.find_all(text),
        ]
        found = choose_one(text, {code: self._texts[code] for code in folded})
        if found is None:
            raise GameError(f"{text!r:.80} is not a question of {self.name}")
        return found

    def name_guess(self, code: int, symbols: Sequence[str] | None = None) -> str:
        """Write a code; a candidate that is spelled like a question as ``Is it NAME?``."""
        text = self._texts[code]
        return text if self._asked.get(text) is None or code >= self.n_secrets else f"Is it {text}?"

    def parse_secret(self, text: str, symbols: Sequence[str] | None = None) -> int:
        """Return the candidate of a name, or the group of one of its members."""
        found = self._candidates.find(text)
        if found is None:
            members = [
                (member, code)
                for code, name in enumerate(self.table.names)
                if GROUP_MARK in name
                for member in name.split(GROUP_MARK)
            ]
            place = Names(member for member, _ in members).find(text)
            if place is None:
                raise GameError(f"{text!r:.80} is not a candidate of {self.name}")
            found = members[place][1]
        return found

    def format_response(self, response: int, guess: int | None = None) -> str:
        """Return an answer's label; its number where it is not known what it answers."""
        labels = self._shared_answers if guess is None else self.list_answers(guess)
        if 0 <= response < len(labels):
            return "no" if guess is not None and guess < self.n_secrets else labels[response]
        return self.feedback.format(response)

    def parse_response(self, text: str, guess: int | None = None) -> int:
        """Return the answer of a label, in any case where that is unambiguous, or of a number."""
        labels = self._shared_answers if guess is None else self.list_answers(guess)
        place = self._name_answers(labels).find(text)
        if place is not None:
            is_right = guess is not None and guess < self.n_secrets and place == 1
            return self.win if is_right else place
        place = self._find_short(labels, text)
        if place is not None:
            return place
        text = clean(text)
        if text == RIGHT or not labels:
            return self.feedback.parse(text)
        known = ", ".join(labels[:20]) + (" …" if len(labels) > 20 else "")
        raise GameError(f"{text!r:.80} is not an answer; there are {known}")

    def _find_short(self, labels: tuple[str, ...], text: str) -> int | None:
        """Return the answer yes or no of a y or n, None if another answer begins so."""
        short = fold(clean(text))
        begun = [place for place, label in enumerate(labels) if fold(label[:1]) == short]
        is_short = short in ("y", "n") and len(begun) == 1
        return begun[0] if is_short and fold(labels[begun[0]]) in ("yes", "no") else None

    def _name_answers(self, labels: tuple[str, ...]) -> Names:
        if labels not in self._answers_of:
            self._answers_of[labels] = Names(labels)
        return self._answers_of[labels]
