"""Read the style lines: a secret, the length of its game, every guess with its answer.

The first game that reaches a state defines it; later games must agree with it. Lines may be in any
order, so that sorted or shuffled ones are read too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..games import Game
from ..tree import History
from .scan import Scanner
from .sketch import Sketch

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
