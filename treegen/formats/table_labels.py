"""Tables of answers in lookup tables: without the answers, with or without their words."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from .._files import read_text
from ..errors import FormatError, GameError
from ..games import Game, Goal, LookupQuestions, Questions, RangeGame, parse_goal, parse_stakes
from ..player.tgt_player import Table
from ..tree import Tree

MAX_NAME = 40
DESCRIBED = 7
"""Values that describe a table of answers, without its goal."""

LABELS = ("inside", "file", "none")
"""Where the words of a table of answers go: into the table, into a file beside it, nowhere."""

KEY = "answers"
"""The key that tells which table of answers it is."""
READY = "ready"
"""The key that names a game of another kind, which is stored as a table without questions."""


class Words(NamedTuple):
    """The words of a table of answers that a table needs.

    Attributes
    ----------
    names
        The candidates.
    questions
        The questions, empty where the tree never asks one.
    answers
        The answers to each question, none where it is never asked.
    """

    names: Sequence[str]
    questions: Sequence[str]
    answers: Sequence[Sequence[str]]

    def write(self) -> list[str]:
        """Return the texts of a description; questions with the same answers share a line."""
        lines = ["\t".join(labels) for labels in self.answers]
        # Numbers of answers are those of the game: who reads them wants a line of the most.
        shared = {line for line in lines if line}
        rows = list(shared) if len(shared) == 1 else lines
        return ["\n".join(self.names), "\n".join(self.questions), "\n".join(rows)]


def choose_words(tree: Tree, *, all_words: bool = False) -> Words:
    """Return the words of a tree's table of answers that its players show.

    Parameters
    ----------
    tree
        The tree of a table of answers, or of a range.
    all_words
        Whether questions that are never asked keep theirs. A single question does.

    Raises
    ------
    GameError
        The game is no table of answers.
    """
    game = tree.game
    if isinstance(game, RangeGame):
        return Words(game.symbols, (), (game.list_answers(0)[:-1],))
    if not isinstance(game, Questions):
        raise GameError(f"{game.name} has no labels: it is no table of answers")
    table, n_questions = game.table, len(game.table.questions)
    if all_words or n_questions < 2:
        return Words(table.names, table.questions, table.answers)
    codes = [*tree.guess.tolist(), *(guess for guess, _ in tree.provenance.history)]
    asked = {code - game.n_secrets for code in codes}
    return Words(
        table.names,
        [text if place in asked else "" for place, text in enumerate(table.questions)],
        [row if place in asked else () for place, row in enumerate(table.answers)],
    )


def describe_labels(
    tree: Tree, labels: str, *, all_words: bool = False
) -> tuple[list[int | str], dict[str, Any]]:
    """Return the description of a game that a table holds, and the keys that go with it.

    Parameters
    ----------
    tree
        Of any game; only a table of answers is described otherwise than in a tree's file.
    labels
        One of `LABELS`.
    all_words
        Whether questions that are never asked keep their words.

    Raises
    ------
    FormatError
        There is no such place.
    """
    if labels not in LABELS:
        raise FormatError(f"unknown labels {labels!r:.80}: there are {', '.join(LABELS)}")
    game = tree.game
    if isinstance(game, RangeGame):
        return _describe_range(game, labels), {READY: game.name}
    if not isinstance(game, Questions):
        return game.description, {}
    kind, *parameters = game.rules_description
    if isinstance(game, LookupQuestions) and not game.has_labels:
        labels = "none"
    words = [""] * 3
    if labels == "inside":
        words = choose_words(tree, all_words=all_words).write()
    keys = {KEY: bytes.fromhex(game.rules_name.partition(":")[2])}
    described = [kind, *parameters[:2], *words, "", *game.goal.describe()]
    return [*game.stakes.describe(), *described], keys


def _describe_range(game: RangeGame, labels: str) -> list[int | str]:
    """Return numbers as the candidates of a table without questions: its answers are to guesses."""
    words = ["\n".join(game.symbols), "", "\t".join(game.list_answers(0)[:-1])]
    words = words if labels == "inside" else [""] * len(words)
    described = ["questions", game.n_codes, 0, *words, "", *game.goal.describe()]
    return [*game.stakes.describe(), *described]


def _restore_range(table: Table, name: str) -> Game:
    """Return the game that a table names, if it is described as that game is."""
    description, stakes, goal = _split_terms(table)
    game = RangeGame.from_name(name[:MAX_NAME]) if isinstance(name, str) else None
    if (
        game is None
        or game.name != name
        or description
        not in (
            _describe_range(game, "inside"),
            _describe_range(game, "none"),
        )
    ):
        raise FormatError(f"damaged table: it is not of the game {name!r:.40}")
    return _weigh(game.with_goal(goal), stakes)


def _split_terms(table: Table) -> tuple[list[Any], list[str], Goal]:
    """Return a description without weights, costs and goal; weights and costs; the goal."""
    description, stakes, goal = list(table.game), [], "win"
    if description[:1] == ["weighted"]:
        stakes, description = description[1:3], description[3:]
    if len(description) == DESCRIBED + 1:
        goal = str(description.pop()).removeprefix("goal ")
    return description, stakes, parse_goal(goal)


def restore_game(table: Table) -> Game | None:
    """Return the game of a table of answers' table; None for other games.

    Raises
    ------
    FormatError, GameError
        The table is damaged.
    """
    if "questions" not in (table.game[0], *table.game[3:4]):
        return None
    description, stakes, goal = _split_terms(table)
    if description[0] != "questions" or description[6:7] != [""]:
        return None
    if READY in table.more:
        return _restore_range(table, table.more[READY])
    identity = table.more.get(KEY)
    if not isinstance(identity, memoryview) or len(identity) != 32:
        raise FormatError("damaged table: it does not say of which table of answers it is")
    game = LookupQuestions(description[1:], table.n_responses, bytes(identity).hex())
    return _weigh(game.with_goal(goal), stakes)


def _weigh(game: Game, stakes: Sequence[str]) -> Game:
    if not stakes:
        return game
    return game.with_stakes(*parse_stakes(*stakes))


def restore_answers(tree: Tree, game: Game) -> Tree:
    """Return the tree of a lookup table with the table of answers it was made from.

    Raises
    ------
    FormatError
        It was made from another one.
    """
    if game.digest_name != tree.game.digest_name:
        raise FormatError(f"the table is not of {game.title}, or of another goal")
    return replace(tree, game=game)


def make_labels(tree: Tree, *, all_words: bool = False) -> bytes:
    """Return the words of a table of answers as JSON: names, questions, answers.

    Questions that the tree never asks are empty, unless `all_words` keeps them.

    Raises
    ------
    GameError
        The game is no table of answers.
    """
    words = choose_words(tree, all_words=all_words)._asdict()
    return (json.dumps(words, ensure_ascii=False, indent=1) + "\n").encode()


def find_labels(tree: Tree, path: str | os.PathLike[str]) -> Tree:
    """Return a table's tree with the words that lie beside it in a file, if there are any.

    Raises
    ------
    FormatError
        The file is damaged, or belongs to another table.
    """
    game, beside = tree.game, Path(f"{os.fspath(path)}.labels.json")
    if not isinstance(game, LookupQuestions) or game.has_labels or not beside.is_file():
        return tree
    try:
        words = Words(**json.loads(read_text(beside)))
        return replace(tree, game=game.with_labels(words.write()))
    except (ValueError, TypeError, GameError) as error:
        raise FormatError(
            f"{str(beside)!r} does not contain this table's labels: {error}"
        ) from None
