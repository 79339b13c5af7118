"""Games of questions without their answers: what a lookup table needs to be played and shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .answer_table import AnswerTable
from .goal import Description
from .questions import AnswerRule, Questions


class LookupQuestions(Questions):
    """The candidates and questions of a table of answers; the answers themselves are elsewhere.

    Parameters
    ----------
    parameters
        The description of a table of answers behind its kind, without the matrix, and without any
        labels too if a table has none.
    n_responses
        Of the game.
    identity
        The sha256 that follows ``questions:`` in the digest of the game with its answers.

    Raises
    ------
    GameError
        They do not fit each other.

    Examples
    --------
    >>> game = LookupQuestions([2, 1, "", "", "", ""], 3, "00" * 32)
    >>> [game.format_code(code) for code in range(game.n_codes)]
    ['candidate 1', 'candidate 2', 'question 1']
    """

    def __init__(self, parameters: Sequence[int | str], n_responses: int, identity: str) -> None:
        match parameters:
            case [int(n_names), int(n_questions), str(names), str(texts), str(labels), ""]:
                pass
            case _:
                raise GameError("a table of answers has counts, names, questions and answers here")
        if n_names < 1 or n_questions < 0 or not 2 <= n_responses <= 1 << 16:
            raise GameError("the counts of a table of answers are out of range")
        self._parameters, self.identity = list(parameters), identity
        self.has_labels = bool(names)
        table = AnswerTable(
            _split(names, "candidate", n_names),
            _split(texts, "question", n_questions),
            _split_answers(labels, n_questions, n_responses - 1),
            np.zeros((n_names, n_questions), dtype=np.uint8),
        )
        if (len(table.names), len(table.questions)) != (n_names, n_questions):
            raise GameError("the names or the questions are not as many as they should be")
        if (
            len(table.answers) != n_questions
            # A question that is never asked may have had the most.
            or max(map(len, table.answers), default=1) > n_responses - 1
        ):
            raise GameError("the answers are not as many as they should be")
        self._set_table(table)
        self.feedback = AnswerRule(n_responses)
        self.aside = {}
        self.rename("")

    def with_labels(self, words: Sequence[str]) -> LookupQuestions:
        """Return the game with names, questions and answers, as a description has them."""
        counts = self._parameters[:2]
        game = LookupQuestions([*counts, *words, ""], self.n_responses, self.identity)
        stakes = self.stakes
        return game.with_goal(self.goal).with_stakes(stakes.weights, stakes.costs)

    @property
    def rules_description(self) -> Description:
        """Return what a table holds: no answers."""
        return [self.kind, *self._parameters]

    @property
    def rules_name(self) -> str:
        """Return ``questions:`` and the sha256 of the game with its answers."""
        return f"questions:{self.identity}"

    def score(self, guess: int, secret: int) -> int:
        """Refuse: the answers are not here."""
        raise GameError(_MISSING)

    def respond(
        self, guesses: NDArray[np.integer], secrets: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Refuse: the answers are not here."""
        raise GameError(_MISSING)


_MISSING = (
    "a lookup table has no table of answers: treegen import table FILE -g TABLE.csv gives its tree"
)


def _split(text: str, what: str, count: int) -> tuple[str, ...]:
    given = text.split("\n") if text else [""] * count
    return tuple(each or f"{what} {number}" for number, each in enumerate(given, start=1))


def _split_answers(text: str, n_questions: int, most: int) -> tuple[tuple[str, ...], ...]:
    if not text:
        return (tuple(map(str, range(most))),) * n_questions
    answers = [tuple(line.split("\t")) for line in text.split("\n")]
    return tuple(answers * n_questions if len(answers) == 1 else answers)
