"""Names of games, and games from names and descriptions."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence

from ..errors import GameError
from .arrangements import ArrangementGame
from .base import Game
from .codebook import LETTERS, CodebookGame
from .coins import parse_coins
from .goal import Goal, split_goal
from .pegs import PegGame
from .pins import parse_pins
from .plugins import find_family, find_game
from .questions import Questions
from .ranges import RangeGame
from .stakes import KIND, parse_stakes

_ALIASES = {
    "mastermind": "p4c6r",
    "bulls-and-cows": "p4c10n",
    "super-mastermind": "p5c8r",
}
"""Common names of games, and what they stand for."""

_FAMILIES: dict[str, Callable[[Sequence[int | str]], Game]] = {
    ArrangementGame.kind: ArrangementGame.from_description,
    PegGame.kind: PegGame.from_description,
    CodebookGame.kind: CodebookGame.from_description,
    LETTERS: CodebookGame.from_letters,
    Questions.kind: Questions.from_description,
    RangeGame.kind: RangeGame.from_description,
}

_READY: tuple[Callable[[str], Game | None], ...] = (
    ArrangementGame.from_name,
    RangeGame.from_name,
    parse_coins,
    parse_pins,
)
"""What returns the game of a name, or None if it is of another family."""


def list_aliases() -> dict[str, str]:
    """Return the names that people use for some games, with the games' own.

    Examples
    --------
    >>> list_aliases()["bulls-and-cows"]
    'p4c10n'
    """
    return dict(_ALIASES)


def parse_game(name: str) -> Game:
    """Return the game of a name: ``p4c6r``, ``p4c6rb``, ``a211``, ``range100``, ``coins12``.

    Raises
    ------
    GameError
        The name is unknown (a near one is suggested) or its sizes are out of range.

    Examples
    --------
    >>> parse_game("bulls-and-cows").n_secrets
    5040
    """
    text = _ALIASES.get(name.lower(), name.lower())
    for find in _READY:
        game = find(text)
        if game is not None:
            return game
    match = re.fullmatch(r"p(\d{1,9})c(\d{1,9})([rn])(b?)", text, re.ASCII)
    if match is None:
        game = find_game(name)
        if game is not None:
            return game
        raise GameError(f"unknown game {name!r}{_suggest(text)}")
    pegs, colors, mode, black = match.groups()
    rule = "black" if black else "pegs"
    return PegGame(int(pegs), int(colors), repetition=mode == "r", rule=rule)


def from_description(description: Sequence[int | str]) -> Game:
    """Return the game that a description ``[kind, parameters …]`` stands for.

    Raises
    ------
    GameError
        The kind is unknown or the parameters do not fit it.
    """
    kind, *parameters = description or [""]
    if kind == KIND:
        return _weigh(parameters)
    if not isinstance(kind, str):
        raise GameError(f"unknown kind of game: {kind!r:.80}")
    if any(isinstance(parameter, bool) for parameter in parameters):
        raise GameError(f"the description of a {kind} game holds true or false, not numbers")
    rules, goal = split_goal(parameters)
    game = _FAMILIES[kind](rules) if kind in _FAMILIES else find_family(kind, rules)
    if game is None:
        raise GameError(f"unknown kind of game: {kind!r:.80}")
    return game if goal == Goal.WIN else game.with_goal(goal)


def _weigh(parameters: Sequence[int | str]) -> Game:
    """Return the game of a description with weights and costs; refuse other ways to write it."""
    if len(parameters) < 3 or parameters[2] == KIND:
        raise GameError("a weighted game is described by weights, costs, and the game itself")
    weights, costs = parse_stakes(parameters[0], parameters[1])
    game = from_description(parameters[2:]).with_stakes(weights, costs)
    if game.stakes.describe() != [KIND, *parameters[:2]]:
        raise GameError("the weights or costs of the description have a common factor")
    return game


def _suggest(text: str) -> str:
    turned = re.fullmatch(r"(\d+)p[x-]?(\d+)c([rn]?b?)|c(\d+)p(\d+)([rn]?b?)", text, re.ASCII)
    if turned is not None:
        pegs, colors, mode, other_colors, other_pegs, other_mode = turned.groups()
        text = f"p{pegs or other_pegs}c{colors or other_colors}{mode or other_mode or ''}"
        if text[-1] in "rnb":
            return f"; did you mean {text}?"
    if re.fullmatch(r"p\d+c\d+", text, re.ASCII):
        return f"; did you mean {text}r (colors may repeat) or {text}n (they may not)?"
    near = difflib.get_close_matches(text, [*_ALIASES, *_ALIASES.values()], n=1)
    if near:
        return f"; did you mean {near[0]}?"
    return (
        ": a game is written p4c6r (4 pegs, 6 colors, repetition), p4c10n (no repetition), with"
        f" b at the end for black pegs only, or {', '.join(_ALIASES)}; or give a codebook file"
    )
