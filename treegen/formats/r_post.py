"""Text as the R program of the post "Solving mastermind with R" (2012) prints it.

The tree of the strategy ``r-post`` is byte for byte what the posted program prints;
docs/text-formats.md has the program's quirks, and our choices for what it never prints. What is
read need not have the order of a guess's branches, nor its letters: colors are the letters a, b, c
…, numbers from 1, or the game's own symbols, whichever fits the first guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from ..errors import GameError
from ..games.base import Game
from ..games.notation import Notation
from ..games.pegs import default_letters
from ..games.text import are_joined
from .format import Format, Reader, Style
from .sketch import Scanner, Sketch, TextClaim
from .view import View, describe_cut, describe_stub


def generate_r_post(view: View) -> Iterator[str]:
    """Yield the lines of the shown states, and the statistics after them."""
    symbols = view.symbols or default_letters(view.game)
    stack = [view.root]
    while stack:
        node = stack.pop()
        head = "" if view.is_leaf(node) else "1:    "
        if node != view.root:
            level = view.level(node)
            head = f"{level}:{'    ' * (level - 1)}{_answer(view, node)}|"
        cut = f"{describe_stub(view.stub(node))} " if view.is_cut(node) else ""
        left = "*" if view.is_leaf(node) else f"{view.n_candidates(node)} {cut}"
        yield f"{head}{_space_out(view.colors(node), symbols)} | {left}"
        children = list(view.children(node))
        if view.order == "responses":
            children.sort(key=lambda child: _answer(view, child).replace(";", " "))
        stack.extend(reversed(children))
    if view.is_leaf(view.root):
        yield "[1] 1"
    yield ""
    yield f"Questions in worst case: {view.worst} "
    for guess, reply in view.history:
        colors = view.game.codes[guess].tolist()
        yield f"After: {_space_out(colors, symbols)} | {format_answer(view, reply)} "
    if view.is_cut_anywhere:
        yield f"Cut: {describe_cut(view)} "


def format_answer(view: View, response: int) -> str:
    """Write a feedback as the program does: black, a semicolon, white."""
    written = view.written(response)
    if not view.game.rules.has_white:
        return written
    return written.replace(".", ";") if "." in written else f"{written[0]};{written[1]}"


def _answer(view: View, node: int) -> str:
    return format_answer(view, view.response_index(node))


def _space_out(colors: list[int], symbols: tuple[str, ...]) -> str:
    return " ".join(symbols[color] for color in colors)


_STATE = re.compile(
    r"(?:(?P<level>\d{1,9}):(?P<indent> ++)(?:(?P<answer>[^\s|]++)\|)?)?"
    r"(?P<code>[^\n]+?) \| (?P<count>\*|\d{1,10} )(?=\n|$)",
    re.ASCII,
)
_WORST = re.compile(r"Questions in worst case: (\d{1,9}) ?(?=\n|$)", re.ASCII)
_AFTER = re.compile(r"After: ([^\n]+?) \| (\S++) ?(?=\n|$)")


def read_r_post(sketch: Sketch) -> Sketch:
    """Read the states and the statistics after them; raise FormatError at the first odd line."""
    scanner = sketch.scanner
    above: list[int] = []
    while match := _STATE.match(scanner.text, scanner.at):
        if match.group(0).startswith("After: "):
            break
        code, answer, count = match.group("code", "answer", "count")
        sketch.notation = sketch.notation or _choose_notation(code, sketch.game)
        level = _find_level(scanner, match, len(above))
        del above[level - 1 :]
        response = Sketch.NULL
        if answer is not None:
            response = sketch.parse_response(answer, match.start("answer"))
        place = match.start("code")
        guess = sketch.parse_code(_join(code, sketch.notation), place)
        parent, n_left = above[-1] if above else Sketch.NULL, 1 if count == "*" else int(count)
        above.append(sketch.add(parent, response, guess, place, count=n_left))
        scanner.at = match.end() + 1
    if not above:
        raise scanner.expected("a line such as '1:    a a b b | 1296 '")
    _read_end(sketch)
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


def _read_end(sketch: Sketch) -> None:
    """Read what follows the states: the value R prints, the worst case, the history."""
    scanner = sketch.scanner
    scanner.take("[1] 1")
    worst = scanner.match(_WORST)
    if worst is None:
        raise scanner.expected("another state, or 'Questions in worst case:'")
    sketch.claims_of[0] = {"worst": TextClaim(int(worst.group(1)), worst.start(1))}
    pairs = []
    while after := scanner.match(_AFTER):
        code = _join(after.group(1), sketch.notation or sketch.game.notation)
        guess = sketch.parse_code(code, after.start(1))
        pairs.append((guess, sketch.parse_response(after.group(2), after.start(2))))
    sketch.history = tuple(pairs) or sketch.history
    scanner.expect_end()


def _join(text: str, notation: Notation) -> str:
    return text.replace(" ", "" if are_joined(notation.symbols) else ".")


def _choose_notation(code: str, game: Game) -> Notation:
    """Return the first way of writing colors that fits a code."""
    letters = default_letters(game)
    numbers = tuple(str(number) for number in range(1, game.n_colors + 1))
    for symbols in (letters, numbers, game.notation.own_symbols):
        notation = game.notation.with_symbols(symbols)
        with suppress(GameError):
            notation.parse_code(_join(code, notation))
            return notation
    return game.notation.with_symbols(letters)


R_POST = Format(
    "r-post",
    style=Style(generate_r_post, "what the R program of the 2012 post prints"),
    reader=Reader(read_r_post, looks=r"1: {4}\S|[^\n]* \| \*\n"),
)
