"""Nested JSON as jonathanolson's wordle-solver writes it: a guess, and what follows each answer.

``{"guess":"11","map":{"00":{"guess":"22", …},"10":"12"}}``: a code alone surely wins; where a guess
may win, the winning answer leads to the guess itself. Answers are written as everywhere in treegen,
position feedback as digits: 0 grey, 1 yellow, 2 green.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from .text_header import describe_stub
from .view import View


def generate_nested(view: View) -> Iterator[str]:
    """Yield the one line; a state that is cut has ``more`` instead of ``map``."""
    yield "".join(_generate_parts(view))


def _generate_parts(view: View) -> Iterator[str]:
    stack: list[int | str] = [view.root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
            continue
        guess = _quote(view.guess(item))
        if view.is_leaf(item) and item != view.root:
            yield guess
            continue
        if view.is_cut(item):
            yield f'{{"guess":{guess},"more":{_quote(describe_stub(view.stub(item)))}}}'
            continue
        yield f'{{"guess":{guess},"map":{{'
        stack.append("}}")
        stack.extend(reversed(_list_branches(view, item, guess)))


def _list_branches(view: View, node: int, guess: str) -> list[int | str]:
    """Return texts and states in turn: what is between the braces of a state."""
    parts: list[int | str] = []
    for child in view.children(node):
        parts += [f"{',' if parts else ''}{_quote(view.response(child))}:", child]
    if view.is_winning(node):
        parts.append(f"{',' if parts else ''}{_quote(view.written(view.game.win))}:{guess}")
    return parts


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
