"""Text with one line per secret: the secret, the length of its game, every guess with its answer.

``1245 4 1122:20 1344:11 1236:21 1245:40``. Games are in depth-first order, so that games with a
common beginning are adjacent; a game that the depth hides is counted in the line of its state,
``- 3+ 1122:20 1344:11 1236 ... 2 more states, worst 4``.
"""

from __future__ import annotations

from collections.abc import Iterator

from .text_header import describe_stub, generate_header
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
