"""Read what the R program of the post "Solving mastermind with R" prints.

The order of a guess's branches does not matter. Colors are the letters a, b, c …, numbers from 1,
or the game's own symbols, whichever fits the first guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import GameError
from ..games import Game, are_joined, default_letters
from ..tree import History
from .scan import Scanner
from .sketch import Claim, Sketch

_STATE = re.compile(
    r"(?:(?P<level>\d{1,9}):(?P<indent> +)(?:(?P<answer>[^\s|]+)\|)?)?"
    r"(?P<code>[^\n]+?) \| (?P<count>\*|\d{1,10} )(?=\n|$)",
    re.ASCII,
)
_WORST = re.compile(r"Questions in worst case: (\d{1,9}) ?(?=\n|$)", re.ASCII)
_AFTER = re.compile(r"After: ([^\n]+?) \| (\S+) ?(?=\n|$)")
_VALUE = "[1] 1"


def sketch_r_post(
    scanner: Scanner, game: Game, symbols: tuple[str, ...] | None, history: History
) -> Sketch:
    """Read the states and the statistics after them; raise FormatError at the first odd line."""
    sketch = Sketch(game, scanner.locate, history)
    last_states: list[int] = []
    while match := _STATE.match(scanner.text, scanner.at):
        if match.group(0).startswith("After: "):
            break
        symbols = symbols or _choose_symbols(match.group("code"), game)
        level = _find_level(scanner, match, len(last_states))
        del last_states[level - 1 :]
        last_states.append(_read_state(scanner, sketch, match, last_states, symbols))
        scanner.at = match.end() + 1
    if not last_states:
        raise scanner.expected("a line such as '1:    a a b b | 1296 '")
    _read_end(scanner, sketch, symbols or game.symbols)
    return sketch


def _find_level(scanner: Scanner, match: re.Match[str], n_open: int) -> int:
    level = int(match.group("level") or 1)
    is_first = match.group("answer") is None
    if not 1 <= level <= n_open + 1 or (level == 1) != (n_open == 0) or is_first != (level == 1):
        raise scanner.error(f"question {level} does not follow question {n_open}")
    if match.group("level") and len(match.group("indent")) != 4 * max(level - 1, 1):
        raise scanner.error(
            f"{len(match.group('indent'))} spaces before question {level};"
            f" {4 * max(level - 1, 1)} are needed",
            match.start("indent"),
        )
    return level


def _read_state(
    scanner: Scanner,
    sketch: Sketch,
    match: re.Match[str],
    above: list[int],
    symbols: Sequence[str],
) -> int:
    game = sketch.game
    response = Sketch.NULL
    if match.group("answer") is not None:
        response = scanner.parse(game.parse_response, match.group("answer"), match.start("answer"))
    place = match.start("code")
    guess = _parse_code(scanner, game, match.group("code"), place, symbols)
    count = 1 if match.group("count") == "*" else int(match.group("count"))
    return sketch.add(above[-1] if above else Sketch.NULL, response, guess, place, count=count)


def _read_end(scanner: Scanner, sketch: Sketch, symbols: Sequence[str]) -> None:
    """Read what follows the states: the value R prints, the worst case, the history."""
    scanner.take(_VALUE)
    worst = scanner.match(_WORST)
    if worst is None:
        raise scanner.expected("another state, or 'Questions in worst case:'")
    sketch.claims_of[0] = {"worst": Claim(int(worst.group(1)), worst.start(1))}
    pairs = []
    while after := scanner.match(_AFTER):
        guess = _parse_code(scanner, sketch.game, after.group(1), after.start(1), symbols)
        answer = scanner.parse(sketch.game.parse_response, after.group(2), after.start(2))
        pairs.append((guess, answer))
    sketch.history = tuple(pairs) or sketch.history
    if scanner.peek():
        raise scanner.expected("the end of the text")


def _parse_code(scanner: Scanner, game: Game, text: str, place: int, symbols: Sequence[str]) -> int:
    return scanner.parse(game.parse_code, _join(text, symbols), place, tuple(symbols))


def _join(text: str, symbols: Sequence[str]) -> str:
    return text.replace(" ", "" if are_joined(tuple(symbols)) else ".")


def _choose_symbols(code: str, game: Game) -> tuple[str, ...]:
    """Return the first way of writing colors that fits a code."""
    numbers = tuple(str(number) for number in range(1, game.n_colors + 1))
    for symbols in (default_letters(game), numbers, game.symbols):
        try:
            game.parse_code(_join(code, symbols), symbols)
        except GameError:
            continue
        return symbols
    return default_letters(game)
