"""Read the trees of alex1770/wordle: guesses and colored answers in columns.

``salet BBBBB1 courd BBBBB2 nymph GGGGG3``: a guess, its answer with the number of the guess, the
next guess, and so on; a line begins again behind the answers that it shares with the line above.
B is grey, Y yellow, G green; an answer of G alone ends a game. A listing that was made for some
first guesses and answers (``-w stage.gbgbg``) is read as the part behind them when these are given
as the history.
"""

from __future__ import annotations

import re

from ..games import Game
from ..tree.provenance import History
from .scan import Scanner
from .sketch import NULL, Sketch

_WORD = re.compile(r"\S+")
_ANSWER = re.compile(r"([A-Z]+)(\d+)", re.ASCII)


def sketch_wordle(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the guesses and answers; raise FormatError at the first that does not fit."""
    sketch = Sketch(game, scanner.locate, history)
    # States behind 0, 1, 2 … answers, as the lines so far have them.
    states: list[int] = []
    skipped = 0
    while scanner.at < len(scanner.text):
        end = scanner.text.find("\n", scanner.at)
        end = len(scanner.text) if end < 0 else end
        words = list(_WORD.finditer(scanner.text, scanner.at, end))
        if words and not states:
            skipped = _skip_history(scanner, game, symbols, history, words)
            words = words[2 * skipped :]
            first = scanner.parse(game.parse_code, words[0].group(), words[0].start(), symbols)
            states = [sketch.add(NULL, NULL, first, words[0].start())]
            sketch.wins[states[0]] = False
            words = words[1:]
        _read_line(scanner, sketch, symbols, words, states, skipped)
        scanner.at = end + 1
    return sketch


def _skip_history(
    scanner: Scanner,
    game: Game,
    symbols: tuple[str, ...] | None,
    history: History,
    words: list[re.Match[str]],
) -> int:
    """Return how many guesses of the history stand before the first state: all or none."""
    for number, (guess, response) in enumerate(history, start=1):
        pair = words[2 * number - 2 : 2 * number]
        if len(pair) < 2 or len(words) <= 2 * number:
            return 0
        code = scanner.parse(game.parse_code, pair[0].group(), pair[0].start(), symbols)
        if code != guess or _read_answer(scanner, game, pair[1]) != (response, number):
            return 0
    return len(history)


def _read_line(
    scanner: Scanner,
    sketch: Sketch,
    symbols: tuple[str, ...] | None,
    words: list[re.Match[str]],
    states: list[int],
    skipped: int,
) -> None:
    """Read one line's answers and guesses, behind what it shares with the lines above."""
    game = sketch.game
    while words:
        response, number = _read_answer(scanner, game, words[0])
        depth = number - skipped
        if not 1 <= depth <= len(states):
            raise scanner.error(
                f"answer {number} follows {len(states) + skipped - 1} answers", words[0].start()
            )
        del states[depth:]
        if response == game.win:
            sketch.wins[states[-1]] = True
            if len(words) > 1:
                raise scanner.error("the game is over, but a guess follows", words[1].start())
            return
        if len(words) < 2:
            raise scanner.error("a guess must follow this answer", words[0].start())
        guess = scanner.parse(game.parse_code, words[1].group(), words[1].start(), symbols)
        states.append(sketch.add(states[-1], response, guess, words[1].start()))
        sketch.wins[states[-1]] = False
        words = words[2:]


def _read_answer(scanner: Scanner, game: Game, word: re.Match[str]) -> tuple[int, int]:
    match = _ANSWER.fullmatch(word.group())
    if match is None:
        raise scanner.error(
            f"expected an answer such as BBYGB2, found {word.group()!r}", word.start()
        )
    response = scanner.parse(game.parse_response, match.group(1), word.start())
    return response, int(match.group(2))
