"""Text with one line per state, indented by the guesses made before it.

``02 1344 (276)`` is the state after the answer 02, with 276 candidates, where 1344 is guessed;
``40 1344 *`` one that 1344 wins for sure. The first state has no answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from .text_header import describe_stub, generate_header
from .view import View

INDENT = "  "

LEGEND = "answer, next guess, (candidates left), or * if that guess is the only one left"
"""What the columns of a line are."""


def generate_indented(view: View) -> Iterator[str]:
    """Yield the header and a line for each shown state."""
    yield from generate_header(view, "indented", LEGEND)
    for node in view.nodes():
        answer = "" if node == view.root else f"{view.response(node)} "
        count = "*" if view.is_leaf(node) else f"({view.n_candidates(node)})"
        cut = f" {describe_stub(view.stub(node))}" if view.is_cut(node) else ""
        yield f"{INDENT * (view.level(node) - 1)}{answer}{view.guess(node)} {count}{cut}"
