"""Text in the grammar of codegolf.stackexchange 31926, "Mastermind strategy".

``{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA}}``: a guess and, for each answer, what comes next; a
guess alone where it surely wins. Colors are the letters A to Z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_uppercase

from ..errors import UsageError
from ..games import are_joined, default_letters
from .text_header import describe_stub
from .view import View


def generate_codegolf(view: View) -> Iterator[str]:
    """Yield the one line that the grammar describes.

    Raises
    ------
    UsageError
        There are more colors than letters, or symbols of several characters are asked for.
    """
    view = replace(view, symbols=view.symbols or default_letters(view.game, ascii_uppercase))
    symbols = tuple(view.symbols or ())
    if view.game.kind != "codebook" and not are_joined(symbols):
        raise UsageError("the style codegolf writes a color as one character: give --symbols")
    for symbol in symbols:
        if symbol in '{"':
            raise UsageError(f"the style codegolf cannot write {symbol}, a sign of its own")
    yield "".join(_generate_parts(view))


def _generate_parts(view: View) -> Iterator[str]:
    stack: list[int | str] = [view.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
            continue
        if view.is_leaf(item):
            yield view.guess(item)
            continue
        yield f"{{{view.guess(item)}:"
        if view.is_cut(item):
            yield f"{describe_stub(view.stub(item))}}}"
            continue
        stack.append("}}")
        children = view.children(item)
        for child in reversed(children):
            stack.append(child)
            stack.append(f"{'{' if child == children[0] else ','}{view.response(child)}:")
