"""Text in the grammar of codegolf.stackexchange 31926: ``{AB:{10:{AC:{10:AA}},02:BA}}``.

Written with the letters A to Z, and read as such letters or as the game's own symbols, whichever
the first guess is written in. See docs/text-formats.md and docs/foreign-formats.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from string import ascii_uppercase

from ..errors import GameError, UsageError
from ..games.base import Game
from ..games.notation import Notation
from ..games.pegs import default_letters
from ..games.text import are_joined
from .format import Format, Reader, Style
from .sketch import Scanner, Sketch
from .view import View, describe_stub


def generate_codegolf(view: View) -> Iterator[str]:
    """Yield the one line that the grammar describes.

    Raises UsageError if there are more colors than letters, or symbols of several characters.
    """
    view = replace(view, symbols=view.symbols or default_letters(view.game, ascii_uppercase))
    symbols = tuple(view.symbols or ())
    if not view.game.notation.is_of_words and not are_joined(symbols):
        raise UsageError("the style codegolf writes a color as one character: give `symbols`")
    for symbol in symbols:
        if symbol in '{"':
            raise UsageError(f"the style codegolf cannot write {symbol}, which its grammar uses")
    parts: list[str] = []
    stack: list[int | str] = [view.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
        elif view.is_leaf(item):
            parts.append(view.guess(item))
        elif view.is_cut(item):
            parts.append(f"{{{view.guess(item)}:{describe_stub(view.stub(item))}}}")
        else:
            parts.append(f"{{{view.guess(item)}:")
            stack.append("}}")
            children = view.children(item)
            for child in reversed(children):
                stack.append(child)
                stack.append(f"{'{' if child == children[0] else ','}{view.response(child)}:")
    yield "".join(parts)


_ANSWER = re.compile(r"[^:\s{}]+")


def read_codegolf(sketch: Sketch) -> Sketch:
    """Read the states; raise FormatError where the text violates the grammar."""
    scanner = sketch.scanner
    sketch.notation = sketch.notation or _choose_notation(scanner, sketch.game)
    # Guesses whose branches are being read; the answer before the next strategy.
    open_states: list[int] = []
    answer = Sketch.NULL
    while True:
        parent = open_states[-1] if open_states else Sketch.NULL
        has_branches = scanner.take("{")
        place = scanner.skip_space()
        state = sketch.add(parent, answer, sketch.take_code(), place)
        if has_branches:
            scanner.expect(":", "':' after the guess")
            scanner.expect("{", "'{' before the branches")
            open_states.append(state)
        elif not _close(scanner, open_states):
            break
        answer = _read_answer(sketch)
    scanner.expect_end()
    return sketch


def _close(scanner: Scanner, open_states: list[int]) -> bool:
    """Read what follows a strategy; return whether another branch comes."""
    while open_states:
        if scanner.take(","):
            return True
        scanner.expect("}", "',' or '}' after a branch")
        scanner.expect("}", "'}' after the branches")
        open_states.pop()
    return False


def _read_answer(sketch: Sketch) -> int:
    scanner = sketch.scanner
    place = scanner.skip_space()
    match = scanner.match(_ANSWER)
    if match is None or match.group().startswith("..."):
        scanner.at = place
        raise scanner.expected("an answer such as 02")
    answer = sketch.parse_response(match.group(), place)
    if answer == sketch.game.win:
        raise scanner.error("the winning answer needs no branch: leave it out", place)
    scanner.expect(":", "':' after the answer")
    return answer


def _choose_notation(scanner: Scanner, game: Game) -> Notation:
    """Return that of letters if the first guess is written in them, else the game's."""
    letters = game.notation.with_symbols(default_letters(game, ascii_uppercase))
    word = re.search(r"[^\s{}:,]+", scanner.text)
    with suppress(GameError):
        if word is not None:
            letters.parse_code(word.group())
            return letters
    return game.notation


CODEGOLF = Format(
    "codegolf",
    style=Style(generate_codegolf, "the grammar of codegolf.stackexchange 31926"),
    reader=Reader(
        read_codegolf,
        "{AB:{10:AC,02:BA}}, codegolf.stackexchange 31926.",
        "Read the grammar of codegolf.stackexchange 31926.",
        ("treegen import codegolf golf.txt -g p4c6r --symbols ABCDEF -o copy.tree",),
        # A listing of alex1770's may begin with a word in braces.
        looks=r"(?!\S+ [BGYbgy]+\d+( |\n))\s*\{",
    ),
)
