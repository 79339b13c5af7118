"""Tables of answers in lookup tables: without the answers, with or without their words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import FormatError, GameError
from ..games import Game, LookupQuestions, Questions, parse_goal
from ..player.tgt_player import Table
from ..tree import Tree

LABELS = ("inside", "file", "none")
"""Where the words of a table of answers go: into the table, into a file beside it, nowhere."""

KEY = "answers"
"""The key that tells which table of answers it is."""


def describe_labels(game: Game, labels: str) -> tuple[list[int | str], dict[str, Any]]:
    """Return the description of a game that a table holds, and the keys that go with it.

    Parameters
    ----------
    game
        Any game; only a table of answers is described otherwise than in a tree's file.
    labels
        One of `LABELS`.

    Raises
    ------
    FormatError
        There is no such place.
    """
    if labels not in LABELS:
        raise FormatError(f"unknown labels {labels!r:.80}: there are {', '.join(LABELS)}")
    if not isinstance(game, Questions):
        return game.description, {}
    kind, *parameters = game.rules_description
    if isinstance(game, LookupQuestions) and not game.has_labels:
        labels = "none"
    words = parameters[2:5] if labels == "inside" else ["", "", ""]
    keys = {KEY: bytes.fromhex(game.rules_name.partition(":")[2])}
    described = [kind, *parameters[:2], *words, "", *game.goal.describe()]
    return [*game.stakes.describe(), *described], keys


def restore_game(table: Table) -> Game | None:
    """Return the game of a table of answers' table; None for other games.

    Raises
    ------
    FormatError, GameError
        The table is damaged.
    """
    description, stakes = list(table.game), []
    if description[:1] == ["weighted"]:
        stakes, description = description[1:3], description[3:]
    if description[:1] != ["questions"] or description[6:7] != [""]:
        return None
    identity = table.more.get(KEY)
    if not isinstance(identity, memoryview) or len(identity) != 32:
        raise FormatError("damaged table: it does not say of which table of answers it is")
    goal = str(description[7]).removeprefix("goal ") if len(description) == 8 else "win"
    game = LookupQuestions(description[1:7], table.n_responses, bytes(identity).hex())
    game = game.with_goal(parse_goal(goal))
    return _weigh(game, stakes)


def _weigh(game: LookupQuestions, stakes: Sequence[str]) -> LookupQuestions:
    if not stakes:
        return game
    numbers = [[int(n) for n in text.split(",")] if text else None for text in stakes]
    return game.with_stakes(*numbers)


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


def make_labels(tree: Tree) -> bytes:
    """Return the words of a table of answers as JSON: names, questions, answers.

    Raises
    ------
    GameError
        The game is no table of answers.
    """
    if not isinstance(tree.game, Questions):
        raise GameError(f"{tree.game.name} has no labels: it is no table of answers")
    table = tree.game.table
    words = {"names": table.names, "questions": table.questions, "answers": table.answers}
    return (json.dumps(words, ensure_ascii=False, indent=1) + "\n").encode()
