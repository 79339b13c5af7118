"""Names of games, and games from names and descriptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from .._loading import call_plugin, describe_plugin, list_plugins, load_plugin
from .._options import find_near
from ..errors import GameError, warn
from .base import Game
from .codebook import LETTERS, WordRules, read_spelled_words, read_words
from .feedback import COMPARISONS
from .pegs import (
    ArrangementRules,
    PegRules,
    parse_arrangement,
    parse_pegs,
    read_arrangement,
    read_pegs,
)
from .questions import read_possible, read_table_game
from .ready import RangeRules, parse_range, parse_ready, read_range
from .rules import KIND, Goal, describe_stakes, parse_stakes, split_goal

_ALIASES = {
    "mastermind": "p4c6r",
    "bulls-and-cows": "p4c10n",
    "super-mastermind": "p5c8r",
    "bagels": "p3c10n",
}
"""Common names of games, and what they stand for."""

WORD_GAMES = {
    "wordle": "it needs a list of words: treegen build words.txt --feedback wordle",
    "quordle": "it is four games of one board: treegen build words.txt --feedback wordle",
    "absurdle": "its answers keep the word open: treegen play words.txt --feedback wordle --evil",
    "nerdle": "it needs a list of equations: treegen build equations.txt --feedback wordle",
    "jotto": "its answers count letters alone; with places: treegen build words.txt",
}
"""Common names of games that need a list, and the command for each."""


def _read_comparison(kind: str, parameters: Sequence[int | str]) -> Game:
    from .compared import read_comparison  # rarely needed

    return read_comparison(kind, parameters)


_FAMILIES: dict[str, Callable[[Sequence[int | str]], Game]] = {
    ArrangementRules.kind: read_arrangement,
    PegRules.kind: read_pegs,
    WordRules.kind: read_words,
    LETTERS: read_spelled_words,
    "questions": read_table_game,
    "possible": read_possible,
    RangeRules.kind: read_range,
    **{kind: partial(_read_comparison, kind) for kind in COMPARISONS},
}

_READY: tuple[Callable[[str], Game | None], ...] = (
    parse_pegs,
    parse_arrangement,
    parse_range,
    parse_ready,
)
"""What returns the game of a name, or None if it is of another family."""


def list_aliases() -> dict[str, str]:
    """Return common names of games, with what they stand for: ``bulls-and-cows`` is ``p4c10n``."""
    return dict(_ALIASES)


def parse_game(name: str) -> Game:
    """Return the game of a name: ``p4c6r``, ``p4c6rb``, ``a211``, ``range100``, ``coins12``.

    GameError if the name is unknown (a similar one is suggested) or its sizes are out of range.
    """
    text = name.strip(" ").lower()
    text = _ALIASES.get(text, text)
    for find in _READY:
        game = find(text)
        if game is not None:
            return game
    game = find_game(name)  # plug-ins come last: none takes over another game's name
    if game is None:
        raise GameError(f"unknown game {name!r:.80}{_suggest(text)}")
    return game


def from_description(description: Sequence[int | str]) -> Game:
    """Return the game of a description ``[kind, parameters …]``.

    GameError if the kind is unknown or the parameters do not fit it.
    """
    kind, *parameters = description or [""]
    if kind == KIND:
        return _weigh(parameters)
    if not isinstance(kind, str):
        raise GameError(f"unknown kind of game: {kind!r:.80}")
    # True and 1.0 would pass as 1.
    others = [each for each in parameters if type(each) not in (int, str)]
    if others:
        raise GameError(
            f"a {kind:.40} game is described by whole numbers and texts, not by {others[0]!r:.40}"
        )
    rules, goal = split_goal(parameters)
    game = _FAMILIES[kind](rules) if kind in _FAMILIES else find_family(kind, rules)
    if game is None:
        raise GameError(f"unknown kind of game: {kind!r:.80}")
    return game if goal == Goal.WIN else game.with_goal(goal)


def _weigh(parameters: Sequence[int | str]) -> Game:
    """Return the game of a description with weights and costs; refuse other ways to write it."""
    if len(parameters) < 3 or parameters[2] == KIND:
        raise GameError("a weighted game is described by weights, costs, and the game itself")
    return take_stakes(from_description(parameters[2:]), parameters[0], parameters[1])


def take_stakes(game: Game, weights: int | str, costs: int | str) -> Game:
    """Return a game with the weights and costs of a description; GameError if they are no such."""
    game = game.with_stakes(*parse_stakes(weights, costs))
    if describe_stakes(game.rules) != [KIND, weights, costs]:  # one game has one description
        raise GameError("the weights or costs of the description have a common factor")
    return game


def label_game(game: Game, label: str) -> Game:
    """Return a game named after the file that it was read from.

    A game with a name of its own keeps it. GameError if the label is not the name of a file.
    """
    return game.with_notation(game.notation.of(game.rules.with_label(label)))


def _suggest(text: str) -> str:
    if text in WORD_GAMES:
        return f": {WORD_GAMES[text]}"
    # Turned around, as 4p6c and c6p4.
    turned = re.fullmatch(r"(\d+)p[x-]?(\d+)c([rn]?b?)|c(\d+)p(\d+)([rn]?b?)", text, re.ASCII)
    if turned is not None:
        pegs, colors, mode, other_colors, other_pegs, other_mode = turned.groups()
        text = f"p{pegs or other_pegs}c{colors or other_colors}{mode or other_mode or ''}"
        if text[-1] in "rnb":
            return f"; did you mean {text}?"
    if re.fullmatch(r"p\d+c\d+", text, re.ASCII):
        return f"; did you mean {text}r (colors may repeat) or {text}n (they may not)?"
    near = find_near(text, [*_ALIASES, *_ALIASES.values(), *WORD_GAMES])
    if near:
        return f"; did you mean {near[0]}?"
    return (
        ": a game is written p4c6r (4 pegs, 6 colors, repetition), p4c10n (no repetition), with"
        f" b at the end for black pegs only, or {', '.join(_ALIASES)}; or give a codebook file"
    )


def find_game(name: str) -> Game | None:
    """Return the game that a plug-in has for a name; None if there is none."""
    for plugin in list_plugins("games"):
        family = load_plugin("games", plugin)
        if family is None:
            continue
        game = call_plugin("games", plugin, getattr(family, "from_name", family), name)
        if isinstance(game, Game):
            return game
        if game is not None:
            warn(f"the plug-in {plugin!r} gave {game!r:.80} for {name!r}, which is not a game")
    return None


def find_described(name: str) -> Game | None:
    """Return the game of a name that tables describe as another kind of game; None for others."""
    return parse_range(name) or find_game(name)


def find_family(kind: str, parameters: Sequence[int | str]) -> Game | None:
    """Return the game of a description whose kind is a plug-in's; None if there is none."""
    for plugin in list_plugins("games"):
        family = load_plugin("games", plugin)
        make = getattr(family, "from_description", None)
        if make is not None and getattr(family, "kind", None) == kind:
            game: Game = make(parameters)
            return game
    return None


def list_families() -> dict[str, str]:
    """Return the plug-ins that load, with their descriptions."""
    found = {plugin: describe_plugin("games", plugin) for plugin in list_plugins("games")}
    return {plugin: text for plugin, text in found.items() if text}
