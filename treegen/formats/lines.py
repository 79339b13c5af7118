"""Text with one game per line: the styles *lines* and *csv*, described in docs/text-formats.md.

Games are read in any order: the first game that reaches a state defines it, and later ones must
agree. A game that the depth hides is counted in the line of its state, ``- 3+ 1122:20 1344:11 1236
... 2 more states, worst 4``. In *csv* no answers are written: they follow from the secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from ..errors import UsageError
from ..games.base import Game, select_candidates
from .format import Format, Reader, Style
from .sketch import Sketch
from .view import View, describe_stub, generate_header


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


def read_lines(sketch: Sketch) -> Sketch:
    """Read the games; raise FormatError at the first that is malformed or contradicts another."""
    scanner, secrets, win = sketch.scanner, set[int](), sketch.game.win
    for words in scanner.match_lines(_PAIR):
        if len(words) < 3:
            raise scanner.expected("a line such as '1245 2 1122:20 1245:40'")
        secret = sketch.parse_code(words[0].group(), words[0].start())
        if secret in secrets:
            raise scanner.error(f"the secret {words[0].group()} has a line already")
        secrets.add(secret)
        if words[1].group() != str(len(words) - 2):
            raise scanner.error(
                f"length {words[1].group():.80} is written before {len(words) - 2} guesses",
                words[1].start(),
            )
        state, response, place = Sketch.NULL, Sketch.NULL, scanner.at
        for word in words[2:]:
            if response == win:
                raise scanner.error("a guess follows the winning one", word.start())
            code, _, answer = word.group().rpartition(":")
            guess = sketch.parse_code(code, word.start())
            state = sketch.enter(state, response, guess, word.start())
            place = word.end() - len(answer)
            response = sketch.parse_response(answer, place)
        if response != win or sketch.guess[state] != secret:
            raise scanner.error("the last guess of a game must be the secret and win", place)
    return sketch


def generate_csv(view: View) -> Iterator[str]:
    """Yield a line for each secret.

    Raises UsageError if a depth cuts the games, another order is given, or a symbol contains a
    comma.
    """
    if view.is_cut_anywhere or view.order != "responses":
        raise UsageError(
            "the style csv writes whole games, sorted, and takes no `depth` and no `order`"
        )
    if any("," in symbol for symbol in view.game.notation.symbols):
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


def read_csv(sketch: Sketch) -> Sketch:
    """Read the games; raise FormatError at the first that does not fit the others."""
    games = _read_games(sketch)
    if len(games) > 1 and all(len(line) > 1 and line[0][0] == line[-1][0] for line in games):
        games = [line[1:] for line in games]
    _check_secrets(sketch, games)
    for line, responses in zip(games, _respond(sketch.game, games), strict=True):
        state, response = Sketch.NULL, Sketch.NULL
        for (guess, place), reply in zip(line, responses, strict=True):
            state = sketch.enter(state, response, guess, place)
            sketch.wins.setdefault(state, False)
            response = reply
        sketch.wins[state] = True
    return sketch


def _read_games(sketch: Sketch) -> list[Guesses]:
    games: list[Guesses] = []
    scanner = sketch.scanner
    for words in scanner.match_lines(_WORD):
        n_commas = scanner.text.count(",", scanner.at, scanner.line_end)
        if words and n_commas != len(words) - 1:
            raise scanner.error("a guess is missing between two commas")
        places = [word.start() for word in words]
        codes = (sketch.parse_code(word.group(), word.start()) for word in words)
        games += [list(zip(codes, places, strict=True))] if words else []
    if not games:
        raise scanner.expected("a game such as SALET,COURD,NYMPH")
    return games


def _check_secrets(sketch: Sketch, games: Sequence[Guesses]) -> None:
    """Raise FormatError unless every secret has one line."""
    scanner, game = sketch.scanner, sketch.game
    left = set(select_candidates(game, sketch.history).tolist())
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


LINES = Format(
    "lines",
    style=Style(generate_lines, "one line per secret with its whole game", has_header=True),
    reader=Reader(read_lines, looks=r"\S+ \d+ \S+:\S+"),
)
CSV = Format(
    "csv",
    style=Style(generate_csv, "one game per line, for the Wordle leaderboards", kind="csv"),
    reader=Reader(
        read_csv,
        "One game per line, for Wordle leaderboards.",
        "Read a game per line, SALET,COURD,NYMPH; -g is a codebook file.",
        ("treegen import csv board.csv -g p4c6r -o copy.tree",),
        is_of_words=True,
    ),
)
